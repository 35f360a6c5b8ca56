/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames of a capture file: read whole into memory, sent in order, and known
 * again by their content when they come back (MAC addresses in either order).
 */
#ifndef TESTS_WIRE_REPLAY_H
#define TESTS_WIRE_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#include "track.h"

struct replay_frame {
	size_t offset;		/* in replay.data */
	uint32_t len;
	uint32_t slot;		/* of its content in the table */
};

struct replay_slot {
	uint64_t hash;		/* 0: free */
	uint64_t sent;
	uint64_t received;
};

struct replay {
	struct replay_frame *frame;
	size_t frames;
	size_t frames_room;
	uint8_t *data;
	size_t bytes;
	size_t bytes_room;
	struct replay_slot *slot;	/* open addressing, at most half full */
	size_t mask;
	uint64_t sent;
	uint64_t received;	/* each frame sent counted once */
	uint64_t duplicate;
};

/* Return: 0, or -1 after one line on stderr. Frames shorter than FRAME_MIN are padded. */
int replay_load(struct replay *r, const char *path);
void replay_free(struct replay *r);

/* Frame @n, counted on over the rounds. */
static inline const uint8_t *replay_frame(const struct replay *r, uint64_t n, size_t *len)
{
	const struct replay_frame *f = &r->frame[n % r->frames];

	*len = f->len;
	return r->data + f->offset;
}

void replay_sent(struct replay *r, uint64_t n);

/* TRACK_NEW, TRACK_DUP, or TRACK_RANGE: no frame of the capture. */
enum track_result replay_received(struct replay *r, const uint8_t *data, size_t len);

#endif /* TESTS_WIRE_REPLAY_H */
