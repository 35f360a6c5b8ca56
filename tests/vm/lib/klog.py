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


# One report of the kernel's, and those that are of a fault of Linux's own: all patterns must be in it.
REPORT = re.compile(r"^-+\[ cut here \]-+$.*?^-+\[ end trace \w+ \]-+$", re.MULTILINE | re.DOTALL)
LINUX_OWN = [
    # xp_alloc() (net/xdp/xsk_buff_pool.c) syncs a receive buffer of an unaligned chunk as one that lies across two
    # pages of the UMEM, which is mapped page by page. The same on any driver whose DMA needs syncing; ours
    # syncs each part. Such chunks are what a UMEM over DPDK's mbufs has.
    (r"DMA-API: .*tries to sync DMA memory it has not allocated", r"\bxp_alloc\+"),
]


def _without_linux_own(log):
    """The log without reports of faults that are known to be of Linux itself."""
    return REPORT.sub(lambda report: "" if any(all(re.search(pattern, report[0]) for pattern in patterns)
                                               for patterns in LINUX_OWN) else report[0], log)


def faults(log, allowed=()):
    """The lines of a kernel log that tell of a fault, but for those an allowed pattern matches."""
    found = []
    for line in _without_linux_own(STAMP.sub("", log.replace("\r", ""))).splitlines():
        if FAULTS.search(line) and not any(re.search(pattern, line) for pattern in allowed):
            found.append(line)
    return found
