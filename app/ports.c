/* SPDX-License-Identifier: BSD-3-Clause */
/* Ports: configuring, starting, stopping and closing them. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_flow.h>

#include "config.h"
#include "dump.h"
#include "forward.h"
#include "fwd_set.h"
#include "log.h"
#include "pool.h"
#include "ports.h"
#include "signals.h"

#define LINK_POLL_MS	100
#define LINK_POLLS_MAX	90 /* 9 seconds */

static struct port ports[RTE_MAX_ETHPORTS];

static const char *const event_names[RTE_ETH_EVENT_MAX] = {
	[RTE_ETH_EVENT_UNKNOWN] = "unknown",
	[RTE_ETH_EVENT_INTR_LSC] = "link state change",
	[RTE_ETH_EVENT_QUEUE_STATE] = "queue state",
	[RTE_ETH_EVENT_INTR_RESET] = "reset",
	[RTE_ETH_EVENT_VF_MBOX] = "VF mbox",
	[RTE_ETH_EVENT_MACSEC] = "MACsec",
	[RTE_ETH_EVENT_INTR_RMV] = "device removal",
	[RTE_ETH_EVENT_NEW] = "device probed",
	[RTE_ETH_EVENT_DESTROY] = "device released",
	[RTE_ETH_EVENT_IPSEC] = "IPsec",
	[RTE_ETH_EVENT_FLOW_AGED] = "flow aged",
	[RTE_ETH_EVENT_RX_AVAIL_THRESH] = "RxQ available descriptors threshold reached",
	[RTE_ETH_EVENT_ERR_RECOVERING] = "error recovering",
	[RTE_ETH_EVENT_RECOVERY_SUCCESS] = "error recovery successful",
	[RTE_ETH_EVENT_RECOVERY_FAILED] = "error recovery failed",
};

static int
port_event(uint16_t id, enum rte_eth_event_type type, void *arg __rte_unused,
	   void *result __rte_unused)
{
	if (type == RTE_ETH_EVENT_DESTROY)
		ports[id].state = PORT_CLOSED;
	/* The lines of the measuring mode are read by programs. */
	if (config.measure)
		return 0;
	if (type < RTE_DIM(event_names) && event_names[type] != NULL &&
	    (config.print_events & (UINT32_C(1) << type)) != 0)
		printf("\nPort %" PRIu16 ": %s event\n", id, event_names[type]);
	if (type == RTE_ETH_EVENT_DESTROY)
		printf("Port %u is closed\n", id);
	return 0;
}

struct port *
port_get(uint16_t id)
{
	return &ports[id];
}

bool
port_valid(uint16_t id)
{
	if (id == PORT_ALL || rte_eth_dev_is_valid_port(id))
		return true;
	fprintf(stderr, "Invalid port %u\n", id);
	return false;
}

uint16_t
ports_count(void)
{
	return rte_eth_dev_count_avail();
}

bool
ports_all(enum port_state state)
{
	bool any = false;
	uint16_t id;

	RTE_ETH_FOREACH_DEV(id) {
		if (ports[id].state != state)
			return false;
		any = true;
	}
	return any;
}

void
ports_reconfigure(void)
{
	uint16_t id;

	RTE_ETH_FOREACH_DEV(id)
		ports[id].configure = true;
}

uint32_t
port_frame_overhead(const struct rte_eth_dev_info *info)
{
	if (info->max_mtu != UINT16_MAX && info->max_rx_pktlen > info->max_mtu)
		return info->max_rx_pktlen - info->max_mtu;
	return RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN;
}

int
port_add(uint16_t id)
{
	struct port *port = &ports[id];
	int rc;

	memset(port, 0, sizeof(*port));
	port->id = id;
	port->state = PORT_STOPPED;
	port->configure = true;
	port->socket = rte_eth_dev_socket_id(id);
	if (port->socket < 0)
		port->socket = rte_socket_id_by_idx(0);
	rc = rte_eth_dev_info_get(id, &port->info);
	if (rc == 0)
		rc = rte_eth_macaddr_get(id, &port->address);
	return rc;
}

int
ports_init(void)
{
	enum rte_eth_event_type type;
	uint16_t id;
	int rc;

	for (type = RTE_ETH_EVENT_UNKNOWN; type < RTE_ETH_EVENT_MAX; type++) {
		rc = rte_eth_dev_callback_register(RTE_ETH_ALL, type, port_event, NULL);
		if (rc != 0)
			return rc;
	}
	RTE_ETH_FOREACH_DEV(id) {
		rc = port_add(id);
		if (rc != 0)
			return rc;
	}
	return 0;
}

static void
set_threshold(uint8_t *field, int32_t value)
{
	if (value != THRESHOLD_UNSET)
		*field = (uint8_t)value;
}

