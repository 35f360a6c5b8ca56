// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queues, control path: opening and closing, starting and stopping, and giving
 * back what lies in the slots when the hardware is off.
 */
#include <linux/slab.h>
#include <net/netdev_rx_queue.h>
#include <net/page_pool/helpers.h>

#include "dp_control.h"
#include "dp_slot.h"
#include "dp_tx.h"

static struct page_pool *dp_page_pool_create(const struct dp_rxq *rxq, u32 size, u32 frame_sz)
{
	const struct dp_port *port = rxq->port;
	struct page_pool_params params = {
		.order = get_order(frame_sz),
		.pool_size = size,
		.nid = dev_to_node(port->dma_dev),
		.dev = port->dma_dev,
		.napi = rxq->napi,
		.netdev = port->dev,
		.queue_idx = rxq->qid,
		/* Always both ways: so a program may be attached at any time
		 * without new buffers, and XDP_TX sends out of the page. For
		 * the caches of these cores it costs nothing more.
		 */
		.dma_dir = DMA_BIDIRECTIONAL,
		.flags = PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV,
		.offset = DP_HEADROOM,
		.max_len = port->rx_buf_len,
	};

	return page_pool_create(&params);
}

/* dp_rxq_retry() is due. */
static void dp_rxq_timeout(struct timer_list *timer)
{
	struct dp_rxq *rxq = container_of(timer, struct dp_rxq, timer);

	dp_queue_kick(rxq->port, rxq->qid);
}

/* Free the buffers in the slots. The queue is stopped. */
void dp_rxq_drain(struct dp_rxq *rxq)
{
	u32 i;

	timer_delete_sync(&rxq->timer);
	rxq->dry = false;
	for (i = 0; i < rxq->size; i++) {
		struct dp_rx_buf buf = rxq->buf[i];

		if (!buf.ptr)
			continue;
		if (dp_rx_buf_is_page(buf))
			page_pool_put_full_page(rxq->page_pool, dp_rx_buf_page(buf), false);
		else
			xsk_buff_free(dp_rx_buf_xsk(buf));
		rxq->buf[i].ptr = 0;
	}
	rxq->posted = 0;
	rxq->spare = 0;
}

/**
 * dp_rxq_mem_alloc() - slots, page pool and XDP registration for a receive queue
 * @rxq: the queue that they are for: ->port, ->napi, ->qid
 * @size: slots
 * @mem: where to
 *
 * The queue itself is not touched and may be running.
 *
 * Context: RTNL.
 * Return: 0 or -errno, with nothing left behind and @mem empty.
 */
int dp_rxq_mem_alloc(const struct dp_rxq *rxq, u32 size, struct dp_rxq_mem *mem)
{
	struct dp_port *port = rxq->port;
	int err = -EINVAL;

	memset(mem, 0, sizeof(*mem));
	if (WARN_ON(!port->rx_buf_len || !size))
		return -EINVAL;

	/* The second half is dp_rxq_repost()'s. */
	mem->buf = kvcalloc(size, 2 * sizeof(*mem->buf), GFP_KERNEL);
	if (!mem->buf)
		return -ENOMEM;
	mem->size = size;
	mem->frame_sz = PAGE_SIZE << get_order(DP_HEADROOM + port->rx_buf_len +
					       SKB_DATA_ALIGN(sizeof(struct skb_shared_info)));

	mem->page_pool = dp_page_pool_create(rxq, size, mem->frame_sz);
	if (IS_ERR(mem->page_pool)) {
		err = PTR_ERR(mem->page_pool);
		goto err_free;
	}
	err = xdp_rxq_info_reg(&mem->xdp_rxq, port->dev, rxq->qid, rxq->napi->napi_id);
	if (err)
		goto err_pool;
	err = xdp_rxq_info_reg_mem_model(&mem->xdp_rxq, MEM_TYPE_PAGE_POOL, mem->page_pool);
	if (err)
		goto err_unreg;
	return 0;

err_unreg:
	xdp_rxq_info_unreg(&mem->xdp_rxq);
err_pool:
	page_pool_destroy(mem->page_pool);
err_free:
	kvfree(mem->buf);
	memset(mem, 0, sizeof(*mem));
	return err;
}
EXPORT_SYMBOL_GPL(dp_rxq_mem_alloc);

/**
 * dp_rxq_mem_free() - the reverse of dp_rxq_mem_alloc()
 * @mem: in no queue, its slots empty; may be empty itself
 *
 * Context: RTNL.
 */
void dp_rxq_mem_free(struct dp_rxq_mem *mem)
{
	if (!mem->buf)
		return;

	xdp_rxq_info_unreg(&mem->xdp_rxq);
	page_pool_destroy(mem->page_pool);
	kvfree(mem->buf);
	memset(mem, 0, sizeof(*mem));
}
EXPORT_SYMBOL_GPL(dp_rxq_mem_free);

/**
 * dp_rxq_mem_swap() - give an open queue other slots and another page pool
 * @rxq: receive queue, stopped; its buffers are freed, the XSK pool stays
 * @mem: what it gets; afterwards what it had
 *
 * Context: RTNL; hardware and NAPI are stopped.
 */
