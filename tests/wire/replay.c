/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of a capture file, see replay.h. */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "replay.h"

/* Content without regard to which MAC address is the source. Never 0. */
static uint64_t replay_hash(const uint8_t *data, size_t len)
{
	bool swap = memcmp(data, data + 6, 6) > 0;
	uint64_t h = frame_mix(len), a = 0, b = 0, v;
	size_t i;

	memcpy(&a, swap ? data + 6 : data, 6);
	memcpy(&b, swap ? data : data + 6, 6);
	h = frame_mix(frame_mix(h ^ a) + b);
	for (i = 12; i < len; i += 8) {
		v = 0;
		memcpy(&v, data + i, len - i < 8 ? len - i : 8);
		h = frame_mix(h ^ v) + FRAME_STEP;
	}
	return h ? h : 1;
}

static size_t replay_find(const struct replay *r, uint64_t hash)
{
	size_t i = hash & r->mask;

	while (r->slot[i].hash && r->slot[i].hash != hash)
		i = (i + 1) & r->mask;
	return i;
}

/* Make sure of room for @need items of @size bytes; rooms double. */
static int grow(void **p, size_t *room, size_t need, size_t size)
{
	size_t n = *room ? *room : 4096;
	void *q;

	if (need <= *room)
		return 0;
	while (n < need)
		n *= 2;
	q = realloc(*p, n * size);
	if (!q)
		return -1;
	*p = q;
	*room = n;
	return 0;
}

static int replay_append(struct replay *r, const u_char *data, size_t len)
{
	size_t padded = len < FRAME_MIN ? FRAME_MIN : len;
	struct replay_frame *f;
	void *frame = r->frame, *bytes = r->data;
	int rc;

	rc = grow(&frame, &r->frames_room, r->frames + 1, sizeof(*f));
	r->frame = frame;
	if (rc)
		return rc;
	rc = grow(&bytes, &r->bytes_room, r->bytes + padded, 1);
	r->data = bytes;
	if (rc)
		return rc;

	f = &r->frame[r->frames++];
	f->offset = r->bytes;
	f->len = (uint32_t)padded;
	memcpy(r->data + r->bytes, data, len);
	memset(r->data + r->bytes + len, 0, padded - len);
	r->bytes += padded;
	return 0;
}

static int replay_index(struct replay *r)
{
	size_t slots = 64, i;

	while (slots < 2 * r->frames)
		slots *= 2;
	r->slot = calloc(slots, sizeof(*r->slot));
	if (!r->slot)
		return -1;
	r->mask = slots - 1;
	for (i = 0; i < r->frames; i++) {
		struct replay_frame *f = &r->frame[i];
		uint64_t hash = replay_hash(r->data + f->offset, f->len);
		size_t slot = replay_find(r, hash);

		r->slot[slot].hash = hash;
		f->slot = (uint32_t)slot;
	}
	return 0;
}

int replay_load(struct replay *r, const char *path)
{
	char err[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr *h;
	const u_char *data;
	pcap_t *pcap;
	int rc;

	memset(r, 0, sizeof(*r));
	pcap = pcap_open_offline(path, err);
	if (!pcap) {
		fprintf(stderr, "wire: cannot read capture: %s\n", err);
		return -1;
	}
	if (pcap_datalink(pcap) != DLT_EN10MB) {
		fprintf(stderr, "wire: %s: not an Ethernet capture\n", path);
		goto fail;
	}
	while ((rc = pcap_next_ex(pcap, &h, &data)) == 1) {
		if (h->caplen != h->len || h->len < FRAME_OFF_IP || h->len > FRAME_MAX) {
			fprintf(stderr, "wire: %s: frame %zu has %u bytes, %u of them captured; "
				"whole frames of 14 to %d bytes are needed\n", path, r->frames + 1,
				h->len, h->caplen, FRAME_MAX);
			goto fail;
		}
		if (replay_append(r, data, h->len)) {
			fprintf(stderr, "wire: %s: no memory for %zu frames\n", path, r->frames);
			goto fail;
		}
	}
	if (rc == PCAP_ERROR) {
		fprintf(stderr, "wire: %s: %s\n", path, pcap_geterr(pcap));
		goto fail;
	}
	if (!r->frames) {
		fprintf(stderr, "wire: %s holds no frame\n", path);
		goto fail;
	}
	if (replay_index(r)) {
		fprintf(stderr, "wire: %s: no memory for %zu frames\n", path, r->frames);
		goto fail;
	}
	pcap_close(pcap);
	return 0;
fail:
	pcap_close(pcap);
	replay_free(r);
	return -1;
}

void replay_free(struct replay *r)
{
	free(r->frame);
	free(r->data);
	free(r->slot);
	memset(r, 0, sizeof(*r));
}

void replay_sent(struct replay *r, uint64_t n)
{
	r->slot[r->frame[n % r->frames].slot].sent++;
	r->sent++;
}

enum track_result replay_received(struct replay *r, const uint8_t *data, size_t len)
{
	struct replay_slot *s;

	if (len < FRAME_OFF_IP)
		return TRACK_RANGE;
	s = &r->slot[replay_find(r, replay_hash(data, len))];
	if (!s->hash)
		return TRACK_RANGE;
	if (s->received >= s->sent) {
		r->duplicate++;
		return TRACK_DUP;
	}
	s->received++;
	r->received++;
	return TRACK_NEW;
}
