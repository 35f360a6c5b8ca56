/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bursts against a kernel that is played here: it takes the fill ring, receives
 * frames, takes and completes transmit descriptors, asks for wakeups, and checks on the way
 * that no buffer is in two places.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <rte_mbuf.h>

#include "eal.h"
#include "rxtx.h"
#include "xsk.h"

#define RING 128u
#define POOL 512u
#define PORT 5
#define FD_RX 77
#define MAX_LEN 1518u
#define DATA_OFF 256u	/* of a received frame in the usual pool: XDP's headroom */

/* A ring in memory; the kernel's counter is plain. */
struct ring_mem {
	uint32_t producer, consumer, flags;
	union {
		uint64_t addr[RING];
		struct xdp_desc desc[RING];
	};
};

static struct {
	struct rte_mempool *pool, *other;
	struct ti_layout lay;
	struct ti_ring rx, fill, tx, comp;
	struct ring_mem m_rx, m_fill, m_tx, m_comp;
	struct ti_handover *ho;
	struct ti_rxq rxq;
	struct ti_txq txq;
	/* what the kernel holds */
	uint64_t buffer[POOL];
	uint32_t buffers;
	uint64_t in_flight[RING];	/* taken off the transmit ring, by its counter */
	/* what it was asked, and how it answers */
	unsigned int kicks_rx, kicks_tx, refused;
	int kick_tx_result;
	unsigned int sends_per_kick;	/* copy mode: frames that one entry sends */
	bool completes;			/* and whether they are completed at once */
} k;

/* --- the kernel's part ------------------------------------------------------------ */

static void
ring_init(struct ti_ring *r, struct ring_mem *m)
{
	memset(m, 0, sizeof(*m));
	memset(r, 0, sizeof(*r));
	r->size = RING;
	r->mask = RING - 1;
	r->producer = &m->producer;
	r->consumer = &m->consumer;
	r->flags = &m->flags;
	r->entry = m->addr;
}

/* Take everything out of the fill ring. */
static void
k_take_fill(void)
{
	while (k.m_fill.consumer != k.m_fill.producer) {
		uint64_t addr = k.m_fill.addr[k.m_fill.consumer++ % RING];

		assert_true(addr < k.lay.len);
		for (uint32_t i = 0; i < k.buffers; i++)
			assert_true(k.buffer[i] != addr);
		assert_true(k.buffers < POOL);
		k.buffer[k.buffers++] = addr;
	}
}

/* Receive a frame of @len bytes, all of them @byte. False when there is no buffer or no room. */
static bool
k_receive(uint32_t len, uint8_t byte)
{
	uint64_t addr, offset = k.lay.headroom + TI_XDP_HEADROOM;
	struct xdp_desc *desc;

	if (k.buffers == 0 || k.m_rx.producer - k.m_rx.consumer == RING)
		return false;
	/* Not in the order of the fill ring, as with several of them on a free list. */
	addr = k.buffer[0];
	k.buffer[0] = k.buffer[--k.buffers];
	memset((void *)(k.lay.base + addr + offset), byte, len);
	desc = &k.m_rx.desc[k.m_rx.producer % RING];
	desc->addr = addr | offset << 48;
	desc->len = len;
	desc->options = 0;
	k.m_rx.producer++;
	return true;
}

static const uint8_t *
k_frame(const struct xdp_desc *desc)
{
	uint64_t at = (desc->addr & TI_ADDR_MASK) + (desc->addr >> 48);

	assert_true(at + desc->len <= k.lay.len);
	assert_int_equal(desc->options, 0);
	return (const uint8_t *)(k.lay.base + at);
}

/* Complete up to @n frames that were taken. */
static void
k_complete(uint32_t n)
{
	while (n-- > 0 && k.m_tx.consumer - k.m_comp.producer != 0 &&
	       k.m_comp.producer - k.m_comp.consumer < RING) {
		k.m_comp.addr[k.m_comp.producer % RING] = k.in_flight[k.m_comp.producer % RING];
		k.m_comp.producer++;
	}
}

