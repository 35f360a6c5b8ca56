# SPDX-License-Identifier: BSD-3-Clause
"""Started by scripts and stopped by them: pipes, ends of input, signals, options that are wrong."""

import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest
from testpmd import EAL, PROMPT, TI, TIMEOUT, Testpmd, forward_statistics, run

MBUFS = "--total-num-mbufs=4096"
NULLS = ["net_null0", "net_null1"]


def ended_in_order(output, ports=2):
    """The final statistics, and every port stopped and closed, in that order."""
    statistics = forward_statistics(output)
    assert set(statistics) == {"all", *map(str, range(ports))}
    assert statistics["all"]["RX-packets"] == sum(statistics[str(port)]["RX-packets"] for port in range(ports))
    at = output.index("Accumulated forward statistics for all ports")
    for line in [f"Stopping port {port}..." for port in range(ports)] + \
                [f"Shutting down port {port}..." for port in range(ports)] + ["Bye..."]:
        at = output.index(line, at)
    return statistics


def test_commands_by_pipe(either):
    """A whole script at once; then the end of the input, without `quit`."""
    code, output, _ = run(either, NULLS, ["-i", MBUFS], "set fwd macswap\nstart\nshow port stats all\n")
    assert code == 0
    assert "Set macswap packet forwarding mode" in output
    ended_in_order(output)


def test_output_keeps_the_order():
    """What a command prints stands behind it, also in a pipe (the stock program buffers it)."""
    _, output, _ = run(TI, NULLS, ["-i", MBUFS], "show config cores\nshow config txpkts\nquit\n")
    assert re.search(rf"{PROMPT}show config cores\nList of forwarding lcores:.*\n"
                     rf"{PROMPT}show config txpkts\nNumber of segments: 1\n", output)


def test_quit_while_forwarding(either):
    """`quit` stops forwarding first."""
    code, output, _ = run(either, NULLS, ["-i", MBUFS], "start\nquit\n")
    assert code == 0
    ended_in_order(output)


def test_what_follows_quit_is_not_run():
    """After `quit` nothing more is read."""
    code, output, _ = run(TI, NULLS, ["-i", MBUFS], "quit\nshow config cores\n")
    assert code == 0
    assert "List of forwarding lcores" not in output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("options", [
    ["-i"], ["--stats-period=1"], [],
], ids=["prompt", "stats-period", "waiting"])
def test_signals(number, options):
    """A signal ends it in order, whatever it waits for. (The stock program may miss one that comes
    just before it waits, and then hangs: it is no measure here.)"""
    with Testpmd(TI, NULLS, [MBUFS, *options]) as testpmd:
        if options == ["-i"]:
            testpmd.ready()
            testpmd.command("start")
        elif options:
            testpmd.expect("Port statistics ====")
        else:
            testpmd.expect("Press enter to exit")
        testpmd.interrupt(number)
        assert testpmd.wait() == 0
        ended_in_order(testpmd.output)


def test_signal_before_the_prompt():
    """A signal that comes while ports start is not lost."""
    with Testpmd(TI, NULLS, ["-i", MBUFS]) as testpmd:
        testpmd.expect("Interactive-mode selected")
        testpmd.interrupt()
        assert testpmd.wait() == 0
        assert "Bye..." in testpmd.output


def test_many_signals():
    """Impatience does no harm."""
    with Testpmd(TI, NULLS, ["-i", "--auto-start", MBUFS]) as testpmd:
        testpmd.ready()
        for _ in range(20):
            testpmd.interrupt()
        assert testpmd.wait() == 0
        ended_in_order(testpmd.output)


def test_enter_ends(either):
    """Without -i it forwards until Enter."""
    with Testpmd(either, NULLS, [MBUFS]) as testpmd:
        testpmd.expect("No commandline core given, start packet forwarding")
        testpmd.expect("Press enter to exit")
        testpmd.write("\n")
        assert testpmd.wait() == 0
        ended_in_order(testpmd.output)


def test_end_of_input_ends(either):
    """Without -i the end of the input ends it."""
    code, output, _ = run(either, NULLS, [MBUFS])
    assert code == 0
    ended_in_order(output)


def test_stats_period(either):
    """--stats-period shows every forwarding port, again and again."""
    with Testpmd(either, NULLS, [MBUFS, "--stats-period=1"]) as testpmd:
        for _ in range(2):
            testpmd.expect(r"Port statistics ====+\n +#+ NIC statistics for port 0 +#+\n(?:.*\n)+?"
                           r" +#+ NIC statistics for port 1 +#+\n(?:.*\n)+?  Rx-pps: +\d+")


def test_auto_start(either):
    """-a with -i forwards without being told."""
    with Testpmd(either, NULLS, ["-i", "-a", MBUFS]) as testpmd:
        testpmd.expect("Start automatic packet forwarding")
        testpmd.ready()
        testpmd.command("stop")
        ended = testpmd.command("stop")
        assert ended == ""
        assert "Packet forwarding not started" in testpmd.errors


def test_tx_first(either):
    """--tx-first sends a burst, without -i."""
    with Testpmd(either, ["net_ring0"], [MBUFS, "--tx-first"]) as testpmd:
        testpmd.expect("Press enter to exit")
        time.sleep(0.2)
        testpmd.write("\n")
        assert testpmd.wait() == 0
        statistics = ended_in_order(testpmd.output, 1)["0"]
        assert statistics["TX-packets"] == statistics["RX-packets"] + 32


