/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors that cannot be, among good ones: the kernel must refuse each (and count it),
 * send all good ones, complete those and nothing else. A driver never gets to see the bad
 * ones unless it takes descriptors in a way of its own.
 */
#include "run.h"
#include "works.h"

#define KINDS	8

/* A descriptor that no kernel may accept. @own: a frame that is never sent. */
static struct xdp_desc bad_desc(const struct run *r, unsigned int kind, uint64_t own)
{
	uint64_t end = r->dev.area_len;
	uint32_t size = r->o->frame_size;

	switch (kind % KINDS) {
	case 0: return (struct xdp_desc) { .addr = end, .len = 60 };
	case 1: return (struct xdp_desc) { .addr = UINT64_MAX, .len = 60 };
	case 2: return (struct xdp_desc) { .addr = own + size - 10, .len = 60 };	/* over the frame's end */
	case 3: return (struct xdp_desc) { .addr = own, .len = size + 1 };
	case 4: return (struct xdp_desc) { .addr = own, .len = UINT32_MAX };
	case 5: return (struct xdp_desc) { .addr = own, .len = 0 };
	case 6: return (struct xdp_desc) { .addr = own, .len = 60, .options = 1u << 31 };
	default: return (struct xdp_desc) { .addr = 1ULL << 47, .len = 1500 };
	}
}

static void put_bad(struct run *r, unsigned int kind, uint64_t own)
{
	uint32_t idx;

	if (!xsk_ring_prod__reserve(&r->dev.tx, 1, &idx))
		return;
	*xsk_ring_prod__tx_desc(&r->dev.tx, idx) = bad_desc(r, kind, own);
	xsk_ring_prod__submit(&r->dev.tx, 1);
	r->dev.bad_descs++;
}

/* Addresses that are no frame, at the head of the fill ring. */
static void fill_bad(struct run *r)
{
	const uint64_t addr[] = { r->dev.area_len, UINT64_MAX, 1ULL << 47 };
	uint32_t idx, i, n = sizeof(addr) / sizeof(addr[0]);

	if (!xsk_ring_prod__reserve(&r->dev.fill, n, &idx))
		return;
	for (i = 0; i < n; i++)
		*xsk_ring_prod__fill_addr(&r->dev.fill, idx + i) = addr[i];
	xsk_ring_prod__submit(&r->dev.fill, n);
}

void work_garbage(struct run *r)
{
	struct xdp_statistics st;
	struct dev_frame own;
	unsigned int kind = 0;

	if (!dev_alloc(&r->dev, &own))
		return;
	fill_bad(r);
	r->dev.reserve = r->o->frames / 2;
	run_service(r);
	run_ready();
	while (r->dev.sent < r->o->count && !run_stopped(r)) {
		if (dev_tx_room(&r->dev) < 4) {
			if (!run_service(r))
				run_wait(r, 50);
			continue;
		}
		put_bad(r, kind++, own.addr);
		run_transmit(r, 1 + kind % 2);
		if (kind % 16 == 0)
			run_service(r);
	}
	/* The last word is a bad one's. */
	put_bad(r, kind, own.addr);
	if (!run_complete(r))
		return;
	while (dev_tx_queued(&r->dev) && run_now() - r->last_ns < r->o->timeout_ms * 1000000ULL) {
		run_service(r);
		run_wait(r, 50);
	}
	run_service(r);
	dev_free(&r->dev, own.addr);
	dev_statistics(&r->dev, &st);
	if (st.tx_invalid_descs != r->dev.bad_descs)
		run_fail(r, "%llu bad descriptors were refused, %llu were put",
			 (unsigned long long)st.tx_invalid_descs, (unsigned long long)r->dev.bad_descs);
}
