# SPDX-License-Identifier: BSD-3-Clause
"""What cannot be is refused with one clear line, and leaves nothing behind."""

import ctypes
import mmap
import os
import re
import socket
import struct
import subprocess

import pytest

from pmdbench import BUILD, TIMEOUT, Testpmd, run

TI_TESTPMD = BUILD / "app/ti-testpmd"
PROGRAM = BUILD / "drivers/net/af_xdp_ti/xsk_redirect.bpf.o"

# devargs (iface=dut0 unless they name another), and the line.
REFUSED = [
    ("mode=zc", "driver veth of dut0 has no AF_XDP zero-copy: use mode=copy (mode=auto falls back by "
                "itself), or a netdev whose driver has it"),
    ("", "driver veth of dut0 has no AF_XDP zero-copy: use mode=copy"),
    ("mode=fast", "mode=fast is none of zc, copy, skb, auto"),
    ("mode=copy,queues=1", 'unknown devarg "queues": there are iface, start_queue, queue_count, '
                           "shared_umem, xdp_prog, busy_budget, force_copy, mode"),
    ("mode=copy,mode=skb", "devarg mode= is given twice"),
    ("mode=zc,force_copy=1", "mode=zc and force_copy=1 contradict each other: give one"),
    ("mode=copy,queue_count=x", "queue_count=x is not a number from 1 to 64"),
    ("mode=copy,queue_count=0", "queue_count=0 is not a number from 1 to 64"),
    ("mode=copy,start_queue=-1", "start_queue=-1 is not a number from 0 to 65535"),
    ("mode=copy,busy_budget=70000", "busy_budget=70000 is not a number from 0 to 65535"),
    ("mode=copy,busy_budget=8k", "busy_budget=8k is not a number from 0 to 65535"),
    ("mode=copy,force_copy=yes", "force_copy=yes is not a number from 0 to 1"),
    ("mode=copy,shared_umem=2", "shared_umem=2 is not a number from 0 to 1"),
    ("mode=copy,start_queue=5", "dut0 (driver veth) has 1 receive and 1 transmit queues, but queues 5 "
                                "to 5 are asked for: lower start_queue= or queue_count="),
    ("mode=copy,queue_count=9", "dut0 (driver veth) has 1 receive and 1 transmit queues, but queues 0 "
                                "to 8 are asked for: lower start_queue= or queue_count="),
    ("mode=copy,xdp_prog=/no/such.o", "cannot read xdp_prog=/no/such.o for dut0: No such file or "
                                      "directory: give the path of a BPF object file"),
    ("mode=copy,xdp_prog=/etc/passwd", "cannot read xdp_prog=/etc/passwd for dut0: "),
    ("iface=nosuch0,mode=copy", 'no network interface "nosuch0" in this network namespace: see `ip link`, '
                                "and set iface= to one of them"),
    ("iface=a-name-too-long-for-linux,mode=copy", "iface=a-name-too-long-for-linux is not the name of a "
                                                  "network interface (1 to 15 characters)"),
    ("NOIFACE,mode=copy", "iface= is missing: give the network interface to bind, iface=eth0"),
    ("iface=lo,mode=copy", "driver ? of lo has no XDP"),
]


def vdev_of(devargs):
    """The whole argument of --vdev."""
    if devargs.startswith("NOIFACE,"):
        return f"net_af_xdp_ti0,{devargs.removeprefix('NOIFACE,')}"
    if devargs.startswith("iface="):
        return f"net_af_xdp_ti0,{devargs}"
    return f"net_af_xdp_ti0,iface=dut0{',' if devargs else ''}{devargs}"


@pytest.mark.parametrize("devargs, line", REFUSED, ids=[devargs or "none" for devargs, _ in REFUSED])
def test_refused_at_probe(pair, devargs, line):
    """The stock testpmd prints the line, and has no port."""
    before = pair.settings()
    with Testpmd(pair.dut_ns, [vdev_of(devargs)]) as testpmd:
        testpmd.ready()
        lines = testpmd.our_lines()
        assert len(lines) == 1 and lines[0].startswith(f"net_af_xdp_ti0: {line}"), testpmd.output
        assert "No probed ethernet devices" in testpmd.output
        assert pair.settings() == before
        assert not [fd for fd in os.listdir(f"/proc/{testpmd.process.pid}/fd") if
                    re.search("AF_XDP|bpf", os.readlink(f"/proc/{testpmd.process.pid}/fd/{fd}"))]
        testpmd.quit()
    assert pair.settings() == before


