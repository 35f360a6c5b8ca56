/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A port: what the PMD keeps for a DPDK device (dev_private), and its queue pairs.
 *
 *   probe      devargs, netdev taken, queues set, XDP program loaded, mode checked
 *   configure  MTU
 *   setup      queues allocated, pool checked; nothing of the kernel's yet
 *   start      netdev up, XDP program attached, a socket a pair, fill rings filled
 *   stop       sockets closed, all mbufs back in their pools, program detached
 *   close      settings put back, netdev released
 *
 * A netdev that goes (deleted, driver unbound, moved to another network namespace) takes the
 * kernel's end of the sockets with it: nothing is received or sent any more, one line says
 * so, stop and close work. When there is a netdev of that name again, start takes that one.
 *
 * So Linux has its port back after stop, and a port that was never started has taken no
 * frame from it. A pair has one socket, for its receive and its transmit queue. A
 * queue may be stopped alone: receive then goes to Linux; the socket is closed when
 * neither runs.
 */
#ifndef AF_XDP_TI_PORT_H
#define AF_XDP_TI_PORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <linux/if_xdp.h>

#include <rte_ether.h>

#include "compat.h"
#include "devargs.h"
#include "netdev.h"
#include "rxtx.h"
#include "umem.h"
#include "xsk.h"

struct ti_pair {
	struct ti_xsk xsk;
	struct ti_umem *umem;		/* NULL while there is no socket */
	struct ti_handover *ho;		/* likewise */
	struct xdp_statistics past;	/* of sockets closed since the last reset */
	struct xdp_statistics base;	/* of the open socket at the last reset */
};

struct ti_port {
	const char *name;		/* of the DPDK device, for messages */
	struct ti_devargs args;
	struct ti_netdev *nd;
	struct ti_pair *pair;		/* args.queue_count of them */
	enum ti_mode mode;		/* in use, or to be tried first */
	bool attached;			/* the XDP program, on our behalf */
	bool promisc, allmulti;		/* memberships held */
	int member_fd;			/* of these memberships */
	bool told_gone;			/* that the netdev is */
	struct ti_burst_events event;
	struct rte_ether_addr mac;
};

/* Descriptors of a ring. */
#define TI_DESC_MIN 64
#define TI_DESC_MAX 16384
#define TI_DESC_DEFAULT 2048

/* Mbufs that a pool must have besides the receive descriptors: one burst on its way, one in the application. */
#define TI_POOL_SPARE 64u

static inline struct ti_port *
ti_port_of(const struct rte_eth_dev *dev)
{
	return dev->data->dev_private;
}

/** Longest frame (bytes, no FCS) that the netdev sends at @mtu, and that fits the UMEM. */
static inline uint32_t
ti_max_len(uint32_t mtu, const struct ti_layout *lay)
{
	return RTE_MIN(mtu + RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN, lay->room);
}

/* One control operation at a time: netdevs and UMEMs may be shared by ports. */
extern pthread_mutex_t ti_control_lock;

/* queue.c: set-up, start and stop of queues. Device operations unless said otherwise. */
int ti_rx_queue_setup(struct rte_eth_dev *dev, uint16_t id, uint16_t nb_desc,
		      unsigned int socket, const struct rte_eth_rxconf *conf,
		      struct rte_mempool *pool);
int ti_tx_queue_setup(struct rte_eth_dev *dev, uint16_t id, uint16_t nb_desc,
		      unsigned int socket, const struct rte_eth_txconf *conf);
void ti_rx_queue_release(struct rte_eth_dev *dev, uint16_t id);
void ti_tx_queue_release(struct rte_eth_dev *dev, uint16_t id);
int ti_rx_queue_start(struct rte_eth_dev *dev, uint16_t id);
int ti_rx_queue_stop(struct rte_eth_dev *dev, uint16_t id);
int ti_tx_queue_start(struct rte_eth_dev *dev, uint16_t id);
int ti_tx_queue_stop(struct rte_eth_dev *dev, uint16_t id);
int ti_tx_done_cleanup(void *txq, uint32_t n);
void ti_rxq_info(struct rte_eth_dev *dev, uint16_t id, struct rte_eth_rxq_info *info);
void ti_txq_info(struct rte_eth_dev *dev, uint16_t id, struct rte_eth_txq_info *info);

/**
 * Start all queues that are not deferred, in port->mode; none stays started on failure.
 * With the control lock held, as the next.
 */
int ti_queues_start(struct rte_eth_dev *dev, struct ti_why *why);
/** Stop all queues and return their mbufs. */
void ti_queues_stop(struct rte_eth_dev *dev);

/** Wait for, or cancel, what a burst left to the alarm thread. Without the control lock. */
void ti_alarms_cancel(struct rte_eth_dev *dev);

/** Whether the port's netdev is gone; said once. With the control lock held. */
bool ti_port_gone(struct rte_eth_dev *dev);

/* stats.c */
int ti_stats_get(TI_STATS_GET_ARGS);
int ti_stats_reset(struct rte_eth_dev *dev);
int ti_xstats_get(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats, unsigned int n);
int ti_xstats_get_names(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names,
			unsigned int n);
int ti_xstats_reset(struct rte_eth_dev *dev);
/** Keep the kernel's counters of a socket that is about to be closed. Not a device operation. */
void ti_stats_keep(struct ti_pair *pair);

#endif /* AF_XDP_TI_PORT_H */
