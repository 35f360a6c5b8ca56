/* SPDX-License-Identifier: BSD-3-Clause */
/* What `show port info|summary|macs` and `show config` print, as dpdk-testpmd prints it. */

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_devargs.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>

#include "fwd_set.h"
#include "ports.h"
#include "show.h"

#define FIRMWARE_VERSION_MAX	32
#define RSS_LINE_MAX		64

/* The names of the RSS types, by bit. */
static const struct {
	uint64_t type;
	const char *name;
} rss_names[] = {
	{ RTE_ETH_RSS_IPV4, "ipv4" },
	{ RTE_ETH_RSS_FRAG_IPV4, "ipv4-frag" },
	{ RTE_ETH_RSS_NONFRAG_IPV4_TCP, "ipv4-tcp" },
	{ RTE_ETH_RSS_NONFRAG_IPV4_UDP, "ipv4-udp" },
	{ RTE_ETH_RSS_NONFRAG_IPV4_SCTP, "ipv4-sctp" },
	{ RTE_ETH_RSS_NONFRAG_IPV4_OTHER, "ipv4-other" },
	{ RTE_ETH_RSS_IPV6, "ipv6" },
	{ RTE_ETH_RSS_FRAG_IPV6, "ipv6-frag" },
	{ RTE_ETH_RSS_NONFRAG_IPV6_TCP, "ipv6-tcp" },
	{ RTE_ETH_RSS_NONFRAG_IPV6_UDP, "ipv6-udp" },
	{ RTE_ETH_RSS_NONFRAG_IPV6_SCTP, "ipv6-sctp" },
	{ RTE_ETH_RSS_NONFRAG_IPV6_OTHER, "ipv6-other" },
	{ RTE_ETH_RSS_L2_PAYLOAD, "l2-payload" },
	{ RTE_ETH_RSS_IPV6_EX, "ipv6-ex" },
	{ RTE_ETH_RSS_IPV6_TCP_EX, "ipv6-tcp-ex" },
	{ RTE_ETH_RSS_IPV6_UDP_EX, "ipv6-udp-ex" },
	{ RTE_ETH_RSS_PORT, "port" },
	{ RTE_ETH_RSS_VXLAN, "vxlan" },
	{ RTE_ETH_RSS_GENEVE, "geneve" },
	{ RTE_ETH_RSS_NVGRE, "nvgre" },
	{ RTE_ETH_RSS_GTPU, "gtpu" },
	{ RTE_ETH_RSS_ETH, "eth" },
	{ RTE_ETH_RSS_S_VLAN, "s-vlan" },
	{ RTE_ETH_RSS_C_VLAN, "c-vlan" },
	{ RTE_ETH_RSS_ESP, "esp" },
	{ RTE_ETH_RSS_AH, "ah" },
	{ RTE_ETH_RSS_L2TPV3, "l2tpv3" },
	{ RTE_ETH_RSS_PFCP, "pfcp" },
	{ RTE_ETH_RSS_PPPOE, "pppoe" },
	{ RTE_ETH_RSS_ECPRI, "ecpri" },
	{ RTE_ETH_RSS_MPLS, "mpls" },
	{ RTE_ETH_RSS_IPV4_CHKSUM, "ipv4-chksum" },
	{ RTE_ETH_RSS_L4_CHKSUM, "l4-chksum" },
	{ RTE_ETH_RSS_L2TPV2, "l2tpv2" },
	{ RTE_ETH_RSS_L3_PRE96, "l3-pre96" },
	{ RTE_ETH_RSS_L3_PRE64, "l3-pre64" },
	{ RTE_ETH_RSS_L3_PRE56, "l3-pre56" },
	{ RTE_ETH_RSS_L3_PRE48, "l3-pre48" },
	{ RTE_ETH_RSS_L3_PRE40, "l3-pre40" },
	{ RTE_ETH_RSS_L3_PRE32, "l3-pre32" },
	{ RTE_ETH_RSS_L2_DST_ONLY, "l2-dst-only" },
	{ RTE_ETH_RSS_L2_SRC_ONLY, "l2-src-only" },
	{ RTE_ETH_RSS_L4_DST_ONLY, "l4-dst-only" },
	{ RTE_ETH_RSS_L4_SRC_ONLY, "l4-src-only" },
	{ RTE_ETH_RSS_L3_DST_ONLY, "l3-dst-only" },
	{ RTE_ETH_RSS_L3_SRC_ONLY, "l3-src-only" },
};

