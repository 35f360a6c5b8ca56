# SPDX-License-Identifier: BSD-3-Clause
"""The AF_XDP ring test tool (tests/xsk) against the link partner, natively on a veth pair.

What holds here, in the kernel's own copy modes, is what the VM tests then ask of a driver.
"""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parents[2] / "build/native/tests"
XSK = BUILD / "xsk/xsk-test"
WIRE = BUILD / "wire/wire"
TOOL_MAC, PARTNER_MAC = "52:54:00:00:00:02", "52:54:00:00:00:01"
TIMEOUT = 120

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces and AF_XDP need root")


class Process:
    """A program in one of the namespaces."""

    def __init__(self, namespace, arguments, directory, name):
        self.log = directory / name
        self.json = directory / f"{name}.json"
        self.log.unlink(missing_ok=True)
        self.json.unlink(missing_ok=True)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", namespace, *map(str, arguments), "--json", str(self.json)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def text(self):
        """What it has written."""
        return self.log.read_text(errors="replace")

    def ready(self):
        """Waits until it says that frames can flow."""
        deadline = time.monotonic() + TIMEOUT
        while "ready" not in self.text().split():
            assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.text()}"
            assert time.monotonic() < deadline, f"not ready: {self.text()}"
            time.sleep(0.02)
        return self

    def end(self, signum=None, code=0):
        """Waits for its end, after a signal if one is given; its report."""
        if signum:
            self.process.send_signal(signum)
        rc = self.process.wait(TIMEOUT)
        assert rc == code, f"exit code {rc}: {self.text()}"
        return json.loads(self.json.read_text()) if self.json.exists() else None

    def kill(self):
        """Ends it at once."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Pair:
    """A veth pair, each end in a namespace of its own: the tool's and the partner's."""

    def __init__(self, directory):
        self.directory = directory
        self.tool_ns = f"xsk-tool-{os.getpid()}"
        self.wire_ns = f"xsk-wire-{os.getpid()}"
        self.running = []

    def __enter__(self):
        try:
            self.set_up()
        except BaseException:
            self.__exit__()
            raise
        return self

    def set_up(self):
        """Makes the namespaces and the pair."""
        self.ip("netns", "add", self.tool_ns)
        self.ip("netns", "add", self.wire_ns)
        for namespace in (self.tool_ns, self.wire_ns):
            path = "net.ipv6.conf.default.disable_ipv6=1"
            subprocess.run(["ip", "netns", "exec", namespace, "sysctl", "-qw", path], check=True)
        self.ip("link", "add", "veth0", "netns", self.tool_ns, "address", TOOL_MAC,
                "type", "veth", "peer", "name", "veth0", "netns", self.wire_ns, "address", PARTNER_MAC)
        self.ip("-n", self.tool_ns, "address", "add", "10.0.0.2/24", "dev", "veth0")
        for namespace in (self.tool_ns, self.wire_ns):
            self.ip("-n", namespace, "link", "set", "veth0", "up")
        # The partner sees frames as they are on a wire, with their checksums in.
        subprocess.run(["ip", "netns", "exec", self.tool_ns, "ethtool", "-K", "veth0", "tx", "off"],
                       check=True, stdout=subprocess.DEVNULL)

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
        for namespace in (self.tool_ns, self.wire_ns):
            subprocess.run(["ip", "netns", "del", namespace], check=False, stderr=subprocess.DEVNULL)

    @staticmethod
    def ip(*arguments):
        """Runs ip, which must succeed."""
        subprocess.run(["ip", *arguments], check=True)

    def _start(self, namespace, arguments):
        process = Process(namespace, arguments, self.directory, f"{len(self.running)}.log")
        self.running.append(process)
        return process

    def tool(self, work, *arguments):
        """Starts a work of the tool."""
        return self._start(self.tool_ns, [XSK, work, "--iface", "veth0", *arguments])

    def wire(self, *arguments):
        """Starts the link partner."""
        return self._start(self.wire_ns, [WIRE, "--iface", "veth0", "--dst", TOOL_MAC, *arguments])


@pytest.fixture(name="pair")
def pair_fixture(tmp_path):
    """A fresh pair for each test."""
    with contextlib.ExitStack() as stack:
        yield stack.enter_context(Pair(tmp_path))


@pytest.fixture(name="mode", params=["skb", "native"])
def mode_fixture(request):
    """The copy modes; veth has no zero-copy."""
    return request.param


@pytest.fixture(name="wakeup", params=["need-wakeup", "no-need-wakeup"])
def wakeup_fixture(request):
    """Bound with and without XDP_USE_NEED_WAKEUP."""
    return [] if request.param == "need-wakeup" else ["--no-need-wakeup"]


def test_receive(pair, mode):
    """Every frame that was sent is received once and intact."""
    tool = pair.tool("rx", "--mode", mode, "--count", 100000).ready()
    pair.wire("--send", 100000, "--rate", "40k", "--size", "60-1514").end()
    report = tool.end()
    assert report["unique"] == report["good"] == 100000
    assert not report["zerocopy"]


def test_transmit(pair, mode):
    """Every frame that was sent is completed, and comes out once and intact."""
    wire = pair.wire("--receive-only", "--count", 100000, "--expect", "all").ready()
    report = pair.tool("tx", "--mode", mode, "--count", 100000, "--size", 200).end()
    assert report["completed"] == 100000
    assert wire.end()["received"] == 100000


def test_transmit_no_faster_than_the_partner(pair, mode):
    """With a window, nothing is lost however fast the tool could send."""
    wire = pair.wire("--echo-every", 64, "--count", 100000, "--expect", "all").ready()
    pair.tool("tx", "--mode", mode, "--count", 100000, "--window", 128).end()
    assert wire.end()["echoed"] == 1563


@pytest.mark.parametrize("how", [[], ["--rewrite"], ["--split"], ["--no-need-wakeup", "--strict"],
                                 ["--frame-size", 4096, "--headroom", 64, "--split", "--rewrite"],
                                 ["--busy-poll", 20]], ids=lambda how: " ".join(map(str, how)) or "plain")
def test_forward(pair, mode, how):
    """Every frame comes back once and intact, whatever way the socket was made."""
    tool = pair.tool("l2fwd", "--mode", mode, "--count", 50000, *how).ready()
    pair.wire("--send", 50000, "--window", 64, "--size", "60-1514", "--expect", "echo").end()
    assert tool.end()["completed"] == 50000


def test_transmit_with_empty_fill_ring(pair, mode, wakeup):
    """Sending needs no frame in the fill ring."""
    assert pair.tool("tx-empty-fill", "--mode", mode, "--count", 20000, *wakeup).end()["completed"] == 20000


def test_stalled_consumer_is_served_again(pair, mode, wakeup):
    """After the fill ring ran dry and was refilled, reception goes on."""
    tool = pair.tool("stall", "--mode", mode, *wakeup).ready()
    wire = pair.wire("--seconds", 600, "--rate", "20k", "--quiet-ms", 0)
    assert tool.end()["rounds"] == 3
    wire.end(signal.SIGTERM)


def test_single_packet_closed_loop(pair, mode, wakeup):
    """Each frame is echoed though no other follows it."""
    tool = pair.tool("closed-loop", "--mode", mode, "--count", 1000, *wakeup).ready()
    pair.wire("--send", 1000, "--closed-loop", "--expect", "all").end()
    tool.end()


def test_ping_pong(pair, mode):
    """The same, the tool's frame being first."""
    wire = pair.wire("--echo", "--expect", "all").ready()
    assert pair.tool("ping-pong", "--mode", mode, "--count", 1000).end()["unique"] == 1000
    wire.end()


