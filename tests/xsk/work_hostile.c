/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that may use AF_XDP and means harm: whatever user space can write (descriptors and
 * indices of all four rings, flags, the UMEM itself) it writes garbage into, it enters the kernel at
 * any moment, pulls its memory away and leaves. What a kernel must make of that: nothing but
 * counted refusals. Nothing is checked here; others look whether they are still served.
 *
 * One limit. The kernel looks for a valid address in the fill ring until it finds one or
 * the ring ends (__xp_alloc() in net/xdp/xsk_buff_pool.c), so an index that claims 2^32 entries, all
 * invalid, keeps a processor busy for minutes, on any driver. Entry 0 is therefore always valid here.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "random.h"
#include "run.h"
#include "works.h"

#define NS_PER_SEC	1000000000ULL
#define STEPS_MIN	64
#define STEPS_SPREAD	1024
#define BURST		64	/* descriptors put at once, at most */
#define HALF_PAGE	2048
#define RESYNC		16	/* about so many steps with one set of indices gone wild */

struct hostile {
	const struct run *r;
	const struct options *o;
	struct dev d;
	struct random random;
	uint64_t in_flight;	/* address of the last descriptor put */
	uint64_t steps;
	pthread_t scribbler;
	bool scribbling;
	bool scribbler_stop;
};

/* The lengths around every limit: header, shortest and longest frame, FIFO, chunk, page, 16 and 32 bits. */
static const uint32_t edge_len[] = {
	0, 1, 2, 12, 13, 14, 15, 17, 59, 60, 61, 64, 1000, 1500, 1513, 1514, 1515, 1518, 1519, 1522, 1523, 1536,
	1980, 1981, 1984, 1985, 2000, 2046, 2047, 2048, 2049, 3000, 4095, 4096, 4097, 9000, 0x7fff, 0xffff,
	0x10000, 0x1003c, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff,
};

#define EDGE_LENS	(sizeof(edge_len) / sizeof(edge_len[0]))

static uint64_t chunk(struct hostile *h)
{
	return (uint64_t)random_below(&h->random, h->o->frames) * h->o->frame_size;
}

static uint64_t address(struct hostile *h)
{
	uint64_t end = h->d.area_len;

	switch (random_below(&h->random, 16)) {
	case 0: return 0;
	case 1: return h->in_flight;
	case 2: return end;
	case 3: return end - 1;
	case 4: return end - 64;
	case 5: return end - h->o->frame_size + 1;
	case 6: return UINT64_MAX;
	case 7: return 1ULL << 47;
	case 8: return random_next(&h->random);
	case 9: return random_next(&h->random) % end;
	case 10: return chunk(h) | random_next(&h->random) << 48;	/* an offset, in unaligned chunk mode */
	case 11: return chunk(h) + random_below(&h->random, h->o->frame_size);
	default: return chunk(h);
	}
}

static struct xdp_desc descriptor(struct hostile *h)
{
	struct xdp_desc desc = { .addr = chunk(h), .len = 60 + random_below(&h->random, 1455) };

	/* What is sent is in flight while the rest is done to it. */
	if (random_one_in(&h->random, 2))
		return desc;
	desc.addr = address(h);
	if (random_one_in(&h->random, 2))
		desc.len = edge_len[random_below(&h->random, EDGE_LENS)];
	else if (random_one_in(&h->random, 8))
		desc.len = (uint32_t)random_next(&h->random);
	switch (random_below(&h->random, 12)) {
	case 0: desc.options = XDP_PKT_CONTD; break;
	case 1: desc.options = XDP_TX_METADATA; break;	/* without an area for it */
	case 2: desc.options = 1u << random_below(&h->random, 32); break;
	case 3: desc.options = (uint32_t)random_next(&h->random); break;
	default: break;
	}
	return desc;
}

static void set_index(uint32_t *index, uint32_t value)
{
	__atomic_store_n(index, value, __ATOMIC_RELEASE);
}

static void put_fill_entry(struct hostile *h, uint32_t idx, uint64_t addr)
{
	/* A chunk has half a page. */
	if (h->o->whole_pages)
		addr &= ~(uint64_t)HALF_PAGE;
	*xsk_ring_prod__fill_addr(&h->d.fill, idx) = idx & h->d.fill.mask ? addr : chunk(h);
}

static void put_fill(struct hostile *h)
{
	uint32_t i, n = 1 + random_below(&h->random, BURST), at = *h->d.fill.producer;
	bool same = random_one_in(&h->random, 4);
	uint64_t addr = chunk(h);

	for (i = 0; i < n; i++)
		put_fill_entry(h, at + i, same ? addr : address(h));
	set_index(h->d.fill.producer, at + n);
}

static void put_tx(struct hostile *h)
{
	uint32_t i, n = 1 + random_below(&h->random, BURST), at = *h->d.tx.producer;
	struct xdp_desc desc = descriptor(h);
	bool same = random_one_in(&h->random, 8);

	for (i = 0; i < n; i++) {
		if (!same)
			desc = descriptor(h);
		*xsk_ring_prod__tx_desc(&h->d.tx, at + i) = desc;
		h->in_flight = desc.addr;
	}
	set_index(h->d.tx.producer, at + n);
}

/* As an honest program does. */
static void consume(struct hostile *h)
{
	set_index(h->d.rx.consumer, __atomic_load_n(h->d.rx.producer, __ATOMIC_ACQUIRE));
	set_index(h->d.comp.consumer, __atomic_load_n(h->d.comp.producer, __ATOMIC_ACQUIRE));
}