static const char *const error_modes[] = {
	[RTE_ETH_ERROR_HANDLE_MODE_NONE] = "none",
	[RTE_ETH_ERROR_HANDLE_MODE_PASSIVE] = "passive",
	[RTE_ETH_ERROR_HANDLE_MODE_PROACTIVE] = "proactive",
};

static const char *
on_off(int flags, int flag)
{
	return (flags & flag) != 0 ? "on" : "off";
}

/* Says why a device did not tell what was asked of it. */
static int
failed(const char *what, uint16_t port, int rc)
{
	fprintf(stderr, "Error during getting %s of port %u: %s\n", what, port,
		rte_strerror(-rc));
	return rc;
}

static void
rss_type_name(unsigned int bit, char *name, size_t size)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(rss_names); i++)
		if (rss_names[i].type == (UINT64_C(1) << bit)) {
			snprintf(name, size, "%s", rss_names[i].name);
			return;
		}
	snprintf(name, size, "user-defined-%u", bit);
}

static void
show_rss_types(uint64_t types)
{
	size_t line = 0, length;
	char name[32];
	unsigned int bit;

	if (types == 0) {
		printf("No RSS offload flow type is supported.\n");
		return;
	}
	printf("Supported RSS offload flow types:\n");
	for (bit = 0; bit < sizeof(types) * CHAR_BIT; bit++) {
		if ((types & (UINT64_C(1) << bit)) == 0)
			continue;
		rss_type_name(bit, name, sizeof(name));
		length = strlen(name) + 2;
		if (line + length >= RSS_LINE_MAX) {
			printf("\n");
			line = 0;
		}
		printf("  %s", name);
		line += length;
	}
	printf("\n");
}

static void
show_identity(uint16_t id, const struct rte_eth_dev_info *info)
{
	char name[RTE_ETH_NAME_MAX_LEN] = "", firmware[FIRMWARE_VERSION_MAX];
	const struct rte_devargs *devargs;
	struct rte_ether_addr address;

	if (rte_eth_macaddr_get(id, &address) == 0)
		printf("MAC address: " RTE_ETHER_ADDR_PRT_FMT "\n",
		       RTE_ETHER_ADDR_BYTES(&address));
	rte_eth_dev_get_name_by_port(id, name);
	printf("Device name: %s\n", name);
	printf("Driver name: %s\n", info->driver_name);
	if (rte_eth_dev_fw_version_get(id, firmware, sizeof(firmware)) != 0)
		snprintf(firmware, sizeof(firmware), "not available");
	printf("Firmware-version: %s\n", firmware);
	devargs = info->device != NULL ? rte_dev_devargs(info->device) : NULL;
	if (devargs != NULL && devargs->args != NULL)
		printf("Devargs: %s\n", devargs->args);
	printf("Connect to socket: %d\n", port_get(id)->socket);
	printf("memory allocation on the socket: %d\n", port_get(id)->socket);
}

