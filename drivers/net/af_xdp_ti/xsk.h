/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One AF_XDP socket, bound to one queue of a netdev.
 *
 *        ti_rx_burst                                     ti_tx_burst
 *   (the lcore that receives)                       (the lcore that transmits)
 *     ^                 |                            ^                 |
 *  receive ring     fill ring                completion ring     transmit ring
 *     |                 v                            |                 v
 *   - - - - - - - - - - - - - - - kernel - - - - - - - - - - - - - - - - - -
 *     XDP program -> xsks_map[queue]            driver (zero-copy), or the stack's
 *     driver (zero-copy) or a copy              direct transmit of a copy
 *
 * Life: ti_xsk_open() makes the socket, registers the UMEM (or prepares to share
 * it) and maps the rings; the caller fills the fill ring; ti_xsk_bind() binds;
 * the caller puts the socket into the XSKMAP. ti_xsk_close() undoes all.
 * No libxdp: the whole interface is seven socket options and four mmaps.
 *
 * System calls. open: socket, setsockopt x5..8, getsockopt, mmap x4. bind: bind (takes the
 * RTNL; in zero-copy the driver restarts the queue, frames in flight on
 * it are lost), getsockopt. close: close, munmap x4; in zero-copy also what
 * ti_xsk_wait_unbound() does. Hot path: ti_xsk_kick_rx(), ti_xsk_kick_tx().
 *
 * Privilege: CAP_NET_RAW in the netdev's network namespace; CAP_NET_ADMIN for busy
 * polling; CAP_IPC_LOCK or room under RLIMIT_MEMLOCK.
 */
#ifndef AF_XDP_TI_XSK_H
#define AF_XDP_TI_XSK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <linux/if_xdp.h>

#include "log.h"
#include "ring.h"
#include "umem.h"

struct ti_xsk_conf {
	const char *ifname;
	uint32_t ifindex;
	uint32_t queue;		/* of the netdev */
	bool zc;		/* zero-copy or nothing; else copy */
	bool skb;		/* generic XDP: only names the mode in messages */
	uint32_t rx_size;	/* entries of the receive ring, power of two; 0: cannot receive */
	uint32_t fill_size;	/* entries of the fill ring, power of two */
	uint32_t tx_size;	/* entries of the transmit ring, power of two; 0: cannot transmit */
	uint32_t comp_size;	/* entries of the completion ring, power of two */
	uint32_t busy_budget;	/* frames a busy poll may take; 0: no busy polling */
};

struct ti_xsk {
	LIST_ENTRY(ti_xsk) bound;	/* of its UMEM */
	struct ti_umem *umem;
	struct ti_xsk_conf conf;
	int fd;				/* -1 when closed */
	bool registered;		/* the UMEM, itself; else it shares one that is */
	bool is_bound;
	bool busy;			/* busy polling is on */
	struct ti_ring rx, fill, tx, comp;
};

/**
 * Make the socket, on @umem, with its rings. On failure nothing is left.
 *
 * @param umem  stays the caller's; must outlive the socket
 * @return 0; -EPERM (no CAP_NET_RAW), -EAFNOSUPPORT (kernel without AF_XDP),
 *         -ENOBUFS (RLIMIT_MEMLOCK), -EFAULT (memory of the pool has holes), -ENOMEM,
 *         other errors of the system calls
 */
int ti_xsk_open(struct ti_xsk *xsk, struct ti_umem *umem, const struct ti_xsk_conf *conf,
		struct ti_why *why);

/**
 * Bind, and verify that zero-copy was got if it was asked for. Waits up to a second
 * for a queue that a socket closed just before still occupies.
 *
 * @return 0; -EBUSY (another socket has the queue), -EOPNOTSUPP (no zero-copy),
 *         -EINVAL (MTU does not fit the buffers; no such queue), -ENETDOWN, -ENODEV
 */
int ti_xsk_bind(struct ti_xsk *xsk, struct ti_why *why);

/**
 * Close the socket and wait until the kernel is done with its buffers.
 * Idempotent. When it returns 0, no buffer of the UMEM is read or written any more on
 * behalf of this socket.
 *
 * @return 0; -ETIMEDOUT when a zero-copy driver does not let go: the buffers
 *         must then not be used again
 */
int ti_xsk_close(struct ti_xsk *xsk, struct ti_why *why);

/**
 * Wait until no AF_XDP pool is attached to the queue. close() only schedules the
 * detachment, and until the driver did it the hardware may write into
 * the buffers. There is no call that asks, so a socket with a UMEM of one
 * page is bound to the queue, in copy mode, which the kernel refuses (EBUSY) for as long as
 * there is a pool.
 *
 * @return 0, or -ETIMEDOUT after @ms milliseconds
 */
int ti_xsk_wait_unbound(uint32_t ifindex, uint32_t queue, int ms);

/**
 * Whether busy polling reaches the driver. The kernel learns with the first received
 * frame which NAPI serves the socket; a driver that registered its queue without
 * one (veth of Linux 6.13 and later, for one) cannot be polled.
 */
bool ti_xsk_can_busy_poll(int fd);

/** Counters of the kernel for this socket; zero when closed. */
void ti_xsk_stats(const struct ti_xsk *xsk, struct xdp_statistics *stats);

/**
 * Enter the kernel to have the fill ring looked at, or (busy polling) the
 * driver polled. Any thread.
 * @return 0 or -errno, for statistics only
 */
int ti_xsk_kick_rx(int fd);

/** Enter the kernel to have the transmit ring looked at. Any thread. */
int ti_xsk_kick_tx(int fd);

#endif /* AF_XDP_TI_XSK_H */
