/* SPDX-License-Identifier: BSD-3-Clause */
/* Receive and transmit together: buffers go round. */

#include "played_kernel.h"

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

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		COPY(recycling),
		COPY(forward_copy),
		ZC(forward_zc),
	};

	(void)argc;
	if (open_bench(argv[0]) != 0)
		return 1;
	return cmocka_run_group_tests_name("pmd-rxtx", tests, NULL, NULL);
}
