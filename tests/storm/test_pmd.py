# SPDX-License-Identifier: BSD-3-Clause
"""Storms on the PMD in zero-copy, on the emulated board: the driver is taken from under a program that forwards,
pools are as small as they may be, programs are killed, and two want one queue.
"""

import os
import re
import signal

import pytest

from lib import klog, scale
from lib.machine import GUEST_IP, Vm
from lib.scale import frames
from lib.xsk import Xsk

IFACE = os.environ.get("STORM_IFACE", "eth0")
SIZES = "60-1514"
# How long a frame may be under way, and how long the far end, which may be down, may take none.
PATIENT = ["--timeout-ms", 60000, "--wait-ms", 300000]
FORWARDED = frames(4000)
PROGRAM = "ti-testpmd -l 0,1 --no-pci --no-telemetry --file-prefix={prefix} --vdev net_af_xdp_ti0,iface={iface},mode=zc"
GONE = "is gone (removed, or moved to another network namespace)"
PROMPT = r"testpmd> $"
# What a port usually has. The DMA API's debugging looks for the mapping of a buffer that is an mbuf through its whole
# table, at each start of the port: some six a second.
USUAL = 128 if scale.is_debug() else 512
# The smallest pool for so many descriptors.
DESCRIPTORS, MBUFS = 1024, 1024 + 64


@pytest.fixture(scope="module", name="board")
def fixture_board():
    """One board for all storms."""
    with Vm(hugepages=64) as vm:
        yield vm


