# SPDX-License-Identifier: BSD-3-Clause
"""An application outside the tree, built by pkg-config against a staged install, forwards through the PMD."""

import os
import re
import shutil
import signal
import subprocess

import pytest

from conftest import unable
from pmdbench import BUILD, TIMEOUT, TOP, run

STAGE = BUILD / "consumer"
# Linking all of DPDK's archives takes its time.
BUILD_TIMEOUT = 300


@pytest.fixture(scope="module", name="stage")
def stage_fixture():
    """Installs what is built into a directory; the library directory in it."""
    reason = unable()
    if reason:
        pytest.skip(reason)
    shutil.rmtree(STAGE, ignore_errors=True)
    subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet"], check=True,
                   env=dict(os.environ, DESTDIR=str(STAGE / "root")), timeout=TIMEOUT,
                   stdout=subprocess.DEVNULL)
    return next((STAGE / "root").rglob("libdpdk_net_af_xdp_ti.pc")).parents[1]


@pytest.fixture(scope="module", name="program", params=["shared", "static"])
def program_fixture(request, stage):
    """The application, linked one way or the other, and the environment that it runs in."""
    environment = dict(os.environ, PKG_CONFIG_PATH=str(stage / "pkgconfig"))
    done = subprocess.run(["make", "-C", TOP / "tests/consumer", request.param, f"OUT={STAGE}"],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=BUILD_TIMEOUT, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    binary = STAGE / f"reflect-{request.param}"
    needed = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", binary))
    ours = [name for name in needed if "af_xdp_ti" in name]
    if request.param == "shared":
        assert len(ours) == 1
        return binary, dict(os.environ, LD_LIBRARY_PATH=str(stage))
    assert not ours and not [name for name in needed if name.startswith("librte_")]
    return binary, dict(os.environ)


class Reflect:
    """One run of the application."""

    def __init__(self, program, namespace, *options):
        binary, environment = program
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", namespace, binary, "-l", "0", "--no-huge", "-m", "128", "--no-pci",
             "--no-shconf", "--no-telemetry", "--vdev", "net_af_xdp_ti0,iface=dut0,mode=copy", "--",
             *map(str, options)],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)

    def __enter__(self):
        assert self.process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(TIMEOUT)

    def restart(self):
        """Has the port stopped and started; the line that accounts for it."""
        self.process.send_signal(signal.SIGUSR1)
        line = self.process.stdout.readline()
        assert self.process.stdout.readline() == "ready\n", line
        return line

    def end(self):
        """Ends it; the line that accounts for it, and the exit code."""
        self.process.send_signal(signal.SIGTERM)
        line = self.process.stdout.readline()
        return line, self.process.wait(TIMEOUT)


def test_frames_pass(pair, program):
    """It links, forwards, and has every mbuf back."""
    before = pair.settings()
    with Reflect(program, pair.dut_ns) as reflect:
        pair.echoed("--send", 20000, "--size", "60-1514", "--window", 64)
        line, code = reflect.end()
        assert code == 0
        assert line == ("stop: received 20000 sent 20000 dropped 0 mbufs 4096 of 4096 and 4096 of 4096\n")
    assert pair.settings() == before


@pytest.mark.parametrize("form", ["same", "clone", "held", "foreign", "segments", "external"])
@pytest.mark.parametrize("program", ["shared"], indirect=True)
def test_forms_of_mbufs(pair, program, form):
    """What cannot be sent where it lies is copied; the receiver sees no difference, no mbuf is lost."""
    with Reflect(program, pair.dut_ns, "--as", form) as reflect:
        pair.echoed("--send", 10000, "--size", "60-1514", "--window", 64)
        line = reflect.restart()
        assert "dropped 0 mbufs 4096 of 4096 and 4096 of 4096" in line
        pair.echoed("--send", 1000, "--window", 64)
        line, code = reflect.end()
        assert (line, code) == (
            "stop: received 11000 sent 11000 dropped 0 mbufs 4096 of 4096 and 4096 of 4096\n", 0)


@pytest.mark.parametrize("program", ["shared"], indirect=True)
def test_smallest_pool(pair, program):
    """No more mbufs than the PMD asks for: it goes on for ever all the same."""
    with Reflect(program, pair.dut_ns, "--descriptors", 256, "--mbufs", 256 + 64) as reflect:
        pair.echoed("--send", 20000, "--window", 32)
        assert "mbufs 320 of 320" in reflect.end()[0]


@pytest.mark.parametrize("program", ["shared"], indirect=True)
def test_started_and_stopped_often(pair, program):
    """Twenty times with frames in between."""
    with Reflect(program, pair.dut_ns) as reflect:
        for _ in range(20):
            assert "mbufs 4096 of 4096" in reflect.restart()
            pair.echoed("--send", 200, "--window", 16)
        assert reflect.end()[1] == 0
