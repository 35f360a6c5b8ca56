/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeping account of sequence numbers: new, late, duplicate, lost.
 *
 * One bit for each sequence number, so nothing is guessed from a window: a
 * duplicate is known however late it comes. Memory is an eighth of a byte a
 * frame and grows with the highest number seen, never beyond the limit given.
 * Not thread safe.
 */
#ifndef TESTS_WIRE_TRACK_H
#define TESTS_WIRE_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACK_MAX_SEQ	(1ULL << 34)	/* 2 GiB of bits: hours at line rate */

enum track_result {
	TRACK_NEW,	/* first time, in order */
	TRACK_LATE,	/* first time, but a higher one of its flow came before */
	TRACK_DUP,	/* seen before */
	TRACK_RANGE,	/* no such number can have been sent */
	TRACK_NOMEM,
};

struct track {
	uint64_t *bits;
	size_t words;
	uint64_t end;		/* highest number seen, plus 1 */
	uint64_t unique;
	uint64_t duplicate;
	uint64_t reordered;
	uint64_t out_of_range;
	uint64_t *flow_end;	/* of each flow: the highest number seen, plus 1 */
	unsigned int flows;
};

struct track_gap {
	uint64_t first;
	uint64_t count;
};

/* @flows: order is kept within seq % flows only (1: order of all). Return: 0 or -ENOMEM. */
int track_init(struct track *t, unsigned int flows);
void track_free(struct track *t);

/* Account for @seq, which must be below @limit (numbers sent so far, or TRACK_MAX_SEQ). */
enum track_result track_add(struct track *t, uint64_t seq, uint64_t limit);

bool track_seen(const struct track *t, uint64_t seq);

/* Numbers below @count that were not seen. */
uint64_t track_lost(const struct track *t, uint64_t count);

/* The first @max runs of numbers below @count that were not seen. Return: how many. */
size_t track_gaps(const struct track *t, uint64_t count, struct track_gap *gap, size_t max);

#endif /* TESTS_WIRE_TRACK_H */
