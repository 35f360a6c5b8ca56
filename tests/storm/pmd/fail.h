/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that fail on demand: the linker's --wrap puts these between the PMD (with libbpf, linked
 * in) and what it calls. While armed the calls of the arming thread are counted, and one is refused.
 */
#ifndef STORM_FAIL_H
#define STORM_FAIL_H

#include <stdbool.h>

/** Refuse call number @nth from now (1 for the next); 0 counts without refusing any. */
void fail_arm(unsigned int nth);

/** No more. Return how many calls were made while armed. */
unsigned int fail_disarm(void);

/** The call that was refused and its error, "socket: Too many open files"; "" when none was. */
const char *fail_what(void);

/** The errno of it, or 0. */
int fail_errno(void);

#endif /* STORM_FAIL_H */
