/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An actor at work: its random numbers, its pace, and the account of what it tried.
 *
 * Every operation on the netdev is announced (act_enter(), so that the watchdog can say which call
 * hangs) and its outcome told (act_result()): done, refused with an errno that is a proper answer
 * while others change the same netdev, or failed.
 */
#ifndef TESTS_STORM_TOOL_ACT_H
#define TESTS_STORM_TOOL_ACT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "options.h"

#define OP_REFUSALS	8
#define ACT_OPS		24
#define ACT_ERRNO_MAX	134

/*
 * What an actor does: its name, and with which errnos it may be refused besides ENODEV, EBUSY and
 * ENOMEM, which always may, and EOPNOTSUPP, which may as long as it has never succeeded.
 */
struct op {
	const char *name;
	int refusals[OP_REFUSALS];
};

/* The account of one operation. */
struct op_count {
	const struct op *op;
	uint64_t done;
	uint64_t refused;
	uint64_t failed;
	uint32_t by_errno[ACT_ERRNO_MAX];
};

struct act;

/* A kind of actor, see actors.c. */
struct actor {
	const char *name;
	const char *family;
	const char *help;
	void (*run)(struct act *a);
};

struct act {
	const struct actor *actor;
	const struct options *o;
	const atomic_bool *stop;
	pthread_t thread;
	uint64_t random;
	struct op_count count[ACT_OPS];
	unsigned int counts;
	char inapplicable[128];
	bool broken;		/* failed in another way than by an errno */
	_Atomic(const char *) in;	/* the call that it is in, NULL between calls */
	_Atomic uint64_t since;	/* since when, ns */
	_Atomic int tid;
	atomic_bool ended;
};

uint64_t now_ns(void);

/* Ready for work; the random numbers follow from the seed and the actor's name. */
void act_init(struct act *a, const struct actor *actor, const struct options *o, const atomic_bool *stop);

/* Whether to go on; waits between @min_ms and @max_ms first, at most until the storm ends. */
bool act_next(struct act *a, unsigned int min_ms, unsigned int max_ms);
bool act_stopped(const struct act *a);

/* A number below @n, or from a range; one of two. */
uint32_t act_random(struct act *a, uint32_t n);
uint32_t act_range(struct act *a, uint32_t from, uint32_t to);
bool act_maybe(struct act *a);

/* Enter a call. */
void act_enter(struct act *a, const struct op *op);

/*
 * The outcome of the call: @rc negative with errno, or a negative errno as libbpf returns it (both
 * at once are not: pass sys(rc) for the first kind). Return: whether it was done.
 */
bool act_result(struct act *a, const struct op *op, int rc);

/* -errno for a libc call that returned below 0. */
int sys(long rc);

/* Something is wrong that no errno tells. One line. */
void act_fail(struct act *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* This netdev does not have what the actor is about: said once, and the actor ends. */
void act_inapplicable(struct act *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

bool act_failed(const struct act *a);

/* act_enter() and act_result() around an expression. */
#define ACT(a, op, expression) (act_enter(a, op), act_result(a, op, expression))

#endif /* TESTS_STORM_TOOL_ACT_H */
