/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics: of the port, of its queues, and extended ones with the kernel's. */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "port.h"

/*
 * The bursts count up for ever, each counter with one writer; a reset remembers
 * where they stood. So no reset races with a burst.
 */

/* A counter in a structure of uint64_t, by its offset. */
#define COUNTER(s, off) (*(const uint64_t *)((const char *)(s) + (off)))

struct counter {
	const char *direction;	/* "rx" or "tx" */
	const char *name;
	size_t off;
};

static const struct counter rx_counters[] = {
	{ "rx", "mbuf_allocation_errors", offsetof(struct ti_rx_stats, nombuf) },
	{ "rx", "buffers_recycled", offsetof(struct ti_rx_stats, recycled) },
	{ "rx", "wakeups", offsetof(struct ti_rx_stats, wakeups) },
	{ "rx", "busy_polls", offsetof(struct ti_rx_stats, busy_polls) },
};

static const struct counter tx_counters[] = {
	{ "tx", "bad_length", offsetof(struct ti_tx_stats, errors) },
	{ "tx", "copies", offsetof(struct ti_tx_stats, copies) },
	{ "tx", "linearised", offsetof(struct ti_tx_stats, linearised) },
	{ "tx", "mbuf_allocation_errors", offsetof(struct ti_tx_stats, nombuf) },
	{ "tx", "ring_full", offsetof(struct ti_tx_stats, full) },
	{ "tx", "wakeups", offsetof(struct ti_tx_stats, wakeups) },
	{ "tx", "wakeup_errors", offsetof(struct ti_tx_stats, wakeup_errors) },
};

/* What the kernel counts a socket, XDP_STATISTICS. */
static const struct counter kernel_counters[] = {
	{ "rx", "kernel_dropped", offsetof(struct xdp_statistics, rx_dropped) },
	{ "rx", "kernel_invalid_descs", offsetof(struct xdp_statistics, rx_invalid_descs) },
	{ "tx", "kernel_invalid_descs", offsetof(struct xdp_statistics, tx_invalid_descs) },
	{ "rx", "kernel_ring_full", offsetof(struct xdp_statistics, rx_ring_full) },
	{ "rx", "kernel_fill_ring_empty",
	  offsetof(struct xdp_statistics, rx_fill_ring_empty_descs) },
	{ "tx", "kernel_ring_empty", offsetof(struct xdp_statistics, tx_ring_empty_descs) },
};

/* sum += a - b, field by field; struct xdp_statistics is __u64 throughout. */
static void
kernel_add(struct xdp_statistics *sum, const struct xdp_statistics *a,
	   const struct xdp_statistics *b)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(kernel_counters); i++) {
		size_t off = kernel_counters[i].off;

		*(uint64_t *)((char *)sum + off) += COUNTER(a, off) - COUNTER(b, off);
	}
}

/* Since the last reset, over all sockets that the pair has had. */
static void
kernel_stats(const struct ti_pair *pair, struct xdp_statistics *st)
{
	struct xdp_statistics now;

	*st = pair->past;
	if (pair->umem == NULL)
		return;
	ti_xsk_stats(&pair->xsk, &now);
	kernel_add(st, &now, &pair->base);
}

void
ti_stats_keep(struct ti_pair *pair)
{
	struct xdp_statistics now;

	ti_xsk_stats(&pair->xsk, &now);
	kernel_add(&pair->past, &now, &pair->base);
	memset(&pair->base, 0, sizeof(pair->base));
}

int
ti_stats_get(TI_STATS_GET_ARGS)
{
	const struct ti_port *port = ti_port_of(dev);
	ti_qstats *qs = TI_QSTATS(stats, qstats);
	struct xdp_statistics ks;
	uint16_t i;

	stats->rx_nombuf = 0;
	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		const struct ti_rxq *q = dev->data->rx_queues[i];
		uint64_t packets, bytes, missed;

		if (q == NULL)
			continue;
		kernel_stats(&port->pair[i], &ks);
		packets = q->stats.packets - q->base.packets;
		bytes = q->stats.bytes - q->base.bytes;
		missed = ks.rx_dropped + ks.rx_ring_full;
		stats->ipackets += packets;
		stats->ibytes += bytes;
		stats->imissed += missed;
		stats->rx_nombuf += q->stats.nombuf - q->base.nombuf;
		if (qs != NULL && i < RTE_ETHDEV_QUEUE_STAT_CNTRS) {
			qs->q_ipackets[i] = packets;
			qs->q_ibytes[i] = bytes;
			qs->q_errors[i] = missed;
		}
	}
	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		const struct ti_txq *q = dev->data->tx_queues[i];
		uint64_t packets, bytes;

		if (q == NULL)
			continue;
		kernel_stats(&port->pair[i], &ks);
		packets = q->stats.packets - q->base.packets;
		bytes = q->stats.bytes - q->base.bytes;
		stats->opackets += packets;
		stats->obytes += bytes;
		stats->oerrors += q->stats.errors - q->base.errors + ks.tx_invalid_descs;
		if (qs != NULL && i < RTE_ETHDEV_QUEUE_STAT_CNTRS) {
			qs->q_opackets[i] = packets;
			qs->q_obytes[i] = bytes;
		}
	}
	return 0;
}

