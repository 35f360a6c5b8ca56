# SPDX-License-Identifier: BSD-3-Clause
"""What ti-testpmd prints is, command for command, what dpdk-testpmd prints."""

import re

import pcap
import pytest
from testpmd import PROMPT, TI, Testpmd

MBUFS = "--total-num-mbufs=4096"
NULLS = ["net_null0", "net_null1"]

# The commands of one session, in order; each one's output is compared.
SESSION = """\
show port info all
show port info 0
show port stats all
show port stats 1
show port xstats 0
show port summary all
show port summary 1
show port 0 macs
show config fwd
show config rxtx
show config cores
show config txpkts
show port info 9
show port 7
foo
set fwd foo
set fwd macswap
show config rxtx
set fwd txonly
show config rxtx
set fwd io retry
show config rxtx
set burst tx delay 2 retry 3
set fwd mac
set burst 16
set burst 600
set nbcore 1
set nbcore 9
set nbport 3
set nbport 2
set verbose 1
set verbose 0
set eth-peer 0 02:00:00:00:00:09
set eth-peer 9 02:00:00:00:00:09
set txpkts 64,64
show config txpkts
set txpkts 10
set txsplit on
show config txpkts
set promisc all off
set promisc 0 on
set allmulti 0 on
set link-down port 0
set link-up port 0
mac_addr set 0 02:00:00:00:00:05
mac_addr add 0 02:00:00:00:00:06
show port summary 0
stop
start
start
port stop 0
port close 1
show config fwd
stop
show fwd stats all
clear fwd stats all
start tx_first
stop
start tx_first 4
stop
clear port stats all
clear port xstats all
clear port stats 0
port start all
port stop 0
start
port stop 0
port start 0
port close 0
set corelist 1
set corelist 0
set corelist 7
set portlist 1
set portlist 0,1
set portmask 1
set portmask 3
set coremask 2
set coremask 0
port stop all
port config all rxq 2
port config all txq 2
port config mtu 0 1400
port start all
show config fwd
show config rxtx
start
stop
port stop all
port close all
show port info all
""".splitlines()


def normal(text):
    """Without what differs from run to run: addresses that are random, and counts of packets."""
    text = re.sub(r"\b(?!02:00)(?:[0-9A-F]{2}:){5}[0-9A-F]{2}\b", "MAC", text)
    text = re.sub(r"((?:packets|dropped|total|missed|bytes|pps|bps|errors|nombuf|\bq\d+_\w+|good_\w+): +)\d+ *",
                  r"\1N ", text)
    # A stream that moved nothing is not shown.
    text = re.sub(r"\n  ------- Forward Stats for RX.*\n.*\n", "", text)
    return text



def converse(program, vdevs, options, lines):
    """Gives the commands one by one; their outputs."""
    with Testpmd(program, vdevs, ["-i", *options]) as testpmd:
        testpmd.ready()
        outputs = [testpmd.command(line) for line in lines]
        testpmd.write("quit\n")
        assert testpmd.wait() == 0
        return outputs




def test_session(stock):
    """Command for command the same text on standard output."""
    ours = converse(TI, NULLS, [MBUFS], SESSION)
    theirs = converse(stock, NULLS, [MBUFS], SESSION)
    for line, our, their in zip(SESSION, ours, theirs):
        assert normal(our) == normal(their), line


@pytest.mark.parametrize("options", [
    [], ["--rxq=2", "--txq=2"], ["--rxq=2"], ["--port-topology=loop"], ["--port-topology=chained"],
    ["--forward-mode=txonly", "--txpkts=128"], ["--nb-ports=1", "--burst=8"], ["--portmask=0x2"],
    ["--forward-mode=flowgen", "--flowgen-flows=4"], ["--record-core-cycles"], ["--no-numa"],
    ["--rxd=256", "--txd=128"], ["--auto-start"], ["--no-lsc-interrupt"], ["--disable-device-start"],
], ids=" ".join)
def test_start_and_end(stock, options):
    """From the start to the last line the same text, for the main options."""
    outputs = []
    for program in (TI, stock):
        with Testpmd(program, NULLS, ["-i", MBUFS, *options]) as testpmd:
            testpmd.ready()
            testpmd.command("show config fwd")
            if "--disable-device-start" not in options:
                if "--auto-start" not in options:
                    testpmd.command("start")
                testpmd.command("stop")
            testpmd.write("quit\n")
            assert testpmd.wait() == 0
            text = normal(testpmd.output)
        text = re.sub(r"\nPrimary: Sending 'stop_req' request to secondary...\n", "", text)
        outputs.append(re.sub(r"cycles/packet.*", "cycles/packet", text))
    assert outputs[0] == outputs[1]


def test_start_says_the_port_count_changed(stock):
    """Masks that change a number say so, both alike."""
    for program in (TI, stock):
        with Testpmd(program, NULLS, ["-i", MBUFS, "--portmask=1"]) as testpmd:
            testpmd.expect("previous number of forwarding ports 2 - changed to number of configured ports 1")
            testpmd.ready()


def test_verbose(stock, tmp_path):
    """`set verbose`: the same lines for the same packets."""
    pcap.write(tmp_path / "in.pcap", [pcap.udp_frame(number, 60 + 100 * number) for number in range(3)])
    vdev = f"net_pcap0,rx_pcap={tmp_path}/in.pcap,tx_pcap={tmp_path}/out.pcap"
    texts = []
    for program in (TI, stock):
        with Testpmd(program, [vdev], ["-i", MBUFS, "--no-flush-rx"]) as testpmd:
            testpmd.ready()
            testpmd.command("set verbose 3")
            testpmd.write("start\n")
            testpmd.expect("sent 3 packets\n(?:.*\n){6}")
            testpmd.write("stop\nquit\n")
            assert testpmd.wait() == 0
            texts.append(re.findall(r"(?:port \d+/queue|  src=|  ol_flags).*", testpmd.output))
    assert texts[0] == texts[1]
    assert len(texts[0]) == 14


def test_display_xstats(stock):
    """--display-xstats adds the same lines to `show port stats`."""
    texts = [converse(program, NULLS, [MBUFS, "--display-xstats=rx_good_packets,tx_q0_packets"],
                      ["show port stats 0"])[0] for program in (TI, stock)]
    assert texts[0] == texts[1]
    assert "tx_q0_packets" in texts[0]


def test_record_burst_stats(stock):
    """--record-burst-stats tells how the bursts spread, in the same form."""
    for program in (TI, stock):
        text = converse(program, ["net_ring0"], [MBUFS, "--record-burst-stats"],
                        ["start tx_first", "stop"])[1]
        assert re.search(r"^  RX-bursts : \d+ \[\d+% of \d+ pkts(?: \+ \d+% of (?:\d+ pkts|other))*\]$", text,
                         re.MULTILINE)
        assert re.search(r"^  TX-bursts : \d+ \[", text, re.MULTILINE)


def test_record_core_cycles(stock):
    """--record-core-cycles: one line, in the same form."""
    for program in (TI, stock):
        text = converse(program, NULLS, [MBUFS, "--record-core-cycles"], ["start", "stop"])[1]
        assert re.search(r"^  CPU cycles/packet=\d+\.\d\d \(total cycles=\d+ / total io packets=\d+\) at \d+ MHz Clock$",
                         text, re.MULTILINE)
