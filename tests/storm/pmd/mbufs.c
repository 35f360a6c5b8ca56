/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mbufs of every form, good and bad, handed to Tx in random bursts, while what is received
 * is held back until the pools are dry, and let go again. At the end every mbuf is accounted for.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "bench.h"

#define BURST 64
/* Longest chain; with full segments far above any MTU. */
#define SEGMENTS 12

static struct rte_mbuf *kept[BENCH_MBUFS * 2];
static unsigned int n_kept;

/* Extra references, and what the packet must still be when they are given up. */
#define SHARED 256
static struct {
	struct rte_mbuf *m;
	uint8_t byte;
} shared[SHARED];

static unsigned long sent, refused, received, dry;

static void
fill(struct rte_mbuf *m, uint8_t byte)
{
	memset(rte_pktmbuf_mtod(m, void *), byte, m->data_len);
}

/* A packet of one segment, anywhere in the buffer. NULL when the pool is dry. */
static struct rte_mbuf *
single(struct rte_mempool *from, uint32_t len, uint8_t byte)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(from);

	if (m == NULL) {
		dry++;
		return NULL;
	}
	len = RTE_MIN(len, m->buf_len);
	m->data_off = bench_random(m->buf_len - len + 1);
	m->data_len = len;
	m->pkt_len = len;
	fill(m, byte);
	return m;
}

static struct rte_mbuf *
chain(uint32_t segments, uint32_t each)
{
	struct rte_mbuf *head = single(bench_random(2) ? bench_pool : bench_other, each, 1), *next;

	while (head != NULL && --segments > 0) {
		next = single(bench_random(2) ? bench_pool : bench_other, bench_random(each + 1), 2);
		if (next == NULL || rte_pktmbuf_chain(head, next) != 0) {
			rte_pktmbuf_free(next);
			rte_pktmbuf_free(head);
			return NULL;
		}
	}
	return head;
}

static void
free_buffer(void *addr, void *opaque)
{
	(void)opaque;
	free(addr);
}

static struct rte_mbuf *
external(uint32_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(bench_random(2) ? bench_pool : bench_other);
	uint16_t room = 4096;
	char *buf = malloc(room);
	struct rte_mbuf_ext_shared_info *info;

	if (m == NULL || buf == NULL) {
		free(buf);
		rte_pktmbuf_free(m);
		return NULL;
	}
	info = rte_pktmbuf_ext_shinfo_init_helper(buf, &room, free_buffer, NULL);
	rte_pktmbuf_attach_extbuf(m, buf, RTE_BAD_IOVA, room, info);
	m->data_len = m->pkt_len = RTE_MIN(len, room);
	fill(m, 3);
	return m;
}

static struct rte_mbuf *
indirect(uint32_t len)
{
	struct rte_mbuf *of = single(bench_pool, len, 4), *m;

	if (of == NULL)
		return NULL;
	m = rte_pktmbuf_clone(of, bench_other);
	rte_pktmbuf_free(of);
	return m;
}

/* A second reference is kept: the packet must not change while we have it. */
static void
give_up(unsigned int i)
{
	struct rte_mbuf *m = shared[i].m;

	if (m == NULL)
		return;
	for (uint32_t j = 0; j < m->data_len; j++)
		if (*rte_pktmbuf_mtod_offset(m, uint8_t *, j) != shared[i].byte)
			bench_fault("a packet that we hold a reference of was written to, byte %u", j);
	rte_pktmbuf_free(m);
	shared[i].m = NULL;
}

static struct rte_mbuf *
referenced(uint32_t len)
{
	unsigned int i = bench_random(SHARED);
	uint8_t byte = bench_random(256);

	give_up(i);
	shared[i].m = single(bench_random(2) ? bench_pool : bench_other, len, byte);
	shared[i].byte = byte;
	if (shared[i].m != NULL)
		rte_pktmbuf_refcnt_update(shared[i].m, 1);
	return shared[i].m;
}

/* Lengths that contradict each other. */
static struct rte_mbuf *
inconsistent(void)
{
	struct rte_mbuf *m = bench_random(2) ? single(bench_pool, 1000, 5) : chain(SEGMENTS, 2000);

	if (m != NULL)
		m->pkt_len = bench_random(2) ? bench_random(m->pkt_len) : m->pkt_len + 1 + bench_random(400);
	return m;
}

