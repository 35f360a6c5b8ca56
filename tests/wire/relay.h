/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A misbehaving device under test: it returns each frame with MAC addresses
 * exchanged, and drops, doubles, damages, cuts and delays some, by a seed, keeping
 * account of what it did. Runs in a thread of its own.
 */
#ifndef TESTS_WIRE_RELAY_H
#define TESTS_WIRE_RELAY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct relay_faults {
	unsigned int drop;	/* of 1000 frames */
	unsigned int duplicate;
	unsigned int corrupt;
	unsigned int truncate;
	unsigned int delay;
	unsigned int slow_us;	/* sleep after each frame */
	uint64_t restart_after;	/* once after so many frames: socket gone for 50 ms */
	uint64_t seed;
};

struct relay_account {
	uint64_t seen;
	uint64_t dropped;
	uint64_t duplicated;
	uint64_t corrupted;
	uint64_t truncated;
	uint64_t delayed;
	uint64_t reordered;	/* frames that left after a later one */
};

struct relay;

struct relay *relay_start(const char *local, const char *remote, const struct relay_faults *f);

/* Send one frame of one's own. */
void relay_inject(struct relay *r, const void *frame, size_t len);

/* The last frame that was seen and is no IPv4 UDP (length 0: none). */
size_t relay_last_other(struct relay *r, uint8_t *buf, size_t room);

/* End the thread; what it did. */
struct relay_account relay_stop(struct relay *r);

#endif /* TESTS_WIRE_RELAY_H */
