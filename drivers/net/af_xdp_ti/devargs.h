/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Devargs of the PMD. Those of net_af_xdp have the same names and meanings, so a
 * command line carries over; mode= is ours.
 *
 *   iface=NAME         netdev to bind (required)
 *   start_queue=N      first queue of the netdev (0)
 *   queue_count=N      queues, from start_queue on (1)
 *   shared_umem=0|1    share the UMEM with other ports on the same mbuf pool (0)
 *   xdp_prog=FILE      BPF object to attach instead of the PMD's own program
 *   busy_budget=N      frames that a busy poll may take, 0: no busy polling (64)
 *   force_copy=0|1     copy: in the driver, or where it has no XDP, in the stack (0)
 *   mode=zc|copy|skb|auto   (zc; with force_copy=1 not given)
 *       zc    zero-copy, or refuse with the reason
 *       copy  the driver's XDP, frames copied
 *       skb   generic XDP in the stack, frames copied; any netdev
 *       auto  the best of these that works, named in the log
 */
#ifndef AF_XDP_TI_DEVARGS_H
#define AF_XDP_TI_DEVARGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <net/if.h>

#include "log.h"

#define TI_QUEUES_MAX 64u

/* What to try, in this order; the first that works is used. */
enum ti_mode {
	TI_MODE_ZC = 1 << 0,
	TI_MODE_COPY = 1 << 1,
	TI_MODE_SKB = 1 << 2,
};

struct ti_devargs {
	char iface[IF_NAMESIZE];
	uint32_t start_queue;
	uint32_t queue_count;
	bool shared_umem;
	char xdp_prog[PATH_MAX];
	uint32_t busy_budget;
	unsigned int modes;	/* set of enum ti_mode */
};

/**
 * Parse and check.
 *
 * @param text  key=value,key=value
 * @return      0; -EINVAL with the reason: unknown or repeated key, bad value, iface= missing,
 *              contradiction
 */
int ti_devargs_parse(struct ti_devargs *args, const char *text, struct ti_why *why);

/** "zero-copy", "copy" or "skb" */
const char *ti_mode_name(enum ti_mode mode);

#endif /* AF_XDP_TI_DEVARGS_H */
