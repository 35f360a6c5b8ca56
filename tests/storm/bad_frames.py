# SPDX-License-Identifier: BSD-3-Clause
"""Frames that a good partner would not send, made by a seed, and sent to the board as they are.

Where there is room each is stamped (lib.stamp), so that whoever receives it can tell whether all of it
came and nothing else. The sum lies at the end; what a header says of lengths may be as wrong as it likes.
"""

import dataclasses
import select
import socket

from lib import stamp

PARTNER = bytes.fromhex("020000000001")
BROADCAST = b"\xff" * 6
PAUSE_GROUP = bytes.fromhex("0180c2000001")
IPV4, ARP, IPV6, VLAN, SERVICE_VLAN, MAC_CONTROL = 0x0800, 0x0806, 0x86DD, 0x8100, 0x88A8, 0x8808
TYPES = (IPV4, ARP, IPV6, VLAN, SERVICE_VLAN, MAC_CONTROL, 0x88B5, 0x88CC, 0x0000, 0x05DC, 0x05FF, 0x0600, 0xFFFF)
# Ethernet header and the longest payload; two VLAN tags more are taken by our MACs.
LONGEST_PLAIN = 1514
# What the emulator hands on of a datagram (NET_BUFSIZE).
LONGEST_OF_ALL = 65000


@dataclasses.dataclass(frozen=True)
class Bad:
    """One frame."""

    kind: str
    data: bytes

    @property
    def stamped(self):
        """Whether its receiver can check it."""
        return stamp.good(self.data)

    @property
    def tag_cut_short(self):
        """Whether the stack drops it before anybody sees it: a VLAN tag, and no room for what it says."""
        return int.from_bytes(self.data[12:14], "big") in (VLAN, SERVICE_VLAN) and len(self.data) < 20


def _word(number):
    return number.to_bytes(2, "big")


