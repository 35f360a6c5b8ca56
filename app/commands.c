/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the prompt: the table, and what each one does. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>

#include "commands.h"
#include "config.h"
#include "dump.h"
#include "forward.h"
#include "fwd_set.h"
#include "packet.h"
#include "plan.h"
#include "ports.h"
#include "show.h"
#include "stats.h"
#include "value.h"

static bool quit;

bool
commands_quit(void)
{
	return quit;
}

/* Whether the port exists; if not, says which do. */
static bool
port_known(uint16_t id)
{
	uint16_t port;

	if (port_valid(id))
		return true;
	printf("The valid ports array is [");
	RTE_ETH_FOREACH_DEV(port)
		printf(" %u", port);
	printf(" ]\n");
	return false;
}

/* Does something to one port or to all. */
static void
for_ports(uint16_t id, void (*action)(uint16_t port))
{
	uint16_t port;

	if (!port_known(id))
		return;
	RTE_ETH_FOREACH_DEV(port)
		if (id == PORT_ALL || id == port)
			action(port);
}

static uint16_t
the_port(const struct command_args *args)
{
	return (uint16_t)command_number(args, "port_id");
}

static bool
refuse_while_forwarding(void)
{
	if (forward_running())
		fprintf(stderr, "Please stop forwarding first\n");
	return forward_running();
}

static bool
refuse_unless_stopped(void)
{
	uint16_t port;

	RTE_ETH_FOREACH_DEV(port)
		if (port_get(port)->state == PORT_STARTED) {
			fprintf(stderr, "Please stop all ports first\n");
			return true;
		}
	return false;
}

/* ---- control ---- */

static void
do_start(const struct command_args *args __rte_unused)
{
	forward_start(0);
}

static void
do_start_tx_first(const struct command_args *args)
{
	forward_start(command_has(args, "count") ?
		      (uint32_t)command_number(args, "count") : 1);
}

static void
do_stop(const struct command_args *args __rte_unused)
{
	forward_stop();
}

static void
do_quit(const struct command_args *args)
{
	quit = true;
	cmdline_quit(command_cmdline(args));
}

/* ---- show and clear ---- */

static void
do_show_port(const struct command_args *args)
{
	const char *what = command_text(args, "what");
	uint16_t port = the_port(args);

	if (strcmp(what, "info") == 0) {
		for_ports(port, show_port_info);
	} else if (strcmp(what, "stats") == 0) {
		for_ports(port, stats_show_port);
	} else if (strcmp(what, "xstats") == 0) {
		for_ports(port, stats_show_port_xstats);
	} else if (port_known(port)) {
		show_port_summary_header();
		for_ports(port, show_port_summary);
	}
}

static void
do_clear_port(const struct command_args *args)
{
	bool basic = strcmp(command_text(args, "what"), "stats") == 0;

	for_ports(the_port(args), basic ? stats_clear_port : stats_clear_port_xstats);
}

static void
do_show_macs(const struct command_args *args)
{
	for_ports(the_port(args), show_port_macs);
}

static void
do_show_fwd_stats(const struct command_args *args __rte_unused)
{
	stats_show_forward();
}

static void
do_clear_fwd_stats(const struct command_args *args __rte_unused)
{
	forward_stats_reset();
}

/* While nothing is forwarded, the configuration that `start` would take. */
static void
show_planned(void)
{
	struct fwd_plan planned;

	if (forward_running()) {
		show_fwd_config(forward_current());
	} else if (plan_make(&planned) == 0) {
		show_fwd_config(&planned);
		plan_free(&planned);
	} else {
		fprintf(stderr, "No memory for the forwarding streams\n");
	}
}

static void
do_show_config(const struct command_args *args)
{
	const char *what = command_text(args, "what");

	if (strcmp(what, "fwd") == 0)
		show_planned();
	else if (strcmp(what, "rxtx") == 0)
		show_rxtx_config();
	else if (strcmp(what, "cores") == 0)
		show_cores();
	else
		show_txpkts();
}

/* ---- forwarding settings ---- */

