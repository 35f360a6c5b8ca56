/* SPDX-License-Identifier: BSD-3-Clause */
/* The options after `--`: one table, what each takes and what it sets. */

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>

#include "commands.h"
#include "config.h"
#include "forward.h"
#include "fwd_set.h"
#include "measure.h"
#include "measure_options.h"
#include "options.h"
#include "ports.h"
#include "stats.h"
#include "value.h"

#define SHORT_INTERACTIVE	'i'
#define SHORT_AUTO_START	'a'
#define SHORT_HELP		'h'
#define LONG_FIRST		0x100 /* beyond every character */

/*
 * An option. take() gets the argument (NULL for an option without) and sets what the
 * option stands for; a and b are its parameters. It returns 0 or, having said why, -1.
 */
struct option_row {
	const char *name;
	const char *argument;	/* NULL: none; in [ ]: may be left out */
	int (*take)(const struct option_row *row, const char *argument);
	void *target;
	uint64_t a, b;
	const char *help;	/* NULL: accepted, not listed */
};

static int __rte_format_printf(2, 3)
bad(const struct option_row *row, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "ti-testpmd: --%s: ", row->name);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	return -1;
}

/* ---- kinds of options ---- */

/* *(bool *)target = a */
static int
take_bool(const struct option_row *row, const char *argument __rte_unused)
{
	*(bool *)row->target = row->a != 0;
	return 0;
}

/* *(uint64_t *)target |= a */
static int
take_offload(const struct option_row *row, const char *argument __rte_unused)
{
	*(uint64_t *)row->target |= row->a;
	return 0;
}

/* A number within a..b. */
static int
number(const struct option_row *row, const char *argument, uint64_t *value)
{
	if (value_number(argument, 10, row->a, row->b, value) == 0)
		return 0;
	return bad(row, "'%s' is not a number from %" PRIu64 " to %" PRIu64, argument,
		   row->a, row->b);
}

static int
take_u16(const struct option_row *row, const char *argument)
{
	uint64_t value;

	if (number(row, argument, &value) < 0)
		return -1;
	*(uint16_t *)row->target = (uint16_t)value;
	return 0;
}

static int
take_u32(const struct option_row *row, const char *argument)
{
	uint64_t value;

	if (number(row, argument, &value) < 0)
		return -1;
	*(uint32_t *)row->target = (uint32_t)value;
	return 0;
}

/* Base 16, at most a. */
static int
hexadecimal(const struct option_row *row, const char *argument, uint64_t *value)
{
	uint64_t max = row->a != 0 ? row->a : UINT64_MAX;

	if (value_number(argument, 16, 0, max, value) == 0)
		return 0;
	return bad(row, "'%s' is not a hexadecimal number up to 0x%" PRIx64, argument, max);
}

static int
take_hex64(const struct option_row *row, const char *argument)
{
	return hexadecimal(row, argument, row->target);
}

static int
take_hex32(const struct option_row *row, const char *argument)
{
	uint64_t value;

	if (hexadecimal(row, argument, &value) < 0)
		return -1;
	*(uint32_t *)row->target = (uint32_t)value;
	return 0;
}

static int
take_text(const struct option_row *row, const char *argument)
{
	if (*argument == '\0')
		return bad(row, "needs a value");
	*(const char **)row->target = argument;
	return 0;
}

/* What dpdk-testpmd has and this program has not. */
static int
refuse(const struct option_row *row, const char *argument __rte_unused)
{
	return bad(row, "an option of dpdk-testpmd that ti-testpmd does not have");
}

/* The value that stands for what this program does anyway is taken. */
static int
refuse_other(const struct option_row *row, const char *argument)
{
	if (strcmp(argument, row->target) == 0)
		return 0;
	return bad(row, "ti-testpmd has only '%s'", (const char *)row->target);
}

/* ---- options that are their own kind ---- */

