# SPDX-License-Identifier: BSD-3-Clause
"""What a socket may ask for that cannot be: one small test for each fault that such requests have found.

tests/storm/test_hostile.py does all of it at once and at random.
"""

import pytest

from lib import pcap, stamp
from lib.machine import PARTNER_MAC
from lib.scale import KERNEL, frames, is_debug, patience
from lib.xsk import Xsk

MODES = pytest.mark.parametrize("mode", ["skb", "native", "zc"])
ETH_HEADER = 14
MTU = 1500
RATE = 100 if is_debug(KERNEL) else 1000


@MODES
def test_lengths_that_are_no_frame_do_not_leave(module_vm, mode):
    """Copying or not, AF_XDP keeps to no MTU: a frame that fits no transmit FIFO would block it for ever,
    one without a whole header is none. They are completed and counted, and the others are sent intact."""
    vm = module_vm
    before = transmit_refusals(vm)
    dump = vm.dir / f"lengths-{mode}.pcap"
    wire = vm.wire("--receive-only", "--quiet-ms", 0, "--dump-bad", dump)
    wire.wait_ready()
    report = Xsk(vm, "lengths", mode, "--dst", PARTNER_MAC).wait()
    assert report["rounds"] == report["completed"] == 2048, report
    settle(vm)
    wire.stop()
    came = [frame for frame in pcap.read(dump) if frame[12:14] == b"\x88\xb5" or len(frame) < 60]
    lengths = sorted(map(len, came))
    assert lengths[0] == ETH_HEADER and lengths[-1] >= ETH_HEADER + MTU + 4, (lengths[0], lengths[-1])
    assert lengths == list(range(ETH_HEADER, lengths[-1] + 1))
    assert all(stamp.good(frame) for frame in came)
    assert lengths[-1] < 2048, "the FIFO has 2 KB, FCS included"
    assert transmit_refusals(vm) - before == 2048 - len(came)


@pytest.mark.parametrize("chunks", [["--unaligned"], []], ids=["unaligned", "aligned"])
def test_the_same_frames_in_the_fill_ring_over_and_over(module_vm, chunks):
    """More entries than the UMEM has frames: what cannot be had is not tried for ever.

    What is in the frames is not looked at: their buffers are claimed to be free while they wait.
    """
    count = frames(2000)
    xsk = Xsk(module_vm, "fill-again", "zc", "--frames", 32, "--count", count, "--no-verify", *chunks)
    wire = module_vm.wire("--send", count, "--rate", RATE, "--size", "60-1514")
    assert xsk.wait()["received"] == count
    wire.wait()


def test_a_fill_ring_of_misaligned_addresses(module_vm):
    """Millions of entries that the hardware cannot take do not keep a processor from all else."""
    xsk = Xsk(module_vm, "fill-misaligned", "zc", "--unaligned", "--rounds", 64, "--count", 100,
              "--no-verify")
    wire = module_vm.wire("--seconds", 600, "--rate", RATE, "--size", "60-1514")
    report = xsk.wait()
    wire.stop()
    assert report["resume_ns"] < 1e9 * patience(), report


@pytest.mark.parametrize("mode, other", [("zc", []), ("zc", ["--other-queue", 2]), ("native", ["--other-queue", 2])],
                         ids=["zc-same queue", "zc-other queue", "native-other queue"])
def test_sharing_a_umem_with_one_that_sends_garbage(module_vm, mode, other):
    """Descriptors of one socket, pieces of frames without end among them, cost the other no frame.

    Not asked of copying sockets on one queue. There the kernel reserves places in the completion ring
    that they share when it takes a piece, and completes them in order: those that wait for the rest
    of a frame that never ends hold back the other's (xsk_cq_reserve_addr_locked() and
    xsk_cq_submit_locked() in net/xdp/xsk.c; the same on every driver).
    """
    count = frames(4000)
    wire = module_vm.wire("--receive-only", "--count", count, "--expect", "echo", "--quiet-ms", 0)
    wire.wait_ready()
    report = Xsk(module_vm, "shared-garbage", mode, "--queue", 1, "--count", count, "--rate", 4000,
                 "--dst", PARTNER_MAC, *other).wait()
    settle(module_vm)
    wire.stop()
    assert wire.ok, wire.log()
    assert report["completed"] == count, report


def transmit_refusals(vm):
    """Frames that the driver counts as not to be sent."""
    return int(vm.check("ethtool -S eth0 | awk '/tx[0-9]+_(dropped|xsk_invalid):/ { n += $2 } END { print n }'"))


def settle(vm):
    """What was sent before this has reached the partner after it."""
    vm.check("ping -c 3 -W 20 10.0.0.1")
