/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receive and transmit bursts.
 *
 *                      mempool
 *                    ^ |     ^ |                  who owns a buffer, and where
 *                put | | get | | get (copies)     it goes next
 *                    | v     | v
 *   application <-- receive   transmit <-- application
 *                     ^ |      | ^
 *          receive    | |      | |   completion
 *             ring    | | fill | | ring
 *                     | v      v |
 *                       kernel
 *
 *   handover: completed transmit buffers go, addresses only, straight to the
 *   receive side's next refill, as many as it lacks; the rest to the mempool.
 *
 * Receive takes descriptors, turns addresses into mbufs and writes each mbuf's
 * first cache line, once; that is all it does for a packet. Buffers come to the fill ring
 * unwritten, and go from the completion ring unread, so no mbuf is touched there.
 * Taken buffers are replaced at the next call, in batches of TI_FILL_BATCH,
 * when the transmit side may have completed some.
 *
 * Transmit sends an mbuf where it lies when it is of the queue's own pool, direct,
 * one segment, and nobody else's (reference count 1). All others are copied into one buffer of the
 * pool: other pools, clones, external buffers, several segments. A frame shorter than an Ethernet
 * header or longer than the netdev takes, or whose segments have not pkt_len bytes, can never be sent: it is
 * freed, counted in oerrors, and counts as taken.
 *
 * Kernel entries. Transmit: once a burst, if need_wakeup asks (in copy mode it always does,
 * and a call moves 32 frames). Receive: when refilling a ring that the kernel found
 * empty; with busy polling, on each call that finds no frame; and else on each
 * TI_IDLE_LOOK-th of those, to see whether the netdev is still there. Whether busy polling
 * reaches the driver is found out after the first frame; if not, it is turned off.
 *
 * Threads: one at a time a queue, as everywhere in DPDK; receive and
 * transmit of a pair may be on different lcores. They meet in struct ti_handover
 * only, one writer a field. No locks, no allocation but from the mempool's
 * per-lcore cache.
 */
#ifndef AF_XDP_TI_RXTX_H
#define AF_XDP_TI_RXTX_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "ring.h"
#include "umem.h"

/* Buffers that the fill ring is given at once. */
#define TI_FILL_BATCH 32u

/* Completions that are waited for before the completion ring is read. */
#define TI_REAP_BATCH 32u

/* Addresses that the handover holds at most; power of two. */
#define TI_HANDOVER_SIZE 512u

/* Calls without a frame after which the kernel is entered for nothing else than to see whether it refuses. */
#define TI_IDLE_LOOK 65536u

/* Shortest frame that can be sent: an Ethernet header (ETH_HLEN). */
#define TI_FRAME_MIN 14u

/* Completed transmit buffers on their way to the fill ring: single producer, single consumer. */
struct ti_handover {
	/* written by the transmit side */
	uint32_t head;
	uint32_t tx_stuck;	/* frames lie in the transmit ring that the kernel did not take */
	/* written by the receive side */
	uint32_t tail __rte_cache_aligned;
	uint32_t want;		/* buffers that the receive side lacks */
	uint64_t addr[TI_HANDOVER_SIZE] __rte_cache_aligned;
} __rte_cache_aligned;

struct ti_rx_stats {
	uint64_t packets;
	uint64_t bytes;
	uint64_t nombuf;	/* times that the mempool had too few buffers */
	uint64_t recycled;	/* buffers got by the handover */
	uint64_t wakeups;	/* kernel entries because need_wakeup asked */
	uint64_t busy_polls;	/* kernel entries to poll the driver */
};

struct ti_tx_stats {
	uint64_t packets;
	uint64_t bytes;
	uint64_t errors;	/* freed unsent: too long, too short, lengths that contradict each other */
	uint64_t copies;	/* copied, of one segment or several */
	uint64_t linearised;	/* of these, of several segments */
	uint64_t nombuf;	/* copies put off for lack of a buffer */
	uint64_t full;		/* bursts cut short by a full ring */
	uint64_t wakeups;	/* kernel entries */
	uint64_t wakeup_errors;	/* of these, refused: device busy, down, or frame dropped */
};