static int
take_interactive(const struct option_row *row __rte_unused,
		 const char *argument __rte_unused)
{
	printf("Interactive-mode selected\n");
	config.interactive = true;
	return 0;
}

static int
take_auto_start(const struct option_row *row __rte_unused,
		const char *argument __rte_unused)
{
	printf("Auto-start selected\n");
	config.auto_start = true;
	return 0;
}

static int
take_tx_first(const struct option_row *row __rte_unused, const char *argument __rte_unused)
{
	printf("Ports to start sending a burst of packets first\n");
	config.tx_first = 1;
	return 0;
}

static int
take_cmdline_file(const struct option_row *row, const char *argument)
{
	if (take_text(row, argument) < 0)
		return -1;
	printf("CLI commands to be read from %s\n", argument);
	return 0;
}

static int
take_forward_mode(const struct option_row *row, const char *argument)
{
	const struct fwd_engine *engine = fwd_engine_find(argument);

	if (engine == NULL)
		return bad(row, "no mode '%s', there are %s", argument, fwd_engine_names());
	printf("Set %s packet forwarding mode\n", engine->name);
	config.engine = engine;
	return 0;
}

static int
take_topology(const struct option_row *row, const char *argument)
{
	if (strcmp(argument, "paired") == 0)
		config.topology = TOPOLOGY_PAIRED;
	else if (strcmp(argument, "chained") == 0)
		config.topology = TOPOLOGY_CHAINED;
	else if (strcmp(argument, "loop") == 0)
		config.topology = TOPOLOGY_LOOP;
	else
		return bad(row, "'%s' is none of paired, chained, loop", argument);
	return 0;
}

/* The most queues that every port has; without ports, that a port may ever have. */
static uint16_t
queues_max(bool rx)
{
	uint16_t max = RTE_MAX_QUEUES_PER_PORT, port;
	struct rte_eth_dev_info info;

	RTE_ETH_FOREACH_DEV(port)
		if (rte_eth_dev_info_get(port, &info) == 0)
			max = RTE_MIN(max, rx ? info.max_rx_queues : info.max_tx_queues);
	return max;
}

static int
take_queues(const struct option_row *row, const char *argument)
{
	struct option_row limited = *row;

	limited.b = queues_max(row->a != 0);
	limited.a = 0;
	return take_u16(&limited, argument);
}

static int
take_burst(const struct option_row *row, const char *argument)
{
	struct rte_eth_dev_info info;
	uint64_t value;
	int rc;

	if (number(row, argument, &value) < 0)
		return -1;
	if (value == 0) {
		/* The driver's own; of the first port, as ports are taken to be alike. */
		rc = rte_eth_dev_is_valid_port(0) ? rte_eth_dev_info_get(0, &info) : -ENODEV;
		value = rc == 0 ? info.default_rxportconf.burst_size : 0;
		if (value == 0 || value > BURST_MAX)
			return bad(row, "port 0 recommends no burst, give 1 to %u",
				   BURST_MAX);
		printf("Using PMD-provided burst value of %" PRIu64 "\n", value);
	}
	config.burst = (uint16_t)value;
	return 0;
}

static int
take_nb_cores(const struct option_row *row, const char *argument)
{
	struct option_row limited = *row;
	uint64_t value;

	limited.a = 1;
	limited.b = fwd_lcores()->configured;
	if (number(&limited, argument, &value) < 0)
		return -1;
	return fwd_set_lcore_count((uint16_t)value);
}

static int
take_nb_ports(const struct option_row *row, const char *argument)
{
	struct option_row limited = *row;
	uint64_t value;

	limited.a = 1;
	limited.b = fwd_ports()->configured;
	if (number(&limited, argument, &value) < 0)
		return -1;
	return fwd_set_port_count((uint16_t)value);
}

static int
take_coremask(const struct option_row *row, const char *argument)
{
	uint64_t mask;

	if (hexadecimal(row, argument, &mask) < 0)
		return -1;
	return fwd_set_lcore_mask(mask) < 0 ? -1 : 0;
}