/* Take up to @n frames off the transmit ring; as many as the completion ring will have room for. */
static void
k_take_tx(uint32_t n)
{
	while (n-- > 0 && k.m_tx.consumer != k.m_tx.producer &&
	       k.m_tx.consumer - k.m_comp.consumer < RING) {
		k_frame(&k.m_tx.desc[k.m_tx.consumer % RING]);
		k.in_flight[k.m_tx.consumer % RING] = k.m_tx.desc[k.m_tx.consumer % RING].addr;
		k.m_tx.consumer++;
	}
}

int
ti_xsk_kick_rx(int fd)
{
	assert_int_equal(fd, FD_RX);
	k.kicks_rx++;
	return 0;
}

int
ti_xsk_kick_tx(int fd)
{
	assert_int_equal(fd, FD_RX);
	k.kicks_tx++;
	k_take_tx(k.sends_per_kick);
	if (k.completes)
		k_complete(RING);
	return k.kick_tx_result;
}

static bool can_busy_poll;

bool
ti_xsk_can_busy_poll(int fd)
{
	assert_int_equal(fd, FD_RX);
	return can_busy_poll;
}

static void
on_refused(void *arg)
{
	assert_ptr_equal(arg, &k);
	k.refused++;
}

/* --- set-up ------------------------------------------------------------------------- */

static void
open_pair(bool zc, bool busy)
{
	struct ti_why why;

	assert_int_equal(ti_layout_init(&k.lay, k.pool, &why), 0);
	ring_init(&k.rx, &k.m_rx);
	ring_init(&k.fill, &k.m_fill);
	ring_init(&k.tx, &k.m_tx);
	ring_init(&k.comp, &k.m_comp);
	memset(&k.rxq, 0, sizeof(k.rxq));
	memset(&k.txq, 0, sizeof(k.txq));
	memset(k.ho, 0, sizeof(*k.ho));
	k.buffers = 0;
	k.kicks_rx = k.kicks_tx = k.refused = 0;
	k.kick_tx_result = 0;
	k.sends_per_kick = 32;
	k.completes = true;
	assert_int_equal(ti_held_init(&k.rxq.held, &k.lay, SOCKET_ID_ANY), 0);
	assert_int_equal(ti_held_init(&k.txq.held, &k.lay, SOCKET_ID_ANY), 0);
	k.rxq.nb_desc = RING;
	k.rxq.busy_refused = on_refused;
	k.rxq.busy_arg = &k;
	ti_rxq_init(&k.rxq, &k.rx, &k.fill, k.ho, &k.lay, k.pool, PORT, FD_RX, busy);
	ti_txq_init(&k.txq, &k.tx, &k.comp, k.ho, &k.lay, k.pool, MAX_LEN, FD_RX, zc);
	if (!zc)
		k.m_tx.flags = XDP_RING_NEED_WAKEUP;
	assert_int_equal(ti_rxq_fill(&k.rxq), 0);
}

/* Everything back in its pool, whatever state the rings are in. */
static void
close_pair(void)
{
	ti_handover_drain(k.ho, &k.lay, k.pool);
	ti_held_return(&k.rxq.held, &k.lay, k.pool);
	ti_held_return(&k.txq.held, &k.lay, k.pool);
	ti_held_free(&k.rxq.held);
	ti_held_free(&k.txq.held);
	assert_int_equal(rte_mempool_avail_count(k.pool), POOL);
	assert_int_equal(rte_mempool_avail_count(k.other), POOL);
}

static int
open_copy(void **state)
{
	(void)state;
	open_pair(false, false);
	return 0;
}

static int
open_zc(void **state)
{
	(void)state;
	open_pair(true, false);
	return 0;
}

static int
open_busy(void **state)
{
	(void)state;
	can_busy_poll = true;
	open_pair(true, true);
	return 0;
}

static int
close_any(void **state)
{
	(void)state;
	close_pair();
	return 0;
}

static struct rte_mbuf *
packet(struct rte_mempool *pool, uint16_t len, uint8_t byte)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	assert_non_null(m);
	memset(rte_pktmbuf_append(m, len), byte, len);
	return m;
}

/* --- receive ------------------------------------------------------------------------- */

