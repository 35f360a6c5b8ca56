# SPDX-License-Identifier: BSD-3-Clause
"""What the kernel's log must not hold after a test."""

import re

# Each of these is a fault of a driver, or of the harness, never of a slow machine.
FAULTS = re.compile(
    r"WARNING:|BUG:|\bOops\b|Kernel panic|Internal error|Call trace:|INFO: task .* blocked|"
    r"page_pool_release_retry|stalled pool|DMA-API: (?!preallocated|debugging enabled)|refcount_t:|"
    r"unregister_netdevice: waiting|NETDEV WATCHDOG|Unable to handle kernel|"
    r"scheduling while atomic|possible (recursive|circular) locking|suspicious RCU|"
    r"inconsistent lock state|non-static key|locking correctness validator|held lock freed|"
    r"invalid context|INFO: rcu_.* detected|"
    r"swiotlb buffer is full|UBSAN:|KASAN:|KCSAN:|ODEBUG:|ref_tracker:|"
    r"Bad page state|list_(add|del) corruption|new suspected memory leaks|^init: ",
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
