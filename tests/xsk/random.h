/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices of the hostile works, the same again for the same seed (xorshift64*). */
#ifndef TESTS_XSK_RANDOM_H
#define TESTS_XSK_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * 0x2545f4914f6cdd1dULL;
}

static inline void random_seed(struct random *r, uint64_t seed)
{
	r->state = seed * 0x9e3779b97f4a7c15ULL + 0x7469;
	if (!r->state)
		r->state = 1;
	random_next(r);
}

/* 0 .. n - 1 */
static inline uint32_t random_below(struct random *r, uint32_t n)
{
	return (uint32_t)((random_next(r) >> 32) * n >> 32);
}

static inline bool random_one_in(struct random *r, uint32_t n)
{
	return !random_below(r, n);
}

#endif /* TESTS_XSK_RANDOM_H */