class Maker:
    """Makes them."""

    def __init__(self, random, board):
        """random: the storm's; board: the MAC address of the board, as text."""
        self.random = random
        self.board = bytes.fromhex(board.replace(":", ""))
        self.kinds = {
            "runt": self.runt, "short": self.short, "garbage": self.garbage, "plain": self.plain,
            "tagged": self.tagged, "ip": self.malformed_ip, "fragment": self.fragment, "arp": self.malformed_arp,
            "pause": self.pause, "group": self.group, "long": self.long, "huge": self.huge,
        }

    def make(self, kind=None):
        """A frame of a kind, or of any."""
        kind = kind or self.random.choice(list(self.kinds))
        return Bad(kind, self.kinds[kind]())

    def stamped(self, ethertype, payload, length=None, to=None):
        """A stamped frame: header, payload, and random bytes up to its length."""
        frame = (to or self.board) + PARTNER + _word(ethertype) + payload
        length = max(length or 0, len(frame) + 4)
        frame += self.random.randbytes(length - len(frame))
        return stamp.put(frame, self.random.randrange(256))

    def runt(self):
        """No whole Ethernet header. (An empty datagram would end the emulator's reading for good.)"""
        return self.random.randbytes(self.random.randint(1, stamp.MIN - 1))

    def short(self):
        """A header, but less than Ethernet's 60 bytes. A real MAC would drop it."""
        length = self.random.randint(stamp.MIN, 59)
        frame = self.board + PARTNER + _word(self.random.choice(TYPES)) + self.random.randbytes(length)
        return stamp.put(frame[:length], self.random.randrange(256))

    def garbage(self):
        """Random bytes."""
        return self.random.randbytes(self.random.randint(stamp.MIN, LONGEST_PLAIN))

    def plain(self):
        """A frame of any type and allowed length."""
        return self.stamped(self.random.choice(TYPES), b"", self.random.choice(
            [60, 61, LONGEST_PLAIN - 1, LONGEST_PLAIN, self.random.randint(60, LONGEST_PLAIN)]))

    def tagged(self):
        """One or two VLAN tags, up to the longest that they allow."""
        tags = self.random.randint(1, 2)
        payload = b"".join(_word(self.random.randrange(1 << 16)) + _word(self.random.choice(
            [VLAN, SERVICE_VLAN] if tag < tags - 1 else TYPES)) for tag in range(tags))
        longest = LONGEST_PLAIN + 4 * tags
        return self.stamped(self.random.choice([VLAN, SERVICE_VLAN]), payload, self.random.choice(
            [longest, longest - 1, self.random.randint(60, longest)]))

    def malformed_ip(self):
        """IPv4 or IPv6 whose version, header length, length, protocol and addresses are random."""
        length = self.random.randint(60, LONGEST_PLAIN)
        header = bytearray(self.random.randbytes(40))
        if self.random.randrange(2):
            header[0] = self.random.choice([0x45, 0x4F, 0x40, 0x44, 0x60, 0xFF])
            header[2:4] = _word(self.random.choice([0, 19, 20, 0xFFFF, length, length - 14]))
            header[9] = self.random.choice([1, 6, 17, 47, 255])
            return self.stamped(IPV4, bytes(header), length)
        header[0] = 0x60
        header[4:6] = _word(self.random.choice([0, 0xFFFF, length, length - 54]))
        header[6] = self.random.choice([0, 6, 17, 43, 44, 58, 59, 60, 255])
        return self.stamped(IPV6, bytes(header), length)

    def fragment(self):
        """A fragment of a datagram to the board that never becomes whole, or becomes too long."""
        length = self.random.randint(60, LONGEST_PLAIN)
        header = bytearray(b"\x45\x00" + _word(length - 14) + self.random.randbytes(2) +
                           _word(self.random.choice([0x2000, 0x1FFF, 0x3FFF, self.random.randrange(1 << 14)])) +
                           b"\x40\x11\x00\x00" + bytes([10, 0, 0, 77]) + bytes([10, 0, 0, 2]))
        total = sum(int.from_bytes(header[i:i + 2], "big") for i in range(0, 20, 2))
        total = (total & 0xFFFF) + (total >> 16)
        header[10:12] = _word(~((total & 0xFFFF) + (total >> 16)) & 0xFFFF)
        return self.stamped(IPV4, bytes(header), length)

    def malformed_arp(self):
        """ARP of wrong hardware, protocol, address lengths and operation."""
        body = bytearray(self.random.randbytes(28))
        body[:8] = self.random.choice([b"\x00\x01\x08\x00\x06\x04\x00\x01", self.random.randbytes(8)])
        return self.stamped(ARP, bytes(body), 60, self.random.choice([None, BROADCAST]))

    def pause(self):
        """MAC control with every number of quanta. The emulated MAC gives it no meaning and hands it up."""
        body = _word(1) + _word(self.random.choice([0, 1, 0xFFFF, self.random.randrange(1 << 16)]))
        return self.stamped(MAC_CONTROL, body, 60, PAUSE_GROUP)

    def group(self):
        """To a multicast group, or all."""
        to = self.random.choice([BROADCAST, b"\x01\x00\x5e" + self.random.randbytes(3),
                                 b"\x33\x33" + self.random.randbytes(4)])
        return self.stamped(self.random.choice(TYPES), b"", self.random.randint(60, LONGEST_PLAIN), to)

    def long(self):
        """Longer than the MTU allows, but no longer than 2047."""
        return self.stamped(0x88B5, b"", self.random.choice([1523, 1524, 1526, 1527, 1532, 1533, 1536, 1537, 2047,
                                                             self.random.randint(1523, 2047)]))

    def huge(self):
        """Longer than any receive buffer."""
        return self.stamped(0x88B5, b"", self.random.choice([2048, 2049, 4096, 9018, 16383, 16384, LONGEST_OF_ALL,
                                                             self.random.randint(2048, LONGEST_OF_ALL)]))


class Injector:
    """Sends frames to the board from a socket of its own, whoever else is its partner."""

    def __init__(self, vm):
        self.path = str(vm.local)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 << 20)
        self.socket.setblocking(False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data, patience=60):
        """Sends one frame; waits for as long as the board's ring holds it back."""
        while True:
            try:
                self.socket.sendto(data, self.path)
                return
            except BlockingIOError:
                # The sender's buffer has room again, or (not told by poll) the receiver's queue.
                if not select.select([], [self.socket], [], patience)[1]:
                    raise
                select.select([], [], [], 0.001)
