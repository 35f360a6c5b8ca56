/* SPDX-License-Identifier: BSD-3-Clause */
/* The mbuf pools: one for each NUMA node that a port or a forwarding lcore is on. */

#include <stdio.h>

#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_mbuf_pool_ops.h>

#include "config.h"
#include "log.h"
#include "pool.h"
#include "ports.h"

static struct rte_mempool *pools[RTE_MAX_NUMA_NODES];

/*
 * Every descriptor of every queue may hold an mbuf, every lcore its cache, and a burst
 * is on its way. dpdk-testpmd reckons with RTE_MAX_ETHPORTS ports of one queue; on a
 * board with half a gigabyte that cannot be had, so the ports that there are count.
 */
static uint32_t
mbufs_needed(void)
{
	uint32_t ports = RTE_MAX(ports_count(), 1);
	uint32_t queues = RTE_MAX(RTE_MAX(config.rx_queues, config.tx_queues), 1);

	if (config.total_mbufs != 0)
		return config.total_mbufs;
	return ports * queues * (2 * DESCRIPTORS_MAX + BURST_MAX) +
	       rte_lcore_count() * config.mbuf_cache;
}

struct rte_mempool *
pool_get(int socket)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t mbufs;

	if (!config.numa)
		socket = config.socket == SOCKET_UNSET ? 0 : config.socket;
	if (socket < 0 || socket >= RTE_MAX_NUMA_NODES)
		socket = 0;
	if (pools[socket] != NULL)
		return pools[socket];

	mbufs = mbufs_needed();
	snprintf(name, sizeof(name), "mb_pool_%d", socket);
	LOG(INFO, "create a new mbuf pool <%s>: n=%u, size=%u, socket=%d", name, mbufs,
	    config.mbuf_size, socket);
	LOG(INFO, "preferred mempool ops selected: %s", rte_mbuf_best_mempool_ops());
	pools[socket] = rte_pktmbuf_pool_create(name, mbufs, config.mbuf_cache, 0,
						(uint16_t)config.mbuf_size, socket);
	return pools[socket];
}

void
pools_free(void)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(pools); i++) {
		rte_mempool_free(pools[i]);
		pools[i] = NULL;
	}
}
