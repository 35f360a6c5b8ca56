/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The XDP and AF_XDP datapath that all our Ethernet MACs share: its interface.
 *
 *   wire -> MAC ring --complete--> [ buffer of a slot ] --> XDP program --+-> skb
 *             ^                                                           +-> XDP_TX (bulk)
 *             +------post------ page_pool | XSK fill ring                 +-> redirect
 *
 *   skb | xdp_frame | XSK transmit ring --push--> MAC ring --> wire
 *                                                    |
 *   freed | recycled | XSK completion ring <--complete+
 *
 * A MAC says only how its rings work (struct dp_rx_ops, struct dp_tx_ops) and
 * how one queue pair is stopped and started (struct dp_mac_ops). Everything
 * else (who owns a buffer, DMA syncs, verdicts, need_wakeup, pools, budgets,
 * statistics) is done here, once.
 *
 * Slots. The MAC numbers the buffers that its hardware holds: ->post() and
 * ->push() return the number (0 .. size - 1) under which ->complete() later
 * gives the buffer back. A buffer-descriptor ring uses the ring index; a MAC
 * with a descriptor pool (K3 UDMA) uses the descriptor's index in the pool.
 * What lies in a slot (struct dp_rx_buf, struct dp_tx_buf) belongs to the
 * datapath; the MAC never looks.
 *
 * Hot functions are static __always_inline and take the operations as the
 * address of a constant, so the compiler makes direct calls of them:
 * dp_rx.h (receive), dp_tx.h (transmit), dp_xsk.h (AF_XDP). Control functions
 * are exported by xdp_datapath.ko.
 *
 * Context. "NAPI" is the poll function that serves the queue, "RTNL" is
 * process context with the RTNL lock held (may sleep), "xmit" holds the lock
 * of the netdev transmit queue with bottom halves off.
 */
#ifndef _XDP_DATAPATH_H
#define _XDP_DATAPATH_H

#include <linux/bpf.h>
#include <linux/dma-mapping.h>
#include <linux/filter.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/timer.h>
#include <linux/u64_stats_sync.h>
#include <net/xdp.h>

struct ethtool_stats;
struct page_pool;
struct xsk_buff_pool;
struct dp_port;
struct dp_rxq;
struct dp_txq;

/* --- what a MAC reports and is told, per buffer ------------------------- */

#define DP_RX_ERROR	BIT(0)	/* bad frame, already counted by the MAC: recycle the buffer */
#define DP_RX_CSUM_OK	BIT(1)	/* the hardware verified the L4 checksum of this frame */
#define DP_RX_TSTAMP	BIT(2)	/* hwtstamp is valid */
#define DP_RX_HASH	BIT(3)	/* hash is valid */
#define DP_RX_VLAN	BIT(4)	/* vlan_tci was taken out of the frame by the hardware */

/**
 * struct dp_rx_cqe - one completed receive buffer
 * @slot: which buffer: the number that ->post() returned for it
 * @len: bytes of the frame in the buffer, without FCS
 * @offset: bytes from the DMA address given to ->post() to the frame's first byte
 * @flags: DP_RX_*
 * @vlan_tci: host order, with DP_RX_VLAN
 * @hash: with DP_RX_HASH
 * @hwtstamp: ns of the device's clock, with DP_RX_TSTAMP
 */
struct dp_rx_cqe {
	u32 slot;
	u32 len;
	u16 offset;
	u16 flags;
	u16 vlan_tci;
	u32 hash;
	u64 hwtstamp;
};

#define DP_TX_FIRST	BIT(0)	/* first buffer of a frame */
#define DP_TX_LAST	BIT(1)	/* last buffer of a frame */
#define DP_TX_CSUM	BIT(2)	/* insert the L4 checksum */
#define DP_TX_TSTAMP	BIT(3)	/* take the departure time */
#define DP_TX_MAC(n)	BIT(16 + (n))	/* 16 bits of the MAC's own, passed through */

