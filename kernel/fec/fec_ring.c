// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptor rings as the datapath sees them, NAPI and interrupts.
 */
#include <linux/if_vlan.h>
#include <linux/interrupt.h>
#include <linux/ip.h>

#include "fec_ring.h"
#include "../datapath/dp_rx.h"
#include "../datapath/dp_tx.h"

/* --- receive ------------------------------------------------------------ */

/* A frame that is not for the datapath: say why in the counters. */
static noinline void fec_rx_bad(struct fec_rx_ring *r, u32 ctl)
{
	bool rest = r->partial;

	r->partial = !(ctl & FEC_DESC_LAST);
	if (rest)	/* counted with its first part */
		return;

	if (r->partial)
		r->length_errors++;
	else if (ctl & FEC_RXD_OV)
		r->over_errors++;
	else if (ctl & (FEC_RXD_LG | FEC_RXD_TR))
		r->length_errors++;
	else if (ctl & FEC_RXD_NO)
		r->frame_errors++;
	else if (ctl & FEC_RXD_CR)
		r->crc_errors++;
	else
		r->length_errors++;
}

static __always_inline bool fec_rx_complete(struct dp_rxq *dp, struct dp_rx_cqe *cqe)
{
	struct fec_rx_ring *r = to_rx_ring(dp);
	struct fec_desc *desc;
	u32 slot, ctl, len;

	if (!r->live)
		return false;

	slot = r->tail & (dp->size - 1);
	desc = &r->desc[slot];
	ctl = le32_to_cpu(READ_ONCE(desc->ctl));
	if (ctl & FEC_DESC_OWN)
		return false;
	dma_rmb();

	r->tail++;
	r->live--;

	len = FIELD_GET(FEC_DESC_LEN, ctl);
	cqe->slot = slot;
	cqe->offset = 0;
	cqe->flags = 0;
	cqe->len = len - ETH_FCS_LEN;

	if (unlikely((ctl & (FEC_DESC_LAST | FEC_RXD_ERROR)) != FEC_DESC_LAST ||
		     r->partial || len < ETH_HLEN + ETH_FCS_LEN)) {
		fec_rx_bad(r, ctl);
		cqe->flags = DP_RX_ERROR;
		cqe->len = 0;
		return true;
	}

	/*
	 * Descriptors are not cached: this read costs as much as all the rest
	 * here, so it is left out where nobody asks for the answer.
	 */
	if (r->csum &&
	    !(READ_ONCE(desc->ext) & cpu_to_le32(FEC_RXD_EXT_ICE | FEC_RXD_EXT_PCR |
						 FEC_RXD_EXT_FRAG)))
		cqe->flags = DP_RX_CSUM_OK;

	return true;
}

static __always_inline u32 fec_rx_post(struct dp_rxq *dp, dma_addr_t dma)
{
	struct fec_rx_ring *r = to_rx_ring(dp);
	u32 slot = r->head++ & (dp->size - 1);
	struct fec_desc *desc = &r->desc[slot];
	u32 ctl = FEC_DESC_OWN;

	if (slot == dp->size - 1)
		ctl |= FEC_DESC_WRAP;

	desc->addr = cpu_to_le32(lower_32_bits(dma));
	desc->ext = cpu_to_le32(FEC_RXD_EXT_INT);
	desc->bdu = 0;
	if (!r->pending++)
		r->held_ctl = ctl;
	else
		WRITE_ONCE(desc->ctl, cpu_to_le32(ctl));

	return slot;
}

static __always_inline void fec_rx_doorbell(struct dp_rxq *dp)
{
	struct fec_rx_ring *r = to_rx_ring(dp);
	u32 first;

	if (!r->pending)
		return;

	first = (r->head - r->pending) & (dp->size - 1);
	dma_wmb();
	WRITE_ONCE(r->desc[first].ctl, cpu_to_le32(r->held_ctl));
	r->live += r->pending;
	r->pending = 0;
	writel(ENET_DAR_ACTIVE, r->rdar);	/* orders the descriptor before it */
}

static const struct dp_rx_ops fec_rx_ops = {
	.complete	= fec_rx_complete,
	.post		= fec_rx_post,
	.doorbell	= fec_rx_doorbell,
};

/* --- transmit ----------------------------------------------------------- */

static __always_inline u32 fec_tx_room(struct dp_txq *dp)
{
	struct fec_tx_ring *r = to_tx_ring(dp);

	/* Pairs with the release in fec_tx_complete(): the slot is free. */
	return dp->size - (READ_ONCE(r->head) - smp_load_acquire(&r->tail));
}

