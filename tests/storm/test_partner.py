# SPDX-License-Identifier: BSD-3-Clause
"""Bad frames, and a bad partner, in every mode of the driver.

Bad frames: runts, oversize, tags up to the limits, garbage, malformed headers, fragments, pause frames,
groups, sent to a consumer that checks the length and the content of all that it is handed: on the stack
(a packet socket), behind an XDP program, on AF_XDP copying and in zero-copy. Every frame is either handed
on as it was sent or counted as an error, and none is both.

A bad partner: one that stops reading, vanishes and returns, floods without pause, sends only pause frames,
or whose cable is pulled, each while the board forwards; after each all frames come back again.

Not here, since the emulated MAC cannot make them (imx_enet_receive() in hw/net/imx_fec.c of QEMU 10.0):
frames with a bad CRC, of a fraction of an octet, or with a FIFO overrun. It computes the CRC itself
over whatever it is given, and sets of the error bits only LG and TR; when its ring is full it holds the
sender back, so nothing is ever lost in a FIFO. Nor does it obey pause frames, filter addresses, or drop frames
of less than 60 bytes. Frames over the truncation length (FTRL) come truncated, over RCR[MAX_FL] marked.
"""

import signal
import time

import pytest

import bad_frames
import healthy
from lib.machine import GUEST_IP, Vm
from lib.scale import KERNEL, frames, is_debug
from lib.xsk import Xsk

# What the sockets' rings hold, whether or not their owner gets any time.
FRAMES = 400 if is_debug(KERNEL) else 1500
# Our MACs take frames of the MTU with two VLAN tags.
LONGEST = bad_frames.LONGEST_PLAIN + 8
MODES = ["stack", "xdp", "native", "zc"]
# Those in which an AF_XDP socket is the consumer.
SOCKETS = ["native", "zc"]
UDP_PORT = 7


@pytest.fixture(scope="module", name="vm")
def fixture_vm():
    """One board: it takes long to look for what it has lost."""
    with Vm() as vm:
        healthy.prepare(vm)
        yield vm


class Consumer:
    """Takes all frames in one of the modes and checks them, for the length of a block."""

    def __init__(self, vm, mode):
        self.vm = vm
        self.program = None
        if mode == "xdp":
            # In batches of a second; it ends when it is told to.
            self.program = vm.start_command("exec xdp-bench pass eth0 -m native -i 3600 > /dev/null")
            vm.check("n=0; until ip link show eth0 | grep -q xdp; do n=$((n + 1)); [ $n -lt 600 ] || exit 1; "
                     "sleep 0.1; done")
        if mode in ("stack", "xdp"):
            self.command = Xsk(vm, "packet-sink", "zc", "--count", 0)
        else:
            self.command = Xsk(vm, "sink", mode, "--take", "all", "--count", 0)

    def end(self):
        """Its report."""
        code = self.command.stop()
        if self.program:
            self.program.kill(signal.SIGINT)
            self.program.wait(120)
        assert code == 0, self.command.command.output
        return self.command.report()


def handled(vm):
    """How many frames the driver has taken from the hardware, good and bad, and lost itself.

    The interface's rx_dropped would also hold what the stack had no use for.
    """
    now = healthy.link_counters(vm)
    lost = sum(number for name, number in healthy.counters(vm).items()
               if name.startswith("rx") and name.endswith(("_dropped", "_xsk_full", "_xdp_error")))
    return now["rx_packets"], now["rx_errors"], lost


def settled(vm, before, count):
    """The counters once all of the frames have been handled."""
    deadline = time.monotonic() + 120
    while True:
        now = [a - b for a, b in zip(handled(vm), before)]
        if sum(now[:2]) >= count:
            return now
        assert time.monotonic() < deadline, f"{now} of {count} frames in 120 s"
        time.sleep(0.2)


def inject(vm, bad):
    """Sends them."""
    with bad_frames.Injector(vm) as injector:
        for frame in bad:
            injector.send(frame.data)


@pytest.mark.storm(seconds=25)
def test_bad_frames(vm, storm):
    """Rounds of some hundred frames of all kinds, each to another consumer."""
    maker = bad_frames.Maker(storm.random, vm.mac)
    seen = len(vm.dmesg())
    turn = 0
    while True:
        mode = MODES[turn % len(MODES)]
        turn += 1
        # The partner is silent, so that all that comes is from here.
        consumer = Consumer(vm, mode)
        before = handled(vm)
        bad = [maker.make() for _ in range(FRAMES)]
        inject(vm, bad)
        packets, errors, lost = settled(vm, before, len(bad))
        report = consumer.end()
        good = [frame for frame in bad if bad_frames.stamp.MIN <= len(frame.data) <= LONGEST]
        seen_by = [frame for frame in good if mode in SOCKETS or not frame.tag_cut_short]
        stamped = sum(frame.stamped for frame in seen_by)
        assert report["corrupt"] == 0, consumer.command.command.output
        assert (packets, errors, lost) == (len(good), len(bad) - len(good), 0), (mode, report)
        assert (report["good"], report["foreign"]) == (stamped, len(seen_by) - stamped), (mode, report)
        assert report["shortest"] >= bad_frames.stamp.MIN and report["longest"] <= LONGEST, (mode, report)
        storm.count(rounds=1, frames=len(bad), handed_on_intact=report["received"], refused=errors,
                    **{f"on_{mode}": 1})
        if storm.over() and turn >= len(MODES):
            break
    healthy.check(vm, seen)


