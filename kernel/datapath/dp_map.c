// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transmit, what need not be inline: frames in several buffers, and frames that
 * the hardware cannot take as they are (alignment, minimum length).
 */
#include <linux/skbuff.h>

#include "dp_slot.h"
#include "dp_tx.h"

/* Whether the hardware can read every buffer of the frame where it is. */
static bool dp_skb_aligned(const struct dp_port *port, const struct sk_buff *skb)
{
	unsigned long where = (unsigned long)skb->data;
	int i;

	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++)
		where |= skb_frag_off(&skb_shinfo(skb)->frags[i]);
	return !(where & (port->tx_align - 1));
}

/* The whole frame, copied to where the hardware can read it. */
static int dp_skb_bounce(struct dp_txq *txq, struct sk_buff *skb)
{
	struct dp_port *port = txq->port;
	struct dp_tx_sqe *sqe = txq->sqe;
	void *copy;

	/* Page fragments are cut at cache lines, and tx_align is not above one
	 * (dp_port_init), so the copy is aligned.
	 */
	copy = netdev_alloc_frag(SKB_DATA_ALIGN(skb->len));
	if (!copy)
		return -ENOMEM;
	if (skb_copy_bits(skb, 0, copy, skb->len))
		goto err_free;
	sqe->dma = dma_map_single(port->dma_dev, copy, skb->len, DMA_TO_DEVICE);
	if (dma_mapping_error(port->dma_dev, sqe->dma))
		goto err_free;
	sqe->len = skb->len;
	dp_skb_cb(skb)->bounce = copy;
	return 1;

err_free:
	page_frag_free(copy);
	return -EFAULT;
}

/**
 * dp_skb_map() - map the buffers of an skb into txq->sqe
 * @txq: transmit queue
 * @skb: frame of no more than port->max_segs buffers
 * @last: kind of the last buffer's slot
 *
 * Context: xmit.
 * Return: number of buffers; -errno, with nothing mapped.
 */
int dp_skb_map(struct dp_txq *txq, struct sk_buff *skb, enum dp_tx_kind *last)
{
	struct device *dev = txq->port->dma_dev;
	struct dp_tx_sqe *sqe = txq->sqe;
	int i;

	if (txq->port->tx_align > 1 && !dp_skb_aligned(txq->port, skb)) {
		*last = DP_BUF_BOUNCE;
		return dp_skb_bounce(txq, skb);
	}

	sqe[0].len = skb_headlen(skb);
	sqe[0].dma = dma_map_single(dev, skb->data, sqe[0].len, DMA_TO_DEVICE);
	if (dma_mapping_error(dev, sqe[0].dma))
		return -EFAULT;

	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];

		sqe[i + 1].len = skb_frag_size(frag);
		sqe[i + 1].dma = skb_frag_dma_map(dev, frag, 0, sqe[i + 1].len, DMA_TO_DEVICE);
		if (dma_mapping_error(dev, sqe[i + 1].dma))
			goto err_unmap;
	}
	return i + 1;

err_unmap:
	for (; i >= 0; i--)
		dma_unmap_page(dev, sqe[i].dma, sqe[i].len, DMA_TO_DEVICE);
	return -EFAULT;
}
EXPORT_SYMBOL_GPL(dp_skb_map);

/**
 * dp_frame_fit() - move and pad an XDP frame in its memory so that the hardware can take it
 * @port: port
 * @data: the frame's first byte, before and after
 * @len: its length, before and after
 * @headroom: bytes before it that may be written
 * @tailroom: bytes behind it that may be written
 *
 * Context: any.
 * Return: false when there is no room for it.
 */
bool dp_frame_fit(const struct dp_port *port, void **data, u32 *len, u32 headroom, u32 tailroom)
{
	u32 shift = (unsigned long)*data & (port->tx_align - 1);
	u32 pad = *len < port->tx_min_len ? port->tx_min_len - *len : 0;

	if (shift > headroom || pad > tailroom + shift)
		return false;
	if (shift)
		memmove(*data - shift, *data, *len);
	*data -= shift;
	memset(*data + *len, 0, pad);
	*len += pad;
	return true;
}
EXPORT_SYMBOL_GPL(dp_frame_fit);

/**
 * dp_skb_tx_drop() - drop an skb on its way out, and count it
 * @txq: transmit queue
 * @skb: freed
 *
 * Context: xmit.
 */
void dp_skb_tx_drop(struct dp_txq *txq, struct sk_buff *skb)
{
	u64_stats_update_begin(&txq->push_sync);
	u64_stats_inc(&txq->stats.dropped);
	u64_stats_update_end(&txq->push_sync);
	dev_kfree_skb_any(skb);
}
EXPORT_SYMBOL_GPL(dp_skb_tx_drop);