/**
 * struct dp_tx_sqe - one buffer to transmit
 * @dma: bus address, synced for the device
 * @len: bytes
 * @flags: DP_TX_*
 * @frame_len: bytes of the whole frame, in the DP_TX_FIRST buffer
 */
struct dp_tx_sqe {
	dma_addr_t dma;
	u32 len;
	u32 flags;
	u32 frame_len;
};

/**
 * struct dp_tx_cqe - one completed transmit buffer
 * @slot: the number that ->push() returned
 * @flags: DP_TX_TSTAMP when @hwtstamp is valid
 * @hwtstamp: ns of the device's clock
 */
struct dp_tx_cqe {
	u32 slot;
	u32 flags;
	u64 hwtstamp;
};

/**
 * struct dp_rx_ops - how a receive ring works. Context of all: NAPI, or the
 * queue is stopped. None may fail or sleep.
 * @complete: take the next completed buffer off the ring and describe it;
 *	false when there is none. Orders its read of the ownership bit before
 *	all others (dma_rmb).
 * @post: give the hardware a buffer of port->rx_buf_len bytes at @dma and
 *	return its slot. Never called with rxq->size buffers outstanding. The
 *	hardware need not see it before ->doorbell().
 * @doorbell: make all posted buffers visible, then tell the hardware.
 */
struct dp_rx_ops {
	bool (*complete)(struct dp_rxq *rxq, struct dp_rx_cqe *cqe);
	u32 (*post)(struct dp_rxq *rxq, dma_addr_t dma);
	void (*doorbell)(struct dp_rxq *rxq);
};

/**
 * struct dp_tx_ops - how a transmit ring works. None may fail or sleep.
 * @room: how many buffers can be pushed now. xmit; races only with ->complete(),
 *	so the answer may grow but never shrinks by itself. Also asked by NAPI
 *	without the lock, to wake the stack's queue (an old answer is fine).
 * @push: queue one buffer and return its slot. xmit. The datapath has made
 *	sure of room for the whole frame. Buffers of one frame come in order,
 *	DP_TX_FIRST to DP_TX_LAST. The hardware must not see any of it before
 *	->doorbell(), also when it is running: only then is the slot written
 *	that ->complete() will name on another CPU. (On a buffer-descriptor
 *	ring: keep the ownership bit of the first descriptor after the last
 *	doorbell back; the hardware stops at it.)
 * @doorbell: make all pushed frames visible (dma_wmb), then tell the hardware.
 *	xmit. Always called before the xmit lock is dropped, but for xmit_more.
 * @complete: take the next transmitted buffer; false when there is none.
 *	NAPI of the queue only, not under the xmit lock. Every buffer of a
 *	frame is given back, in the order pushed, frames in order. A departure
 *	time comes with the last buffer of its frame.
 */
struct dp_tx_ops {
	u32 (*room)(struct dp_txq *txq);
	u32 (*push)(struct dp_txq *txq, const struct dp_tx_sqe *sqe);
	void (*doorbell)(struct dp_txq *txq);
	bool (*complete)(struct dp_txq *txq, struct dp_tx_cqe *cqe);
};

/**
 * struct dp_mac_ops - how a queue pair is taken out of service and put back
 * while the interface is up. RTNL.
 * @queue_stop: stop receive and transmit queue @qid. On return their NAPIs are
 *	disabled, the hardware holds no buffer of them and will touch none; frames
 *	still in the transmit ring have been given back through dp_txq_flush().
 *	Waits for frames in flight for a bounded time. A MAC that can only
 *	stop as a whole (FEC) stops all of it. Order: dp_txq_stop(), wait,
 *	NAPI off, hardware off, dp_txq_flush().
 * @queue_start: the reverse; fills the receive ring by dp_rxq_fill() and, on
 *	a MAC that stopped as a whole, puts the other rings' buffers back with
 *	dp_rxq_repost(). Last, with NAPI on, dp_txq_start(). An error leaves
 *	the queue stopped.
 */
struct dp_mac_ops {
	void (*queue_stop)(struct dp_port *port, u16 qid);
	int (*queue_start)(struct dp_port *port, u16 qid);
};