class Forwarder:
    """Sends frames back in one of the modes, and says how to ask it to."""

    def __init__(self, vm, mode):
        self.vm = vm
        self.mode = mode
        if mode == "stack":
            self.command = vm.start_command(f"exec xsk-test udp-echo --port {UDP_PORT}")
            self.command.expect("^ready$", 60)
            self.ask = ["--to", GUEST_IP, "--port", UDP_PORT]
        elif mode == "xdp":
            self.command = vm.start_command("exec xdp-bench tx eth0 -m native -i 3600 > /dev/null")
            self.ask = []
            vm.wait_forwarding()
        else:
            self.command = Xsk(vm, "hold", mode).command
            self.ask = []

    def end(self):
        """Stops it."""
        self.command.kill(signal.SIGINT if self.mode == "xdp" else signal.SIGTERM)
        code = self.command.wait(120)
        assert self.mode == "xdp" or code == 0, self.command.output


class Partner:
    """The ways to be a bad one."""

    def __init__(self, vm, storm, forwarder):
        self.vm = vm
        self.random = storm.random
        self.ask = forwarder.ask
        self.maker = bad_frames.Maker(storm.random, vm.mac)
        self.stream = 1

    def wire(self, *arguments):
        """Frames of a stream of their own, to be sent back."""
        self.stream += 1
        wire = self.vm.wire(*self.ask, "--size", healthy.SIZES, "--stream", self.stream * 16, *arguments)
        wire.wait_ready()
        return wire

    def stop_reading(self):
        """It does not look at what comes for seconds, then reads on: nothing is lost."""
        wire = self.wire("--seconds", 3600, "--window", 256, "--expect", "echo", *healthy.PATIENT)
        for _ in range(2):
            time.sleep(self.random.uniform(0.1, 0.5))
            wire.process.send_signal(signal.SIGSTOP)
            time.sleep(self.random.uniform(0.5, 2))
            wire.process.send_signal(signal.SIGCONT)
        wire.stop()
        assert wire.ok, wire.log()

    def vanish(self):
        """It is gone in the middle of everything, twice."""
        for _ in range(2):
            wire = self.wire("--seconds", 3600, "--window", 256, "--timeout-ms", 200)
            time.sleep(self.random.uniform(0.1, 1))
            wire.process.kill()
            wire.process.wait()

    def flood(self):
        """It sends whenever there is a gap."""
        wire = self.wire("--seconds", 2)
        report = wire.wait()
        assert report["corrupt"] == report["duplicate"] == 0, report

    def pause(self):
        """Nothing but pause frames, with every number of quanta."""
        inject(self.vm, [self.maker.make("pause") for _ in range(frames(10000))])

    def broadcast(self):
        """A storm of frames to groups and to all, of any length and type."""
        inject(self.vm, [self.maker.make("group") for _ in range(frames(6000))])

    def rubbish(self):
        """Bad frames among the good ones, of which none is lost."""
        wire = self.wire("--seconds", 3600, "--window", 32, "--expect", "echo", *healthy.PATIENT)
        inject(self.vm, [self.maker.make() for _ in range(frames(6000))])
        wire.stop()
        assert wire.ok, wire.log()

    def pull_the_cable(self):
        """The link goes down and up under load."""
        wire = self.wire("--seconds", 3600, "--window", 64, "--timeout-ms", 500)
        for _ in range(2):
            self.vm.set_link(False)
            time.sleep(self.random.uniform(0, 0.5))
            self.vm.set_link(True)
        wire.stop()

    ACTS = [stop_reading, vanish, flood, pause, broadcast, rubbish, pull_the_cable]


def check_forwarding(vm, forwarder, stream):
    """All frames come back."""
    # What is under way from before must not pass for these.
    vm.wire(*forwarder.ask, "--send", 3, "--window", 1, "--stream", stream, "--quiet-ms", 1000).wait()
    wire = vm.wire(*forwarder.ask, "--send", frames(2000), "--window", 32, "--size", healthy.SIZES,
                   "--stream", stream + 1, "--expect", "echo", *healthy.PATIENT)
    wire.wait()
    assert wire.ok, wire.log()


@pytest.mark.storm(seconds=35)
def test_bad_partner(vm, storm):
    """Acts in random order, in one mode after the other."""
    seen = len(vm.dmesg())
    acts = []
    turn = 0
    while not storm.over():
        mode = MODES[turn % len(MODES)]
        turn += 1
        forwarder = Forwarder(vm, mode)
        partner = Partner(vm, storm, forwarder)
        for _ in range(2):
            if not acts:
                acts = storm.random.sample(Partner.ACTS, len(Partner.ACTS))
            act = acts.pop()
            storm.count(**{act.__name__: 1})
            act(partner)
            check_forwarding(vm, forwarder, 40000 + 16 * turn)
        forwarder.end()
        storm.count(**{f"on_{mode}": 1})
    healthy.check(vm, seen)