static void
fill_ring_is_filled(void **state)
{
	(void)state;
	assert_int_equal(k.m_fill.producer, RING);
	k_take_fill();
	assert_int_equal(k.buffers, RING);
	assert_int_equal(rte_mempool_avail_count(k.pool), POOL - RING);
}

static void
received_mbufs(void **state)
{
	struct rte_mbuf *m[8];
	int i, j;

	(void)state;
	k_take_fill();
	for (i = 0; i < 5; i++)
		assert_true(k_receive(60 + i, i));
	assert_int_equal(ti_rx_burst(&k.rxq, m, 8), 5);
	for (i = 0; i < 5; i++) {
		assert_int_equal(m[i]->pkt_len, 60 + i);
		assert_int_equal(m[i]->data_len, 60 + i);
		assert_int_equal(m[i]->data_off, DATA_OFF);
		assert_int_equal(m[i]->nb_segs, 1);
		assert_int_equal(rte_mbuf_refcnt_read(m[i]), 1);
		assert_int_equal(m[i]->port, PORT);
		assert_int_equal(m[i]->ol_flags, 0);
		assert_int_equal(m[i]->packet_type, 0);
		assert_null(m[i]->next);
		assert_ptr_equal(m[i]->pool, k.pool);
		assert_int_equal((uintptr_t)rte_pktmbuf_mtod(m[i], void *) % TI_FRAME_ALIGN, 0);
		for (j = 0; j < 60 + i; j++)
			assert_int_equal(rte_pktmbuf_mtod(m[i], uint8_t *)[j], i);
		rte_mbuf_sanity_check(m[i], 1);
		rte_pktmbuf_free(m[i]);
	}
	assert_int_equal(k.rxq.stats.packets, 5);
	assert_int_equal(k.rxq.stats.bytes, 60 + 61 + 62 + 63 + 64);
	assert_int_equal(ti_rx_burst(&k.rxq, m, 8), 0);
	assert_int_equal(k.kicks_rx, 0);
}

/* An mbuf that an application used for something else is as good as new when received into. */
static void
traces_of_an_earlier_use(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	k_take_fill();
	assert_true(k_receive(60, 1));
	assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 1);
	m->ol_flags = RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_TX_IP_CKSUM;
	m->vlan_tci = 0xffff;
	m->packet_type = 0xffff;
	m->port = 1;
	rte_pktmbuf_adj(m, 14);
	assert_int_equal(ti_tx_burst(&k.txq, &m, 1), 1);
	assert_int_equal(ti_txq_reap(&k.txq), 1);
	/* It goes round by way of the handover or the pool until it is received into again. */
	for (int i = 0; i < 1000; i++) {
		k_take_fill();
		k_receive(61, 2);
		if (ti_rx_burst(&k.rxq, &m, 1) == 1) {
			assert_int_equal(m->ol_flags, 0);
			assert_int_equal(m->vlan_tci, 0);
			assert_int_equal(m->packet_type, 0);
			assert_int_equal(m->data_off, DATA_OFF);
			assert_int_equal(m->port, PORT);
			assert_int_equal(m->pkt_len, 61);
			rte_pktmbuf_free(m);
		}
	}
}

/* An XDP program may have moved the start of the frame. */
static void
adjusted_head(void **state)
{
	struct rte_mbuf *m;
	struct xdp_desc *desc;

	(void)state;
	k_take_fill();
	assert_true(k_receive(60, 1));
	desc = &k.m_rx.desc[0];
	desc->addr -= UINT64_C(8) << 48;
	desc->len += 8;
	assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 1);
	assert_int_equal(m->data_off, DATA_OFF - 8);
	assert_int_equal(m->data_len, 68);
	rte_pktmbuf_free(m);
}

/* Buffers outside never exceed the descriptors, and are replaced in batches. */
static void
outstanding_is_constant(void **state)
{
	struct rte_mbuf *m[64];
	uint16_t n, i;
	int round;

	(void)state;
	for (round = 0; round < 500; round++) {
		k_take_fill();
		assert_true(k.buffers + k.rxq.lack == RING);
		for (i = 0; i < round % 64 && k_receive(60, 0); i++)
			;
		n = ti_rx_burst(&k.rxq, m, 64);
		assert_int_equal(n, i);
		for (i = 0; i < n; i++)
			rte_pktmbuf_free(m[i]);
		assert_true(k.rxq.lack < TI_FILL_BATCH + 64);
	}
	assert_int_equal(k.rxq.stats.nombuf, 0);
}