/* --- queues ------------------------------------------------------------- */

/* Counters of one receive queue. Writer: NAPI. */
struct dp_rx_stats {
	u64_stats_t packets;	/* good frames taken from the hardware, whatever became of them */
	u64_stats_t bytes;
	u64_stats_t dropped;	/* good frames lost for want of memory */
	u64_stats_t alloc_fail;	/* times that no page or skb was to be had */
	u64_stats_t csum_ok;
	u64_stats_t xdp_pass;
	u64_stats_t xdp_drop;
	u64_stats_t xdp_tx;
	u64_stats_t xdp_redirect;
	u64_stats_t xdp_error;	/* aborted, unknown verdict, XDP_TX or redirect that failed */
	u64_stats_t xsk_packets;	/* frames received into XSK buffers */
	u64_stats_t xsk_no_buf;	/* polls that found the fill ring too empty to refill */
	u64_stats_t xsk_full;	/* frames lost: a socket's receive ring full, or (spare pages) fill ring empty */
	u64_stats_t xsk_spare;	/* frames received into spare pages, the consumer having stalled */
	u64_stats_t xsk_invalid;	/* fill ring buffers refused: wrong alignment for the DMA */
};

/* Counters of one transmit queue. Writer: holder of the xmit lock, or NAPI (done side). */
struct dp_tx_stats {
	u64_stats_t packets;	/* frames completed by the hardware, of every origin */
	u64_stats_t bytes;
	u64_stats_t dropped;	/* frames given back unsent */
	u64_stats_t xdp_xmit;	/* frames taken by ndo_xdp_xmit */
	u64_stats_t xdp_tx;	/* frames queued by XDP_TX */
	u64_stats_t xdp_full;	/* XDP frames refused, ring full */
	u64_stats_t xsk_packets;	/* frames taken from the XSK transmit ring */
	u64_stats_t xsk_invalid;	/* XSK descriptors refused: multi-buffer, or too short or long for the MAC */
	u64_stats_t busy;	/* times the stack's queue was stopped for lack of room */
};

struct dp_rx_buf;	/* dp_rx.h */
struct dp_tx_buf;	/* dp_tx.h */

/**
 * struct dp_rxq - one receive queue, embedded in the MAC's own
 * @port: the port
 * @napi: the NAPI that serves it, set by the MAC before dp_rxq_open()
 * @pool: the XSK pool in zero-copy, else NULL. Changed only while stopped.
 * @page_pool: source of buffers in copy mode, of spare ones in zero-copy
 * @buf: what lies in each slot, @size of them (and @size of scratch)
 * @txq: where XDP_TX of this queue goes
 * @posted: buffers that the hardware holds
 * @spare: those of them that are pages although there is a @pool
 * @low: below this many buffers the ring is in danger of running dry
 * @size: number of slots
 * @frame_sz: bytes of a page buffer, headroom and tailroom included
 * @dry: the hardware has no XSK buffer, and there is none to be had
 * @dry_since: since when, jiffies
 * @timer: polls a queue that has run dry: its consumer counts as stalled now, or
 *	there may be memory again
 * @check_align: the XSK pool may hold buffers that the hardware cannot take
 * @qid: queue number
 * @xdp_rxq: XDP registration of the page buffers
 * @xsk_rxq: XDP registration of the XSK buffers
 * @syncp: of @stats
 * @stats: counters
 */
struct dp_rxq {
	struct dp_port *port;
	struct napi_struct *napi;
	struct xsk_buff_pool *pool;
	struct page_pool *page_pool;
	struct dp_rx_buf *buf;
	struct dp_txq *txq;
	u32 posted;
	u32 spare;
	u32 low;
	u32 size;
	u32 frame_sz;
	bool dry;
	bool check_align;
	u16 qid;
	unsigned long dry_since;
	struct timer_list timer;
	struct xdp_rxq_info xdp_rxq ____cacheline_aligned;
	struct xdp_rxq_info xsk_rxq;
	struct u64_stats_sync syncp;
	struct dp_rx_stats stats;
};

