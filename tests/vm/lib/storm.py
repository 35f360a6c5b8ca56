# SPDX-License-Identifier: BSD-3-Clause
"""Storm: the seed, the time and the account of one storm.

    def test_something(storm):
        while not storm.over():
            do(storm.random.choice(...))
            storm.count(rounds=1)
        storm.check(...)

The seed is told before anything happens and the account afterwards, whatever the outcome; the
accounts of all runs are kept in build/storms.jsonl, one JSON object a line.
"""

import collections
import json
import math
import random
import time

from . import scale
from .paths import BUILD

LEDGER = BUILD / "storms.jsonl"


class Storm:
    """One run of a storm."""

    # What a storm lasts that says nothing else.
    SECONDS = 60

    def __init__(self, name, seed, seconds, say):
        """
        seed     of all choices that `random` makes; told to whoever repeats the storm
        seconds  how long; 0 for without end
        say      prints one line where the user sees it
        """
        self.name = name
        self.seed = seed
        self.seconds = seconds or math.inf
        self.random = random.Random(seed)
        self.counts = collections.Counter()
        self.say = say
        self.started = time.monotonic()
        say(f"storm {name}: seed {seed}, " + (f"{seconds:g} s" if seconds else "without end"))

    def begin(self):
        """Its time begins now: what was prepared does not count."""
        self.started = time.monotonic()

    @property
    def elapsed(self):
        """Seconds since it began."""
        return time.monotonic() - self.started

    def left(self):
        """Seconds left; infinite where there is no end."""
        return max(0.0, self.seconds - self.elapsed)

    def over(self):
        """Whether its time is up."""
        return self.left() == 0

    def count(self, **counts):
        """Adds to the account: rounds=1, killed=2."""
        self.counts.update(counts)

    def end(self, outcome):
        """Tells the account and keeps it."""
        told = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in self.counts.items())
        self.say(f"storm {self.name}: {outcome} after {self.elapsed:.0f} s, seed {self.seed}: {told or 'no counts'}")
        LEDGER.parent.mkdir(exist_ok=True)
        with open(LEDGER, "a", encoding="ascii") as ledger:
            ledger.write(json.dumps({"storm": self.name, "kernel": scale.KERNEL, "seed": self.seed,
                                     "seconds": round(self.elapsed), "outcome": outcome, **self.counts}) + "\n")
