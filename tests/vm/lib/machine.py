# SPDX-License-Identifier: BSD-3-Clause
"""Vm: the emulated i.MX 8M Plus board with a Debian kernel and an image of devtools/initramfs.

    with Vm() as vm:
        vm.check("ethtool -i eth0")
        wire = vm.wire("--send", "1000", "--expect", "echo")

The guest's Ethernet is a pair of unix datagram sockets in the run directory: the board's end, and
the partner's end, which `wire`, a Partner, or a second Vm (see link) takes. Leaving the block
reads the kernel's log and raises KernelFault where it tells of one.
"""

import os
import shlex
import subprocess

from . import klog, process, qmp, scale
from .channel import Channel, ChannelError
from .paths import BUILD, kernel_dir, run_dir
from .wire import Wire

QEMU = "qemu-system-aarch64"
GUEST_MAC = "02:00:00:00:00:02"
PARTNER_MAC = "02:00:00:00:00:01"
GUEST_IP = "10.0.0.2"
PARTNER_IP = "10.0.0.1"
# Generous: another VM or a compiler may have the processors. A test never fails on speed.
BOOT_TIMEOUT = 240
# How long pages that are under way may take to come back.
LEAK_PATIENCE_MS = 20000
# Which driver the tests are run on. With VM_FEC=in-tree in the environment the same tests run
# on the kernel's own driver, which tells a fault of ours from one of the test or the emulator.
DEFAULT_FEC = os.environ.get("VM_FEC", "ours")


class BootError(Exception):
    """The guest did not come up."""


class KernelFault(AssertionError):
    """The guest's kernel log tells of a fault."""


