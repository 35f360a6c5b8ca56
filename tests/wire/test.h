/* SPDX-License-Identifier: BSD-3-Clause */
/* cmocka with the headers that it wants before it, and small helpers of our tests. */
#ifndef TESTS_WIRE_TEST_H
#define TESTS_WIRE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A random number generator whose runs are repeatable (xorshift64*). */
static inline uint64_t test_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

#endif /* TESTS_WIRE_TEST_H */
