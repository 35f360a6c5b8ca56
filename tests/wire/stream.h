/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One numbered stream of test frames: what it sends and what became of it.
 * A run has one, or several that are interleaved by weight.
 */
#ifndef TESTS_WIRE_STREAM_H
#define TESTS_WIRE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"
#include "hist.h"
#include "options.h"
#include "track.h"

#define STREAM_TIMES	65536	/* frames under way whose send time is kept (power of two) */

struct stream {
	const struct stream_options *opt;
	uint16_t id;
	struct frame_template *tmpl;	/* one for each size, used in turn */
	unsigned int tmpls;
	uint64_t next;		/* number of the next frame to be made */
	uint64_t sent;		/* numbers below are sent */
	uint64_t sent_bytes;
	uint64_t given_up;	/* window: sent, not back in time, and still not back */
	uint64_t given_up_below;	/* these numbers had their time */
	struct track track;
	uint64_t *sent_at;	/* ns, of the last STREAM_TIMES frames */
	struct hist latency;
	uint64_t first_rx;	/* ns, 0: none */
	uint64_t last_rx;
	int credit;		/* of the weighted choice */
};

/* Return: 0, or -1 after one line on stderr. */
int stream_init(struct stream *s, const struct options *o, unsigned int index);
void stream_free(struct stream *s);

/* Make the templates anew, for a destination now known. */
void stream_retarget(struct stream *s, const struct options *o);

/* The stream whose turn it is: smooth weighted round robin. */
struct stream *stream_choose(struct stream *s, unsigned int streams);

static inline uint16_t stream_fill(struct stream *s, void *buf)
{
	uint16_t len = frame_fill(buf, &s->tmpl[s->tmpls > 1 ? s->next % s->tmpls : 0], s->next);

	s->next++;
	return len;
}

/* Frame s->sent left at time @now. */
static inline void stream_sent(struct stream *s, uint16_t len, uint64_t now)
{
	s->sent_at[s->sent & (STREAM_TIMES - 1)] = now;
	s->sent++;
	s->sent_bytes += len;
}

/* An intact frame of this stream came; numbers from @limit on cannot have. */
enum track_result stream_received(struct stream *s, uint64_t seq, uint64_t limit, uint64_t now);

/* Sent, not back, and not given up. */
static inline uint64_t stream_under_way(const struct stream *s)
{
	return s->sent - s->track.unique - s->given_up;
}

/* What is under way now will not be waited for any more. */
static inline void stream_give_up(struct stream *s)
{
	s->given_up = s->sent - s->track.unique;
	s->given_up_below = s->sent;
}

#endif /* TESTS_WIRE_STREAM_H */
