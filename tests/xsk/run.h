/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all works share: the queue, the account of what came, time, and the steps that a
 * work is put together from. One thread.
 */
#ifndef TESTS_XSK_RUN_H
#define TESTS_XSK_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "dev.h"
#include "frame.h"
#include "options.h"
#include "track.h"

#define RUN_BATCH_MAX	256

struct run {
	const struct options *o;
	const volatile int *stop;
	struct dev dev;
	struct frame_template tmpl;

	/* frames received */
	struct track track;
	uint64_t received;	/* frames of any kind */
	uint64_t received_bytes;
	uint64_t good;		/* intact test frames of our stream, duplicates too */
	uint64_t corrupt;
	unsigned int corrupt_bad;	/* FRAME_BAD_* of all of them */
	uint64_t foreign;
	uint32_t shortest;	/* of the stamped frames */
	uint32_t longest;
	uint64_t next_seq;	/* to send */
	uint64_t first_ns;	/* first and last frame, either direction */
	uint64_t last_ns;

	/* measured by some works; 0: not measured */
	uint64_t resume_ns;	/* longest time from refill to the next frame */
	uint64_t complete_ns;	/* longest time from the last submit to the last completion */
	uint64_t rounds_done;
	uint64_t pages_out;	/* of all page pools, living ones too */
	bool failed;		/* something that was expected did not happen */
	bool impossible;	/* the work could not be begun */
};

#define WORK_OWN_DEV	(1u << 0)	/* opens its queue itself, if any */
#define WORK_STRICT	(1u << 1)	/* shows what need_wakeup promises: never poll() */
#define WORK_NO_QUEUE	(1u << 2)	/* has nothing to do with AF_XDP */

/* One work: `xsk-test NAME`. */
struct work {
	const char *name;
	const char *what;
	unsigned int flags;	/* WORK_* */
	void (*run)(struct run *r);
};

extern const struct work works[];
extern const unsigned int works_count;

const struct work *work_find(const char *name);

/* Note that an expectation failed, with one line on stderr. */
void run_fail(struct run *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Say on stdout that frames can flow. */
void run_ready(void);

uint64_t run_now(void);

static inline bool run_stopped(const struct run *r)
{
	return *r->stop;
}

/* Account for a received frame. */
void run_account(struct run *r, const struct dev_frame *f);

/* Receive one batch, account for it, and free the frames. Return: frames. */
uint32_t run_receive(struct run *r, uint32_t max);

/* Receive one batch and send it back with MAC addresses exchanged. Return: frames. */
uint32_t run_forward(struct run *r, uint32_t max);

/* Send up to @max new test frames. Return: frames. */
uint32_t run_transmit(struct run *r, uint32_t max);

/* Completions and refill, then the kicks that are asked for. Return: completions taken. */
uint32_t run_service(struct run *r);

/* Nothing to do: wait for at most @us, by poll(), or asleep with --strict. */
void run_wait(struct run *r, unsigned int us);

/* Wait until all that was sent is completed. False, and noted, when it is not in time. */
bool run_complete(struct run *r);

/* The checks that every work ends with. */
void run_check(struct run *r);

/* The report: one line of JSON. Return: 0, or -1 after one line on stderr. */
int run_report(struct run *r, const char *path);

#endif /* TESTS_XSK_RUN_H */
