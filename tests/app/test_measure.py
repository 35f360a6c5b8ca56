# SPDX-License-Identifier: BSD-3-Clause
"""The measuring mode: its lines, its counts, its files, on ports that need no privilege."""

import csv
import json
import os
import re
import signal
import struct
import subprocess
from pathlib import Path

import pcap
import pytest
from testpmd import EAL, TI, TIMEOUT, TOP, Testpmd, run

# The link partner, see tests/wire.
WIRE = Path(os.environ.get("WIRE", TOP / "build/native/tests/wire/wire"))

MASK64 = (1 << 64) - 1
QUIET = ["--log-level=critical"]


def measure(options, vdevs=("net_null0",)):
    """Measures to the end on one lcore; (exit code, output, errors)."""
    return run(TI, vdevs, ["--measure", *options], cores="0", eal=QUIET)


LINE = re.compile(r"^measure: (begin|end|drained) (\w+) (\d+) (\w+)(?: rx=(\d+) tx=(\d+) missed=(\d+))?"
                  r"(?: seconds=(\d+\.\d+))?$", re.MULTILINE)


def test_lines():
    """begin, end, drained, for each work and size in the order asked for."""
    code, output, _ = measure(["--measure=l2fwd,rxdrop", "--sizes=128,64", "--duration=0.1"])
    assert code == 0
    lines = LINE.findall(output)
    assert [line[:4] for line in lines] == [
        (kind, work, size, "port") for work in ("l2fwd", "rxdrop") for size in ("128", "64")
        for kind in ("begin", "end", "drained")]
    for kind, work, _, _, received, sent, missed, seconds in lines:
        if kind == "begin":
            assert not received and not seconds
            continue
        assert int(received) > 0
        assert int(sent) == (int(received) if work == "l2fwd" else 0)
        assert int(missed) == 0
        if kind == "end":
            assert 0.1 <= float(seconds) < 30


def test_lines_come_at_once():
    """A program that follows the output reads `begin` before the measurement is over."""
    with Testpmd(TI, ["net_null0"], ["--measure=rxdrop", "--sizes=64", "--duration=3600"], cores="0") as testpmd:
        testpmd.expect("^measure: begin rxdrop 64 port$")
        testpmd.interrupt(signal.SIGTERM)
        assert testpmd.wait() == 1
        assert "port, rxdrop" not in testpmd.output
        assert "port: ended by a signal" in testpmd.output


def test_signal_keeps_what_was_measured():
    """After a signal the cells that were done are reported, the others not."""
    with Testpmd(TI, ["net_null0"], ["--measure=txonly,rxdrop", "--sizes=64", "--duration=2", "--format=csv"],
                 cores="0") as testpmd:
        testpmd.expect("^measure: begin rxdrop 64 port$")
        testpmd.interrupt(signal.SIGINT)
        assert testpmd.wait() == 0
        assert re.search(r"^txonly,64,port,\d", testpmd.output, re.MULTILINE)
        assert re.search(r'^rxdrop,64,port,,.*"ended by a signal"$', testpmd.output, re.MULTILINE)


def test_table():
    """The table on standard output, in the published shape."""
    _, output, _ = measure(["--duration=0.1"])
    assert re.search(r"^net_null0 \(net_null\), 0.1 s each\n\n"
                     r"\| Kpps   \| 64 B: port \| 1500 B: port \|\n"
                     r"\|--------\|-----------:\|-------------:\|\n"
                     r"\| rxdrop \| +\d+ \| +\d+ \|\n\| txonly \| +\d+ \| +\d+ \|\n\| l2fwd  \| +\d+ \| +\d+ \|\n",
                     output, re.MULTILINE)