static __always_inline u32 fec_tx_push(struct dp_txq *dp, const struct dp_tx_sqe *sqe)
{
	struct fec_tx_ring *r = to_tx_ring(dp);
	u32 slot = r->head & (dp->size - 1);
	struct fec_desc *desc = &r->desc[slot];
	u32 ctl = FEC_DESC_OWN | FEC_TXD_TC | sqe->len;
	u32 ext = r->ext;

	if (slot == dp->size - 1)
		ctl |= FEC_DESC_WRAP;
	if (sqe->flags & DP_TX_LAST)
		ctl |= FEC_DESC_LAST;
	if (sqe->flags & DP_TX_CSUM)
		ext |= FEC_TXD_EXT_PINS;
	if (sqe->flags & FEC_TX_IINS)
		ext |= FEC_TXD_EXT_IINS;
	/* DP_TX_TSTAMP: FEC_TXD_EXT_TS, with the PTP clock. */

	desc->addr = cpu_to_le32(lower_32_bits(sqe->dma));
	desc->ext = cpu_to_le32(ext);
	desc->bdu = 0;
	if (r->head == r->published)
		r->held_ctl = ctl;
	else
		WRITE_ONCE(desc->ctl, cpu_to_le32(ctl));
	WRITE_ONCE(r->head, r->head + 1);

	return slot;
}

/* Start the transmitter on what is in the ring. */
static __always_inline void fec_tx_kick(struct fec_tx_ring *r)
{
	int i;

	if (r->err007885) {
		/*
		 * As long as TDAR reads 1 the DMA is at work and will come to
		 * the new descriptors; unless it has already seen the first of
		 * them empty and is about to stop, which it does within the
		 * time of a few reads. fec_tx_check() catches the rest.
		 */
		dma_mb();
		for (i = 0; i < 4; i++)
			if (!readl(r->tdar))
				break;
		if (i == 4)
			return;
	}
	writel(ENET_DAR_ACTIVE, r->tdar);
}

static __always_inline void fec_tx_doorbell(struct dp_txq *dp)
{
	struct fec_tx_ring *r = to_tx_ring(dp);

	if (r->head == r->published)
		return;

	dma_wmb();
	WRITE_ONCE(r->desc[r->published & (dp->size - 1)].ctl, cpu_to_le32(r->held_ctl));
	/* Pairs with the acquire in fec_tx_complete(): the descriptors are written. */
	smp_store_release(&r->published, r->head);
	fec_tx_kick(r);
}

static __always_inline bool fec_tx_complete(struct dp_txq *dp, struct dp_tx_cqe *cqe)
{
	struct fec_tx_ring *r = to_tx_ring(dp);
	u32 slot = r->tail & (dp->size - 1);

	if (r->tail == smp_load_acquire(&r->published))
		return false;
	if (READ_ONCE(r->desc[slot].ctl) & cpu_to_le32(FEC_DESC_OWN))
		return false;

	cqe->slot = slot;
	cqe->flags = 0;	/* DP_TX_TSTAMP and desc->ts, with the PTP clock */
	smp_store_release(&r->tail, r->tail + 1);

	return true;
}

static const struct dp_tx_ops fec_tx_ops = {
	.room		= fec_tx_room,
	.push		= fec_tx_push,
	.doorbell	= fec_tx_doorbell,
	.complete	= fec_tx_complete,
};

/* Frames are waiting and the DMA has stopped: a doorbell got lost (see the errata). */
static void fec_tx_check(struct fec_tx_ring *r)
{
	if (r->check_tdar && fec_tx_busy(r) && !readl(r->tdar))
		writel(ENET_DAR_ACTIVE, r->tdar);
}

/*
 * The accelerator writes the checksums over fields that must hold 0. It pads
 * frames below 60 bytes by itself ("Transmit padding is always performed and
 * cannot be disabled", section "MAC transmit"), so that is not done here.
 */
static int fec_tx_csum(struct sk_buff *skb, u32 *flags)
{
	if (skb->ip_summed != CHECKSUM_PARTIAL)
		return 0;
	if (skb_cow_head(skb, 0))
		return -ENOMEM;

	*flags = DP_TX_CSUM;
	if (skb->protocol == htons(ETH_P_IP)) {
		ip_hdr(skb)->check = 0;
		*flags |= FEC_TX_IINS;
	}
	*(__sum16 *)(skb_checksum_start(skb) + skb->csum_offset) = 0;

	return 0;
}