/* What a burst finds out that is not its business; called from it, each once. */
struct ti_burst_events {
	void (*busy_refused)(void *arg);	/* busy polling does not reach the driver */
	void (*unbound)(void *arg);		/* the socket has no netdev any more */
	void *arg;
};

struct ti_rxq {
	struct ti_ring *rx;
	struct ti_ring *fill;
	struct ti_handover *ho;
	struct rte_mempool *pool;
	uintptr_t umem_base;	/* data = umem_base + address + offset */
	uintptr_t mbuf_base;	/* mbuf = mbuf_base + address */
	uint32_t buf_off;	/* data_off = offset - buf_off */
	uint32_t lack;		/* buffers to give to the fill ring */
	uint64_t rearm;		/* data_off 0, refcnt 1, nb_segs 1, port */
	struct ti_held held;
	int fd;
	bool busy;		/* busy polling is on */
	bool busy_proven;	/* and does reach the driver */
	struct ti_rx_stats stats;
	bool told_unbound;
	uint32_t idle;		/* calls without a frame or an entry */
	const struct ti_burst_events *event;	/* NULL: nobody wants to know */
	uint64_t packets_before;	/* stats.packets when the socket was opened */
	/* control path */
	struct ti_rx_stats base;	/* at the last reset */
	uint16_t nb_desc;
	uint16_t id;
	bool deferred;
} __rte_cache_aligned;

struct ti_txq {
	struct ti_ring *tx;
	struct ti_ring *comp;
	struct ti_handover *ho;
	struct rte_mempool *pool;
	uintptr_t mbuf_base;
	uint32_t buf_off;
	uint32_t max_len;	/* longest frame that the netdev sends, bytes without FCS */
	uint32_t copy_off;	/* data_off of copies */
	struct ti_held held;
	int fd;
	bool zc;
	bool told_unbound;
	const struct ti_burst_events *event;
	struct ti_tx_stats stats;
	/* control path */
	struct ti_tx_stats base;
	uint16_t nb_desc;
	uint16_t id;
	bool deferred;
} __rte_cache_aligned;

/** rx_pkt_burst and tx_pkt_burst of the device; queues are struct ti_rxq and struct ti_txq. */
uint16_t ti_rx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb);
uint16_t ti_tx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb);

/**
 * Connect the queue to its rings. @comp to @lay: see the structures. The caller
 * owns all that is pointed to, and calls ti_rxq_stop() and ti_txq_stop() first.
 */
void ti_rxq_init(struct ti_rxq *q, struct ti_ring *rx, struct ti_ring *fill,
		 struct ti_handover *ho, const struct ti_layout *lay,
		 struct rte_mempool *pool, uint16_t port, int fd, bool busy);
void ti_txq_init(struct ti_txq *q, struct ti_ring *tx, struct ti_ring *comp,
		 struct ti_handover *ho, const struct ti_layout *lay,
		 struct rte_mempool *pool, uint32_t max_len, int fd, bool zc);

/**
 * Give the fill ring all that it lacks. Control path, queue not polled.
 * @return buffers that the pool did not have
 */
uint32_t ti_rxq_fill(struct ti_rxq *q);

/**
 * Take back what the kernel has sent; frees it to the mempool or the receive side.
 * Any time the queue is not in a burst.
 * @return buffers taken back
 */
uint32_t ti_txq_reap(struct ti_txq *q);

/** Frames given to the kernel and not yet taken back. */
uint32_t ti_txq_outstanding(const struct ti_txq *q);

/** Enter the kernel to have the transmit ring emptied, as a burst does. */
void ti_txq_kick(struct ti_txq *q);

/** Return what lies in the handover to the mempool. Neither side polls. */
void ti_handover_drain(struct ti_handover *ho, const struct ti_layout *lay,
		       struct rte_mempool *pool);

#endif /* AF_XDP_TI_RXTX_H */
