/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AF_XDP sockets of an actor: a UMEM, up to some sockets on it, and where each of its frames is.
 *
 * A frame is free, lent for receiving, received, or sent. What the kernel gives back must be in the
 * state that it was given in: all else is a failure of the actor. That also holds while somebody
 * else resizes the rings under us, pulls the cable, or takes the netdev away.
 */
#ifndef TESTS_STORM_TOOL_SOCKET_H
#define TESTS_STORM_TOOL_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include <xdp/xsk.h>

#include "act.h"
#include "frame.h"

#define SOCKETS_MAX	4

struct umem_shape {
	uint32_t frames;
	uint32_t frame_size;
	uint32_t headroom;
	uint32_t ring;		/* entries of each of the four rings */
};

struct queue_socket {
	struct xsk_socket *xsk;
	int fd;
	struct xsk_ring_cons rx;
	struct xsk_ring_prod tx;
	struct xsk_ring_prod *fill;	/* of its queue: its own, or that of the socket before */
	struct xsk_ring_cons *comp;
	struct xsk_ring_prod own_fill;
	struct xsk_ring_cons own_comp;
	uint32_t queue;
	bool need_wakeup;	/* else it is to be called for every transmission */
};

struct sockets {
	struct act *a;
	struct umem_shape shape;
	struct xsk_umem *umem;
	struct xsk_ring_prod first_fill;
	struct xsk_ring_cons first_comp;
	uint8_t *area;
	uint8_t *state;
	uint32_t *free;
	uint32_t nfree;
	struct queue_socket socket[SOCKETS_MAX];
	unsigned int count;
	uint64_t *seq;		/* of the frames that it makes itself */
	uint16_t stream;
};

/* Register a UMEM. @seq goes on from socket to socket: no frame is sent twice. False: refused. */
bool sockets_open(struct sockets *s, struct act *a, const struct umem_shape *shape, uint16_t stream,
		  uint64_t *seq);

/* Bind one more socket, with XDP_ZEROCOPY or XDP_COPY and further flags. False: refused. */
bool sockets_bind(struct sockets *s, uint32_t queue, uint16_t flags);

/* Put the sockets into the map that the programs redirect to. */
void sockets_map(struct sockets *s);

/* Lend up to @n free frames for receiving. */
void sockets_lend(struct sockets *s, unsigned int i, uint32_t n);

/* Take what was received, send it back (or drop it), reap, and enter the kernel if it asks for it. */
void sockets_serve(struct sockets *s, unsigned int i, bool echo);

/* Send up to @n frames of our own. */
void sockets_send(struct sockets *s, unsigned int i, uint32_t n);

/* Close all, in one of the orders in which a program may end. */
void sockets_close(struct sockets *s);

#endif /* TESTS_STORM_TOOL_SOCKET_H */