def test_cmdline_file(either, tmp_path):
    """The commands of a file come before the prompt."""
    (tmp_path / "commands").write_text("set fwd rxonly\nset burst 8\n")
    with Testpmd(either, NULLS, ["-i", MBUFS, f"--cmdline-file={tmp_path}/commands"]) as testpmd:
        testpmd.expect("Set rxonly packet forwarding mode")
        testpmd.expect("Number of packets per burst set to 8")
        testpmd.expect(f"Read CLI commands from {tmp_path}/commands")
        testpmd.ready()
        assert "rxonly packet forwarding packets/burst=8" in testpmd.command("show config rxtx")


def test_cmdline_file_may_start(tmp_path):
    """The file may start forwarding itself; then Enter ends."""
    (tmp_path / "commands").write_text("start\n")
    code, output, _ = run(TI, NULLS, [MBUFS, f"--cmdline-file={tmp_path}/commands"])
    assert code == 0
    assert "already started" not in output
    ended_in_order(output)


def test_cmdline_file_missing():
    """A file that is not there is a failure."""
    code, _, errors = run(TI, NULLS, [MBUFS, "--cmdline-file=/nonexistent"])
    assert code == 1
    assert "/nonexistent" in errors


def test_terminal():
    """On a terminal: the prompt, completion by Tab, Ctrl-C gives the line up and Ctrl-D ends."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [str(TI), "-l", "0,1", *EAL, "--vdev", "net_null0", "--", "-i", MBUFS],
        stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, start_new_session=True)
    os.close(slave)
    seen = ""

    def until(text):
        nonlocal seen
        deadline = time.monotonic() + TIMEOUT
        while text not in seen:
            readable, _, _ = select.select([master], [], [], max(0, deadline - time.monotonic()))
            assert readable, seen
            seen += os.read(master, 4096).decode(errors="replace")
        seen = seen[seen.index(text) + len(text):]

    try:
        until(PROMPT)
        os.write(master, b"show config co\t\n")
        until("show config cores")
        until("List of forwarding lcores")
        until(PROMPT)
        # Two Tabs list what may follow: the ports that there are, too.
        os.write(master, b"show port info \t\t")
        until("0 [Port or all]")
        until("all [Port or all]")
        os.write(master, b"\x03\x04")
        until("Bye...")
        assert process.wait(TIMEOUT) == 0
    finally:
        process.kill()
        process.wait()
        os.close(master)


@pytest.mark.parametrize("options", [
    ["--no-such-option"], ["-x"], ["stray"], ["--rxq"], ["--rxq=1025"], ["--burst=513"], ["--rxd=0"],
    ["--stats-period=x"], ["--port-topology=x"], ["--nb-cores=2"], ["--nb-ports=3"], ["--coremask=1"],
    ["--eth-peer=0"], ["--total-num-mbufs=1"], ["-i", "--tx-first"],
], ids=" ".join)
def test_bad_options_in_both(either, options):
    """What the stock program refuses is refused; by us with one line."""
    code, _, errors = run(either, NULLS, options, eal=["--log-level=emergency"])
    assert code != 0
    if either is TI:
        assert len(errors.strip().splitlines()) == 1, errors


@pytest.mark.parametrize("options,says", [
    (["--forward-mode=foo"], "'foo'"), (["--rxq=2x"], "'2x'"), (["--txpkts=9000"], "9000"),
    (["--hairpinq=1"], "dpdk-testpmd"), (["--portmask=8"], "mask of ports"),
    (["--sizes=64"], "only with --measure"), (["--measure", "-i"], "interactive"),
], ids=str)
def test_bad_options(options, says):
    """What the stock program lets pass, or does not know, is refused with one line."""
    code, _, errors = run(TI, NULLS, options, eal=["--log-level=emergency"])
    assert code == 1
    assert len(errors.strip().splitlines()) == 1, errors
    assert says in errors


def test_one_core_is_too_few(either):
    """The main lcore only reads commands."""
    code, _, errors = run(either, NULLS, ["-i"], cores="0")
    assert code != 0
    assert re.search("no cores", errors, re.IGNORECASE)


def test_ports_that_cannot_be_configured(either):
    """A port that takes no such MTU: failure without -i, a prompt with it."""
    code, _, errors = run(either, NULLS, [MBUFS, "--rx-offloads=0x1", "--disable-link-check"])
    assert code != 0
    assert "Start ports failed" in errors
    code, output, errors = run(either, NULLS, ["-i", MBUFS, "--rx-offloads=0x1"], "start\nquit\n")
    assert code == 0
    assert "Start ports failed" in errors
    assert "Not all ports were started" in errors
    assert "Bye..." in output


def test_help(either):
    """--help: every option of ours that both have is listed by both."""
    code, output, _ = run(either, NULLS, ["--help"])
    assert code == 0
    for option in ("interactive", "auto-start", "cmdline-file", "tx-first", "stats-period", "nb-cores", "nb-ports",
                   "coremask", "portmask", "mbuf-size", "total-num-mbufs", "max-pkt-len", "eth-peer", "disable-rss",
                   "port-topology", "forward-mode", "rxq", "rxd", "txq", "txd", "burst", "txpkts", "no-lsc-interrupt"):
        assert f"--{option}" in output


def test_help_command():
    """`help all` lists every command but itself."""
    _, output, _ = run(TI, NULLS, ["-i", MBUFS], "help all\nquit\n")
    for usage in ("start tx_first [<count>]", "show port info|stats|xstats|summary <port_id|all>",
                  "set fwd io|mac|macswap|flowgen|rxonly|txonly", "port start|stop|close <port_id|all>"):
        assert usage in output
