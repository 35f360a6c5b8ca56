# SPDX-License-Identifier: BSD-3-Clause
"""Frames of a capture file, as the link partner writes it (--dump-bad)."""

import struct

HEADER = struct.Struct("<IHHiIII")
RECORD = struct.Struct("<IIII")
MAGIC = 0xA1B2C3D4


def read(path):
    """The frames of a little-endian capture file."""
    data = path.read_bytes()
    assert HEADER.unpack_from(data)[0] == MAGIC, f"{path} is no capture"
    place = HEADER.size
    while place < len(data):
        length = RECORD.unpack_from(data, place)[2]
        place += RECORD.size
        yield data[place:place + length]
        place += length