/* An empty mempool costs no received packet, and reception recovers when it has mbufs again. */
static void
empty_pool(void **state)
{
	struct rte_mbuf *m[RING], *all[POOL];
	unsigned int taken = rte_mempool_avail_count(k.pool), n = 0;

	(void)state;
	assert_int_equal(rte_mempool_get_bulk(k.pool, (void **)all, taken), 0);
	k_take_fill();
	while (k_receive(60, 0))
		n++;
	assert_int_equal(n, RING);
	assert_int_equal(ti_rx_burst(&k.rxq, m, RING), RING);
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	assert_true(k.rxq.stats.nombuf > 0);
	k_take_fill();
	assert_int_equal(k.buffers, 0);
	rte_pktmbuf_free_bulk(m, RING);
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	k_take_fill();
	assert_int_equal(k.buffers, RING);
	rte_mempool_put_bulk(k.pool, (void **)all, taken);
}

static void
wakeup_for_receive(void **state)
{
	struct rte_mbuf *m[RING];

	(void)state;
	/* The kernel asks, and there are buffers that it has not taken: it is entered. */
	k.m_fill.flags = XDP_RING_NEED_WAKEUP;
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	assert_int_equal(k.kicks_rx, 1);
	/* It has taken all there are: entering would do nothing. */
	k_take_fill();
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	assert_int_equal(k.kicks_rx, 1);
	/* The ring ran dry and is refilled: once more. */
	while (k_receive(60, 0))
		;
	assert_int_equal(ti_rx_burst(&k.rxq, m, RING), RING);
	rte_pktmbuf_free_bulk(m, RING);
	assert_int_equal(k.kicks_rx, 1);
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	assert_int_equal(k.kicks_rx, 3);	/* after refilling, and for finding nothing */
	k.m_fill.flags = 0;
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	assert_int_equal(k.kicks_rx, 3);
	assert_int_equal(k.rxq.stats.wakeups, 3);
}

static void
busy_polling(void **state)
{
	struct rte_mbuf *m;
	int i;

	(void)state;
	for (i = 0; i < 10; i++)
		assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 0);
	assert_int_equal(k.kicks_rx, 10);
	/* A call that finds a frame does not enter the kernel. */
	k_take_fill();
	assert_true(k_receive(60, 0));
	assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 1);
	rte_pktmbuf_free(m);
	assert_int_equal(k.kicks_rx, 10);
	assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 0);
	assert_int_equal(k.kicks_rx, 11);
	assert_int_equal(k.refused, 0);
	assert_int_equal(k.rxq.stats.busy_polls, 11);
}

static void
busy_polling_that_reaches_nobody(void **state)
{
	struct rte_mbuf *m;
	int i;

	(void)state;
	can_busy_poll = false;
	assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 0);
	assert_int_equal(k.kicks_rx, 1);
	k_take_fill();
	assert_true(k_receive(60, 0));
	assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 1);
	rte_pktmbuf_free(m);
	for (i = 0; i < 10; i++)
		assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 0);
	assert_int_equal(k.refused, 1);
	assert_int_equal(k.kicks_rx, 1);
}

/* --- transmit ------------------------------------------------------------------------ */

static void
sent_where_it_lies(void **state)
{
	struct rte_mbuf *m = packet(k.pool, 100, 0xab);
	const void *data = rte_pktmbuf_mtod(m, void *);
	unsigned int before = rte_mempool_avail_count(k.pool);

	(void)state;
	assert_int_equal(ti_tx_burst(&k.txq, &m, 1), 1);
	assert_ptr_equal(k_frame(&k.m_tx.desc[0]), data);
	assert_int_equal(k.m_tx.desc[0].len, 100);
	assert_int_equal(k.txq.stats.copies, 0);
	/* The kernel's until it says that it was sent. */
	assert_int_equal(rte_mempool_avail_count(k.pool), before);
	k_take_tx(1);
	k_complete(1);
	assert_int_equal(ti_txq_outstanding(&k.txq), 1);
	assert_int_equal(ti_txq_reap(&k.txq), 1);
	assert_int_equal(ti_txq_outstanding(&k.txq), 0);
	assert_int_equal(rte_mempool_avail_count(k.pool), before + 1);
}