static void
do_set_fwd(const struct command_args *args)
{
	const char *mode = command_text(args, "mode");

	config.retry = command_has(args, "retry");
	config.engine = fwd_engine_find(mode);
	printf("Set %s packet forwarding mode%s\n", mode,
	       config.retry ? " with retry" : "");
}

static void
do_set_burst(const struct command_args *args)
{
	uint16_t burst = (uint16_t)command_number(args, "count");

	if (burst == 0 || burst > BURST_MAX) {
		fprintf(stderr, "nb pkt per burst: %u > %u (maximum packet per burst)  "
			"ignored\n", burst, BURST_MAX);
		return;
	}
	config.burst = burst;
	printf("Number of packets per burst set to %u\n", burst);
}

static void
do_set_retry(const struct command_args *args)
{
	config.retry_delay = (uint32_t)command_number(args, "delay_usec");
	config.retry_count = (uint32_t)command_number(args, "num_retry");
}

static void
do_set_nbcore(const struct command_args *args)
{
	uint16_t count = (uint16_t)command_number(args, "count");

	if (!refuse_while_forwarding() && fwd_set_lcore_count(count) == 0)
		printf("Number of forwarding cores set to %u\n", count);
}

static void
do_set_nbport(const struct command_args *args)
{
	uint16_t count = (uint16_t)command_number(args, "count");

	if (!refuse_while_forwarding() && fwd_set_port_count(count) == 0)
		printf("Number of forwarding ports set to %u\n", count);
}

static void
do_set_list(const struct command_args *args)
{
	bool cores = strcmp(command_text(args, "what"), "corelist") == 0;
	uint32_t list[RTE_MAX_LCORE];
	int count;

	if (refuse_while_forwarding())
		return;
	count = value_list(command_text(args, "list"), UINT16_MAX - 1, list, RTE_DIM(list));
	if (count < 0)
		fprintf(stderr, "not a list of numbers: %s\n", command_text(args, "list"));
	else if (cores)
		fwd_set_lcores(list, (unsigned int)count);
	else
		fwd_set_ports(list, (unsigned int)count);
}

static void
do_set_mask(const struct command_args *args)
{
	uint64_t mask = command_number(args, "mask");

	if (refuse_while_forwarding())
		return;
	if (strcmp(command_text(args, "what"), "coremask") == 0)
		fwd_set_lcore_mask(mask);
	else
		fwd_set_port_mask(mask);
}

static void
do_set_verbose(const struct command_args *args)
{
	dump_set_level((uint32_t)command_number(args, "level"));
}

static void
do_set_eth_peer(const struct command_args *args)
{
	uint16_t port = the_port(args);

	if (!rte_eth_dev_is_valid_port(port))
		fprintf(stderr, "Error: Invalid port number %u\n", port);
	else
		config.peers[port] = *command_mac(args, "peer_addr");
}

int
set_txpkts(const char *list)
{
	uint32_t lengths[TX_SEGMENTS_MAX], total = 0;
	int count, i;

	count = value_list(list, UINT16_MAX, lengths, RTE_DIM(lengths));
	if (count == -E2BIG) {
		fprintf(stderr, "txpkts: more than %d segments: %s\n", TX_SEGMENTS_MAX, list);
		return -EINVAL;
	}
	if (count < 0) {
		fprintf(stderr, "txpkts: not a list of lengths: %s\n", list);
		return -EINVAL;
	}
	for (i = 0; i < count; i++) {
		if (lengths[i] == 0 || lengths[i] > config.mbuf_size - RTE_PKTMBUF_HEADROOM) {
			fprintf(stderr, "length[%d]=%u > mbuf_data_size=%u - give up\n", i,
				lengths[i], config.mbuf_size - RTE_PKTMBUF_HEADROOM);
			return -EINVAL;
		}
		total += lengths[i];
	}
	if (total < sizeof(struct packet_headers) || total > UINT16_MAX) {
		fprintf(stderr, "total packet length=%u < %zu - give up\n", total,
			sizeof(struct packet_headers));
		return -EINVAL;
	}
	for (i = 0; i < count; i++)
		config.tx.segment[i] = (uint16_t)lengths[i];
	config.tx.segments = (uint16_t)count;
	config.tx.length = (uint16_t)total;
	return 0;
}