static int
take_portmask(const struct option_row *row, const char *argument)
{
	uint64_t mask;

	if (hexadecimal(row, argument, &mask) < 0)
		return -1;
	return fwd_set_port_mask(mask) < 0 ? -1 : 0;
}

static int
take_portlist(const struct option_row *row, const char *argument)
{
	uint32_t ports[RTE_MAX_ETHPORTS];
	int count = value_list(argument, RTE_MAX_ETHPORTS - 1, ports, RTE_DIM(ports));

	if (count < 0)
		return bad(row, "'%s' is not a list of ports", argument);
	return fwd_set_ports(ports, (unsigned int)count) < 0 ? -1 : 0;
}

static int
take_eth_peer(const struct option_row *row, const char *argument)
{
	struct rte_ether_addr address;
	uint16_t port;

	if (value_peer(argument, &port, &address) < 0)
		return bad(row, "'%s' is not PORT,MAC with PORT below %u", argument,
			   RTE_MAX_ETHPORTS);
	config.peers[port] = address;
	measure_set_peer(&address);
	return 0;
}

/* One MAC address a line, that of port 0 first. */
static int
take_eth_peers_file(const struct option_row *row, const char *argument)
{
	FILE *file = fopen(argument, "r");
	char line[64];
	uint16_t port;
	int rc = 0;

	if (file == NULL)
		return bad(row, "cannot open %s: %s", argument, strerror(errno));
	for (port = 0; rc == 0 && port < RTE_MAX_ETHPORTS &&
	     fgets(line, sizeof(line), file) != NULL; port++) {
		line[strcspn(line, "\r\n")] = '\0';
		if (rte_ether_unformat_addr(line, &config.peers[port]) < 0)
			rc = bad(row, "%s: line %u is not a MAC address", argument,
				 port + 1u);
	}
	fclose(file);
	return rc;
}

static int
take_tx_ip(const struct option_row *row, const char *argument)
{
	char source[INET_ADDRSTRLEN] = "";
	const char *comma = strchr(argument, ',');
	struct in_addr from, to;

	if (comma != NULL && (size_t)(comma - argument) < sizeof(source))
		memcpy(source, argument, (size_t)(comma - argument));
	if (comma == NULL || inet_pton(AF_INET, source, &from) != 1 ||
	    inet_pton(AF_INET, comma + 1, &to) != 1)
		return bad(row, "'%s' is not SOURCE,DESTINATION in IPv4 addresses", argument);
	config.tx.ip_source = rte_be_to_cpu_32(from.s_addr);
	config.tx.ip_destination = rte_be_to_cpu_32(to.s_addr);
	return 0;
}

static int
take_tx_udp(const struct option_row *row, const char *argument)
{
	uint32_t ports[2];
	int count = value_list(argument, UINT16_MAX, ports, RTE_DIM(ports));

	if (count < 0)
		return bad(row, "'%s' is not SOURCE[,DESTINATION] in UDP ports", argument);
	config.tx.udp_source = (uint16_t)ports[0];
	config.tx.udp_destination = (uint16_t)ports[count - 1];
	return 0;
}

static int
take_link_speed(const struct option_row *row, const char *argument)
{
	static const struct { uint64_t mbps; uint32_t flag; } speeds[] = {
		{ 10, RTE_ETH_LINK_SPEED_10M },
		{ 100, RTE_ETH_LINK_SPEED_100M },
		{ 1000, RTE_ETH_LINK_SPEED_1G },
		{ 2500, RTE_ETH_LINK_SPEED_2_5G },
		{ 10000, RTE_ETH_LINK_SPEED_10G },
		{ 25000, RTE_ETH_LINK_SPEED_25G },
		{ 40000, RTE_ETH_LINK_SPEED_40G },
		{ 50000, RTE_ETH_LINK_SPEED_50G },
		{ 100000, RTE_ETH_LINK_SPEED_100G },
		{ 200000, RTE_ETH_LINK_SPEED_200G },
	};
	uint64_t value;
	unsigned int i;

	if (number(row, argument, &value) < 0)
		return -1;
	for (i = 0; i < RTE_DIM(speeds); i++)
		if (speeds[i].mbps == value) {
			config.link_speeds = RTE_ETH_LINK_SPEED_FIXED | speeds[i].flag;
			return 0;
		}
	return bad(row, "no such speed: %s Mbit/s", argument);
}

