/* SPDX-License-Identifier: BSD-3-Clause */
/* `set verbose`: printing every packet as it is received or sent. */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <rte_bitops.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>
#include <rte_net.h>

#include "config.h"
#include "dump.h"
#include "ports.h"

#define VERBOSE_RX	0x1
#define VERBOSE_TX	0x2
#define TEXT_MAX	1024

/* A text that grows, so that the lines of several lcores do not mix. */
struct text {
	size_t length;
	char bytes[TEXT_MAX];
};

static const struct rte_eth_rxtx_callback
	*rx_callbacks[RTE_MAX_ETHPORTS][RTE_MAX_QUEUES_PER_PORT],
	*tx_callbacks[RTE_MAX_ETHPORTS][RTE_MAX_QUEUES_PER_PORT];

static void __rte_format_printf(2, 3)
add(struct text *text, const char *format, ...)
{
	size_t room = sizeof(text->bytes) - text->length;
	va_list args;
	int count;

	va_start(args, format);
	count = vsnprintf(text->bytes + text->length, room, format, args);
	va_end(args);
	if (count > 0)
		text->length += RTE_MIN((size_t)count, room - 1);
}

static void
add_lengths(struct text *text, uint32_t type, const struct rte_net_hdr_lens *lengths)
{
	if ((type & RTE_PTYPE_L2_MASK) != 0)
		add(text, " - l2_len=%u", lengths->l2_len);
	if ((type & RTE_PTYPE_L3_MASK) != 0)
		add(text, " - l3_len=%u", lengths->l3_len);
	if ((type & RTE_PTYPE_L4_MASK) != 0)
		add(text, " - l4_len=%u", lengths->l4_len);
	if ((type & RTE_PTYPE_TUNNEL_MASK) != 0)
		add(text, " - tunnel_len=%u", lengths->tunnel_len);
	if ((type & RTE_PTYPE_INNER_L2_MASK) != 0)
		add(text, " - inner_l2_len=%u", lengths->inner_l2_len);
	if ((type & RTE_PTYPE_INNER_L3_MASK) != 0)
		add(text, " - inner_l3_len=%u", lengths->inner_l3_len);
	if ((type & RTE_PTYPE_INNER_L4_MASK) != 0)
		add(text, " - inner_l4_len=%u", lengths->inner_l4_len);
}

static void
add_timestamp(struct text *text, const struct rte_mbuf *packet)
{
	int flag = rte_mbuf_dynflag_lookup(RTE_MBUF_DYNFLAG_RX_TIMESTAMP_NAME, NULL);
	int field = rte_mbuf_dynfield_lookup(RTE_MBUF_DYNFIELD_TIMESTAMP_NAME, NULL);

	if (flag >= 0 && field >= 0 && (packet->ol_flags & RTE_BIT64(flag)) != 0)
		add(text, " - timestamp %" PRIu64 " ",
		    *RTE_MBUF_DYNFIELD(packet, field, const rte_mbuf_timestamp_t *));
}

