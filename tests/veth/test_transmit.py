# SPDX-License-Identifier: BSD-3-Clause
"""Transmission: frames made of several segments, frames too long, many of them, and counters."""

from pmdbench import Testpmd

VDEV = "net_af_xdp_ti0,iface=dut0,mode=copy"


def test_segments_are_linearised(pair):
    """testpmd's txonly with three segments: each frame arrives in its whole length."""
    with Testpmd(pair.dut_ns, [VDEV], ["--txpkts=300,500,200"]) as testpmd:
        testpmd.ready()
        testpmd.command("port stop all")
        testpmd.command("port config 0 tx_offload multi_segs on")
        testpmd.command("port start all")
        before = pair.far_link()["stats64"]["rx"]
        testpmd.forward("txonly")
        while testpmd.xstats()["tx_good_packets"] < 10000:
            pass
        testpmd.command("stop")
        testpmd.command("port stop all")
        stats = testpmd.xstats()
        after = pair.far_link()["stats64"]["rx"]
        packets = after["packets"] - before["packets"] + after["dropped"] - before["dropped"]
        assert packets == stats["tx_good_packets"] == stats["tx_q0_linearised"]
        assert stats["tx_good_bytes"] == 1000 * stats["tx_good_packets"]
        assert after["bytes"] - before["bytes"] == 1000 * (after["packets"] - before["packets"])
        size, free = testpmd.pool()
        assert free == size


def test_frames_too_long(pair):
    """Longer than the MTU allows: freed and counted as errors, and the port goes on."""
    with Testpmd(pair.dut_ns, [VDEV], ["--txpkts=1519"]) as testpmd:
        testpmd.ready().forward("txonly")
        while testpmd.xstats()["tx_errors"] < 10000:
            pass
        testpmd.command("stop")
        stats = testpmd.xstats()
        assert stats["tx_good_packets"] == 0
        assert stats["tx_q0_bad_length"] == stats["tx_errors"]
        testpmd.forward("macswap")
        pair.echoed("--send", 1000, "--size", "60-1514", "--window", 32)
        testpmd.command("stop")
        testpmd.command("port stop all")
        size, free = testpmd.pool()
        assert free == size


def test_transmit_only(pair):
    """At full speed for a while, nothing received: transmit buffers go round, and nothing is lost."""
    with Testpmd(pair.dut_ns, [VDEV], mbufs=4096) as testpmd:
        testpmd.ready().forward("txonly")
        while testpmd.xstats()["tx_good_packets"] < 200000:
            pass
        testpmd.command("stop")
        testpmd.command("port stop all")
        stats = testpmd.xstats()
        assert stats["tx_errors"] == stats["tx_q0_kernel_invalid_descs"] == 0
        size, free = testpmd.pool()
        assert free == size


def test_counters_are_reset(pair):
    """`clear port stats` and `clear port xstats` begin again at zero, the kernel's counters too."""
    with Testpmd(pair.dut_ns, [VDEV], ["--rxd=64", "--txd=64"]) as testpmd:
        testpmd.ready()
        # Nobody receives: the kernel drops what does not fit.
        pair.wire("--send", 1000, "--rate", "10k")
        assert testpmd.xstats()["rx_missed_errors"] == 1000 - 64
        testpmd.command("clear port xstats 0")
        assert testpmd.xstats()["rx_missed_errors"] == 0
        testpmd.forward()
        pair.wire("--send", 500, "--window", 16)
        stats = testpmd.xstats()
        # The frames that lay in the receive ring come first.
        assert stats["rx_good_packets"] == 564
        testpmd.command("clear port stats 0")
        assert testpmd.xstats()["rx_good_packets"] == 0
        # A stop closes the socket and with it the kernel's counters: ours go on.
        testpmd.command("stop")
        pair.wire("--send", 300, "--rate", "10k")
        missed = testpmd.xstats()["rx_missed_errors"]
        assert missed > 0
        testpmd.command("port stop all")
        assert testpmd.xstats()["rx_missed_errors"] == missed
        testpmd.command("port start all")
        assert testpmd.xstats()["rx_missed_errors"] == missed


def test_consumer_stalls_and_resumes(pair):
    """The application stops receiving until the fill ring ran dry; then it is served again."""
    with Testpmd(pair.dut_ns, [VDEV], ["--rxd=256"]) as testpmd:
        testpmd.ready().forward()
        for _ in range(5):
            testpmd.command("stop")
            pair.wire("--send", 1000, "--rate", "20k", "--quiet-ms", 50)
            testpmd.command("start")
            # What lay in the ring is sent first, late: other streams than the partner's.
            pair.wire("--send", 300, "--window", 16)
            pair.echoed("--send", 2000, "--window", 64)
