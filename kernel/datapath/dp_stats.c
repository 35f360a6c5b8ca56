// SPDX-License-Identifier: GPL-2.0-only
/*
 * Statistics: summed for the netdev, per queue for netlink and ethtool.
 */
#include <linux/ethtool.h>
#include <net/netdev_queues.h>
#include <net/page_pool/helpers.h>

#include "xdp_datapath.h"

struct dp_counter {
	const char *name;
	size_t offset;
};

#define RX_COUNTER(name)	{ #name, offsetof(struct dp_rx_stats, name) }
#define TX_COUNTER(name)	{ #name, offsetof(struct dp_tx_stats, name) }

static const struct dp_counter dp_rx_counters[] = {
	RX_COUNTER(packets),
	RX_COUNTER(bytes),
	RX_COUNTER(dropped),
	RX_COUNTER(alloc_fail),
	RX_COUNTER(csum_ok),
	RX_COUNTER(xdp_pass),
	RX_COUNTER(xdp_drop),
	RX_COUNTER(xdp_tx),
	RX_COUNTER(xdp_redirect),
	RX_COUNTER(xdp_error),
	RX_COUNTER(xsk_packets),
	RX_COUNTER(xsk_no_buf),
	RX_COUNTER(xsk_full),
	RX_COUNTER(xsk_spare),
	RX_COUNTER(xsk_invalid),
};

static_assert(ARRAY_SIZE(dp_rx_counters) * sizeof(u64_stats_t) == sizeof(struct dp_rx_stats));

/* The first ones are the done side's, under done_sync; the rest the push side's. */
#define DP_TX_DONE_COUNTERS	2

static const struct dp_counter dp_tx_counters[] = {
	TX_COUNTER(packets),
	TX_COUNTER(bytes),
	TX_COUNTER(dropped),
	TX_COUNTER(xdp_xmit),
	TX_COUNTER(xdp_tx),
	TX_COUNTER(xdp_full),
	TX_COUNTER(xsk_packets),
	TX_COUNTER(xsk_invalid),
	TX_COUNTER(busy),
};

static_assert(ARRAY_SIZE(dp_tx_counters) * sizeof(u64_stats_t) == sizeof(struct dp_tx_stats));

static u64 dp_read(const void *stats, const struct dp_counter *counter)
{
	return u64_stats_read((const u64_stats_t *)(stats + counter->offset));
}

/* All counters of a queue, in the order of the tables; consistent with one another. */
static void dp_read_rx(const struct dp_rxq *rxq, u64 *data)
{
	unsigned int start, i;

	do {
		start = u64_stats_fetch_begin(&rxq->syncp);
		for (i = 0; i < ARRAY_SIZE(dp_rx_counters); i++)
			data[i] = dp_read(&rxq->stats, &dp_rx_counters[i]);
	} while (u64_stats_fetch_retry(&rxq->syncp, start));
}

static void dp_read_tx(const struct dp_txq *txq, u64 *data)
{
	unsigned int start, i;

	do {
		start = u64_stats_fetch_begin(&txq->done_sync);
		for (i = 0; i < DP_TX_DONE_COUNTERS; i++)
			data[i] = dp_read(&txq->stats, &dp_tx_counters[i]);
	} while (u64_stats_fetch_retry(&txq->done_sync, start));
	do {
		start = u64_stats_fetch_begin(&txq->push_sync);
		for (i = DP_TX_DONE_COUNTERS; i < ARRAY_SIZE(dp_tx_counters); i++)
			data[i] = dp_read(&txq->stats, &dp_tx_counters[i]);
	} while (u64_stats_fetch_retry(&txq->push_sync, start));
}

/**
 * dp_get_stats64() - ndo_get_stats64: add the queues to what the MAC counted
 * @port: port
 * @stats: zeroed, or the MAC's own errors
 *
 * Context: any.
 */
void dp_get_stats64(struct dp_port *port, struct rtnl_link_stats64 *stats)
{
	unsigned int start, i;
	u64 a, b, c;

	for (i = 0; i < port->n_rxq; i++) {
		const struct dp_rxq *rxq = port->rxq[i];

		do {
			start = u64_stats_fetch_begin(&rxq->syncp);
			a = u64_stats_read(&rxq->stats.packets);
			b = u64_stats_read(&rxq->stats.bytes);
			c = u64_stats_read(&rxq->stats.dropped);
		} while (u64_stats_fetch_retry(&rxq->syncp, start));
		stats->rx_packets += a;
		stats->rx_bytes += b;
		stats->rx_dropped += c;
	}

	for (i = 0; i < port->n_txq; i++) {
		const struct dp_txq *txq = port->txq[i];

		do {
			start = u64_stats_fetch_begin(&txq->done_sync);
			a = u64_stats_read(&txq->stats.packets);
			b = u64_stats_read(&txq->stats.bytes);
		} while (u64_stats_fetch_retry(&txq->done_sync, start));
		do {
			start = u64_stats_fetch_begin(&txq->push_sync);
			c = u64_stats_read(&txq->stats.dropped);
		} while (u64_stats_fetch_retry(&txq->push_sync, start));
		stats->tx_packets += a;
		stats->tx_bytes += b;
		stats->tx_dropped += c;
	}
}
EXPORT_SYMBOL_GPL(dp_get_stats64);

