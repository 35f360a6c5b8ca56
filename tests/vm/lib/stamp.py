# SPDX-License-Identifier: BSD-3-Clause
"""The stamped frame of tests/xsk/stamp.h: any header, any length, and it tells when it was damaged."""

import struct
import zlib

# An Ethernet header; and the sum behind it.
MIN, SUMMED = 14, 18
MARK = b"\x02\x54\x49"


def _sum(frame):
    return struct.pack("<I", zlib.crc32(frame[9:-4]))


def put(frame, key=0):
    """The frame with its source address, and from 18 bytes on its last four, replaced by the stamp."""
    assert len(frame) >= MIN
    stamped = frame[:6] + MARK + struct.pack(">BH", key, len(frame)) + frame[12:]
    return stamped if len(frame) < SUMMED else stamped[:-4] + _sum(stamped)


def good(frame):
    """Whether a frame is stamped, and all there."""
    if len(frame) < MIN or frame[6:9] != MARK or struct.unpack(">H", frame[10:12])[0] != len(frame):
        return False
    return len(frame) < SUMMED or frame[-4:] == _sum(frame)
