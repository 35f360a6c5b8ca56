/* SPDX-License-Identifier: BSD-3-Clause */
/* An actor at work, see act.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act.h"

#define NS_PER_MS	1000000ULL
/* Longest sleep before another look at whether the storm is over. */
#define NAP_MS		50

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + (uint64_t)ts.tv_nsec;
}

/* splitmix64 (Steele, Lea, Flood 2014): any seed gives a good sequence. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

void act_init(struct act *a, const struct actor *actor, const struct options *o, const atomic_bool *stop)
{
	const char *p;

	memset(a, 0, sizeof(*a));
	a->actor = actor;
	a->o = o;
	a->stop = stop;
	a->random = o->seed;
	for (p = actor->name; *p; p++)
		a->random = (a->random ^ (uint8_t)*p) * 0x100000001b3ULL;	/* FNV-1a */
}

bool act_stopped(const struct act *a)
{
	return atomic_load(a->stop);
}

uint32_t act_random(struct act *a, uint32_t n)
{
	return (uint32_t)((next(&a->random) >> 32) * n >> 32);
}

uint32_t act_range(struct act *a, uint32_t from, uint32_t to)
{
	return from + act_random(a, to - from + 1);
}

bool act_maybe(struct act *a)
{
	return next(&a->random) >> 63;
}

bool act_next(struct act *a, unsigned int min_ms, unsigned int max_ms)
{
	unsigned int left = act_range(a, min_ms, max_ms);

	while (left && !act_stopped(a)) {
		unsigned int nap = left < NAP_MS ? left : NAP_MS;

		usleep(nap * 1000);
		left -= nap;
	}
	return !act_stopped(a);
}

void act_enter(struct act *a, const struct op *op)
{
	atomic_store(&a->since, now_ns());
	atomic_store(&a->in, op->name);
}

static struct op_count *account(struct act *a, const struct op *op)
{
	unsigned int i;

	for (i = 0; i < a->counts; i++)
		if (a->count[i].op == op)
			return &a->count[i];
	if (a->counts == ACT_OPS) {
		act_fail(a, "more than %u kinds of operations", ACT_OPS);
		return NULL;
	}
	a->count[a->counts].op = op;
	return &a->count[a->counts++];
}

static bool may_refuse(const struct op_count *c, int err)
{
	unsigned int i;

	/* Gone, somebody else's, or no memory at this moment. */
	if (err == ENODEV || err == EBUSY || err == ENOMEM)
		return true;
	for (i = 0; i < OP_REFUSALS && c->op->refusals[i]; i++)
		if (c->op->refusals[i] == err)
			return true;
	return err == EOPNOTSUPP && !c->done;
}

bool act_result(struct act *a, const struct op *op, int rc)
{
	struct op_count *c = account(a, op);
	int err = -rc;

	atomic_store(&a->in, NULL);
	if (!c)
		return false;
	if (rc >= 0) {
		c->done++;
		return true;
	}
	if (err < ACT_ERRNO_MAX)
		c->by_errno[err]++;
	if (may_refuse(c, err)) {
		c->refused++;
		return false;
	}
	if (!c->failed++)
		fprintf(stderr, "storm: %s: %s on %s: %s (%s), which is no proper answer%s\n", a->actor->name,
			op->name, a->o->iface, strerrorname_np(err), strerror(err),
			err == EOPNOTSUPP ? ": it worked before" : "");
	return false;
}

int sys(long rc)
{
	return rc < 0 ? -errno : 0;
}

void act_fail(struct act *a, const char *fmt, ...)
{
	va_list ap;
	char text[256];

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!a->broken)
		fprintf(stderr, "storm: %s: %s\n", a->actor->name, text);
	a->broken = true;
}

void act_inapplicable(struct act *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(a->inapplicable, sizeof(a->inapplicable), fmt, ap);
	va_end(ap);
	fprintf(stderr, "storm: %s does not apply to %s: %s\n", a->actor->name, a->o->iface, a->inapplicable);
}

bool act_failed(const struct act *a)
{
	unsigned int i;

	for (i = 0; i < a->counts; i++)
		if (a->count[i].failed)
			return true;
	return a->broken;
}
