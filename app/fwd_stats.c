/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of forwarding: by stream where there are several a port, by port, in all. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "forward.h"
#include "fwd_set.h"
#include "ports.h"
#include "stats.h"

#define STREAM_BORDER	"-------"
#define PORT_BORDER	"----------------------"
#define ALL_BORDER	"+++++++++++++++"
#define HZ_PER_MHZ	1000000

struct totals {
	uint64_t received;
	uint64_t missed;
	uint64_t sent;
	uint64_t dropped;
	uint64_t no_mbuf;
};

/* How the bursts spread: none, the two most frequent sizes, and the rest, in percent. */
static void
show_spread(const char *direction, const struct burst_spread *spread)
{
	struct { uint64_t bursts; unsigned int size; } top[3] = { { spread->count[0], 0 } };
	uint64_t total = spread->count[0], shown = 0;
	unsigned int size, i;
	int percent, rest = 100;

	for (size = 1; size <= BURST_MAX; size++) {
		uint64_t bursts = spread->count[size];

		total += bursts;
		if (bursts > top[1].bursts) {
			top[2] = top[1];
			top[1].bursts = bursts;
			top[1].size = size;
		} else if (bursts > top[2].bursts) {
			top[2].bursts = bursts;
			top[2].size = size;
		}
	}
	if (total == 0)
		return;
	printf("  %s-bursts : %" PRIu64 " [", direction, total);
	for (i = 0; i < RTE_DIM(top); i++) {
		shown += top[i].bursts;
		if (shown == total) {
			printf("%d%% of %u pkts]\n", rest, top[i].size);
			return;
		}
		percent = (int)((double)top[i].bursts / (double)total * 100);
		printf("%d%% of %u pkts + ", percent, top[i].size);
		rest -= percent;
	}
	printf("%d%% of other]\n", rest);
}

static void
show_spreads(const struct fwd_stream *rx, const struct fwd_stream *tx)
{
	if (rx != NULL && rx->rx_spread != NULL)
		show_spread("RX", rx->rx_spread);
	if (tx != NULL && tx->tx_spread != NULL)
		show_spread("TX", tx->tx_spread);
}

static void
show_stream(const struct fwd_stream *stream)
{
	if (stream->rx_packets == 0 && stream->tx_packets == 0 && stream->dropped == 0)
		return;
	printf("\n  " STREAM_BORDER " Forward Stats for RX Port=%2u/Queue=%2u -> "
	       "TX Port=%2u/Queue=%2u " STREAM_BORDER "\n", stream->rx_port,
	       stream->rx_queue, stream->tx_port, stream->tx_queue);
	printf("  RX-packets: %-14" PRIu64 " TX-packets: %-14" PRIu64
	       " TX-dropped: %-14" PRIu64 "\n", stream->rx_packets, stream->tx_packets,
	       stream->dropped);
	show_spreads(stream, stream);
}

/* The lines that a port and the sum of all have in common. */
static void
show_packets(const char *direction, uint64_t packets, uint64_t dropped)
{
	printf("  %s-packets: %-14" PRIu64 " %s-dropped: %-14" PRIu64 "%s-total: %" PRIu64 "\n",
	       direction, packets, direction, dropped, direction, packets + dropped);
}

static void
show_port(const struct fwd_plan *plan, uint16_t id, struct totals *totals)
{
	const struct rte_eth_stats *base = &port_get(id)->base;
	const struct fwd_stream *rx = NULL, *tx = NULL;
	struct rte_eth_stats stats;
	uint64_t received, missed, sent, dropped, no_mbuf;
	uint16_t i;
	int rc;

	rc = rte_eth_stats_get(id, &stats);
	if (rc != 0) {
		fprintf(stderr, "failed to get stats (port %u): %s\n", id,
			rte_strerror(-rc));
		return;
	}
	received = stats.ipackets - base->ipackets;
	missed = stats.imissed - base->imissed;
	sent = stats.opackets - base->opackets;
	dropped = stats.oerrors - base->oerrors;
	no_mbuf = stats.rx_nombuf - base->rx_nombuf;
	for (i = 0; i < plan->stream_count; i++) {
		if (plan->streams[i].rx_port == id)
			rx = &plan->streams[i];
		if (plan->streams[i].tx_port == id) {
			tx = &plan->streams[i];
			dropped += tx->dropped;
		}
	}

	printf("\n  " PORT_BORDER " Forward statistics for port %-2u " PORT_BORDER "\n", id);
	show_packets("RX", received, missed);
	if (stats.ierrors + no_mbuf > 0) {
		printf("  RX-error: %" PRIu64 "\n", stats.ierrors);
		printf("  RX-nombufs: %-14" PRIu64 "\n", no_mbuf);
	}
	show_packets("TX", sent, dropped);
	if (plan->stream_count <= plan->port_count)
		show_spreads(rx, tx);
	printf("  " PORT_BORDER "--------------------------------" PORT_BORDER "\n");

	totals->received += received;
	totals->missed += missed;
	totals->sent += sent;
	totals->dropped += dropped;
	totals->no_mbuf += no_mbuf;
}

static void
show_cycles(const struct fwd_plan *plan, const struct totals *totals)
{
	uint64_t cycles = 0, packets;
	uint16_t i;

	for (i = 0; i < plan->stream_count; i++)
		cycles += plan->streams[i].cycles;
	packets = (plan->engine->flags & FWD_GENERATES) != 0 ? totals->sent :
							       totals->received;
	if (packets == 0)
		return;
	printf("\n  CPU cycles/packet=%.2F (total cycles=%" PRIu64 " / total %s packets=%"
	       PRIu64 ") at %" PRIu64 " MHz Clock\n", (double)cycles / (double)packets,
	       cycles, plan->engine->name, packets, rte_get_tsc_hz() / HZ_PER_MHZ);
}

void
stats_show_forward(void)
{
	const struct fwd_plan *plan = forward_current();
	struct totals totals = { 0 };
	uint16_t i;

	if (plan == NULL)
		return;
	if (plan->stream_count > plan->port_count)
		for (i = 0; i < plan->stream_count; i++)
			show_stream(&plan->streams[i]);
	for (i = 0; i < fwd_ports()->used; i++)
		show_port(plan, fwd_ports()->id[i], &totals);

	printf("\n  " ALL_BORDER " Accumulated forward statistics for all ports" ALL_BORDER "\n");
	show_packets("RX", totals.received, totals.missed);
	show_packets("TX", totals.sent, totals.dropped);
	if (totals.no_mbuf > 0)
		printf("  RX-nombufs: %-14" PRIu64 "\n", totals.no_mbuf);
	printf("  " ALL_BORDER "++++++++++++++++++++++++++++++++++++++++++++++" ALL_BORDER "\n");
	if (config.record_cycles)
		show_cycles(plan, &totals);
}
