# SPDX-License-Identifier: BSD-3-Clause
"""Drives ti-testpmd, and the stock dpdk-testpmd beside it, as scripts do: through pipes."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
TI = Path(os.environ.get("TI_TESTPMD", TOP / "build/native/app/ti-testpmd"))
STOCK = shutil.which("dpdk-testpmd")
PROMPT = "testpmd> "
# Bounds against hanging, far above what anything takes on a busy machine.
TIMEOUT = 60
# Huge pages are a privilege, no device of the machine is ours, and nothing is left in /run.
EAL = ["--no-huge", "-m", "256", "--no-pci", "--no-shconf", "--no-telemetry"]


class Testpmd:
    """One run of a testpmd. The two programs are driven by the same calls."""

    __test__ = False  # not a test class, whatever pytest makes of its name

    def __init__(self, program, vdevs=(), options=(), cores="0,1", eal=()):
        """
        program   TI or STOCK
        vdevs     arguments of --vdev
        options   what comes after `--`
        """
        command = [str(program), "-l", cores, *EAL, *eal]
        for vdev in vdevs:
            command += ["--vdev", vdev]
        if str(program) == STOCK:
            # Its output is else buffered whole, and out of order with the prompt.
            command = ["stdbuf", "-oL", *command]
        self._stderr = tempfile.TemporaryFile(mode="w+")
        self._output = ""
        self._seen = 0
        self._grown = threading.Condition()
        self.process = subprocess.Popen(
            [*command, "--", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._stderr)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def _read(self):
        """Gathers standard output until its end."""
        while True:
            data = os.read(self.process.stdout.fileno(), 65536)
            with self._grown:
                # The terminal's line ends, which rdline echoes to pipes too.
                self._output += data.decode(errors="replace").replace("\r", "")
                self._grown.notify_all()
            if not data:
                return

    @property
    def output(self):
        """Standard output so far."""
        with self._grown:
            return self._output

    @property
    def errors(self):
        """Standard error so far."""
        self._stderr.seek(0)
        return self._stderr.read()

    def expect(self, pattern, timeout=TIMEOUT):
        """Waits until new output matches; returns the match. What precedes it is then seen."""
        deadline = time.monotonic() + timeout
        with self._grown:
            while True:
                match = re.search(pattern, self._output[self._seen:], re.MULTILINE)
                if match:
                    self._seen += match.end()
                    return match
                left = deadline - time.monotonic()
                if left <= 0 or not self._reader.is_alive():
                    raise AssertionError(f"no {pattern!r} in the output:\n{self._output[self._seen:]}\n"
                                         f"--- errors ---\n{self.errors}")
                self._grown.wait(min(left, 1))

    def write(self, text):
        """Writes to standard input."""
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def command(self, line, timeout=TIMEOUT):
        """Gives a command at the prompt; returns its output."""
        self.write(line + "\n")
        return self.expect(rf"{re.escape(line)}\n((?:.*\n)*?){PROMPT}", timeout)[1]

    def ready(self):
        """Waits for the first prompt."""
        self.expect(PROMPT)
        return self

    def end_input(self):
        """Standard input comes to its end."""
        self.process.stdin.close()

    def interrupt(self, number=signal.SIGINT):
        """Sends a signal; to the program itself, not to the whole session."""
        os.kill(self.pid(), number)

    def pid(self):
        """The program's process: stdbuf has become it."""
        return self.process.pid

    def wait(self, timeout=TIMEOUT):
        """Waits for the end; returns the exit code."""
        code = self.process.wait(timeout)
        self._reader.join(timeout)
        return code

    def kill(self):
        """Leaves nothing behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(5)
        self._stderr.close()
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        self.process.stdout.close()


def run(program, vdevs=(), options=(), script="", timeout=TIMEOUT, **kwargs):
    """Runs to the end with a script on standard input; (exit code, output, errors)."""
    with Testpmd(program, vdevs, options, **kwargs) as testpmd:
        try:
            testpmd.write(script)
            testpmd.end_input()
        except BrokenPipeError:
            pass  # it ended before it read: the exit code tells
        code = testpmd.wait(timeout)
        return code, testpmd.output, testpmd.errors


def forward_statistics(output):
    """The final statistics as scripts read them: {port or "all": {"RX-packets": n, ...}}."""
    blocks = re.findall(
        r"^ +[-+]+ (?:Forward statistics for port (\d+) |Accumulated forward statistics for all ports)"
        r" *[-+]+\n((?:(?!  [-+]{20}).*\n)+)  [-+]{20}", output, re.MULTILINE)
    return {port or "all": {name: int(value) for name, value in
                            re.findall(r"([RT]X-\w+): (\d+)", text)} for port, text in blocks}
