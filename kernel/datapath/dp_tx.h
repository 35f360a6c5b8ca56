/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Transmit, hot path: frames of the stack (skb), of other devices (xdp_frame),
 * of XDP_TX (page) and of AF_XDP into one ring, and their completion.
 *
 * All pushers hold the xmit lock. Memory stays where it is: an skb and an
 * xdp_frame are mapped for the time of flight, a page keeps the mapping of its
 * page_pool, an XSK buffer that of its UMEM. Only the frame's bytes are synced.
 */
#ifndef _DP_TX_H
#define _DP_TX_H

#include <linux/etherdevice.h>
#include <net/netdev_queues.h>

#include "../compat.h"
#include "dp_slot.h"
#include "dp_xsk.h"

/* Defined in dp_queue.c, for what need not be inline. */
int dp_skb_map(struct dp_txq *txq, struct sk_buff *skb, enum dp_tx_kind *last);
bool dp_frame_fit(const struct dp_port *port, void **data, u32 *len, u32 headroom,
		  u32 tailroom);
void dp_skb_tx_drop(struct dp_txq *txq, struct sk_buff *skb);

/*
 * Far above what any change takes, also where the process that makes it hardly gets a CPU; the
 * task would long have been reported as hung.
 */
#define DP_TX_HOLD	(600 * HZ)

/*
 * Stop the stack's queue on purpose. The watchdog takes a queue for hung that was stopped
 * longer ago than it allows; this one counts as stopped in the future until it starts again.
 * Under the xmit lock.
 */
static __always_inline void dp_txq_hold(struct dp_txq *txq)
{
	netif_tx_stop_queue(txq->nq);
	WRITE_ONCE(txq->nq->trans_start, jiffies + DP_TX_HOLD);
}

/**
 * dp_xmit_drop() - give up an skb that could not be prepared
 * @tx: the MAC's ring
 * @txq: transmit queue
 * @skb: freed
 *
 * Context: xmit, from ndo_start_xmit.
 * Return: NETDEV_TX_OK.
 */
static __always_inline netdev_tx_t dp_xmit_drop(const struct dp_tx_ops *tx,
						struct dp_txq *txq, struct sk_buff *skb)
{
	dp_skb_tx_drop(txq, skb);
	if (!netdev_xmit_more())
		dp_txq_doorbell(tx, txq);
	return NETDEV_TX_OK;
}

/**
 * dp_xmit_skb() - ndo_start_xmit
 * @tx: the MAC's ring
 * @txq: transmit queue
 * @skb: frame, prepared by the MAC; owned by the queue on NETDEV_TX_OK
 * @flags: DP_TX_CSUM, DP_TX_TSTAMP, DP_TX_MAC(n) for all of its buffers
 *
 * Context: xmit.
 * Return: NETDEV_TX_OK (sent, or dropped and counted); NETDEV_TX_BUSY when there
 * is no room, with the queue stopped.
 */