def test_exit_code_of_the_application(pair):
    """ti-testpmd without the zero-copy that it was asked for ends with an exit code that is not zero."""
    done = subprocess.run(
        ["ip", "netns", "exec", pair.dut_ns, str(TI_TESTPMD), "-l", "0,1", "--no-huge", "-m", "128",
         "--no-pci", "--no-telemetry", "--no-shconf", "--vdev", "net_af_xdp_ti0,iface=dut0", "--",
         "--total-num-mbufs=4096"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=TIMEOUT, check=False)
    assert done.returncode != 0
    assert "net_af_xdp_ti0: driver veth of dut0 has no AF_XDP zero-copy" in done.stdout


def test_no_privilege(pair):
    """Without capabilities: told which to have. (Root by name still, so as to reach the plugin.)"""
    before = pair.settings()
    wrapper = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"], wrapper=wrapper) as testpmd:
        testpmd.ready()
        assert testpmd.our_lines() == [
            "net_af_xdp_ti0: no privilege to load the XDP program for dut0: run as root or grant CAP_BPF, "
            "CAP_NET_ADMIN and CAP_NET_RAW"]
        assert "No probed ethernet devices" in testpmd.output
    assert pair.settings() == before


def test_locked_memory_limit(pair):
    """Without CAP_IPC_LOCK the pool must fit RLIMIT_MEMLOCK: told so, nothing is left."""
    before = pair.settings()
    no_lock = ["setpriv", "--inh-caps=-ipc_lock", "--bounding-set=-ipc_lock"]
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"],
                 wrapper=["prlimit", f"--memlock={8 << 20}", *no_lock]) as testpmd:
        testpmd.ready()
        lines = testpmd.our_lines()
        assert len(lines) == 1 and "RLIMIT_MEMLOCK is too low, raise it (ulimit -l) or grant CAP_IPC_LOCK" in lines[0]
        assert "xdp" not in pair.link()
        assert testpmd.pool()[0] == testpmd.pool()[1]
        testpmd.quit()
    assert pair.settings() == before


@pytest.mark.parametrize("options, mbufs, line", [
    ([], 2000, "mbuf pool mb_pool_0 has 2000 mbufs, 1 receive queue of dut0 needs at least 2112: make the "
               "pool larger or use fewer descriptors (2048 now)"),
    (["--mbuf-size=1500"], 8192, "mbuf pool mb_pool_0 has buffers of 1500 bytes, AF_XDP needs at least 1856: "
                                 "create it with a data room of RTE_MBUF_DEFAULT_BUF_SIZE (2176)"),
])
def test_pool_too_small(pair, options, mbufs, line):
    """Too few mbufs, or too small: the queue is refused."""
    before = pair.settings()
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"], options, mbufs=mbufs) as testpmd:
        testpmd.ready()
        assert testpmd.our_lines() == [f"net_af_xdp_ti0: {line}"]
        assert "xdp" not in pair.link()
        testpmd.quit()
    assert pair.settings() == before


def test_pool_too_small_for_two_queues(make_pair):
    """The pool must do for all queues together."""
    pair = make_pair(queues=2)
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy,queue_count=2"],
                 ["--rxq=2", "--txq=2"], mbufs=4000) as testpmd:
        testpmd.ready()
        assert testpmd.our_lines() == [
            "net_af_xdp_ti0: mbuf pool mb_pool_0 has 4000 mbufs, 2 receive queues of dut0 need at least "
            "4160: make the pool larger or use fewer descriptors (2048 now)"]


def test_mtu_too_large_for_the_pool(pair):
    """Linux's MTU is larger than the buffers: refused, until the pool has larger ones."""
    for end, name in ((pair.dut_ns, pair.DUT), (pair.far_ns, pair.FAR)):
        run("ip", "-n", end, "link", "set", name, "mtu", 3000)
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"]) as testpmd:
        testpmd.ready()
        assert testpmd.our_lines() == [
            "net_af_xdp_ti0: mbuf pool mb_pool_0 holds frames of 1920 bytes, MTU 3000 of dut0 needs 3072: "
            "create the pool with a data room of at least 3328, or lower the MTU"]
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"], ["--mbuf-size=3456"],
                 mbufs=4096) as testpmd:
        testpmd.ready().forward()
        pair.echoed("--send", 5000, "--size", "60-3014", "--window", 64)


