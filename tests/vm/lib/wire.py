# SPDX-License-Identifier: BSD-3-Clause
"""Wire: the link partner program (tests/wire) as a child process, and its report."""

import itertools
import json
import subprocess
import time

from . import process
from .paths import NATIVE

PROGRAM = NATIVE / "tests/wire/wire"
_serial = itertools.count(1)


class WireError(Exception):
    """The link partner did not do its part."""


class Wire:
    """A running link partner."""

    def __init__(self, arguments, directory):
        """Starts it with the given arguments; its report goes to a file in the directory."""
        number = next(_serial)
        self.report_path = directory / f"wire-{number}.json"
        self.log_path = directory / f"wire-{number}.log"
        self.arguments = [str(PROGRAM), *map(str, arguments), "--json", str(self.report_path)]
        with open(self.log_path, "wb") as log:
            self.process = process.spawn(self.arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    @property
    def running(self):
        """Whether it has not ended yet."""
        return self.process.poll() is None

    @property
    def ok(self):
        """After its end: whether everything came as --expect says."""
        return self.process.returncode == 0

    def wait_ready(self, timeout=60):
        """Waits until it has its end of the wire."""
        deadline = time.monotonic() + timeout
        while "wire: ready" not in self.log():
            if not self.running or time.monotonic() > deadline:
                raise WireError(f"not ready: {self.arguments}\n{self.log()}")
            time.sleep(0.02)

    def wait(self, timeout=600):
        """Waits for its end and returns its report; raises where it could not run, or hangs.

        That what it was told to expect did not happen is for the caller to see: `ok`.
        """
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.stop(self.process)
            raise WireError(f"still running after {timeout} s: {self.arguments}\n{self.log()}") from None
        process.stop(self.process)
        if self.process.returncode not in (0, 1):
            raise WireError(f"exit code {self.process.returncode}: {self.arguments}\n{self.log()}")
        try:
            return json.loads(self.report_path.read_text())
        except (OSError, ValueError) as error:
            raise WireError(f"no report (exit code {self.process.returncode}, {error}): "
                            f"{self.arguments}\n{self.log()}") from error

    def stop(self, timeout=60):
        """Tells it to finish (SIGTERM) and returns its report."""
        if self.running:
            self.process.terminate()
        return self.wait(timeout)

    def log(self):
        """What it wrote beside the report."""
        return self.log_path.read_text(errors="replace")