void dp_rxq_mem_swap(struct dp_rxq *rxq, struct dp_rxq_mem *mem)
{
	struct dp_rxq_mem old = {
		.buf = rxq->buf,
		.page_pool = rxq->page_pool,
		.xdp_rxq = rxq->xdp_rxq,
		.size = rxq->size,
		.frame_sz = rxq->frame_sz,
	};

	if (rxq->buf)
		dp_rxq_drain(rxq);
	rxq->buf = mem->buf;
	rxq->page_pool = mem->page_pool;
	rxq->xdp_rxq = mem->xdp_rxq;
	rxq->size = mem->size;
	rxq->frame_sz = mem->frame_sz;
	rxq->low = mem->size / 4;
	*mem = old;
}
EXPORT_SYMBOL_GPL(dp_rxq_mem_swap);

/**
 * dp_rxq_open() - page pool, slots and XDP registration
 * @rxq: receive queue with ->port, ->napi, ->qid set; ->pool is kept
 * @size: slots
 *
 * Context: RTNL.
 * Return: 0 or -errno, with nothing left behind.
 */
int dp_rxq_open(struct dp_rxq *rxq, u32 size)
{
	struct dp_port *port = rxq->port;
	struct dp_rxq_mem mem;
	int err;

	err = dp_rxq_mem_alloc(rxq, size, &mem);
	if (err)
		return err;
	if (rxq->pool) {
		err = dp_rxq_register_xsk(rxq, rxq->pool);
		if (err) {
			dp_rxq_mem_free(&mem);
			return err;
		}
	}

	dp_rxq_mem_swap(rxq, &mem);
	rxq->posted = 0;
	rxq->spare = 0;
	rxq->dry = false;
	timer_setup(&rxq->timer, dp_rxq_timeout, 0);
	rxq->txq = port->txq[rxq->qid % port->n_txq];
	netif_queue_set_napi(port->dev, rxq->qid, NETDEV_QUEUE_TYPE_RX, rxq->napi);
	return 0;
}
EXPORT_SYMBOL_GPL(dp_rxq_open);

/**
 * dp_rxq_close() - free buffers, slots and page pool
 * @rxq: receive queue; may be closed already
 *
 * Context: RTNL; hardware and NAPI are stopped.
 */
void dp_rxq_close(struct dp_rxq *rxq)
{
	struct dp_rxq_mem mem = {};

	if (!rxq->buf)
		return;

	netif_queue_set_napi(rxq->port->dev, rxq->qid, NETDEV_QUEUE_TYPE_RX, NULL);
	dp_rxq_mem_swap(rxq, &mem);
	if (rxq->pool)
		xdp_rxq_info_unreg(&rxq->xsk_rxq);
	dp_rxq_mem_free(&mem);
}
EXPORT_SYMBOL_GPL(dp_rxq_close);

/**
 * dp_txq_mem_alloc() - slots for a transmit queue
 * @txq: the queue that they are for, not touched
 * @size: slots, at least four times port->max_segs
 * @mem: where to
 *
 * Context: RTNL.
 * Return: 0; -EINVAL when @size is too small, -ENOMEM; then @mem is empty.
 */
int dp_txq_mem_alloc(const struct dp_txq *txq, u32 size, struct dp_txq_mem *mem)
{
	u32 segs = txq->port->max_segs;

	memset(mem, 0, sizeof(*mem));
	if (!segs || size < 4 * segs)
		return -EINVAL;

	mem->buf = kvcalloc(size, sizeof(*mem->buf), GFP_KERNEL);
	mem->sqe = kcalloc(segs, sizeof(*mem->sqe), GFP_KERNEL);
	mem->size = size;
	if (mem->buf && mem->sqe)
		return 0;
	dp_txq_mem_free(mem);
	return -ENOMEM;
}
EXPORT_SYMBOL_GPL(dp_txq_mem_alloc);

/**
 * dp_txq_mem_free() - the reverse of dp_txq_mem_alloc()
 * @mem: in no queue, its slots empty; may be empty itself
 *
 * Context: process.
 */
void dp_txq_mem_free(struct dp_txq_mem *mem)
{
	kvfree(mem->buf);
	kfree(mem->sqe);
	memset(mem, 0, sizeof(*mem));
}
EXPORT_SYMBOL_GPL(dp_txq_mem_free);

/**
 * dp_txq_mem_swap() - give an open queue other slots
 * @txq: transmit queue, stopped; what is left in it is given back
 * @mem: what it gets; afterwards what it had
 *
 * Context: RTNL; hardware and NAPI are stopped.
 */
void dp_txq_mem_swap(struct dp_txq *txq, struct dp_txq_mem *mem)
{
	struct dp_txq_mem old = { .buf = txq->buf, .sqe = txq->sqe, .size = txq->size };

	dp_txq_flush(txq);
	txq->buf = mem->buf;
	txq->sqe = mem->sqe;
	txq->size = mem->size;
	*mem = old;
}
EXPORT_SYMBOL_GPL(dp_txq_mem_swap);

