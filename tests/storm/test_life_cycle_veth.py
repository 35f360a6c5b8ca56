# SPDX-License-Identifier: BSD-3-Clause
"""The life-cycle storm natively, on a veth pair: every actor at once, against traffic.

What veth does not have (ring sizes, a device under it, zero-copy) its actors say so and stay away. That the rest
goes well here, in drivers that are not ours, is what makes a refusal or a failure elsewhere tell something.
"""

import json
import os
import signal
import subprocess

import pytest

from lib import life
from lib.paths import NATIVE

WIRE = NATIVE / "tests/wire/wire"
TOOL_MAC, PARTNER_MAC = "02:00:00:00:00:02", "02:00:00:00:00:01"
QUEUES = 3
PATIENCE = 60

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces and AF_XDP need root")


def run(*command):
    """Runs a command, which must succeed; its output."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def settings(namespace):
    """All that the storm may have changed and must have put back."""
    link = json.loads(run("ip", "-json", "-n", namespace, "link", "show", "veth0"))[0]
    features = run("ip", "netns", "exec", namespace, "ethtool", "-k", "veth0")
    channels = run("ip", "netns", "exec", namespace, "ethtool", "-l", "veth0")
    return {key: link.get(key) for key in ("flags", "mtu", "address", "promiscuity", "allmulti", "xdp")}, \
        features, channels


@pytest.fixture(name="ends")
def fixture_ends():
    """A veth pair, each end in a namespace of its own."""
    tool, partner = (f"storm-{end}-{os.getpid()}" for end in ("tool", "wire"))
    try:
        for namespace in (tool, partner):
            run("ip", "netns", "add", namespace)
            run("ip", "netns", "exec", namespace, "sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1")
        queues = ["numrxqueues", str(QUEUES), "numtxqueues", str(QUEUES)]
        run("ip", "link", "add", "veth0", "netns", tool, "address", TOOL_MAC, *queues,
            "type", "veth", "peer", "name", "veth0", "netns", partner, "address", PARTNER_MAC, *queues)
        for namespace in (tool, partner):
            run("ip", "-n", namespace, "link", "set", "veth0", "up")
        run("ip", "-n", tool, "address", "add", "10.0.0.2/24", "dev", "veth0")
        # The partner sees frames as they are on a wire, with their checksums in.
        run("ip", "netns", "exec", tool, "ethtool", "-K", "veth0", "tx", "off")
        yield tool, partner
    finally:
        for namespace in (tool, partner):
            subprocess.run(["ip", "netns", "del", namespace], check=False, stderr=subprocess.DEVNULL)


@pytest.mark.storm(seconds=12)
def test_life_cycle_on_veth(storm, ends, tmp_path):
    """All actors at once; then the settings are as they were."""
    tool, partner = ends
    before = settings(tool)
    report = tmp_path / "wire.json"
    with open(tmp_path / "wire.log", "wb") as log:
        wire = subprocess.Popen(["ip", "netns", "exec", partner, WIRE, "--iface", "veth0", "--dst", TOOL_MAC,
                                 "--answer", "10.0.0.1", "--rate", "8k", "--size", "60-1514", "--seconds", "1000000",
                                 "--mac-check", "any", "--quiet-ms", "300", "--json", report],
                                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        # veth's checksum offload leaves the sum out of frames that never leave the machine.
        done = subprocess.run(["ip", "netns", "exec", tool, life.PROGRAM, "--iface", "veth0",
                               "--seconds", str(storm.seconds), "--seed", str(storm.seed), "--actors", "all,-features"],
                              capture_output=True, text=True, check=False, timeout=storm.seconds + PATIENCE)
        assert done.returncode == 0, done.stderr
        wire.send_signal(signal.SIGTERM)
        wire.wait(PATIENCE)
    finally:
        wire.kill()
        wire.wait()
    result = life.report(done.stdout)
    storm.count(**life.account(result))
    assert not life.idle(result), result
    traffic = json.loads(report.read_text())
    assert traffic["received"] > 0 and not traffic["corrupt"] and not traffic["duplicate"], traffic
    assert settings(tool) == before
