# SPDX-License-Identifier: BSD-3-Clause
"""Xsk: the AF_XDP ring tool (tests/xsk) in the guest, and its report."""

import json

# Longest silence that is no failure: long enough for a host that is busy elsewhere.
PATIENCE_MS = 60000


class Xsk:
    """A run of xsk-test on eth0."""

    def __init__(self, vm, work, mode="zc", *arguments):
        """Starts it and waits until frames can flow."""
        self.command = vm.start_command(
            f"exec xsk-test {work} --iface eth0 --mode {mode} --timeout-ms {PATIENCE_MS} "
            + " ".join(map(str, arguments)))
        self.command.expect(r"^ready$", 120)

    def wait(self, timeout=1200):
        """Waits for its end, which must be a good one; returns its report."""
        rc = self.command.wait(timeout)
        assert rc == 0, f"exit code {rc}\n{self.command.output[-4000:]}"
        return self.report()

    def stop(self, signal=15, timeout=120):
        """Ends it with a signal; returns the exit code."""
        if self.command.running:
            self.command.kill(signal)
        return self.command.wait(timeout)

    def report(self):
        """The report, once it has ended."""
        lines = [line for line in self.command.output.splitlines() if line.startswith("{")]
        assert lines, f"no report\n{self.command.output[-4000:]}"
        return json.loads(lines[-1])
