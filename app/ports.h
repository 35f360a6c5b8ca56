/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ports: configuring, starting, stopping and closing them as the configuration says.
 * Main lcore only, except the event callback, which EAL's interrupt thread calls.
 *
 *	probed -> STOPPED --start--> STARTED --stop--> STOPPED --close--> CLOSED
 */
#ifndef TI_TESTPMD_PORTS_H
#define TI_TESTPMD_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>

#define PORT_ALL UINT16_MAX

enum port_state {
	PORT_CLOSED,
	PORT_STOPPED,
	PORT_STARTED,
};

struct port {
	enum port_state state;
	bool configure;		/* the next start configures device and queues anew */
	uint16_t id;
	uint16_t mtu;		/* to be set by the next configuring, 0: the device's */
	int socket;		/* NUMA node of its memory */
	struct rte_eth_dev_info info;
	struct rte_eth_conf conf;
	struct rte_eth_rxconf rx_conf;	/* of every receive queue */
	struct rte_eth_txconf tx_conf;
	struct rte_ether_addr address;
	struct rte_eth_stats base;	/* where the forward statistics count from */
};

/** Registers for port events and takes in every port that EAL found. */
int ports_init(void);

/** Takes in one port that came later. Return: 0 or a negative errno. */
int port_add(uint16_t id);

struct port *port_get(uint16_t id);

/** Whether the port exists; says "Invalid port" on stderr if not. PORT_ALL is valid. */
bool port_valid(uint16_t id);

/** How many ports there are. */
uint16_t ports_count(void);

/** Whether every port (at least one) is in that state. */
bool ports_all(enum port_state state);

/** The next start of all ports takes up changed settings. */
void ports_reconfigure(void);

/**
 * Configures one port and its queues where that is due and starts it; prints nothing.
 *
 * step: what failed, for a message.
 * Return: 0 or a negative errno; the port is stopped then.
 */
int port_bring_up(struct port *port, const char **step);

/** Stops and closes one port, prints nothing. Return: 0 or a negative errno of the stop. */
int port_take_down(struct port *port);

/*
 * The commands `port start|stop|close`, for one or PORT_ALL, with their output.
 * ports_start() returns 0 if no port failed to be configured.
 */
int ports_start(uint16_t id);
void ports_stop(uint16_t id);
void ports_close(uint16_t id);

/** Waits until every port's link is up, at most 9 seconds, and prints them. */
void ports_check_links(void);

/** Bytes of a frame beyond the MTU, FCS included, as the device counts them. */
uint32_t port_frame_overhead(const struct rte_eth_dev_info *info);

#endif