/* What rte_eth_dev_configure() is to be given, from the configuration and the device. */
static void
make_conf(struct port *port)
{
	const struct rte_eth_dev_info *info = &port->info;
	struct rte_eth_conf *conf = &port->conf;
	uint64_t hash;

	memset(conf, 0, sizeof(*conf));
	conf->link_speeds = config.link_speeds;
	conf->rxmode.offloads = config.rx_offloads;
	conf->rxmode.max_lro_pkt_size = config.max_lro_size;
	conf->txmode.offloads = config.tx_offloads;
	if ((info->tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE) == 0)
		conf->txmode.offloads &= ~RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	if (port->mtu != 0)
		conf->rxmode.mtu = port->mtu;
	else if (config.max_packet_length != 0)
		conf->rxmode.mtu = config.max_packet_length - port_frame_overhead(info);

	hash = config.rx_queues > 1 ? config.rss_types & info->flow_type_rss_offloads : 0;
	if (hash != 0) {
		conf->rx_adv_conf.rss_conf.rss_hf = hash;
		conf->rxmode.mq_mode = (enum rte_eth_rx_mq_mode)
				       (config.rx_mq_mode & RTE_ETH_MQ_RX_RSS);
	} else {
		conf->rxmode.mq_mode = RTE_ETH_MQ_RX_NONE;
		conf->rxmode.offloads &= ~RTE_ETH_RX_OFFLOAD_RSS_HASH;
	}
	if (config.link_interrupt && (*info->dev_flags & RTE_ETH_DEV_INTR_LSC) != 0)
		conf->intr_conf.lsc = 1;
	if (config.remove_interrupt && (*info->dev_flags & RTE_ETH_DEV_INTR_RMV) != 0)
		conf->intr_conf.rmv = 1;
}

/* The same for the queues, once the device has said what it made of its configuration. */
static void
make_queue_conf(struct port *port)
{
	struct rte_eth_rxconf *rx = &port->rx_conf;
	struct rte_eth_txconf *tx = &port->tx_conf;

	*rx = port->info.default_rxconf;
	set_threshold(&rx->rx_thresh.pthresh, config.rx_thresholds.prefetch);
	set_threshold(&rx->rx_thresh.hthresh, config.rx_thresholds.host);
	set_threshold(&rx->rx_thresh.wthresh, config.rx_thresholds.writeback);
	if (config.rx_thresholds.free != THRESHOLD_UNSET)
		rx->rx_free_thresh = (uint16_t)config.rx_thresholds.free;
	if (config.rx_drop_en)
		rx->rx_drop_en = 1;
	rx->offloads = port->conf.rxmode.offloads;

	*tx = port->info.default_txconf;
	set_threshold(&tx->tx_thresh.pthresh, config.tx_thresholds.prefetch);
	set_threshold(&tx->tx_thresh.hthresh, config.tx_thresholds.host);
	set_threshold(&tx->tx_thresh.wthresh, config.tx_thresholds.writeback);
	if (config.tx_thresholds.free != THRESHOLD_UNSET)
		tx->tx_free_thresh = (uint16_t)config.tx_thresholds.free;
	if (config.tx_thresholds.rs != THRESHOLD_UNSET)
		tx->tx_rs_thresh = (uint16_t)config.tx_thresholds.rs;
	tx->offloads = port->conf.txmode.offloads;
}

static int
setup_queues(struct port *port, const char **step)
{
	struct rte_mempool *pool = pool_get(port->socket);
	uint16_t queue;
	int rc;

	if (pool == NULL) {
		*step = "create the mbuf pool of";
		return rte_errno != 0 ? -rte_errno : -ENOMEM;
	}
	make_queue_conf(port);
	*step = "set up the transmit queues of";
	for (queue = 0; queue < config.tx_queues; queue++) {
		rc = rte_eth_tx_queue_setup(port->id, queue, config.tx_descriptors,
					    (unsigned int)port->socket, &port->tx_conf);
		if (rc != 0)
			return rc;
	}
	*step = "set up the receive queues of";
	for (queue = 0; queue < config.rx_queues; queue++) {
		rc = rte_eth_rx_queue_setup(port->id, queue, config.rx_descriptors,
					    (unsigned int)port->socket, &port->rx_conf, pool);
		if (rc != 0)
			return rc;
	}
	return 0;
}

static int
configure(struct port *port, const char **step)
{
	struct rte_flow_error error = { .message = NULL };
	struct rte_eth_conf actual;
	int rc;

	*step = "configure";
	rc = rte_eth_dev_info_get(port->id, &port->info);
	if (rc != 0)
		return rc;
	if (config.flow_isolate) {
		rc = rte_flow_isolate(port->id, 1, &error);
		if (rc != 0) {
			*step = "isolate the flows of";
			return rc;
		}
	}
	make_conf(port);
	rc = rte_eth_dev_configure(port->id, config.rx_queues, config.tx_queues, &port->conf);
	if (rc != 0)
		return rc;
	/* The device may have added offloads that it cannot do without. */
	if (rte_eth_dev_conf_get(port->id, &actual) == 0) {
		port->conf.rxmode.offloads |= actual.rxmode.offloads;
		port->conf.txmode.offloads |= actual.txmode.offloads;
	}
	return setup_queues(port, step);
}

