/* SPDX-License-Identifier: BSD-3-Clause */
/* Transmit bursts. */

#include "played_kernel.h"

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

/*
 * Lengths that contradict each other: a chain with more bytes than pkt_len says ran over the end of the
 * copy's buffer, one with fewer sent what lay in memory before.
 */
static void
lengths_that_disagree(void **state)
{
	struct rte_mbuf *m[4];
	unsigned int i, j;

	(void)state;
	for (i = 0; i < 4; i++)
		m[i] = packet(i == 3 ? k.other : k.pool, 100, i);
	for (j = 0; j < 4; j++)
		assert_int_equal(rte_pktmbuf_chain(m[0], packet(k.other, 1500, 9)), 0);
	m[0]->pkt_len = 100;	/* of 6100 */
	m[1]->pkt_len = 1000;	/* of 100 */
	m[3]->pkt_len = 99;
	assert_int_equal(ti_tx_burst(&k.txq, m, 4), 4);
	assert_int_equal(k.m_tx.producer, 1);
	assert_int_equal(k_frame(&k.m_tx.desc[0])[0], 2);
	assert_int_equal(k.txq.stats.errors, 3);
	assert_int_equal(rte_mempool_avail_count(k.other), POOL);
}

/*
 * The pool is dry but for frames that are sent and lie in the completion ring, too few to be
 * taken back by themselves: they are what the next copy goes into.
 */
static void
buffers_only_in_the_completion_ring(void **state)
{
	struct rte_mbuf *m, *all[POOL];
	unsigned int taken, i;

	(void)state;
	taken = rte_mempool_avail_count(k.pool) - 1;
	assert_int_equal(rte_mempool_get_bulk(k.pool, (void **)all, taken), 0);
	k.ho->want = 0;
	for (i = 0; i < 10; i++) {
		m = packet(k.other, 60, i);
		assert_int_equal(ti_tx_burst(&k.txq, &m, 1), 1);
		k_take_tx(1);
		k_complete(1);
	}
	assert_int_equal(k.txq.stats.nombuf, 0);
	rte_mempool_put_bulk(k.pool, (void **)all, taken);
}

/* The netdev is gone: told once, one entry a burst, no more. */
static void
unbound_while_sending(void **state)
{
	struct rte_mbuf *m[40];
	unsigned int i;

	(void)state;
	k.sends_per_kick = 0;
	k.kick_tx_result = -ENXIO;
	for (i = 0; i < 40; i++) {
		m[i] = packet(k.pool, 60, 0);
		assert_int_equal(ti_tx_burst(&k.txq, &m[i], 1), 1);
	}
	assert_int_equal(k.unbound, 1);
	assert_int_equal(k.kicks_tx, 40);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
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
		ZC(lengths_that_disagree),
		ZC(buffers_only_in_the_completion_ring),
		COPY(unbound_while_sending),
	};

	(void)argc;
	if (open_bench(argv[0]) != 0)
		return 1;
	return cmocka_run_group_tests_name("pmd-tx", tests, NULL, NULL);
}
