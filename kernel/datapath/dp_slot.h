/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies in the slots of a ring, and who owns it while it lies there.
 *
 * Receive: a page of the queue's page_pool or a buffer of its XSK pool. The
 * slot owns it from ->post() until ->complete() names the slot.
 *
 * Transmit: one buffer of a frame. The slot owns the mapping (unless the memory's
 * own pool has it) and, in the last buffer of a frame, the frame.
 */
#ifndef _DP_SLOT_H
#define _DP_SLOT_H

#include <linux/dma-mapping.h>
#include <linux/if_ether.h>
#include <net/page_pool/helpers.h>
#include <net/xdp_sock_drv.h>

#include "xdp_datapath.h"

/* Lowest bit of dp_rx_buf::ptr: the buffer is a page, not an XSK buffer. */
#define DP_RX_PAGE	1UL

/**
 * struct dp_rx_buf - a receive slot
 * @ptr: struct page (with DP_RX_PAGE) or struct xdp_buff of an XSK pool; 0 empty
 */
struct dp_rx_buf {
	unsigned long ptr;
};

static __always_inline bool dp_rx_buf_is_page(struct dp_rx_buf buf)
{
	return buf.ptr & DP_RX_PAGE;
}

static __always_inline struct page *dp_rx_buf_page(struct dp_rx_buf buf)
{
	return (struct page *)(buf.ptr & ~DP_RX_PAGE);
}

static __always_inline struct xdp_buff *dp_rx_buf_xsk(struct dp_rx_buf buf)
{
	return (struct xdp_buff *)buf.ptr;
}

static __always_inline struct dp_rx_buf dp_rx_buf_of_page(struct page *page)
{
	return (struct dp_rx_buf){ .ptr = (unsigned long)page | DP_RX_PAGE };
}

static __always_inline struct dp_rx_buf dp_rx_buf_of_xsk(struct xdp_buff *xdp)
{
	return (struct dp_rx_buf){ .ptr = (unsigned long)xdp };
}

static_assert(__alignof__(struct page) > DP_RX_PAGE);
static_assert(__alignof__(struct xdp_buff) > DP_RX_PAGE);

/**
 * dp_rx_buf_dma() - where the hardware writes into a receive buffer
 * @buf: not empty
 *
 * Context: any.
 * Return: bus address, headroom left out.
 */
static __always_inline dma_addr_t dp_rx_buf_dma(struct dp_rx_buf buf)
{
	if (dp_rx_buf_is_page(buf))
		return page_pool_get_dma_addr(dp_rx_buf_page(buf)) + DP_HEADROOM;
	return xsk_buff_xdp_get_dma(dp_rx_buf_xsk(buf));
}

/**
 * dp_rxq_put() - hand a buffer to the hardware
 * @rx: the MAC's ring
 * @rxq: receive queue with a free slot
 * @buf: synced for the device; owned by the slot from now on
 *
 * Context: NAPI, or the queue is stopped.
 */
static __always_inline void dp_rxq_put(const struct dp_rx_ops *rx, struct dp_rxq *rxq,
				       struct dp_rx_buf buf)
{
	u32 slot = rx->post(rxq, dp_rx_buf_dma(buf));

	rxq->buf[slot] = buf;
	rxq->posted++;
}

/* How long to wait for memory when a ring has run dry for want of it. */
#define DP_ALLOC_RETRY		(1 + HZ / 100)

/**
 * dp_rxq_retry() - have a queue polled at a later time, traffic or not
 * @rxq: receive queue
 * @when: jiffies; a time set before counts
 *
 * Context: NAPI, or the queue is stopped.
 */
static __always_inline void dp_rxq_retry(struct dp_rxq *rxq, unsigned long when)
{
	if (!timer_pending(&rxq->timer))
		mod_timer(&rxq->timer, when);
}

