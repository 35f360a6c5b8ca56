/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fill rings that hold more than there is: the same frames many times over, millions of addresses that
 * cannot be used. The kernel must not go round in circles over them, and must go on where there is a
 * good one again. Guards against a refill that repeated itself for as long as the ring held
 * anything: with entries that cannot be had, for ever, with bottom halves off.
 */
#include <sys/socket.h>

#include "run.h"
#include "works.h"

#define NS_PER_MS	1000000ULL
#define LOOK_US		50
/* Claimed for each of --rounds. */
#define CLAIM		(1u << 20)

static void set_all(struct run *r, uint64_t first, uint64_t stride)
{
	uint32_t i;

	for (i = 0; i < r->dev.fill.size; i++)
		*xsk_ring_prod__fill_addr(&r->dev.fill, i) = first + i % (r->o->frames / 2) * stride;
}

static void claim(struct run *r, uint32_t entries)
{
	uint32_t consumer = __atomic_load_n(r->dev.fill.consumer, __ATOMIC_ACQUIRE);

	__atomic_store_n(r->dev.fill.producer, consumer + entries, __ATOMIC_RELEASE);
}

/* Receive --count frames in a ring that always looks full. */
static void receive(struct run *r)
{
	uint64_t end = run_now() + r->o->timeout_ms * NS_PER_MS;

	while (r->received < r->o->count && !run_stopped(r)) {
		uint32_t idx, i, n = xsk_ring_cons__peek(&r->dev.rx, RUN_BATCH_MAX, &idx);

		for (i = 0; i < n; i++) {
			const struct xdp_desc *desc = xsk_ring_cons__rx_desc(&r->dev.rx, idx++);
			uint64_t addr = xsk_umem__add_offset_to_addr(desc->addr);
			struct dev_frame f = {
				.addr = addr, .len = desc->len, .data = xsk_umem__get_data(r->dev.area, addr),
			};

			run_account(r, &f);
		}
		if (n)
			xsk_ring_cons__release(&r->dev.rx, n);
		claim(r, r->dev.fill.size);
		dev_kick_rx(&r->dev);
		if (n) {
			end = run_now() + r->o->timeout_ms * NS_PER_MS;
		} else if (run_now() > end) {
			run_fail(r, "%llu of %llu frames came, then none for %u ms",
				 (unsigned long long)r->received, (unsigned long long)r->o->count,
				 r->o->timeout_ms);
			return;
		} else {
			run_wait(r, LOOK_US);
		}
	}
}

void work_fill_again(struct run *r)
{
	set_all(r, 0, r->o->frame_size);
	claim(r, r->dev.fill.size);
	dev_kick_rx(&r->dev);
	run_ready();
	receive(r);
}

/* How long the kernel is busy with what it cannot use; and then give it what it can. */
static void busy(struct run *r, uint64_t first, uint64_t stride)
{
	uint64_t begin;

	set_all(r, first, stride);
	claim(r, r->o->rounds * CLAIM);
	begin = run_now();
	(void)!recvfrom(r->dev.fd, NULL, 0, MSG_DONTWAIT, NULL, NULL);
	r->resume_ns = run_now() - begin;
	set_all(r, 0, r->o->frame_size);
	claim(r, r->dev.fill.size);
	run_ready();
	receive(r);
}

void work_fill_misaligned(struct run *r)
{
	/* Of two frames the first: none goes over the end of its page. */
	busy(r, 8, 2 * r->o->frame_size);
}

void work_fill_garbage(struct run *r)
{
	busy(r, r->dev.area_len, 0);
}
