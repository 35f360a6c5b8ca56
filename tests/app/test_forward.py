# SPDX-License-Identifier: BSD-3-Clause
"""The forward engines, on files: what comes out is, byte for byte, what dpdk-testpmd sends."""

import re

import pcap
import pytest
from testpmd import TI, Testpmd, forward_statistics

FRAMES = 3000
MBUFS = ["--total-num-mbufs=8192"]


@pytest.fixture
def capture(tmp_path):
    """A file of frames of all lengths."""
    frames = [pcap.udp_frame(number, 60 + number % 1455) for number in range(FRAMES)]
    pcap.write(tmp_path / "in.pcap", frames)
    return frames


def relay(program, path, mode, options=(), frames=FRAMES):
    """Forwards the file; the frames that left, and the final statistics."""
    out = path / "out.pcap"
    vdev = f"net_pcap0,rx_pcap={path}/in.pcap,tx_pcap={out}"
    with Testpmd(program, [vdev], ["-i", *MBUFS, "--no-flush-rx", f"--forward-mode={mode}", *options]) as testpmd:
        testpmd.ready()
        testpmd.command("start")
        count = 0
        while count < frames:
            match = re.search(r"RX-packets: (\d+)", testpmd.command("show port stats 0"))
            count = int(match[1])
        text = testpmd.command("stop")
        testpmd.write("quit\n")
        assert testpmd.wait() == 0
    return pcap.read(out), forward_statistics(text)


def expected(mode, frame):
    """What an engine makes of a frame. net_pcap's own address is 02:70:63:61:70:00."""
    if mode == "macswap":
        return frame[6:12] + frame[:6] + frame[12:]
    if mode == "mac":
        return pcap.mac("02:00:00:00:00:07") + pcap.mac("02:70:63:61:70:00") + frame[12:]
    return frame


@pytest.mark.parametrize("burst", [1, 3, 32, 512])
@pytest.mark.parametrize("mode", ["io", "mac", "macswap"])
def test_relay(capture, tmp_path, mode, burst):
    """Every frame leaves once, in order, changed as the mode says and not otherwise."""
    sent, statistics = relay(TI, tmp_path, mode, ["--eth-peer=0,02:00:00:00:00:07", f"--burst={burst}"])
    assert sent == [expected(mode, frame) for frame in capture]
    assert statistics["0"] == {"RX-packets": FRAMES, "RX-dropped": 0, "RX-total": FRAMES,
                               "TX-packets": FRAMES, "TX-dropped": 0, "TX-total": FRAMES}
    assert statistics["all"] == statistics["0"]


@pytest.mark.parametrize("mode", ["mac", "macswap"])
def test_relay_as_stock(capture, stock, tmp_path, mode):
    """The stock program agrees with what the tests above expect."""
    sent, _ = relay(stock, tmp_path, mode, ["--eth-peer=0,02:00:00:00:00:07"])
    assert sent == [expected(mode, frame) for frame in capture]


def test_rxonly(capture, either, tmp_path):
    """All frames are received, none leaves."""
    sent, statistics = relay(either, tmp_path, "rxonly")
    assert sent == []
    assert statistics["0"]["RX-packets"] == FRAMES
    assert statistics["0"]["TX-packets"] == 0


def generate(program, path, mode, options=(), least=300):
    """Lets an engine make packets; the first of them."""
    out = path / "out.pcap"
    pcap.write(path / "in.pcap", [pcap.udp_frame(0)])
    vdev = f"net_pcap0,rx_pcap={path}/in.pcap,tx_pcap={out}"
    with Testpmd(program, [vdev], ["-i", *MBUFS, f"--forward-mode={mode}", *options]) as testpmd:
        testpmd.ready()
        testpmd.command("start")
        while int(re.search(r"TX-packets: (\d+)", testpmd.command("show port stats 0"))[1]) < least:
            pass
        testpmd.command("stop")
        testpmd.write("quit\n")
        assert testpmd.wait() == 0
    return pcap.read(out)[:least]


def headers(frames):
    """What is defined of generated frames: their length and headers; the rest is what lay in memory."""
    return [(len(frame), frame[:42]) for frame in frames]


