/* SPDX-License-Identifier: BSD-3-Clause */
/* The mbuf pools: one for each NUMA node that a port or a forwarding lcore is on. */
#ifndef TI_TESTPMD_POOL_H
#define TI_TESTPMD_POOL_H

#include <rte_mempool.h>

/**
 * The pool of a NUMA node, made at first use with the mbufs that the configuration
 * says: total_mbufs, or enough for the queues of the ports that there are.
 *
 * Return: the pool, or NULL with rte_errno set.
 */
struct rte_mempool *pool_get(int socket);

/** Frees all pools; no port may use them any more. */
void pools_free(void);

#endif
