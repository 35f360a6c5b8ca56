/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Receive, hot path: what becomes of a completed buffer.
 *
 *              page                          XSK buffer
 *   PASS       skb around it                 copied into an skb
 *   TX         into dp_bulk as it is         copied into a page, dp_bulk
 *   REDIRECT   xdp_do_redirect()             to a socket: as it is; else as a page
 *   DROP, ...  recycled                      back to its pool
 *
 * A poll holds no lock but for the one flush of its XDP_TX frames. The
 * bottom-half context of NAPI protects the program pointer (RCU), the page_pool's
 * cache and the XSK pool; bpf_net_context is set up by whoever calls NAPI.
 */
#ifndef _DP_RX_H
#define _DP_RX_H

#include <linux/bpf_trace.h>
#include <net/page_pool/helpers.h>

#include "../compat.h"
#include "dp_count.h"
#include "dp_skb.h"
#include "dp_slot.h"
#include "dp_tx.h"
#include "dp_xsk.h"

/* Free slots that make a refill, and its doorbell, worth while. */
#define DP_REFILL_BATCH		16

/* State of one poll, on its stack. */
struct dp_rx_poll {
	struct bpf_prog *prog;
	struct dp_xdp_buff page;	/* prepared for page buffers */
	struct dp_bulk bulk;
	struct dp_rx_count cnt;
	bool tx;			/* XDP_TX frames went into the ring */
	bool redirect;			/* xdp_do_flush() is due */
};

static __always_inline void dp_rx_bulk_send(const struct dp_tx_ops *tx, struct dp_rxq *rxq,
					    struct dp_rx_poll *p, bool flush)
{
	u32 n = p->bulk.n, dropped = dp_bulk_send(tx, rxq, &p->bulk, flush);

	p->cnt.xdp_tx += n - dropped;
	p->cnt.xdp_error += dropped;
	p->tx = true;
}

/*
 * Queue the frame described by p->page for transmit out of its page. @dirty as
 * in dp_page_to_stack(). The sync covers all that the CPU may have written, so
 * that the completion can recycle the page without another.
 */
static __always_inline void dp_rx_page_tx(const struct dp_tx_ops *tx, struct dp_rxq *rxq,
					  struct dp_rx_poll *p, struct page *page, u32 dirty)
{
	const struct dp_port *port = rxq->port;
	void *hard_start = page_address(page);
	void *data = p->page.xdp.data;
	u32 len = p->page.xdp.data_end - data;
	struct dp_bulk *bulk = &p->bulk;
	u32 start, end;

	/* bpf_xdp_adjust_tail() may have made it longer than any MTU. */
	if (unlikely(len > port->tx_max_len)) {
		p->cnt.xdp_error++;
		page_pool_put_page(rxq->page_pool, page, dirty, true);
		return;
	}
	if (unlikely(len < port->tx_min_len ||
		     (port->tx_align > 1 && !IS_ALIGNED((unsigned long)data, port->tx_align)))) {
		u32 tailroom = xdp_data_hard_end(&p->page.xdp) - p->page.xdp.data_end;

		if (!dp_frame_fit(port, &data, &len, data - hard_start, tailroom)) {
			p->cnt.xdp_error++;
			page_pool_put_page(rxq->page_pool, page, dirty, true);
			return;
		}
	}

	start = min_t(u32, data - hard_start, DP_HEADROOM);
	end = max_t(u32, data + len - hard_start, DP_HEADROOM + dirty);
	dma_sync_single_range_for_device(port->dma_dev, page_pool_get_dma_addr(page),
					 start, end - start, DMA_BIDIRECTIONAL);

	bulk->frame[bulk->n].page = page;
	bulk->frame[bulk->n].offset = data - hard_start;
	bulk->frame[bulk->n].len = len;
	if (++bulk->n == DP_BULK_SIZE)
		dp_rx_bulk_send(tx, rxq, p, false);
}

/* Redirect the frame described by p->page. */
static __always_inline void dp_rx_page_redirect(struct dp_rxq *rxq, struct dp_rx_poll *p,
						struct page *page, u32 dirty)
{
	int err = xdp_do_redirect(rxq->port->dev, &p->page.xdp, p->prog);

	if (likely(!err)) {
		p->cnt.xdp_redirect++;
		p->redirect = true;
		return;
	}
	if (rxq->pool && (err == -ENOBUFS || err == -ENOMEM))
		p->cnt.xsk_full++;
	else
		p->cnt.xdp_error++;
	page_pool_put_page(rxq->page_pool, page, dirty, true);
}

