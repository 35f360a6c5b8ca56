/* SPDX-License-Identifier: BSD-3-Clause */
/* The generator of the measuring mode's txonly. */

#include <stdlib.h>
#include <string.h>

#include <frame.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "measure_tx.h"
#include "packet.h"

#define VERIFY_STREAM 1 /* the stream that the link partner listens to by default */

/* What is left of a burst that a queue did not take whole. */
struct backlog {
	uint16_t first;
	uint16_t count;
	struct rte_mbuf *packets[BURST_MAX];
};

struct measure_tx {
	uint16_t length;
	bool verify;
	uint64_t sequence;
	struct rte_ether_addr destination;
	struct packet_headers headers;
	struct frame_template template;
	struct rte_ether_addr source; /* that headers and template were made with */
	uint16_t queues;
	struct backlog backlog[]; /* by transmit queue */
};

struct measure_tx *
measure_tx_make(uint16_t length, const struct rte_ether_addr *destination, bool verify)
{
	struct measure_tx *tx;

	tx = calloc(1, sizeof(*tx) + config.tx_queues * sizeof(tx->backlog[0]));
	if (tx == NULL)
		return NULL;
	tx->queues = config.tx_queues;
	tx->length = length;
	tx->verify = verify;
	tx->destination = *destination;
	return tx;
}

/* The headers; made at the first burst, when the source address is known. */
static void
make_headers(struct measure_tx *tx, const struct fwd_stream *stream)
{
	struct frame_spec spec = {
		.src_ip = config.tx.ip_source,
		.dst_ip = config.tx.ip_destination,
		.proto = FRAME_PROTO_UDP,
		.src_port = FRAME_UDP_PORT,
		.dst_port = FRAME_UDP_PORT,
		.stream = VERIFY_STREAM,
		.len = tx->length,
	};

	tx->source = stream->source;
	memcpy(spec.dst_mac, tx->destination.addr_bytes, sizeof(spec.dst_mac));
	memcpy(spec.src_mac, tx->source.addr_bytes, sizeof(spec.src_mac));
	frame_template_init(&tx->template, &spec);
	packet_headers_make(&tx->headers, &(struct packet_flow) {
		.source = tx->source,
		.destination = tx->destination,
		.ip_source = config.tx.ip_source,
		.ip_destination = config.tx.ip_destination,
		.udp_source = config.tx.udp_source,
		.udp_destination = config.tx.udp_destination,
	}, tx->length);
}

/* Fills the backlog with a new burst, as large as there are mbufs. */
static void
make_burst(struct measure_tx *tx, struct fwd_stream *stream, struct backlog *backlog)
{
	uint16_t wanted = stream->burst, i;

	/* Shorter by halves while the mbufs are all under way. */
	while (rte_pktmbuf_alloc_bulk(stream->pool, backlog->packets, wanted) != 0) {
		wanted /= 2;
		if (wanted == 0)
			return;
	}
	for (i = 0; i < wanted; i++) {
		struct rte_mbuf *packet = backlog->packets[i];
		void *data = rte_pktmbuf_mtod(packet, void *);

		packet->data_len = tx->length;
		packet->pkt_len = tx->length;
		if (tx->verify)
			frame_fill(data, &tx->template, tx->sequence++);
		else
			memcpy(data, &tx->headers, sizeof(tx->headers));
	}
	backlog->first = 0;
	backlog->count = wanted;
}

static uint16_t
send_backlog(struct fwd_stream *stream, struct backlog *backlog)
{
	uint16_t sent = rte_eth_tx_burst(stream->tx_port, stream->tx_queue,
					 backlog->packets + backlog->first, backlog->count);

	backlog->first += sent;
	backlog->count -= sent;
	stream->tx_packets += sent;
	return sent;
}

uint16_t
measure_tx_burst(struct measure_tx *tx, struct fwd_stream *stream)
{
	struct backlog *backlog = &tx->backlog[stream->tx_queue];

	if (unlikely(!rte_is_same_ether_addr(&tx->source, &stream->source)))
		make_headers(tx, stream);
	if (backlog->count == 0)
		make_burst(tx, stream, backlog);
	/* Even with nothing to send: the driver takes back what was sent meanwhile. */
	return send_backlog(stream, backlog);
}

void
measure_tx_drop(struct measure_tx *tx)
{
	uint16_t queue;

	for (queue = 0; queue < tx->queues; queue++) {
		struct backlog *backlog = &tx->backlog[queue];

		rte_pktmbuf_free_bulk(backlog->packets + backlog->first, backlog->count);
		backlog->count = 0;
	}
}

void
measure_tx_free(struct measure_tx *tx)
{
	if (tx == NULL)
		return;
	measure_tx_drop(tx);
	free(tx);
}
