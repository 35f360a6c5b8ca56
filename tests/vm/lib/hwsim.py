# SPDX-License-Identifier: BSD-3-Clause
"""The simulated ICSSG of a board that was booted with Vm(hwsim=...): its ports and their far ends.

Port N of the board is simN with address 10.1.N.2; the far end of its cable, wireN with address 10.1.N.1, is in
a network namespace of its own, so that what the two say to each other goes over the cable.
"""

DEBUGFS = "/sys/kernel/debug/hwsim/icssg1"
FAR = "ip netns exec far"
PORTS = (0, 1)


def board_ip(port):
    """Address of the board's end."""
    return f"10.1.{port}.2"


def far_ip(port):
    """Address of the far end."""
    return f"10.1.{port}.1"


def set_up(vm, ports=PORTS):
    """Takes ports and far ends up and waits for the link."""
    vm.check("ip netns add far && ip -n far link set lo up")
    for port in ports:
        vm.check(f"ip link set wire{port} netns far && ip -n far addr add {far_ip(port)}/24 dev wire{port} && "
                 f"ip -n far link set wire{port} up && ip addr add {board_ip(port)}/24 dev sim{port} && "
                 f"ip link set sim{port} up")
        wait_link(vm, port)


def wait_link(vm, port, up=True):
    """Waits until the board has noticed that a port's link came or went."""
    vm.check(f'until [ "$(cat /sys/class/net/sim{port}/carrier)" = {int(up)} ]; do sleep 0.1; done')


def put(vm, port, name, value):
    """Sets a file of a port in debugfs, by its path below the port's directory."""
    vm.check(f"echo {value} > {DEBUGFS}/slice{port}/{name}")


def status(vm, port):
    """What a port's status file says: {line's name: {key: text}}."""
    lines = vm.check(f"cat {DEBUGFS}/slice{port}/status").splitlines()
    return {name: dict(word.split("=", 1) for word in rest.split())
            for name, rest in (line.split(": ", 1) for line in lines)}


def frames(vm, port):
    """Counters of a port: what became of frames."""
    return {name: int(value) for name, value in status(vm, port)["frames"].items()}


def dma(vm, port, thread):
    """Counters of one of a port's DMA threads: tx0 to tx3, rx."""
    return {name: int(value) for name, value in status(vm, port)[thread].items()}


def echo(vm, port, count, size="60-1514", window=8):
    """Sends echo requests from the far end, each answered by the board's stack with the same payload."""
    vm.check(f"{FAR} wire --iface wire{port} --icmp --to {board_ip(port)} --from {far_ip(port)} --send {count} "
             f"--size {size} --window {window} --timeout-ms 60000 --expect echo", 600)


def transfer(vm, port, size, to_board):
    """Carries a file of random bytes by TCP over a port, one way, and compares it."""
    sender, receiver, address = ("", FAR, far_ip(port)) if not to_board else (FAR, "", board_ip(port))
    # The receiver's input never ends: nc would end with it.
    vm.check("rm -f /tmp/quiet && mkfifo /tmp/quiet && "
             f"dd if=/dev/urandom of=/tmp/sent bs=64k count={size // 65536} 2>/dev/null; "
             f"{receiver} nc -l -p 5001 <> /tmp/quiet > /tmp/received & "
             f"until {receiver} ss -ltn | grep -q :5001; do sleep 0.1; done; "
             f"{sender} nc {address} 5001 < /tmp/sent; wait; cmp /tmp/sent /tmp/received; rc=$?; "
             "rm -f /tmp/sent /tmp/received; exit $rc", 600)
