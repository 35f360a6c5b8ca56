/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A histogram of times: 16 buckets to each power of two, so a quantile
 * is right within 6 percent over the whole range of 64 bits. No allocation.
 */
#ifndef TESTS_WIRE_HIST_H
#define TESTS_WIRE_HIST_H

#include <stdint.h>

#define HIST_SUB_BITS	4
#define HIST_SUB	(1u << HIST_SUB_BITS)
#define HIST_BUCKETS	((64 - HIST_SUB_BITS + 1) * HIST_SUB)

struct hist {
	uint64_t count;
	uint64_t sum;
	uint64_t min;
	uint64_t max;
	uint64_t bucket[HIST_BUCKETS];
};

static inline unsigned int hist_index(uint64_t v)
{
	unsigned int shift;

	if (v < HIST_SUB)
		return (unsigned int)v;
	shift = 63 - (unsigned int)__builtin_clzll(v) - HIST_SUB_BITS;
	return (shift + 1) * HIST_SUB + (unsigned int)(v >> shift & (HIST_SUB - 1));
}

static inline void hist_add(struct hist *h, uint64_t v)
{
	if (!h->count || v < h->min)
		h->min = v;
	if (v > h->max)
		h->max = v;
	h->count++;
	h->sum += v;
	h->bucket[hist_index(v)]++;
}

/* The value that @percent of all are not above: the upper end of its bucket. */
static inline uint64_t hist_quantile(const struct hist *h, double percent)
{
	uint64_t want = (uint64_t)((double)h->count * percent / 100), seen = 0, top;
	unsigned int i;

	for (i = 0; i < HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (h->bucket[i] && seen >= want)
			break;
	}
	if (i >= HIST_BUCKETS)
		return h->max;
	if (i < HIST_SUB)
		return i;
	top = ((uint64_t)(HIST_SUB + i % HIST_SUB + 1) << (i / HIST_SUB - 1)) - 1;
	return top < h->max ? top : h->max;
}

#endif /* TESTS_WIRE_HIST_H */