static __always_inline netdev_tx_t
dp_xmit_skb(const struct dp_tx_ops *tx, struct dp_txq *txq, struct sk_buff *skb, u32 flags)
{
	struct dp_port *port = txq->port;
	struct netdev_queue *nq = txq->nq;
	struct dp_tx_buf *buf = NULL;
	enum dp_tx_kind last = DP_BUF_SKB;
	bool more = netdev_xmit_more();
	bool kick, stopped;
	int i, n = 1;

	/* AF_XDP in copy mode sends frames of any length. */
	if (unlikely(!dp_tx_len_ok(port, skb->len) && !skb_is_gso(skb)))
		return dp_xmit_drop(tx, txq, skb);
	if (unlikely(skb_shinfo(skb)->nr_frags >= port->max_segs) && skb_linearize(skb))
		return dp_xmit_drop(tx, txq, skb);

	if (unlikely(!txq->live || tx->room(txq) <= skb_shinfo(skb)->nr_frags)) {
		u64_stats_update_begin(&txq->push_sync);
		u64_stats_inc(&txq->stats.busy);
		u64_stats_update_end(&txq->push_sync);
		if (likely(txq->live)) {
			netif_txq_try_stop(nq, tx->room(txq), txq->wake);
			dp_txq_doorbell(tx, txq);
		} else {
			dp_txq_hold(txq);
		}
		return NETDEV_TX_BUSY;
	}

	if (likely(!skb_is_nonlinear(skb) && port->tx_align <= 1)) {
		struct dp_tx_sqe *sqe = txq->sqe;

		sqe->dma = dma_map_single(port->dma_dev, skb->data, skb->len, DMA_TO_DEVICE);
		sqe->len = skb->len;
		if (dma_mapping_error(port->dma_dev, sqe->dma))
			return dp_xmit_drop(tx, txq, skb);
	} else {
		n = dp_skb_map(txq, skb, &last);
		if (n < 0)
			return dp_xmit_drop(tx, txq, skb);
	}

	skb_tx_timestamp(skb);

	for (i = 0; i < n; i++) {
		struct dp_tx_sqe *sqe = &txq->sqe[i];

		sqe->flags = flags | (i ? 0 : DP_TX_FIRST) | (i == n - 1 ? DP_TX_LAST : 0);
		sqe->frame_len = skb->len;
		buf = dp_txq_put(tx, txq, sqe, i == n - 1 ? last : DP_BUF_PART);
	}
	buf->skb = skb;

	/* Before the doorbell: the completion may be quicker than we are. */
	kick = __netdev_tx_sent_queue(nq, skb->len, more);
	stopped = !netif_txq_maybe_stop(nq, tx->room(txq), txq->stop, txq->wake);
	if (stopped) {
		u64_stats_update_begin(&txq->push_sync);
		u64_stats_inc(&txq->stats.busy);
		u64_stats_update_end(&txq->push_sync);
	}
	if (kick || stopped)
		dp_txq_doorbell(tx, txq);
	return NETDEV_TX_OK;
}

/**
 * dp_xdp_xmit() - ndo_xdp_xmit
 * @tx: the MAC's ring
 * @port: port
 * @n: number of @frames
 * @frames: frames; the first ones, as many as returned, are owned by the queue
 * @flags: XDP_XMIT_FLUSH
 *
 * Context: NAPI of the redirecting device.
 * Return: frames taken; -EINVAL, or -ENETDOWN when the ring takes none.
 */
static __always_inline int
dp_xdp_xmit(const struct dp_tx_ops *tx, struct dp_port *port, int n,
	    struct xdp_frame **frames, u32 flags)
{
	u32 cpu = smp_processor_id();
	struct dp_txq *txq;
	u32 room;
	int i;

	if (unlikely(flags & ~XDP_XMIT_FLAGS_MASK))
		return -EINVAL;

	while (cpu >= port->n_txq)
		cpu -= port->n_txq;
	txq = port->txq[cpu];

	__netif_tx_lock(txq->nq, smp_processor_id());
	if (unlikely(!txq->live)) {
		__netif_tx_unlock(txq->nq);
		return -ENETDOWN;
	}

	room = dp_txq_xdp_room(tx, txq);
	for (i = 0; i < n && room; i++, room--) {
		struct dp_tx_sqe sqe = { .flags = DP_TX_FIRST | DP_TX_LAST };
		struct xdp_frame *frame = frames[i];
		void *data = frame->data;
		u32 len = frame->len;

		if (unlikely(len < port->tx_min_len ||
			     (port->tx_align > 1 && !IS_ALIGNED((unsigned long)data, port->tx_align)))) {
			u32 tailroom = (void *)xdp_get_shared_info_from_frame(frame) - data - len;

			if (!dp_frame_fit(port, &data, &len, frame->headroom, tailroom))
				break;
			frame->headroom -= frame->data - data;
			frame->data = data;
			frame->len = len;
		}

		sqe.dma = dma_map_single(port->dma_dev, data, len, DMA_TO_DEVICE);
		if (dma_mapping_error(port->dma_dev, sqe.dma))
			break;
		sqe.len = len;
		sqe.frame_len = len;
		dp_txq_put(tx, txq, &sqe, DP_BUF_FRAME)->frame = frame;
	}