/*
 * VLAN priorities have rings of their own, the same as in receive (fec_set_classes());
 * all else goes by XPS, which is set to ring 0: one ring and one NAPI for what
 * has no priority, and the other rings free for AF_XDP.
 */
u16 fec_select_queue(struct net_device *dev, struct sk_buff *skb, struct net_device *sb_dev)
{
	u32 last = dev->real_num_tx_queues - 1;

	if (last && skb_vlan_tag_present(skb)) {
		u32 prio = skb_vlan_tag_get_prio(skb);

		return min(prio >= 6 ? 2U : prio >= 4 ? 1U : 0U, last);
	}
	return netdev_pick_tx(dev, skb, sb_dev);
}

netdev_tx_t fec_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct fec_priv *fec = netdev_priv(dev);
	struct dp_txq *dp = fec->txq[skb_get_queue_mapping(skb)];
	u32 flags = 0;

	if (fec_tx_csum(skb, &flags))
		return dp_xmit_drop(&fec_tx_ops, dp, skb);

	return dp_xmit_skb(&fec_tx_ops, dp, skb, flags);
}

int fec_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames, u32 flags)
{
	struct fec_priv *fec = netdev_priv(dev);

	return dp_xdp_xmit(&fec_tx_ops, &fec->port, n, frames, flags);
}

/* --- interrupts and NAPI ------------------------------------------------ */

/* Rounds of a poll that finds more events at its end each time, before others get their turn. */
#define FEC_POLL_ROUNDS		4

/*
 * An event is acknowledged before the ring is looked at, and the ring is looked
 * at before the event is unmasked, so none is missed. Each queue masks only its
 * own events. All lines come here: which ring raises which line differs between
 * the SoCs and does not matter.
 */
irqreturn_t fec_interrupt(int irq, void *data)
{
	struct fec_priv *fec = data;
	unsigned int i;
	bool polling;
	u32 events;

	spin_lock(&fec->irq_lock);
	events = fec_rd(fec, ENET_EIR) & fec->eimr;
	if (events) {
		for (i = 0; i < fec->n_queues; i++)
			if (events & fec->queue[i].events)
				fec->eimr &= ~fec->queue[i].events;
		fec->eimr &= ~(events & ENET_INT_EBERR);
		fec_wr(fec, ENET_EIMR, fec->eimr);
		fec_wr(fec, ENET_EIR, events);
		fec_rd(fec, ENET_EIR);	/* the acknowledgment has arrived */
	}
	polling = fec->eimr != fec->events;
	spin_unlock(&fec->irq_lock);

	for (i = 0; i < fec->n_queues; i++)
		if (events & fec->queue[i].events)
			napi_schedule(&fec->queue[i].napi);

	if (unlikely(events & ENET_INT_EBERR)) {
		fec->bus_errors++;
		schedule_work(&fec->reset_work);
	}

	/* The line of one queue may find its event taken by that of another. */
	return events || polling ? IRQ_HANDLED : IRQ_NONE;
}

/*
 * Whether events of a queue came while it was polled; they are acknowledged
 * then, and the rings must be looked at again. Much cheaper than an interrupt
 * that finds the work done.
 */
static bool fec_irq_again(struct fec_queue *q)
{
	u32 events = fec_rd(q->fec, ENET_EIR) & q->events;

	if (!events)
		return false;
	fec_wr(q->fec, ENET_EIR, events);
	fec_rd(q->fec, ENET_EIR);
	return true;
}

/* Unmask the events of a queue. One that is pending raises the interrupt at once. */
static void fec_irq_rearm(struct fec_queue *q)
{
	struct fec_priv *fec = q->fec;
	unsigned long flags;

	spin_lock_irqsave(&fec->irq_lock, flags);
	/* They are unmasked already when NAPI was scheduled without an interrupt. */
	if ((fec->eimr & q->events) != q->events) {
		fec->eimr |= q->events;
		fec_wr(fec, ENET_EIMR, fec->eimr);
	}
	spin_unlock_irqrestore(&fec->irq_lock, flags);
}

void fec_irq_enable(struct fec_priv *fec)
{
	unsigned long flags;

	spin_lock_irqsave(&fec->irq_lock, flags);
	fec->eimr = fec->events;
	fec_wr(fec, ENET_EIMR, fec->eimr);
	spin_unlock_irqrestore(&fec->irq_lock, flags);
}

