# SPDX-License-Identifier: BSD-3-Clause
"""The stock dpdk-testpmd forwards through the PMD: each frame comes back once and intact."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from pmdbench import BUILD, TIMEOUT, WIRE, Testpmd, run

# How many frames may be under way at once, so that a slow machine loses none: veth has no
# back-pressure, and its ring to the receiver holds 256.
WINDOW = ["--window", 128]


@pytest.mark.parametrize("mode", ["copy", "skb"])
def test_macswap_100000(pair, mode):
    """100,000 frames, in each mode that veth can have; the kernel's counters agree."""
    with Testpmd(pair.dut_ns, [f"net_af_xdp_ti0,iface=dut0,mode={mode}"]) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 100000, *WINDOW)
        stats = testpmd.xstats()
        assert stats["rx_good_packets"] == stats["tx_good_packets"] == 100000
        assert stats["rx_missed_errors"] == stats["tx_errors"] == 0
        # The mbufs are of the port's own pool: none is copied.
        assert stats["tx_q0_copies"] == 0
        assert stats["q0_zero_copy"] == 0
        assert testpmd.quit() == 0


@pytest.mark.parametrize("devargs", ["mode=auto", "force_copy=1", "mode=copy,busy_budget=0",
                                     "mode=copy,shared_umem=1"])
def test_devargs_that_forward(pair, devargs):
    """Other ways to ask for it; frames of every size that the MTU allows."""
    with Testpmd(pair.dut_ns, [f"net_af_xdp_ti0,iface=dut0,{devargs}"]) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 20000, "--size", "60-1514", *WINDOW)
        assert testpmd.quit() == 0


def test_program_of_the_user(pair):
    """xdp_prog= attaches another object file; here a file of the same program."""
    program = BUILD / "drivers/net/af_xdp_ti/xsk_redirect.bpf.o"
    with Testpmd(pair.dut_ns, [f"net_af_xdp_ti0,iface=dut0,mode=copy,xdp_prog={program}"]) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 5000, *WINDOW)
        assert testpmd.quit() == 0


def test_auto_says_what_it_fell_back_from(pair):
    """One clear line names the driver and the reason."""
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=auto"]) as testpmd:
        testpmd.ready()
        assert testpmd.our_lines("falling back") == [
            "net_af_xdp_ti0: falling back: driver veth of dut0 has no AF_XDP zero-copy: use mode=copy "
            "(mode=auto falls back by itself), or a netdev whose driver has it"]


def test_single_packet_closed_loop(pair):
    """Each frame is sent only when the last is back: none is left lying for want of a successor."""
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"]) as testpmd:
        testpmd.ready().forward()
        report = pair.echoed("--send", 10000, "--closed-loop")
        assert report["timeouts"] == 0


def test_four_queues(make_pair):
    """Four queues, each with frames, on one lcore; the counters of each add up."""
    pair = make_pair(queues=4)
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy,queue_count=4"],
                 ["--rxq=4", "--txq=4", "--rxd=512", "--txd=512"]) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 40000, "--flow", 64, *WINDOW)
        stats = testpmd.xstats()
        each = [stats[f"rx_q{queue}_packets"] for queue in range(4)]
        assert sum(each) == 40000 and all(each)
        assert [stats[f"tx_q{queue}_packets"] for queue in range(4)] == each
        testpmd.command("stop")
        testpmd.command("port stop all")
        assert testpmd.pool()[0] == testpmd.pool()[1]


def test_second_queue_alone(make_pair):
    """A port on queue 1 takes the frames of queue 1, Linux keeps those of queue 0."""
    pair = make_pair(queues=2)
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy,start_queue=1"]) as testpmd:
        testpmd.ready().forward()
        report = pair.wire("--send", 20000, "--flow", 64, "--rate", "20k")
        stats = testpmd.xstats()
        assert 0 < stats["rx_good_packets"] < 20000
        assert report["received"] == stats["tx_good_packets"]
        assert pair.channels() == (2, 2)


