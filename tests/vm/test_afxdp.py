# SPDX-License-Identifier: BSD-3-Clause
"""AF_XDP on the driver in each of its modes: 1,000,000 frames received, sent, and forwarded, every
one numbered and summed, none damaged or doubled.

A consumer that falls behind loses frames in every mode (the port goes on receiving for the stack),
so where each frame must come back the sender keeps a window; the receiver alone only must never see
a wrong one.
"""

import pytest

from lib.machine import PARTNER_MAC, Vm
from lib.scale import frames
from lib.xsk import Xsk

FRAMES = frames(1000000)
SIZES = "60-1514"

MODES = pytest.mark.parametrize("mode", ["skb", "native", "zc"])


@pytest.fixture(scope="module", name="vm")
def fixture_vm():
    """One board for all modes."""
    with Vm() as vm:
        yield vm


def expect_mode(report, mode):
    """The socket was bound in the mode that was asked for."""
    assert report["zerocopy"] == (mode == "zc"), report


@MODES
def test_receive(vm, mode):
    """Frames of all sizes come in, at the full speed of the sender."""
    xsk = Xsk(vm, "rx", mode, "--count", FRAMES)
    wire = vm.wire("--seconds", 1200, "--size", SIZES)
    report = xsk.wait()
    wire.stop()
    expect_mode(report, mode)
    assert report["received"] >= FRAMES, report
    assert report["corrupt"] == 0 and report["duplicate"] == 0 and report["foreign"] == 0, report


@MODES
def test_transmit(vm, mode):
    """Frames go out, each once and in order; every one is completed."""
    wire = vm.wire("--echo-every", 64, "--count", FRAMES, "--expect", "all", "--quiet-ms", 0)
    wire.wait_ready()
    # The emulator drops what it cannot pass on in time, hence the window.
    xsk = Xsk(vm, "tx", mode, "--count", FRAMES, "--size", 1000, "--dst", PARTNER_MAC, "--window", 1024)
    report = xsk.wait()
    result = wire.stop()
    expect_mode(report, mode)
    assert report["completed"] == FRAMES, report
    assert wire.ok and result["received"] == FRAMES, result


@MODES
def test_forward(vm, mode):
    """Frames of all sizes come back, each once, in order."""
    xsk = Xsk(vm, "l2fwd", mode, "--count", FRAMES)
    wire = vm.wire("--send", FRAMES, "--size", SIZES, "--expect", "all", "--window", 256, "--timeout-ms", 60000)
    report = xsk.wait()
    result = wire.wait()
    expect_mode(report, mode)
    assert wire.ok and result["received"] == FRAMES, result
    assert report["completed"] == FRAMES, report