static int
take_rss(const struct option_row *row, const char *argument __rte_unused)
{
	config.rss_types = row->a;
	return 0;
}

static int
take_event(const struct option_row *row, const char *argument)
{
	static const struct { const char *name; enum rte_eth_event_type type; } events[] = {
		{ "unknown", RTE_ETH_EVENT_UNKNOWN },
		{ "intr_lsc", RTE_ETH_EVENT_INTR_LSC },
		{ "queue_state", RTE_ETH_EVENT_QUEUE_STATE },
		{ "intr_reset", RTE_ETH_EVENT_INTR_RESET },
		{ "vf_mbox", RTE_ETH_EVENT_VF_MBOX },
		{ "ipsec", RTE_ETH_EVENT_IPSEC },
		{ "macsec", RTE_ETH_EVENT_MACSEC },
		{ "intr_rmv", RTE_ETH_EVENT_INTR_RMV },
		{ "dev_probed", RTE_ETH_EVENT_NEW },
		{ "dev_released", RTE_ETH_EVENT_DESTROY },
		{ "flow_aged", RTE_ETH_EVENT_FLOW_AGED },
		{ "err_recovering", RTE_ETH_EVENT_ERR_RECOVERING },
		{ "recovery_success", RTE_ETH_EVENT_RECOVERY_SUCCESS },
		{ "recovery_failed", RTE_ETH_EVENT_RECOVERY_FAILED },
	};
	uint32_t mask = strcmp(argument, "all") == 0 ? UINT32_MAX : 0;
	unsigned int i;

	for (i = 0; i < RTE_DIM(events); i++)
		if (strcmp(argument, events[i].name) == 0)
			mask = UINT32_C(1) << events[i].type;
	if (mask == 0)
		return bad(row, "no such event: %s", argument);
	if (row->a != 0)
		config.print_events |= mask;
	else
		config.print_events &= ~mask;
	return 0;
}

static int
take_xstats(const struct option_row *row, const char *argument)
{
	return stats_choose_xstats(argument) < 0 ?
	       bad(row, "too many or too long names: %s", argument) : 0;
}

/* Checked once mbuf-size is known, in whatever order the two are given. */
static const char *txpkts;

/* An option that means something with --measure only; NULL: none was given. */
static const struct option_row *of_measuring;

static int
take_measure(const struct option_row *row, const char *argument)
{
	const char *why = measure_option(row->name, argument);

	if (strcmp(row->name, "measure") == 0)
		config.measure = true;
	else
		of_measuring = row;
	return why != NULL ? bad(row, "%s", why) : 0;
}

static int
take_help(const struct option_row *row __rte_unused, const char *argument __rte_unused)
{
	return 1;
}

#define FLAG(name, field, value, help) \
	{ name, NULL, take_bool, &config.field, value, 0, help }