/**
 * struct dp_txq - one transmit queue, embedded in the MAC's own
 * @port: the port
 * @napi: the NAPI that reaps it, set by the MAC before dp_txq_open()
 * @nq: the netdev queue; its lock is "the xmit lock"
 * @pool: the XSK pool in zero-copy, else NULL. Changed only while stopped.
 * @buf: what lies in each slot, @size of them
 * @sqe: scratch for the buffers of one frame, under the xmit lock
 * @size: number of slots
 * @stop: the stack's queue stops below this much room
 * @wake: and wakes at this much; XDP and XSK frames leave this much free, so
 *	that their load never silences the stack
 * @qid: queue number
 * @live: frames may be pushed. Written by dp_txq_start() and dp_txq_stop().
 * @pending: frames pushed since the last doorbell
 * @xdp_pushed: XDP and XSK buffers pushed ever
 * @push_sync: of the push side's counters
 * @xdp_done: XDP and XSK buffers reaped ever
 * @xsk_busy: XSK buffers in the ring
 * @xsk_last: slot of the youngest of them
 * @done_sync: of the done side's counters
 * @stats: counters
 */
struct dp_txq {
	struct dp_port *port;
	struct napi_struct *napi;
	struct netdev_queue *nq;
	struct xsk_buff_pool *pool;
	struct dp_tx_buf *buf;
	struct dp_tx_sqe *sqe;
	u32 size;
	u32 stop;
	u32 wake;
	u16 qid;
	/* push side, under the xmit lock */
	bool live ____cacheline_aligned;
	bool pending;
	u32 xdp_pushed;
	struct u64_stats_sync push_sync;
	/* done side, NAPI */
	u32 xdp_done ____cacheline_aligned;
	u32 xsk_busy;
	u32 xsk_last;
	struct u64_stats_sync done_sync;
	struct dp_tx_stats stats;
};

/**
 * struct dp_port - one netdev, embedded in the MAC's private data
 * @dev: the netdev
 * @dma_dev: the device that masters the bus (DMA API)
 * @mac: control operations
 * @rxq: @n_rxq queues, set by the MAC
 * @txq: @n_txq queues, set by the MAC. XSK queue n uses rxq[n] and txq[n].
 * @prog: the XDP program; RCU, changed under RTNL
 * @rx_align: a receive buffer's DMA address is a multiple of this (power of two)
 * @tx_align: same for a transmit buffer; 1 when any address will do. Above 1
 *	there is no AF_XDP zero-copy, and misaligned frames are copied.
 * @rx_buf_len: bytes the hardware may write in one buffer (FCS and @rx_pad
 *	included); set by dp_port_set_frame_len()
 * @max_segs: most buffers that one transmitted frame may have
 * @tx_min_len: shortest frame that the hardware takes, 0 when it pads itself;
 *	XDP and XSK frames are padded here, skbs by the MAC
 * @tx_max_len: longest frame that the hardware takes, 0 when any. The stack keeps
 *	to the MTU, but XDP_TX, AF_XDP in any mode, do not.
 */
struct dp_port {
	struct net_device *dev;
	struct device *dma_dev;
	const struct dp_mac_ops *mac;
	struct dp_rxq **rxq;
	struct dp_txq **txq;
	u16 n_rxq;
	u16 n_txq;
	struct bpf_prog __rcu *prog;
	u32 rx_align;
	u32 tx_align;
	u32 rx_buf_len;
	u16 max_segs;
	u16 tx_min_len;
	u32 tx_max_len;
};

/* --- control path, exported (dp_port.c, dp_queue.c, dp_xdp.c, dp_stats.c) --- */

/* Headroom before every received frame (XDP's own 256 bytes; a multiple of 64). */
#define DP_HEADROOM	XDP_PACKET_HEADROOM

/**
 * dp_port_init() - fill the netdev's XDP features once the MAC has set the
 * port's fields. Probe, before register_netdev().
 */
void dp_port_init(struct dp_port *port);