class Vm:
    """One board. A context manager; start() and stop() by hand are for interactive use."""

    def __init__(self, kernel=scale.KERNEL, image="base", append="", smp=2, mem=None, fec=DEFAULT_FEC,
                 mac=GUEST_MAC, ip=GUEST_IP, hugepages=0, allowed_log=(), link=None,
                 hwsim=None):
        """
        kernel, image   build/kernel/KERNEL and build/vm/IMAGE-KERNEL.cpio
        mem             memory, as QEMU takes it; by default enough for the kernel's kind
        append          more of the kernel's command line
        fec             ours, in-tree, or none: which module drives the Ethernet
        hugepages       2 MiB huge pages that the guest sets aside
        allowed_log     patterns of kernel log lines that are no fault in this test
        link            another Vm: this one is at the other end of its wire
        hwsim           bare, ours, or in-tree: the simulated hardware, and which driver of the ICSSG on it
        """
        self.kernel = kernel
        self.debug = scale.is_debug(kernel)
        self.image = image
        self.append = append
        self.smp = smp
        self.mem = mem or ("2G" if self.debug else "1G")
        self.fec = fec
        self.mac = mac
        self.ip = ip
        self.hugepages = hugepages
        self.hwsim = hwsim
        self.allowed_log = list(allowed_log)
        self.dir = run_dir()
        self.local = link.remote if link else self.dir / "board"
        self.remote = link.local if link else self.dir / "partner"
        self.console = self.dir / "console.log"
        self.console_device = f"file:{self.console}"
        self.qemu = None
        self.channel = None

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, error, trace):
        self.stop(check=kind is None)

    def arguments(self):
        """QEMU's command line."""
        tree = kernel_dir(self.kernel)
        release = (tree / "release").read_text().strip()
        device_tree = tree / f"image/usr/lib/linux-image-{release}/freescale/imx8mp-evk.dtb"
        if self.hwsim:
            device_tree = BUILD / f"vm/imx8mp-evk-hwsim-{self.kernel}.dtb"
        command_line = " ".join([
            "console=ttymxc1,115200 panic=-1 quiet loglevel=5 log_buf_len=4M",
            # A busy host makes a guest that seems to stall.
            "watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=300 nowatchdog",
            # Room to note every mapping of a bounced board; without it the check turns itself off.
            "dma_debug_entries=262144" if self.debug else "",
            f"guest_fec={self.fec} guest_ip={self.ip}/24 guest_hugepages={self.hugepages}",
            f"guest_hwsim={self.hwsim}" if self.hwsim else "",
            self.append])
        return [
            QEMU, "-M", "imx8mp-evk", "-accel", "tcg,thread=multi,tb-size=256",
            "-smp", str(self.smp), "-m", self.mem,
            "-kernel", str(tree / f"image/boot/vmlinuz-{release}"),
            "-dtb", str(device_tree),
            "-initrd", str(BUILD / "vm" / f"{self.image}-{self.kernel}.cpio"),
            "-append", command_line,
            "-display", "none", "-monitor", "none", "-no-reboot", "-nodefaults",
            "-serial", "null",
            "-serial", self.console_device,
            "-chardev", f"socket,id=agent,path={self.dir}/agent,server=on,wait=off",
            "-serial", "chardev:agent",
            "-qmp", f"unix:{self.dir}/qmp,server=on,wait=off",
            "-netdev", f"dgram,id=n0,local.type=unix,local.path={self.local},"
                       f"remote.type=unix,remote.path={self.remote}",
            "-net", f"nic,netdev=n0,macaddr={self.mac}",
        ]

    def start(self):
        """Boots the board and waits for its agent."""
        with open(self.dir / "qemu.log", "wb") as log:
            self.qemu = process.spawn(self.arguments(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self.channel = Channel(self.dir / "agent", lambda: self.qemu.poll() is None,
                                   scale.patience(self.kernel))
            self.channel.wait_ready(BOOT_TIMEOUT)
            self._check_driver()
        except ChannelError as error:
            self._kill()
            raise BootError(f"{error}\n{self._tails()}") from error
        return self

    def _check_driver(self):
        """A test on the wrong driver would prove nothing: ours is the out-of-tree one."""
        if self.fec == "none":
            return
        _, taint = self.run("cat /sys/module/fec/taint", timeout=BOOT_TIMEOUT)
        rc, _ = self.run("test -e /sys/class/net/eth0", timeout=BOOT_TIMEOUT)
        if rc != 0 or ("O" in taint) != (self.fec == "ours"):
            raise ChannelError(f"eth0 is not there, or not on the {self.fec} driver (taint: {taint.strip()})")

    def stop(self, check=True):
        """Takes the kernel's log and ends QEMU; raises KernelFault on a fault if check is set."""
        problem = None
        try:
            if check:
                problem = self._leaks()
            log = self.dmesg()
        except ChannelError as error:
            problem = f"the guest did not live to the end: {error}"
            log = ""
        finally:
            self._kill()
        (self.dir / "dmesg.log").write_text(log)
        found = klog.faults(log + "\n" + self.console_text(), self.allowed_log)
        if check and (found or problem):
            lines = "\n".join(dict.fromkeys(found[:40]))
            raise KernelFault(f"{problem or 'the kernel log tells of a fault'} ({self.dir}):\n{lines}\n"
                              + (self._tails() if problem else ""))

    def _leaks(self):
        """What the drivers still hold that they have given up, or None.

        The kernel's log tells of a page pool that cannot be freed only after a minute. A kernel with
        kmemleak also tells of other memory, once the driver is gone and nothing of its may be left.
        """
        rc, output = self.run(f"xsk-test page-pools --timeout-ms {LEAK_PATIENCE_MS}", timeout=BOOT_TIMEOUT)
        if rc != 0:
            return f"pages have leaked: {output.strip()}"
        if self.debug and self.fec == "ours":
            rc, output = self.run("/sbin/find-leaks", timeout=BOOT_TIMEOUT)
            if rc != 0:
                return f"memory has leaked:\n{output.strip()}"
        return None

    def _kill(self):
        if self.channel:
            self.channel.close()
        if self.qemu:
            process.stop(self.qemu)

    def _tails(self):
        """The ends of QEMU's messages and of the console."""
        return f"{(self.dir / 'qemu.log').read_text()}\n{self.console_text()[-3000:]}"

    def console_text(self):
        """The console so far."""
        if not self.console.exists():
            return ""
        return self.console.read_text(errors="replace")

    def start_command(self, script):
        """Starts a shell command in the guest; see channel.Command."""
        return self.channel.start(script)

    def run(self, script, timeout=120):
        """Runs a shell command to its end; returns (exit code, output)."""
        command = self.channel.start(script)
        command.close_stdin()
        rc = command.wait(timeout)
        return rc, command.output

    def check(self, script, timeout=120):
        """Runs a shell command that must succeed; returns its output."""
        rc, output = self.run(script, timeout)
        assert rc == 0, f"{script}: exit code {rc}\n{output}"
        return output

    def put(self, path, content):
        """Writes a text file in the guest."""
        command = self.channel.start(f"cat > {shlex.quote(path)}")
        command.send(content)
        command.close_stdin()
        rc = command.wait(120)
        assert rc == 0, f"could not write {path}: {command.output}"

    def dmesg(self):
        """The kernel's log."""
        rc, output = self.run("dmesg", timeout=120)
        if rc != 0:
            raise ChannelError(f"dmesg ended with {rc}: {output}")
        return output

    def load_driver(self):
        """Loads the driver again after `rmmod fec`, and takes the interface up."""
        self.check("/sbin/load-driver", timeout=BOOT_TIMEOUT)

    def plug(self, up):
        """Plugs or pulls the board's cable, as its PHY sees it."""
        qmp.execute(self.dir / "qmp", "set_link", name="n0", up=up)

    def set_link(self, up):
        """The same, and waits until Linux has noticed."""
        self.plug(up)
        self.check(f'until [ "$(cat /sys/class/net/eth0/carrier)" = {int(up)} ]; do sleep 0.1; done')

    def wire(self, *arguments, macs=True):
        """Starts the link partner program on the far end of the board's wire; see wire.Wire.

        It answers ARP: the guest's stack may ask for the partner at any time, whatever the test is about.
        """
        addresses = ["--dst", self.mac, "--src", PARTNER_MAC, "--answer", PARTNER_IP] if macs else []
        return Wire(["--unix", f"{self.remote},{self.local}", *addresses, *arguments], self.dir)

    def wait_detached(self, iface="eth0"):
        """Waits until neither XDP program nor AF_XDP socket is left: they go a moment after their program's end."""
        self.check(f"n=0; while ip link show {iface} | grep -q xdp || [ -n \"$(ss -H --xdp)\" ]; "
                   f"do n=$((n + 1)); [ $n -lt {100 * scale.patience(self.kernel)} ] || exit 1; sleep 0.1; done", 120)

    def wait_forwarding(self):
        """Waits until the board sends frames back, whoever does it there.

        xdp-bench attaches its program before it fills its map of devices; until then frames go up the stack.
        """
        for _ in range(60):
            wire = self.wire("--send", 1, "--stream", 999, "--mac-check", "any", "--window", 1, "--expect", "echo")
            wire.wait()
            if wire.ok:
                return
        raise AssertionError("no frame comes back")