class Program:
    """A ti-testpmd at its prompt for the length of a block."""

    def __init__(self, vm, prefix="t", mbufs=4096, descriptors=USUAL):
        self.command = vm.start_command(
            "exec " + PROGRAM.format(prefix=prefix, iface=IFACE) + " -- -i --forward-mode=macswap "
            f"--total-num-mbufs={mbufs} --rxd={descriptors} --txd={descriptors}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.command.running:
            self.kill()

    def ready(self):
        """Waits for the prompt."""
        self.command.expect(PROMPT, 240)
        return self

    def do(self, line):
        """One command, up to the next prompt."""
        self.command.send(line + "\n")
        self.command.expect(PROMPT, 120)
        return self

    def quit(self):
        """Ends it as a user does."""
        self.command.send("quit\n")
        rc = self.command.wait(120 * scale.patience())
        assert rc == 0, self.output

    def kill(self):
        """kill -9, and its end."""
        self.command.kill(signal.SIGKILL)
        self.command.wait(120 * scale.patience())

    @property
    def output(self):
        """All that was printed; whole after its end."""
        return self.command.output


class Driver:
    """The netdev's driver and device, whichever they are, and what the stack has on the netdev."""

    def __init__(self, vm):
        self.vm = vm
        self.device = vm.check(f"basename $(readlink -f /sys/class/net/{IFACE}/device)").strip()
        self.path = vm.check(f"readlink -f /sys/class/net/{IFACE}/device/driver").strip()

    def unbind(self):
        """Off."""
        self.vm.check(f"echo {self.device} > {self.path}/unbind; ! test -e /sys/class/net/{IFACE}")

    def bind(self):
        """On again, with the address and the state that it had."""
        self.vm.check(f"echo {self.device} > {self.path}/bind; until [ -e /sys/class/net/{IFACE} ]; do sleep 0.1; done; "
                      f"ip address add {GUEST_IP}/24 dev {IFACE}; ip link set {IFACE} up; "
                      f'until [ "$(cat /sys/class/net/{IFACE}/carrier)" = 1 ]; do sleep 0.1; done')


def background(vm):
    """Frames at a low rate meanwhile, whatever becomes of them."""
    wire = vm.wire("--seconds", 1_000_000, "--rate", 200, "--size", SIZES, "--stream", 9, *PATIENT)
    wire.wait_ready()
    return wire


def forwarded(vm, number=FORWARDED):
    """Frames there and back through the program, each once and intact."""
    wire = vm.wire("--send", number, "--size", SIZES, "--window", 64, "--stream", 7, *PATIENT, "--expect", "echo")
    report = wire.wait()
    assert wire.ok and report["received"] == number, wire.log()


def driver_unbound(vm, storm):
    """The driver goes under a program that forwards, and comes back: the same port goes on with the new netdev."""
    driver = Driver(vm)
    with Program(vm).ready().do("start") as program:
        with_traffic = background(vm)
        vm.check(f"sleep {storm.random.uniform(0.2, 1):.2f}")
        driver.unbind()
        program.do("show port stats 0").do("show port xstats 0").do("stop").do("port stop 0")
        # Not without the netdev.
        program.do("port start 0")
        with_traffic.stop()
        driver.bind()
        program.do("port start 0").do("start")
        forwarded(vm)
        program.do("stop")
        program.quit()
        said = program.output
    assert said.count(GONE) == 1, said
    assert f'no network interface "{IFACE}" in this network namespace' in said, said
    assert f"there is a {IFACE} again" in said, said


def driver_unbound_and_killed(vm, _):
    """The same, and the program is killed while there is no netdev."""
    driver = Driver(vm)
    with Program(vm).ready().do("start") as program:
        driver.unbind()
        program.kill()
    driver.bind()


def interface_down_and_up(vm, storm):
    """Down and up again under traffic, some times: the port goes on by itself."""
    with Program(vm).ready().do("start") as program:
        with_traffic = background(vm)
        for _ in range(1 if vm.debug else storm.random.randint(1, 3)):
            vm.check(f"ip link set {IFACE} down; sleep {storm.random.uniform(0, 0.5):.2f}; ip link set {IFACE} up; "
                     f'until [ "$(cat /sys/class/net/{IFACE}/carrier)" = 1 ]; do sleep 0.1; done')
        with_traffic.stop()
        forwarded(vm)
        program.do("stop")
        program.quit()
        assert GONE not in program.output, program.output


def smallest_pool(vm, _):
    """No more mbufs than the port asks for: offered more than they can hold, it goes on afterwards."""
    with Program(vm, mbufs=MBUFS, descriptors=DESCRIPTORS).ready().do("start") as program:
        flood = vm.wire("--send", FORWARDED, "--size", 60, "--stream", 9, "--window", 1024, "--wait-ms", 300000)
        flood.wait()
        forwarded(vm)
        program.do("stop")
        program.quit()


def two_programs(vm, storm):
    """The second is told who has the netdev; the first goes on; killed, the next one has it."""
    with Program(vm).ready().do("start") as first:
        second = vm.start_command(PROGRAM.format(prefix="u", iface=IFACE) + " -- --total-num-mbufs=4096")
        second.close_stdin()
        assert second.wait(240) != 0, second.output
        assert re.search(rf"net_af_xdp_ti0: {IFACE} is in use by process \d+ \(ti-testpmd\)", second.output), second.output
        forwarded(vm, frames(500))
        if storm.random.randrange(2):
            first.kill()
        else:
            first.quit()
        with Program(vm, prefix="v").ready().do("start") as third:
            forwarded(vm, frames(500))
            third.quit()


def queue_of_another_socket(vm, _):
    """A queue that another program's AF_XDP socket has: refused, nothing is left; then the queue is free."""
    xsk = Xsk(vm, "l2fwd", "zc")
    with Program(vm).ready() as program:
        program.do("port start 0")
        program.quit()
    assert re.search(rf"{IFACE} has an XDP program already|queue 0 of {IFACE} is taken", program.output), program.output
    forwarded(vm, frames(500))
    xsk.stop()


def killed_while_starting(vm, storm):
    """kill -9 at any moment of the start."""
    for _ in range(storm.random.randint(1, 3)):
        with Program(vm) as program:
            vm.check(f"sleep {storm.random.uniform(0, 1.5) * (3 if vm.debug else 1):.2f}")
            program.kill()


DEEDS = [driver_unbound, driver_unbound_and_killed, interface_down_and_up, smallest_pool, two_programs,
         queue_of_another_socket, killed_while_starting]


@pytest.mark.storm(seconds=45)
def test_pmd_in_zero_copy(board, storm):
    """All that happens to the port, in random order, each once before any comes again."""
    vm = board
    settings = f"ip -o link show {IFACE} | sed 's/^[0-9]*: //; s/qdisc.*mode/mode/'"
    before = vm.check(settings)
    log = len(vm.dmesg())
    while not storm.over():
        deeds = DEEDS.copy()
        storm.random.shuffle(deeds)
        for deed in deeds:
            deed(vm, storm)
            vm.wait_detached(IFACE)
            new = vm.dmesg()[log:]
            assert not klog.faults(new, vm.allowed_log), f"{deed.__name__}: {klog.faults(new, vm.allowed_log)[:40]}"
            log += len(new)
            storm.count(**{deed.__name__: 1})
            if storm.over():
                break
    with Program(vm).ready().do("start") as program:
        forwarded(vm)
        program.quit()
    vm.wait_detached(IFACE)
    assert vm.check(settings) == before
    ping = vm.wire("--ping", 20, "--to", GUEST_IP, *PATIENT, "--expect", "echo")
    ping.wait()
    assert ping.ok, ping.log()
    vm.check("xsk-test page-pools --timeout-ms 20000", 300)