static struct rte_mbuf *
make(void)
{
	const uint32_t len = 14 + bench_random(1501);

	switch (bench_random(10)) {
	case 0: return single(bench_pool, bench_random(20), 6);
	case 1: return single(bench_pool, 1510 + bench_random(600), 7);
	case 2: return single(bench_other, len, 8);
	case 3: return chain(1 + bench_random(SEGMENTS), 1 + bench_random(200));
	case 4: return chain(1 + bench_random(SEGMENTS), 2000);
	case 5: return external(len);
	case 6: return indirect(len);
	case 7: return referenced(len);
	case 8: return inconsistent();
	default: return single(bench_pool, len, 9);
	}
}

static void
transmit(uint16_t port, uint16_t queue)
{
	struct rte_mbuf *m[BURST];
	uint16_t n = 0, want = 1 + bench_random(BURST), done;

	while (n < want && (m[n] = make()) != NULL)
		n++;
	done = rte_eth_tx_burst(port, queue, m, n);
	sent += done;
	refused += n - done;
	/* What was not taken is ours still: freed, or kept for a long time. */
	for (; done < n; done++) {
		if (n_kept < RTE_DIM(kept) && bench_random(4) == 0)
			kept[n_kept++] = m[done];
		else
			rte_pktmbuf_free(m[done]);
	}
}

static unsigned int
receive(uint16_t port, uint16_t queue, bool keep)
{
	struct rte_mbuf *m[BURST];
	uint16_t n = rte_eth_rx_burst(port, queue, m, BURST);

	received += n;
	for (uint16_t i = 0; i < n; i++) {
		if (keep && n_kept < RTE_DIM(kept))
			kept[n_kept++] = m[i];
		else
			rte_pktmbuf_free(m[i]);
	}
	return n;
}

static void
let_go(unsigned int down_to)
{
	while (n_kept > down_to)
		rte_pktmbuf_free(kept[--n_kept]);
}

/* After the drought: frames come again. */
static void
must_receive(uint16_t port, const char *when)
{
	const uint64_t end = rte_get_timer_cycles() + 20 * rte_get_timer_hz();
	unsigned int n = 0;

	while (n == 0 && rte_get_timer_cycles() < end)
		for (unsigned int q = 0; q < bench.queues; q++)
			n += receive(port, q, false);
	if (n == 0)
		bench_fault("%s nothing is received any more, %u mbufs in the pool", when,
			    rte_mempool_avail_count(bench_pool));
}

/*
 * The application keeps all mbufs but a few: those go round, as few as they are. It has no
 * idea that the PMD refills in batches.
 */
static void
few_mbufs(uint16_t port)
{
	const unsigned int few = 1 + bench_random(8);

	for (unsigned int idle = 0; idle < 20000; idle++) {
		for (unsigned int q = 0; q < bench.queues; q++)
			if (receive(port, q, true) != 0)
				idle = 0;
		if (n_kept == RTE_DIM(kept))
			break;
	}
	/* Whatever is still in the pool, too. */
	while (n_kept < RTE_DIM(kept) && (kept[n_kept] = rte_pktmbuf_alloc(bench_pool)) != NULL)
		n_kept++;
	if (n_kept > few) {
		let_go(n_kept - few);
		must_receive(port, "with few mbufs");
	}
}

int
storm_mbufs(void)
{
	struct bench_state before, now;
	const char *difference;
	unsigned int lines, rounds = 0, droughts = 0;
	uint64_t end;
	int port;

	if (bench_open(0, 0) < 0)
		bench_fault("the port cannot be opened: %s", bench_said(&lines));
	bench_close(0);
	bench_state(&before);
	end = rte_get_timer_cycles() + bench.seconds * rte_get_timer_hz();
	do {
		bool keep = bench_random(2);

		port = bench_open(0, 0);
		if (port < 0)
			bench_fault("the port cannot be opened: %s", bench_said(&lines));
		for (unsigned int i = 0; i < 2000; i++) {
			uint16_t q = bench_random(bench.queues);

			transmit(port, q);
			receive(port, q, keep);
			if (bench_random(500) == 0) {
				let_go(bench_random(n_kept + 1));
				keep = bench_random(2);
			}
		}
		must_receive(port, "after all forms of mbufs");
		if (bench_random(2) == 0) {
			few_mbufs(port);
			droughts++;
		}
		let_go(0);
		must_receive(port, "after a drought");
		bench_close(0);
		for (unsigned int i = 0; i < SHARED; i++)
			give_up(i);
		bench_state(&now);
		difference = bench_difference(&before, &now);
		if (difference != NULL)
			bench_fault("round %u: %s\nsaid: %s", rounds, difference, bench_said(&lines));
		rounds++;
	} while (rte_get_timer_cycles() < end);
	printf("mbufs: rounds %u sent %lu refused %lu received %lu dry %lu droughts %u\n", rounds, sent,
	       refused, received, dry, droughts);
	return 0;
}