/**
 * dp_port_set_frame_len() - choose the receive buffers for frames of up to
 * @len bytes (Ethernet header, VLAN tags and FCS included, plus what the MAC
 * puts before the frame). All queues stopped; those that are open need other memory then.
 * Return: 0; -EINVAL when an XDP program or pool that is attached cannot take it.
 */
int dp_port_set_frame_len(struct dp_port *port, u32 len, struct netlink_ext_ack *extack);

/**
 * dp_rxq_open() - page pool, slots and XDP registration of a queue of @size
 * slots. rxq->port, ->napi, ->qid are set; rxq->pool is kept, so an XSK pool
 * attached while the interface was down is used. RTNL. dp_rxq_close() is the
 * reverse; it frees all buffers; hardware and NAPI are stopped.
 */
int dp_rxq_open(struct dp_rxq *rxq, u32 size);
void dp_rxq_close(struct dp_rxq *rxq);

/**
 * struct dp_rxq_mem - what a receive queue has of memory, for another size or frame length
 * @buf: as in struct dp_rxq, as all of these
 * @page_pool:
 * @xdp_rxq:
 * @size:
 * @frame_sz:
 */
struct dp_rxq_mem {
	struct dp_rx_buf *buf;
	struct page_pool *page_pool;
	struct xdp_rxq_info xdp_rxq;
	u32 size;
	u32 frame_sz;
};

/*
 * An open queue is given other memory (another size, or another frame length) in
 * this order, so that where there is none it goes on with what it has: the MAC stops,
 * dp_port_set_frame_len() if that changes, dp_rxq_mem_alloc(), dp_rxq_mem_swap(),
 * dp_rxq_mem_free() of the old, start. Transmit queues likewise, swapped and freed first:
 * they may hold pages of the receive queues. RTNL.
 */
int dp_rxq_mem_alloc(const struct dp_rxq *rxq, u32 size, struct dp_rxq_mem *mem);
void dp_rxq_mem_free(struct dp_rxq_mem *mem);
void dp_rxq_mem_swap(struct dp_rxq *rxq, struct dp_rxq_mem *mem);

/**
 * dp_txq_open() - slots of a queue of @size, at least four times
 * port->max_segs. txq->port, ->napi, ->nq, ->qid are set; txq->pool is kept.
 * RTNL. dp_txq_close() gives back what is left (dp_txq_flush) and frees the
 * slots; close it before the receive queue, whose pages it may hold.
 * Both also tell the netdev which NAPI serves the queue (netif_queue_set_napi),
 * as dp_rxq_open() does.
 */
int dp_txq_open(struct dp_txq *txq, u32 size);
void dp_txq_close(struct dp_txq *txq);

/* The same of a transmit queue; members as in struct dp_txq. */
struct dp_txq_mem {
	struct dp_tx_buf *buf;
	struct dp_tx_sqe *sqe;
	u32 size;
};

int dp_txq_mem_alloc(const struct dp_txq *txq, u32 size, struct dp_txq_mem *mem);
void dp_txq_mem_free(struct dp_txq_mem *mem);
void dp_txq_mem_swap(struct dp_txq *txq, struct dp_txq_mem *mem);

/**
 * dp_txq_start() - open the running queue to the stack, XDP and XSK
 * (netif_tx_wake_queue is in it). Last thing on the way up: link up,
 * hardware running, NAPI on. dp_txq_stop() first thing on the way down: when it
 * returns nobody is pushing or will. Process context or BH; both may be called
 * again, and around a link that is down.
 */
void dp_txq_start(struct dp_txq *txq);
void dp_txq_stop(struct dp_txq *txq);

/**
 * dp_txq_flush() - give back every buffer still in a slot, as dropped: skbs
 * freed, XDP frames returned, XSK descriptors completed. The hardware is
 * stopped, NAPI disabled; the MAC then empties its ring. Resets BQL.
 */
void dp_txq_flush(struct dp_txq *txq);

/* ndo_bpf: XDP_SETUP_PROG and XDP_SETUP_XSK_POOL. Swapping programs stops nothing. */
int dp_bpf(struct net_device *dev, struct dp_port *port, struct netdev_bpf *bpf);

