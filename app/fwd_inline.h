/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hot path that the engines share: receive a burst, send a burst, count, free what
 * could not be sent. Everything here is inlined into an engine's burst function; an
 * engine's own work on the packets is handed in as a constant and inlined with it, so
 * that the only indirect calls are those of rte_eth_rx_burst() and rte_eth_tx_burst().
 */
#ifndef TI_TESTPMD_FWD_INLINE_H
#define TI_TESTPMD_FWD_INLINE_H

#include <rte_branch_prediction.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "forward.h"

/* How many packets ahead the headers are fetched; about one memory latency of work. */
#define FWD_PREFETCH 4

/* What a driver set for the received packet means nothing to the one that sends it. */
#define FWD_KEPT_FLAGS (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL)

static __rte_always_inline uint64_t
fwd_cycles_start(const struct fwd_stream *stream)
{
	return stream->record_cycles ? rte_rdtsc() : 0;
}

static __rte_always_inline void
fwd_cycles_end(struct fwd_stream *stream, uint64_t start)
{
	if (stream->record_cycles)
		stream->cycles += rte_rdtsc() - start;
}

/* Receives up to a burst; counts it. */
static __rte_always_inline uint16_t
fwd_receive(struct fwd_stream *stream, struct rte_mbuf **packets)
{
	uint16_t count = rte_eth_rx_burst(stream->rx_port, stream->rx_queue, packets,
					  stream->burst);

	if (unlikely(stream->rx_spread != NULL))
		stream->rx_spread->count[count]++;
	stream->rx_packets += count;
	return count;
}

/* Tries again what the queue had no room for. */
static __rte_noinline uint16_t
fwd_retry(struct fwd_stream *stream, struct rte_mbuf **packets, uint16_t count)
{
	uint32_t tries;
	uint16_t sent = 0;

	for (tries = 0; sent < count && tries < stream->retry_count; tries++) {
		rte_delay_us(stream->retry_delay);
		sent += rte_eth_tx_burst(stream->tx_port, stream->tx_queue,
					 packets + sent, count - sent);
	}
	return sent;
}

/* Sends a burst, frees and counts as dropped what does not fit. Returns packets sent. */
static __rte_always_inline uint16_t
fwd_transmit(struct fwd_stream *stream, struct rte_mbuf **packets, uint16_t count)
{
	uint16_t sent = rte_eth_tx_burst(stream->tx_port, stream->tx_queue, packets, count);

	if (unlikely(sent < count) && stream->retry)
		sent += fwd_retry(stream, packets + sent, count - sent);
	if (unlikely(stream->tx_spread != NULL))
		stream->tx_spread->count[sent]++;
	stream->tx_packets += sent;
	if (unlikely(sent < count)) {
		stream->dropped += count - sent;
		rte_pktmbuf_free_bulk(packets + sent, count - sent);
	}
	return sent;
}

/* Receives a burst, rewrites the header of each packet and sends the burst on. */
static __rte_always_inline void
fwd_relay(struct fwd_stream *stream,
	  void (*rewrite)(const struct fwd_stream *stream, struct rte_ether_hdr *header))
{
	struct rte_mbuf *packets[BURST_MAX];
	uint64_t start = fwd_cycles_start(stream);
	uint16_t count = fwd_receive(stream, packets);
	uint16_t i;

	if (unlikely(count == 0))
		return;
	if (rewrite != NULL) {
		for (i = 0; i < RTE_MIN(count, FWD_PREFETCH); i++)
			rte_prefetch0(rte_pktmbuf_mtod(packets[i], void *));
		for (i = 0; i < count; i++) {
			struct rte_mbuf *packet = packets[i];

			if (i + FWD_PREFETCH < count)
				rte_prefetch0(rte_pktmbuf_mtod(packets[i + FWD_PREFETCH],
							       void *));
			rewrite(stream, rte_pktmbuf_mtod(packet, struct rte_ether_hdr *));
			packet->ol_flags &= FWD_KEPT_FLAGS;
			packet->l2_len = sizeof(struct rte_ether_hdr);
			packet->l3_len = sizeof(struct rte_ipv4_hdr);
		}
	}
	fwd_transmit(stream, packets, count);
	fwd_cycles_end(stream, start);
}

#endif
