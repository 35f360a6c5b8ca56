# SPDX-License-Identifier: BSD-3-Clause
"""XDP in the driver, with xdp-bench of xdp-tools: each verdict, native and generic.

The link partner sends numbered frames and checks what comes back.
"""

import re
import signal

import pytest

from lib.machine import GUEST_IP, PARTNER_IP, Vm
from lib.scale import frames

FRAMES = frames(20000)
SIZES = "60-1514"


@pytest.fixture(scope="module", name="vm")
def fixture_vm():
    """One board for all verdicts."""
    with Vm() as vm:
        yield vm


class Bench:
    """xdp-bench on eth0 for the length of a block; the packets it counted afterwards."""

    def __init__(self, vm, arguments):
        self.vm = vm
        self.arguments = arguments
        self.command = None

    def __enter__(self):
        self.command = self.vm.start_command(f"xdp-bench {self.arguments}")
        self.command.expect(r"\(ifindex \d+; driver \w+\)|Redirecting|Dropping|Passing|Hairpinning", 120)
        # The program is on when the interface says so.
        self.vm.check("until ip link show eth0 | grep -q prog/xdp; do sleep 0.1; done")
        return self

    def __exit__(self, kind, error, trace):
        if self.command.running:
            self.command.kill(signal.SIGINT)
        rc = self.command.wait(120)
        if kind is None:
            assert rc in (0, 128 + signal.SIGINT), self.command.output
            assert "prog/xdp" not in self.vm.check("ip link show eth0")


def statistics(vm):
    """ethtool -S as a dictionary of numbers."""
    return {name.strip(): int(value) for name, value in
            re.findall(r"^\s*(.+?): (\d+)$", vm.check("ethtool -S eth0"), re.MULTILINE)}


MODES = pytest.mark.parametrize("mode", ["native", "skb"])


@MODES
def test_drop(vm, mode):
    """Every frame is dropped: none comes back, and the stack sees none."""
    with Bench(vm, f"drop -m {mode} -e -i 1 eth0") as bench:
        before = int(vm.check("awk '/^Udp:/ {n++; if (n == 2) print $3}' /proc/net/snmp"))
        report = vm.wire("--send", FRAMES, "--size", SIZES).wait()
        assert report["sent"] == FRAMES and report["received"] == 0, report
        after = int(vm.check("awk '/^Udp:/ {n++; if (n == 2) print $3}' /proc/net/snmp"))
        assert after == before
        bench.command.expect(r"drop/s", 60)


@MODES
def test_pass(vm, mode):
    """Every frame goes up the stack: the stack answers each echo request, intact."""
    with Bench(vm, f"pass -m {mode} eth0"):
        wire = vm.wire("--icmp", "--to", GUEST_IP, "--answer", PARTNER_IP, "--send", frames(5000), "--window", 4,
                       "--size", SIZES, "--timeout-ms", 60000, "--expect", "echo")
        report = wire.wait()
        assert wire.ok and report["received"] == frames(5000), report


@MODES
def test_tx(vm, mode):
    """Every frame comes back once, in order, intact."""
    with Bench(vm, f"tx -m {mode} -p swap-macs eth0"):
        wire = vm.wire("--send", FRAMES, "--size", SIZES, "--window", 64, "--timeout-ms", 60000, "--expect", "all")
        report = wire.wait()
        assert wire.ok and report["received"] == FRAMES, report


@MODES
def test_redirect_same_port(vm, mode):
    """Redirected to the port they came in on, every frame comes back once and intact."""
    with Bench(vm, f"redirect -m {mode} eth0 eth0"):
        vm.wait_forwarding()
        wire = vm.wire("--send", FRAMES, "--size", SIZES, "--window", 64, "--timeout-ms", 60000,
                       "--mac-check", "any", "--expect", "all")
        report = wire.wait()
        assert wire.ok and report["received"] == FRAMES, report


def test_program_change_under_load(vm):
    """Programs come and go, native and generic, while frames come at full speed."""
    wire = vm.wire("--seconds", 20, "--size", SIZES)
    for _ in range(5):
        for mode in ("native", "skb"):
            with Bench(vm, f"drop -m {mode} eth0"):
                pass
    wire.stop()
    # The port is none the worse.
    wire = vm.wire("--icmp", "--to", GUEST_IP, "--answer", PARTNER_IP, "--send", 500, "--window", 8,
                   "--timeout-ms", 60000, "--expect", "echo")
    report = wire.wait()
    assert wire.ok, report
