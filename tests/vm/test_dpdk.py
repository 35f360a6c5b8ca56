# SPDX-License-Identifier: BSD-3-Clause
"""DPDK programs on the PMD, on the emulated board: Debian's dpdk-testpmd with the plugin, and ti-testpmd.

Frames are numbered and checksummed by the link partner, which wants each back once and intact.
"""

import re
import signal

import pytest

from lib.machine import GUEST_IP, PARTNER_IP, Vm
from lib.scale import is_debug

# The buffers that are mbufs lie across pages, and the DMA API's debugging looks for the mapping of such
# a one through its whole table: some ten frames a second.
FRAMES = 200 if is_debug() else 100_000
SIZES = "60,1514,60-1514"
EAL = "-l 0,1 --no-pci --no-telemetry --file-prefix=t"
PLUGIN = "/usr/lib/aarch64-linux-gnu/librte_net_af_xdp_ti.so"
STOCK = f"dpdk-testpmd {EAL} -d {PLUGIN}"
OURS = f"ti-testpmd {EAL}"
PROGRAMS = pytest.mark.parametrize("program", [STOCK, OURS], ids=["dpdk-testpmd", "ti-testpmd"])


@pytest.fixture(scope="module", name="vm")
def fixture_vm():
    """One board for the module."""
    with Vm(image="dpdk", hugepages=128) as vm:
        yield vm


class Prompt:
    """A testpmd at its prompt for the length of a block."""

    def __init__(self, vm, program, devargs, options=""):
        self.vm = vm
        self.script = (f"{program} --vdev net_af_xdp_ti0,iface=eth0{devargs} -- -i "
                       f"--total-num-mbufs=16384 {options}")
        self.command = None

    def __enter__(self):
        self.command = self.vm.start_command(self.script)
        self.command.expect(r"testpmd> $", 240)
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.command.send("quit\n")
            rc = self.command.wait(120)
            assert rc == 0, self.command.output
        elif self.command.running:
            self.command.kill(signal.SIGKILL)

    def do(self, line):
        """One command, up to the next prompt. What it prints may come later: stdout is no terminal."""
        self.command.send(line + "\n")
        self.command.expect(r"testpmd> $", 120)

    @property
    def output(self):
        """All that was printed; whole after the block."""
        return self.command.output


def xdp_left_behind(vm):
    """What `ip link` tells of an XDP program on eth0."""
    return re.findall(r"prog/xdp.*", vm.check("ip -d link show eth0"))


def forward(vm, expect="all"):
    """Frames there and back; the link partner's report. `echo` lets frames of earlier traffic come too."""
    wire = vm.wire("--send", FRAMES, "--size", SIZES, "--window", 128, "--timeout-ms", 60000, "--expect", expect)
    report = wire.wait()
    assert wire.ok and report["sent"] == report["received"] == FRAMES, report
    return report


@PROGRAMS
@pytest.mark.parametrize("mode", ["zc", "copy", "skb"])
def test_macswap_returns_every_frame_once_and_intact(vm, program, mode):
    """100,000 frames of all sizes come back, in each of the modes."""
    with Prompt(vm, program, f",mode={mode}", "--forward-mode=macswap") as pmd:
        pmd.do("start")
        forward(vm)
        pmd.do("show port xstats 0")
        pmd.do("stop")
    assert re.search(rf"RX-packets: {FRAMES} .*RX-total: {FRAMES}", pmd.output), pmd.output
    xstats = dict(re.findall(r"^(\w+): (\d+)", pmd.output, re.MULTILINE))
    assert int(xstats["rx_good_packets"]) == int(xstats["tx_good_packets"]) == FRAMES, xstats
    assert not xdp_left_behind(vm)


@PROGRAMS
def test_auto_takes_zero_copy_where_it_can_be_had(vm, program):
    """mode=auto binds this driver in zero-copy, and says so in a statistic."""
    before = statistic(vm, "rx0_xsk_packets")
    with Prompt(vm, program, ",mode=auto", "--forward-mode=macswap") as pmd:
        pmd.do("start")
        forward(vm)
        pmd.do("stop")
    # The driver's own counter of frames received into XSK buffers.
    assert statistic(vm, "rx0_xsk_packets") - before == FRAMES


