# SPDX-License-Identifier: BSD-3-Clause
"""The bench of the PMD's tests: veth pairs in network namespaces, testpmd at one end, wire at the other."""

import atexit
import functools
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TI_BUILD", TOP / "build/native"))
PLUGIN = BUILD / "drivers/librte_net_af_xdp_ti.so"
WIRE = BUILD / "tests/wire/wire"
TESTPMD = shutil.which("dpdk-testpmd")
RECORDS = Path("/run/net_af_xdp_ti")
PROMPT = "testpmd> "
# Bounds against hanging, far above what anything takes on a busy machine.
TIMEOUT = 60
# Huge pages are a privilege, and no device of the machine is ours.
EAL = ["--no-huge", "-m", "192", "--no-pci", "--no-telemetry"]
_serial = itertools.count(1)


def run(*command, check=True):
    """Runs a command; its standard output."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=TIMEOUT, check=False)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


@functools.lru_cache(maxsize=None)
def plugin():
    """The PMD's plugin where EAL loads it: nowhere below a directory that all may write to, and the
    checkout may lie in /tmp. A copy in a directory of ours, removed at the end.
    """
    directory = tempfile.mkdtemp(prefix="tiv", dir="/run")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return shutil.copy(PLUGIN, directory)


class Pair:
    """A veth pair: `dut` (the PMD's) and `far` (the link partner's), each in a namespace of its own."""

    DUT, FAR = "dut0", "far0"

    def __init__(self, queues=1):
        number = next(_serial)
        self.dut_ns, self.far_ns = (f"tiv{os.getpid()}{end}{number}" for end in "df")
        self._namespaces = (self.dut_ns, self.far_ns)
        for namespace in self._namespaces:
            run("ip", "netns", "add", namespace)
        # What tells the namespace from all others (SO_NETNS_COOKIE, 71); names its records.
        self._cookie = run("ip", "netns", "exec", self.dut_ns, sys.executable, "-c",
                           "import socket; cookie = socket.socket().getsockopt(socket.SOL_SOCKET, 71, 8); "
                           "print(int.from_bytes(cookie, 'little'))").strip()
        count = [str(queues)] * 2
        run("ip", "-n", self.dut_ns, "link", "add", self.DUT,
            "numrxqueues", count[0], "numtxqueues", count[1], "type", "veth",
            "peer", "name", self.FAR, "numrxqueues", count[0], "numtxqueues", count[1],
            "netns", self.far_ns)
        for namespace, name in ((self.dut_ns, self.DUT), (self.far_ns, self.FAR)):
            run("ip", "netns", "exec", namespace, "ethtool", "-L", name, "rx", queues, "tx", queues)
            # No traffic of the stack's own.
            run("ip", "-n", namespace, "link", "set", name, "addrgenmode", "none")
            run("ip", "-n", namespace, "link", "set", name, "up")
        if queues > 1:
            # The partner's frames choose a queue by their flow, not by the CPU that sends them.
            cpus = f"{(1 << os.cpu_count()) - 1:x}"
            for queue in range(queues):
                run("ip", "netns", "exec", self.far_ns, "sh", "-c",
                    f"echo {cpus} > /sys/class/net/{self.FAR}/queues/tx-{queue}/xps_cpus")

    def remove(self):
        """Ends it, and whatever still runs in it."""
        for namespace in self._namespaces:
            for pid in run("ip", "netns", "pids", namespace, check=False).split():
                os.kill(int(pid), signal.SIGKILL)
            run("ip", "netns", "del", namespace, check=False)
        for name in self.records():
            (RECORDS / name).unlink()

    def link(self):
        """What ip says of the PMD's end."""
        return json.loads(run("ip", "-n", self.dut_ns, "-j", "-d", "link", "show", self.DUT))[0]

    def far_link(self):
        """What ip says of the far end, with statistics."""
        return json.loads(run("ip", "-n", self.far_ns, "-j", "-s", "link", "show", self.FAR))[0]

    def mac(self):
        """MAC address of the PMD's end."""
        return self.link()["address"]

    def sysfs(self, file):
        """A file of the netdev in sysfs."""
        return run("ip", "netns", "exec", self.dut_ns, "cat",
                   f"/sys/class/net/{self.DUT}/{file}").strip()

    def channels(self):
        """Queue counts: receive, transmit."""
        text = run("ip", "netns", "exec", self.dut_ns, "ethtool", "-l", self.DUT)
        current = text.split("Current hardware settings:")[1]
        return tuple(int(re.search(rf"{which}:\s+(\d+)", current)[1]) for which in ("RX", "TX"))

    def settings(self):
        """All that the PMD may change, to be compared before and after."""
        link = self.link()
        return {
            "mtu": link["mtu"],
            "address": link["address"],
            "up": "UP" in link["flags"],
            "promiscuity": link.get("promiscuity"),
            "allmulti": link.get("allmulti"),
            "xdp": link.get("xdp"),
            "channels": self.channels(),
            "napi_defer_hard_irqs": self.sysfs("napi_defer_hard_irqs"),
            "gro_flush_timeout": self.sysfs("gro_flush_timeout"),
            "records": self.records(),
        }

    def records(self):
        """Records of settings that exist for netdevs of this namespace."""
        return sorted(path.name for path in RECORDS.glob(f"{self._cookie}-*"))

    def far(self, *command):
        """A command line to be run at the far end."""
        return ["ip", "netns", "exec", self.far_ns, *map(str, command)]

    def wire(self, *arguments, timeout=TIMEOUT):
        """Runs the link partner to its end; its report."""
        command = self.far(WIRE, "--iface", self.FAR, "--dst", self.mac(), "--json", "-", *arguments)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=timeout, check=False)
        assert done.stdout.startswith("{"), f"wire: exit code {done.returncode}: {done.stderr}"
        return json.loads(done.stdout)

    def echoed(self, *arguments, timeout=TIMEOUT):
        """Sends frames that must come back, each once and intact; wire's report."""
        report = self.wire("--expect", "echo", *arguments, timeout=timeout)
        faults = {key: report[key] for key in ("lost", "duplicate", "corrupt")}
        assert report["ok"] and not any(faults.values()), report
        assert report["received"] == report["sent"]
        return report


