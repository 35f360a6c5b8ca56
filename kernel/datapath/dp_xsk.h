/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AF_XDP zero-copy at the level of rings: buffers from the fill ring into the
 * receive ring, descriptors from the transmit ring into ours, completions,
 * and need_wakeup both ways. What is in the frames is dp_rx.h's concern.
 *
 *   fill ring --dp_xsk_refill--> receive slots       transmit ring --dp_xsk_xmit-->
 *   (dry: spare pages instead)                       transmit slots --> completion ring
 *
 * Spare pages. When a consumer falls behind, its fill ring runs dry, and with it
 * the receive ring: the hardware then holds frames back (FIFO, pause frames), as
 * it should. But when the consumer has stalled, or only transmits, the port would
 * stay deaf, for the stack too. So after a time a few pages of the page_pool go
 * in. Frames for the stack pass through them as in copy mode; frames for the
 * socket are copied by the core into a buffer of the fill ring, which is why one
 * is left there for each page that the hardware holds. The next frame's interrupt
 * also finds a refilled fill ring, so no queue stays suspended, with or without
 * need_wakeup, and none has to be polled for ever.
 */
#ifndef _DP_XSK_H
#define _DP_XSK_H

#include <linux/if_xdp.h>
#include <net/xdp_sock_drv.h>

#include "dp_count.h"
#include "dp_slot.h"

/* Buffers taken from the fill ring at a time: an array of pointers on the stack. */
#define DP_XSK_BATCH		32
/* Most frames sent from the XSK transmit ring in one poll (NAPI_POLL_WEIGHT). */
#define DP_XSK_TX_BATCH		64
/* Spare pages in the ring of a stalled consumer. */
#define DP_XSK_SPARE		16
/*
 * How long a ring may be dry before its consumer counts as stalled. Far above
 * any scheduling delay, far below what a TCP connection (SSH) gives up at.
 */
#define DP_XSK_STALL		HZ

/*
 * Sync the bytes of a frame. xsk_buff_dma_sync_for_cpu() would sync the whole
 * buffer. A UMEM is mapped page by page, and frames in unaligned chunks may lie
 * across two mappings, which have to be synced each.
 */
static __always_inline void dp_xsk_sync_for_cpu(struct device *dev, struct xsk_buff_pool *pool,
						dma_addr_t dma, u32 len)
{
	if (unlikely(pool->unaligned) && offset_in_page(dma) + len > PAGE_SIZE) {
		u32 head = PAGE_SIZE - offset_in_page(dma);

		dma_sync_single_for_cpu(dev, dma, head, DMA_BIDIRECTIONAL);
		dma += head;
		len -= head;
	}
	dma_sync_single_for_cpu(dev, dma, len, DMA_BIDIRECTIONAL);
}

static __always_inline void dp_xsk_sync_for_device(struct device *dev, struct xsk_buff_pool *pool,
						   dma_addr_t dma, u32 len)
{
	if (unlikely(pool->unaligned) && offset_in_page(dma) + len > PAGE_SIZE) {
		u32 head = PAGE_SIZE - offset_in_page(dma);

		dma_sync_single_for_device(dev, dma, head, DMA_BIDIRECTIONAL);
		dma += head;
		len -= head;
	}
	dma_sync_single_for_device(dev, dma, len, DMA_BIDIRECTIONAL);
}

/*
 * Post up to @want buffers from the fill ring. Returns how many are still
 * wanted when it has run dry, or when so many of its entries were looked at: its
 * owner may put bad ones in as fast as they are refused.
 */
static __always_inline u32 dp_xsk_take(const struct dp_rx_ops *rx, struct dp_rxq *rxq,
				       u32 want, struct dp_rx_count *cnt)
{
	struct xsk_buff_pool *pool = rxq->pool;
	struct xdp_buff *xdp[DP_XSK_BATCH];
	u32 align = rxq->port->rx_align - 1;
	u32 i, n, got, left = want;

	while (left) {
		n = min_t(u32, left, DP_XSK_BATCH);
		/* Leave one for each page in the ring, to copy its frame into. */
		if (unlikely(rxq->spare) && !xsk_buff_can_alloc(pool, rxq->spare + n)) {
			n = 1;
			if (!xsk_buff_can_alloc(pool, rxq->spare + n))
				break;
		}

		got = xsk_buff_alloc_batch(pool, xdp, n);
		for (i = 0; i < got; i++) {
			/* Unaligned chunks only: the application chose the address. It is
			 * dropped from the ring as the core drops addresses out of range.
			 */
			if (unlikely(rxq->check_align) &&
			    unlikely(xsk_buff_xdp_get_dma(xdp[i]) & align)) {
				xp_release(container_of(xdp[i], struct xdp_buff_xsk, xdp));
				cnt->xsk_invalid++;
				continue;
			}
			dp_rxq_put(rx, rxq, dp_rx_buf_of_xsk(xdp[i]));
			want--;
		}
		left -= got;
		if (got < n)
			break;
	}
	return want;
}