/* A frame in a page: every verdict. */
static __always_inline void dp_rx_page(const struct dp_tx_ops *tx, struct dp_rxq *rxq,
				       struct dp_rx_poll *p, struct page *page,
				       const struct dp_rx_cqe *cqe)
{
	u32 offset = DP_HEADROOM + cqe->offset;
	u32 dirty = cqe->offset + cqe->len;
	void *hard_start = page_address(page);
	struct xdp_buff *xdp = &p->page.xdp;
	u32 act;

	page_pool_dma_sync_for_cpu(rxq->page_pool, page, cqe->offset, cqe->len);
	net_prefetch(hard_start + offset);

	if (!p->prog) {
		dp_page_to_stack(rxq, page, hard_start + offset, 0, cqe->len, dirty, cqe, &p->cnt);
		return;
	}

	xdp_prepare_buff(xdp, hard_start, offset, cqe->len, true);
	p->page.cqe = cqe;
	act = bpf_prog_run_xdp(p->prog, xdp);
	/* The program may have moved the frame's end. */
	dirty = max_t(u32, dirty, xdp->data_end - hard_start - DP_HEADROOM);

	switch (act) {
	case XDP_PASS:
		p->cnt.xdp_pass++;
		dp_page_to_stack(rxq, page, xdp->data, xdp->data - xdp->data_meta,
				 xdp->data_end - xdp->data, dirty, cqe, &p->cnt);
		return;
	case XDP_TX:
		dp_rx_page_tx(tx, rxq, p, page, dirty);
		return;
	case XDP_REDIRECT:
		dp_rx_page_redirect(rxq, p, page, dirty);
		return;
	default:
		bpf_warn_invalid_xdp_action(rxq->port->dev, p->prog, act);
		fallthrough;
	case XDP_ABORTED:
		trace_xdp_exception(rxq->port->dev, p->prog, act);
		p->cnt.xdp_error++;
		break;
	case XDP_DROP:
		p->cnt.xdp_drop++;
		break;
	}
	page_pool_put_page(rxq->page_pool, page, dirty, true);
}

/*
 * Copy a frame out of an XSK buffer, metadata and all, into a page that p->page
 * then describes. NULL, and counted, when that cannot be.
 */
static __always_inline struct page *dp_rx_xsk_copy(struct dp_rxq *rxq, struct dp_rx_poll *p,
						   const struct xdp_buff *from, u32 *dirty)
{
	u32 head = from->data_meta - from->data_hard_start;
	u32 end = from->data_end - from->data_hard_start;
	struct xdp_buff *to = &p->page.xdp;
	struct page *page;
	void *hard_start;

	if (unlikely(end > rxq->frame_sz - SKB_DATA_ALIGN(sizeof(struct skb_shared_info)))) {
		p->cnt.xdp_error++;
		return NULL;
	}
	page = page_pool_dev_alloc_pages(rxq->page_pool);
	if (unlikely(!page)) {
		p->cnt.alloc_fail++;
		p->cnt.dropped++;
		return NULL;
	}
	hard_start = page_address(page);
	memcpy(hard_start + head, from->data_meta, end - head);
	xdp_prepare_buff(to, hard_start, from->data - from->data_hard_start,
			 from->data_end - from->data, true);
	to->data_meta = hard_start + head;
	*dirty = end > DP_HEADROOM ? end - DP_HEADROOM : 0;
	return page;
}

