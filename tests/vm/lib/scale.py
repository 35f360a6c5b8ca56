# SPDX-License-Identifier: BSD-3-Clause
"""Which kernel the tests run on, and what that means for how much they ask of it.

VM_KERNEL in the environment names a directory of build/kernel. Those with a variant in their name
(6.12-debug) look for faults at every step, and are many times slower under emulation.
"""

import os

KERNEL = os.environ.get("VM_KERNEL", "6.12")
# How much less a test asks of such a kernel: in frames, and in frames a second.
FEWER = 50
SLOWER = 20
# A test of few frames keeps them all.
FEWEST = 200


def is_debug(kernel=KERNEL):
    """Whether a kernel is one of devtools/debug-kernel's."""
    return "-" in kernel


def patience(kernel=KERNEL):
    """How many times longer an answer of the guest's may take."""
    return 5 if is_debug(kernel) else 1


def frames(number):
    """How many frames a test sends that sends so many on a stock kernel."""
    return max(number // FEWER, min(number, FEWEST)) if is_debug() else number


def rounds(number):
    """How often a test repeats what it repeats so often on a stock kernel; storms do the rest there."""
    return max(number // 10, 2) if is_debug() else number


def rate(number):
    """How many frames a second a test sends, beside other things, that sends so many to a stock kernel."""
    return number // SLOWER if is_debug() else number
