#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration: ti-testpmd measures AF_XDP on the emulated i.MX 8M Plus, and this is the
link partner. Prints the table: what was carried, in Kpps, in each mode; then what was sent,
received and lost; then zero-copy against copy.

Each cell of the table is one run of the measuring mode. From `measure: begin` to `measure: end` the
partner sends at full speed (the emulated ring holds it back) and the rate is counted; what is then
under way is still taken, up to `measure: drained`, so that every frame sent can be accounted for.
The rate of rxdrop is what the program took; those of txonly and l2fwd are what arrived on the wire.
"""

import argparse
import re
import signal
import sys
import time
from dataclasses import dataclass

from lib.channel import ChannelError
from lib.machine import BootError, KernelFault, Vm
from lib.wire import WireError

WORKS = ("rxdrop", "txonly", "l2fwd")
SIZES = (64, 1500)
MODES = ("skb", "native", "zc")
TITLES = {"skb": "SKB", "native": "native", "zc": "zero-copy"}
# Seconds that a cell lasts.
CELL_SECONDS = 4
# Sizes are told as the published tables tell them: 64 counts the FCS, 1500 is the frame itself.
FRAME_BYTES = {64: 60, 1500: 1500}
EAL = "-l 0,1 --no-pci --in-memory --no-telemetry --log-level=error"
# Bounds against hanging only.
START_TIMEOUT = 120
END_TIMEOUT = 120


class DemoError(Exception):
    """The demonstration cannot go on."""


@dataclass
class Cell:
    """What one measurement came to. Of the frames lost, `beyond` had left the MAC: the emulator
    lost them, whose queue towards the partner has an end, while the MAC's real wire has a rate."""

    kpps: float
    sent: int
    received: int
    beyond: int = 0
    corrupt: int = 0

    @property
    def lost(self):
        """Frames that did not arrive."""
        return self.sent - self.received


class Progress:
    """Lines that say what happens, with the seconds since the start."""

    def __init__(self):
        self.start = time.monotonic()

    def say(self, text):
        """Prints one line."""
        print(f"[{time.monotonic() - self.start:5.1f} s] {text}", flush=True)


def measure(vm, work, size, mode):
    """One cell: the guest's program and the partner together; a Cell."""
    wire = None
    if work == "txonly":
        # In place before the first frame can come.
        wire = vm.wire("--receive-only", "--quiet-ms", 0)
        wire.wait_ready(START_TIMEOUT)
    command = vm.start_command(
        f"ti-testpmd {EAL} -- --measure={work} --sizes={size} --modes={mode} "
        f"--duration={CELL_SECONDS} --iface=eth0")
    mac_sent = sent_by_mac(vm)
    name = f"{work} {size} {mode}"
    counts = r"rx=(\d+) tx=(\d+) missed=\d+"
    try:
        command.expect(rf"^measure: begin {name}\s*$", START_TIMEOUT)
        if work != "txonly":
            wire = vm.wire("--seconds", CELL_SECONDS + END_TIMEOUT, "--size", FRAME_BYTES[size],
                           "--mac-check", "any")
        end = command.expect(rf"^measure: end {name} {counts} seconds=([\d.]+)", END_TIMEOUT)
        report = wire.stop()
        drained = command.expect(rf"^measure: drained {name} {counts}", END_TIMEOUT)
        rc = command.wait(END_TIMEOUT)
        if rc != 0:
            raise DemoError(f"ti-testpmd ended with {rc}:\n{command.output[-3000:]}")
    finally:
        if command.running:
            command.kill(signal.SIGKILL)
        if wire and wire.running:
            wire.stop()

    beyond = sent_by_mac(vm) - mac_sent - report["frames_in"]
    if work == "rxdrop":
        return Cell(int(end[1]) / float(end[3]) / 1000, report["sent"], int(drained[1]))
    if work == "txonly":
        return Cell(report["pps_foreign"] / 1000, int(drained[2]), report["foreign"], beyond)
    return Cell(report["pps_received"] / 1000, report["sent"], report["received"], beyond,
                report["corrupt"] + report["duplicate"])


def sent_by_mac(vm):
    """Frames that the guest's MAC has sent since boot."""
    return int(vm.check("cat /sys/class/net/eth0/statistics/tx_packets"))


def table(head, rows):
    """A table with aligned columns, in Markdown."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = []
    for row in [head, *rows]:
        lines.append("| " + " | ".join(
            text.ljust(width) if not text[:1].isdigit() else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths))) + " |")
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def report(cells):
    """Prints all tables."""
    columns = [(size, mode) for size in SIZES for mode in MODES]
    head = ["Kpps"] + [f"{size} B: {TITLES[mode]}" for size, mode in columns]
    print()
    print(table(head, [[work] + [f"{cells[work, size, mode].kpps:.1f}" for size, mode in columns]
                       for work in WORKS]))
    print()
    print(table(["work", "bytes", "mode", "sent", "received", "lost", "of these, in QEMU"],
                [[work, str(size), TITLES[mode],
                  *(str(value) for value in (cell.sent, cell.received, cell.lost, cell.beyond))]
                 for (work, size, mode), cell in cells.items()]))
    print()
    print(table(["zero-copy : copy"] + [f"{size} B" for size in SIZES],
                [[work] + [ratio(cells[work, size, "zc"].kpps, cells[work, size, "native"].kpps) for size in SIZES]
                 for work in WORKS]))
    print()


def ratio(one, other):
    """one : other, where there is another."""
    return f"{one / other:.2f}" if other else "-"


def faults(cells):
    """Lines about cells that are not as they must be."""
    for (work, size, mode), cell in cells.items():
        name = f"{work} {size} {mode}"
        if cell.received == 0:
            yield f"{name}: no frame arrived"
        if cell.corrupt:
            yield f"{name}: {cell.corrupt} frames damaged or doubled"


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.parse_args()
    progress = Progress()
    cells = {}
    try:
        progress.say("booting the i.MX 8M Plus (emulated), Linux 6.12, our fec module")
        with Vm(hugepages=128) as vm:
            driver = dict(re.findall(r"^(driver|version): (.*)$", vm.check("ethtool -i eth0"), re.MULTILINE))
            kernel = vm.check("uname -r").strip()
            progress.say(f"up: Linux {kernel}, eth0 on {driver.get('driver')} {driver.get('version')}")
            for work in WORKS:
                for size in SIZES:
                    for mode in MODES:
                        cell = measure(vm, work, size, mode)
                        cells[work, size, mode] = cell
                        progress.say(f"{work:6} {size:4} B {TITLES[mode]:9} {cell.kpps:7.1f} Kpps  "
                                     f"sent {cell.sent}, received {cell.received}, lost {cell.lost}")
    except (BootError, ChannelError, DemoError, KernelFault, WireError, AssertionError) as error:
        sys.exit(f"demo: error: {error}")
    report(cells)
    wrong = list(faults(cells))
    for line in wrong:
        print(f"demo: error: {line}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