static void
do_set_txpkts(const struct command_args *args)
{
	set_txpkts(command_text(args, "lengths"));
}

static void
do_set_txsplit(const struct command_args *args)
{
	const char *split = command_text(args, "split");

	if (strcmp(split, "off") == 0)
		config.tx.split = TX_SPLIT_OFF;
	else
		config.tx.split = strcmp(split, "on") == 0 ? TX_SPLIT_ON : TX_SPLIT_RANDOM;
}

/* ---- port settings ---- */

static void
report_mode(const char *mode, bool on, uint16_t port, int rc)
{
	if (rc != 0)
		fprintf(stderr, "Error during %s %s mode for port %u: %s\n",
			on ? "enabling" : "disabling", mode, port, rte_strerror(-rc));
}

static void
promisc_on(uint16_t port)
{
	report_mode("promiscuous", true, port, rte_eth_promiscuous_enable(port));
}

static void
promisc_off(uint16_t port)
{
	report_mode("promiscuous", false, port, rte_eth_promiscuous_disable(port));
}

static void
allmulti_on(uint16_t port)
{
	report_mode("all-multicast", true, port, rte_eth_allmulticast_enable(port));
}

static void
allmulti_off(uint16_t port)
{
	report_mode("all-multicast", false, port, rte_eth_allmulticast_disable(port));
}

static void
do_set_promisc(const struct command_args *args)
{
	bool on = strcmp(command_text(args, "mode"), "on") == 0;

	for_ports(the_port(args), on ? promisc_on : promisc_off);
}

static void
do_set_allmulti(const struct command_args *args)
{
	bool on = strcmp(command_text(args, "mode"), "on") == 0;

	for_ports(the_port(args), on ? allmulti_on : allmulti_off);
}

static void
do_set_link_up(const struct command_args *args)
{
	if (rte_eth_dev_set_link_up(the_port(args)) < 0)
		fprintf(stderr, "\nSet link up fail.\n");
}

static void
do_set_link_down(const struct command_args *args)
{
	if (rte_eth_dev_set_link_down(the_port(args)) < 0)
		fprintf(stderr, "\nSet link down fail.\n");
}

static void
do_mac_addr(const struct command_args *args)
{
	const char *what = command_text(args, "what");
	struct rte_ether_addr address = *command_mac(args, "mac_addr");
	uint16_t port = the_port(args);
	int rc;

	if (strcmp(what, "add") == 0)
		rc = rte_eth_dev_mac_addr_add(port, &address, 0);
	else if (strcmp(what, "remove") == 0)
		rc = rte_eth_dev_mac_addr_remove(port, &address);
	else
		rc = rte_eth_dev_default_mac_addr_set(port, &address);
	if (rc < 0)
		fprintf(stderr, "mac_addr_cmd error: (%s)\n", rte_strerror(-rc));
	else
		rte_eth_macaddr_get(port, &port_get(port)->address);
}

static void
do_port(const struct command_args *args)
{
	const char *what = command_text(args, "what");

	if (strcmp(what, "start") == 0)
		ports_start(the_port(args));
	else if (strcmp(what, "stop") == 0)
		ports_stop(the_port(args));
	else
		ports_close(the_port(args));
}

static void
do_config_mtu(const struct command_args *args)
{
	uint16_t id = the_port(args), mtu = (uint16_t)command_number(args, "mtu");
	int rc;

	if (!port_valid(id))
		return;
	/* Before the first configuring the device takes no MTU; that will bring it. */
	if (!port_get(id)->configure) {
		rc = rte_eth_dev_set_mtu(id, mtu);
		if (rc != 0) {
			fprintf(stderr, "Set MTU failed. diag=%d\n", rc);
			return;
		}
	}
	port_get(id)->mtu = mtu;
}

