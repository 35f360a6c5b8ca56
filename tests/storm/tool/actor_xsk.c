/* SPDX-License-Identifier: BSD-3-Clause */
/* Actors with AF_XDP sockets, which come, work for a moment and go. */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/if_xdp.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "actors.h"
#include "netdev.h"
#include "programs.h"
#include "socket.h"

/* Streams of the frames that they make; the far end knows none of them, only whether they are intact. */
#define STREAM_ZC	31001
#define STREAM_COPY	31002
#define STREAM_SHARED	31003
#define STREAM_QUEUES	31004
#define STREAM_HOLD	31005

/* As in actor_xdp.c: another's program is attached; too few queues for any. */
static const struct op program_op = { "attaching the program for the sockets", { EEXIST, EINVAL, ENOSPC } };

static struct umem_shape any_shape(struct act *a)
{
	struct umem_shape shape = {
		.frames = 32u << act_random(a, 6),	/* 32 to 1024 */
		.frame_size = act_random(a, 4) ? 2048 : 4096,
		.headroom = act_random(a, 4) ? 0 : 64 * act_random(a, 4),
		.ring = 32u << act_random(a, 6),
	};

	return shape;
}

/* What a zero-copy socket is bound with, or one that copies. */
static uint16_t any_flags(struct act *a, uint16_t mode)
{
	return mode | (act_random(a, 3) ? XDP_USE_NEED_WAKEUP : 0);
}

static uint32_t any_queue(struct act *a)
{
	/* Mostly one that there is. */
	return act_random(a, netdev_queues(a->o->iface) + !act_random(a, 16));
}

/* A program that sends frames to the sockets, unless another's is there. Return: a link, or -1. */
static int attach(struct act *a)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = act_random(a, 8) ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE);
	int index = netdev_index(a->o->iface), link;

	if (index < 0)
		return -1;
	act_enter(a, &program_op);
	link = bpf_link_create(programs_fd(PROGRAM_TO_SOCKET), index, BPF_XDP, &opts);
	return act_result(a, &program_op, link) ? link : -1;
}

/* Work with all sockets for some ms, each in its own way. */
static void work(struct sockets *s, unsigned int ms)
{
	struct act *a = s->a;
	uint64_t end = now_ns() + ms * 1000000ULL;
	bool echo = act_random(a, 4), sends = act_maybe(a), starves = !act_random(a, 4);
	unsigned int i;

	do {
		for (i = 0; i < s->count; i++) {
			if (!starves)
				sockets_lend(s, i, 64);
			sockets_serve(s, i, echo);
			if (sends && !act_random(a, 4))
				sockets_send(s, i, act_range(a, 1, 16));
		}
	} while (now_ns() < end && act_next(a, 0, 2));
}

/* Sockets on a UMEM: opened, bound by @bind, served, closed; over and over. */
static void come_and_go(struct act *a, uint16_t stream, uint16_t mode,
			void (*bind)(struct sockets *s, uint16_t mode))
{
	struct sockets s;
	uint64_t seq = 0;
	int link;

	while (act_next(a, 1, 60)) {
		struct umem_shape shape = any_shape(a);
		bool program_first = act_maybe(a);

		link = program_first ? attach(a) : -1;
		if (sockets_open(&s, a, &shape, stream, &seq)) {
			bind(&s, mode);
			if (s.count) {
				/* Full, half full or empty. */
				sockets_lend(&s, 0, shape.frames * act_random(a, 3) / 2);
				sockets_map(&s);
				if (!program_first && act_maybe(a))
					link = attach(a);
				work(&s, act_range(a, 5, 400));
			}
			sockets_close(&s);
		}
		if (link >= 0)
			close(link);
	}
}

static void bind_one(struct sockets *s, uint16_t mode)
{
	sockets_bind(s, any_queue(s->a), any_flags(s->a, mode));
}

static void bind_two(struct sockets *s, uint16_t mode)
{
	uint32_t queue = any_queue(s->a);

	if (sockets_bind(s, queue, any_flags(s->a, act_maybe(s->a) ? XDP_ZEROCOPY : mode)))
		sockets_bind(s, act_maybe(s->a) ? queue : any_queue(s->a), 0);
}

void actor_xsk_zc(struct act *a)
{
	come_and_go(a, STREAM_ZC, XDP_ZEROCOPY, bind_one);
}

void actor_xsk_copy(struct act *a)
{
	come_and_go(a, STREAM_COPY, XDP_COPY, bind_one);
}

void actor_xsk_shared(struct act *a)
{
	come_and_go(a, STREAM_SHARED, XDP_COPY, bind_two);
}

void actor_xsk_queues(struct act *a)
{
	struct sockets s[SOCKETS_MAX];
	uint64_t seq = 0;

	while (act_next(a, 1, 200)) {
		unsigned int i, n = netdev_queues(a->o->iface), ms = act_range(a, 5, 400);
		uint16_t flags = any_flags(a, act_random(a, 4) ? XDP_ZEROCOPY : XDP_COPY);
		struct umem_shape shape = any_shape(a);
		int link = attach(a);
		uint64_t end;

		n = n < SOCKETS_MAX ? n : SOCKETS_MAX;
		for (i = 0; i < n; i++) {
			if (!sockets_open(&s[i], a, &shape, STREAM_QUEUES, &seq))
				break;
			sockets_bind(&s[i], i, flags);
			sockets_map(&s[i]);
		}
		n = i;
		for (end = now_ns() + ms * 1000000ULL; now_ns() < end && act_next(a, 0, 2);)
			for (i = 0; i < n; i++)
				if (s[i].count) {
					sockets_lend(&s[i], 0, 64);
					sockets_serve(&s[i], 0, true);
				}
		while (n--)
			sockets_close(&s[n]);
		if (link >= 0)
			close(link);
	}
}

void actor_xsk_hold(struct act *a)
{
	struct sockets s;
	uint64_t seq = 0;

	while (act_next(a, 50, 500)) {
		struct umem_shape shape = any_shape(a);
		int link = -1;

		if (!sockets_open(&s, a, &shape, STREAM_HOLD, &seq))
			continue;
		if (sockets_bind(&s, any_queue(a), any_flags(a, act_random(a, 4) ? XDP_ZEROCOPY : XDP_COPY))) {
			sockets_lend(&s, 0, shape.frames);
			sockets_map(&s);
			link = attach(a);
			if (act_maybe(a))
				sockets_send(&s, 0, shape.frames);
			act_next(a, 100, 2500);
		}
		sockets_close(&s);
		if (link >= 0)
			close(link);
	}
}