void fec_irq_disable(struct fec_priv *fec)
{
	unsigned long flags;

	spin_lock_irqsave(&fec->irq_lock, flags);
	fec->eimr = 0;
	fec_wr(fec, ENET_EIMR, 0);
	spin_unlock_irqrestore(&fec->irq_lock, flags);
}

/*
 * Receive comes first: what it sends (XDP_TX, answers of the stack) may be reaped
 * in the same round.
 */
int fec_poll(struct napi_struct *napi, int budget)
{
	struct fec_queue *q = container_of(napi, struct fec_queue, napi);
	int done = 0, rounds = FEC_POLL_ROUNDS;
	bool again;

	do {
		if (!rounds--)
			return budget;
		if (q->rx && budget)
			done += dp_rx_poll(&fec_rx_ops, &fec_tx_ops, &q->rx->dp, budget - done);
		again = q->tx && !dp_tx_poll(&fec_tx_ops, &q->tx->dp, budget);
		if (unlikely(!budget))	/* netpoll */
			return 0;
		if (again || done >= budget)
			return budget;
	} while (fec_irq_again(q));

	if (q->tx)
		fec_tx_check(q->tx);
	if (napi_complete_done(napi, done))
		fec_irq_rearm(q);

	return done;
}

/* --- memory ------------------------------------------------------------- */

static const u16 fec_rdar[FEC_MAX_QUEUES] = { ENET_RDAR, ENET_RDAR1, ENET_RDAR2 };
static const u16 fec_tdar[FEC_MAX_QUEUES] = { ENET_TDAR, ENET_TDAR1, ENET_TDAR2 };

/**
 * fec_rings_alloc() - the ring structures, for as long as the device lives
 * @fec: port.n_rxq, port.n_txq and n_queues are set
 *
 * Return: 0 or -ENOMEM; fec_rings_free() is due in either case.
 */
int fec_rings_alloc(struct fec_priv *fec)
{
	struct fec_rx_ring *rx;
	struct fec_tx_ring *tx;
	unsigned int i;

	for (i = 0; i < fec->n_queues; i++) {
		struct fec_queue *q = &fec->queue[i];

		q->fec = fec;
		q->qid = i;

		if (i < fec->port.n_rxq) {
			rx = kzalloc(sizeof(*rx), GFP_KERNEL);
			if (!rx)
				return -ENOMEM;
			rx->fec = fec;
			rx->rdar = fec->regs + fec_rdar[i];
			rx->dp.port = &fec->port;
			rx->dp.napi = &q->napi;
			rx->dp.qid = i;
			q->rx = rx;
			q->events |= ENET_INT_RXF(i);
			fec->rxq[i] = &rx->dp;
		}

		if (i < fec->port.n_txq) {
			tx = kzalloc(sizeof(*tx), GFP_KERNEL);
			if (!tx)
				return -ENOMEM;
			tx->tdar = fec->regs + fec_tdar[i];
			tx->err007885 = fec->quirks & FEC_ERR007885;
			tx->check_tdar = fec->quirks & (FEC_ERR007885 | FEC_ERR006358);
			tx->ext = FEC_TXD_EXT_INT;
			if (fec->soc->queues > 1)
				tx->ext |= FIELD_PREP(FEC_TXD_EXT_FTYPE, i);
			tx->dp.port = &fec->port;
			tx->dp.napi = &q->napi;
			tx->dp.nq = netdev_get_tx_queue(fec->dev, i);
			tx->dp.qid = i;
			q->tx = tx;
			q->events |= ENET_INT_TXF(i);
			fec->txq[i] = &tx->dp;
		}

		fec->events |= q->events;
	}
	fec->events |= ENET_INT_EBERR;

	return 0;
}

void fec_rings_free(struct fec_priv *fec)
{
	unsigned int i;

	for (i = 0; i < fec->n_queues; i++) {
		kfree(fec->queue[i].rx);
		kfree(fec->queue[i].tx);
	}
}

static struct fec_desc *fec_desc_alloc(struct fec_priv *fec, u32 size, dma_addr_t *dma)
{
	return dma_alloc_coherent(fec->port.dma_dev, size * sizeof(struct fec_desc), dma,
				  GFP_KERNEL);
}

static void fec_desc_free(struct fec_priv *fec, u32 size, struct fec_desc *desc, dma_addr_t dma)
{
	if (desc)
		dma_free_coherent(fec->port.dma_dev, size * sizeof(*desc), desc, dma);
}