/**
 * dp_ethtool_count() - number of values that dp_ethtool_stats() gives
 * @port: port
 *
 * Context: RTNL.
 * Return: the number.
 */
int dp_ethtool_count(struct dp_port *port)
{
	return port->n_rxq * ARRAY_SIZE(dp_rx_counters) +
	       port->n_txq * ARRAY_SIZE(dp_tx_counters) +
	       page_pool_ethtool_stats_get_count();
}
EXPORT_SYMBOL_GPL(dp_ethtool_count);

/**
 * dp_ethtool_strings() - names of the values that dp_ethtool_stats() gives
 * @port: port
 * @data: where to; moved on behind them
 *
 * Context: RTNL.
 */
void dp_ethtool_strings(struct dp_port *port, u8 **data)
{
	unsigned int i, n;

	for (n = 0; n < port->n_rxq; n++)
		for (i = 0; i < ARRAY_SIZE(dp_rx_counters); i++)
			ethtool_sprintf(data, "rx%u_%s", n, dp_rx_counters[i].name);
	for (n = 0; n < port->n_txq; n++)
		for (i = 0; i < ARRAY_SIZE(dp_tx_counters); i++)
			ethtool_sprintf(data, "tx%u_%s", n, dp_tx_counters[i].name);
	*data = page_pool_ethtool_stats_get_strings(*data);
}
EXPORT_SYMBOL_GPL(dp_ethtool_strings);

/**
 * dp_ethtool_stats() - per queue, XDP, XSK and (summed) page_pool counters
 * @port: port
 * @data: room for dp_ethtool_count() values
 *
 * Context: RTNL, which holds the page pools.
 */
void dp_ethtool_stats(struct dp_port *port, u64 *data)
{
	unsigned int n;

	for (n = 0; n < port->n_rxq; n++, data += ARRAY_SIZE(dp_rx_counters))
		dp_read_rx(port->rxq[n], data);
	for (n = 0; n < port->n_txq; n++, data += ARRAY_SIZE(dp_tx_counters))
		dp_read_tx(port->txq[n], data);

#ifdef CONFIG_PAGE_POOL_STATS
	{
		struct page_pool_stats stats = {};

		for (n = 0; n < port->n_rxq; n++)
			if (port->rxq[n]->page_pool)
				page_pool_get_stats(port->rxq[n]->page_pool, &stats);
		page_pool_ethtool_stats_get(data, &stats);
	}
#endif
}
EXPORT_SYMBOL_GPL(dp_ethtool_stats);

/**
 * dp_queue_stats_rx() - netdev_stat_ops: one receive queue
 * @port: port
 * @idx: queue
 * @stats: what is counted is set
 *
 * Context: RTNL.
 */
void dp_queue_stats_rx(struct dp_port *port, int idx, struct netdev_queue_stats_rx *stats)
{
	const struct dp_rxq *rxq = port->rxq[idx];
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&rxq->syncp);
		stats->packets = u64_stats_read(&rxq->stats.packets);
		stats->bytes = u64_stats_read(&rxq->stats.bytes);
		stats->alloc_fail = u64_stats_read(&rxq->stats.alloc_fail);
		stats->csum_unnecessary = u64_stats_read(&rxq->stats.csum_ok);
	} while (u64_stats_fetch_retry(&rxq->syncp, start));
}
EXPORT_SYMBOL_GPL(dp_queue_stats_rx);

/**
 * dp_queue_stats_tx() - netdev_stat_ops: one transmit queue
 * @port: port
 * @idx: queue
 * @stats: what is counted is set
 *
 * Context: RTNL.
 */
void dp_queue_stats_tx(struct dp_port *port, int idx, struct netdev_queue_stats_tx *stats)
{
	const struct dp_txq *txq = port->txq[idx];
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&txq->done_sync);
		stats->packets = u64_stats_read(&txq->stats.packets);
		stats->bytes = u64_stats_read(&txq->stats.bytes);
	} while (u64_stats_fetch_retry(&txq->done_sync, start));
	do {
		start = u64_stats_fetch_begin(&txq->push_sync);
		stats->stop = u64_stats_read(&txq->stats.busy);
	} while (u64_stats_fetch_retry(&txq->push_sync, start));
}
EXPORT_SYMBOL_GPL(dp_queue_stats_tx);