/* The copy is in a buffer of the pool and equal; the original is freed at once. */
static void
expect_copy(struct rte_mbuf *m, const uint8_t *bytes, uint32_t len, bool linearised)
{
	const struct xdp_desc *desc = &k.m_tx.desc[k.m_tx.producer % RING];
	const uint64_t copies = k.txq.stats.copies, lin = k.txq.stats.linearised;

	assert_int_equal(ti_tx_burst(&k.txq, &m, 1), 1);
	assert_int_equal(desc->len, len);
	assert_memory_equal(k_frame(desc), bytes, len);
	assert_int_equal((uintptr_t)k_frame(desc) % TI_FRAME_ALIGN, 0);
	assert_int_equal(k.txq.stats.copies, copies + 1);
	assert_int_equal(k.txq.stats.linearised, lin + linearised);
}

static void
of_another_pool(void **state)
{
	uint8_t bytes[200];

	(void)state;
	memset(bytes, 3, sizeof(bytes));
	expect_copy(packet(k.other, 200, 3), bytes, 200, false);
	assert_int_equal(rte_mempool_avail_count(k.other), POOL);
}

static void
with_another_owner(void **state)
{
	struct rte_mbuf *m = packet(k.pool, 200, 4);
	uint8_t bytes[200];

	(void)state;
	memset(bytes, 4, sizeof(bytes));
	rte_mbuf_refcnt_update(m, 1);
	expect_copy(m, bytes, 200, false);
	/* The other owner has it still, and alone. */
	assert_int_equal(rte_mbuf_refcnt_read(m), 1);
	assert_int_equal(rte_pktmbuf_mtod(m, uint8_t *)[0], 4);
	rte_pktmbuf_free(m);
}

static void
clone(void **state)
{
	struct rte_mbuf *m = packet(k.pool, 200, 5), *c = rte_pktmbuf_clone(m, k.pool);
	uint8_t bytes[200];

	(void)state;
	memset(bytes, 5, sizeof(bytes));
	assert_non_null(c);
	expect_copy(c, bytes, 200, false);
	assert_int_equal(rte_mbuf_refcnt_read(m), 1);
	expect_copy(packet(k.other, 200, 5), bytes, 200, false);
	rte_pktmbuf_free(m);
}

static bool external_freed;

static void
free_external(void *addr, void *opaque)
{
	(void)opaque;
	free(addr);
	external_freed = true;
}

static void
external_buffer(void **state)
{
	struct rte_mbuf_ext_shared_info *info;
	struct rte_mbuf *m = rte_pktmbuf_alloc(k.pool);
	uint16_t len = 1024;
	void *buf = malloc(len);
	uint8_t bytes[200];

	(void)state;
	assert_non_null(m);
	memset(bytes, 6, sizeof(bytes));
	info = rte_pktmbuf_ext_shinfo_init_helper(buf, &len, free_external, NULL);
	rte_pktmbuf_attach_extbuf(m, buf, RTE_BAD_IOVA, len, info);
	memset(rte_pktmbuf_append(m, 200), 6, 200);
	external_freed = false;
	expect_copy(m, bytes, 200, false);
	assert_true(external_freed);
}

static void
several_segments(void **state)
{
	struct rte_mbuf *head = packet(k.pool, 14, 1);
	uint8_t bytes[14 + 100 + 1 + 700];

	(void)state;
	assert_int_equal(rte_pktmbuf_chain(head, packet(k.other, 100, 2)), 0);
	assert_int_equal(rte_pktmbuf_chain(head, packet(k.pool, 1, 3)), 0);
	assert_int_equal(rte_pktmbuf_chain(head, packet(k.pool, 700, 4)), 0);
	memset(bytes, 1, 14);
	memset(bytes + 14, 2, 100);
	memset(bytes + 114, 3, 1);
	memset(bytes + 115, 4, 700);
	expect_copy(head, bytes, sizeof(bytes), true);
}