int
ti_stats_reset(struct rte_eth_dev *dev)
{
	struct ti_port *port = ti_port_of(dev);
	uint32_t i;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		struct ti_rxq *q = dev->data->rx_queues[i];

		if (q != NULL)
			q->base = q->stats;
	}
	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		struct ti_txq *q = dev->data->tx_queues[i];

		if (q != NULL)
			q->base = q->stats;
	}
	for (i = 0; i < port->args.queue_count; i++) {
		struct ti_pair *pair = &port->pair[i];

		memset(&pair->past, 0, sizeof(pair->past));
		if (pair->umem != NULL)
			ti_xsk_stats(&pair->xsk, &pair->base);
	}
	return 0;
}

int
ti_xstats_reset(struct rte_eth_dev *dev)
{
	return ti_stats_reset(dev);
}

/* A receive queue has its counters; so has a transmit queue, and "zero_copy" as 0 or 1; a pair the kernel's. */
static unsigned int
pair_count(const struct rte_eth_dev *dev)
{
	return RTE_MAX(dev->data->nb_rx_queues, dev->data->nb_tx_queues);
}

static unsigned int
xstats_count(const struct rte_eth_dev *dev)
{
	return dev->data->nb_rx_queues * RTE_DIM(rx_counters) +
	       dev->data->nb_tx_queues * RTE_DIM(tx_counters) +
	       pair_count(dev) * (RTE_DIM(kernel_counters) + 1);
}

static void
xstat_name(struct rte_eth_xstat_name *name, const struct counter *c, unsigned int queue)
{
	snprintf(name->name, sizeof(name->name), "%s_q%u_%s", c->direction, queue, c->name);
}

int
ti_xstats_get_names(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names, unsigned int size)
{
	const unsigned int total = xstats_count(dev);
	unsigned int q, i, n = 0;

	if (names == NULL || size < total)
		return total;
	for (q = 0; q < dev->data->nb_rx_queues; q++)
		for (i = 0; i < RTE_DIM(rx_counters); i++)
			xstat_name(&names[n++], &rx_counters[i], q);
	for (q = 0; q < dev->data->nb_tx_queues; q++)
		for (i = 0; i < RTE_DIM(tx_counters); i++)
			xstat_name(&names[n++], &tx_counters[i], q);
	for (q = 0; q < pair_count(dev); q++) {
		for (i = 0; i < RTE_DIM(kernel_counters); i++)
			xstat_name(&names[n++], &kernel_counters[i], q);
		snprintf(names[n++].name, sizeof(names->name), "q%u_zero_copy", q);
	}
	return n;
}

int
ti_xstats_get(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats, unsigned int size)
{
	const struct ti_port *port = ti_port_of(dev);
	const unsigned int total = xstats_count(dev);
	struct xdp_statistics ks;
	unsigned int q, i, n = 0;

	if (xstats == NULL || size < total)
		return total;
	for (q = 0; q < dev->data->nb_rx_queues; q++) {
		const struct ti_rxq *rxq = dev->data->rx_queues[q];

		for (i = 0; i < RTE_DIM(rx_counters); i++, n++)
			xstats[n].value = rxq == NULL ? 0 :
				COUNTER(&rxq->stats, rx_counters[i].off) -
				COUNTER(&rxq->base, rx_counters[i].off);
	}
	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		const struct ti_txq *txq = dev->data->tx_queues[q];

		for (i = 0; i < RTE_DIM(tx_counters); i++, n++)
			xstats[n].value = txq == NULL ? 0 :
				COUNTER(&txq->stats, tx_counters[i].off) -
				COUNTER(&txq->base, tx_counters[i].off);
	}
	for (q = 0; q < pair_count(dev); q++) {
		const struct ti_pair *pair = &port->pair[q];

		kernel_stats(pair, &ks);
		for (i = 0; i < RTE_DIM(kernel_counters); i++)
			xstats[n++].value = COUNTER(&ks, kernel_counters[i].off);
		xstats[n++].value = pair->umem != NULL && pair->xsk.conf.zc;
	}
	for (i = 0; i < n; i++)
		xstats[i].id = i;
	return n;
}