/* A frame in an XSK buffer: every verdict. */
static __always_inline void dp_rx_xsk(const struct dp_tx_ops *tx, struct dp_rxq *rxq,
				      struct dp_rx_poll *p, struct xdp_buff *xdp,
				      const struct dp_rx_cqe *cqe)
{
	struct net_device *dev = rxq->port->dev;
	struct page *page;
	u32 act, dirty;
	int err;

	dp_xsk_sync_for_cpu(rxq->port->dma_dev, rxq->pool,
			    xsk_buff_xdp_get_dma(xdp) + cqe->offset, cqe->len);
	xdp->data = xdp->data_hard_start + XDP_PACKET_HEADROOM + cqe->offset;
	xdp->data_meta = xdp->data;
	xdp->data_end = xdp->data + cqe->len;
	xdp->flags = 0;
	net_prefetch(xdp->data);
	p->cnt.xsk_packets++;

	act = XDP_PASS;
	if (likely(p->prog)) {
		((struct dp_xdp_buff *)xdp)->cqe = cqe;
		act = bpf_prog_run_xdp(p->prog, xdp);
	}

	switch (act) {
	case XDP_REDIRECT:
		if (unlikely(!compat_redirects_to_xsk())) {
			page = dp_rx_xsk_copy(rxq, p, xdp, &dirty);
			if (page)
				dp_rx_page_redirect(rxq, p, page, dirty);
			break;
		}
		err = xdp_do_redirect(dev, xdp, p->prog);
		if (likely(!err)) {
			p->cnt.xdp_redirect++;
			p->redirect = true;
			return;
		}
		/* Go on with the next frame when the socket is full: it may be for
		 * the stack. The core has freed the buffer in some cases and not in
		 * others; freeing it twice is harmless until it is allocated again.
		 */
		if (err == -ENOBUFS)
			p->cnt.xsk_full++;
		else
			p->cnt.xdp_error++;
		break;
	case XDP_PASS:
		if (p->prog)
			p->cnt.xdp_pass++;
		dp_xsk_to_stack(rxq, xdp, cqe, &p->cnt);
		break;
	case XDP_TX:
		page = dp_rx_xsk_copy(rxq, p, xdp, &dirty);
		if (page)
			dp_rx_page_tx(tx, rxq, p, page, dirty);
		break;
	default:
		bpf_warn_invalid_xdp_action(dev, p->prog, act);
		fallthrough;
	case XDP_ABORTED:
		trace_xdp_exception(dev, p->prog, act);
		p->cnt.xdp_error++;
		break;
	case XDP_DROP:
		p->cnt.xdp_drop++;
		break;
	}
	xsk_buff_free(xdp);
}

/* Fill the ring in copy mode. */
static __always_inline void dp_rx_refill(const struct dp_rx_ops *rx, struct dp_rxq *rxq,
					 struct dp_rx_count *cnt)
{
	u32 n = rxq->size - rxq->posted;
	struct page *page;

	while (n--) {
		page = page_pool_dev_alloc_pages(rxq->page_pool);
		if (unlikely(!page)) {
			cnt->alloc_fail++;
			/* From a ring run dry no interrupt would come to try again. */
			if (rxq->posted < min_t(u32, rxq->low, DP_REFILL_BATCH))
				dp_rxq_retry(rxq, jiffies + DP_ALLOC_RETRY);
			return;
		}
		dp_rxq_put(rx, rxq, dp_rx_buf_of_page(page));
	}
}

/* Refill, in the mode that the queue is in, and tell the hardware of new buffers. */
static __always_inline bool dp_rxq_refill(const struct dp_rx_ops *rx, struct dp_rxq *rxq,
					  struct dp_rx_count *cnt)
{
	u32 posted = rxq->posted;
	bool again = false;

	if (rxq->pool)
		again = dp_xsk_refill(rx, rxq, cnt);
	else
		dp_rx_refill(rx, rxq, cnt);
	if (rxq->posted != posted)
		rx->doorbell(rxq);
	return again;
}

/* The next completed buffer, out of its slot; false when there is none. */
static __always_inline bool dp_rx_next(const struct dp_rx_ops *rx, struct dp_rxq *rxq,
				       struct dp_rx_cqe *cqe, struct dp_rx_buf *buf)
{
	if (!rx->complete(rxq, cqe))
		return false;
	*buf = rxq->buf[cqe->slot];
	rxq->buf[cqe->slot].ptr = 0;
	rxq->posted--;
	return true;
}

/*
 * Whether a frame is to be had in a buffer. Hardware that says it wrote more
 * than it was given room for is not believed.
 */
static __always_inline bool dp_rx_good(const struct dp_rxq *rxq, const struct dp_rx_cqe *cqe)
{
	return likely(!(cqe->flags & DP_RX_ERROR) && cqe->len >= ETH_HLEN &&
		      cqe->offset + cqe->len <= rxq->port->rx_buf_len);
}

/**
 * dp_rx_poll() - the receive half of a NAPI poll
 * @rx: the MAC's receive ring
 * @tx: the MAC's transmit rings, for XDP_TX
 * @rxq: receive queue
 * @budget: NAPI's
 *
 * Context: NAPI.
 * Return: frames done; @budget for "poll again".
 */