static void jump(struct hostile *h)
{
	uint32_t *index[] = {
		h->d.fill.producer, h->d.fill.consumer, h->d.tx.producer, h->d.tx.consumer,
		h->d.rx.producer, h->d.rx.consumer, h->d.comp.producer, h->d.comp.consumer,
	};
	uint32_t *at = index[random_below(&h->random, 8)];

	switch (random_below(&h->random, 8)) {
	case 0: set_index(at, 0); break;
	case 1: set_index(at, UINT32_MAX); break;
	case 2: set_index(at, *at + (1u << 31)); break;
	case 3: set_index(at, (uint32_t)random_next(&h->random)); break;
	case 4: set_index(at, *at - 1 - random_below(&h->random, 4096)); break;
	case 5: set_index(at, *at + h->d.fill.size); break;
	default: set_index(at, *at + 1 + random_below(&h->random, 4096)); break;
	}
}

/* Back to indices that promise what is there; the kernel's own are not ours to set. */
static void resync(struct hostile *h)
{
	set_index(h->d.fill.producer, __atomic_load_n(h->d.fill.consumer, __ATOMIC_ACQUIRE));
	set_index(h->d.tx.producer, __atomic_load_n(h->d.tx.consumer, __ATOMIC_ACQUIRE));
	consume(h);
}

/* Random bits over all descriptors, and over the flags. */
static void garbage(struct hostile *h)
{
	uint32_t i;

	for (i = 0; i < h->d.fill.size; i++)
		put_fill_entry(h, i, random_next(&h->random));
	for (i = 0; i < h->d.tx.size; i++) {
		struct xdp_desc *desc = xsk_ring_prod__tx_desc(&h->d.tx, i);

		desc->addr = random_next(&h->random);
		desc->len = (uint32_t)random_next(&h->random);
		desc->options = (uint32_t)random_next(&h->random);
	}
	*h->d.fill.flags = (uint32_t)random_next(&h->random);
	*h->d.tx.flags = (uint32_t)random_next(&h->random);
}

static void enter(struct hostile *h)
{
	/* Whatever the kernel says to it is fine. */
	if (random_one_in(&h->random, 2))
		(void)!sendto(h->d.tx_fd, NULL, 0, MSG_DONTWAIT, NULL, 0);
	if (random_one_in(&h->random, 2))
		(void)!recvfrom(h->d.fd, NULL, 0, MSG_DONTWAIT, NULL, NULL);
}

static void step(struct hostile *h)
{
	struct timespec moment = { .tv_nsec = 1000 * (long)random_below(&h->random, 500) };

	switch (random_below(&h->random, 32)) {
	case 0: garbage(h); break;
	case 1: case 2: case 3: jump(h); break;
	case 4 ... 11: put_fill(h); break;
	case 12 ... 23: put_tx(h); break;
	case 24: nanosleep(&moment, NULL); break;
	default: consume(h); break;
	}
	enter(h);
	if (random_one_in(&h->random, RESYNC))
		resync(h);
	if (random_one_in(&h->random, 4))
		nanosleep(&moment, NULL);
	h->steps++;
}

/* Writes all over the UMEM, whoever is reading it. */
static void *scribble(void *arg)
{
	struct hostile *h = arg;
	struct random random;
	uint64_t *word = h->d.area;
	uint64_t words = h->d.area_len / sizeof(*word);

	random_seed(&random, h->o->seed + 1);
	while (!__atomic_load_n(&h->scribbler_stop, __ATOMIC_RELAXED)) {
		struct timespec moment = { .tv_nsec = 100000 };
		uint32_t i;

		for (i = 0; i < 4096; i++)
			word[random_next(&random) % words] = random_next(&random);
		nanosleep(&moment, NULL);
	}
	return NULL;
}

static void scribbler_end(struct hostile *h)
{
	if (!h->scribbling)
		return;
	__atomic_store_n(&h->scribbler_stop, true, __ATOMIC_RELAXED);
	pthread_join(h->scribbler, NULL);
	h->scribbling = false;
}

/* Each byte of the UMEM tells where it is from: 64-bit words, a function of their offset. */
static void mark(struct dev *d)
{
	uint64_t *word = d->area;
	uint64_t i;

	for (i = 0; i < d->area_len / sizeof(*word); i++)
		word[i] = frame_mix(i + 1);
}

/* One life of a socket: opened, abused, and closed with everything under way. */
static bool life(struct hostile *h)
{
	uint32_t steps = STEPS_MIN + random_below(&h->random, STEPS_SPREAD);

	if (dev_open(&h->d, h->o, DEV_SOCKET_FIRST))
		return false;
	mark(&h->d);
	h->scribbler_stop = false;
	h->scribbling = h->o->scribble && !pthread_create(&h->scribbler, NULL, scribble, h);
	if (!h->steps)
		run_ready();
	while (steps-- && !run_stopped(h->r))
		step(h);
	scribbler_end(h);
	if (random_one_in(&h->random, 2)) {
		/* The kernel has the pages pinned; here they are gone. */
		munmap(h->d.area, h->d.area_len);
		h->d.area = NULL;
		for (steps = STEPS_MIN; steps && !run_stopped(h->r); steps--)
			step(h);
	}
	dev_close(&h->d);
	return true;
}

void work_hostile(struct run *r)
{
	static struct hostile h;
	uint64_t end = run_now() + r->o->seconds * NS_PER_SEC;

	h.r = r;
	h.o = r->o;
	random_seed(&h.random, r->o->seed);
	while (!run_stopped(r) && (!r->o->seconds || run_now() < end)) {
		if (!life(&h)) {
			run_fail(r, "no socket to abuse");
			r->impossible = !r->rounds_done;
			dev_close(&h.d);
			return;
		}
		r->rounds_done++;
	}
	printf("hostile: %llu steps in %llu lives\n", (unsigned long long)h.steps,
	       (unsigned long long)r->rounds_done);
}