/*
 * ndo_xsk_wakeup. Any context but hard interrupt, bottom halves on or off. It
 * schedules the NAPI with the queue's interrupt enabled, so the interrupt handler
 * must mask its source also when NAPI is scheduled already.
 */
int dp_xsk_wakeup(struct dp_port *port, u32 qid, u32 flags);

/* ndo_get_stats64: sums the queues; the MAC adds its own errors. */
void dp_get_stats64(struct dp_port *port, struct rtnl_link_stats64 *stats);

/* ethtool -S: per queue, XDP, XSK and page_pool counters. The MAC puts its own first. */
int dp_ethtool_count(struct dp_port *port);
void dp_ethtool_strings(struct dp_port *port, u8 **data);
void dp_ethtool_stats(struct dp_port *port, u64 *data);

/* netdev_stat_ops for per-queue statistics over the netdev netlink family:
 * the MAC's callbacks forward to these.
 */
struct netdev_queue_stats_rx;
struct netdev_queue_stats_tx;
void dp_queue_stats_rx(struct dp_port *port, int idx, struct netdev_queue_stats_rx *stats);
void dp_queue_stats_tx(struct dp_port *port, int idx, struct netdev_queue_stats_tx *stats);

/* Set dev->xdp_metadata_ops to this when the MAC reports DP_RX_TSTAMP, _HASH or _VLAN. */
extern const struct xdp_metadata_ops dp_xdp_metadata_ops;

/*
 * --- hot path and ring set-up, inline; include the header named ----------
 *
 * dp_rx.h
 *   int  dp_rx_poll(const struct dp_rx_ops *rx, const struct dp_tx_ops *tx,
 *                   struct dp_rxq *rxq, int budget);
 *	Receive up to @budget frames and refill; one transmit doorbell for all
 *	XDP_TX frames, one xdp_do_flush(). Returns frames done; @budget means
 *	"poll again" (also when a pool without need_wakeup must be asked again).
 *   void dp_rxq_fill(const struct dp_rx_ops *rx, struct dp_rxq *rxq);
 *	Post buffers until the ring is full or none is to be had; doorbell.
 *	Queue stopped; BH may be on.
 *   void dp_rxq_repost(const struct dp_rx_ops *rx, struct dp_rxq *rxq);
 *	After the MAC emptied its ring without giving the buffers back: post
 *	those that the slots still hold again (received frames not yet taken
 *	are lost), then dp_rxq_fill(). Queue stopped.
 *
 * dp_tx.h
 *   netdev_tx_t dp_xmit_skb(const struct dp_tx_ops *tx, struct dp_txq *txq,
 *                           struct sk_buff *skb, u32 flags);
 *	ndo_start_xmit after the MAC prepared the skb (padding, checksum);
 *	@flags: DP_TX_CSUM, DP_TX_TSTAMP, DP_TX_MAC(n) for its buffers. Maps, pushes,
 *	BQL, xmit_more, software timestamp, stops the queue. May answer
 *	NETDEV_TX_BUSY, so what the MAC did to the skb must bear repeating.
 *   netdev_tx_t dp_xmit_drop(const struct dp_tx_ops *tx, struct dp_txq *txq,
 *                            struct sk_buff *skb);
 *	The MAC could not prepare @skb: drop and count it, and ring for the
 *	frames before it that xmit_more held back.
 *   int  dp_xdp_xmit(const struct dp_tx_ops *tx, struct dp_port *port, int n,
 *                    struct xdp_frame **frames, u32 flags);
 *	ndo_xdp_xmit. One lock, one doorbell.
 *   bool dp_tx_poll(const struct dp_tx_ops *tx, struct dp_txq *txq, int budget);
 *	NAPI: reap, complete, wake the stack's queue; in zero-copy also take
 *	descriptors from the XSK transmit ring. True when there is no more to
 *	do for now, false for "poll again". @budget is NAPI's (0: netpoll).
 */

#endif /* _XDP_DATAPATH_H */