/**
 * dp_txq_open() - slots of a transmit queue
 * @txq: transmit queue with ->port, ->napi, ->nq, ->qid set; ->pool is kept
 * @size: slots, at least four times port->max_segs
 *
 * Context: RTNL.
 * Return: 0; -EINVAL when @size is too small, -ENOMEM.
 */
int dp_txq_open(struct dp_txq *txq, u32 size)
{
	u32 segs = txq->port->max_segs;
	struct dp_txq_mem mem;
	int err;

	err = dp_txq_mem_alloc(txq, size, &mem);
	if (err)
		return err;
	dp_txq_mem_swap(txq, &mem);
	txq->stop = segs;
	txq->wake = 2 * segs;
	txq->live = false;
	netif_queue_set_napi(txq->port->dev, txq->qid, NETDEV_QUEUE_TYPE_TX, txq->napi);
	return 0;
}
EXPORT_SYMBOL_GPL(dp_txq_open);

/**
 * dp_txq_close() - give back what is left and free the slots
 * @txq: transmit queue; may be closed already
 *
 * Context: RTNL; hardware and NAPI are stopped.
 */
void dp_txq_close(struct dp_txq *txq)
{
	struct dp_txq_mem mem = {};

	if (!txq->buf)
		return;

	dp_txq_stop(txq);
	dp_txq_mem_swap(txq, &mem);
	netif_queue_set_napi(txq->port->dev, txq->qid, NETDEV_QUEUE_TYPE_TX, NULL);
	dp_txq_mem_free(&mem);
}
EXPORT_SYMBOL_GPL(dp_txq_close);

/**
 * dp_txq_start() - open the running queue to the stack, XDP and XSK
 * @txq: transmit queue
 *
 * Also polls the queue pair once: an XSK pool's rings may hold work, and
 * receive buffers may be missing.
 *
 * Context: process or bottom half; NAPI is enabled.
 */
void dp_txq_start(struct dp_txq *txq)
{
	__netif_tx_lock_bh(txq->nq);
	txq_trans_cond_update(txq->nq);
	WRITE_ONCE(txq->live, true);
	__netif_tx_unlock_bh(txq->nq);
	netif_tx_wake_queue(txq->nq);

	dp_queue_kick(txq->port, txq->qid);
}
EXPORT_SYMBOL_GPL(dp_txq_start);

/**
 * dp_txq_stop() - keep everybody out of the queue
 * @txq: transmit queue
 *
 * Context: process or bottom half. On return nobody is pushing or will.
 */
void dp_txq_stop(struct dp_txq *txq)
{
	__netif_tx_lock_bh(txq->nq);
	WRITE_ONCE(txq->live, false);
	dp_txq_hold(txq);
	__netif_tx_unlock_bh(txq->nq);
}
EXPORT_SYMBOL_GPL(dp_txq_stop);

/**
 * dp_txq_flush() - give back every buffer in a slot, as dropped
 * @txq: transmit queue, stopped (dp_txq_stop())
 *
 * skbs freed, XDP frames returned, XSK descriptors completed: to their owner
 * a frame lost here is like one lost on the wire.
 *
 * Context: process; hardware stopped, NAPI disabled.
 */
void dp_txq_flush(struct dp_txq *txq)
{
	struct device *dma_dev = txq->port->dma_dev;
	u32 i, dropped = 0, xsk = 0;

	if (!txq->buf)
		return;

	for (i = 0; i < txq->size; i++) {
		struct dp_tx_buf *buf = &txq->buf[i];
		u32 kind = buf->kind;

		buf->kind = DP_BUF_NONE;
		switch (kind) {
		case DP_BUF_NONE:
			continue;
		case DP_BUF_PART:
			dma_unmap_page(dma_dev, buf->dma, buf->len, DMA_TO_DEVICE);
			continue;
		case DP_BUF_BOUNCE:
			page_frag_free(dp_skb_cb(buf->skb)->bounce);
			fallthrough;
		case DP_BUF_SKB:
			dma_unmap_page(dma_dev, buf->dma, buf->len, DMA_TO_DEVICE);
			dev_kfree_skb_any(buf->skb);
			break;
		case DP_BUF_FRAME:
			dma_unmap_page(dma_dev, buf->dma, buf->len, DMA_TO_DEVICE);
			xdp_return_frame(buf->frame);
			break;
		case DP_BUF_PAGE:
			page_pool_put_page(compat_page_pool_of(buf->page), buf->page, 0, false);
			break;
		case DP_BUF_XSK:
			xsk += buf->n_desc;
			break;
		}
		dropped++;
	}
	if (xsk && txq->pool)
		xsk_tx_completed(txq->pool, xsk);

	__netif_tx_lock_bh(txq->nq);
	txq->pending = false;
	txq->xdp_done = txq->xdp_pushed;
	txq->xsk_busy = 0;
	u64_stats_update_begin(&txq->push_sync);
	u64_stats_add(&txq->stats.dropped, dropped);
	u64_stats_update_end(&txq->push_sync);
	netdev_tx_reset_queue(txq->nq);
	__netif_tx_unlock_bh(txq->nq);
}
EXPORT_SYMBOL_GPL(dp_txq_flush);
