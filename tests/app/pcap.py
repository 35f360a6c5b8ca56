# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes pcap files, and makes the frames that the tests send."""

import struct

_MAGIC_MICROSECONDS = 0xA1B2C3D4
_MAGIC_NANOSECONDS = 0xA1B23C4D
_ETHERNET = 1


def write(path, frames):
    """Writes frames, one microsecond apart."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", _MAGIC_MICROSECONDS, 2, 4, 0, 0, 65535, _ETHERNET))
        for number, frame in enumerate(frames):
            file.write(struct.pack("<IIII", 0, number, len(frame), len(frame)))
            file.write(frame)


def read(path):
    """Reads all frames."""
    data = path.read_bytes()
    magic, = struct.unpack_from("<I", data)
    assert magic in (_MAGIC_MICROSECONDS, _MAGIC_NANOSECONDS)
    frames, at = [], 24
    while at < len(data):
        kept, length = struct.unpack_from("<8xII", data, at)
        assert kept == length
        at += 16
        frames.append(data[at:at + length])
        at += length
    return frames


def mac(text):
    """Six bytes of a MAC address."""
    return bytes.fromhex(text.replace(":", ""))


def udp_frame(number, length=60, source="02:00:00:00:00:aa", destination="02:00:00:00:00:bb"):
    """An Ethernet/IPv4/UDP frame with a number in it."""
    payload = struct.pack(">Q", number).ljust(length - 42, bytes([number & 0xFF]))
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length - 14, number & 0xFFFF, 0, 64, 17, 0,
                     bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    ip = ip[:10] + struct.pack(">H", checksum(ip)) + ip[12:]
    udp = struct.pack(">HHHH", 1000, 2000, length - 34, 0)
    return mac(destination) + mac(source) + b"\x08\x00" + ip + udp + payload


def checksum(data):
    """The internet checksum (RFC 1071) of bytes whose checksum field is zero."""
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
