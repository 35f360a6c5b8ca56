/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequence number accounting, see track.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "track.h"

#define TRACK_FIRST_WORDS	1024

int track_init(struct track *t, unsigned int flows)
{
	memset(t, 0, sizeof(*t));
	t->flows = flows ? flows : 1;
	t->flow_end = calloc(t->flows, sizeof(*t->flow_end));
	return t->flow_end ? 0 : -ENOMEM;
}

void track_free(struct track *t)
{
	free(t->bits);
	free(t->flow_end);
	memset(t, 0, sizeof(*t));
}

static int track_grow(struct track *t, size_t word)
{
	size_t words = t->words ? t->words : TRACK_FIRST_WORDS;
	uint64_t *bits;

	while (words <= word)
		words *= 2;
	bits = realloc(t->bits, words * sizeof(*bits));
	if (!bits)
		return -ENOMEM;
	memset(bits + t->words, 0, (words - t->words) * sizeof(*bits));
	t->bits = bits;
	t->words = words;
	return 0;
}

enum track_result track_add(struct track *t, uint64_t seq, uint64_t limit)
{
	uint64_t *flow_end, bit = 1ULL << (seq & 63);
	size_t word = seq >> 6;

	if (seq >= limit || seq >= TRACK_MAX_SEQ) {
		t->out_of_range++;
		return TRACK_RANGE;
	}
	if (word >= t->words && track_grow(t, word))
		return TRACK_NOMEM;
	if (t->bits[word] & bit) {
		t->duplicate++;
		return TRACK_DUP;
	}
	t->bits[word] |= bit;
	t->unique++;
	if (seq >= t->end)
		t->end = seq + 1;
	flow_end = &t->flow_end[t->flows > 1 ? seq % t->flows : 0];
	if (seq < *flow_end) {
		t->reordered++;
		return TRACK_LATE;
	}
	*flow_end = seq + 1;
	return TRACK_NEW;
}

bool track_seen(const struct track *t, uint64_t seq)
{
	return seq >> 6 < t->words && t->bits[seq >> 6] >> (seq & 63) & 1;
}

uint64_t track_lost(const struct track *t, uint64_t count)
{
	uint64_t seen = 0, word, full = count >> 6;

	if (count >= t->end)
		return count - t->unique;
	/* fewer asked for than were seen: count those below */
	for (word = 0; word < full; word++)
		seen += (uint64_t)__builtin_popcountll(t->bits[word]);
	if (count & 63)
		seen += (uint64_t)__builtin_popcountll(t->bits[full] &
						       ((1ULL << (count & 63)) - 1));
	return count - seen;
}

size_t track_gaps(const struct track *t, uint64_t count, struct track_gap *gap, size_t max)
{
	uint64_t seq = 0;
	size_t n = 0;

	while (seq < count && n < max) {
		if (!(seq & 63) && seq >> 6 < t->words && t->bits[seq >> 6] == UINT64_MAX) {
			seq += 64;
			continue;
		}
		if (track_seen(t, seq)) {
			seq++;
			continue;
		}
		gap[n].first = seq;
		if (seq >= t->end) {	/* nothing was seen from here on */
			gap[n].count = count - seq;
			return n + 1;
		}
		while (seq < count && !track_seen(t, seq))
			seq++;
		gap[n].count = seq - gap[n].first;
		n++;
	}
	return n;
}
