# SPDX-License-Identifier: BSD-3-Clause
"""Starting, stopping, dying: no mbuf is lost, no setting stays changed, no program stays attached."""

import signal
import subprocess
import time

import pytest

from pmdbench import BUILD, RECORDS, TIMEOUT, Testpmd, run

VDEV = "net_af_xdp_ti0,iface=dut0,mode=copy"


def traffic(pair, rate="20k"):
    """Starts a partner that sends until it is killed."""
    return subprocess.Popen(
        pair.far(BUILD / "tests/wire/wire", "--iface", pair.FAR, "--dst", pair.mac(), "--seconds", 600, "--stream", 9,
                 "--rate", rate),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_stop_and_start_under_traffic(pair):
    """After each stop every mbuf is back in the pool and Linux has the port; after each start it forwards."""
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready().forward()
        partner = traffic(pair)
        try:
            for _ in range(5):
                time.sleep(0.3)
                testpmd.command("stop")
                testpmd.command("port stop all")
                size, free = testpmd.pool()
                assert free == size == 16384
                assert "xdp" not in pair.link()
                testpmd.command("port start all")
                testpmd.command("start")
                assert pair.link()["xdp"]["attached"]
        finally:
            partner.kill()
            partner.wait(TIMEOUT)
        pair.echoed("--send", 10000, "--window", 64)
        assert testpmd.quit() == 0


def test_queue_stop_and_start(make_pair):
    """One queue is stopped, the other goes on; Linux gets the frames of the stopped one."""
    pair = make_pair(queues=2)
    with Testpmd(pair.dut_ns, [VDEV + ",queue_count=2"], ["--rxq=2", "--txq=2", "--rxd=512"]) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 4000, "--flow", 64, "--window", 64)
        testpmd.command("stop")
        testpmd.command("port 0 rxq 1 stop")
        testpmd.command("clear port xstats 0")
        testpmd.command("start")
        report = pair.wire("--send", 4000, "--flow", 64, "--rate", "20k")
        stats = testpmd.xstats()
        assert 0 < stats["rx_q0_packets"] < 4000 and stats["rx_q1_packets"] == 0
        assert report["received"] == stats["rx_q0_packets"]
        testpmd.command("stop")
        testpmd.command("port 0 rxq 1 start")
        testpmd.command("start")
        pair.echoed("--send", 4000, "--flow", 64, "--window", 64)
        testpmd.command("stop")
        # Both queues of a pair stopped: its socket is closed, its mbufs are back.
        testpmd.command("port 0 rxq 1 stop")
        testpmd.command("port 0 txq 1 stop")
        size, free = testpmd.pool()
        # Out are the other queue's receive buffers, and what it sent last and did not yet take back.
        assert 512 <= size - free < 512 + 64
        testpmd.command("port 0 rxq 1 start")
        testpmd.command("port 0 txq 1 start")
        testpmd.command("start")
        pair.echoed("--send", 4000, "--flow", 64, "--window", 64)
        testpmd.command("stop")
        testpmd.command("port stop all")
        size, free = testpmd.pool()
        assert free == size


def test_attach_and_detach(pair):
    """The port is removed and plugged in again in a running program."""
    before = pair.settings()
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready()
        for _ in range(3):
            testpmd.command("port stop 0")
            testpmd.command("port close 0")
            assert pair.settings() == before
            testpmd.command("device detach net_af_xdp_ti0")
            testpmd.command(f"port attach {VDEV}")
            testpmd.command("port start all")
        testpmd.forward()
        pair.echoed("--send", 2000, "--window", 64)


def test_killed_and_started_again(pair):
    """kill -9 in mid-traffic leaves no XDP program; the next start puts the settings back and forwards."""
    before = pair.settings()
    partner = traffic(pair)
    try:
        for _ in range(3):
            with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
                testpmd.ready().forward()
                assert pair.link()["xdp"]["attached"]
                time.sleep(0.3)
                testpmd.kill()
            deadline = time.monotonic() + TIMEOUT
            while "xdp" in pair.link():
                assert time.monotonic() < deadline
                time.sleep(0.01)
    finally:
        partner.kill()
        partner.wait(TIMEOUT)
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 10000, "--window", 64)
        assert testpmd.quit() == 0
    assert pair.settings() == before


DEFERRED = {"napi_defer_hard_irqs": "2", "gro_flush_timeout": "200000"}


def deferral(pair):
    """The two settings that busy polling makes."""
    return {name: pair.sysfs(name) for name in DEFERRED}


def test_busy_polling_settings(pair):
    """Made while the port is started with a budget, put back when it is closed; not made without one."""
    before = pair.settings()
    with Testpmd(pair.dut_ns, [VDEV + ",busy_budget=32"]) as testpmd:
        testpmd.ready()
        assert deferral(pair) == DEFERRED
        assert testpmd.quit() == 0
    assert pair.settings() == before
    with Testpmd(pair.dut_ns, [VDEV + ",busy_budget=0"]) as testpmd:
        testpmd.ready()
        assert set(deferral(pair).values()) == {"0"}


