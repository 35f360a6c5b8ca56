/* SPDX-License-Identifier: BSD-3-Clause */
/* AF_XDP sockets of an actor, see socket.h. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <bpf/bpf.h>

#include "programs.h"
#include "socket.h"

#define BATCH	32
#define SHORTEST_MAC	12	/* bytes that a macswap touches */

enum { FREE, LENT, SENT };

static const struct op umem_op = { "registering a UMEM", { 0 } };
/*
 * EINVAL: no such queue at the moment, or frames too small for the present MTU. EOPNOTSUPP: also of a
 * queue that has no zero-copy while others have, or of an interface that has a program in the stack.
 */
static const struct op bind_op = { "binding an AF_XDP socket", { EINVAL, EOPNOTSUPP, ENETDOWN, EEXIST } };
static const struct op map_op = { "putting a socket into a map", { EBADF } };
/* All of these say "not now"; ENXIO: the netdev is gone, for ever as far as this socket goes. */
static const struct op tx_op = { "sending from an AF_XDP socket", { EAGAIN, ENOBUFS, ENETDOWN, ENXIO } };
static const struct op rx_op = { "waking an AF_XDP socket's queue", { EAGAIN, ENETDOWN, ENXIO } };
static const struct op poll_op = { "polling an AF_XDP socket", { 0 } };
static const struct op close_op = { "closing an AF_XDP socket", { 0 } };
static const struct op free_op = { "giving up a UMEM", { 0 } };

bool sockets_open(struct sockets *s, struct act *a, const struct umem_shape *shape, uint16_t stream,
		  uint64_t *seq)
{
	struct xsk_umem_config cfg = {
		.fill_size = shape->ring, .comp_size = shape->ring,
		.frame_size = shape->frame_size, .frame_headroom = shape->headroom,
	};
	size_t size = (size_t)shape->frames * shape->frame_size;
	uint32_t i;

	memset(s, 0, sizeof(*s));
	s->a = a;
	s->shape = *shape;
	s->seq = seq;
	s->stream = stream;
	s->state = calloc(shape->frames, 1);
	s->free = calloc(shape->frames, sizeof(*s->free));
	s->area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!s->state || !s->free || s->area == MAP_FAILED) {
		act_fail(a, "no memory for a UMEM of %zu bytes", size);
		s->area = s->area == MAP_FAILED ? NULL : s->area;
		sockets_close(s);
		return false;
	}
	for (i = 0; i < shape->frames; i++)
		s->free[s->nfree++] = i;
	if (!ACT(a, &umem_op, xsk_umem__create(&s->umem, s->area, size, &s->first_fill, &s->first_comp, &cfg))) {
		s->umem = NULL;
		sockets_close(s);
		return false;
	}
	return true;
}

/* The socket before, on the same queue: the two have fill and completion ring in common. */
static const struct queue_socket *neighbour(const struct sockets *s, uint32_t queue)
{
	unsigned int i;

	for (i = 0; i < s->count; i++)
		if (s->socket[i].queue == queue)
			return &s->socket[i];
	return NULL;
}

bool sockets_bind(struct sockets *s, uint32_t queue, uint16_t flags)
{
	struct queue_socket *q = &s->socket[s->count];
	const struct queue_socket *before = neighbour(s, queue);
	struct xsk_socket_config cfg = {
		.rx_size = s->shape.ring, .tx_size = s->shape.ring,
		.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
		.bind_flags = flags,
	};

	memset(q, 0, sizeof(*q));
	q->queue = queue;
	/* A further socket has it from the first. */
	q->need_wakeup = s->count ? s->socket[0].need_wakeup : flags & XDP_USE_NEED_WAKEUP;
	q->fill = before ? before->fill : s->count ? &q->own_fill : &s->first_fill;
	q->comp = before ? before->comp : s->count ? &q->own_comp : &s->first_comp;
	act_enter(s->a, &bind_op);
	if (!act_result(s->a, &bind_op,
			xsk_socket__create_shared(&q->xsk, s->a->o->iface, queue, s->umem, &q->rx, &q->tx,
						  q->fill, q->comp, &cfg)))
		return false;
	q->fd = xsk_socket__fd(q->xsk);
	s->count++;
	return true;
}

void sockets_map(struct sockets *s)
{
	unsigned int i;

	for (i = 0; i < s->count; i++)
		ACT(s->a, &map_op, bpf_map_update_elem(programs_sockets(), &s->socket[i].queue,
						       &s->socket[i].fd, 0));
}

/* --- frames --------------------------------------------------------------------- */

/* The frame that an address of the kernel's lies in, which must be in state @from. */
static bool take_back(struct sockets *s, uint64_t addr, uint8_t from, uint32_t *frame)
{
	*frame = (uint32_t)(addr / s->shape.frame_size);
	if (*frame < s->shape.frames && s->state[*frame] == from)
		return true;
	act_fail(s->a, "the kernel gave back address %llu, whose frame is in state %d, not %d",
		 (unsigned long long)addr, *frame < s->shape.frames ? s->state[*frame] : -1, from);
	return false;
}

static void set_free(struct sockets *s, uint32_t frame)
{
	s->state[frame] = FREE;
	s->free[s->nfree++] = frame;
}

void sockets_lend(struct sockets *s, unsigned int i, uint32_t n)
{
	struct xsk_ring_prod *fill = s->socket[i].fill;
	uint32_t idx, k, room;

	n = n < s->nfree ? n : s->nfree;
	room = xsk_prod_nb_free(fill, n);
	n = n < room ? n : room;
	if (!n || xsk_ring_prod__reserve(fill, n, &idx) != n)
		return;
	for (k = 0; k < n; k++) {
		uint32_t frame = s->free[--s->nfree];

		s->state[frame] = LENT;
		*xsk_ring_prod__fill_addr(fill, idx + k) = (uint64_t)frame * s->shape.frame_size;
	}
	xsk_ring_prod__submit(fill, n);
}

