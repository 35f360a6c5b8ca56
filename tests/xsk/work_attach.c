/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attach and detach under traffic: in every round UMEM, socket and program are made
 * anew, frames are forwarded, and all is closed: in turns with the rings at rest and with frames
 * under way, the socket or the program being first.
 */
#include <stdio.h>

#include "run.h"
#include "works.h"

#define NS_PER_MS	1000000ULL

/* Forward o->count frames. Return: false, noted, when they do not come. */
static bool forward_some(struct run *r)
{
	uint64_t want = r->received + r->o->count;
	uint64_t end = run_now() + r->o->timeout_ms * NS_PER_MS;

	while (r->received < want && !run_stopped(r)) {
		if (run_forward(r, RUN_BATCH_MAX) + run_service(r))
			continue;
		if (run_now() > end) {
			run_fail(r, "round %llu: %llu of %llu frames came in %u ms",
				 (unsigned long long)r->rounds_done,
				 (unsigned long long)(r->o->count - (want - r->received)),
				 (unsigned long long)r->o->count, r->o->timeout_ms);
			return false;
		}
		run_wait(r, 500);
	}
	return true;
}

void work_attach_loop(struct run *r)
{
	uint64_t sent = 0, completed = 0, strays = 0, kicks_rx = 0, kicks_tx = 0;
	bool zerocopy = false, ok = true;

	while (ok && r->rounds_done < r->o->rounds && !run_stopped(r)) {
		enum dev_order order = r->rounds_done & 1 ? DEV_PROGRAM_FIRST : DEV_SOCKET_FIRST;

		if (dev_open(&r->dev, r->o, order)) {
			run_fail(r, "round %llu: cannot attach", (unsigned long long)r->rounds_done);
			r->impossible = !r->rounds_done;
			return;
		}
		zerocopy = r->dev.zerocopy;
		run_service(r);
		if (!r->rounds_done)
			run_ready();
		ok = forward_some(r);
		if (ok && r->rounds_done & 2)
			ok = run_complete(r);
		run_check(r);
		sent += r->dev.sent;
		completed += r->dev.completed;
		strays += r->dev.strays;
		kicks_rx += r->dev.kicks_rx;
		kicks_tx += r->dev.kicks_tx;
		dev_close(&r->dev);
		r->rounds_done++;
	}
	/* For the report. */
	r->dev.sent = sent;
	r->dev.completed = completed;
	r->dev.strays = strays;
	r->dev.kicks_rx = kicks_rx;
	r->dev.kicks_tx = kicks_tx;
	r->dev.zerocopy = zerocopy;
}
