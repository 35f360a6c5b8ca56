/* SPDX-License-Identifier: BSD-3-Clause */
/* The headers of the packets that txonly, flowgen and the measuring mode make. */

#include <netinet/in.h>
#include <string.h>

#include "packet.h"

#define IP_DEFAULT_TTL 64 /* RFC 1700: the recommended default */

static_assert(sizeof(struct packet_headers) == 42, "headers are laid out as on the wire");

void
packet_headers_set_length(struct packet_headers *headers, uint16_t length)
{
	uint16_t ip_length = length - sizeof(headers->ether);

	headers->ip.total_length = rte_cpu_to_be_16(ip_length);
	headers->udp.dgram_len = rte_cpu_to_be_16(ip_length - sizeof(headers->ip));
	headers->ip.hdr_checksum = 0;
	headers->ip.hdr_checksum = rte_ipv4_cksum(&headers->ip);
}

void
packet_headers_make(struct packet_headers *headers, const struct packet_flow *flow,
		    uint16_t length)
{
	memset(headers, 0, sizeof(*headers));
	headers->ether.dst_addr = flow->destination;
	headers->ether.src_addr = flow->source;
	headers->ether.ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	headers->ip.version_ihl = RTE_IPV4_VHL_DEF;
	headers->ip.time_to_live = IP_DEFAULT_TTL;
	headers->ip.next_proto_id = IPPROTO_UDP;
	headers->ip.src_addr = rte_cpu_to_be_32(flow->ip_source);
	headers->ip.dst_addr = rte_cpu_to_be_32(flow->ip_destination);
	headers->udp.src_port = rte_cpu_to_be_16(flow->udp_source);
	headers->udp.dst_port = rte_cpu_to_be_16(flow->udp_destination);
	packet_headers_set_length(headers, length);
}

void
packet_write(struct rte_mbuf *packet, uint32_t offset, const void *bytes, uint32_t count)
{
	const uint8_t *from = bytes;
	struct rte_mbuf *segment = packet;

	while (offset >= segment->data_len) {
		offset -= segment->data_len;
		segment = segment->next;
	}
	while (count > 0) {
		uint32_t part = RTE_MIN(count, segment->data_len - offset);

		memcpy(rte_pktmbuf_mtod_offset(segment, void *, offset), from, part);
		from += part;
		count -= part;
		offset = 0;
		segment = segment->next;
	}
}