class Testpmd:
    """The stock dpdk-testpmd with the plugin, in the namespace of a pair, driven by its prompt."""

    __test__ = False  # not a test class, whatever pytest makes of its name

    def __init__(self, namespace, vdevs, options=(), eal=("-l", "0,1"), mbufs=16384, wrapper=()):
        prefix = f"tiv{os.getpid()}.{next(_serial)}"
        command = ["ip", "netns", "exec", namespace, *wrapper, "stdbuf", "-oL", TESTPMD, *EAL,
                   f"--file-prefix={prefix}", "-d", plugin(), *eal]
        for vdev in vdevs:
            command += ["--vdev", vdev]
        command += ["--", "-i", f"--total-num-mbufs={mbufs}", *options]
        self._output = ""
        self._seen = 0
        self._grown = threading.Condition()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def _read(self):
        while True:
            data = os.read(self.process.stdout.fileno(), 65536)
            with self._grown:
                self._output += data.decode(errors="replace").replace("\r", "")
                self._grown.notify_all()
            if not data:
                return

    @property
    def output(self):
        """Standard output and error so far."""
        with self._grown:
            return self._output

    def forget(self):
        """Output so far is no longer told."""
        with self._grown:
            self._output = self._output[self._seen:]
            self._seen = 0

    def expect(self, pattern, timeout=TIMEOUT):
        """Waits until new output matches; returns the match. What precedes it is then seen."""
        deadline = time.monotonic() + timeout
        with self._grown:
            while True:
                match = re.search(pattern, self._output[self._seen:], re.MULTILINE)
                if match:
                    self._seen += match.end()
                    return match
                left = deadline - time.monotonic()
                if left <= 0 or not self._reader.is_alive():
                    raise AssertionError(f"no {pattern!r} in the output:\n{self._output}")
                self._grown.wait(min(left, 0.2))

    def ready(self):
        """Waits for the prompt."""
        self.expect(PROMPT)
        return self

    def command(self, line, timeout=TIMEOUT):
        """Gives a command at the prompt; returns its output."""
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return self.expect(rf"{re.escape(line)}\n((?:.*\n)*?){PROMPT}", timeout)[1]

    def forward(self, mode="macswap"):
        """Starts forwarding."""
        self.command(f"set fwd {mode}")
        self.command("start")
        return self

    def xstats(self, port=0):
        """Extended statistics of a port."""
        pairs = re.findall(r"^(\w+): (\d+)$", self.command(f"show port xstats {port}"), re.MULTILINE)
        return {name: int(value) for name, value in pairs}

    def pool(self):
        """Mbufs of the (only) pool: how many it has, and how many of them are free."""
        text = self.command("dump_mempool mb_pool_0")
        size = int(re.search(r"^  populated_size=(\d+)", text, re.MULTILINE)[1])
        common = int(re.search(r"common_pool_count=(\d+)", text)[1])
        cached = int(re.search(r"total_cache_count=(\d+)", text)[1])
        return size, common + cached

    def ended(self, timeout=TIMEOUT):
        """Waits for its end; the exit code."""
        code = self.process.wait(timeout)
        self._reader.join(timeout)
        return code

    def quit(self):
        """Ends it as a user does; the exit code."""
        self.process.stdin.write(b"quit\n")
        self.process.stdin.flush()
        return self.ended()

    def kill(self):
        """Ends it by SIGKILL."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(TIMEOUT)
        self._reader.join(TIMEOUT)

    def our_lines(self, text=""):
        """Lines that the PMD itself logged."""
        lines = (line.removeprefix(PROMPT) for line in self.output.splitlines())
        return [line for line in lines
                if re.match(r"(net_af_xdp_ti|dut)\w*: ", line) and text in line]
