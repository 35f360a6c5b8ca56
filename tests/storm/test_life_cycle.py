# SPDX-License-Identifier: BSD-3-Clause
"""The life-cycle storm: everything that can come, go or change on a port does so at once, under traffic.

The actors are tests/storm/tool's. From outside come: frames both ways, the cable pulled and plugged, real
applications started and killed. During a storm frames may be lost, never damaged or doubled; after it
everything works as if nothing had been.

A round that failed is run alone, over and over, with what its failure says:

    STORM_ROUND=SEED:ACTOR,ACTOR,... pytest tests/storm/test_life_cycle.py -k big_storm
"""

import contextlib
import os
import re
import signal
import threading

import pytest

from lib import klog, life, scale
from lib.channel import ChannelError
from lib.machine import GUEST_IP, Vm
from lib.wire import WireError
from lib.xsk import Xsk

IFACE = "eth0"
SIZES = "60-1514"
FORWARDED = 2000
# Frames a second: what leaves the guest time for all the rest.
RATE = 400 if scale.is_debug() else 5000
PATIENT = ["--timeout-ms", 60000]
# A call that takes longer hangs. Everybody waits for the same lock, and the host may be busy elsewhere.
STUCK_MS = 60000 * scale.patience()
# What drivers of ours say when something did not go as it must.
COMPLAINTS = re.compile(r"does not start|taking the interface down|resetting the MAC|no memory for the rings")
APPLICATIONS = [
    "ti-testpmd -l 0,1 --no-pci --no-telemetry --file-prefix=storm --vdev net_af_xdp_ti0,iface={iface},mode=zc"
    " -- --auto-start --stats-period 1 --total-num-mbufs=4096 --forward-mode=macswap",
    "xsk-test hold --iface {iface} --mode zc",
    "xsk-test hold --iface {iface} --mode native --split",
    "xsk-test attach-loop --iface {iface} --mode zc --rounds 1000000",
]
# Exit codes that an application may have: 0 done, 1 and 2 it could not go on, 137 killed by us.
DECENT = {0, 1, 2, 128 + signal.SIGKILL}
FAILURES = (AssertionError, ChannelError, WireError, OSError, RuntimeError)


@pytest.fixture(scope="module", name="board")
def fixture_board():
    """One board for all storms."""
    with Vm(hugepages=64) as vm:
        yield vm


@pytest.fixture(name="vm")
def fixture_vm(board):
    """The board, plugged in."""
    yield board
    board.plug(True)


# --- what happens from outside -------------------------------------------------------------------

class Outside(threading.Thread):
    """Pulls the cable and plugs it, starts applications and kills them, until told to stop."""

    def __init__(self, vm, choices):
        super().__init__(daemon=True)
        self.vm = vm
        self.random = choices
        self.over = threading.Event()
        self.flaps = 0
        self.kills = 0
        self.problem = None

    def run(self):
        try:
            while not self.over.is_set():
                self.random.choice([self.flap, self.application, self.application])()
        except FAILURES as error:
            self.problem = error

    def flap(self):
        """The cable is out for a moment, and in for some time."""
        self.vm.plug(False)
        self.over.wait(self.random.uniform(0.05, 1.5))
        self.vm.plug(True)
        self.flaps += 1
        self.over.wait(self.random.uniform(1, 4))

    def application(self):
        """An application comes, and is killed at any moment of its life."""
        command = self.vm.start_command("exec " + self.random.choice(APPLICATIONS).format(iface=IFACE))
        self.over.wait(self.random.uniform(0.1, 3.0 * scale.patience()))
        command.kill(signal.SIGKILL)
        rc = command.wait(120 * scale.patience())
        assert rc in DECENT, f"exit code {rc}: {command.script}\n{command.output[-2000:]}"
        self.kills += 1

    def end(self):
        """No more of it."""
        self.over.set()
        self.join()
        self.vm.plug(True)
        if self.problem:
            raise self.problem


@contextlib.contextmanager
def traffic(vm):
    """Frames to the port for the length of a block, pings to its stack among them."""
    wire = vm.wire("--rate", RATE, "--size", SIZES, "--seconds", 1_000_000, "--to", GUEST_IP, "--mac-check", "any",
                   "--mix", "9:udp/none,1:ping/none", "--quiet-ms", 500)
    try:
        wire.wait_ready()
        yield
    finally:
        report = wire.stop()
    assert not report["corrupt"] and not report["duplicate"], f"{report}\n{wire.log()}"


# --- after a storm -------------------------------------------------------------------------------

class Before:
    """How things were before, for comparison."""

    def __init__(self, vm):
        self.log = len(vm.dmesg())
        self.link = settings(vm)


def settings(vm):
    """What a storm must have put back."""
    link = vm.check(f"ip link show {IFACE}")
    flags = re.sub(r"^\d+: |,?(NO-CARRIER|LOWER_UP)|qdisc \S+ |state \S+", "", link)
    return flags, vm.check(f"ethtool -g {IFACE}; ethtool -k {IFACE}; ethtool -c {IFACE}; ethtool -a {IFACE}")


