/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What differs between versions of DPDK, of the kernel's headers and of the
 * libraries. The logic elsewhere knows no version.
 */
#ifndef AF_XDP_TI_COMPAT_H
#define AF_XDP_TI_COMPAT_H

#include <rte_version.h>
#include <ethdev_driver.h>

/*
 * --- kernel: constants that the headers of older distributions lack ---------
 */

#ifndef SOL_XDP
#define SOL_XDP 283			/* include/linux/socket.h */
#endif
#ifndef AF_XDP
#define AF_XDP 44			/* include/linux/socket.h */
#endif
#ifndef SO_PREFER_BUSY_POLL
#define SO_PREFER_BUSY_POLL 69		/* include/uapi/asm-generic/socket.h, Linux 5.11 */
#endif
#ifndef SO_BUSY_POLL_BUDGET
#define SO_BUSY_POLL_BUDGET 70		/* include/uapi/asm-generic/socket.h, Linux 5.11 */
#endif
#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71		/* include/uapi/asm-generic/socket.h, Linux 5.14 */
#endif

/*
 * The netdev netlink family, include/uapi/linux/netdev.h (Linux 6.3). Numbers of a
 * user-space interface never change, so they stand here whatever the headers are.
 */
#define TI_NETDEV_FAMILY_NAME		"netdev"
#define TI_NETDEV_FAMILY_VERSION	1
#define TI_NETDEV_CMD_DEV_GET		1
#define TI_NETDEV_A_DEV_IFINDEX		1
#define TI_NETDEV_A_DEV_XDP_FEATURES	3

#define TI_XDP_ACT_BASIC		(1u << 0)
#define TI_XDP_ACT_REDIRECT		(1u << 1)
#define TI_XDP_ACT_XSK_ZEROCOPY		(1u << 3)

/*
 * --- DPDK --------------------------------------------------------------------
 */

/* From 25.11 the statistics of the queues have a structure of their own. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
typedef struct eth_queue_stats ti_qstats;
#define TI_STATS_GET_ARGS \
	struct rte_eth_dev *dev, struct rte_eth_stats *stats, struct eth_queue_stats *qstats
#define TI_QSTATS(stats, qstats) (qstats)
#else
typedef struct rte_eth_stats ti_qstats;
#define TI_STATS_GET_ARGS struct rte_eth_dev *dev, struct rte_eth_stats *stats
#define TI_QSTATS(stats, qstats) (stats)
#endif

#endif /* AF_XDP_TI_COMPAT_H */