def test_mtu_set_beyond_the_pool(pair):
    """`port config mtu`: up to what the buffers hold, put back at the end; more is refused."""
    before = pair.settings()
    run("ip", "-n", pair.far_ns, "link", "set", pair.FAR, "mtu", 1800)
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"]) as testpmd:
        testpmd.ready()
        testpmd.command("port stop 0")
        testpmd.command("port config mtu 0 2500")
        assert testpmd.our_lines()[-1] == (
            "net_af_xdp_ti0: MTU 2500 needs buffers for 2560 bytes, mbuf pool mb_pool_0 of queue 0 holds "
            "1920: use a pool with a larger data room")
        # Above what dev_infos reports, ethdev itself refuses.
        assert "MTU (9000) > device max MTU (3558)" in testpmd.command("port config mtu 0 9000")
        testpmd.command("port config mtu 0 1800")
        assert pair.link()["mtu"] == 1800
        testpmd.command("port start 0")
        testpmd.forward()
        pair.echoed("--send", 5000, "--size", "60-1814", "--window", 64)
        testpmd.quit()
    assert pair.settings() == before


def test_another_xdp_program(pair):
    """A program that somebody else attached is not replaced, and stays."""
    run("ip", "-n", pair.dut_ns, "link", "set", pair.DUT, "xdp", "object", PROGRAM, "section", "xdp")
    attached = pair.link()["xdp"]
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"]) as testpmd:
        testpmd.ready()
        number = attached["prog"]["id"]
        assert testpmd.our_lines() == [
            f"net_af_xdp_ti0: dut0 has an XDP program already (id {number}, see `bpftool prog show id "
            f"{number}`): end the program that attached it, or detach it (ip link set dut0 xdp off)"]
        testpmd.quit()
    assert pair.link()["xdp"] == attached


def test_netdev_of_a_live_process(pair):
    """What a live process has set is left alone: the second one is refused, the first goes on."""
    with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"]) as first:
        first.ready().forward()
        during = pair.settings()
        with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"]) as second:
            second.ready()
            assert second.our_lines() == [
                f"net_af_xdp_ti0: dut0 is in use by process {first.process.pid} (dpdk-testpmd): end it, or "
                "give both ports to one process"]
        assert pair.settings() == during
        pair.echoed("--send", 2000, "--window", 64)


def bind_queue(queue):
    """An AF_XDP socket bound to a queue of dut0, in the calling process's namespace."""
    sol_xdp, page = 283, 4096
    memory = mmap.mmap(-1, page)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    sock = socket.socket(44, socket.SOCK_RAW)
    sock.setsockopt(sol_xdp, 4, struct.pack("QQIIQ", address, page, 2048, 0, 0))
    for option in (5, 6, 3):
        sock.setsockopt(sol_xdp, option, struct.pack("I", 1))
    sxdp = struct.pack("HHIII", 44, 2, socket.if_nametoindex("dut0"), queue, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.bind(sock.fileno(), sxdp, len(sxdp)) == 0, os.strerror(ctypes.get_errno())
    return sock, memory


def test_queue_of_another_socket(pair):
    """A queue that another AF_XDP socket has is refused; the XDP program is detached again."""
    before = pair.settings()
    holder = subprocess.Popen(
        ["ip", "netns", "exec", pair.dut_ns, "/usr/bin/python3", "-c",
         "import sys; sys.path.insert(0, sys.argv[1]); import test_errors; "
         "held = test_errors.bind_queue(0); print('bound', flush=True); sys.stdin.read()",
         os.path.dirname(__file__)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "bound\n"
        with Testpmd(pair.dut_ns, ["net_af_xdp_ti0,iface=dut0,mode=copy"]) as testpmd:
            testpmd.ready()
            assert testpmd.our_lines() == [
                "net_af_xdp_ti0: queue 0 of dut0 is taken by another AF_XDP socket: end that program (ss --xdp "
                "-p shows it) or choose other queues with start_queue="]
            assert "xdp" not in pair.link()
            # All mbufs are back though the port could not start.
            assert testpmd.pool()[0] == testpmd.pool()[1]
            testpmd.quit()
    finally:
        holder.stdin.close()
        holder.wait(TIMEOUT)
    assert pair.settings() == before
