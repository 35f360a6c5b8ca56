# SPDX-License-Identifier: BSD-3-Clause
"""A hostile process with an AF_XDP socket, beside others that are none of its business.

It writes garbage into all that user space can write (`xsk-test hostile`: descriptors and indices of
the four rings, flags, the UMEM while it is sent), in every mode, on every queue, with and without
need_wakeup, aligned chunks or not, is closed with all of it under way, or killed. Meanwhile a socket on
another queue sends numbered frames, and the Linux stack answers pings and UDP: each of them intact and
once (but for what was under way while a buffer pool was attached or detached). On the wire nothing may be seen that does not come from the hostile process' own UMEM. Afterwards
a good program has the queue.

One thing cannot be asked for. In zero-copy the frames of a queue lie in the UMEM of its socket, whoever
they are for: who has the queue can change what the stack gets from it. There the stack must only
live on, and be whole afterwards.

And two are left out, both faults of Linux itself (net/xdp/xsk_buff_pool.c), on any driver:
- indices of the fill ring that claim millions of entries, all of them invalid: __xp_alloc() goes through
  all of them, in one go;
- on a kernel with DMA_API_DEBUG, receive buffers of unaligned chunks that lie across two pages: xp_alloc() syncs them
  as one, but the UMEM is mapped page by page, and the kernel reports it. (Where the DMA is bounced, the second
  page is then not synced.)
"""

import signal
import time

import pytest

import healthy
from lib import pcap
from lib.machine import GUEST_IP, PARTNER_MAC, Vm
from lib.scale import KERNEL, is_debug
from lib.xsk import Xsk

SEED_RANGE = 1 << 32
WATCHED = 77
FRAMES, FRAME_SIZE = 64, 2048
# Frames a second of the good socket.
RATE = 300 if is_debug(KERNEL) else 2000
ROUND_SECONDS = 4
# A copying socket puts frames together of pieces (XDP_PKT_CONTD): the head of an skb and its fragments.
PIECES = 18
UDP_PORT = 7


def mix(word):
    """frame_mix() of tests/wire/frame.h."""
    mask = (1 << 64) - 1
    for _ in range(2):
        word ^= word >> 32
        word = word * 0xD6E8FEB86659FD93 & mask
    return word ^ word >> 32