#define OFFLOAD(name, offload, help) \
	{ name, NULL, take_offload, &config.rx_offloads, RTE_ETH_RX_OFFLOAD_##offload, 0, help }
#define U16(name, argument, field, min, max, help) \
	{ name, argument, take_u16, &config.field, min, max, help }
#define U32(name, argument, field, min, max, help) \
	{ name, argument, take_u32, &config.field, min, max, help }
#define OWN(name, argument, take, help) \
	{ name, argument, take, NULL, 0, 0, help }
#define MEASURE(name, argument, help) \
	{ name, argument, take_measure, NULL, 0, 0, help }
#define REFUSED(name, argument) \
	{ name, argument, refuse, NULL, 0, 0, NULL }

static const struct option_row rows[] = {
	OWN("help", NULL, take_help, "display this message and quit"),
	OWN("interactive", NULL, take_interactive, "run in interactive mode (-i)"),
	OWN("auto-start", NULL, take_auto_start,
	    "start forwarding on init, always so when not interactive (-a)"),
	{ "cmdline-file", "FILE", take_cmdline_file, &config.cmdline_file, 0, 0,
	  "execute the commands of a file before the prompt or before forwarding" },
	OWN("tx-first", NULL, take_tx_first,
	    "send a burst before forwarding (not with -i)"),
	U32("stats-period", "SECONDS", stats_period, 0, UINT16_MAX,
	    "show statistics again and again (not with -i)"),
	OWN("display-xstats", "NAME[,NAME]", take_xstats,
	    "extended statistics to show along with the others"),

	OWN("forward-mode", "MODE", take_forward_mode,
	    "io, mac, macswap, flowgen, rxonly or txonly"),
	OWN("port-topology", "TOPOLOGY", take_topology, "paired (default), chained or loop"),
	OWN("nb-cores", "N", take_nb_cores, "number of forwarding cores"),
	OWN("nb-ports", "N", take_nb_ports, "number of forwarding ports"),
	OWN("coremask", "MASK", take_coremask,
	    "hexadecimal mask of forwarding cores, the main lcore excepted"),
	OWN("portmask", "MASK", take_portmask, "hexadecimal mask of forwarding ports"),
	OWN("portlist", "PORT[,PORT]", take_portlist, "list of forwarding ports"),
	{ "burst", "N", take_burst, NULL, 0, BURST_MAX,
	  "packets per burst, 0: as the driver recommends" },
	FLAG("no-flush-rx", flush_rx, false,
	     "keep what the receive queues hold when forwarding starts"),
	OWN("eth-peer", "X,MAC", take_eth_peer, "MAC address of port X's peer"),
	OWN("eth-peers-configfile", "FILE", take_eth_peers_file,
	    "MAC addresses of the peers, one a line"),
	FLAG("record-core-cycles", record_cycles, true, "measure CPU cycles per packet"),
	FLAG("record-burst-stats", record_bursts, true, "record how bursts spread"),

	{ "txpkts", "X[,Y]*", take_text, &txpkts, 0, 0,
	  "segment lengths of packets to send, without FCS" },
	FLAG("txonly-multi-flow", tx.multi_flow, true, "several flows in txonly mode"),
	OWN("tx-ip", "SOURCE,DESTINATION", take_tx_ip, "IP addresses in txonly mode"),
	OWN("tx-udp", "SOURCE[,DESTINATION]", take_tx_udp, "UDP ports in txonly mode"),
	U32("flowgen-flows", "N", tx.flows, 1, INT32_MAX, "flows in flowgen mode"),
	U32("flowgen-clones", "N", tx.clones, 0, BURST_MAX,
	    "copies of each packet in flowgen mode"),

	{ "rxq", "N", take_queues, &config.rx_queues, 1, 0, "receive queues per port" },
	{ "txq", "N", take_queues, &config.tx_queues, 0, 0, "transmit queues per port" },
	U16("rxd", "N", rx_descriptors, 1, UINT16_MAX, "descriptors per receive queue"),
	U16("txd", "N", tx_descriptors, 1, UINT16_MAX, "descriptors per transmit queue"),
	U32("rxpt", "N", rx_thresholds.prefetch, 0, UINT8_MAX, "receive prefetch threshold"),
	U32("rxht", "N", rx_thresholds.host, 0, UINT8_MAX, "receive host threshold"),
	U32("rxwt", "N", rx_thresholds.writeback, 0, UINT8_MAX,
	    "receive write-back threshold"),
	U32("rxfreet", "N", rx_thresholds.free, 0, INT16_MAX, "receive free threshold"),
	U32("txpt", "N", tx_thresholds.prefetch, 0, UINT8_MAX, "transmit prefetch threshold"),
	U32("txht", "N", tx_thresholds.host, 0, UINT8_MAX, "transmit host threshold"),
	U32("txwt", "N", tx_thresholds.writeback, 0, UINT8_MAX,
	    "transmit write-back threshold"),
	U32("txfreet", "N", tx_thresholds.free, 0, INT16_MAX, "transmit free threshold"),
	U32("txrst", "N", tx_thresholds.rs, 0, INT16_MAX, "transmit RS bit threshold"),
	U32("max-pkt-len", "N", max_packet_length, RTE_ETHER_MIN_LEN, UINT16_MAX,
	    "largest packet in bytes, header and FCS counted"),
	U32("max-lro-pkt-size", "N", max_lro_size, 0, UINT16_MAX, "largest LRO packet"),
	OFFLOAD("disable-crc-strip", KEEP_CRC, "leave the FCS on received packets"),
	OFFLOAD("enable-lro", TCP_LRO, "large receive offload"),
	OFFLOAD("enable-scatter", SCATTER, "receive into several mbufs"),
	OFFLOAD("enable-rx-cksum", CHECKSUM, "checksum offload on receive"),
	OFFLOAD("enable-rx-timestamp", TIMESTAMP, "receive timestamps"),
	OFFLOAD("enable-hw-vlan", VLAN, "VLAN stripping, filter and more"),
	OFFLOAD("enable-hw-vlan-filter", VLAN_FILTER, "VLAN filter"),
	OFFLOAD("enable-hw-vlan-strip", VLAN_STRIP, "VLAN stripping"),
	OFFLOAD("enable-hw-vlan-extend", VLAN_EXTEND, "extended VLAN"),
	OFFLOAD("enable-hw-qinq-strip", QINQ_STRIP, "QinQ stripping"),
	FLAG("enable-drop-en", rx_drop_en, true, "drop packets of a full queue"),
	{ "rx-offloads", "0xMASK", take_hex64, &config.rx_offloads, 0, 0,
	  "hexadecimal mask of receive offloads" },
	{ "tx-offloads", "0xMASK", take_hex64, &config.tx_offloads, 0, 0,
	  "hexadecimal mask of transmit offloads" },
	{ "rx-mq-mode", "0xMASK", take_hex32, &config.rx_mq_mode,
	  RTE_ETH_MQ_RX_VMDQ_DCB_RSS, 0, "hexadecimal mask of multi-queue modes" },
	{ "disable-rss", NULL, take_rss, NULL, 0, 0, "no RSS" },
	{ "rss-ip", NULL, take_rss, NULL, RTE_ETH_RSS_IP, 0, "RSS over IP" },
	{ "rss-udp", NULL, take_rss, NULL, RTE_ETH_RSS_UDP, 0, "RSS over IP and UDP" },
	{ "rss-level-inner", NULL, take_offload, &config.rss_types,
	  RTE_ETH_RSS_LEVEL_INNERMOST, 0, "RSS over the innermost header" },
	{ "rss-level-outer", NULL, take_offload, &config.rss_types,
	  RTE_ETH_RSS_LEVEL_OUTERMOST, 0, "RSS over the outermost header" },
	{ "eth-link-speed", "MBPS", take_link_speed, NULL, 1, UINT32_MAX,
	  "force the link's speed" },
	FLAG("flow-isolate-all", flow_isolate, true, "isolate the flows of all ports"),
	FLAG("no-lsc-interrupt", link_interrupt, false, "no link status interrupts"),
	FLAG("no-rmv-interrupt", remove_interrupt, false, "no device removal interrupts"),
	FLAG("disable-link-check", check_link, false,
	     "do not wait for the link when ports start and stop"),
	FLAG("disable-device-start", start_ports, false, "leave the ports stopped"),
	{ "print-event", "EVENT", take_event, NULL, 1, 0, "print an event, or all" },
	{ "mask-event", "EVENT", take_event, NULL, 0, 0, "do not print an event, or all" },

	U32("mbuf-size", "N", mbuf_size, RTE_PKTMBUF_HEADROOM + RTE_ETHER_MIN_LEN, UINT16_MAX,
	    "bytes of an mbuf's buffer, headroom counted"),
	U32("total-num-mbufs", "N", total_mbufs, TOTAL_MBUFS_MIN + 1, INT32_MAX,
	    "mbufs in each pool; enough for the ports by default"),
	U32("mbcache", "N", mbuf_cache, 0, RTE_MEMPOOL_CACHE_MAX_SIZE,
	    "mbufs that each lcore keeps"),
	FLAG("numa", numa, true, "memory on each port's NUMA node (default)"),
	FLAG("no-numa", numa, false, "all memory on one NUMA node"),
	U32("socket-num", "N", socket, 0, RTE_MAX_NUMA_NODES - 1, "that node"),
	FLAG("mlockall", lock_memory, true, "lock all memory (default)"),
	FLAG("no-mlockall", lock_memory, false, "do not lock all memory"),

	MEASURE("measure", "[WORK[,WORK]]",
		"measure rxdrop, txonly, l2fwd (all by default) and end"),
	MEASURE("sizes", "N[,N]", "frame sizes, 64,1500 by default (see below)"),
	MEASURE("modes", "MODE[,MODE]", "skb, native, zc (all by default)"),
	MEASURE("duration", "SECONDS", "time of each measurement, 5 by default"),
	MEASURE("iface", "NAME", "Linux interface, opened once for each mode"),
	MEASURE("devargs", "ARGS", "further arguments for the driver of --iface"),
	MEASURE("measure-port", "PORT", "measure on this port of EAL's"),
	MEASURE("verify", NULL, "number and sum the frames of txonly for the receiver"),
	MEASURE("format", "FORMAT", "table, json or csv"),
	MEASURE("output", "FILE", "write the results there"),
	MEASURE("strict", NULL, "fail if anything could not be measured"),

	REFUSED("bitrate-stats", "N"), REFUSED("latencystats", "N"),
	REFUSED("geneve-parsed-port", "N"), REFUSED("vxlan-gpe-port", "N"),
	REFUSED("hairpinq", "N"), REFUSED("hairpin-mode", "N"), REFUSED("hot-plug", NULL),
	REFUSED("mp-anon", NULL), REFUSED("multi-rx-mempool", NULL),
	REFUSED("no-iova-contig", NULL), REFUSED("noisy-lkup-memory", "N"),
	REFUSED("noisy-lkup-num-reads", "N"), REFUSED("noisy-lkup-num-reads-writes", "N"),
	REFUSED("noisy-lkup-num-writes", "N"), REFUSED("noisy-tx-sw-buffer-flushtime", "N"),
	REFUSED("noisy-tx-sw-buffer-size", "N"), REFUSED("port-numa-config", "LIST"),
	REFUSED("ring-numa-config", "LIST"), REFUSED("rxhdrs", "LIST"),
	REFUSED("rxoffs", "LIST"), REFUSED("rxpkts", "LIST"), REFUSED("rxq-share", "[N]"),
	{ "mp-alloc", "KIND", refuse_other, "native", 0, 0, NULL },
	{ "num-procs", "N", refuse_other, "1", 0, 0, NULL },
	{ "proc-id", "N", refuse_other, "0", 0, 0, NULL },
};

static void
show_help(const char *program)
{
	char left[64];
	unsigned int i;

	printf("\nUsage: %s [EAL options] -- [options]\n\n", program);
	for (i = 0; i < RTE_DIM(rows); i++) {
		const char *argument = rows[i].argument;

		if (rows[i].help == NULL)
			continue;
		if (argument == NULL)
			snprintf(left, sizeof(left), "--%s", rows[i].name);
		else if (argument[0] == '[')
			snprintf(left, sizeof(left), "--%s[=%s", rows[i].name, argument + 1);
		else
			snprintf(left, sizeof(left), "--%s=%s", rows[i].name, argument);
		printf("  %-36s %s\n", left, rows[i].help);
	}
	printf("\n%s", measure_help);
}

/* Names the option that getopt_long() stopped at, as it was written. */
static int
unknown_option(int argc, char **argv)
{
	const char *text = optind > 1 && optind <= argc ? argv[optind - 1] : "";

	if (optopt >= LONG_FIRST)
		fprintf(stderr, "ti-testpmd: --%s: takes no value\n",
			rows[optopt - LONG_FIRST].name);
	else if (strncmp(text, "--", 2) == 0 || optopt == 0)
		fprintf(stderr, "ti-testpmd: unknown or ambiguous option: %s\n", text);
	else
		fprintf(stderr, "ti-testpmd: unknown option: -%c\n", optopt);
	return -1;
}

static const struct option_row *
row_named(const char *name)
{
	unsigned int i;

	for (i = 0; strcmp(rows[i].name, name) != 0; i++)
		;
	return &rows[i];
}

/* What one option alone cannot know. */
static int
check_together(void)
{
	const char *why;

	if (of_measuring != NULL && !config.measure)
		return bad(of_measuring, "only with --measure");
	why = config.measure ? measure_options_complete() : NULL;
	if (why != NULL)
		return bad(row_named("measure"), "%s", why);
	if (config.tx_first > 0 && config.interactive)
		return bad(row_named("tx-first"), "not in interactive mode");
	if (config.measure && config.interactive)
		return bad(row_named("measure"), "not in interactive mode");
	if (config.rx_queues == 0 && config.tx_queues == 0)
		return bad(row_named("rxq"), "no receive and no transmit queues");
	if (config.rx_thresholds.free != THRESHOLD_UNSET && config.rx_descriptors != 0 &&
	    config.rx_thresholds.free >= config.rx_descriptors)
		return bad(row_named("rxd"), "must be more than rxfreet (%d)",
			   config.rx_thresholds.free);
	if (txpkts != NULL && set_txpkts(txpkts) < 0)
		return -1;
	return 0;
}

enum options_result
options_parse(int argc, char **argv)
{
	struct option options[RTE_DIM(rows) + 1] = { 0 };
	const struct option_row *row;
	unsigned int i;
	int code, rc;

	for (i = 0; i < RTE_DIM(rows); i++) {
		options[i].name = rows[i].name;
		options[i].val = LONG_FIRST + (int)i;
		if (rows[i].argument != NULL)
			options[i].has_arg = rows[i].argument[0] == '[' ?
					     optional_argument : required_argument;
	}
	txpkts = NULL;
	of_measuring = NULL;
	opterr = 0;
	optind = 0; /* GNU: start anew, EAL has used it */
	while ((code = getopt_long(argc, argv, ":iah", options, NULL)) != -1) {
		switch (code) {
		case SHORT_INTERACTIVE:
			row = row_named("interactive");
			break;
		case SHORT_AUTO_START:
			row = row_named("auto-start");
			break;
		case SHORT_HELP:
			row = row_named("help");
			break;
		case ':':
			bad(&rows[optopt - LONG_FIRST], "needs a value");
			return OPTIONS_BAD;
		case '?':
			unknown_option(argc, argv);
			return OPTIONS_BAD;
		default:
			row = &rows[code - LONG_FIRST];
			break;
		}
		rc = row->take(row, optarg);
		if (rc < 0)
			return OPTIONS_BAD;
		if (rc > 0) {
			show_help(argv[0]);
			return OPTIONS_DONE;
		}
	}
	if (optind != argc) {
		fprintf(stderr, "ti-testpmd: not an option: %s\n", argv[optind]);
		return OPTIONS_BAD;
	}
	return check_together() < 0 ? OPTIONS_BAD : OPTIONS_RUN;
}