def check_alive(vm, before, frames=FORWARDED):
    """Frames are forwarded in zero-copy, the stack answers, nothing is held or complained of."""
    # Applications that were killed leave their queues, and the link comes, a moment later.
    vm.check(f'n=0; until [ "$(cat /sys/class/net/{IFACE}/carrier)" = 1 ] && ! ip link show {IFACE} | grep -q xdp; '
             "do n=$((n + 1)); [ $n -lt 600 ] || exit 1; sleep 0.1; done", 300 * scale.patience())
    xsk = Xsk(vm, "l2fwd", "zc", "--count", frames)
    wire = vm.wire("--send", frames, "--size", SIZES, "--window", 64, "--stream", 7, *PATIENT, "--expect", "echo")
    report = wire.wait()
    assert wire.ok and report["received"] == frames, wire.log()
    assert xsk.wait()["zerocopy"]
    # A socket that was closed leaves its queue a moment later, with what was under way there.
    vm.wire("--ping", 5, "--to", GUEST_IP, "--timeout-ms", 1000).wait()
    wire = vm.wire("--ping", 20, "--to", GUEST_IP, *PATIENT, "--expect", "echo")
    wire.wait()
    assert wire.ok, wire.log()
    vm.check("xsk-test page-pools --timeout-ms 20000", 300)
    assert not vm.check("ss -H --xdp").strip(), "AF_XDP sockets are left"
    assert settings(vm) == before.link
    check_log(vm, before)


def check_log(vm, before):
    """The kernel's log, as far as it is new."""
    log = vm.dmesg()
    new = log[before.log:]
    found = klog.faults(new, vm.allowed_log) + [line for line in new.splitlines() if COMPLAINTS.search(line)]
    before.log = len(log)
    assert not found, "\n".join(found[:40])


def run_actors(vm, actors, seed, seconds):
    """The actors in the guest; their report."""
    command = vm.start_command(f"exec storm --iface {IFACE} --actors {','.join(actors)} --seed {seed} "
                               f"--seconds {seconds:g} --stuck-ms {STUCK_MS} --no-zero-sums")
    try:
        rc = command.wait(seconds + 3 * STUCK_MS / 1000)
    except ChannelError:
        command.kill(signal.SIGTERM)
        raise
    assert rc == 0, f"exit code {rc}: {command.script}\n{command.output[-6000:]}"
    return life.report(command.output)


# --- the storms ----------------------------------------------------------------------------------

@pytest.mark.storm(seconds=48)
def test_each_family_of_actors_alone(vm, storm):
    """One kind of change at a time, against traffic: a fault that shows here has few suspects."""
    families = life.families()
    before = Before(vm)
    seconds = storm.seconds / len(families) if storm.seconds < 1e9 else 30
    while True:
        for family, actors in families.items():
            with traffic(vm):
                result = run_actors(vm, actors, storm.random.getrandbits(32), seconds)
            # On a slow kernel the time may be over before somebody's turn comes.
            assert vm.debug or not life.idle(result), f"{family}: {life.idle(result)} did nothing: {result}"
            storm.count(families=1, **life.account(result))
            check_log(vm, before)
        check_alive(vm, before)
        if storm.over():
            break


def one_round(vm, storm, before, seed, actors, seconds):
    """A round, and what must hold after it."""
    outside = Outside(vm, type(storm.random)(seed))
    try:
        with traffic(vm):
            outside.start()
            try:
                result = run_actors(vm, actors, seed, seconds)
            finally:
                outside.end()
        check_alive(vm, before)
    except FAILURES as error:
        # The log tells most; what it holds is lost with the board otherwise.
        raise AssertionError(f"round STORM_ROUND={seed}:{','.join(actors)}: {error}") from error
    storm.count(rounds=1, flaps=outside.flaps, killed=outside.kills, **life.account(result))


def choose(choices, families):
    """Actors of a round. Those that take the port away are rare, or nothing else would ever come to work."""
    chosen = []
    for family, actors in families.items():
        if family in ("interface", "driver"):
            number = choices.random() < 0.3
        else:
            number = choices.randint(1 if family == "sockets" else 0, min(3, len(actors)))
        chosen += choices.sample(actors, number)
    return sorted(chosen)


@pytest.mark.storm(seconds=60)
def test_the_big_storm(vm, storm):
    """All at once: random sets of actors, a round each, with applications and the cable between them."""
    families = life.families()
    alone = os.environ.get("STORM_ROUND")
    before = Before(vm)
    while not storm.over():
        seed = storm.random.getrandbits(32)
        actors = choose(storm.random, families)
        seconds = min(storm.random.uniform(5, 20), max(5.0, storm.left()))
        if alone:
            seed, actors, seconds = int(alone.split(":")[0]), alone.split(":")[1].split(","), 20
        one_round(vm, storm, before, seed, actors, seconds)