/* What a transmit slot holds. */
enum dp_tx_kind {
	DP_BUF_NONE,	/* nothing */
	DP_BUF_PART,	/* mapping of a buffer before the skb's last */
	DP_BUF_SKB,	/* last buffer of an skb, and the skb */
	DP_BUF_BOUNCE,	/* skb whose bytes were copied for the hardware's alignment */
	DP_BUF_FRAME,	/* xdp_frame, mapped here */
	DP_BUF_PAGE,	/* page of a page_pool, mapped by the pool (XDP_TX) */
	DP_BUF_XSK,	/* XSK descriptor */
};

/**
 * struct dp_tx_buf - a transmit slot
 * @skb: with DP_BUF_SKB, DP_BUF_BOUNCE
 * @frame: with DP_BUF_FRAME
 * @page: with DP_BUF_PAGE
 * @n_desc: with DP_BUF_XSK: descriptors that complete with it; itself, and
 *	those refused after it (the completion ring is in order)
 * @dma: bus address
 * @len: bytes at @dma
 * @kind: enum dp_tx_kind
 */
struct dp_tx_buf {
	union {
		struct sk_buff *skb;
		struct xdp_frame *frame;
		struct page *page;
		u32 n_desc;
	};
	dma_addr_t dma;
	u32 len;
	u32 kind;
};

/* The copy that the hardware reads, kept in the cb of its skb (the driver's in transmit). */
struct dp_skb_cb {
	void *bounce;
};

static_assert(sizeof(struct dp_skb_cb) <= sizeof_field(struct sk_buff, cb));

static __always_inline struct dp_skb_cb *dp_skb_cb(struct sk_buff *skb)
{
	return (struct dp_skb_cb *)skb->cb;
}

/**
 * dp_txq_put() - push one buffer and note what it is
 * @tx: the MAC's ring
 * @txq: transmit queue with room
 * @sqe: the buffer
 * @kind: what the slot owns
 *
 * Context: xmit.
 * Return: the slot, for the owner's pointer to be set.
 */
static __always_inline struct dp_tx_buf *
dp_txq_put(const struct dp_tx_ops *tx, struct dp_txq *txq,
	   const struct dp_tx_sqe *sqe, enum dp_tx_kind kind)
{
	struct dp_tx_buf *buf = &txq->buf[tx->push(txq, sqe)];

	buf->dma = sqe->dma;
	buf->len = sqe->len;
	buf->kind = kind;
	txq->pending = true;
	return buf;
}

/**
 * dp_txq_doorbell() - ring for what was pushed, if anything was
 * @tx: the MAC's ring
 * @txq: transmit queue
 *
 * Context: xmit.
 */
static __always_inline void dp_txq_doorbell(const struct dp_tx_ops *tx, struct dp_txq *txq)
{
	if (!txq->pending)
		return;
	txq->pending = false;
	tx->doorbell(txq);
}

/**
 * dp_tx_len_ok() - whether the hardware can be given a frame of so many bytes
 * @port: port
 * @len: bytes; what a socket asks for, so anything
 *
 * Shorter than an Ethernet header is no frame: MACs have hung on less. A longer one
 * than the transmit FIFO holds never leaves it.
 *
 * Context: any.
 * Return: true when it can.
 */
static __always_inline bool dp_tx_len_ok(const struct dp_port *port, u32 len)
{
	return len >= ETH_HLEN && len <= port->tx_max_len;
}

/**
 * dp_txq_xdp_room() - room that XDP and XSK frames may take
 * @tx: the MAC's ring
 * @txq: transmit queue
 *
 * What the stack needs to be woken stays free, so it gets its turn at any load.
 *
 * Context: xmit.
 * Return: buffers.
 */
static __always_inline u32 dp_txq_xdp_room(const struct dp_tx_ops *tx, struct dp_txq *txq)
{
	u32 room = tx->room(txq);

	return room > txq->wake ? room - txq->wake : 0;
}

#endif /* _DP_SLOT_H */
