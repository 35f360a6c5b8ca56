/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A well-behaved socket that sends test frames, and one that shares its UMEM, on the same queue or
 * another (--other-queue), and puts only what must be refused: addresses and lengths that cannot be,
 * and pieces of frames that never end. The first must not lose a frame by it.
 */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "random.h"
#include "run.h"
#include "works.h"

#define PIECES	40	/* more than a socket may send before it is the next one's turn */

struct other {
	struct xsk_socket *sock;
	struct xsk_ring_prod fill;
	struct xsk_ring_cons comp;
	struct xsk_ring_cons rx;
	struct xsk_ring_prod tx;
	bool own_rings;		/* another queue: fill and completion ring of its own */
	uint64_t addr;		/* its frame */
	struct random random;
};

static int other_open(struct run *r, struct other *x)
{
	const struct options *o = r->o;
	struct xsk_socket_config cfg = {
		.rx_size = o->rx_ring, .tx_size = o->tx_ring,
		.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
	};
	uint32_t queue = o->other_queue == UINT32_MAX ? o->queue : o->other_queue;
	int err;

	x->own_rings = queue != o->queue;
	err = xsk_socket__create_shared(&x->sock, o->iface, queue, r->dev.umem, &x->rx, &x->tx,
					x->own_rings ? &x->fill : &r->dev.fill,
					x->own_rings ? &x->comp : &r->dev.comp, &cfg);
	if (err) {
		x->sock = NULL;
		run_fail(r, "cannot share the UMEM with queue %u: %s", queue, strerror(-err));
		r->impossible = true;
	}
	return err;
}

static void put(struct run *r, struct other *x, uint64_t addr, uint32_t len, uint32_t options)
{
	struct xdp_desc *desc;
	uint32_t idx;

	if (!xsk_ring_prod__reserve(&x->tx, 1, &idx))
		return;
	desc = xsk_ring_prod__tx_desc(&x->tx, idx);
	desc->addr = addr;
	desc->len = len;
	desc->options = options;
	xsk_ring_prod__submit(&x->tx, 1);
	r->dev.bad_descs++;
}

static void garbage(struct run *r, struct other *x)
{
	uint64_t end = r->dev.area_len;
	uint32_t i, n = 1 + random_below(&x->random, PIECES);

	switch (random_below(&x->random, 6)) {
	case 0: put(r, x, end, 60, 0); break;
	case 1: put(r, x, UINT64_MAX, 60, 0); break;
	case 2: put(r, x, x->addr, 0, 0); break;
	case 3: put(r, x, x->addr, UINT32_MAX, 0); break;
	case 4: put(r, x, x->addr, 13, 0); break;	/* no Ethernet header */
	default:
		for (i = 0; i < n; i++)
			put(r, x, x->addr, 60, XDP_PKT_CONTD);
	}
}

static void other_service(struct other *x)
{
	uint32_t idx, n;

	if (x->own_rings) {
		n = xsk_ring_cons__peek(&x->comp, RUN_BATCH_MAX, &idx);
		if (n)
			xsk_ring_cons__release(&x->comp, n);
	}
	(void)!sendto(xsk_socket__fd(x->sock), NULL, 0, MSG_DONTWAIT, NULL, 0);
}

void work_shared_garbage(struct run *r)
{
	struct other x = { 0 };
	struct dev_frame own;
	uint64_t due;

	if (!dev_alloc(&r->dev, &own) || other_open(r, &x))
		return;
	x.addr = own.addr;
	random_seed(&x.random, r->o->seed);
	r->dev.reserve = r->o->frames / 2;
	run_service(r);
	run_ready();
	due = run_now();
	while (r->dev.sent < r->o->count && !run_stopped(r)) {
		uint64_t left = r->o->count - r->dev.sent;
		uint32_t n = 1 + random_below(&x.random, 4);

		if (r->o->rate && run_now() < due) {
			run_service(r);
			run_wait(r, 100);
			continue;
		}
		garbage(r, &x);
		n = run_transmit(r, left < n ? (uint32_t)left : n);
		if (r->o->rate)
			due += n * 1000000000ULL / r->o->rate;
		other_service(&x);
		run_service(r);
	}
	run_complete(r);
	dev_free(&r->dev, own.addr);
	xsk_socket__delete(x.sock);
}
