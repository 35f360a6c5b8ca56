# SPDX-License-Identifier: BSD-3-Clause
"""What the kernel's log must not hold after a test."""

import re

# Each of these is a fault of a driver, or of the harness, never of a slow machine.
FAULTS = re.compile(
    r"WARNING:|BUG:|\bOops\b|Kernel panic|Call trace:|INFO: task .* blocked|"
    r"page_pool_release_retry|stalled pool|DMA-API:|refcount_t:|"
    r"unregister_netdevice: waiting|NETDEV WATCHDOG|Unable to handle kernel|"
    r"scheduling while atomic|possible (recursive|circular) locking|suspicious RCU|"
    r"memory leak|swiotlb buffer is full|UBSAN:|KASAN:|general protection|"
    r"Bad page state|list_(add|del) corruption|^init: ",
    re.MULTILINE)

# printk's own time stamp.
STAMP = re.compile(r"^\[\s*\d+\.\d+\]\s?", re.MULTILINE)


def faults(log, allowed=()):
    """The lines of a kernel log that tell of a fault, but for those an allowed pattern matches."""
    found = []
    for line in STAMP.sub("", log.replace("\r", "")).splitlines():
        if FAULTS.search(line) and not any(re.search(pattern, line) for pattern in allowed):
            found.append(line)
    return found