def test_json_file(tmp_path):
    """--output=X.json: the same numbers as the lines, and the table stays on standard output."""
    code, output, _ = measure(["--duration=0.1", f"--output={tmp_path}/x.json"])
    assert code == 0
    assert "| Kpps " in output
    result = json.loads((tmp_path / "x.json").read_text())
    assert (result["port"], result["driver"], result["duration"]) == ("net_null0", "net_null", 0.1)
    cells = {(cell["work"], str(cell["size"])): cell for cell in result["cells"]}
    assert len(cells) == 6
    for kind, work, size, _, received, sent, _, seconds in LINE.findall(output):
        cell = cells[work, size]
        if kind == "end":
            assert (cell["rx"], cell["tx"]) == (int(received), int(sent))
            frames = cell["rx"] if work == "rxdrop" else cell["tx"]
            assert cell["kpps"] == pytest.approx(frames / float(seconds) / 1000, rel=1e-3)
        elif kind == "drained":
            assert cell["drained_rx"] == int(received)
            # What the port itself counted, too.
            assert (cell["port_rx"], cell["port_tx"]) == (int(received), int(sent))


def test_csv_file(tmp_path):
    """--format=csv, whatever the file is called."""
    measure(["--duration=0.1", "--measure=txonly", f"--output={tmp_path}/x", "--format=csv"])
    with open(tmp_path / "x", newline="", encoding="utf8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["work"], row["size"], row["mode"]) for row in rows] == [("txonly", "64", "port"),
                                                                      ("txonly", "1500", "port")]
    assert all(float(row["kpps"]) > 0 and row["reason"] == "" for row in rows)


def test_output_cannot_be_written():
    """A file that cannot be written is a failure, after the table was shown."""
    code, output, errors = measure(["--duration=0.1", "--measure=txonly", "--output=/nonexistent/x.json"])
    assert code == 1
    assert "| Kpps " in output
    assert "measure: writing /nonexistent/x.json: No such file or directory" in errors


def test_size_beyond_the_mtu():
    """A size that cannot be sent is no failure, with --strict it is; the reason is told."""
    options = ["--measure=txonly", "--sizes=64,2000", "--duration=0.1"]
    code, output, errors = measure(options)
    assert code == 0
    assert "| txonly |" in output
    assert "port, txonly 2000 B: 2000 bytes are more than the MTU of 1500 allows" in output
    assert errors.strip() == "measure: txonly 2000 port: 2000 bytes are more than the MTU of 1500 allows"
    assert measure(options + ["--strict"])[0] == 1


def test_nothing_to_measure_on():
    """No interface and no port: one line."""
    code, output, errors = measure([], vdevs=())
    assert code == 1
    assert output == ""
    assert errors.strip() == "measure: no --iface, and EAL has no port 0"


def test_another_port():
    """--measure-port takes one of several ports of EAL's."""
    code, output, _ = measure(["--duration=0.1", "--measure=txonly", "--measure-port=1"],
                              vdevs=("net_null0", "net_null1"))
    assert code == 0
    assert "net_null1 (net_null)" in output


def test_l2fwd_turns_frames_round(tmp_path):
    """l2fwd sends each frame back once, the addresses exchanged, and counts it."""
    frames = [pcap.udp_frame(number, 60 + number % 1400) for number in range(500)]
    pcap.write(tmp_path / "in.pcap", frames)
    # Again and again, since what the queue holds before the measurement is thrown away.
    code, output, _ = measure(["--measure=l2fwd", "--sizes=64", "--duration=0.3"],
                              vdevs=(f"net_pcap0,rx_pcap={tmp_path}/in.pcap,tx_pcap={tmp_path}/out.pcap,infinite_rx=1",))
    assert code == 0
    end = [line for line in LINE.findall(output) if line[0] == "drained"][0]
    assert int(end[4]) == int(end[5]) > 500
    sent = pcap.read(tmp_path / "out.pcap")
    assert len(sent) == int(end[5])
    turned = {frame[6:12] + frame[:6] + frame[12:] for frame in frames}
    assert set(sent) == turned


