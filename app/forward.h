/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forwarding: streams, the engines that move their packets, and starting and stopping.
 *
 * A stream is one receive queue and the transmit queue that its packets leave by. Each
 * is polled by exactly one lcore; an lcore polls its streams in turn. A forward engine
 * is one burst function over a stream; the lcore calls it over and over:
 *
 *	main lcore			forwarding lcores
 *	forward_start() --- launch --->	do for each own stream: engine->burst(stream)
 *	forward_stop()  --- stop ----->	until stop is set
 *
 * The counters of a stream are written by its lcore alone and read by the main lcore
 * (approximate while forwarding, exact once stopped); there are no locks.
 */
#ifndef TI_TESTPMD_FORWARD_H
#define TI_TESTPMD_FORWARD_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_ether.h>
#include <rte_mempool.h>

#include "config.h"

/* How often a burst had each number of packets, see --record-burst-stats. */
struct burst_spread {
	uint64_t count[BURST_MAX + 1];
};

struct fwd_stream {
	/* Read by the burst function; constant while forwarding. */
	uint16_t rx_port;
	uint16_t rx_queue;
	uint16_t tx_port;
	uint16_t tx_queue;
	uint16_t burst;
	bool retry;
	bool record_cycles;
	struct rte_ether_addr peer;	/* destination for mac and txonly */
	struct rte_ether_addr source;	/* address of tx_port */
	uint32_t retry_count;
	uint32_t retry_delay;
	struct rte_mempool *pool;	/* for engines that make packets, */
	const struct tx_packets *tx;	/* and what packets those are */
	struct burst_spread *rx_spread;	/* NULL unless recorded */
	struct burst_spread *tx_spread;
	uint32_t next_flow;		/* of engines that make flows */

	/* Written by the stream's lcore. */
	uint64_t rx_packets __rte_cache_aligned;
	uint64_t tx_packets;
	uint64_t dropped;
	uint64_t cycles;
} __rte_cache_aligned;

#define FWD_RECEIVES	0x1 /* needs a receive queue */
#define FWD_TRANSMITS	0x2 /* needs a transmit queue */
#define FWD_GENERATES	0x4 /* makes its own packets: txpkts matters to it */

struct fwd_engine {
	const char *name;
	unsigned int flags;
	/* For each port before forwarding; a negative errno refuses. NULL: none. */
	int (*begin)(uint16_t port);
	/* For each port after forwarding. NULL: none. */
	void (*end)(uint16_t port);
	/* Moves one burst. Forwarding lcore. */
	void (*burst)(struct fwd_stream *stream);
};

extern const struct fwd_engine fwd_io;
extern const struct fwd_engine fwd_mac;
extern const struct fwd_engine fwd_macswap;
extern const struct fwd_engine fwd_flowgen;
extern const struct fwd_engine fwd_rxonly;
extern const struct fwd_engine fwd_txonly;

/* Every engine, in the order that they are listed to the user; NULL at the end. */
extern const struct fwd_engine *const fwd_engines[];

const struct fwd_engine *fwd_engine_find(const char *name);

/** The names of all engines with '|' between them. Static storage. */
const char *fwd_engine_names(void);

/** What one lcore does while forwarding. */
struct fwd_lcore {
	struct fwd_stream *streams;
	uint16_t stream_count;
	void (*burst)(struct fwd_stream *stream);
	unsigned int lcore;
	bool stop;
} __rte_cache_aligned;

/** What forwarding runs on at present: derived from the configuration and the ports. */
struct fwd_plan {
	const struct fwd_engine *engine;
	struct tx_packets tx;
	uint16_t port_count;
	uint16_t stream_count;
	uint16_t lcore_count;
	struct fwd_stream *streams;
	struct fwd_lcore lcores[RTE_MAX_LCORE];
};

/**
 * The plan as it would be started now. Made anew from the configuration, unless
 * forwarding is under way.
 *
 * Return: the plan, or NULL without memory for its streams.
 */
const struct fwd_plan *forward_plan(void);

/** The plan that the last statistics belong to; NULL if none was ever made. */
const struct fwd_plan *forward_current(void);

bool forward_running(void);

/**
 * Starts forwarding with the present configuration and prints it. Says on stderr why,
 * where it cannot.
 *
 * tx_first: bursts that each stream sends before.
 * Return: 0 or a negative errno.
 */
int forward_start(uint32_t tx_first);

/** Stops, waits for the lcores and prints the statistics. */
void forward_stop(void);

/** Sets the counters that the statistics are the difference to. */
void forward_stats_reset(void);

/** Frees the streams. */
void forward_release(void);

#endif