def test_two_ports_on_one_netdev(make_pair):
    """Each queue by a port of its own; they share the netdev, its record and its program."""
    pair = make_pair(queues=2)
    before = pair.settings()
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy,start_queue=0",
                               "net_af_xdp_ti1,iface=dut0,mode=copy,start_queue=1"],
                 ["--port-topology=loop"]) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 20000, "--flow", 64, *WINDOW)
        received = [testpmd.xstats(port)["rx_good_packets"] for port in (0, 1)]
        assert sum(received) == 20000 and all(received)
        # One stops, the other goes on; then the last takes the program with it.
        testpmd.command("stop")
        testpmd.command("port stop 0")
        assert pair.link()["xdp"]["attached"]
        testpmd.command("port stop 1")
        assert "xdp" not in pair.link()
        assert testpmd.quit() == 0
    assert pair.settings() == before


@pytest.fixture(name="two")
def two_fixture(make_pair):
    """Two pairs whose PMD ends are in one namespace, dut0 and dut1."""
    first, second = make_pair(), make_pair()
    run("ip", "-n", second.dut_ns, "link", "set", second.DUT, "netns", first.dut_ns, "name", "dut1")
    run("ip", "-n", first.dut_ns, "link", "set", "dut1", "addrgenmode", "none", "up")
    second.DUT, second.dut_ns = "dut1", first.dut_ns
    return first, second


@pytest.mark.parametrize("shared", [0, 1])
def test_two_ports_at_once(two, shared):
    """Two netdevs in one process, each with a partner that sends at the same time."""
    first, second = two
    vdevs = [f"net_af_xdp_ti{port},iface=dut{port},mode=copy,shared_umem={shared}" for port in (0, 1)]
    with Testpmd(first.dut_ns, vdevs, ["--port-topology=loop"]) as testpmd, \
            ThreadPoolExecutor() as executor:
        testpmd.ready().forward()
        reports = list(executor.map(lambda pair: pair.echoed("--send", 30000, *WINDOW), (first, second)))
        assert [report["received"] for report in reports] == [30000, 30000]
        testpmd.command("stop")
        testpmd.command("port stop all")
        assert testpmd.pool()[0] == testpmd.pool()[1]


class Sink:
    """A partner that wants `count` frames of a stream, sent by another partner."""

    def __init__(self, pair, count, stream):
        self.process = subprocess.Popen(
            pair.far(WIRE, "--iface", pair.FAR, "--receive-only", "--mac-check", "any", "--count", count,
                     "--stream", stream, "--expect", "echo", "--quiet-ms", 3000),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __enter__(self):
        assert "ready" in self.process.stdout.readline()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(TIMEOUT)

    def satisfied(self):
        """Waits for its end: it got each frame once and intact."""
        output = self.process.communicate(timeout=TIMEOUT)[0]
        assert self.process.returncode == 0, output


def test_crosswise(two):
    """What one port receives is sent by the other without a copy, for both use one mbuf pool."""
    first, second = two
    vdevs = [f"net_af_xdp_ti{port},iface=dut{port},mode=copy" for port in (0, 1)]
    with Testpmd(first.dut_ns, vdevs) as testpmd, Sink(second, 20000, 1) as sink:
        testpmd.ready().forward("io")
        first.wire("--send", 20000, "--rate", "20k")
        sink.satisfied()
        stats = testpmd.xstats(1)
        assert stats["tx_good_packets"] == 20000 and stats["tx_q0_copies"] == 0


def test_crosswise_on_two_lcores(two):
    """Each port is received from by one lcore and sent to by the other, in both directions at once."""
    first, second = two
    vdevs = [f"net_af_xdp_ti{port},iface=dut{port},mode=copy" for port in (0, 1)]
    with Testpmd(first.dut_ns, vdevs, ["--nb-cores=2"], eal=["--lcores=0@0,1@0,2@1"]) as testpmd, \
            Sink(second, 20000, 1) as sink_of_first, Sink(first, 20000, 2) as sink_of_second, \
            ThreadPoolExecutor() as executor:
        testpmd.ready().forward("io")
        list(executor.map(lambda job: job[0].wire("--send", 20000, "--rate", "10k", "--stream", job[1]),
                          ((first, 1), (second, 2))))
        sink_of_first.satisfied()
        sink_of_second.satisfied()
        assert [testpmd.xstats(port)["rx_good_packets"] for port in (0, 1)] == [20000, 20000]
        testpmd.command("stop")
        testpmd.command("port stop all")
        assert testpmd.pool()[0] == testpmd.pool()[1]