	if (i) {
		WRITE_ONCE(txq->xdp_pushed, txq->xdp_pushed + i);
		txq_trans_cond_update(txq->nq);
	}
	if (flags & XDP_XMIT_FLUSH)
		dp_txq_doorbell(tx, txq);

	u64_stats_update_begin(&txq->push_sync);
	u64_stats_add(&txq->stats.xdp_xmit, i);
	u64_stats_add(&txq->stats.xdp_full, n - i);
	u64_stats_update_end(&txq->push_sync);
	__netif_tx_unlock(txq->nq);
	return i;
}

/* XDP_TX frames of one poll, collected on its stack. */
#define DP_BULK_SIZE	32

/**
 * struct dp_bulk - XDP_TX frames on their way into the ring
 * @n: number of frames
 * @frame: page, where in it the frame lies, and its bytes; synced for the device
 */
struct dp_bulk {
	u32 n;
	struct {
		struct page *page;
		u32 offset;
		u32 len;
	} frame[DP_BULK_SIZE];
};

/**
 * dp_bulk_send() - put the XDP_TX frames of a receive queue into its transmit ring
 * @tx: the MAC's ring
 * @rxq: receive queue
 * @bulk: frames; empty on return
 * @flush: no more come in this poll: ring the doorbell
 *
 * What finds no room is dropped and its page recycled.
 *
 * Context: NAPI of @rxq. Takes the xmit lock.
 * Return: frames dropped.
 */
static __always_inline u32 dp_bulk_send(const struct dp_tx_ops *tx, struct dp_rxq *rxq,
					struct dp_bulk *bulk, bool flush)
{
	struct dp_txq *txq = rxq->txq;
	u32 i, room, n = bulk->n;

	__netif_tx_lock(txq->nq, smp_processor_id());
	room = likely(txq->live) ? dp_txq_xdp_room(tx, txq) : 0;
	room = min(room, n);
	for (i = 0; i < room; i++) {
		struct page *page = bulk->frame[i].page;
		struct dp_tx_sqe sqe = {
			.dma = page_pool_get_dma_addr(page) + bulk->frame[i].offset,
			.len = bulk->frame[i].len,
			.flags = DP_TX_FIRST | DP_TX_LAST,
			.frame_len = bulk->frame[i].len,
		};

		dp_txq_put(tx, txq, &sqe, DP_BUF_PAGE)->page = page;
	}
	if (i) {
		WRITE_ONCE(txq->xdp_pushed, txq->xdp_pushed + i);
		txq_trans_cond_update(txq->nq);
		u64_stats_update_begin(&txq->push_sync);
		u64_stats_add(&txq->stats.xdp_tx, i);
		u64_stats_update_end(&txq->push_sync);
	}
	if (flush && likely(txq->live))
		dp_txq_doorbell(tx, txq);
	if (unlikely(i < n)) {
		u64_stats_update_begin(&txq->push_sync);
		u64_stats_add(&txq->stats.xdp_full, n - i);
		u64_stats_update_end(&txq->push_sync);
	}
	__netif_tx_unlock(txq->nq);

	bulk->n = 0;
	for (room = i; i < n; i++)	/* synced for the device already */
		page_pool_put_page(rxq->page_pool, bulk->frame[i].page, 0, true);
	return n - room;
}

/* What a reaping found. */
struct dp_tx_done {
	u32 packets;	/* of every origin */
	u32 bytes;
	u32 skbs;
	u32 skb_bytes;
	u32 xdp;	/* XDP and XSK buffers */
	u32 xsk;	/* completions to report */
};

static __always_inline void dp_tx_done_skb(struct dp_txq *txq, struct dp_tx_buf *buf,
					   const struct dp_tx_cqe *cqe, int budget,
					   struct dp_tx_done *done)
{
	struct sk_buff *skb = buf->skb;

