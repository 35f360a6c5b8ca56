# SPDX-License-Identifier: BSD-3-Clause
"""The data path with every DMA bounced (swiotlb=force): a sync that the driver leaves out shows as
a damaged frame."""

import pytest

from lib.machine import GUEST_IP, PARTNER_IP, PARTNER_MAC, Vm
from lib.scale import frames
from lib.xsk import PATIENCE_MS, Xsk

SIZES = "60-1514"
FRAMES = frames(50000)
WINDOW = ("--window", 128, "--timeout-ms", PATIENCE_MS)
MODES = pytest.mark.parametrize("mode", ["skb", "native", "zc"])


@pytest.fixture(scope="module", name="vm")
def fixture_vm():
    """A board that bounces."""
    with Vm(append="swiotlb=65536,force", mem="2G") as vm:
        # The buffers of the receive ring lie in the bounce area, one slot of 2 KiB each at least.
        assert int(vm.check("cat /sys/kernel/debug/swiotlb/io_tlb_used")) >= 256
        yield vm


def test_stack(vm):
    """Echo requests of all sizes through the stack, every payload compared."""
    wire = vm.wire("--icmp", "--to", GUEST_IP, "--answer", PARTNER_IP, "--send", frames(5000), "--window", 4,
                   "--size", SIZES, "--timeout-ms", PATIENCE_MS, "--expect", "echo")
    result = wire.wait()
    assert wire.ok, result


@pytest.mark.parametrize("verdict", ["tx -p swap-macs -m native eth0", "redirect -m native eth0 eth0"])
def test_xdp(vm, verdict):
    """XDP_TX and XDP_REDIRECT."""
    bench = vm.start_command(f"xdp-bench {verdict}")
    vm.check("until ip link show eth0 | grep -q prog/xdp; do sleep 0.1; done")
    vm.wait_forwarding()
    wire = vm.wire("--send", FRAMES, "--size", SIZES, "--mac-check", "any", "--expect", "all", *WINDOW)
    result = wire.wait()
    bench.kill(2)
    bench.wait(120)
    assert wire.ok, result


@MODES
def test_forward(vm, mode):
    """AF_XDP both ways."""
    xsk = Xsk(vm, "l2fwd", mode, "--count", FRAMES)
    wire = vm.wire("--send", FRAMES, "--size", SIZES, "--expect", "all", *WINDOW)
    result = wire.wait()
    assert wire.ok, result
    assert xsk.wait()["corrupt"] == 0


@MODES
def test_transmit(vm, mode):
    """AF_XDP transmission."""
    wire = vm.wire("--echo-every", 64, "--count", FRAMES, "--expect", "all", "--quiet-ms", 0)
    wire.wait_ready()
    Xsk(vm, "tx", mode, "--count", FRAMES, "--size", 1514, "--dst", PARTNER_MAC, "--window", 1024).wait()
    result = wire.stop()
    assert wire.ok, result


def test_pass_in_zero_copy(vm):
    """Frames that the program passes to the stack from a port in zero-copy."""
    xsk = Xsk(vm, "hold", "zc", "--take", 21577)
    wire = vm.wire("--icmp", "--to", GUEST_IP, "--answer", PARTNER_IP, "--send", frames(5000), "--window", 4,
                   "--size", SIZES, "--timeout-ms", PATIENCE_MS, "--expect", "echo")
    result = wire.wait()
    xsk.stop()
    assert wire.ok, result
