# SPDX-License-Identifier: BSD-3-Clause
"""Soak: forwarding in zero-copy for as long as it is given, every frame accounted for, memory flat.

By `xsk-test l2fwd` and by ti-testpmd (macswap). The partner keeps a window, so that none may be lost, and checks number
and payload of each. Memory is sampled all the while; after the first third, in which caches fill,
none of it may grow faster than noise. At the end all counters agree: what the partner sent, the driver
received, the program received and sent, the driver sent, and the partner had back.

    pytest tests/storm/test_soak.py --storm-seconds 0     without end, a line every ten seconds
"""

import json
import math
import re
import signal
import time

import pytest

import healthy
from lib.machine import Vm
from lib.scale import KERNEL, is_debug
from lib.xsk import Xsk

SAMPLE_SECONDS = 1
PROGRESS_SECONDS = 10
# What memory may seem to grow, from the mean of the second third to that of the last: a share of what
# was there at first, and the least that counts. Slabs breathe with the caches of every command that runs.
# KASAN keeps what was freed, up to 1/32 of all memory, and fills that up for as long as a short soak lasts.
FREED_KEPT = 96 << 10 if is_debug(KERNEL) else 0
GROWTH = {"MemUsed": (0.02, 8192 + FREED_KEPT), "Slab": (0.05, 4096 + FREED_KEPT), "PagePools": (0.10, 64), "RSS": (0.01, 64)}
# Too few to tell anything from.
FEWEST_SAMPLES = 6
TESTPMD = "ti-testpmd -l 0,1 --no-pci --no-telemetry --file-prefix=t"


@pytest.fixture(scope="module", name="vm")
def fixture_vm():
    """A board with DPDK's memory."""
    with Vm(image="dpdk", hugepages=128) as vm:
        healthy.prepare(vm)
        yield vm


class Tool:
    """xsk-test as the forwarder."""

    PROCESS = "xsk-test"

    def __init__(self, vm):
        self.xsk = Xsk(vm, "l2fwd", "zc", "--count", 0, "--timeout-ms", 3600000)

    def end(self):
        """Ends it; frames that it received and sent."""
        code = self.xsk.stop(signal.SIGTERM)
        assert code == 0, self.xsk.command.output
        report = self.xsk.report()
        assert report["zerocopy"] and report["sent"] == report["completed"], report
        return report["received"], report["sent"]


class Pmd:
    """ti-testpmd as the forwarder."""

    PROCESS = "ti-testpmd"

    def __init__(self, vm):
        self.command = vm.start_command(f"{TESTPMD} --vdev net_af_xdp_ti0,iface=eth0,mode=zc -- -i "
                                        "--total-num-mbufs=16384 --forward-mode=macswap")
        self.command.expect(r"testpmd> $", 240)
        self.command.send("start\n")
        self.command.expect(r"testpmd> $", 120)

    def end(self):
        """Ends it; frames that it received and sent."""
        for line in ("stop", "quit"):
            self.command.send(line + "\n")
        assert self.command.wait(240) == 0, self.command.output
        found = re.search(r"RX-packets: (\d+).*\n.*TX-packets: (\d+)", self.command.output)
        assert found, self.command.output
        return int(found[1]), int(found[2])


class Memory:
    """What is in use, in KiB, as the guest tells it."""

    SCRIPT = ("awk '/^(MemTotal|MemAvailable|Slab):/ {{ print $1 $2 }}' /proc/meminfo; "
              "awk '/^VmRSS:/ {{ print \"RSS:\" $2 }}' /proc/$(pidof {process} | cut -d' ' -f1)/status; "
              "xsk-test page-pools --timeout-ms 20000")
    PAGE_KIB = 4

    def __init__(self, vm, process):
        self.vm = vm
        self.script = self.SCRIPT.format(process=process)
        self.samples = []

    def sample(self):
        """Takes one."""
        output = self.vm.check(self.script)
        told = {name: int(number) for name, number in re.findall(r"^(\w+):(\d+)$", output, re.M)}
        told["PagePools"] = json.loads(output[output.index("{"):])["pages_out"] * self.PAGE_KIB
        told["MemUsed"] = told.pop("MemTotal") - told.pop("MemAvailable")
        self.samples.append(told)

    def check(self):
        """Nothing has grown since the caches were full."""
        third = len(self.samples) // 3
        for name, (share, least) in GROWTH.items():
            before, after = (sum(sample[name] for sample in part) / len(part)
                             for part in (self.samples[third:2 * third], self.samples[-third:]))
            allowed = max(share * before, least)
            assert after - before <= allowed, f"{name} grew from {before:.0f} to {after:.0f} KiB, {allowed:.0f} allowed"

    def __str__(self):
        return ", ".join(f"{name} {number} KiB" for name, number in self.samples[-1].items())


def soak(vm, storm, program):
    """Forwards until the storm is over, and counts."""
    seen = len(vm.dmesg())
    vm.check("f=/proc/sys/net/ipv6/conf/eth0/disable_ipv6; [ ! -e $f ] || echo 1 > $f")
    forwarder = program(vm)
    before = healthy.link_counters(vm)
    wire = vm.wire("--seconds", 1000000, "--window", 16 if is_debug(KERNEL) else 128, "--size", "60-1514",
                   "--expect", "all", *healthy.PATIENT)
    wire.wait_ready()
    storm.begin()
    memory = Memory(vm, program.PROCESS)
    told = time.monotonic()
    while not storm.over():
        memory.sample()
        if math.isinf(storm.seconds) and time.monotonic() - told >= PROGRESS_SECONDS:
            told = time.monotonic()
            storm.say(f"soak {program.PROCESS}: {storm.elapsed:.0f} s, "
                      f"{healthy.link_counters(vm)['rx_packets'] - before['rx_packets']} frames, {memory}")
            assert wire.running, wire.log()
            if len(memory.samples) > 3000:
                memory.check()
                del memory.samples[::2]
        time.sleep(min(SAMPLE_SECONDS, storm.left()))
    report = wire.stop(600)
    after = healthy.link_counters(vm)
    received, sent = forwarder.end()
    assert wire.ok and report["lost"] == report["corrupt"] == report["duplicate"] == 0, wire.log()
    driver_received = after["rx_packets"] - before["rx_packets"]
    driver_sent = after["tx_packets"] - before["tx_packets"]
    counts = (report["sent"], driver_received, received, sent, driver_sent, report["received"])
    assert len(set(counts)) == 1, f"partner sent, driver rx, program rx, program tx, driver tx, partner received: {counts}"
    storm.count(frames=received, samples=len(memory.samples))
    if len(memory.samples) < FEWEST_SAMPLES:
        storm.say(f"soak: {len(memory.samples)} samples of memory are too few to judge it by")
    else:
        memory.check()
    healthy.check(vm, seen)


@pytest.mark.storm(seconds=40)
@pytest.mark.parametrize("program", [Tool, Pmd], ids=["xsk-test", "ti-testpmd"])
def test_soak(vm, storm, program):
    """Frame after frame, and nothing grows."""
    soak(vm, storm, program)
