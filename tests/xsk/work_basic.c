/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain traffic: receive, transmit, forward, and forward until killed. */
#include "run.h"
#include "works.h"

#define NS_PER_MS	1000000ULL
#define NS_PER_SEC	1000000000ULL
#define IDLE_US		1000	/* wait between looks at idle rings */
#define SETTLE_NS	(100 * NS_PER_MS)	/* silence after the last frame expected */
#define SETTLE_MAX_NS	(10 * SETTLE_NS)

/* Has nothing come for too long? (Before the first frame, the time is counted from @begin.) */
static bool idle_too_long(const struct run *r, uint64_t begin)
{
	uint64_t since = r->last_ns ? r->last_ns : begin;

	return run_now() - since > r->o->timeout_ms * NS_PER_MS;
}

/* What comes after all that was expected can only be a duplicate, or more of an endless stream. */
static void settle(struct run *r, uint32_t (*step)(struct run *r, uint32_t max))
{
	uint64_t begin = run_now(), now;

	do {
		if (!(step(r, RUN_BATCH_MAX) + run_service(r)))
			run_wait(r, IDLE_US);
		now = run_now();
	} while (now - r->last_ns < SETTLE_NS && now - begin < SETTLE_MAX_NS && !run_stopped(r));
}

/* Receive or forward until the count is there, a signal, or silence (which fails the work). */
static void flow(struct run *r, uint32_t (*step)(struct run *r, uint32_t max), bool patient)
{
	uint64_t begin;

	run_service(r);
	run_ready();
	begin = run_now();
	for (;;) {
		uint64_t left = r->o->count ? r->o->count - r->received : RUN_BATCH_MAX;
		uint32_t n;

		if (run_stopped(r))
			return;
		if (!left)
			break;
		n = step(r, left < RUN_BATCH_MAX ? (uint32_t)left : RUN_BATCH_MAX);

		n += run_service(r);
		if (n)
			continue;
		if (!patient && idle_too_long(r, begin)) {
			if (r->o->count)
				run_fail(r, "%llu of %llu frames came, then none for %u ms",
					 (unsigned long long)r->received, (unsigned long long)r->o->count,
					 r->o->timeout_ms);
			return;
		}
		run_wait(r, IDLE_US);
	}
	settle(r, step);
}

void work_rx(struct run *r)
{
	flow(r, run_receive, false);
}

void work_l2fwd(struct run *r)
{
	if (r->o->rewrite)
		r->dev.reserve = r->o->frames / 4;
	flow(r, run_forward, false);
	run_complete(r);
}

/* For kill -9: goes on through any silence, and leaves all clearing up to the kernel. */
void work_hold(struct run *r)
{
	if (r->o->rewrite)
		r->dev.reserve = r->o->frames / 4;
	flow(r, run_forward, true);
	run_complete(r);
}

/* How many more frames may be sent now? */
static uint32_t tx_allowance(const struct run *r, uint64_t begin)
{
	uint64_t n = RUN_BATCH_MAX, ahead = r->next_seq - r->track.end;

	if (r->o->rate) {
		/* What could not be sent in time is not made up for in one burst. */
		uint64_t due = (run_now() - begin) * r->o->rate / NS_PER_SEC + 1;

		due = due > r->dev.sent ? due - r->dev.sent : 0;
		n = due < r->o->batch ? due : r->o->batch;
	}

	if (r->o->count && n > r->o->count - r->dev.sent)
		n = r->o->count - r->dev.sent;
	if (r->o->window && n > r->o->window - ahead)
		n = r->o->window - ahead;
	return (uint32_t)n;
}

void work_tx(struct run *r)
{
	uint64_t begin = run_now(), stuck = begin;

	/* Half of the frames listen, so that receiving goes on beside. */
	r->dev.reserve = r->o->frames / 2;
	run_service(r);
	run_ready();
	while (!run_stopped(r) && (!r->o->count || r->dev.sent < r->o->count)) {
		uint32_t due = tx_allowance(r, begin), n = run_transmit(r, due);

		n += run_service(r);
		n += run_receive(r, RUN_BATCH_MAX);
		if (n || (r->o->rate && !due && r->dev.completed == r->dev.sent)) {
			stuck = run_now();
			if (!n)
				run_wait(r, 100);
		} else if (run_now() - stuck > r->o->timeout_ms * NS_PER_MS) {
			run_fail(r, "sending came to a halt after %llu frames, %llu of them completed, %llu back",
				 (unsigned long long)r->dev.sent, (unsigned long long)r->dev.completed,
				 (unsigned long long)r->track.unique);
			return;
		} else {
			run_wait(r, 100);
		}
	}
	run_complete(r);
}
