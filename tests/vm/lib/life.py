# SPDX-License-Identifier: BSD-3-Clause
"""What a run of the life-cycle storm (tests/storm/tool) came to, and the actors that it has."""

import collections
import json
import subprocess

from .paths import NATIVE

PROGRAM = NATIVE / "tests/storm/tool/storm"


def families():
    """The actors' names by family, from the program itself."""
    listed = subprocess.run([PROGRAM, "--list"], check=True, capture_output=True, text=True).stdout
    found = collections.defaultdict(list)
    for line in listed.splitlines():
        name, family, _ = line.split(maxsplit=2)
        found[family].append(name)
    return dict(found)


def report(output):
    """The report among what the program wrote."""
    lines = [line for line in output.splitlines() if line.startswith("{")]
    assert lines, f"no report\n{output[-4000:]}"
    return json.loads(lines[-1])


def account(result):
    """How many operations were done and refused, over all actors."""
    actors = result["actors"].values()
    return {"done": sum(actor["done"] for actor in actors), "refused": sum(actor["refused"] for actor in actors)}


def idle(result):
    """Actors that apply but did nothing at all: a storm without them proves nothing about them."""
    return [name for name, actor in result["actors"].items()
            if not actor["done"] and "inapplicable" not in actor and name != "restore"]
