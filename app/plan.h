/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Laying out forwarding: which port sends what another receives, and which lcore polls
 * which streams. Pure functions, and the plan built with them.
 */
#ifndef TI_TESTPMD_PLAN_H
#define TI_TESTPMD_PLAN_H

#include "forward.h"

/**
 * The index (in the list of forwarding ports) of the port that sends what port number
 * index receives.
 */
uint16_t plan_topology(enum port_topology topology, uint16_t index, uint16_t ports);

/** How many streams the plan has: one a port, or one a queue pair with several of both. */
uint16_t plan_stream_count(uint16_t ports, uint16_t rx_queues, uint16_t tx_queues);

/**
 * How many streams lcore number index of lcores takes, and the first of them. The last
 * lcores take the odd ones.
 */
void plan_share(uint16_t streams, uint16_t lcores, uint16_t index, uint16_t *first,
		uint16_t *count);

/**
 * Fills a plan from the configuration and the sets of ports and lcores.
 *
 * Return: 0, or -ENOMEM. plan_free() undoes it.
 */
int plan_make(struct fwd_plan *plan);

void plan_free(struct fwd_plan *plan);

/** Sets up one stream between two ports, with everything an engine reads. */
void plan_stream_init(struct fwd_stream *stream, uint16_t rx_port, uint16_t tx_port,
		      uint16_t queue, unsigned int lcore);

#endif
