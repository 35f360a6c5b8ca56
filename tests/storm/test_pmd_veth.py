# SPDX-License-Identifier: BSD-3-Clause
"""Storms on the PMD, natively on veth: netdevs vanish, calls fail, pools run dry, programs are killed.

What a user sees is tried with the stock dpdk-testpmd and the plugin; what only a caller of the API can
provoke, by the program pmd-storm, with sanitizers where there is a build with them.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "veth"))

from pmdbench import BUILD, TIMEOUT, TOP, Pair, Testpmd, run  # noqa: E402 # pylint: disable=wrong-import-position

ASAN = TOP / "build/asan"
QUIET = ["--no-huge", "-m", "128", "--no-pci", "--no-telemetry", "--no-shconf"]
# Calls that fail, each in turn, take as long as there are calls.
PATIENCE = 300
GONE = "is gone (removed, or moved to another network namespace)"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces and AF_XDP need root")


@pytest.fixture(name="make_pair")
def fixture_make_pair():
    """Makes veth pairs, which are removed when the test ends."""
    pairs = []

    def make(**options):
        pairs.append(Pair(**options))
        return pairs[-1]

    yield make
    for pair in pairs:
        pair.remove()


def add_netdev(pair, number, address=None):
    """A further veth pair between the same namespaces: dutN and farN."""
    dut, far = f"dut{number}", f"far{number}"
    run("ip", "-n", pair.dut_ns, "link", "add", dut, *(["address", address] if address else []),
        "numrxqueues", 1, "numtxqueues", 1, "type", "veth",
        "peer", "name", far, "numrxqueues", 1, "numtxqueues", 1, "netns", pair.far_ns)
    for namespace, name in ((pair.dut_ns, dut), (pair.far_ns, far)):
        run("ip", "-n", namespace, "link", "set", name, "addrgenmode", "none", "up")
    return dut, far


def pmd_storm(pair, storm, name, *options):
    """The command line of one of the program's storms, in the namespace of the PMD's end."""
    tree = ASAN if (ASAN / "tests/storm/pmd/pmd-storm").exists() else BUILD
    seconds = 1e9 if storm.seconds == float("inf") else storm.seconds
    # EAL and libbpf have memory of their own at the end; the storm itself looks for what is lost.
    return ["ip", "netns", "exec", pair.dut_ns, "env", "ASAN_OPTIONS=leak_check_at_exit=0",
            tree / "tests/storm/pmd/pmd-storm", "-l", "0", *QUIET, "--", name, "--seed", storm.seed,
            "--seconds", seconds, *options]


def finish(storm, process, timeout):
    """Waits for a storm of the program and keeps its account."""
    output, complaints = process.communicate(timeout=timeout)
    assert process.returncode == 0, complaints + output
    for line in re.findall(r"^\w[\w ]*: (.*)$", output, re.MULTILINE):
        numbers = {name.strip().replace(" ", "_"): int(value)
                   for name, value in re.findall(r"([a-z ]+) (\d+)", line)}
        storm.count(**numbers)


def start(command):
    """Starts a program whose output is wanted."""
    return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def sender(pair, rate="20k"):
    """A partner that sends until it is killed."""
    return subprocess.Popen(
        pair.far(BUILD / "tests/wire/wire", "--iface", pair.FAR, "--dst", pair.mac(), "--seconds", 1000000,
                 "--stream", 9, "--rate", rate),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# --- what only the API provokes ---------------------------------------------------------------------

@pytest.mark.storm(seconds=1)
def test_every_call_fails_once(storm, make_pair):
    """Each call of the PMD and of libbpf, while a port is opened and closed: nothing left behind, one line.

    The queue counts are raised for the port, so that there is all to be put back that there can be.
    """
    pair = make_pair(queues=2)
    for namespace, name in ((pair.dut_ns, pair.DUT), (pair.far_ns, pair.FAR)):
        run("ip", "netns", "exec", namespace, "ethtool", "-L", name, "rx", 1, "tx", 1)
    before = pair.settings()
    finish(storm, start(pmd_storm(pair, storm, "calls", "--iface", pair.DUT, "--queues", 2)), PATIENCE)
    assert pair.settings() == before


@pytest.mark.storm(seconds=1)
def test_file_descriptors_run_out(storm, make_pair):
    """Every number of free ones, until the port starts; and none when it is closed."""
    pair = make_pair(queues=2)
    before = pair.settings()
    finish(storm, start(pmd_storm(pair, storm, "fds", "--iface", pair.DUT, "--queues", 2)), PATIENCE)
    assert pair.settings() == before


@pytest.mark.storm(seconds=4)
def test_mbufs_of_every_form_and_dry_pools(storm, make_pair):
    """Good mbufs and bad ones; pools held back until nothing is left, and let go again."""
    pair = make_pair(queues=2)
    before = pair.settings()
    partner = sender(pair)
    try:
        finish(storm, start(pmd_storm(pair, storm, "mbufs", "--iface", pair.DUT, "--queues", 2)),
               storm.left() + PATIENCE)
    finally:
        assert partner.poll() is None, "the partner did not send to the end"
        partner.kill()
        partner.wait(TIMEOUT)
    assert pair.settings() == before


@pytest.mark.storm(seconds=6)
def test_ports_come_and_go_beside_one_that_forwards(storm, make_pair):
    """Threads plug ports in and out, start and stop them; another port loses nothing, nothing grows."""
    pair = make_pair()
    for number in (1, 2, 3):
        add_netdev(pair, number)
    before = pair.settings()
    churn = start(pmd_storm(pair, storm, "churn", *(word for name in ("dut0", "dut1", "dut2", "dut3")
                                                    for word in ("--iface", name))))
    assert churn.stdout.readline() == "ready\n", churn.stderr.read()
    while storm.left() > 2 and churn.poll() is None:
        # Few at a time: two cores for all threads.
        pair.echoed("--send", 500, "--window", 8, "--timeout-ms", 20000)
        storm.count(echoed=500)
    finish(storm, churn, storm.left() + PATIENCE)
    assert pair.settings() == before


# --- what happens to the netdev -----------------------------------------------------------------------

class Victim:
    """The second netdev of a testpmd that forwards on two, and what is done to it."""

    MAC = "02:00:00:00:00:21"

    def __init__(self, pair, testpmd):
        self.pair = pair
        self.testpmd = testpmd

    def ip(self, *words, **options):
        """ip in the namespace of the PMD's end."""
        return run("ip", "-n", self.pair.dut_ns, *words, **options)

    def ours(self, text):
        """How many lines with this the port has said."""
        return sum(text in line for line in self.testpmd.output.splitlines() if "net_af_xdp_ti1: " in line)

    def echoed(self, frames=300):
        """Frames there and back through it."""
        report = subprocess.run(
            self.pair.far(BUILD / "tests/wire/wire", "--iface", "far1", "--dst", self.MAC, "--json", "-", "--expect",
                          "echo", "--send", frames, "--window", 16, "--timeout-ms", 20000),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        assert report.returncode == 0, report.stdout + report.stderr

    def vanish(self, how):
        """It goes, by one command; comes back, and the port can be started again."""
        before = self.ours(GONE)
        how()
        # The other port loses nothing meanwhile, and knows nothing of it.
        self.pair.echoed("--send", 1000, "--window", 16, "--timeout-ms", 20000)
        assert self.testpmd.xstats(1)["rx_good_packets"] > 0
        self.testpmd.command("stop")
        self.testpmd.command("port stop 1")
        assert self.ours(GONE) == before + 1, self.testpmd.output
        # It cannot be started while there is none, and says why.
        self.testpmd.command("port start 1")
        assert self.ours('no network interface "dut1" in this network namespace') == 1, self.testpmd.output

    def back(self):
        """There is a netdev of that name again."""
        self.testpmd.command("port start 1")
        assert self.ours("there is a dut1 again") > 0, self.testpmd.output
        self.testpmd.command("start")
        self.echoed()

    def deleted(self):
        """Deleted, and made anew."""
        self.vanish(lambda: self.ip("link", "del", "dut1"))
        add_netdev(self.pair, 1, self.MAC)
        self.back()

    def moved(self):
        """Moved to another network namespace, and back."""
        self.vanish(lambda: self.ip("link", "set", "dut1", "netns", self.pair.far_ns))
        run("ip", "-n", self.pair.far_ns, "link", "set", "dut1", "netns", self.pair.dut_ns)
        run("ip", "-n", self.pair.far_ns, "link", "set", "far1", "up")
        self.back()

    def renamed(self):
        """Renamed: still the same netdev, through stop and start too."""
        self.ip("link", "set", "dut1", "down")
        self.ip("link", "set", "dut1", "name", "other1")
        self.ip("link", "set", "other1", "up")
        self.echoed()
        self.testpmd.command("stop")
        self.testpmd.command("port stop 1")
        self.testpmd.command("port start 1")
        self.testpmd.command("start")
        self.echoed()
        self.ip("link", "set", "other1", "down")
        self.ip("link", "set", "other1", "name", "dut1")
        self.ip("link", "set", "dut1", "up")
        self.echoed()

    def down_and_up(self):
        """Down for a while, under a sender."""
        self.ip("link", "set", "dut1", "down")
        self.pair.echoed("--send", 300, "--window", 16, "--timeout-ms", 20000)
        self.ip("link", "set", "dut1", "up")
        self.echoed()

    def far_end_down_and_up(self):
        """No carrier for a while."""
        run("ip", "-n", self.pair.far_ns, "link", "set", "far1", "down")
        run("ip", "-n", self.pair.far_ns, "link", "set", "far1", "up")
        self.echoed()

    def mtu(self):
        """Another MTU beneath us, and back."""
        for mtu in (1000, 1500):
            for namespace, name in ((self.pair.dut_ns, "dut1"), (self.pair.far_ns, "far1")):
                run("ip", "-n", namespace, "link", "set", name, "mtu", mtu)
            self.echoed()

    def program_taken_off(self):
        """Refused by the kernel: the program is attached by a link, which is ours."""
        self.ip("link", "set", "dut1", "xdp", "off", check=False)
        self.echoed()

    def link_detached(self):
        """The administrator detaches the XDP link by force: frames go to Linux until the port is started anew."""
        text = run("ip", "netns", "exec", self.pair.dut_ns, "bpftool", "-j", "link", "show")
        ifindex = run("ip", "netns", "exec", self.pair.dut_ns, "cat", "/sys/class/net/dut1/ifindex").strip()
        for number in re.findall(rf'"id":(\d+),"type":"xdp"[^}}]*"ifindex":{ifindex}\b', text):
            run("ip", "netns", "exec", self.pair.dut_ns, "bpftool", "link", "detach", "id", number)
        self.testpmd.command("stop")
        self.testpmd.command("port stop 1")
        self.testpmd.command("port start 1")
        self.testpmd.command("start")
        self.echoed()

    def others(self):
        """Multicast and promiscuous beneath us."""
        self.ip("link", "set", "dut1", "promisc", "on", "allmulticast", "on")
        self.ip("link", "set", "dut1", "promisc", "off", "allmulticast", "off")
        self.echoed()


DEEDS = ["deleted", "moved", "renamed", "down_and_up", "far_end_down_and_up", "mtu", "program_taken_off",
         "link_detached", "others"]


@pytest.mark.storm(seconds=10)
@pytest.mark.parametrize("sharing", ["", ",shared_umem=1"], ids=["own_umem", "shared_umem"])
def test_netdev_changes_beneath_the_port(storm, make_pair, sharing):
    """All that may happen to a netdev, in random order; the other port of the program forwards on."""
    pair = make_pair()
    add_netdev(pair, 1, Victim.MAC)
    before = pair.settings()
    vdevs = [f"net_af_xdp_ti{number},iface=dut{number},mode=copy{sharing}" for number in (0, 1)]
    with Testpmd(pair.dut_ns, vdevs, ["--port-topology=loop"]) as testpmd:
        testpmd.ready().forward()
        victim = Victim(pair, testpmd)
        victim.echoed()
        while not storm.over():
            # Each once, in an order of the seed's.
            deeds = DEEDS.copy()
            storm.random.shuffle(deeds)
            for deed in deeds:
                if storm.over():
                    break
                at = len(testpmd.output)
                getattr(victim, deed)()
                storm.count(**{deed: 1})
                # The lines are counted from here on.
                assert testpmd.process.poll() is None, testpmd.output[at:]
                testpmd.forget()
        pair.echoed("--send", 2000, "--window", 32)
        victim.echoed(2000)
        testpmd.command("stop")
        testpmd.command("port stop all")
        size, free = testpmd.pool()
        assert size == free
        assert testpmd.quit() == 0
    run("ip", "-n", pair.dut_ns, "link", "del", "dut1")
    assert pair.settings() == before


# --- programs that die, and programs that meet --------------------------------------------------------

def program_on(pair, devargs=""):
    """A testpmd on the pair, not waited for."""
    return Testpmd(pair.dut_ns, [f"net_af_xdp_ti0,iface=dut0,mode=copy,queue_count=2{devargs}"],
                   ["--rxq=2", "--txq=2"], mbufs=8192)


@pytest.mark.storm(seconds=7)
def test_killed_at_any_moment(storm, make_pair):
    """kill -9 at random moments, from the first instruction on: what was changed is put back by the next."""
    pair = make_pair(queues=2)
    for namespace, name in ((pair.dut_ns, pair.DUT), (pair.far_ns, pair.FAR)):
        run("ip", "netns", "exec", namespace, "ethtool", "-L", name, "rx", 1, "tx", 1)
    before = pair.settings()
    partner = sender(pair, "5k")
    try:
        while not storm.over():
            with program_on(pair) as testpmd:
                time.sleep(storm.random.choice([0.05, 0.3, 0.6, 1.2]) * storm.random.uniform(0.5, 1.5))
                testpmd.process.send_signal(signal.SIGKILL)
            storm.count(killed=1)
    finally:
        partner.kill()
        partner.wait(TIMEOUT)
    # At once, while the kernel may still take the killed one apart.
    with program_on(pair) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 2000, "--window", 32)
        assert testpmd.quit() == 0
    assert pair.settings() == before