/* What a queue's rings have of memory. */
struct fec_ring_mem {
	struct dp_rxq_mem rx;
	struct dp_txq_mem tx;
	struct fec_desc *rx_desc;
	struct fec_desc *tx_desc;
	dma_addr_t rx_dma;
	dma_addr_t tx_dma;
	u32 rx_size;
	u32 tx_size;
};

static void fec_ring_mem_free(struct fec_priv *fec, struct fec_ring_mem *mem)
{
	/* It may hold pages of the receive queue. */
	dp_txq_mem_free(&mem->tx);
	dp_rxq_mem_free(&mem->rx);
	fec_desc_free(fec, mem->tx_size, mem->tx_desc, mem->tx_dma);
	fec_desc_free(fec, mem->rx_size, mem->rx_desc, mem->rx_dma);
}

/* @mem is zeroed; fec_ring_mem_free() is due in any case. */
static int fec_ring_mem_alloc(struct fec_priv *fec, const struct fec_queue *q,
			      struct fec_ring_mem *mem, u32 rx_size, u32 tx_size)
{
	int err = 0;

	mem->rx_size = rx_size;
	mem->tx_size = tx_size;
	if (q->rx) {
		mem->rx_desc = fec_desc_alloc(fec, rx_size, &mem->rx_dma);
		if (!mem->rx_desc)
			return -ENOMEM;
		err = dp_rxq_mem_alloc(&q->rx->dp, rx_size, &mem->rx);
	}
	if (q->tx && !err) {
		mem->tx_desc = fec_desc_alloc(fec, tx_size, &mem->tx_dma);
		if (!mem->tx_desc)
			return -ENOMEM;
		err = dp_txq_mem_alloc(&q->tx->dp, tx_size, &mem->tx);
	}
	return err;
}

static void fec_ring_mem_swap(struct fec_priv *fec, struct fec_queue *q, struct fec_ring_mem *mem)
{
	if (q->tx) {
		dp_txq_mem_swap(&q->tx->dp, &mem->tx);
		swap(q->tx->desc, mem->tx_desc);
		swap(q->tx->dma, mem->tx_dma);
	}
	if (q->rx) {
		dp_rxq_mem_swap(&q->rx->dp, &mem->rx);
		swap(q->rx->desc, mem->rx_desc);
		swap(q->rx->dma, mem->rx_dma);
	}
	mem->rx_size = fec->rx_size;
	mem->tx_size = fec->tx_size;
}

/**
 * fec_rings_resize() - other rings in the place of the open ones, or none of it
 * @fec: stopped
 * @rx_size: receive descriptors
 * @tx_size: transmit descriptors
 *
 * The buffers are of the frame length that is set now.
 *
 * Return: 0, or -ENOMEM with the rings as they were.
 */
int fec_rings_resize(struct fec_priv *fec, u32 rx_size, u32 tx_size)
{
	struct fec_ring_mem *mem;
	unsigned int i;
	int err = 0;

	mem = kcalloc(fec->n_queues, sizeof(*mem), GFP_KERNEL);
	if (!mem)
		return -ENOMEM;
	for (i = 0; i < fec->n_queues && !err; i++)
		err = fec_ring_mem_alloc(fec, &fec->queue[i], &mem[i], rx_size, tx_size);
	if (!err) {
		for (i = 0; i < fec->n_queues; i++)
			fec_ring_mem_swap(fec, &fec->queue[i], &mem[i]);
		fec->rx_size = rx_size;
		fec->tx_size = tx_size;
	}
	/* The new ones that were not needed, or the old ones. */
	for (i = 0; i < fec->n_queues; i++)
		fec_ring_mem_free(fec, &mem[i]);
	kfree(mem);

	return err;
}

static int fec_rx_open(struct fec_priv *fec, struct fec_rx_ring *r)
{
	int err;

	r->desc = fec_desc_alloc(fec, fec->rx_size, &r->dma);
	if (!r->desc)
		return -ENOMEM;
	err = dp_rxq_open(&r->dp, fec->rx_size);
	if (err) {
		fec_desc_free(fec, fec->rx_size, r->desc, r->dma);
		r->desc = NULL;
	}
	return err;
}

static int fec_tx_open(struct fec_priv *fec, struct fec_tx_ring *r)
{
	int err;

	r->desc = fec_desc_alloc(fec, fec->tx_size, &r->dma);
	if (!r->desc)
		return -ENOMEM;
	err = dp_txq_open(&r->dp, fec->tx_size);
	if (err) {
		fec_desc_free(fec, fec->tx_size, r->desc, r->dma);
		r->desc = NULL;
	}
	return err;
}

