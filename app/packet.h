/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The headers of the packets that txonly, flowgen and the measuring mode make:
 * Ethernet, IPv4, UDP, valid on any wire. Made once, then copied.
 */
#ifndef TI_TESTPMD_PACKET_H
#define TI_TESTPMD_PACKET_H

#include <stdint.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

struct packet_headers {
	struct rte_ether_hdr ether;
	struct rte_ipv4_hdr ip;
	struct rte_udp_hdr udp;
};

/* What differs from one user of these headers to another. Host byte order. */
struct packet_flow {
	struct rte_ether_addr source;
	struct rte_ether_addr destination;
	uint32_t ip_source;
	uint32_t ip_destination;
	uint16_t udp_source;
	uint16_t udp_destination;
};

/**
 * Makes the headers of a packet of length bytes (without FCS), IP checksum set, no UDP
 * checksum (0: none, RFC 768).
 */
void packet_headers_make(struct packet_headers *headers, const struct packet_flow *flow,
			 uint16_t length);

/** Gives the packet another length: both length fields and the IP checksum. */
void packet_headers_set_length(struct packet_headers *headers, uint16_t length);

/** Writes bytes at an offset into a packet of several segments. */
void packet_write(struct rte_mbuf *packet, uint32_t offset, const void *bytes,
		  uint32_t count);

#endif