static __always_inline int dp_rx_poll(const struct dp_rx_ops *rx, const struct dp_tx_ops *tx,
				      struct dp_rxq *rxq, int budget)
{
	struct dp_rx_cqe cqe = {};
	struct dp_rx_buf buf;
	struct dp_rx_poll p;
	bool again = false;
	int done = 0;

	if (unlikely(!budget))	/* netpoll */
		return 0;

	p.prog = rcu_dereference_bh(rxq->port->prog);
	p.bulk.n = 0;
	p.tx = false;
	p.redirect = false;
	memset(&p.cnt, 0, sizeof(p.cnt));
	xdp_init_buff(&p.page.xdp, rxq->frame_sz, &rxq->xdp_rxq);

	if (!rxq->pool) {
		while (done < budget && dp_rx_next(rx, rxq, &cqe, &buf)) {
			done++;
			if (unlikely(!dp_rx_good(rxq, &cqe))) {
				page_pool_put_page(rxq->page_pool, dp_rx_buf_page(buf), 0, true);
				continue;
			}
			p.cnt.packets++;
			p.cnt.bytes += cqe.len;
			dp_rx_page(tx, rxq, &p, dp_rx_buf_page(buf), &cqe);
		}
	} else {
		while (done < budget && dp_rx_next(rx, rxq, &cqe, &buf)) {
			bool page = dp_rx_buf_is_page(buf);

			done++;
			if (unlikely(page))
				rxq->spare--;
			if (unlikely(!dp_rx_good(rxq, &cqe))) {
				if (page)
					page_pool_put_page(rxq->page_pool, dp_rx_buf_page(buf),
							   0, true);
				else
					xsk_buff_free(dp_rx_buf_xsk(buf));
				continue;
			}
			p.cnt.packets++;
			p.cnt.bytes += cqe.len;
			if (likely(!page)) {
				dp_rx_xsk(tx, rxq, &p, dp_rx_buf_xsk(buf), &cqe);
			} else {
				p.cnt.xsk_spare++;
				dp_rx_page(tx, rxq, &p, dp_rx_buf_page(buf), &cqe);
			}
		}
	}

	if (p.bulk.n || p.tx)
		dp_rx_bulk_send(tx, rxq, &p, true);
	if (p.redirect)
		xdp_do_flush();

	/* After the flush: a consumer on another CPU may be at it already. */
	if (rxq->size - rxq->posted >= DP_REFILL_BATCH ||
	    rxq->posted - rxq->spare < rxq->low)
		again = dp_rxq_refill(rx, rxq, &p.cnt);

	dp_rx_count_add(rxq, &p.cnt, p.prog);
	return again ? budget : done;
}

/**
 * dp_rxq_fill() - post buffers until the ring is full or none is to be had
 * @rx: the MAC's ring
 * @rxq: receive queue
 *
 * Context: the queue is stopped; process or bottom half.
 */
static __always_inline void dp_rxq_fill(const struct dp_rx_ops *rx, struct dp_rxq *rxq)
{
	struct dp_rx_count cnt = {};

	/* What could not be had now is asked for again in the poll that
	 * dp_txq_start() brings about.
	 */
	local_bh_disable();
	dp_rxq_refill(rx, rxq, &cnt);
	dp_rx_count_add(rxq, &cnt, false);
	local_bh_enable();
}

/**
 * dp_rxq_repost() - put the slots' buffers into a ring that was emptied
 * @rx: the MAC's ring, as if new
 * @rxq: receive queue
 *
 * Frames received but not yet taken are lost. Then as dp_rxq_fill().
 *
 * Context: the queue is stopped; process or bottom half.
 */
static __always_inline void dp_rxq_repost(const struct dp_rx_ops *rx, struct dp_rxq *rxq)
{
	struct dp_rx_buf *held = rxq->buf + rxq->size;
	u32 i, n = 0;

	for (i = 0; i < rxq->size; i++) {
		if (!rxq->buf[i].ptr)
			continue;
		held[n++] = rxq->buf[i];
		rxq->buf[i].ptr = 0;
	}
	rxq->posted = 0;
	for (i = 0; i < n; i++)
		dp_rxq_put(rx, rxq, held[i]);
	if (n)
		rx->doorbell(rxq);
	dp_rxq_fill(rx, rxq);
}

#endif /* _DP_RX_H */
