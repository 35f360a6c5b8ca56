/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The txonly engine: sends UDP packets of the lengths of txpkts, as fast as the queue
 * takes them.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_lcore.h>
#include <rte_random.h>

#include "fwd_inline.h"
#include "packet.h"

static int
txonly_begin(uint16_t port __rte_unused)
{
	/* Both rewrite the headers in place, in the first segment. */
	if ((config.tx.split == TX_SPLIT_RANDOM || config.tx.multi_flow) &&
	    config.tx.segment[0] < sizeof(struct packet_headers)) {
		fprintf(stderr, "txonly: the first of txpkts is %u bytes, a random number of "
			"segments or several flows need %zu\n", config.tx.segment[0],
			sizeof(struct packet_headers));
		return -EINVAL;
	}
	return 0;
}

/* Chains further segments to a packet. Returns the packet's length, 0 without mbufs. */
static uint32_t
add_segments(struct fwd_stream *stream, struct rte_mbuf *packet)
{
	struct rte_mbuf *segments[TX_SEGMENTS_MAX];
	uint32_t count = stream->tx->segments, length = packet->data_len, i;
	struct rte_mbuf *last = packet;

	if (stream->tx->split == TX_SPLIT_RANDOM)
		count = (uint32_t)rte_rand_max(stream->tx->segments) + 1;
	if (count == 1)
		return length;
	if (rte_pktmbuf_alloc_bulk(stream->pool, segments, count - 1) != 0)
		return 0;
	for (i = 1; i < count; i++) {
		last->next = segments[i - 1];
		last = last->next;
		last->data_len = stream->tx->segment[i];
		length += last->data_len;
	}
	packet->nb_segs = (uint16_t)count;
	return length;
}

/*
 * A flow of its own for each packet, so that the receiver's RSS has something to
 * spread: 256 source addresses an lcore.
 */
static void
next_flow(struct fwd_stream *stream, struct packet_headers *headers)
{
	uint32_t address = (stream->tx->ip_destination | ((stream->next_flow++ & 0xff) << 8)) +
			   rte_lcore_id();

	headers->ip.src_addr = rte_cpu_to_be_32(address);
	headers->ip.hdr_checksum = 0;
	headers->ip.hdr_checksum = rte_ipv4_cksum(&headers->ip);
}

static void
txonly_burst(struct fwd_stream *stream)
{
	const bool multi_flow = stream->tx->multi_flow;
	const bool random = stream->tx->split == TX_SPLIT_RANDOM;
	const bool chained = stream->tx->segments > 1;
	struct rte_mbuf *packets[BURST_MAX];
	struct packet_headers headers;
	uint64_t start = fwd_cycles_start(stream);
	uint16_t wanted = stream->burst, made, sent;

	packet_headers_make(&headers, &(struct packet_flow) {
		.source = stream->source,
		.destination = stream->peer,
		.ip_source = stream->tx->ip_source,
		.ip_destination = stream->tx->ip_destination,
		.udp_source = stream->tx->udp_source,
		.udp_destination = stream->tx->udp_destination,
	}, stream->tx->length);

	/* Short of mbufs: send as many as there are. */
	if (unlikely(rte_pktmbuf_alloc_bulk(stream->pool, packets, wanted) != 0)) {
		for (made = 0; made < wanted; made++) {
			packets[made] = rte_pktmbuf_alloc(stream->pool);
			if (packets[made] == NULL)
				break;
		}
		wanted = made;
	}
	for (made = 0; made < wanted; made++) {
		struct rte_mbuf *packet = packets[made];

		packet->data_len = stream->tx->segment[0];
		packet->pkt_len = packet->data_len;
		packet->l2_len = sizeof(struct rte_ether_hdr);
		packet->l3_len = sizeof(struct rte_ipv4_hdr);
		if (unlikely(chained)) {
			packet->pkt_len = add_segments(stream, packet);
			if (packet->pkt_len == 0)
				break;
		}
		if (unlikely(random))
			packet_headers_set_length(&headers, (uint16_t)packet->pkt_len);
		if (unlikely(multi_flow))
			next_flow(stream, &headers);
		if (likely(packet->data_len >= sizeof(headers)))
			memcpy(rte_pktmbuf_mtod(packet, void *), &headers, sizeof(headers));
		else
			packet_write(packet, 0, &headers, sizeof(headers));
	}
	if (unlikely(made < wanted))
		rte_pktmbuf_free_bulk(packets + made, wanted - made);
	if (unlikely(made == 0))
		return;

	sent = fwd_transmit(stream, packets, made);
	/* A flow whose packet was dropped is the next one's. */
	if (multi_flow)
		stream->next_flow -= made - sent;
	fwd_cycles_end(stream, start);
}

const struct fwd_engine fwd_txonly = {
	.name = "txonly",
	.flags = FWD_TRANSMITS | FWD_GENERATES,
	.begin = txonly_begin,
	.burst = txonly_burst,
};
