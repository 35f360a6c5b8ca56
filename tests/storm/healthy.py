# SPDX-License-Identifier: BSD-3-Clause
"""What must hold after every storm: the log tells of nothing, the stack answers, zero-copy forwards
intact frames, and no page is missing."""

from lib import klog
from lib.machine import GUEST_IP
from lib.scale import frames
from lib.xsk import Xsk

# Longest wait for a frame that is no failure: the host may be busy elsewhere.
PATIENT = ("--timeout-ms", 60000)
SIZES = "60-1514"


def prepare(vm):
    """Makes a board ready for checks of every frame.

    The emulated MAC sends a UDP checksum that comes to 0 as 0, which is "none" (RFC 768 wants all ones;
    net_checksum_calculate() in net/checksum.c of QEMU 10.0): one datagram in 65536 differs.
    """
    vm.check("ethtool -K eth0 tx off")


def forward(vm, mode="zc", count=2000, queue=0):
    """A good program has the queue and sends frames of all sizes back, each once."""
    count = frames(count)
    xsk = Xsk(vm, "l2fwd", mode, "--queue", queue, "--count", count)
    wire = vm.wire("--send", count, "--size", SIZES, "--window", 64, *PATIENT, "--expect", "echo")
    report = wire.wait()
    assert wire.ok and report["received"] == count, wire.log()
    xsk.wait()


def ping(vm, count=20):
    """The stack answers."""
    # What is still under way from before is let pass.
    vm.wire("--ping", 3, "--to", GUEST_IP, "--timeout-ms", 1000).wait()
    wire = vm.wire("--ping", count, "--to", GUEST_IP, *PATIENT, "--expect", "echo")
    wire.wait()
    assert wire.ok, wire.log()


def check(vm, log_start=0):
    """All of it; log_start: how much of the kernel's log was looked at before."""
    found = klog.faults(vm.dmesg()[log_start:], vm.allowed_log)
    assert not found, "\n".join(found)
    vm.wait_detached()
    ping(vm)
    forward(vm)
    vm.check("xsk-test page-pools --timeout-ms 20000")


def counters(vm):
    """The driver's own counters, by name."""
    lines = vm.check("ethtool -S eth0").splitlines()[1:]
    return {name.strip(): int(value) for name, value in (line.rsplit(":", 1) for line in lines if ":" in line)}


def link_counters(vm):
    """The kernel's counters of the interface, by name."""
    lines = vm.check("cd /sys/class/net/eth0/statistics && grep . *").splitlines()
    return {name: int(value) for name, value in (line.split(":") for line in lines)}


def queues(vm):
    """The numbers of the queues that a socket can have: those that both receive and transmit."""
    found = vm.check("ls /sys/class/net/eth0/queues").split()
    transmit = sum(name.startswith("tx-") for name in found)
    # A kernel without RPS does not show the others there; the driver's counters do.
    receive = sum(name.startswith("rx-") for name in found) or len(
        {name.split("_")[0] for name in counters(vm) if name.startswith("rx") and name.endswith("_packets")})
    return list(range(min(transmit, receive)))