static void
do_config_queues(const struct command_args *args)
{
	const char *what = command_text(args, "what");
	uint16_t value = (uint16_t)command_number(args, "value");
	bool rx = what[0] == 'r', queues = what[2] == 'q';
	struct rte_eth_dev_info info;
	uint16_t port;

	if (refuse_unless_stopped())
		return;
	RTE_ETH_FOREACH_DEV(port) {
		uint16_t max;

		if (rte_eth_dev_info_get(port, &info) != 0)
			continue;
		if (queues)
			max = rx ? info.max_rx_queues : info.max_tx_queues;
		else
			max = rx ? info.rx_desc_lim.nb_max : info.tx_desc_lim.nb_max;
		if (value > max) {
			fprintf(stderr, "Fail: input %s (%u) can't be greater than %u of "
				"port %u\n", what, value, max, port);
			return;
		}
	}
	if (queues && value == 0 && (rx ? config.tx_queues : config.rx_queues) == 0) {
		fprintf(stderr, "Warning: Either rx or tx queues should be non zero\n");
		return;
	}
	if (queues)
		*(rx ? &config.rx_queues : &config.tx_queues) = value;
	else
		*(rx ? &config.rx_descriptors : &config.tx_descriptors) = value;
	ports_reconfigure();
}

static void
do_config_max_length(const struct command_args *args)
{
	uint32_t length = (uint32_t)command_number(args, "value");

	if (refuse_unless_stopped())
		return;
	if (length < RTE_ETHER_MIN_LEN) {
		fprintf(stderr, "max-pkt-len can not be less than %d\n", RTE_ETHER_MIN_LEN);
		return;
	}
	config.max_packet_length = length;
	ports_reconfigure();
}

/* ---- help ---- */

static const struct {
	const char *name;
	const char *summary;
	const char *title;
} sections[] = {
	[SECTION_CONTROL] = { "control", "Start and stop forwarding.",
			      "Control forwarding" },
	[SECTION_DISPLAY] = { "display", "Displaying port, stats and config information.",
			      "Display" },
	[SECTION_CONFIG] = { "config", "Configuration information.", "Configuration" },
	[SECTION_PORTS] = { "ports", "Configuring ports.", "Port Operations" },
	[SECTION_DEVICES] = { "devices", "Device related commands.", "Device Operations" },
};

static void
help_section(unsigned int section)
{
	const struct command *command;
	char usage[512];
	size_t i;

	printf("\n%s:\n", sections[section].title);
	for (i = 0; i < strlen(sections[section].title) + 1; i++)
		putchar('-');
	printf("\n\n");
	for (command = commands; command->pattern != NULL; command++) {
		if (command->section != section)
			continue;
		command_usage(command, usage, sizeof(usage));
		printf("%s\n    %s\n\n", usage, command->help);
	}
}

static void
do_help(const struct command_args *args)
{
	const char *chosen = command_has(args, "section") ?
			     command_text(args, "section") : NULL;
	unsigned int i;

	if (chosen == NULL) {
		printf("\nHelp is available for the following sections:\n\n");
		for (i = 0; i < RTE_DIM(sections); i++)
			printf("    help %-27s: %s\n", sections[i].name,
			       sections[i].summary);
		printf("    help %-27s: %s\n\n", "all", "All of the above sections.");
		return;
	}
	for (i = 0; i < RTE_DIM(sections); i++)
		if (strcmp(chosen, "all") == 0 || strcmp(chosen, sections[i].name) == 0)
			help_section(i);
}