def test_settings_that_somebody_chose(pair):
    """Values that are not zero stay."""
    for name in DEFERRED:
        run("ip", "netns", "exec", pair.dut_ns, "sh", "-c", f"echo 7 > /sys/class/net/dut0/{name}")
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready()
        assert set(deferral(pair).values()) == {"7"}
        testpmd.quit()
    assert set(deferral(pair).values()) == {"7"}


def test_busy_polling_settings_after_kill(pair):
    """What a killed program left is put back by the next, even by one that is then refused."""
    before = pair.settings()
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready()
        testpmd.command("port stop 0")
        testpmd.command("port config mtu 0 1400")
        testpmd.command("mac_addr set 0 02:00:00:00:00:77")
        testpmd.command("port start 0")
        testpmd.kill()
    left = pair.settings()
    assert left["mtu"] == 1400 and left["address"] == "02:00:00:00:00:77"
    assert deferral(pair) == DEFERRED and left["records"]
    with Testpmd(pair.dut_ns, [VDEV + ",start_queue=5"]) as testpmd:
        testpmd.ready()
        assert "net_af_xdp_ti0: dut0 (driver veth) has 1 receive" in testpmd.output
    assert pair.settings() == before


def test_what_somebody_changed_since_stays(pair):
    """A setting that the administrator changed after the program did is his."""
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready()
        testpmd.command("port stop 0")
        testpmd.command("port config mtu 0 1400")
        run("ip", "-n", pair.dut_ns, "link", "set", "dut0", "mtu", 1300)
        testpmd.quit()
        assert "mtu was changed from 1400 to 1300 by somebody else" in testpmd.output
    assert pair.link()["mtu"] == 1300


def test_netdev_that_is_down(pair):
    """It is brought up for as long as the port is open."""
    run("ip", "-n", pair.dut_ns, "link", "set", "dut0", "down")
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready().forward()
        assert pair.settings()["up"]
        pair.echoed("--send", 1000, "--window", 32)
        testpmd.quit()
    assert not pair.settings()["up"]


def test_more_queues_than_there_are(make_pair):
    """Queue counts are raised for the port, which then runs on all of them, and put back."""
    pair = make_pair(queues=4)
    for namespace, name in ((pair.far_ns, pair.FAR), (pair.dut_ns, pair.DUT)):
        run("ip", "netns", "exec", namespace, "ethtool", "-L", name, "rx", 1, "tx", 1)
    with Testpmd(pair.dut_ns, [VDEV + ",queue_count=2"], ["--rxq=2", "--txq=2"]) as testpmd:
        testpmd.ready().forward()
        # The peer's receive queues bound what veth may transmit on while it has XDP.
        assert pair.channels() == (2, 2)
        # The map of sockets was made for the queues that there were before, and the port could not start.
        assert pair.link()["xdp"]["attached"], testpmd.output
        pair.echoed("--send", 1000, "--window", 16)
        testpmd.quit()
    assert pair.channels() == (1, 1)


def test_promiscuous_and_allmulticast(pair):
    """Held by a packet socket, so that even kill -9 ends them."""
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready()
        testpmd.command("set promisc 0 on")
        testpmd.command("set allmulti 0 on")
        assert (pair.link()["promiscuity"], pair.link()["allmulti"]) == (1, 1)
        testpmd.command("port stop 0")
        testpmd.command("port start 0")
        assert (pair.link()["promiscuity"], pair.link()["allmulti"]) == (1, 1)
        testpmd.command("set promisc 0 off")
        testpmd.command("set allmulti 0 off")
        assert (pair.link()["promiscuity"], pair.link()["allmulti"]) == (0, 0)
        testpmd.command("set promisc 0 on")
        testpmd.kill()
    assert pair.link()["promiscuity"] == 0


def test_link_status(pair):
    """Carrier and speed are the kernel's."""
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready()
        info = testpmd.command("show port info 0")
        assert "Link status: up" in info and "Link speed: 10 Gbps" in info
        assert "Firmware-version: veth 1.0" in info
        run("ip", "-n", pair.far_ns, "link", "set", pair.FAR, "down")
        assert "Link status: down" in testpmd.command("show port info 0")
        run("ip", "-n", pair.far_ns, "link", "set", pair.FAR, "up")
        assert "Link status: up" in testpmd.command("show port info 0")
        testpmd.forward()
        pair.echoed("--send", 1000, "--window", 32)


def test_netdev_that_vanishes(pair):
    """The netdev is deleted under the port: the program ends in good order."""
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready().forward()
        run("ip", "-n", pair.dut_ns, "link", "del", "dut0")
        testpmd.command("stop")
        testpmd.command("port stop all")
        size, free = testpmd.pool()
        assert free == size
        assert testpmd.quit() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ended_by_a_signal(pair, number):
    """testpmd's own handler closes the port: everything is put back."""
    before = pair.settings()
    with Testpmd(pair.dut_ns, [VDEV]) as testpmd:
        testpmd.ready().forward()
        testpmd.process.send_signal(number)
        # testpmd's prompt may go on waiting for input; there is none any more.
        testpmd.process.stdin.close()
        testpmd.ended()
    assert pair.settings() == before
    assert not pair.records() and RECORDS.is_dir()