def test_completions_need_no_further_traffic(pair, mode, wakeup):
    """A burst of any length is completed in the silence that follows it."""
    assert pair.tool("tx-complete", "--mode", mode, *wakeup).end()["rounds"] == 3


def test_attach_and_detach_under_traffic(pair, mode):
    """Socket, UMEM and program come and go while frames arrive."""
    tool = pair.tool("attach-loop", "--mode", mode, "--rounds", 20).ready()
    wire = pair.wire("--seconds", 600, "--rate", "20k", "--quiet-ms", 0)
    assert tool.end()["rounds"] == 20
    wire.end(signal.SIGTERM)


def test_impossible_descriptors_are_refused(pair, mode):
    """Bad descriptors are counted, the good ones among them are sent."""
    report = pair.tool("garbage", "--mode", mode, "--count", 1000).end()
    assert report["tx_invalid_descs"] == report["bad_descs"] > 0


def test_passed_frames_reach_the_stack(pair, mode):
    """Beside forwarding, pings and a UDP echo are answered by the stack, intact."""
    tool = pair.tool("l2fwd", "--mode", mode, "--count", 16000).ready()
    echo = pair.tool("udp-echo", "--port", 7).ready()
    report = pair.wire("--to", "10.0.0.2", "--answer", "10.0.0.1", "--send", 20000, "--window", 32,
                       "--size", "60-1514", "--mix", "8:udp/echo,1:ping/echo,1:udp=7/echo").end()
    assert [stream["received"] for stream in report["streams"]] == [16000, 2000, 2000]
    tool.end()
    assert echo.end(signal.SIGTERM)["received"] == 2000


def test_kill_and_start_again(pair, mode):
    """After kill -9 in mid-traffic the queue is free again."""
    wire = pair.wire("--seconds", 600, "--rate", "20k", "--quiet-ms", 0)
    for _ in range(3):
        tool = pair.tool("hold", "--mode", mode).ready()
        time.sleep(0.3)
        tool.end(signal.SIGKILL, code=-signal.SIGKILL)
    wire.end(signal.SIGTERM)
    tool = pair.tool("l2fwd", "--mode", mode, "--count", 1000).ready()
    pair.wire("--send", 1000, "--window", 16, "--stream", 1, "--expect", "echo").end()
    tool.end()


def test_zero_copy_is_refused_where_there_is_none(pair):
    """One line that says so, and nothing left behind."""
    tool = pair.tool("rx", "--mode", "zc")
    tool.end(code=2)
    assert tool.text().count("\n") == 1 and "no zero-copy" in tool.text()
    link = subprocess.run(["ip", "-n", pair.tool_ns, "link", "show", "veth0"],
                          check=True, capture_output=True, text=True).stdout
    assert "xdp" not in link


@pytest.mark.parametrize("arguments", [
    [], ["nothing"], ["rx"], ["rx", "--iface", "no-such-if"], ["rx", "--iface", "lo", "--mode", "fast"],
    ["rx", "--iface", "lo", "--rx-ring", "100"], ["rx", "--iface", "lo", "--count"],
    ["rx", "--iface", "lo", "--frame-size", "3000"], ["rx", "--iface", "lo", "stray"],
    ["tx", "--iface", "lo", "--size", "59"], ["rx", "--iface", "lo", "--bogus"],
], ids=lambda arguments: " ".join(arguments) or "none")
def test_bad_options_say_so_in_one_line(arguments):
    """Exit code 2 and one line."""
    done = subprocess.run([XSK, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and not done.stdout