int
port_bring_up(struct port *port, const char **step)
{
	int rc;

	if (port->configure) {
		rc = configure(port, step);
		if (rc != 0)
			return rc;
		port->configure = false;
	}
	*step = "start";
	rc = rte_eth_dev_start(port->id);
	if (rc != 0)
		return rc;
	port->state = PORT_STARTED;
	rte_eth_macaddr_get(port->id, &port->address);
	dump_refresh(port->id);
	return 0;
}

int
port_take_down(struct port *port)
{
	int rc = 0;

	if (port->state == PORT_STARTED) {
		rc = rte_eth_dev_stop(port->id);
		port->state = PORT_STOPPED;
	}
	rte_eth_dev_close(port->id);
	return rc;
}

void
ports_check_links(void)
{
	char text[RTE_ETH_LINK_MAX_STR_LEN];
	struct rte_eth_link link;
	unsigned int polls;
	bool all_up = false;
	uint16_t id;
	int rc;

	printf("Checking link statuses...\n");
	for (polls = 0; polls < LINK_POLLS_MAX && !all_up; polls++) {
		all_up = true;
		RTE_ETH_FOREACH_DEV(id) {
			rc = rte_eth_link_get_nowait(id, &link);
			if (rc < 0 || link.link_status == RTE_ETH_LINK_DOWN)
				all_up = false;
		}
		/* With link interrupts the event tells; nothing to wait for. */
		if (config.link_interrupt)
			return;
		if (!all_up && signals_wait(-1, LINK_POLL_MS) != 0)
			return;
	}
	RTE_ETH_FOREACH_DEV(id) {
		rc = rte_eth_link_get_nowait(id, &link);
		if (rc < 0) {
			fprintf(stderr, "Port %u link get failed: %s\n", id,
				rte_strerror(-rc));
			continue;
		}
		rte_eth_link_to_str(text, sizeof(text), &link);
		printf("Port %u %s\n", id, text);
	}
}

int
ports_start(uint16_t id)
{
	bool any = false, all_running = true, any_started = false;
	const char *step;
	uint16_t pid;
	int rc;

	if (!port_valid(id))
		return 0;
	RTE_ETH_FOREACH_DEV(pid) {
		struct port *port = &ports[pid];

		if (id != pid && id != PORT_ALL)
			continue;
		any = true;
		if (port->state != PORT_STOPPED) {
			fprintf(stderr, "Port %u is now not stopped\n", pid);
			continue;
		}
		all_running = false;
		if (port->configure)
			printf("Configuring Port %u (socket %d)\n", pid, port->socket);
		rc = port_bring_up(port, &step);
		if (rc != 0) {
			bool configuring = port->configure;

			fprintf(stderr, "Fail to %s port %u: %s\n", step, pid,
				rte_strerror(-rc));
			if (configuring)
				return -1;
			continue;
		}
		printf("Port %u: " RTE_ETHER_ADDR_PRT_FMT "\n", pid,
		       RTE_ETHER_ADDR_BYTES(&port->address));
		any_started = true;
	}
	if (any_started && config.check_link)
		ports_check_links();
	else if (any && all_running)
		fprintf(stderr, "Please stop the ports first\n");
	printf("Done\n");
	return 0;
}

/* Whether forwarding keeps the port from being stopped or closed. */
static bool
held_by_forwarding(uint16_t id)
{
	if (!forward_running() || !fwd_ports_contain(id))
		return false;
	fprintf(stderr, "Please remove port %u from forwarding configuration.\n", id);
	return true;
}

void
ports_stop(uint16_t id)
{
	bool check = false;
	uint16_t pid;
	int rc;

	if (!port_valid(id))
		return;
	printf("Stopping ports...\n");
	RTE_ETH_FOREACH_DEV(pid) {
		struct port *port = &ports[pid];

		if ((id != pid && id != PORT_ALL) || held_by_forwarding(pid) ||
		    port->state != PORT_STARTED)
			continue;
		rc = rte_eth_dev_stop(pid);
		if (rc != 0) {
			fprintf(stderr, "Fail to stop port %u: %s\n", pid,
				rte_strerror(-rc));
			continue;
		}
		port->state = PORT_STOPPED;
		check = true;
	}
	if (check && config.check_link)
		ports_check_links();
	printf("Done\n");
}

void
ports_close(uint16_t id)
{
	uint16_t pid;

	if (!port_valid(id))
		return;
	printf("Closing ports...\n");
	RTE_ETH_FOREACH_DEV(pid) {
		struct port *port = &ports[pid];

		if ((id != pid && id != PORT_ALL) || held_by_forwarding(pid))
			continue;
		if (port->state == PORT_STARTED) {
			fprintf(stderr, "Cannot close started device (port %u)\n", pid);
			continue;
		}
		rte_eth_dev_close(pid);
		port->state = PORT_CLOSED;
	}
	fwd_set_drop_gone();
	printf("Done\n");
}
