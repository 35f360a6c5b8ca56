/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of an arrived frame, see engine.h. */
#include <stdio.h>
#include <string.h>

#include "engine.h"

#define DUMP_MAX	100000

static void dump_frame(struct engine *e, const uint8_t *data, size_t len)
{
	struct pcap_pkthdr h = { .caplen = (bpf_u_int32)len, .len = (bpf_u_int32)len };

	if (!e->dump || e->dumped == DUMP_MAX)
		return;
	h.ts.tv_sec = (long)(e->frames_in / 1000000);	/* the frame's place in the run */
	h.ts.tv_usec = (long)(e->frames_in % 1000000);
	pcap_dump((u_char *)e->dump, &h, data);
	e->dumped++;
}

static void own_frame(struct engine *e, uint64_t now)
{
	if (!e->first_rx)
		e->first_rx = now;
	e->last_own_rx = now;
	e->last_rx = now;
	e->last_progress = now;
}

static void corrupt_frame(struct engine *e, unsigned int bad, const uint8_t *data, size_t len,
			  uint64_t now)
{
	struct bad_counts *b = &e->bad;

	e->corrupt++;
	b->length += !!(bad & FRAME_BAD_LENGTH);
	b->type += !!(bad & FRAME_BAD_TYPE);
	b->ip_sum += !!(bad & FRAME_BAD_IP_SUM);
	b->l4_sum += !!(bad & FRAME_BAD_L4_SUM);
	b->header += !!(bad & FRAME_BAD_HEADER);
	b->pattern += !!(bad & FRAME_BAD_PATTERN);
	b->mac += !!(bad & BAD_MAC);
	b->range += !!(bad & BAD_RANGE);
	dump_frame(e, data, len);
	own_frame(e, now);
}

static void foreign_frame(struct engine *e, const uint8_t *data, size_t len, uint64_t now)
{
	bool multicast = data[0] & 1;

	e->foreign++;
	e->foreign_bytes += len;
	e->foreign_multicast += multicast;
	if (!e->first_foreign)
		e->first_foreign = now;
	e->last_foreign = now;
	/* A generator that makes other frames than ours keeps a receiver going; a
	 * stack's announcements do not.
	 */
	if (!engine_sends(e) && !multicast)
		e->last_rx = now;
	dump_frame(e, data, len);
}

/* Queue it to go back. engine_receive() has made sure of room. */
static void echo(struct engine *e, const uint8_t *data, size_t len)
{
	uint8_t *out = port_batch_frame(&e->ctl, e->ctl_to);

	memcpy(out, data, len);
	frame_macswap(out);
	e->ctl.iov[e->ctl_to++].iov_len = len;
	e->echoed++;
}

static int no_memory(const struct frame_info *info)
{
	fprintf(stderr, "wire: no memory to account for frame %llu\n", (unsigned long long)info->seq);
	return -1;
}

/* An intact test frame: whose is it, and is it its time? */
static int good_frame(struct engine *e, const struct frame_info *info, const uint8_t *data,
		      size_t len, uint64_t now)
{
	unsigned int index = (unsigned int)info->stream - e->o->stream_id;
	struct stream *s;
	bool reply;

	if (e->o->watching && info->stream == e->o->watch) {
		if (!engine_sends(e))
			e->last_rx = now;
		return track_add(&e->watched, info->seq, TRACK_MAX_SEQ) == TRACK_NOMEM ? no_memory(info) : 0;
	}
	if (info->stream < e->o->stream_id || index >= engine_streams(e)) {
		e->other_stream++;
		foreign_frame(e, data, len, now);
		return 0;
	}
	s = &e->stream[index];
	reply = info->proto == FRAME_PROTO_ICMP && data[FRAME_OFF_L4] == 0;
	if (info->proto == FRAME_PROTO_ICMP && !e->o->receive_only &&
	    s->opt->proto == FRAME_PROTO_ICMP && !reply) {
		/* a request thrown back by a forwarder is no answer of a stack */
		foreign_frame(e, data, len, now);
		return 0;
	}
	if (!e->o->any_mac && !frame_macs(data, e->target.dst_mac, e->target.src_mac)) {
		corrupt_frame(e, BAD_MAC, data, len, now);
		return 0;
	}
	own_frame(e, now);
	if (e->o->echo && info->seq % e->o->echo == 0)
		echo(e, data, len);
	switch (stream_received(s, info->seq, e->o->receive_only ? TRACK_MAX_SEQ : s->sent, now)) {
	case TRACK_RANGE:
		corrupt_frame(e, BAD_RANGE, data, len, now);
		break;
	case TRACK_NOMEM:
		return no_memory(info);
	default:
		break;
	}
	return 0;
}

/* Answer what asks for it. Return: true when the frame is done with. */
static bool answer(struct engine *e, const uint8_t *data, size_t len, uint64_t now)
{
	uint8_t mac[6];
	bool asked;
	size_t n;

	asked = e->next_arp && answer_arp_learn(data, len, e->o->dst_ip, mac);
	if (asked && !e->started) {
		unsigned int i;

		memcpy(e->target.dst_mac, mac, 6);
		e->target.have_dst_mac = true;
		for (i = 0; i < engine_streams(e); i++)
			stream_retarget(&e->stream[i], &e->target);
		e->last_progress = now;
		/* the far end's own request may be what told us: answer it below */
	}
	if (!e->answer.ip)
		return asked;
	if (e->ctl_to == PORT_BATCH) {
		uint8_t scratch[PORT_BUF];

		if (!answer_frame(&e->answer, data, len, scratch))
			return asked;
		e->answers_dropped++;
		return true;
	}
	n = answer_frame(&e->answer, data, len, port_batch_frame(&e->ctl, e->ctl_to));
	if (!n)
		return asked;
	e->ctl.iov[e->ctl_to++].iov_len = n;
	e->answered++;
	return true;
}

int engine_frame(struct engine *e, uint8_t *data, size_t len, bool truncated, uint64_t now)
{
	struct frame_info info;

	e->frames_in++;
	e->bytes_in += len;
	if (truncated || len < FRAME_OFF_IP) {
		corrupt_frame(e, FRAME_BAD_LENGTH, data, len, now);
		return 0;
	}
	if (e->o->reply_mac && memcmp(data + 6, e->target.dst_mac, 6)) {
		foreign_frame(e, data, len, now);
		return 0;
	}
	if (e->o->replay) {
		if (replay_received(&e->replay, data, len) != TRACK_RANGE) {
			own_frame(e, now);
			return 0;
		}
		if (!answer(e, data, len, now))
			foreign_frame(e, data, len, now);
		return 0;
	}
	switch (frame_verify(data, len, &info)) {
	case FRAME_GOOD:
		return good_frame(e, &info, data, len, now);
	case FRAME_CORRUPT:
		corrupt_frame(e, info.bad, data, len, now);
		return 0;
	default:
		if (!answer(e, data, len, now))
			foreign_frame(e, data, len, now);
		return 0;
	}
}