static void
dump_packet(const struct rte_mbuf *packet, uint16_t queue, bool received)
{
	struct rte_net_hdr_lens lengths = { 0 };
	const struct rte_ether_hdr *header;
	struct text text = { .length = 0 };
	struct rte_ether_hdr copy;
	char name[256];
	const char *reason;
	uint32_t type;

	header = rte_pktmbuf_read(packet, 0, sizeof(copy), &copy);
	if (header == NULL)
		return;
	add(&text, "  src=" RTE_ETHER_ADDR_PRT_FMT " - dst=" RTE_ETHER_ADDR_PRT_FMT
	    " - pool=%s - type=0x%04x - length=%u - nb_segs=%u",
	    RTE_ETHER_ADDR_BYTES(&header->src_addr), RTE_ETHER_ADDR_BYTES(&header->dst_addr),
	    packet->pool->name, rte_be_to_cpu_16(header->ether_type), packet->pkt_len,
	    packet->nb_segs);
	if ((packet->ol_flags & RTE_MBUF_F_RX_RSS_HASH) != 0)
		add(&text, " - RSS hash=0x%x - RSS queue=0x%x", packet->hash.rss, queue);
	add_timestamp(&text, packet);
	if ((packet->ol_flags & RTE_MBUF_F_RX_QINQ) != 0)
		add(&text, " - QinQ VLAN tci=0x%x, VLAN tci outer=0x%x", packet->vlan_tci,
		    packet->vlan_tci_outer);
	else if ((packet->ol_flags & RTE_MBUF_F_RX_VLAN) != 0)
		add(&text, " - VLAN tci=0x%x", packet->vlan_tci);
	if (packet->packet_type != 0) {
		rte_get_ptype_name(packet->packet_type, name, sizeof(name));
		add(&text, " - hw ptype: %s", name);
	}
	type = rte_net_get_ptype(packet, &lengths, RTE_PTYPE_ALL_MASK);
	rte_get_ptype_name(type, name, sizeof(name));
	add(&text, " - sw ptype: %s", name);
	add_lengths(&text, type, &lengths);
	add(&text, " - %s queue=0x%x\n", received ? "Receive" : "Send", queue);
	if (received)
		rte_get_rx_ol_flag_list(packet->ol_flags, name, sizeof(name));
	else
		rte_get_tx_ol_flag_list(packet->ol_flags, name, sizeof(name));
	add(&text, "  ol_flags: %s\n", name);
	if (rte_mbuf_check(packet, 1, &reason) < 0)
		add(&text, "INVALID mbuf: %s\n", reason);
	fputs(text.bytes, stdout);
}

static void
dump_burst(uint16_t port, uint16_t queue, struct rte_mbuf **packets, uint16_t count,
	   bool received)
{
	uint16_t i;

	if (count == 0)
		return;
	printf("port %u/queue %u: %s %u packets\n", port, queue,
	       received ? "received" : "sent", count);
	for (i = 0; i < count; i++)
		dump_packet(packets[i], queue, received);
}

static uint16_t
dump_received(uint16_t port, uint16_t queue, struct rte_mbuf **packets, uint16_t count,
	      uint16_t room __rte_unused, void *arg __rte_unused)
{
	dump_burst(port, queue, packets, count, true);
	return count;
}

static uint16_t
dump_sent(uint16_t port, uint16_t queue, struct rte_mbuf **packets, uint16_t count,
	  void *arg __rte_unused)
{
	dump_burst(port, queue, packets, count, false);
	return count;
}

/*
 * A callback that was removed may still run on a forwarding lcore, so ethdev leaves its
 * memory, as do we: a few bytes each time that verbose is set back.
 */
void
dump_refresh(uint16_t port)
{
	bool received = config.verbose == 1 || config.verbose > 2;
	bool sent = config.verbose >= 2;
	uint16_t queue;

	for (queue = 0; queue < config.rx_queues; queue++) {
		const struct rte_eth_rxtx_callback **callback = &rx_callbacks[port][queue];

		if (received && *callback == NULL)
			*callback = rte_eth_add_rx_callback(port, queue, dump_received, NULL);
		else if (!received && *callback != NULL &&
			 rte_eth_remove_rx_callback(port, queue, *callback) == 0)
			*callback = NULL;
	}
	for (queue = 0; queue < config.tx_queues; queue++) {
		const struct rte_eth_rxtx_callback **callback = &tx_callbacks[port][queue];

		if (sent && *callback == NULL)
			*callback = rte_eth_add_tx_callback(port, queue, dump_sent, NULL);
		else if (!sent && *callback != NULL &&
			 rte_eth_remove_tx_callback(port, queue, *callback) == 0)
			*callback = NULL;
	}
}

void
dump_set_level(uint32_t level)
{
	uint16_t port;

	printf("Change verbose level from %u to %u\n", config.verbose, level);
	config.verbose = level;
	RTE_ETH_FOREACH_DEV(port)
		dump_refresh(port);
}