@pytest.mark.parametrize("mode,options", [
    ("txonly", []),
    ("txonly", ["--txpkts=128"]),
    ("txonly", ["--txpkts=64,100,20"]),
    ("txonly", ["--txpkts=10,10,10,30"]),
    ("txonly", ["--eth-peer=0,02:00:00:00:00:07", "--tx-ip=10.1.2.3,10.4.5.6", "--tx-udp=1234,5678"]),
    ("txonly", ["--txonly-multi-flow", "--burst=7"]),
    ("flowgen", []),
    ("flowgen", ["--flowgen-flows=5", "--txpkts=256"]),
    ("flowgen", ["--flowgen-clones=3", "--burst=8"]),
], ids=lambda value: value if isinstance(value, str) else " ".join(value))
def test_generate(stock, tmp_path, mode, options):
    """The packets that are made are those of the stock program, header by header."""
    ours = headers(generate(TI, tmp_path, mode, options))
    theirs = headers(generate(stock, tmp_path, mode, options))
    assert ours == theirs
    for _, header in ours:
        assert pcap.checksum(header[14:24] + b"\0\0" + header[26:34]) == int.from_bytes(header[24:26], "big")


def test_random_segments(tmp_path):
    """txsplit rand: every length that some number of segments gives, each a valid packet."""
    out = tmp_path / "out.pcap"
    pcap.write(tmp_path / "in.pcap", [pcap.udp_frame(0)])
    with Testpmd(TI, [f"net_pcap0,rx_pcap={tmp_path}/in.pcap,tx_pcap={out}"],
                 ["-i", *MBUFS, "--forward-mode=txonly", "--txpkts=64,100,20"]) as testpmd:
        testpmd.ready()
        testpmd.command("set txsplit rand")
        testpmd.command("start")
        while int(re.search(r"TX-packets: (\d+)", testpmd.command("show port stats 0"))[1]) < 300:
            pass
        testpmd.command("stop")
    frames = pcap.read(out)
    assert {len(frame) for frame in frames} == {64, 164, 184}
    for frame in frames[:300]:
        assert int.from_bytes(frame[16:18], "big") == len(frame) - 14
        assert pcap.checksum(frame[14:24] + b"\0\0" + frame[26:34]) == int.from_bytes(frame[24:26], "big")


def test_ring_carries_the_first_bursts(either):
    """tx_first: what was sent first goes round for ever."""
    with Testpmd(either, ["net_ring0"], ["-i", *MBUFS]) as testpmd:
        testpmd.ready()
        testpmd.command("start tx_first 3")
        testpmd.command("show port stats 0")
        statistics = forward_statistics(testpmd.command("stop"))["0"]
    assert statistics["RX-packets"] > 96
    assert statistics["TX-packets"] == statistics["RX-packets"] + 96
    assert statistics["TX-dropped"] == 0


@pytest.mark.parametrize("options,streams", [
    ([], [(0, 0, 1, 0), (1, 0, 0, 0)]),
    (["--rxq=2", "--txq=2"], [(0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 1, 1), (1, 1, 0, 1)]),
    (["--port-topology=loop"], [(0, 0, 0, 0), (1, 0, 1, 0)]),
], ids=str)
def test_streams(either, options, streams):
    """Which queue's packets leave by which queue."""
    with Testpmd(either, ["net_null0", "net_null1"], ["-i", *MBUFS, *options]) as testpmd:
        testpmd.ready()
        text = testpmd.command("show config fwd")
    assert [tuple(map(int, found)) for found in
            re.findall(r"RX P=(\d)/Q=(\d) \(socket \d\) -> TX P=(\d)/Q=(\d)", text)] == streams


def test_queues_forward(either):
    """Several queues: each stream has its statistics, and they add up to the port's."""
    with Testpmd(either, ["net_null0"], ["-i", *MBUFS, "--rxq=3", "--txq=3"]) as testpmd:
        testpmd.ready()
        testpmd.command("start")
        testpmd.command("show port stats all")
        text = testpmd.command("stop")
    queues = re.findall(r"------- Forward Stats for RX Port= 0/Queue= (\d) -> TX Port= 0/Queue= \1 -------\n"
                        r"  RX-packets: (\d+) +TX-packets: (\d+)", text)
    assert [queue for queue, _, _ in queues] == ["0", "1", "2"]
    assert sum(int(received) for _, received, _ in queues) == forward_statistics(text)["0"]["RX-packets"]


def test_retry(tmp_path):
    """A mode with retry forwards, and says that it retries."""
    frames = [pcap.udp_frame(number) for number in range(10)]
    pcap.write(tmp_path / "in.pcap", frames)
    with Testpmd(TI, [f"net_pcap0,rx_pcap={tmp_path}/in.pcap,tx_pcap={tmp_path}/out.pcap"],
                 ["-i", *MBUFS, "--no-flush-rx"]) as testpmd:
        testpmd.ready()
        testpmd.command("set fwd io retry")
        assert "TX retry num: 64, delay between TX retries: 1us" in testpmd.command("start")
        while "RX-packets: 10 " not in testpmd.command("show port stats 0"):
            pass
        testpmd.command("stop")
    assert pcap.read(tmp_path / "out.pcap") == frames