/**
 * fec_rings_close() - free what fec_rings_open() allocated, also when it failed half way
 * @fec: stopped
 */
void fec_rings_close(struct fec_priv *fec)
{
	unsigned int i;

	for (i = 0; i < fec->n_queues; i++) {
		struct fec_rx_ring *rx = fec->queue[i].rx;
		struct fec_tx_ring *tx = fec->queue[i].tx;

		if (tx && tx->desc) {
			dp_txq_close(&tx->dp);
			fec_desc_free(fec, fec->tx_size, tx->desc, tx->dma);
			tx->desc = NULL;
		}
		if (rx && rx->desc) {
			dp_rxq_close(&rx->dp);
			fec_desc_free(fec, fec->rx_size, rx->desc, rx->dma);
			rx->desc = NULL;
		}
	}
}

/**
 * fec_rings_open() - allocate all rings of rx_size and tx_size descriptors
 * @fec: stopped
 *
 * Return: 0 or a negative error, with nothing left allocated.
 */
int fec_rings_open(struct fec_priv *fec)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < fec->n_queues && !err; i++) {
		if (fec->queue[i].rx)
			err = fec_rx_open(fec, fec->queue[i].rx);
		if (fec->queue[i].tx && !err)
			err = fec_tx_open(fec, fec->queue[i].tx);
	}
	if (err)
		fec_rings_close(fec);

	return err;
}

/**
 * fec_rings_reset() - all rings to the state that the MAC starts from: empty
 * @fec: stopped, the MAC too. Buffers that the datapath has in slots stay there.
 */
void fec_rings_reset(struct fec_priv *fec)
{
	unsigned int i;

	for (i = 0; i < fec->n_queues; i++) {
		struct fec_rx_ring *rx = fec->queue[i].rx;
		struct fec_tx_ring *tx = fec->queue[i].tx;

		if (rx) {
			memset(rx->desc, 0, rx->dp.size * sizeof(*rx->desc));
			rx->head = 0;
			rx->tail = 0;
			rx->live = 0;
			rx->pending = 0;
			rx->partial = false;
			rx->csum = (fec->quirks & FEC_CSUM) && !rx->dp.pool &&
				   (fec->dev->features & NETIF_F_RXCSUM);
		}
		if (tx) {
			memset(tx->desc, 0, tx->dp.size * sizeof(*tx->desc));
			tx->head = 0;
			tx->published = 0;
			tx->tail = 0;
		}
	}
}

/**
 * fec_rings_fill() - give the receive rings the buffers they had, and new ones
 * @fec: after fec_rings_reset()
 */
void fec_rings_fill(struct fec_priv *fec)
{
	unsigned int i;

	for (i = 0; i < fec->port.n_rxq; i++)
		dp_rxq_repost(&fec_rx_ops, fec->rxq[i]);
}

/* RDAR is deaf while ETHEREN is clear, so ring it again after the start. */
void fec_rings_kick(struct fec_priv *fec)
{
	unsigned int i;

	for (i = 0; i < fec->port.n_rxq; i++)
		if (fec->queue[i].rx->live)
			writel(ENET_DAR_ACTIVE, fec->queue[i].rx->rdar);
}

/* Whether a frame is still to be sent, or to be reaped. */
bool fec_rings_busy(struct fec_priv *fec)
{
	unsigned int i;

	for (i = 0; i < fec->port.n_txq; i++)
		if (fec_tx_busy(fec->queue[i].tx))
			return true;
	return false;
}

/* What somebody who debugs a stuck transmitter wants to know. */
void fec_rings_dump(struct fec_priv *fec, unsigned int txqid)
{
	struct fec_tx_ring *r = fec->queue[txqid].tx;
	u32 tail = READ_ONCE(r->tail);

	netdev_err(fec->dev,
		   "TX queue %u stuck: head %u published %u tail %u of %u, next ctl %#x, TDAR %#x EIR %#x EIMR %#x ECR %#x TCR %#x\n",
		   txqid, READ_ONCE(r->head), READ_ONCE(r->published), tail, r->dp.size,
		   le32_to_cpu(READ_ONCE(r->desc[tail & (r->dp.size - 1)].ctl)), readl(r->tdar),
		   fec_rd(fec, ENET_EIR), fec_rd(fec, ENET_EIMR), fec_rd(fec, ENET_ECR),
		   fec_rd(fec, ENET_TCR));
}
