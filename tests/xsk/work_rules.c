/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules that an AF_XDP datapath must keep, each as a work. None of them calls
 * poll(): the kernel is entered only where need_wakeup asks for it.
 */
#include <time.h>

#include "run.h"
#include "works.h"

#define NS_PER_MS	1000000ULL
#define LOOK_US		50	/* between looks at the rings */
#define TRICKLE		16	/* frames given back singly after a stall */

static uint64_t deadline(const struct run *r)
{
	return run_now() + r->o->timeout_ms * NS_PER_MS;
}

/* Receive @count more frames. Return: false, noted, when they do not come in time. */
static bool receive_more(struct run *r, uint64_t count, const char *when)
{
	uint64_t want = r->received + count, end = deadline(r), had = r->received;

	while (r->received < want && !run_stopped(r)) {
		uint64_t left = want - r->received;
		uint32_t n = run_receive(r, left < RUN_BATCH_MAX ? (uint32_t)left : RUN_BATCH_MAX);

		run_service(r);
		if (n) {
			end = deadline(r);
		} else if (run_now() > end) {
			run_fail(r, "%s: %llu of %llu frames came, then none for %u ms (fill ring %u, kicks %llu)",
				 when, (unsigned long long)(r->received - had), (unsigned long long)count,
				 r->o->timeout_ms, dev_fill_queued(&r->dev),
				 (unsigned long long)r->dev.kicks_rx);
			return false;
		} else {
			run_wait(r, LOOK_US);
		}
	}
	return true;
}

void work_tx_empty_fill(struct run *r)
{
	uint64_t end;

	r->dev.reserve = r->o->frames;	/* so dev_refill() gives nothing */
	run_ready();
	end = deadline(r);
	while (r->dev.sent < r->o->count && !run_stopped(r)) {
		uint64_t left = r->o->count - r->dev.sent;

		if (run_transmit(r, left < RUN_BATCH_MAX ? (uint32_t)left : RUN_BATCH_MAX) +
		    run_service(r)) {
			end = deadline(r);
		} else if (run_now() > end) {
			run_fail(r, "sending came to a halt after %llu frames, %llu of them completed",
				 (unsigned long long)r->dev.sent, (unsigned long long)r->dev.completed);
			return;
		} else {
			run_wait(r, LOOK_US);
		}
	}
	run_complete(r);
	if (r->dev.in_kernel)
		run_fail(r, "the fill ring was not empty");
}

/* Touch nothing until the kernel has filled every frame that it was given. */
static bool run_dry(struct run *r)
{
	uint64_t end = deadline(r);

	while (dev_rx_waiting(&r->dev) < r->dev.in_kernel || dev_fill_queued(&r->dev)) {
		if (run_stopped(r))
			return false;
		if (run_now() > end) {
			run_fail(r, "the fill ring did not run dry: %u of %u frames received, %u in the fill ring",
				 dev_rx_waiting(&r->dev), r->dev.in_kernel, dev_fill_queued(&r->dev));
			return false;
		}
		run_wait(r, 1000);
	}
	return true;
}

/* Consume all without giving anything back. */
static void consume(struct run *r)
{
	while (run_receive(r, RUN_BATCH_MAX))
		;
}

static bool resume(struct run *r)
{
	uint64_t begin = run_now(), took;

	if (!receive_more(r, 1, "after the stall"))
		return false;
	took = run_now() - begin;
	if (took > r->resume_ns)
		r->resume_ns = took;
	return true;
}

void work_stall(struct run *r)
{
	struct timespec stall = { r->o->stall_ms / 1000, (long)(r->o->stall_ms % 1000) * 1000000 };
	unsigned int round, i;

	if (r->o->frames > r->o->rx_ring || r->o->frames > r->o->fill_ring) {
		run_fail(r, "the receive and fill rings must hold all %u frames", r->o->frames);
		return;
	}
	run_service(r);
	run_ready();
	for (round = 0; round < r->o->rounds && !run_stopped(r); round++) {
		if (!receive_more(r, r->o->count, "before the stall"))
			return;
		/* The fill ring takes what is free, so that all frames are with the kernel. */
		run_service(r);
		if (!run_dry(r))
			return;
		nanosleep(&stall, NULL);
		consume(r);
		/* In every other round the frames come back one at a time at first. */
		for (i = 0; i < (round & 1 ? TRICKLE : 0); i++) {
			r->dev.reserve = r->dev.nfree - 1;
			if (!resume(r))
				return;
		}
		r->dev.reserve = 0;
		if (!resume(r))
			return;
		r->rounds_done++;
	}
	receive_more(r, r->o->count, "after all rounds");
}

void work_closed_loop(struct run *r)
{
	uint64_t end;

	run_service(r);
	run_ready();
	end = run_now() + 10 * r->o->timeout_ms * NS_PER_MS;	/* the partner has to start */
	while (r->received < r->o->count && !run_stopped(r)) {
		if (run_forward(r, 1) + run_service(r)) {
			end = deadline(r);
		} else if (run_now() > end) {
			run_fail(r, "%llu of %llu frames came; the loop stands still",
				 (unsigned long long)r->received, (unsigned long long)r->o->count);
			return;
		} else {
			run_wait(r, LOOK_US);
		}
	}
	run_complete(r);
}

void work_ping_pong(struct run *r)
{
	uint64_t i, end, begin;

	run_service(r);
	run_ready();
	for (i = 0; i < r->o->count && !run_stopped(r); i++) {
		begin = run_now();
		end = deadline(r);
		/* Every earlier frame is back, so there is room. */
		run_transmit(r, 1);
		while (r->track.unique <= i && !run_stopped(r)) {
			if (run_receive(r, RUN_BATCH_MAX) + run_service(r))
				continue;
			if (run_now() > end) {
				run_fail(r, "frame %llu did not come back in %u ms (%llu of %llu completed)",
					 (unsigned long long)i, r->o->timeout_ms,
					 (unsigned long long)r->dev.completed, (unsigned long long)r->dev.sent);
				return;
			}
			run_wait(r, LOOK_US);
		}
		if (run_now() - begin > r->resume_ns)
			r->resume_ns = run_now() - begin;
	}
	run_complete(r);
}

void work_tx_complete(struct run *r)
{
	unsigned int round;

	r->dev.reserve = r->o->tx_ring;
	run_service(r);
	run_ready();
	for (round = 0; round < r->o->rounds; round++) {
		uint32_t n = 1, last = 1, next;

		for (; n <= r->o->tx_ring && n <= r->o->frames / 2; next = n + last, last = n, n = next) {
			uint32_t left = n;

			if (run_stopped(r))
				return;
			while (left) {
				uint32_t put = run_transmit(r, left);

				left -= put;
				/* All earlier ones are completed, so there is room for these. */
				if (!put) {
					run_fail(r, "no room for %u more frames of %u", left, n);
					return;
				}
			}
			if (!run_complete(r))
				return;
		}
		r->rounds_done++;
	}
}