static void
lengths_that_cannot_be_sent(void **state)
{
	struct rte_mbuf *m[6] = {
		packet(k.pool, TI_FRAME_MIN, 1), packet(k.pool, TI_FRAME_MIN - 1, 2),
		packet(k.pool, MAX_LEN + 1, 3), packet(k.pool, MAX_LEN, 4),
		packet(k.pool, 0, 5), packet(k.other, MAX_LEN + 1, 6),
	};

	(void)state;
	/* All are taken; the good ones are sent, in order, the others freed and counted. */
	assert_int_equal(ti_tx_burst(&k.txq, m, 6), 6);
	assert_int_equal(k.m_tx.producer, 2);
	assert_int_equal(k_frame(&k.m_tx.desc[0])[0], 1);
	assert_int_equal(k_frame(&k.m_tx.desc[1])[0], 4);
	assert_int_equal(k.txq.stats.errors, 4);
	assert_int_equal(k.txq.stats.packets, 2);
	assert_int_equal(k.txq.stats.bytes, TI_FRAME_MIN + MAX_LEN);
	assert_int_equal(rte_mempool_avail_count(k.other), POOL);
}

static void
full_ring(void **state)
{
	struct rte_mbuf *m[RING + 10];
	unsigned int i;

	(void)state;
	k.sends_per_kick = 0;	/* the device takes nothing */
	for (i = 0; i < RTE_DIM(m); i++)
		m[i] = packet(k.pool, 60, i);
	assert_int_equal(ti_tx_burst(&k.txq, m, RTE_DIM(m)), RING);
	assert_int_equal(k.txq.stats.full, 1);
	/* What was not taken is the application's still. */
	for (i = RING; i < RTE_DIM(m); i++)
		assert_int_equal(rte_pktmbuf_mtod(m[i], uint8_t *)[0], (uint8_t)i);
	assert_int_equal(ti_tx_burst(&k.txq, m + RING, 10), 0);
	k.sends_per_kick = 32;
	assert_int_equal(ti_tx_burst(&k.txq, m + RING, 10), 0);	/* by this the ring is emptied */
	assert_int_equal(ti_tx_burst(&k.txq, m + RING, 10), 10);
	assert_int_equal(k.m_tx.consumer, RING + 10);
}

static void
no_buffer_to_copy_into(void **state)
{
	struct rte_mbuf *m[3], *all[POOL];
	unsigned int taken;

	(void)state;
	m[0] = packet(k.pool, 60, 0);
	m[1] = packet(k.other, 60, 1);
	m[2] = packet(k.other, 60, 2);
	taken = rte_mempool_avail_count(k.pool);
	assert_int_equal(rte_mempool_get_bulk(k.pool, (void **)all, taken), 0);
	/* The first needs none; the others are kept for another try. */
	assert_int_equal(ti_tx_burst(&k.txq, m, 3), 1);
	assert_int_equal(k.txq.stats.nombuf, 1);
	assert_int_equal(rte_pktmbuf_mtod(m[1], uint8_t *)[0], 1);
	rte_mempool_put_bulk(k.pool, (void **)all, taken);
	assert_int_equal(ti_tx_burst(&k.txq, m + 1, 2), 2);
}

static void
wakeup_for_transmit(void **state)
{
	struct rte_mbuf *m[2] = { packet(k.pool, 60, 0), packet(k.pool, 60, 1) };

	(void)state;
	k.m_tx.flags = 0;
	assert_int_equal(ti_tx_burst(&k.txq, m, 1), 1);
	assert_int_equal(k.kicks_tx, 0);
	k.m_tx.flags = XDP_RING_NEED_WAKEUP;
	assert_int_equal(ti_tx_burst(&k.txq, m + 1, 1), 1);
	assert_int_equal(k.kicks_tx, 1);
	/* Nothing to send: the kernel is not entered, whatever the flag says. */
	assert_int_equal(ti_tx_burst(&k.txq, m, 0), 0);
	assert_int_equal(k.kicks_tx, 1);
}

