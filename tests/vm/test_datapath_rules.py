# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the AF_XDP datapath (each learnt from a public fault of some driver), one test a rule.

All are asked of zero-copy on our FEC driver. Where a test is about what the kernel must do by itself,
the tool in the guest calls it only when need_wakeup asks, and is also bound without need_wakeup. After
each test the kernel's log is looked at, the interface must work, and no page may be missing.
"""

import contextlib
import signal
import time

import pytest

from lib import klog
from lib.machine import GUEST_IP, Vm
from lib.scale import frames, rate, rounds
from lib.xsk import Xsk

SIZES = "60-1514"
# Longest wait for a frame that is no failure: the host may be busy elsewhere.
PATIENT = ["--timeout-ms", 60000]

WAKEUP = pytest.mark.parametrize("wakeup", [[], ["--no-need-wakeup"]], ids=["need-wakeup", "no-need-wakeup"])


@pytest.fixture(scope="module", name="board")
def fixture_board():
    """One board for all rules."""
    with Vm() as vm:
        yield vm


@pytest.fixture(name="vm")
def fixture_vm(board):
    """The board, whose state and log are looked at after each test."""
    before = len(board.dmesg())
    yield board
    board.run("killall -q -9 xsk-test; true")
    check_healthy(board, before)


def check_healthy(vm, log_start):
    """Nothing in the log, no program left behind, the stack answers, no page pool is stuck."""
    found = klog.faults(vm.dmesg()[log_start:], vm.allowed_log)
    assert not found, "\n".join(found)
    vm.wait_detached()
    # What was under way there comes a moment later.
    vm.wire("--ping", 5, "--to", GUEST_IP, "--timeout-ms", 1000).wait()
    wire = vm.wire("--ping", 20, "--to", GUEST_IP, *PATIENT, "--expect", "echo")
    wire.wait()
    assert wire.ok, wire.log()
    vm.check("xsk-test page-pools --timeout-ms 20000")


def forward(vm, count=2000, *arguments):
    """Zero-copy works: frames of all sizes come back, each once."""
    count = frames(count)
    xsk = Xsk(vm, "l2fwd", "zc", "--count", count, *arguments)
    wire = vm.wire("--send", count, "--size", SIZES, "--window", 64, *PATIENT, "--expect", "echo")
    report = wire.wait()
    assert wire.ok and report["received"] == count, wire.log()
    assert xsk.wait()["zerocopy"]


@contextlib.contextmanager
def load(vm, speed=rate(8000)):
    """Traffic for the length of a block, at a rate that leaves the guest time for other things."""
    wire = vm.wire("--rate", speed, "--size", SIZES, "--seconds", 3600, "--quiet-ms", 0)
    try:
        wire.wait_ready()
        yield
    finally:
        report = wire.stop()
    assert report["corrupt"] == 0 and report["duplicate"] == 0, report


@contextlib.contextmanager
def same_socket(vm):
    """A socket that forwards, bound before the block and under load in it, must forward on after it."""
    xsk = Xsk(vm, "hold", "zc")
    with load(vm):
        time.sleep(0.3)
        yield xsk
    wire = vm.wire("--send", frames(2000), "--size", SIZES, "--stream", 77, "--window", 64, *PATIENT,
                   "--expect", "echo")
    wire.wait()
    assert wire.ok, wire.log()
    xsk.stop(signal.SIGTERM)
    assert xsk.report()["ok"], xsk.command.output


CARRIER = "until [ \"$(cat /sys/class/net/eth0/carrier)\" = 1 ]; do sleep 0.1; done"


def test_a_page_that_is_missing_is_found(vm):
    """The look for leaks, which ends every test here, sees pages that a stopped program holds."""
    echo = vm.start_command("exec xsk-test udp-echo --port 9")
    echo.expect("^ready$", 60)
    echo.kill(signal.SIGSTOP)
    vm.wire("--send", 8, "--size", 1514, "--to", GUEST_IP, "--port", 9, "--dst", vm.mac).wait()
    vm.check("ip link set eth0 down && ip link set eth0 up")
    rc, output = vm.run("xsk-test page-pools --timeout-ms 500")
    assert rc == 1 and "pages are out" in output, output
    echo.kill(signal.SIGKILL)
    echo.wait(60)
    vm.check(f"xsk-test page-pools --timeout-ms 20000 && {CARRIER}")


# --- what the kernel must do by itself -----------------------------------------------------------

@WAKEUP
def test_transmit_only_with_empty_fill_ring(vm, wakeup):
    """Who only sends need not lend a single buffer for receiving."""
    count = frames(8000)   # fewer than QEMU queues before it drops
    wire = vm.wire("--receive-only", "--count", count, "--expect", "all", "--quiet-ms", 5000)
    wire.wait_ready()
    report = Xsk(vm, "tx-empty-fill", "zc", "--count", count, *wakeup).wait()
    assert report["completed"] == count
    wire.wait()
    assert wire.ok, wire.log()


@WAKEUP
def test_stalled_consumer_is_served_again(vm, wakeup):
    """The fill ring runs dry and is refilled later: the queue does not stay suspended."""
    xsk = Xsk(vm, "stall", "zc", "--rounds", 6, "--stall-ms", 500, *wakeup)
    with load(vm, rate(10000)):
        report = xsk.wait()
    assert report["rounds"] == 6 and report["zerocopy"]


@WAKEUP
def test_stalled_consumer_is_served_again_by_single_frames(vm, wakeup):
    """The same with so little traffic that nothing else stirs the queue."""
    xsk = Xsk(vm, "stall", "zc", "--rounds", 2, "--stall-ms", 200, "--frames", 16, "--count", 8, *wakeup)
    with load(vm, 100):
        assert xsk.wait()["rounds"] == 2


@WAKEUP
def test_single_packet_in_a_closed_loop(vm, wakeup):
    """A lone frame is never left lying: it comes back though no other follows."""
    count = frames(2000)
    xsk = Xsk(vm, "closed-loop", "zc", "--count", count, *wakeup)
    wire = vm.wire("--send", count, "--closed-loop", *PATIENT, "--expect", "all")
    wire.wait()
    assert wire.ok, wire.log()
    xsk.wait()


@WAKEUP
def test_single_packet_from_this_side(vm, wakeup):
    """The same when the guest sends first."""
    wire = vm.wire("--echo", "--expect", "all", "--quiet-ms", 0)
    wire.wait_ready()
    count = frames(2000)
    assert Xsk(vm, "ping-pong", "zc", "--count", count, *wakeup).wait()["unique"] == count
    wire.stop()
    assert wire.ok, wire.log()


@WAKEUP
def test_completions_come_without_further_traffic(vm, wakeup):
    """Bursts of any length, each followed by silence, are sent and completed to the last frame."""
    wire = vm.wire("--receive-only", "--expect", "all", "--quiet-ms", 0)
    wire.wait_ready()
    report = Xsk(vm, "tx-complete", "zc", *wakeup).wait()
    assert report["rounds"] == 3 and report["completed"] == report["sent"]
    time.sleep(1)   # the last of them may still be on their way through the emulator
    assert wire.stop()["received"] == report["sent"]


@WAKEUP
def test_impossible_descriptors_are_refused(vm, wakeup):
    """Bad addresses and lengths are counted; the good frames among them are sent."""
    wire = vm.wire("--receive-only", "--expect", "all", "--quiet-ms", 0)
    wire.wait_ready()
    report = Xsk(vm, "garbage", "zc", "--count", frames(2000), *wakeup).wait()
    assert report["tx_invalid_descs"] == report["bad_descs"] > 0
    time.sleep(1)
    assert wire.stop()["received"] == report["completed"]


@pytest.mark.parametrize("how", [["--split"], ["--rewrite"], ["--frame-size", 4096, "--headroom", 128],
                                 ["--rx-ring", 64, "--tx-ring", 64, "--fill-ring", 64, "--comp-ring", 64,
                                  "--frames", 128], ["--batch", 1], ["--busy-poll", 50]],
                         ids=lambda how: " ".join(map(str, how)))
def test_every_shape_of_socket_forwards(vm, how):
    """Sockets that share a UMEM, small rings, copies between frames, large frames, busy polling."""
    forward(vm, 20000, *how)


# --- beside the stack ----------------------------------------------------------------------------

def test_passed_frames_are_undamaged_under_zero_copy_load(vm):
    """Pings and a UDP echo of the stack's are answered, each once and intact, among forwarded frames."""
    echo = vm.start_command("exec xsk-test udp-echo --port 7")
    echo.expect("^ready$", 60)
    count = frames(100000)
    xsk = Xsk(vm, "l2fwd", "zc", "--count", count * 8 // 10)
    wire = vm.wire("--to", GUEST_IP, "--send", count, "--window", 256, *PATIENT,
                   "--size", SIZES, "--mix", "8:udp/echo,1:ping/echo,1:udp=7/echo", "--expect", "echo")
    report = wire.wait()
    assert wire.ok, wire.log()
    assert [stream["received"] for stream in report["streams"]] == [count * share // 10 for share in (8, 1, 1)]
    xsk.wait()
    echo.kill(signal.SIGTERM)
    assert echo.wait(60) == 0, echo.output


def test_stack_is_served_while_the_consumer_stalls(vm):
    """An application that takes none of its frames does not take the port away from Linux."""
    xsk = Xsk(vm, "hold", "zc", "--frames", 1024, "--count", 0)
    xsk.command.kill(signal.SIGSTOP)
    # More than all buffers that the socket and the ring have.
    vm.wire("--send", 20000).wait()
    wire = vm.wire("--ping", frames(500), "--to", GUEST_IP, *PATIENT, "--expect", "echo")
    wire.wait()
    xsk.command.kill(signal.SIGCONT)
    assert wire.ok, wire.log()
    xsk.stop(signal.SIGTERM)


# --- coming and going under traffic --------------------------------------------------------------

def test_kill_in_mid_traffic_and_start_again(vm):
    """kill -9 leaves a queue that the next program can have."""
    with load(vm):
        for _ in range(rounds(10)):
            xsk = Xsk(vm, "hold", "zc")
            time.sleep(0.5)
            xsk.stop(signal.SIGKILL)
    forward(vm)


def test_attach_and_detach_many_times_under_traffic(vm):
    """Socket, UMEM and program come and go, with frames under way."""
    count = rounds(200)
    xsk = Xsk(vm, "attach-loop", "zc", "--rounds", count)
    with load(vm):
        report = xsk.wait()
    assert report["rounds"] == count and report["zerocopy"]
    forward(vm)


def test_link_flap_under_load(vm):
    """The cable is pulled and plugged; the same socket forwards on."""
    with same_socket(vm):
        for _ in range(3):
            vm.set_link(False)
            vm.set_link(True)


def test_interface_down_and_up_under_load(vm):
    """The interface goes down and comes up; the same socket forwards on."""
    with same_socket(vm):
        for _ in range(rounds(20)):
            vm.check("ip link set eth0 down")
            time.sleep(0.1)
            vm.check("ip link set eth0 up")
            time.sleep(0.2)
        vm.check(CARRIER)


def test_ring_sizes_change_under_load(vm):
    """ethtool -G with a zero-copy socket bound; the same socket forwards on."""
    with same_socket(vm):
        for rx, tx in ((64, 128), (4096, 128), (128, 4096), (4096, 4096), (512, 512)):
            vm.check(f"ethtool -G eth0 rx {rx} tx {tx}")
            time.sleep(0.3)


def test_mtu_changes_under_load(vm):
    """The MTU goes down and up with a zero-copy socket bound; the same socket forwards on."""
    with same_socket(vm):
        for mtu in (1000, 1500, 576, 1400, 1500):
            vm.check(f"ip link set eth0 mtu {mtu}")
            time.sleep(0.3)


def test_a_slow_change_is_no_transmit_timeout(vm):
    """New rings that take their time do not look like a transmitter that hangs."""
    # Not the driver's work is slow but the process in which it is done: it hardly gets a processor. The watchdog
    # speaks up after 5 s.
    greedy = vm.start_command("for i in $(seq 8); do (while :; do :; done) & done; wait")
    try:
        took = vm.check("for size in 4096 64 4096 64 4096 64 4096 64 4096; do start=$(cut -d. -f1 /proc/uptime); "
                        "sh -c 'renice -n 19 $$; exec ethtool -G eth0 rx '$size; now=$(cut -d. -f1 /proc/uptime); "
                        "echo $((now - start)); [ $((now - start)) -lt 7 ] || break; done", 600)
    finally:
        greedy.kill(signal.SIGKILL)
        greedy.wait(60)
    assert max(map(int, took.split())) >= 7, f"never slow enough to tell: {took.split()} s"
    vm.check(f"ethtool -G eth0 rx 512 tx 512; {CARRIER}")
    forward(vm)


def test_the_permanent_address_outlives_a_change_and_the_driver(vm):
    """An address that was set for a while is not what the next probe takes for the board's own."""
    vm.check("ip link set eth0 address 02:00:00:aa:bb:cc")
    device = vm.check("basename $(readlink -f /sys/class/net/eth0/device)").strip()
    vm.check(f"cd /sys/class/net/eth0/device/driver && echo {device} > unbind && echo {device} > bind && "
             f"until [ -e /sys/class/net/eth0 ]; do sleep 0.1; done && ip addr add {GUEST_IP}/24 dev eth0 && "
             f"ip link set eth0 up && {CARRIER}")
    assert vm.check("cat /sys/class/net/eth0/address").strip() == vm.mac
    assert "permaddr" not in vm.check("ip link show eth0")
    forward(vm)


def test_module_removal_under_load(vm):
    """The driver goes while frames flow, and comes back; zero-copy works again."""
    with load(vm):
        for _ in range(3):
            xsk = Xsk(vm, "hold", "zc")
            time.sleep(0.5)
            vm.check("rmmod fec")
            vm.check("xsk-test page-pools --timeout-ms 20000")
            # Its socket has lost its device; it must still be able to end.
            xsk.stop(signal.SIGKILL)
            vm.check("modprobe fec && until [ -e /sys/class/net/eth0 ]; do sleep 0.1; done && "
                     f"ip addr add {GUEST_IP}/24 dev eth0 && ip link set eth0 up && {CARRIER}")
    forward(vm)