static void reap(struct sockets *s, struct queue_socket *q)
{
	uint32_t idx, k, frame, n = xsk_ring_cons__peek(q->comp, BATCH, &idx);

	for (k = 0; k < n; k++)
		if (take_back(s, *xsk_ring_cons__comp_addr(q->comp, idx + k), SENT, &frame))
			set_free(s, frame);
	if (n)
		xsk_ring_cons__release(q->comp, n);
}

/* Into the transmit ring, where the caller has seen room. */
static void put(struct sockets *s, struct queue_socket *q, uint32_t frame, uint64_t addr, uint32_t len)
{
	struct xdp_desc *desc;
	uint32_t idx;

	if (xsk_ring_prod__reserve(&q->tx, 1, &idx) != 1) {
		act_fail(s->a, "the transmit ring lost its room");
		return;
	}
	desc = xsk_ring_prod__tx_desc(&q->tx, idx);
	*desc = (struct xdp_desc){ .addr = addr, .len = len };
	s->state[frame] = SENT;
	xsk_ring_prod__submit(&q->tx, 1);
}

static void receive(struct sockets *s, struct queue_socket *q, bool echo)
{
	uint32_t n = BATCH, idx, k;

	if (echo) {
		n = xsk_prod_nb_free(&q->tx, BATCH);
		n = n < BATCH ? n : BATCH;
	}
	n = n ? xsk_ring_cons__peek(&q->rx, n, &idx) : 0;
	for (k = 0; k < n; k++) {
		const struct xdp_desc *desc = xsk_ring_cons__rx_desc(&q->rx, idx + k);
		uint64_t addr = desc->addr;
		uint32_t len = desc->len, frame;

		if (!take_back(s, addr, LENT, &frame))
			continue;
		if (addr % s->shape.frame_size + len > s->shape.frame_size)
			act_fail(s->a, "a frame of %u bytes at address %llu goes over its buffer's end", len,
				 (unsigned long long)addr);
		else if (echo && len >= SHORTEST_MAC) {
			frame_macswap(s->area + addr);
			put(s, q, frame, addr, len);
			continue;
		}
		set_free(s, frame);
	}
	if (n)
		xsk_ring_cons__release(&q->rx, n);
}

static void kick(struct sockets *s, struct queue_socket *q)
{
	struct pollfd p = { .fd = q->fd, .events = POLLIN | POLLOUT };

	if (!act_random(s->a, 8)) {
		ACT(s->a, &poll_op, sys(poll(&p, 1, 0)));
		return;
	}
	if (!q->need_wakeup || xsk_ring_prod__needs_wakeup(&q->tx))
		ACT(s->a, &tx_op, sys(sendto(q->fd, NULL, 0, MSG_DONTWAIT, NULL, 0)));
	if (q->need_wakeup && xsk_ring_prod__needs_wakeup(q->fill))
		ACT(s->a, &rx_op, sys(recvfrom(q->fd, NULL, 0, MSG_DONTWAIT, NULL, NULL)));
}

void sockets_serve(struct sockets *s, unsigned int i, bool echo)
{
	struct queue_socket *q = &s->socket[i];

	reap(s, q);
	receive(s, q, echo);
	kick(s, q);
}

void sockets_send(struct sockets *s, unsigned int i, uint32_t n)
{
	struct queue_socket *q = &s->socket[i];
	uint32_t room = xsk_prod_nb_free(&q->tx, n);
	struct frame_spec spec = {
		.src_mac = { 2, 0, 0, 0, 0, 2 }, .src_ip = 10u << 24 | 2, .dst_ip = s->a->o->dst_ip,
		.proto = FRAME_PROTO_UDP, .src_port = FRAME_UDP_PORT, .dst_port = FRAME_UDP_PORT,
		.stream = s->stream,
	};
	uint32_t longest = s->shape.frame_size < 1514 ? s->shape.frame_size : 1514;

	memcpy(spec.dst_mac, s->a->o->dst_mac, 6);
	n = n < room ? n : room;
	while (n-- && s->nfree) {
		uint32_t frame = s->free[--s->nfree];
		uint64_t addr = (uint64_t)frame * s->shape.frame_size;
		struct frame_template t;

		spec.len = (uint16_t)act_range(s->a, FRAME_MIN, longest);
		if (frame_template_init(&t, &spec)) {
			act_fail(s->a, "no test frame has %u bytes", spec.len);
			set_free(s, frame);
			return;
		}
		frame_fill(s->area + addr, &t, (*s->seq)++);
		put(s, q, frame, addr, spec.len);
	}
	kick(s, q);
}

void sockets_close(struct sockets *s)
{
	size_t size = (size_t)s->shape.frames * s->shape.frame_size;

	/* The kernel holds the pages as long as it needs them. */
	if (s->area && act_maybe(s->a)) {
		munmap(s->area, size);
		s->area = NULL;
	}
	while (s->count) {
		act_enter(s->a, &close_op);
		xsk_socket__delete(s->socket[--s->count].xsk);
		act_result(s->a, &close_op, 0);
	}
	if (s->umem)
		ACT(s->a, &free_op, xsk_umem__delete(s->umem));
	if (s->area)
		munmap(s->area, size);
	free(s->state);
	free(s->free);
	memset(s, 0, sizeof(*s));
}