/* In copy mode an entry sends 32 frames: a longer burst takes several. */
static void
copy_mode_enters_until_all_is_sent(void **state)
{
	struct rte_mbuf *m[100];
	unsigned int i;

	(void)state;
	for (i = 0; i < 100; i++)
		m[i] = packet(k.pool, 60, 0);
	assert_int_equal(ti_tx_burst(&k.txq, m, 100), 100);
	assert_int_equal(k.kicks_tx, 4);
	assert_int_equal(k.m_tx.consumer, 100);
	assert_int_equal(k.ho->tx_stuck, 0);
}

/* The completion ring is full and nothing says so: it is emptied, and sending goes on. */
static void
copy_mode_with_full_completion_ring(void **state)
{
	struct rte_mbuf *m[RING];
	unsigned int i, round;

	(void)state;
	for (round = 0; round < 3; round++) {
		for (i = 0; i < RING; i++)
			m[i] = packet(k.pool, 60, 0);
		assert_int_equal(ti_tx_burst(&k.txq, m, RING), RING);
		assert_int_equal(k.m_tx.consumer, k.m_tx.producer);
	}
}

/* The device is busy for a while: the receiving side sees to the rest. */
static void
frames_left_behind(void **state)
{
	struct rte_mbuf *m = packet(k.pool, 60, 0), *in;
	unsigned int kicks;

	(void)state;
	k.sends_per_kick = 0;
	k.kick_tx_result = -EAGAIN;
	assert_int_equal(ti_tx_burst(&k.txq, &m, 1), 1);
	assert_int_equal(k.m_tx.consumer, 0);
	assert_int_equal(k.ho->tx_stuck, 1);
	kicks = k.kicks_tx;
	k.sends_per_kick = 32;
	k.kick_tx_result = 0;
	assert_int_equal(ti_rx_burst(&k.rxq, &in, 1), 0);
	assert_int_equal(k.kicks_tx, kicks + 1);
	assert_int_equal(k.m_tx.consumer, 1);
	m = packet(k.pool, 60, 0);
	assert_int_equal(ti_tx_burst(&k.txq, &m, 1), 1);
	assert_int_equal(k.ho->tx_stuck, 0);
}

static void
kernel_that_refuses(void **state)
{
	struct rte_mbuf *m = packet(k.pool, 60, 0);

	(void)state;
	k.sends_per_kick = 0;
	k.kick_tx_result = -ENETDOWN;
	assert_int_equal(ti_tx_burst(&k.txq, &m, 1), 1);
	assert_true(k.txq.stats.wakeup_errors > 0);
	/* A bounded number of tries. */
	assert_true(k.kicks_tx <= 2);
}

/* --- both ------------------------------------------------------------------------------ */

/* Completed buffers go to the fill ring as many as it lacks, the others to the pool. */
static void
recycling(void **state)
{
	struct rte_mbuf *m[40];
	unsigned int i, before;

	(void)state;
	k_take_fill();
	for (i = 0; i < 40; i++)
		assert_true(k_receive(60, 0));
	assert_int_equal(ti_rx_burst(&k.rxq, m, 40), 40);
	assert_int_equal(k.ho->want, 40);
	assert_int_equal(ti_tx_burst(&k.txq, m, 40), 40);
	before = rte_mempool_avail_count(k.pool);
	assert_int_equal(ti_txq_reap(&k.txq), 40);
	assert_int_equal(rte_mempool_avail_count(k.pool), before);
	assert_int_equal(k.ho->head - k.ho->tail, 40);
	/* Nothing is lacking any more: what completes now goes to the pool. */
	m[0] = packet(k.pool, 60, 0);
	assert_int_equal(ti_tx_burst(&k.txq, m, 1), 1);
	assert_int_equal(ti_txq_reap(&k.txq), 1);
	assert_int_equal(rte_mempool_avail_count(k.pool), before);
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	assert_int_equal(k.rxq.stats.recycled, TI_FILL_BATCH);
	assert_int_equal(k.ho->head - k.ho->tail, 40 - TI_FILL_BATCH);
	k_take_fill();
	assert_int_equal(k.buffers, RING - 40 + TI_FILL_BATCH);
}