/*
 * The fill ring is dry, and so may be the receive ring: wait for the consumer, or
 * when it has stalled, post spare pages. True when the queue must be polled again.
 */
static __always_inline bool dp_xsk_dry(const struct dp_rx_ops *rx, struct dp_rxq *rxq,
				       struct dp_rx_count *cnt)
{
	struct page *page;

	/* As long as the hardware has a buffer, frames bring interrupts. The fill
	 * ring is not dry when the rest of it is kept for the pages' frames.
	 */
	if (rxq->posted > rxq->spare ||
	    (rxq->spare && xsk_buff_can_alloc(rxq->pool, 1)))
		return false;

	if (!rxq->dry) {
		rxq->dry = true;
		rxq->dry_since = jiffies;
	}
	if (time_before(jiffies, rxq->dry_since + DP_XSK_STALL)) {
		dp_rxq_retry(rxq, rxq->dry_since + DP_XSK_STALL);
		/* Without need_wakeup nobody will call, so go and look. */
		return !rxq->pool->uses_need_wakeup;
	}

	while (rxq->posted < min_t(u32, rxq->low, DP_XSK_SPARE)) {
		page = page_pool_dev_alloc_pages(rxq->page_pool);
		if (unlikely(!page)) {
			cnt->alloc_fail++;
			if (!rxq->posted)
				dp_rxq_retry(rxq, jiffies + DP_ALLOC_RETRY);
			return false;
		}
		dp_rxq_put(rx, rxq, dp_rx_buf_of_page(page));
		rxq->spare++;
	}
	return false;
}

/**
 * dp_xsk_refill() - fill the receive ring in zero-copy
 * @rx: the MAC's ring
 * @rxq: receive queue with a pool
 * @cnt: the poll's counters
 *
 * The need_wakeup flag is up exactly while the ring is low and the fill ring
 * dry. A consumer may refill between our last look and the flag: so look again
 * behind a full barrier. A consumer that has no barrier of its own between its
 * refill and its look at the flag (libxdp has none) may still have been missed:
 * so the poll in which the flag goes up is followed by another.
 *
 * Nothing is tried over and over that brings no buffer. A fill ring can hold more
 * than can ever be had: bad addresses, and in unaligned chunk mode more entries
 * than the UMEM has chunks. What is left there waits for the next poll.
 *
 * Context: NAPI, or the queue is stopped.
 * Return: true when the queue must be polled again.
 */
static __always_inline bool dp_xsk_refill(const struct dp_rx_ops *rx, struct dp_rxq *rxq,
					  struct dp_rx_count *cnt)
{
	struct xsk_buff_pool *pool = rxq->pool;
	bool again = false, idle = false;

	for (;;) {
		u32 had = rxq->posted - rxq->spare;
		u32 want = dp_xsk_take(rx, rxq, rxq->size - rxq->posted, cnt);

		if (rxq->posted > rxq->spare)
			rxq->dry = false;
		if (!want || rxq->posted - rxq->spare >= rxq->low)
			break;

		if (!again)
			cnt->xsk_no_buf++;
		if (dp_xsk_dry(rx, rxq, cnt))
			again = true;
		if (!pool->uses_need_wakeup)
			return again;
		if (!(pool->cached_need_wakeup & XDP_WAKEUP_RX)) {
			xsk_set_rx_need_wakeup(pool);
			again = true;
		}
		/* The flag before the look at the fill ring; pairs with the
		 * consumer's refill before its look at the flag.
		 */
		smp_mb();
		if (!xsk_buff_can_alloc(pool, rxq->spare + 1))
			return again;
		if (rxq->posted - rxq->spare == had) {
			if (idle)
				return again;
			idle = true;
		}
	}

	if (pool->uses_need_wakeup)
		xsk_clear_rx_need_wakeup(pool);
	return again;
}

/* Whether a frame shorter than the hardware takes could be padded in its chunk. */
static noinline_for_stack bool dp_xsk_pad(const struct dp_port *port,
					  struct xsk_buff_pool *pool, struct xdp_desc *desc)
{
	u64 addr = pool->unaligned ? xp_unaligned_add_offset_to_addr(desc->addr) : desc->addr;
	u32 len = port->tx_min_len;