const struct command commands[] = {
	{ SECTION_CONTROL, "start", "Start packet forwarding with the present configuration.",
	  do_start, NULL },
	{ SECTION_CONTROL, "start tx_first [<count:u32>]",
	  "Start packet forwarding, after sending one or count bursts of packets.",
	  do_start_tx_first, NULL },
	{ SECTION_CONTROL, "stop",
	  "Stop packet forwarding, and display accumulated statistics.", do_stop, NULL },
	{ SECTION_CONTROL, "quit", "Stop forwarding, close all ports and end.",
	  do_quit, NULL },
	{ SECTION_NONE, "help [(section=control|display|config|ports|devices|all)]",
	  "Show help.", do_help, NULL },

	{ SECTION_DISPLAY, "show port (what=info|stats|xstats|summary) <port_id:ports>",
	  "Display information of one port, or of all.", do_show_port, NULL },
	{ SECTION_DISPLAY, "clear port (what=stats|xstats) <port_id:ports>",
	  "Clear the statistics of one port, or of all.", do_clear_port, NULL },
	{ SECTION_DISPLAY, "show port <port_id:port> macs",
	  "Display the MAC addresses of a port.", do_show_macs, NULL },
	{ SECTION_DISPLAY, "show config (what=rxtx|cores|fwd|txpkts)",
	  "Display the given configuration.", do_show_config, NULL },
	{ SECTION_DISPLAY, "show fwd stats all", "Display the statistics of forwarding.",
	  do_show_fwd_stats, NULL },
	{ SECTION_DISPLAY, "clear fwd stats all", "Clear the statistics of forwarding.",
	  do_clear_fwd_stats, NULL },

	{ SECTION_CONFIG, "set fwd (mode=@)", "Set packet forwarding mode.", do_set_fwd,
	  fwd_engine_names },
	{ SECTION_CONFIG, "set fwd (mode=@) (retry=retry)",
	  "Set packet forwarding mode with retry.", do_set_fwd, fwd_engine_names },
	{ SECTION_CONFIG, "set burst <count:u16>", "Set the number of packets per burst.",
	  do_set_burst, NULL },
	{ SECTION_CONFIG, "set burst tx delay <delay_usec:u32> retry <num_retry:u32>",
	  "Set the delay between retries and their number, for modes with retry.",
	  do_set_retry, NULL },
	{ SECTION_CONFIG, "set txpkts <lengths:string>",
	  "Set the length of each segment (x[,y]*) of packets to send.", do_set_txpkts, NULL },
	{ SECTION_CONFIG, "set txsplit (split=off|on|rand)",
	  "Set whether packets have all the segments of txpkts, or a random number.",
	  do_set_txsplit, NULL },
	{ SECTION_CONFIG, "set nbcore <count:u16>", "Set the number of forwarding cores.",
	  do_set_nbcore, NULL },
	{ SECTION_CONFIG, "set nbport <count:u16>", "Set the number of forwarding ports.",
	  do_set_nbport, NULL },
	{ SECTION_CONFIG, "set (what=corelist|portlist) <list:string>",
	  "Set the list (x[,y]*) of forwarding cores or ports.", do_set_list, NULL },
	{ SECTION_CONFIG, "set (what=coremask|portmask) <mask:hex>",
	  "Set the hexadecimal mask of forwarding cores or ports.", do_set_mask, NULL },
	{ SECTION_CONFIG, "set eth-peer <port_id:port> <peer_addr:mac>",
	  "Set the MAC address of a port's peer.", do_set_eth_peer, NULL },
	{ SECTION_CONFIG, "set verbose <level:u16>",
	  "Print packets: 0 none, 1 received, 2 sent, 3 both.", do_set_verbose, NULL },

	{ SECTION_CONFIG, "set promisc <port_id:ports> (mode=on|off)",
	  "Set promiscuous mode of one port, or of all.", do_set_promisc, NULL },
	{ SECTION_CONFIG, "set allmulti <port_id:ports> (mode=on|off)",
	  "Set allmulticast mode of one port, or of all.", do_set_allmulti, NULL },
	{ SECTION_CONFIG, "set link-up port <port_id:port>", "Set link up for a port.",
	  do_set_link_up, NULL },
	{ SECTION_CONFIG, "set link-down port <port_id:port>", "Set link down for a port.",
	  do_set_link_down, NULL },
	{ SECTION_CONFIG, "mac_addr (what=add|remove|set) <port_id:port> <mac_addr:mac>",
	  "Add or remove a MAC address of a port, or set its own.", do_mac_addr, NULL },

	{ SECTION_PORTS, "port (what=start|stop|close) <port_id:ports>",
	  "Start, stop or close one port, or all.", do_port, NULL },
	{ SECTION_PORTS, "port config mtu <port_id:port> <mtu:u16>", "Set the MTU of a port.",
	  do_config_mtu, NULL },
	{ SECTION_PORTS, "port config all (what=rxq|txq|rxd|txd) <value:u16>",
	  "Set the number of queues, or of descriptors a queue.", do_config_queues, NULL },
	{ SECTION_PORTS, "port config all max-pkt-len <value:u32>",
	  "Set the maximum packet length.", do_config_max_length, NULL },

	{ SECTION_NONE, NULL, NULL, NULL, NULL },
};