	dma_unmap_page(txq->port->dma_dev, buf->dma, buf->len, DMA_TO_DEVICE);
	if (unlikely(buf->kind == DP_BUF_BOUNCE))
		page_frag_free(dp_skb_cb(skb)->bounce);
	if (unlikely(cqe->flags & DP_TX_TSTAMP)) {
		struct skb_shared_hwtstamps stamp = { .hwtstamp = ns_to_ktime(cqe->hwtstamp) };

		skb_tstamp_tx(skb, &stamp);
	}
	done->packets++;
	done->skbs++;
	done->skb_bytes += skb->len;
	napi_consume_skb(skb, budget);
}

/* Take everything off the ring that the hardware has sent. */
static __always_inline void dp_tx_reap(const struct dp_tx_ops *tx, struct dp_txq *txq,
				       int budget, struct dp_tx_done *done)
{
	struct device *dma_dev = txq->port->dma_dev;
	struct xdp_frame_bulk bulk;
	struct dp_tx_cqe cqe = {};

	xdp_frame_bulk_init(&bulk);
	rcu_read_lock();	/* for xdp_return_frame_bulk() */
	while (tx->complete(txq, &cqe)) {
		struct dp_tx_buf *buf = &txq->buf[cqe.slot];

		switch (buf->kind) {
		case DP_BUF_XSK:
			done->packets++;
			done->bytes += buf->len;
			done->xdp++;
			done->xsk += buf->n_desc;
			txq->xsk_busy--;
			break;
		case DP_BUF_SKB:
		case DP_BUF_BOUNCE:
			dp_tx_done_skb(txq, buf, &cqe, budget, done);
			break;
		case DP_BUF_PART:
			dma_unmap_page(dma_dev, buf->dma, buf->len, DMA_TO_DEVICE);
			break;
		case DP_BUF_PAGE:
			/* Synced when it was sent, untouched by the CPU since. */
			done->packets++;
			done->bytes += buf->len;
			done->xdp++;
			page_pool_put_page(compat_page_pool_of(buf->page), buf->page, 0, false);
			break;
		case DP_BUF_FRAME:
			dma_unmap_page(dma_dev, buf->dma, buf->len, DMA_TO_DEVICE);
			done->packets++;
			done->bytes += buf->len;
			done->xdp++;
			xdp_return_frame_bulk(buf->frame, &bulk);
			break;
		}
		buf->kind = DP_BUF_NONE;
	}
	xdp_flush_frame_bulk(&bulk);
	rcu_read_unlock();
}

/**
 * dp_tx_poll() - the transmit half of a NAPI poll
 * @tx: the MAC's ring
 * @txq: transmit queue
 * @budget: NAPI's
 *
 * Netpoll (@budget 0) may call with interrupts off, where neither page_pool
 * nor XSK may be touched: then a ring with such buffers in it is left alone.
 *
 * Context: NAPI.
 * Return: true when done, false for "poll again".
 */
static __always_inline bool dp_tx_poll(const struct dp_tx_ops *tx, struct dp_txq *txq, int budget)
{
	struct dp_tx_done done = {};

	if (unlikely(!budget && READ_ONCE(txq->xdp_pushed) != txq->xdp_done))
		return true;

	dp_tx_reap(tx, txq, budget, &done);

	if (done.packets) {
		txq->xdp_done += done.xdp;
		u64_stats_update_begin(&txq->done_sync);
		u64_stats_add(&txq->stats.packets, done.packets);
		u64_stats_add(&txq->stats.bytes, done.bytes + done.skb_bytes);
		u64_stats_update_end(&txq->done_sync);

		if (done.skbs)
			netdev_tx_completed_queue(txq->nq, done.skbs, done.skb_bytes);
		/* The room made before the look at the stop bit; pairs with the
		 * barrier in netif_txq_try_stop(). Frames of any origin made
		 * room, so netif_txq_completed_wake(), which goes by BQL's, won't do.
		 */
		smp_mb();
		if (unlikely(netif_tx_queue_stopped(txq->nq)) && READ_ONCE(txq->live) &&
		    tx->room(txq) >= txq->wake)
			netif_tx_wake_queue(txq->nq);
	}

	if (!txq->pool || !budget)
		return true;
	if (done.xsk)
		xsk_tx_completed(txq->pool, done.xsk);
	return !dp_xsk_xmit(tx, txq);
}

#endif /* _DP_TX_H */
