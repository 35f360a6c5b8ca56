# SPDX-License-Identifier: BSD-3-Clause
"""The kernel's own ICSSG driver, unchanged, on the simulated hardware: it probes, takes its ports up and
carries traffic. So the simulation is not bent to our driver."""

import re

import pytest

from lib import hwsim
from lib.machine import Vm
from lib.scale import frames, is_debug

pytestmark = pytest.mark.skipif(is_debug(), reason="built for the stock kernel")

PORTS = pytest.mark.parametrize("port", hwsim.PORTS)


@pytest.fixture(scope="module", name="vm")
def fixture_vm():
    """One board with the kernel's own driver, its ports up."""
    with Vm(hwsim="in-tree") as vm:
        hwsim.set_up(vm)
        yield vm


def test_driver_is_the_kernels_own(vm):
    """Its two modules, and the message that ends its probe."""
    assert "icssg_prueth" in vm.check("cat /proc/modules")
    assert vm.check("cat /sys/module/icssg/refcnt").strip() == "1"
    assert "TI PRU ethernet driver initialized: dual EMAC mode" in vm.dmesg()


@PORTS
def test_firmware_was_told(vm, port):
    """The firmware runs, was told to forward, and was told of the receive flow."""
    state = hwsim.status(vm, port)
    assert state["firmware"]["running"] == "1"
    assert int(state["firmware"]["messages"]) >= 1
    assert state["port"] == {"link": "1", "rx_open": "1", "tx_open": "1"}


@PORTS
def test_echo_of_every_size(vm, port):
    """Pings from the far end, every payload compared."""
    hwsim.echo(vm, port, frames(5000))


@PORTS
def test_ping_from_the_board(vm, port):
    """The board's stack sends first."""
    output = vm.check(f"ping -q -f -c {frames(500)} -s 1400 -p a5 {hwsim.far_ip(port)}", 300)
    assert " 0% packet loss" in output, output


@PORTS
@pytest.mark.parametrize("to_board", [True, False], ids=["to the board", "from the board"])
def test_tcp(vm, port, to_board):
    """A file arrives as it was sent."""
    hwsim.transfer(vm, port, 8 << 20, to_board)


@PORTS
def test_cable_pulled_and_plugged(vm, port):
    """The link goes, the firmware is told; it comes back, and frames pass again."""
    hwsim.put(vm, port, "cable", 0)
    hwsim.wait_link(vm, port, False)
    assert hwsim.status(vm, port)["port"] == {"link": "0", "rx_open": "0", "tx_open": "0"}
    hwsim.put(vm, port, "cable", 1)
    hwsim.wait_link(vm, port)
    hwsim.echo(vm, port, 100)


def test_ports_down_and_up(vm):
    """Both ports down: the firmware stops. Up again: it is loaded anew, and frames pass."""
    vm.check("ip link set sim0 down && ip link set sim1 down")
    assert [hwsim.status(vm, port)["firmware"]["running"] for port in hwsim.PORTS] == ["0", "0"]
    for port in hwsim.PORTS:
        vm.check(f"ip link set sim{port} up")
        hwsim.wait_link(vm, port)
        hwsim.echo(vm, port, 100)


@PORTS
def test_counters_agree(vm, port):
    """What the driver reads from the hardware's counters is what went over the cable."""
    vm.check(f"ping -q -f -c 100 {hwsim.far_ip(port)}")
    carried = hwsim.frames(vm, port)
    statistics = vm.check(f"ethtool -S sim{port}")
    counted = {name: int(re.search(rf"\b{name}: (\d+)", statistics)[1]) for name in ("fw_rx_cnt", "fw_tx_cnt")}
    assert counted == {"fw_rx_cnt": carried["from_wire"], "fw_tx_cnt": carried["to_wire"]}
    assert carried["bad_tx"] == carried["no_buffer"] == carried["dma"] == 0, carried
    for thread in ("tx0", "rx"):
        done = hwsim.dma(vm, port, thread)
        assert done["bad_desc"] == done["bad_addr"] == 0, done