def test_no_frame_comes():
    """Nothing received in the whole time: rate 0, and a line that says so; not a failure."""
    code, output, errors = measure(["--measure=rxdrop", "--sizes=64", "--duration=0.2"], vdevs=("net_ring0",))
    assert code == 0
    assert "| rxdrop |        0.0 |" in output
    assert errors.strip() == "measure: rxdrop 64 port: not one frame came"


def mix(x):
    """frame_mix() of tests/wire/frame.h."""
    x ^= x >> 32
    x = x * 0xD6E8FEB86659FD93 & MASK64
    x ^= x >> 32
    x = x * 0xD6E8FEB86659FD93 & MASK64
    return x ^ x >> 32


def wire_payload(stream, length, sequence):
    """The payload of tests/wire/frame.h, written here a second time from its description."""
    step = 0x9E3779B97F4A7C15
    salt = mix(0x7469 << 32 | stream << 16 | length)
    key = mix(salt ^ mix(sequence + step & MASK64))
    words = b"".join(struct.pack("<Q", key + index * step & MASK64) for index in range((length - 60) // 8 + 1))
    return struct.pack(">HHHQI", 0x7469, stream, length, sequence, mix(key) >> 32) + words[:length - 60]


@pytest.mark.parametrize("size,length", [(64, 60), (65, 65), (1500, 1500)])
def test_verify(tmp_path, size, length):
    """txonly --verify: consecutive numbers from 0, each frame whole, none more than were counted."""
    code, output, _ = measure(["--measure=txonly", f"--sizes={size}", "--duration=0.05", "--verify",
                               "--eth-peer=0,02:00:00:00:00:07"], vdevs=(f"net_pcap0,tx_pcap={tmp_path}/out.pcap",))
    assert code == 0
    frames = pcap.read(tmp_path / "out.pcap")
    assert {len(frame) for frame in frames} == {length}
    assert len(frames) == int(LINE.findall(output)[-1][5])
    for sequence in list(range(0, min(len(frames), 300))) + [len(frames) - 1]:
        frame = frames[sequence]
        assert frame[:6] == pcap.mac("02:00:00:00:00:07")
        assert pcap.checksum(frame[14:24] + b"\0\0" + frame[26:34]) == int.from_bytes(frame[24:26], "big")
        assert frame[42:] == wire_payload(1, length, sequence)
    assert [int.from_bytes(frame[48:56], "big") for frame in frames] == list(range(len(frames)))


def test_plain_txonly(tmp_path):
    """Without --verify: valid UDP to the default destination."""
    measure(["--measure=txonly", "--sizes=64", "--duration=0.05"], vdevs=(f"net_pcap0,tx_pcap={tmp_path}/out.pcap",))
    frame = pcap.read(tmp_path / "out.pcap")[0]
    assert frame[:6] == pcap.mac("02:00:00:00:00:00")
    assert frame[12:15] == b"\x08\x00\x45"
    assert int.from_bytes(frame[16:18], "big") == 46
    assert pcap.checksum(frame[14:24] + b"\0\0" + frame[26:34]) == int.from_bytes(frame[24:26], "big")


def test_several_queues():
    """All queues are polled by the one lcore."""
    code, output, _ = measure(["--measure=rxdrop", "--sizes=64", "--duration=0.2", "--rxq=3", "--txq=3"])
    assert code == 0
    assert int(LINE.findall(output)[1][4]) > 0


def test_interface_that_is_not_there():
    """Every mode tells why; nothing could be measured: failure."""
    code, output, errors = run(TI, [], ["--measure", "--iface=nonesuch0", "--duration=0.1"], cores="0")
    assert code == 1
    for mode in ("skb", "native", "zc"):
        assert re.search(rf"^measure: {mode}: .*nonesuch0", errors, re.MULTILINE), errors
    assert "zero-copy: " in output


# ---- on a veth pair, where the privilege is there ----

@pytest.fixture
def veth():
    """A pair of interfaces in a network namespace of its own; (namespace, one end, other end)."""
    name = f"tstapp{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"no network namespace can be made: {made.stderr.strip()}")
    try:
        pair = subprocess.run(["ip", "-n", name, "link", "add", "va", "type", "veth", "peer", "name", "vb"],
                              capture_output=True, text=True, check=False)
        if pair.returncode != 0:
            pytest.skip(f"no veth pair can be made: {pair.stderr.strip()}")
        # The stack's own frames would be counted too.
        subprocess.run(["ip", "netns", "exec", name, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1"],
                       check=True)
        for end in ("va", "vb", "lo"):
            subprocess.run(["ip", "-n", name, "link", "set", end, "up"], check=True)
        yield name
    finally:
        subprocess.run(["ip", "netns", "del", name], check=False)


def measure_on(namespace, options):
    """Starts measuring on the namespace's interface va."""
    command = ["ip", "netns", "exec", namespace, str(TI), "-l", "0", *EAL, *QUIET, "--", "--measure", "--iface=va", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def partner_on(namespace, options):
    """Starts the link partner on the other end."""
    if not WIRE.exists():
        pytest.skip(f"no {WIRE}: run `make native`, or set WIRE")
    command = ["ip", "netns", "exec", namespace, str(WIRE), "--iface", "vb", "--mac-check", "any", "--json", "-",
               *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    """Waits for the end of a process that must succeed; its output."""
    try:
        output, errors = process.communicate(timeout=2 * TIMEOUT)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    return output, errors


def test_veth_modes(veth, tmp_path):
    """veth has XDP, but no zero-copy: skb and native are measured, zc is refused with the reason."""
    _, errors = finish(measure_on(veth, ["--measure=txonly", "--sizes=64,1500", "--duration=0.5",
                                         f"--output={tmp_path}/x.json"]))
    cells = json.loads((tmp_path / "x.json").read_text())["cells"]
    for cell in cells:
        if cell["mode"] == "zc":
            assert "zero-copy" in cell["reason"] and "veth" in cell["reason"], cell
        else:
            assert cell["kpps"] > 0 and cell["tx"] > 0, cell
    assert re.search("^measure: zc: .*veth", errors, re.MULTILINE)
    # Nothing stays behind: no XDP program on the interface.
    link = subprocess.run(["ip", "-n", veth, "link", "show", "va"], capture_output=True, text=True, check=True).stdout
    assert "xdp" not in link


@pytest.mark.parametrize("mode", ["skb", "native"])
@pytest.mark.parametrize("size", [64, 1500])
def test_veth_txonly_verified(veth, mode, size):
    """Every frame that txonly counts arrives once and intact, and no other."""
    partner = partner_on(veth, ["--receive-only", "--quiet-ms", "2000"])
    while not partner.stderr.readline().startswith("wire: ready"):
        assert partner.poll() is None
    output, _ = finish(measure_on(veth, ["--measure=txonly", f"--sizes={size}", f"--modes={mode}", "--duration=0.3",
                                         "--verify"]))
    report = json.loads(finish(partner)[0])
    sent = [int(line[5]) for line in LINE.findall(output) if line[0] == "drained"]
    assert sent == [report["received"]] and sent[0] > 0
    assert [report[fault] for fault in ("lost", "duplicate", "reordered", "corrupt", "foreign")] == [0] * 5


@pytest.mark.parametrize("mode", ["skb", "native"])
def test_veth_l2fwd_verified(veth, mode):
    """Every frame of the partner is counted and comes back once and intact."""
    program = measure_on(veth, ["--measure=l2fwd", "--sizes=64", f"--modes={mode}", "--duration=3"])
    assert program.stdout.readline() == f"measure: begin l2fwd 64 {mode}\n", program.stderr.read()
    report = json.loads(finish(partner_on(veth, ["--seconds", "1", "--rate", "5000", "--expect", "echo"]))[0])
    lines = LINE.findall(finish(program)[0])
    end, drained = lines[0], lines[1]
    assert report["sent"] == report["received"] > 0
    assert int(drained[4]) == int(drained[5]) == report["sent"]
    assert end[6] == "0"
