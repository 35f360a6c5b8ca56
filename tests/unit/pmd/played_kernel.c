/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel, as the tests of the bursts play it, see played_kernel.h. */

#include "eal.h"
#include "played_kernel.h"

struct played_kernel k;

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

void
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

bool
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

const uint8_t *
k_frame(const struct xdp_desc *desc)
{
	uint64_t at = (desc->addr & TI_ADDR_MASK) + (desc->addr >> 48);

	assert_true(at + desc->len <= k.lay.len);
	assert_int_equal(desc->options, 0);
	return (const uint8_t *)(k.lay.base + at);
}

void
k_complete(uint32_t n)
{
	while (n-- > 0 && k.m_tx.consumer - k.m_comp.producer != 0 &&
	       k.m_comp.producer - k.m_comp.consumer < RING) {
		k.m_comp.addr[k.m_comp.producer % RING] = k.in_flight[k.m_comp.producer % RING];
		k.m_comp.producer++;
	}
}

void
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
	return k.kick_rx_result;
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

bool can_busy_poll;

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

static void
on_unbound(void *arg)
{
	assert_ptr_equal(arg, &k);
	k.unbound++;
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
	k.kicks_rx = k.kicks_tx = k.refused = k.unbound = 0;
	k.kick_rx_result = k.kick_tx_result = 0;
	k.sends_per_kick = 32;
	k.completes = true;
	assert_int_equal(ti_held_init(&k.rxq.held, &k.lay, SOCKET_ID_ANY), 0);
	assert_int_equal(ti_held_init(&k.txq.held, &k.lay, SOCKET_ID_ANY), 0);
	k.rxq.nb_desc = RING;
	k.events = (struct ti_burst_events){
		.busy_refused = on_refused, .unbound = on_unbound, .arg = &k,
	};
	k.rxq.event = &k.events;
	k.txq.event = &k.events;
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

int
open_copy(void **state)
{
	(void)state;
	open_pair(false, false);
	return 0;
}

int
open_zc(void **state)
{
	(void)state;
	open_pair(true, false);
	return 0;
}

int
open_busy(void **state)
{
	(void)state;
	can_busy_poll = true;
	open_pair(true, true);
	return 0;
}

int
close_any(void **state)
{
	(void)state;
	close_pair();
	return 0;
}

struct rte_mbuf *
packet(struct rte_mempool *pool, uint16_t len, uint8_t byte)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	assert_non_null(m);
	memset(rte_pktmbuf_append(m, len), byte, len);
	return m;
}

int
open_bench(const char *program)
{
	if (start_eal(program) != 0)
		return 1;
	k.pool = rte_pktmbuf_pool_create("own", POOL, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	k.other = rte_pktmbuf_pool_create("other", POOL, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	k.ho = aligned_alloc(RTE_CACHE_LINE_SIZE, sizeof(*k.ho));
	return k.pool == NULL || k.other == NULL || k.ho == NULL;
}
