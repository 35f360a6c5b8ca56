/* SPDX-License-Identifier: BSD-3-Clause */
/* One numbered stream of test frames, see stream.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

int stream_init(struct stream *s, const struct options *o, unsigned int index)
{
	unsigned int i, n = 0;

	memset(s, 0, sizeof(*s));
	s->opt = &o->stream[index];
	s->id = (uint16_t)(o->stream_id + index);
	for (i = 0; i < o->sizes; i++)
		n += o->size[i].to - o->size[i].from + 1u;
	s->tmpls = n;
	s->tmpl = calloc(n, sizeof(*s->tmpl));
	s->sent_at = calloc(STREAM_TIMES, sizeof(*s->sent_at));
	if (!s->tmpl || !s->sent_at || track_init(&s->track, o->flows)) {
		fprintf(stderr, "wire: no memory for stream %u\n", s->id);
		stream_free(s);
		return -1;
	}
	stream_retarget(s, o);
	return 0;
}

void stream_free(struct stream *s)
{
	track_free(&s->track);
	free(s->tmpl);
	free(s->sent_at);
	s->tmpl = NULL;
	s->sent_at = NULL;
}

void stream_retarget(struct stream *s, const struct options *o)
{
	struct frame_spec spec = {
		.src_ip = o->src_ip,
		.dst_ip = o->dst_ip,
		.proto = s->opt->proto,
		.src_port = o->src_port,
		.dst_port = s->opt->port,
		.flows = o->flows,
		.stream = s->id,
	};
	unsigned int i, len, n = 0;

	memcpy(spec.dst_mac, o->dst_mac, 6);
	memcpy(spec.src_mac, o->src_mac, 6);
	for (i = 0; i < o->sizes; i++) {
		for (len = o->size[i].from; len <= o->size[i].to; len++) {
			spec.len = (uint16_t)len;
			/* Cannot fail: the options hold only sizes that are possible. */
			if (frame_template_init(&s->tmpl[n++], &spec))
				abort();
		}
	}
}

struct stream *stream_choose(struct stream *s, unsigned int streams)
{
	struct stream *best = s;
	int total = 0;
	unsigned int i;

	if (streams == 1)
		return s;
	for (i = 0; i < streams; i++) {
		s[i].credit += (int)s[i].opt->weight;
		total += (int)s[i].opt->weight;
		if (s[i].credit > best->credit)
			best = &s[i];
	}
	best->credit -= total;
	return best;
}

enum track_result stream_received(struct stream *s, uint64_t seq, uint64_t limit, uint64_t now)
{
	enum track_result r = track_add(&s->track, seq, limit);

	if (r != TRACK_NEW && r != TRACK_LATE)
		return r;
	if (seq < s->given_up_below)
		s->given_up--;
	if (!s->first_rx)
		s->first_rx = now;
	s->last_rx = now;
	if (s->sent > seq && s->sent - seq <= STREAM_TIMES)
		hist_add(&s->latency, now - s->sent_at[seq & (STREAM_TIMES - 1)]);
	return r;
}