	if (pool->unaligned) {
		if (addr + len > pool->addrs_cnt || xp_desc_crosses_non_contig_pg(pool, addr, len))
			return false;
	} else if ((addr & (pool->chunk_size - 1)) + len > pool->chunk_size) {
		return false;
	}

	memset(xsk_buff_raw_get_data(pool, desc->addr) + desc->len, 0, len - desc->len);
	desc->len = len;
	return true;
}

/*
 * Whether a descriptor can be sent: at least an Ethernet header, at most what the
 * MAC takes. Multi-buffer frames are not advertised (xdp_zc_max_segs is 1), and most
 * kernels refuse them before us; not for sockets that share the queue. There each
 * descriptor is judged by itself: the one that follows may be another socket's.
 */
static __always_inline bool dp_xsk_desc_ok(struct dp_txq *txq, struct xdp_desc *desc)
{
	const struct dp_port *port = txq->port;

	if (unlikely(desc->options & XDP_PKT_CONTD))
		return false;
	if (unlikely(!dp_tx_len_ok(port, desc->len)))
		return false;
	if (unlikely(desc->len < port->tx_min_len))
		return dp_xsk_pad(port, txq->pool, desc);
	return true;
}

/**
 * dp_xsk_xmit() - send from the XSK transmit ring
 * @tx: the MAC's ring
 * @txq: transmit queue with a pool
 *
 * need_wakeup: the flag is down only when there is no room. Then the ring is
 * full, a completion must come, and its poll looks here again, so a system call
 * would be wasted. Otherwise it is up; when it goes up, another poll follows (see
 * dp_xsk_refill() why). Pools that do not use need_wakeup always call, the core
 * counts on it, so theirs stays up.
 *
 * Context: NAPI. Takes the xmit lock.
 * Return: true when the queue must be polled again.
 */
static __always_inline bool dp_xsk_xmit(const struct dp_tx_ops *tx, struct dp_txq *txq)
{
	u32 left = DP_XSK_TX_BATCH, sent = 0, refused = 0, done = 0;
	struct xsk_buff_pool *pool = txq->pool;
	bool again = false;
	u32 room, i, n;

	__netif_tx_lock(txq->nq, smp_processor_id());
	if (unlikely(!txq->live)) {
		__netif_tx_unlock(txq->nq);
		return false;
	}

	room = dp_txq_xdp_room(tx, txq);
	do {
		n = min(room, left);
		if (!n)
			break;
		n = xsk_tx_peek_release_desc_batch(pool, n);
		for (i = 0; i < n; i++) {
			struct xdp_desc *desc = &pool->tx_descs[i];
			struct dp_tx_sqe sqe = { .flags = DP_TX_FIRST | DP_TX_LAST };
			struct dp_tx_buf *buf;

			if (unlikely(!dp_xsk_desc_ok(txq, desc))) {
				/* The completion ring is in order: behind the youngest. */
				if (txq->xsk_busy)
					txq->buf[txq->xsk_last].n_desc++;
				else
					done++;
				refused++;
				continue;
			}

			sqe.dma = xsk_buff_raw_get_dma(pool, desc->addr);
			sqe.len = desc->len;
			sqe.frame_len = desc->len;
			dp_xsk_sync_for_device(txq->port->dma_dev, pool, sqe.dma, sqe.len);
			buf = dp_txq_put(tx, txq, &sqe, DP_BUF_XSK);
			buf->n_desc = 1;
			txq->xsk_last = buf - txq->buf;
			txq->xsk_busy++;
			sent++;
			room--;
		}
		left -= n;
	} while (n);

	if (sent) {
		WRITE_ONCE(txq->xdp_pushed, txq->xdp_pushed + sent);
		txq_trans_cond_update(txq->nq);
	}
	dp_txq_doorbell(tx, txq);
	if (sent | refused) {
		u64_stats_update_begin(&txq->push_sync);
		u64_stats_add(&txq->stats.xsk_packets, sent);
		u64_stats_add(&txq->stats.xsk_invalid, refused);
		u64_stats_update_end(&txq->push_sync);
	}
	__netif_tx_unlock(txq->nq);

	if (unlikely(done))
		xsk_tx_completed(pool, done);

	if (!left)
		return true;
	if (!pool->uses_need_wakeup)
		return false;
	if (!room) {
		xsk_clear_tx_need_wakeup(pool);
		return false;
	}
	if (!(pool->cached_need_wakeup & XDP_WAKEUP_TX)) {
		xsk_set_tx_need_wakeup(pool);
		again = true;
	}
	return again;
}

#endif /* _DP_XSK_H */
