/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the PMD asks of ethtool: driver, link speed, queue counts. By ioctl,
 * which every kernel and driver has. Control path, any thread.
 */
#ifndef AF_XDP_TI_ETHTOOL_H
#define AF_XDP_TI_ETHTOOL_H

#include <stdbool.h>
#include <stdint.h>

struct ti_driver {
	char name[32];		/* of the kernel driver, "veth", "fec" */
	char version[32];
	char firmware[32];
};

/* Queue counts as ethtool -l shows them. A driver counts combined, or receive and transmit apart. */
struct ti_channels {
	uint32_t rx, tx, combined;
	uint32_t max_rx, max_tx, max_combined;
};

/** Driver of the netdev. Return 0 or -errno; -EOPNOTSUPP for netdevs without. */
int ti_ethtool_driver(const char *ifname, struct ti_driver *drv);

/**
 * Speed, duplex and autonegotiation.
 * @param mbps         Mbit/s, 0 when unknown
 * @return             0 or -errno
 */
int ti_ethtool_link(const char *ifname, uint32_t *mbps, bool *full_duplex, bool *autoneg);

/** Queue counts. Return 0 or -errno; -EOPNOTSUPP when the driver tells none. */
int ti_ethtool_channels(const char *ifname, struct ti_channels *ch);

/** Set the queue counts (the max_ fields are not looked at). Return 0 or -errno. */
int ti_ethtool_set_channels(const char *ifname, const struct ti_channels *ch);

#endif /* AF_XDP_TI_ETHTOOL_H */
