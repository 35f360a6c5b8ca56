/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The flowgen engine: sends UDP packets of many flows (destination addresses, one after
 * another) and drops what it receives.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fwd_inline.h"
#include "packet.h"

/* The flows that dpdk-testpmd makes. */
static const struct packet_flow flowgen_flow = {
	.source = {{ 0x00, 0x01, 0x02, 0x03, 0x04, 0x00 }},
	.destination = {{ 0x00, 0x01, 0x02, 0x03, 0x04, 0x01 }},
	.ip_source = RTE_IPV4(10, 254, 0, 0),
	.ip_destination = RTE_IPV4(10, 253, 0, 0),
	.udp_source = 1000,
	.udp_destination = 1001,
};

static int
flowgen_begin(uint16_t port)
{
	/* A packet of flowgen has one segment, whatever txpkts says. */
	if (config.tx.length > config.mbuf_size - RTE_PKTMBUF_HEADROOM) {
		fprintf(stderr, "flowgen: %u bytes of txpkts do not fit one mbuf\n",
			config.tx.length);
		return -EINVAL;
	}
	printf("  number of flows for port %u: %u\n", port, config.tx.flows);
	return 0;
}

static void
flowgen_burst(struct fwd_stream *stream)
{
	const uint32_t clones = RTE_MIN(stream->tx->clones, stream->burst);
	/* The length of txpkts is on the wire here, as in dpdk-testpmd. */
	const uint16_t length = stream->tx->length - RTE_ETHER_CRC_LEN;
	struct rte_mbuf *packets[BURST_MAX];
	struct packet_headers headers;
	uint64_t start = fwd_cycles_start(stream);
	uint32_t flow = stream->next_flow, copies = 0;
	uint16_t count, made, unsent;

	count = fwd_receive(stream, packets);
	if (count > 0)
		rte_pktmbuf_free_bulk(packets, count);

	packet_headers_make(&headers, &flowgen_flow, length);
	for (made = 0; made < stream->burst; made++) {
		struct rte_mbuf *packet;

		if (copies > 0) {
			copies--;
			packet = packets[made - 1];
			rte_mbuf_refcnt_update(packet, 1);
		} else {
			packet = rte_pktmbuf_alloc(stream->pool);
			if (unlikely(packet == NULL))
				break;
			copies = clones;
			packet->data_len = length;
			packet->pkt_len = length;
			packet->l2_len = sizeof(struct rte_ether_hdr);
			packet->l3_len = sizeof(struct rte_ipv4_hdr);
			headers.ip.dst_addr =
				rte_cpu_to_be_32(flowgen_flow.ip_destination + flow);
			headers.ip.hdr_checksum = 0;
			headers.ip.hdr_checksum = rte_ipv4_cksum(&headers.ip);
			memcpy(rte_pktmbuf_mtod(packet, void *), &headers, sizeof(headers));
		}
		packets[made] = packet;
		if (++flow >= stream->tx->flows)
			flow = 0;
	}
	if (made > 0) {
		unsent = made - fwd_transmit(stream, packets, made);
		/* The flows whose packets were dropped come again. */
		for (; unsent > 0; unsent--)
			flow = flow > 0 ? flow - 1 : stream->tx->flows - 1;
	}
	stream->next_flow = flow;
	fwd_cycles_end(stream, start);
}

const struct fwd_engine fwd_flowgen = {
	.name = "flowgen",
	.flags = FWD_RECEIVES | FWD_TRANSMITS | FWD_GENERATES,
	.begin = flowgen_begin,
	.burst = flowgen_burst,
};
