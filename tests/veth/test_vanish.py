# SPDX-License-Identifier: BSD-3-Clause
"""The netdev goes from under the port, comes back, has another name: one line, and nothing that is not ours is touched."""

import pytest

from pmdbench import Testpmd, run

# Without busy polling: with it each look for frames enters the kernel, which then says so at once.
VDEV = "net_af_xdp_ti0,iface=dut0,mode=copy,busy_budget=0"
GONE = ("net_af_xdp_ti0: dut0 is gone (removed, or moved to another network namespace): stop the port; start it "
        "again when there is a dut0, or close it")


def set_channels(pair, number):
    """Queue counts of both ends."""
    for namespace, name in ((pair.far_ns, pair.FAR), (pair.dut_ns, pair.DUT)):
        run("ip", "netns", "exec", namespace, "ethtool", "-L", name, "rx", number, "tx", number)


def make_again(pair, queues=1):
    """A pair of the names of the one that was deleted."""
    run("ip", "-n", pair.dut_ns, "link", "add", "dut0", "numrxqueues", queues, "numtxqueues", queues, "type", "veth",
        "peer", "name", "far0", "numrxqueues", queues, "numtxqueues", queues, "netns", pair.far_ns)
    for namespace, name in ((pair.far_ns, pair.FAR), (pair.dut_ns, pair.DUT)):
        run("ip", "-n", namespace, "link", "set", name, "addrgenmode", "none", "up")


@pytest.mark.parametrize("sharing", ["", ",shared_umem=1"], ids=["own_umem", "shared_umem"])
def test_gone_and_there_again(pair, sharing):
    """Told once; not started while there is none; then started on the new one, as the port that it was."""
    with Testpmd(pair.dut_ns, [VDEV + sharing]) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 500, "--window", 16)
        mac = pair.mac()
        testpmd.command("set promisc 0 on")
        run("ip", "-n", pair.dut_ns, "link", "del", "dut0")
        # Found out by the next look for frames, without any command.
        testpmd.expect(r"dut0 is gone")
        assert testpmd.xstats()["rx_good_packets"] == 500
        testpmd.command("stop")
        testpmd.command("port stop 0")
        assert testpmd.pool()[0] == testpmd.pool()[1]
        testpmd.command("port start 0")
        assert testpmd.our_lines() == [
            GONE,
            'net_af_xdp_ti0: no network interface "dut0" in this network namespace: see `ip link`, and set iface= to '
            "one of them"]
        make_again(pair)
        # The record of the one that is gone is still held.
        before = dict(pair.settings(), records=[])
        testpmd.command("port start 0")
        assert testpmd.our_lines()[2:] == ["net_af_xdp_ti0: there is a dut0 again (driver veth): taken"]
        assert pair.mac() == mac and pair.link()["promiscuity"] == 1
        testpmd.command("start")
        pair.echoed("--send", 500, "--window", 16)
        assert testpmd.quit() == 0
    assert pair.settings() == before


def test_another_of_the_same_name_is_left_alone(make_pair):
    """Queue counts that the port raised are not put back on a netdev that only has the same name."""
    pair = make_pair(queues=2)
    set_channels(pair, 1)
    with Testpmd(pair.dut_ns, [VDEV + ",queue_count=2"], ["--rxq=2", "--txq=2"]) as testpmd:
        testpmd.ready()
        assert pair.channels() == (2, 2)
        run("ip", "-n", pair.dut_ns, "link", "del", "dut0")
        make_again(pair, queues=2)
        assert pair.channels() == (2, 2)
        assert testpmd.quit() == 0
    assert pair.channels() == (2, 2)


def test_renamed(make_pair):
    """It is put back by whichever name it has in the end."""
    pair = make_pair(queues=2)
    set_channels(pair, 1)
    before = pair.settings()
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy,queue_count=2"], ["--rxq=2", "--txq=2"]) as testpmd:
        testpmd.ready()
        run("ip", "-n", pair.dut_ns, "link", "set", "dut0", "down")
        run("ip", "-n", pair.dut_ns, "link", "set", "dut0", "name", "other0")
        run("ip", "-n", pair.dut_ns, "link", "set", "other0", "up")
        assert testpmd.quit() == 0
        assert not testpmd.our_lines("cannot"), testpmd.output
    run("ip", "-n", pair.dut_ns, "link", "set", "other0", "down")
    run("ip", "-n", pair.dut_ns, "link", "set", "other0", "name", "dut0")
    run("ip", "-n", pair.dut_ns, "link", "set", "dut0", "up")
    assert pair.settings() == before