static void
show_state(uint16_t id, const struct rte_eth_link *link,
	   const struct rte_eth_dev_info *info)
{
	uint16_t mtu;
	int vlan;

	printf("Link status: %s\n", link->link_status ? "up" : "down");
	printf("Link speed: %s\n", rte_eth_link_speed_to_str(link->link_speed));
	printf("Link duplex: %s\n", link->link_duplex == RTE_ETH_LINK_FULL_DUPLEX ?
	       "full-duplex" : "half-duplex");
	printf("Autoneg status: %s\n", link->link_autoneg == RTE_ETH_LINK_AUTONEG ?
	       "On" : "Off");
	if (rte_eth_dev_get_mtu(id, &mtu) == 0)
		printf("MTU: %u\n", mtu);
	printf("Promiscuous mode: %s\n",
	       rte_eth_promiscuous_get(id) ? "enabled" : "disabled");
	printf("Allmulticast mode: %s\n",
	       rte_eth_allmulticast_get(id) ? "enabled" : "disabled");
	printf("Maximum number of MAC addresses: %u\n", info->max_mac_addrs);
	printf("Maximum number of MAC addresses of hash filtering: %u\n",
	       info->max_hash_mac_addrs);
	vlan = rte_eth_dev_get_vlan_offload(id);
	if (vlan >= 0)
		printf("VLAN offload: \n"
		       "  strip %s, filter %s, extend %s, qinq strip %s\n",
		       on_off(vlan, RTE_ETH_VLAN_STRIP_OFFLOAD),
		       on_off(vlan, RTE_ETH_VLAN_FILTER_OFFLOAD),
		       on_off(vlan, RTE_ETH_VLAN_EXTEND_OFFLOAD),
		       on_off(vlan, RTE_ETH_QINQ_STRIP_OFFLOAD));
	if (info->hash_key_size > 0)
		printf("Hash key size in bytes: %u\n", info->hash_key_size);
	if (info->reta_size > 0)
		printf("Redirection table size: %u\n", info->reta_size);
	show_rss_types(info->flow_type_rss_offloads);
}

static void
show_limits(const struct rte_eth_dev_info *info)
{
	printf("Minimum size of RX buffer: %u\n", info->min_rx_bufsize);
	printf("Maximum configurable length of RX packet: %u\n", info->max_rx_pktlen);
	printf("Maximum configurable size of LRO aggregated packet: %u\n",
	       info->max_lro_pkt_size);
	if (info->max_vfs > 0)
		printf("Maximum number of VFs: %u\n", info->max_vfs);
	if (info->max_vmdq_pools > 0)
		printf("Maximum number of VMDq pools: %u\n", info->max_vmdq_pools);
	printf("Current number of RX queues: %u\n", info->nb_rx_queues);
	printf("Max possible RX queues: %u\n", info->max_rx_queues);
	printf("Max possible number of RXDs per queue: %u\n", info->rx_desc_lim.nb_max);
	printf("Min possible number of RXDs per queue: %u\n", info->rx_desc_lim.nb_min);
	printf("RXDs number alignment: %u\n", info->rx_desc_lim.nb_align);
	printf("Current number of TX queues: %u\n", info->nb_tx_queues);
	printf("Max possible TX queues: %u\n", info->max_tx_queues);
	printf("Max possible number of TXDs per queue: %u\n", info->tx_desc_lim.nb_max);
	printf("Min possible number of TXDs per queue: %u\n", info->tx_desc_lim.nb_min);
	printf("TXDs number alignment: %u\n", info->tx_desc_lim.nb_align);
	printf("Max segment number per packet: %u\n", info->tx_desc_lim.nb_seg_max);
	printf("Max segment number per MTU/TSO: %u\n", info->tx_desc_lim.nb_mtu_seg_max);
}

static void
show_capabilities(const struct rte_eth_dev_info *info)
{
	unsigned int bit;

	printf("Device capabilities: 0x%" PRIx64 "(", info->dev_capa);
	for (bit = 0; bit < sizeof(info->dev_capa) * CHAR_BIT; bit++)
		if ((info->dev_capa & (UINT64_C(1) << bit)) != 0)
			printf(" %s", rte_eth_dev_capability_name(UINT64_C(1) << bit));
	printf(" )\n");
	if (info->switch_info.domain_id != RTE_ETH_DEV_SWITCH_DOMAIN_ID_INVALID) {
		if (info->switch_info.name != NULL)
			printf("Switch name: %s\n", info->switch_info.name);
		printf("Switch domain Id: %u\n", info->switch_info.domain_id);
		printf("Switch Port Id: %u\n", info->switch_info.port_id);
		if ((info->dev_capa & RTE_ETH_DEV_CAPA_RXQ_SHARE) != 0)
			printf("Switch Rx domain: %u\n", info->switch_info.rx_domain);
	}
	printf("Device error handling mode: %s\n",
	       (unsigned int)info->err_handle_mode < RTE_DIM(error_modes) ?
	       error_modes[info->err_handle_mode] : "unknown");
}