def statistic(vm, name):
    """One number of ethtool -S."""
    found = re.search(rf"^\s*{name}: (\d+)$", vm.check("ethtool -S eth0"), re.MULTILINE)
    assert found, f"no statistic {name}"
    return int(found[1])


@PROGRAMS
def test_killed_program_leaves_nothing_and_starts_again(vm, program):
    """kill -9 in mid-traffic detaches program and pool; the same command then forwards as before."""
    with Prompt(vm, program, ",mode=zc", "--forward-mode=macswap") as pmd:
        pmd.do("start")
        wire = vm.wire("--seconds", 20, "--size", SIZES, "--stream", 9)
        wire.wait_ready()
        vm.check("sleep 3")
        pmd.command.kill(signal.SIGKILL)
        pmd.command.wait(60)
        wire.stop()
        vm.wait_detached()
        # The stack has its interface back.
        ping = vm.wire("--ping", 100, "--to", GUEST_IP, "--answer", PARTNER_IP, "--timeout-ms", 60000, "--expect", "echo")
        report = ping.wait()
        assert ping.ok, report
        # Debian's EAL leaves files of a killed primary process; a new one of that prefix cleans up.
        pmd.command = vm.start_command(pmd.script)
        pmd.command.expect(r"testpmd> $", 240)
        pmd.do("start")
        forward(vm, "echo")
        pmd.do("stop")


def test_ports_stop_and_start_again_without_losing_mbufs(vm):
    """Ten times stopped and started under load, the pool still feeds the port."""
    with Prompt(vm, OURS, ",mode=zc", "--forward-mode=macswap") as pmd:
        wire = vm.wire("--seconds", 120, "--size", SIZES, "--stream", 9)
        wire.wait_ready()
        for _ in range(10):
            pmd.do("start")
            vm.check("sleep 0.2")
            pmd.do("stop")
            pmd.do("port stop 0")
            pmd.do("port start 0")
        wire.stop()
        pmd.do("start")
        forward(vm, "echo")
        pmd.do("stop")


def test_link_state_of_the_board_is_the_ports(vm):
    """The port tells the link and speed of the interface."""
    with Prompt(vm, OURS, ",mode=zc") as pmd:
        speed = vm.check("cat /sys/class/net/eth0/speed").strip()
        pmd.do("show port info 0")
    info = pmd.output
    assert re.search(r"Link status: up", info), info
    assert re.search(rf"Link speed: {int(speed) // 1000 if int(speed) >= 1000 else speed} [GM]bps", info), info
    assert "02:00:00:00:00:02" in info.lower()


ERRORS = {
    "queue out of range": (",start_queue=7", r"queue"),
    "bad mode": (",mode=fast", r"mode"),
    "unknown key": (",zero=1", r"zero"),
}


@PROGRAMS
@pytest.mark.parametrize("what", ERRORS)
def test_refusal_is_one_line_and_leaves_nothing(vm, program, what):
    """A port that cannot be had: a line of ours that names it, nothing changed. Exit code not zero
    where the program makes that of it; the stock testpmd goes on without ports, and ends with 0.
    """
    devargs, named = ERRORS[what]
    before = vm.check("ip -d link show eth0")
    rc, output = vm.run(f"{program} --vdev net_af_xdp_ti0,iface=eth0{devargs} -- --total-num-mbufs=16384", 240)
    ours = [line for line in output.splitlines() if "net_af_xdp_ti0" in line and re.search(named, line)]
    assert len(ours) == 1 and "No probed ethernet devices" in output, output
    assert program == STOCK or rc != 0, output
    assert vm.check("ip -d link show eth0") == before


def test_queue_that_another_program_has_is_refused_with_who_has_it(vm):
    """The second program on a queue is told; the first goes on undisturbed."""
    with Prompt(vm, OURS, ",mode=zc", "--forward-mode=macswap") as pmd:
        pmd.do("start")
        rc, output = vm.run(OURS.replace("--file-prefix=t", "--file-prefix=u") +
                            " --vdev net_af_xdp_ti0,iface=eth0,mode=zc -- --total-num-mbufs=16384", 240)
        assert rc != 0 and re.search(r"net_af_xdp_ti0: eth0 is in use by process \d+ \(ti-testpmd\)", output), output
        forward(vm)
        pmd.do("stop")
