/* SPDX-License-Identifier: BSD-3-Clause */
/* Receive bursts. */

#include "played_kernel.h"

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

/*
 * The application keeps all mbufs but three, for ever: fewer than a batch of refill. Those three go round;
 * waiting for a whole batch nothing was received any more.
 */
static void
fewer_buffers_than_a_batch(void **state)
{
	struct rte_mbuf *kept[RING], *m[1], *all[POOL];
	unsigned int i, taken;

	(void)state;
	taken = rte_mempool_avail_count(k.pool);
	assert_int_equal(rte_mempool_get_bulk(k.pool, (void **)all, taken), 0);
	k_take_fill();
	for (i = 0; i < RING; i++)
		assert_true(k_receive(60, i));
	assert_int_equal(ti_rx_burst(&k.rxq, kept, RING), RING);
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	k_take_fill();
	assert_int_equal(k.buffers, 0);
	for (i = 0; i < 3; i++)
		rte_pktmbuf_free(kept[i]);
	for (i = 0; i < 10; i++) {
		assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
		k_take_fill();
		assert_true(k.buffers > 0);
		assert_true(k_receive(60, i));
		assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 1);
		rte_pktmbuf_free(m[0]);
	}
	for (i = 3; i < RING; i++)
		rte_pktmbuf_free(kept[i]);
	rte_mempool_put_bulk(k.pool, (void **)all, taken);
	/* Whole batches again. */
	assert_int_equal(ti_rx_burst(&k.rxq, m, 1), 0);
	k_take_fill();
	assert_true(k.buffers > RING - TI_FILL_BATCH);
}

/* The netdev is gone, the kernel says so at each entry: told once, however often it is polled. */
static void
unbound_while_polling(void **state)
{
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	k.kick_rx_result = -ENXIO;
	for (i = 0; i < 5; i++)
		assert_int_equal(ti_rx_burst(&k.rxq, &m, 1), 0);
	assert_int_equal(k.unbound, 1);
}

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
		COPY(fewer_buffers_than_a_batch),
		BUSY(unbound_while_polling),
	};

	(void)argc;
	if (open_bench(argv[0]) != 0)
		return 1;
	return cmocka_run_group_tests_name("pmd-rx", tests, NULL, NULL);
}