void
show_port_info(uint16_t id)
{
	struct rte_eth_dev_info info;
	struct rte_eth_link link;
	int rc;

	rc = rte_eth_link_get_nowait(id, &link);
	if (rc < 0) {
		failed("link", id, rc);
		return;
	}
	rc = rte_eth_dev_info_get(id, &info);
	if (rc != 0) {
		failed("device info", id, rc);
		return;
	}
	printf("\n********************* Infos for port %-2u *********************\n", id);
	show_identity(id, &info);
	show_state(id, &link, &info);
	show_limits(&info);
	show_capabilities(&info);
}

void
show_port_summary_header(void)
{
	printf("Number of available ports: %u\n", ports_count());
	printf("%-4s %-17s %-12s %-14s %-8s %s\n", "Port", "MAC Address", "Name", "Driver",
	       "Status", "Link");
}

void
show_port_summary(uint16_t id)
{
	char name[RTE_ETH_NAME_MAX_LEN] = "";
	struct rte_ether_addr address;
	struct rte_eth_dev_info info;
	struct rte_eth_link link;
	int rc;

	rc = rte_eth_link_get_nowait(id, &link);
	if (rc < 0) {
		failed("link", id, rc);
		return;
	}
	rc = rte_eth_dev_info_get(id, &info);
	if (rc == 0)
		rc = rte_eth_macaddr_get(id, &address);
	if (rc != 0) {
		failed("device info", id, rc);
		return;
	}
	rte_eth_dev_get_name_by_port(id, name);
	printf("%-4u " RTE_ETHER_ADDR_PRT_FMT " %-12s %-14s %-8s %s\n", id,
	       RTE_ETHER_ADDR_BYTES(&address), name, info.driver_name,
	       link.link_status ? "up" : "down",
	       rte_eth_link_speed_to_str(link.link_speed));
}

void
show_port_macs(uint16_t id)
{
	struct rte_ether_addr addresses[RTE_ETH_NUM_RECEIVE_MAC_ADDR];
	int count, used = 0, i;

	count = rte_eth_macaddrs_get(id, addresses, RTE_DIM(addresses));
	if (count < 0) {
		failed("MAC addresses", id, count);
		return;
	}
	for (i = 0; i < count; i++)
		if (!rte_is_zero_ether_addr(&addresses[i]))
			used++;
	printf("Number of MAC address added: %d\n", used);
	for (i = 0; i < count; i++)
		if (!rte_is_zero_ether_addr(&addresses[i]))
			printf("  " RTE_ETHER_ADDR_PRT_FMT "\n",
			       RTE_ETHER_ADDR_BYTES(&addresses[i]));
}

void
show_fwd_config(const struct fwd_plan *plan)
{
	uint16_t i, s;

	printf("%s packet forwarding%s - ports=%u - cores=%u - streams=%u - "
	       "NUMA support %s, MP allocation mode: native\n",
	       plan->engine->name, config.retry ? " with retry" : "", plan->port_count,
	       plan->lcore_count, plan->stream_count, config.numa ? "enabled" : "disabled");
	if (config.retry)
		printf("TX retry num: %u, delay between TX retries: %uus\n",
		       config.retry_count, config.retry_delay);
	for (i = 0; i < plan->lcore_count; i++) {
		const struct fwd_lcore *lcore = &plan->lcores[i];

		printf("Logical Core %u (socket %u) forwards packets on %u streams:",
		       lcore->lcore, rte_lcore_to_socket_id(lcore->lcore),
		       lcore->stream_count);
		for (s = 0; s < lcore->stream_count; s++) {
			const struct fwd_stream *stream = &lcore->streams[s];

			printf("\n  RX P=%u/Q=%u (socket %d) -> TX P=%u/Q=%u (socket %d) "
			       "peer=" RTE_ETHER_ADDR_PRT_FMT, stream->rx_port,
			       stream->rx_queue, port_get(stream->rx_port)->socket,
			       stream->tx_port, stream->tx_queue,
			       port_get(stream->tx_port)->socket,
			       RTE_ETHER_ADDR_BYTES(&stream->peer));
		}
		printf("\n");
	}
	printf("\n");
}

