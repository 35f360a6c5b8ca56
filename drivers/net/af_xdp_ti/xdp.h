/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The XDP program of a netdev and its map of sockets.
 *
 *   frame on queue q --> program --> xsks_map[q] set? --yes--> socket of queue q
 *                                        |
 *                                        no --> Linux stack
 *
 * One program a netdev, shared by the ports on it. It is loaded when the first
 * port is probed (so that a lack of privilege shows then), attached when the
 * first port starts, detached when the last stops. It is attached by a bpf_link, which
 * lives as long as its file descriptor: when the process dies, by kill -9 too, the
 * kernel detaches the program. Nobody else can replace a program attached so, and
 * one that somebody else attached is never replaced: that is an error.
 *
 * The devarg xdp_prog= names an object file of another program, with a map
 * "xsks_map" of type BPF_MAP_TYPE_XSKMAP, keyed by queue.
 *
 * Control path; the caller serialises. Privilege: CAP_BPF and CAP_NET_ADMIN in the
 * initial user namespace.
 */
#ifndef AF_XDP_TI_XDP_H
#define AF_XDP_TI_XDP_H

#include <stdbool.h>
#include <stdint.h>

#include "log.h"
#include "netdev.h"

/**
 * Load the program for a netdev, or take another reference on it.
 * Every ti_xdp_get() is matched by a ti_xdp_put().
 *
 * @param path  object file, or "" for the PMD's own program
 * @return      0; -EPERM; -EBUSY (another port of the netdev uses another program);
 *              -ENOENT, -EINVAL (the object file)
 */
int ti_xdp_get(struct ti_netdev *nd, const char *path, struct ti_why *why);
void ti_xdp_put(struct ti_netdev *nd);

/**
 * Attach, or count one user more. Every success is matched by a ti_xdp_detach().
 *
 * @param skb  generic XDP in the stack instead of the driver's
 * @return     0; -EBUSY (another program is attached, or another port uses the other mode);
 *             -EOPNOTSUPP (the driver has no XDP); what the driver refuses with
 */
int ti_xdp_attach(struct ti_netdev *nd, bool skb, struct ti_why *why);
void ti_xdp_detach(struct ti_netdev *nd);

/** Send the frames of @queue to socket @fd from now on. */
int ti_xdp_add_socket(struct ti_netdev *nd, uint32_t queue, int fd, struct ti_why *why);

/** Leave the frames of @queue to Linux from now on. */
void ti_xdp_remove_socket(struct ti_netdev *nd, uint32_t queue);

#endif /* AF_XDP_TI_XDP_H */
