# SPDX-License-Identifier: BSD-3-Clause
"""The network stack over the driver: two boards at the ends of one wire, ours and a partner
that runs the kernel's own driver; ping and TCP both ways, every byte compared."""

import pytest

from lib.machine import GUEST_IP, PARTNER_IP, PARTNER_MAC, Vm
from lib.scale import frames, is_debug

PORT = 5001
TRANSFER = (1 if is_debug() else 8) << 20


@pytest.fixture(scope="module", name="pair")
def fixture_pair():
    """(our board, the partner)"""
    ours = Vm()
    partner = Vm(fec="in-tree", mac=PARTNER_MAC, ip=PARTNER_IP, link=ours)
    with ours, partner:
        # Addresses are known from here on: no test has to wait for ARP.
        ours.check(f"ping -c 1 -W 10 {PARTNER_IP}")
        yield ours, partner


# Without fragments, the smallest and the largest payload; and fragmented.
@pytest.mark.parametrize("size", [0, 1, 17, 18, 56, 100, 511, 1000, 1471, 1472, 1473, 4000, 20000])
@pytest.mark.parametrize("way", ["out", "in"])
def test_ping(pair, way, size):
    """Echo requests of a size, from our board and to it, all answered."""
    ours, partner = pair
    source, target = (ours, PARTNER_IP) if way == "out" else (partner, GUEST_IP)
    output = source.check(f"ping -c 10 -i 0.02 -W 20 -s {size} {target}")
    assert "10 packets transmitted, 10 received" in output, output


def test_ping_flood(pair):
    """Requests, the next sent as soon as the last is answered: none is left lying."""
    ours, _ = pair
    count = frames(2000)
    output = ours.check(f"ping -f -c {count} -W 20 -s 200 {PARTNER_IP}", timeout=300)
    assert f"{count} packets transmitted, {count} received" in output, output


@pytest.mark.parametrize("way", ["out", "in"])
def test_tcp(pair, way):
    """Random bytes over TCP arrive as they were sent."""
    ours, partner = pair
    source, sink, target = (ours, partner, PARTNER_IP) if way == "out" else (partner, ours, GUEST_IP)
    source.check(f"dd if=/dev/urandom of=/tmp/data bs=64k count={TRANSFER >> 16}")
    listener = sink.start_command(f"nc -l -p {PORT} > /tmp/received")
    sink.check(f"until ss -ltn | grep -q :{PORT}; do sleep 0.1; done")
    source.check(f"nc {target} {PORT} < /tmp/data", timeout=600)
    assert listener.wait(60) == 0, listener.output
    sent = source.check("md5sum < /tmp/data")
    received = sink.check("md5sum < /tmp/received; ls -l /tmp/received")
    assert received.startswith(sent.strip()), f"{sent}{received}"


def test_tcp_both_ways(pair):
    """Both boards send at once, and no checksum error is counted on either."""
    ours, partner = pair
    for vm in pair:
        vm.check(f"dd if=/dev/urandom of=/tmp/data bs=64k count={TRANSFER >> 16}")
    listeners = [vm.start_command(f"nc -l -p {PORT} > /tmp/received") for vm in pair]
    for vm in pair:
        vm.check(f"until ss -ltn | grep -q :{PORT}; do sleep 0.1; done")
    senders = [ours.start_command(f"nc {PARTNER_IP} {PORT} < /tmp/data"),
               partner.start_command(f"nc {GUEST_IP} {PORT} < /tmp/data")]
    for command in senders + listeners:
        assert command.wait(600) == 0, command.output
    sums = [vm.check("md5sum < /tmp/data; md5sum < /tmp/received").split("\n") for vm in pair]
    assert sums[0][0] == sums[1][1] and sums[1][0] == sums[0][1], sums
    for vm in pair:
        names, values = (line.split() for line in vm.check("grep ^Tcp: /proc/net/snmp").splitlines())
        assert values[names.index("InCsumErrors")] == "0"


@pytest.mark.parametrize("offload", ["rx", "tx", "sg"])
def test_tcp_without_offload(pair, offload):
    """TCP still carries intact data with each offload that can be switched off switched off."""
    ours, partner = pair
    ours.check(f"ethtool -K eth0 {offload} off")
    try:
        test_tcp(pair, "out")
        test_tcp((ours, partner), "in")
    finally:
        ours.check(f"ethtool -K eth0 {offload} on")
