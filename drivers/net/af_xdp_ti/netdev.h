/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Linux netdev under a port: what it is, what it can, and its settings.
 *
 * One struct ti_netdev a netdev and process, shared by the ports on it (each on queues of
 * its own). It holds the record of settings, so two processes cannot
 * have the same netdev; and the XDP program, of which a netdev has one.
 *
 * Sources: rtnetlink (state, MTU, address), the netdev generic netlink family (XDP
 * features; Linux 6.3), ethtool ioctls (driver, speed, queue counts), sysfs (NUMA node,
 * deferral of interrupts). All calls enter the kernel: control path, any thread,
 * the caller serialises. Privilege: CAP_NET_ADMIN for whatever sets.
 */
#ifndef AF_XDP_TI_NETDEV_H
#define AF_XDP_TI_NETDEV_H

#include <stdbool.h>
#include <stdint.h>
#include <net/if.h>
#include <sys/queue.h>

#include <rte_ether.h>

#include "ethtool.h"
#include "log.h"

struct ti_settings;
struct ti_xdp;

struct ti_netdev {
	LIST_ENTRY(ti_netdev) next;
	uint32_t refs;
	uint32_t ifindex;
	char name[IF_NAMESIZE];		/* when it was taken: for messages only */
	struct ti_driver drv;		/* name "?" when the driver tells none */
	int numa_node;			/* -1: none or unknown */
	struct ti_settings *settings;
	struct ti_xdp *xdp;		/* see xdp.h; NULL until a port wants it */
};

/* State that may change at any time, read afresh each time. */
struct ti_netdev_state {
	uint32_t ifindex;
	char name[IF_NAMESIZE];	/* now */
	bool up;		/* administratively */
	bool carrier;
	uint32_t mtu, min_mtu, max_mtu;		/* bytes; max_mtu 0: not told */
	struct rte_ether_addr mac;
	uint32_t xdp_prog_id;	/* program attached by whomever, 0: none */
};

/** XDP features of the driver (TI_XDP_ACT_*). Return 0; -ENOENT: the kernel cannot tell. */
int ti_netdev_features(const struct ti_netdev *nd, uint64_t *features);

/**
 * Find a netdev by name and take it. Puts back what a killed program left changed.
 * Every ti_netdev_get() is matched by a ti_netdev_put().
 *
 * @return 0; -ENODEV (no such netdev in this network namespace); -EBUSY (another process has it)
 */
int ti_netdev_get(struct ti_netdev **nd, const char *name, struct ti_why *why);

/** Give it back; the last one puts all settings back. */
void ti_netdev_put(struct ti_netdev *nd);

/** Read the state. Return 0 or -errno; -ENODEV when the netdev is gone. */
int ti_netdev_state(const struct ti_netdev *nd, struct ti_netdev_state *st);

/** Speed (Mbit/s, 0: unknown), duplex and autonegotiation of the link. 0 or -errno. */
int ti_netdev_link(const struct ti_netdev *nd, uint32_t *mbps, bool *full_duplex, bool *autoneg);

/** Queues in use now, whatever the driver tells them by. Return 0 or -errno. */
int ti_netdev_queues(const struct ti_netdev *nd, uint32_t *rx, uint32_t *tx);

/** Queues that it can have at most. Return 0 or -errno. */
int ti_netdev_max_queues(const struct ti_netdev *nd, uint32_t *max);

/**
 * See to it that queues @start .. @start + @count - 1 exist, for receive and
 * transmit. A port that begins at queue 0 gets all traffic: then a driver that
 * counts combined queues is set to exactly @count. Where that is not possible, and
 * the queues exist, a warning says which frames will not arrive.
 *
 * @return 0; -ERANGE when the netdev cannot have such queues
 */
int ti_netdev_set_queues(struct ti_netdev *nd, uint32_t start, uint32_t count,
			 struct ti_why *why);

/** Set MTU (bytes), MAC address, administrative state; recorded and put back. 0 or -errno. */
int ti_netdev_set_mtu(struct ti_netdev *nd, uint32_t mtu, struct ti_why *why);
int ti_netdev_set_mac(struct ti_netdev *nd, const struct rte_ether_addr *mac, struct ti_why *why);
int ti_netdev_set_up(struct ti_netdev *nd, bool up, struct ti_why *why);

/**
 * Defer hardware interrupts to the application's polling, as busy polling wants:
 * napi_defer_hard_irqs 2, gro_flush_timeout 200000 ns, where they are zero. A
 * value that somebody chose stays.
 *
 * @return 0 or -errno with the reason: busy polling then works, less well
 */
int ti_netdev_defer_irqs(struct ti_netdev *nd, struct ti_why *why);

/** Put the deferral back before the netdev is given up. */
void ti_netdev_undefer_irqs(struct ti_netdev *nd);

/**
 * Promiscuous or all-multicast reception by membership of a packet socket: the
 * kernel counts users, and ends a membership with its socket, so kill -9 leaves none.
 *
 * @param fd    the socket, -1 at first; opened when needed, closed by the caller
 * @param type  PACKET_MR_PROMISC or PACKET_MR_ALLMULTI
 * @return      0 or -errno with the reason
 */
int ti_netdev_membership(const struct ti_netdev *nd, int *fd, int type, bool on,
			 struct ti_why *why);

#endif /* AF_XDP_TI_NETDEV_H */