/* Random bursts for a long time, counters beyond 2^32: nothing is lost, doubled or damaged. */
static void
forward_at_random(bool zc)
{
	struct rte_mbuf *m[64];
	uint64_t sent = 0, received = 0;
	unsigned int i, n, done, tries;
	uint8_t next = 0;

	srand(7);
	/* So that the free-running counters wrap on the way. */
	k.m_rx.producer = k.m_rx.consumer = UINT32_MAX - 5000;
	k.rx.cached_prod = k.rx.cached_cons = UINT32_MAX - 5000;
	while (sent < 200000) {
		k_take_fill();
		for (i = rand() % 64; i > 0 && k_receive(60 + next % 100, next); i--)
			next++;
		n = ti_rx_burst(&k.rxq, m, 1 + rand() % 64);
		for (i = 0; i < n; i++) {
			uint8_t byte = received + i;

			assert_int_equal(m[i]->pkt_len, 60 + byte % 100);
			assert_int_equal(rte_pktmbuf_mtod(m[i], uint8_t *)[59], byte);
			if (rand() % 16 == 0) {
				struct rte_mbuf *copy = rte_pktmbuf_copy(m[i], k.other, 0, UINT32_MAX);

				rte_pktmbuf_free(m[i]);
				m[i] = copy;
			}
		}
		received += n;
		for (done = 0, tries = 0; done < n; tries++) {
			if (zc) {
				k.m_tx.flags = rand() % 2 ? XDP_RING_NEED_WAKEUP : 0;
				k_take_tx(rand() % 64);
				k_complete(rand() % 64);
			}
			done += ti_tx_burst(&k.txq, m + done, n - done);
			assert_true(tries < 1000);
		}
		sent += n;
	}
	assert_int_equal(sent, received);
	assert_int_equal(k.txq.stats.packets, sent);
	assert_int_equal(k.rxq.stats.nombuf + k.txq.stats.nombuf + k.txq.stats.errors, 0);
	assert_true(k.rxq.stats.recycled > sent / 2);
}

static void
forward_copy(void **state)
{
	(void)state;
	forward_at_random(false);
}

static void
forward_zc(void **state)
{
	(void)state;
	forward_at_random(true);
}

#define COPY(f) cmocka_unit_test_setup_teardown(f, open_copy, close_any)
#define ZC(f) cmocka_unit_test_setup_teardown(f, open_zc, close_any)
#define BUSY(f) cmocka_unit_test_setup_teardown(f, open_busy, close_any)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		COPY(fill_ring_is_filled),
		COPY(received_mbufs),
		COPY(traces_of_an_earlier_use),
		COPY(adjusted_head),
		COPY(outstanding_is_constant),
		COPY(empty_pool),
		ZC(wakeup_for_receive),
		BUSY(busy_polling),
		BUSY(busy_polling_that_reaches_nobody),
		ZC(sent_where_it_lies),
		ZC(of_another_pool),
		ZC(with_another_owner),
		ZC(clone),
		ZC(external_buffer),
		ZC(several_segments),
		ZC(lengths_that_cannot_be_sent),
		COPY(full_ring),
		ZC(no_buffer_to_copy_into),
		ZC(wakeup_for_transmit),
		COPY(copy_mode_enters_until_all_is_sent),
		COPY(copy_mode_with_full_completion_ring),
		COPY(frames_left_behind),
		COPY(kernel_that_refuses),
		COPY(recycling),
		COPY(forward_copy),
		ZC(forward_zc),
	};

	(void)argc;
	if (start_eal(argv[0]) != 0)
		return 1;
	k.pool = rte_pktmbuf_pool_create("own", POOL, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	k.other = rte_pktmbuf_pool_create("other", POOL, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	k.ho = aligned_alloc(RTE_CACHE_LINE_SIZE, sizeof(*k.ho));
	if (k.pool == NULL || k.other == NULL || k.ho == NULL)
		return 1;
	return cmocka_run_group_tests_name("pmd-rxtx", tests, NULL, NULL);
}