@pytest.fixture(scope="module", name="umem")
def fixture_umem():
    """The hostile process' UMEM as it marks it."""
    return b"".join(mix(i + 1).to_bytes(8, "little") for i in range(FRAMES * FRAME_SIZE // 8))


@pytest.fixture(name="vm")
def fixture_vm():
    """A board, with a program that answers UDP through the stack."""
    with Vm() as vm:
        healthy.prepare(vm)
        echo = vm.start_command(f"exec xsk-test udp-echo --port {UDP_PORT}")
        echo.expect("^ready$", 60)
        yield vm
        echo.kill(signal.SIGTERM)
        assert echo.wait(60) == 0, echo.output


def receiving_queues(vm):
    """The queues that the partner's frames come in by."""
    before = healthy.counters(vm)
    healthy.ping(vm, 5)
    after = healthy.counters(vm)
    return [queue for queue in healthy.queues(vm)
            if after.get(f"rx{queue}_packets", 1) > before.get(f"rx{queue}_packets", 0)]


def pieces(frame, umem, most):
    """Of how many pieces of the UMEM a frame is made, or more than `most`."""
    count = 0
    while frame and count <= most:
        some, all_of_it = 0, len(frame) + 1
        while all_of_it - some > 1:     # the longest beginning that is there
            middle = (some + all_of_it) // 2
            some, all_of_it = (middle, all_of_it) if frame[:middle] in umem else (some, middle)
        frame = frame[some:]
        count += 1
    return count


class Round:
    """One hostile process, and those beside it."""

    def __init__(self, vm, storm, receiving):
        choose = storm.random.choice
        self.vm = vm
        self.mode = choose(["zc", "zc", "native", "skb"])
        self.queue, self.good_queue = storm.random.sample(healthy.queues(vm), 2)
        self.scribble = choose([True, False])
        self.kill = choose([True, False])
        self.receives = self.queue in receiving
        self.arguments = ["--queue", self.queue, "--seed", storm.random.randrange(SEED_RANGE),
                          "--frames", FRAMES, "--seconds", 0]
        for option in ("--no-need-wakeup", "--unaligned"):
            self.arguments += choose([[], [option]])
        self.arguments += ["--scribble"] if self.scribble else []
        self.arguments += ["--whole-pages"] if vm.debug else []
        self.good_mode = choose(["zc", "native"])
        self.dump = vm.dir / "hostile.pcap"

    @property
    def owns_receiving(self):
        """Whether the stack's frames pass through the hostile process' memory."""
        return self.mode == "zc" and self.receives

    @property
    def changes_pools(self):
        """Whether buffer pools come and go: a MAC that stops for that as a whole loses what is under way."""
        return "zc" in (self.mode, self.good_mode)

    def run(self, storm):
        """All of it; the checks are made at its end."""
        expect = "none" if self.owns_receiving else "echo"
        wire = self.vm.wire(
            "--to", GUEST_IP, "--seconds", 3600, "--size", "60-1514", "--rate", 2000, "--window", 8,
            *(("--timeout-ms", 500) if self.changes_pools else healthy.PATIENT), "--quiet-ms", 1000,
            "--mix", f"1:ping/{expect},1:udp={UDP_PORT}/{expect},2:udp/none",
            "--watch", WATCHED, "--mac-check", "reply", "--dump-bad", self.dump)
        wire.wait_ready()
        good = Xsk(self.vm, "tx", self.good_mode, "--queue", self.good_queue, "--no-program", "--count", 0,
                   "--rate", RATE, "--size", 200, "--stream", WATCHED, "--dst", PARTNER_MAC)
        hostile = Xsk(self.vm, "hostile", self.mode, *self.arguments)
        time.sleep(min(ROUND_SECONDS, storm.left()))
        code = hostile.stop(signal.SIGKILL if self.kill else signal.SIGTERM)
        assert code == (128 + signal.SIGKILL if self.kill else 0), hostile.command.output
        code = good.stop()
        assert code == 0, good.command.output
        # The last of it is on its way to the partner.
        self.vm.check("ping -c 2 -W 60 10.0.0.1 || ping -c 2 -W 60 10.0.0.1")
        report = wire.stop()
        self.check_good(good.report(), wire, report)
        return report

    def check_good(self, good, wire, report):
        """Each frame of those beside it came, once and intact."""
        watched = report["watched"]
        assert good["sent"] == good["completed"] == watched["received"] > 0, (good, watched)
        assert watched["lost"] == watched["duplicate"] == watched["reordered"] == 0, watched
        if self.owns_receiving:
            return
        assert report["corrupt"] == 0, wire.log()
        for stream in report["streams"][:2]:
            assert stream["duplicate"] == 0 and stream["received"] * 2 > stream["sent"], stream
        assert self.changes_pools or wire.ok, wire.log()

    def check_wire(self, umem):
        """What else was on the wire came out of the hostile process' UMEM."""
        count = 0
        for frame in pcap.read(self.dump):
            assert len(frame) >= 14, frame
            if frame[6:12] == bytes.fromhex(self.vm.mac.replace(":", "")):
                continue    # an announcement of the stack's
            count += 1
            # What was received, or scribbled, lies in the UMEM too.
            if not self.scribble and not self.receives:
                most = 1 if self.mode == "zc" else PIECES
                assert pieces(frame, umem, most) <= most, f"{len(frame)} bytes that were not in the UMEM: {frame.hex()}"
        return count


@pytest.mark.storm(seconds=40)
def test_hostile(vm, umem, storm):
    """Round after round, each another hostile process."""
    receiving = receiving_queues(vm)
    seen = len(vm.dmesg())
    while True:
        this = Round(vm, storm, receiving)
        report = this.run(storm)
        storm.count(rounds=1, killed=int(this.kill), frames_of_others=report["watched"]["received"],
                    echoes=sum(stream["received"] for stream in report["streams"][:2]),
                    **{f"in_{this.mode}": 1, "hostile_frames": this.check_wire(umem)})
        healthy.check(vm, seen)
        if storm.over():
            break