@pytest.mark.storm(seconds=7)
def test_two_programs_want_one_netdev(storm, make_pair):
    """Together or one after the other: one has it, the other is told which; killed, the next has it."""
    pair = make_pair(queues=2)
    before = pair.settings()
    while not storm.over():
        first = program_on(pair)
        time.sleep(storm.random.choice([0, 0, 0.1, 0.5]))
        second = program_on(pair)
        with first, second:
            both = [first, second]
            # Without its port testpmd has not the queues that it is told to use, and ends.
            for one in both:
                one.expect(r"testpmd> |No probed ethernet devices")
            losers = [one for one in both if "No probed ethernet devices" in one.output]
            assert len(losers) == 1, first.output + second.output
            winner = both[1 - both.index(losers[0])]
            assert losers[0].our_lines() == [
                f"net_af_xdp_ti0: dut0 is in use by process {winner.process.pid} (dpdk-testpmd): end it, or give "
                "both ports to one process"]
            storm.count(refused=1)
            winner.forward()
            pair.echoed("--send", 500, "--window", 16)
            if storm.random.randrange(2):
                winner.process.send_signal(signal.SIGKILL)
                with program_on(pair) as third:
                    third.ready().forward()
                    pair.echoed("--send", 500, "--window", 16)
                    assert third.quit() == 0
                storm.count(inherited=1)
            else:
                assert winner.quit() == 0
        assert pair.settings() == before