/* The first queues of a port; the others are set up alike. */
static void
show_queue_config(uint16_t id)
{
	const struct port *port = port_get(id);
	struct rte_eth_rxq_info rx = {
		.conf = port->rx_conf, .nb_desc = config.rx_descriptors };
	struct rte_eth_txq_info tx = {
		.conf = port->tx_conf, .nb_desc = config.tx_descriptors };

	/* Where the driver tells no queue information, what it was asked for stands. */
	rte_eth_rx_queue_info_get(id, 0, &rx);
	rte_eth_tx_queue_info_get(id, 0, &tx);
	printf("    RX queue: 0\n");
	printf("      RX desc=%u - RX free threshold=%u\n", rx.nb_desc,
	       rx.conf.rx_free_thresh);
	printf("      RX threshold registers: pthresh=%u hthresh=%u  wthresh=%u\n",
	       rx.conf.rx_thresh.pthresh, rx.conf.rx_thresh.hthresh,
	       rx.conf.rx_thresh.wthresh);
	printf("      RX Offloads=0x%" PRIx64 "\n", rx.conf.offloads);
	printf("    TX queue: 0\n");
	printf("      TX desc=%u - TX free threshold=%u\n", tx.nb_desc,
	       tx.conf.tx_free_thresh);
	printf("      TX threshold registers: pthresh=%u hthresh=%u  wthresh=%u\n",
	       tx.conf.tx_thresh.pthresh, tx.conf.tx_thresh.hthresh,
	       tx.conf.tx_thresh.wthresh);
	printf("      TX offloads=0x%" PRIx64 " - TX RS bit threshold=%u\n",
	       tx.conf.offloads, tx.conf.tx_rs_thresh);
}

void
show_rxtx_config(void)
{
	uint16_t id;

	printf("  %s packet forwarding%s packets/burst=%u\n", config.engine->name,
	       config.retry ? " with retry" : "", config.burst);
	if ((config.engine->flags & FWD_GENERATES) != 0)
		printf("  packet len=%u - nb packet segments=%u\n", config.tx.length,
		       config.tx.segments);
	printf("  nb forwarding cores=%u - nb forwarding ports=%u\n", fwd_lcores()->used,
	       fwd_ports()->used);
	RTE_ETH_FOREACH_DEV(id) {
		const struct port *port = port_get(id);

		printf("  port %u: RX queue number: %u Tx queue number: %u\n", id,
		       config.rx_queues, config.tx_queues);
		printf("    Rx offloads=0x%" PRIx64 " Tx offloads=0x%" PRIx64 "\n",
		       port->conf.rxmode.offloads, port->conf.txmode.offloads);
		show_queue_config(id);
	}
}

void
show_cores(void)
{
	const struct fwd_set *lcores = fwd_lcores();
	uint16_t i;

	printf("List of forwarding lcores:");
	for (i = 0; i < lcores->configured; i++)
		printf(" %2u", lcores->id[i]);
	printf("\n");
}

void
show_txpkts(void)
{
	static const char *const splits[] = {
		[TX_SPLIT_OFF] = "off", [TX_SPLIT_ON] = "on", [TX_SPLIT_RANDOM] = "rand",
	};
	uint16_t i;

	printf("Number of segments: %u\n", config.tx.segments);
	printf("Segment sizes: ");
	for (i = 0; i < config.tx.segments; i++)
		printf("%s%u", i > 0 ? "," : "", config.tx.segment[i]);
	printf("\nSplit packet: %s\n", splits[config.tx.split]);
}
