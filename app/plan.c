/* SPDX-License-Identifier: BSD-3-Clause */
/* Laying out forwarding: topology, streams and the lcores that poll them. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_lcore.h>
#include <rte_malloc.h>

#include "fwd_set.h"
#include "plan.h"
#include "pool.h"
#include "ports.h"

uint16_t
plan_topology(enum port_topology topology, uint16_t index, uint16_t ports)
{
	uint16_t pair = index ^ 1;

	switch (topology) {
	case TOPOLOGY_LOOP:
		return index;
	case TOPOLOGY_CHAINED:
		return (uint16_t)((index + 1) % ports);
	case TOPOLOGY_PAIRED:
	default:
		return pair < ports ? pair : index;
	}
}

uint16_t
plan_stream_count(uint16_t ports, uint16_t rx_queues, uint16_t tx_queues)
{
	if (rx_queues > 1 && tx_queues > 1)
		return (uint16_t)(ports * RTE_MIN(rx_queues, tx_queues));
	return ports;
}

void
plan_share(uint16_t streams, uint16_t lcores, uint16_t index, uint16_t *first,
	   uint16_t *count)
{
	uint16_t each = streams / lcores;
	uint16_t odd = streams % lcores;
	uint16_t even_lcores = lcores - odd;

	*count = index < even_lcores ? each : each + 1;
	*first = index * each + (index > even_lcores ? index - even_lcores : 0);
}

void
plan_stream_init(struct fwd_stream *stream, uint16_t rx_port, uint16_t tx_port,
		 uint16_t queue, unsigned int lcore)
{
	memset(stream, 0, sizeof(*stream));
	stream->rx_port = rx_port;
	stream->rx_queue = queue;
	stream->tx_port = tx_port;
	stream->tx_queue = queue;
	stream->burst = config.burst;
	stream->retry = config.retry;
	stream->retry_count = config.retry_count;
	stream->retry_delay = config.retry_delay;
	stream->record_cycles = config.record_cycles;
	stream->peer = config.peers[tx_port];
	stream->source = port_get(tx_port)->address;
	stream->pool = pool_get((int)rte_lcore_to_socket_id(lcore));
}

static int
record_bursts(struct fwd_stream *stream)
{
	stream->rx_spread = rte_zmalloc("burst_spread", 2 * sizeof(*stream->rx_spread),
					RTE_CACHE_LINE_SIZE);
	if (stream->rx_spread == NULL)
		return -ENOMEM;
	stream->tx_spread = stream->rx_spread + 1;
	return 0;
}

/* Says once that the last of an odd number of paired ports has no partner. */
static void
warn_unpaired(uint16_t ports)
{
	static bool warned;

	if (config.topology != TOPOLOGY_PAIRED || ports % 2 == 0 || warned)
		return;
	fprintf(stderr, "\nWarning! port-topology=paired and odd forward ports number, "
		"the last port will pair with itself.\n\n");
	warned = true;
}

int
plan_make(struct fwd_plan *plan)
{
	const struct fwd_set *ports = fwd_ports(), *lcores = fwd_lcores();
	uint16_t first, count, i, s;

	memset(plan, 0, sizeof(*plan));
	plan->engine = config.engine;
	plan->tx = config.tx;
	plan->port_count = ports->used;
	plan->stream_count = plan_stream_count(ports->used, config.rx_queues,
					       config.tx_queues);
	plan->lcore_count = RTE_MIN(lcores->used, plan->stream_count);
	warn_unpaired(ports->used);
	if (plan->stream_count == 0)
		return 0;

	plan->streams = rte_zmalloc("fwd_streams",
				    sizeof(*plan->streams) * plan->stream_count,
				    RTE_CACHE_LINE_SIZE);
	if (plan->streams == NULL)
		return -ENOMEM;
	for (i = 0; i < plan->lcore_count; i++) {
		struct fwd_lcore *lcore = &plan->lcores[i];

		plan_share(plan->stream_count, plan->lcore_count, i, &first, &count);
		lcore->lcore = lcores->id[i];
		lcore->streams = plan->streams + first;
		lcore->stream_count = count;
		lcore->burst = plan->engine->burst;
		for (s = first; s < first + count; s++) {
			/* Queue by queue, and for each queue port by port. */
			uint16_t index = s % ports->used, queue = s / ports->used;
			uint16_t partner = plan_topology(config.topology, index,
							 ports->used);

			plan_stream_init(&plan->streams[s], ports->id[index],
					 ports->id[partner], queue, lcore->lcore);
			plan->streams[s].tx = &plan->tx;
			if (plan->streams[s].pool == NULL ||
			    (config.record_bursts && record_bursts(&plan->streams[s]) < 0)) {
				plan_free(plan);
				return -ENOMEM;
			}
		}
	}
	return 0;
}

void
plan_free(struct fwd_plan *plan)
{
	uint16_t i;

	for (i = 0; i < plan->stream_count && plan->streams != NULL; i++)
		rte_free(plan->streams[i].rx_spread);
	rte_free(plan->streams);
	memset(plan, 0, sizeof(*plan));
}
