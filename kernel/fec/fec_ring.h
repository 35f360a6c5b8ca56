/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptor rings of the ENET MAC.
 *
 * The MAC walks a ring in order and stops at the first descriptor that is not
 * its own. So a batch is published by one store: all its descriptors but the
 * first are handed over as they are written, in any order that the CPU likes,
 * and the first, which keeps the MAC from seeing the others, is handed over by
 * the doorbell after one barrier.
 *
 *   receive          tail            head
 *      . . . . . . . [E E E E E E E E](h E E). . . .     E: the MAC's
 *                     posted, live     pending           h: held, not yet the MAC's
 *
 *   transmit         tail            published   head
 *      . . . . . . . [0 0 R R R R R R](h R R). . . .     R: the MAC's, 0: done
 *
 * Indices run freely; slot = index & (size - 1).
 */
#ifndef _FEC_RING_H
#define _FEC_RING_H

#include "fec.h"

#define FEC_RX_RING_MIN		64
#define FEC_TX_RING_MIN		128	/* the datapath wants four frames of max_segs buffers */
#define FEC_RING_MAX		4096
#define FEC_RING_DEFAULT	512

/**
 * struct fec_rx_ring - a receive ring. Context of all but the counters: NAPI, or stopped.
 * @dp: the datapath's part
 * @desc: descriptors
 * @rdar: the ring's RDAR
 * @fec: the device
 * @head: next to post
 * @tail: next to complete
 * @live: descriptors that the MAC may own: from @tail on
 * @pending: descriptors posted since the last doorbell
 * @held_ctl: control word of the first of them
 * @partial: in the middle of a frame that did not fit in one buffer
 * @csum: look at the checksum result
 * @dma: bus address of @desc
 * @length_errors: truncated, longer or shorter than allowed
 * @crc_errors: bad FCS
 * @frame_errors: not a whole number of octets
 * @over_errors: FIFO overrun in the middle of the frame
 */
struct fec_rx_ring {
	struct dp_rxq dp;
	struct fec_desc *desc;
	void __iomem *rdar;
	struct fec_priv *fec;
	u32 head;
	u32 tail;
	u32 live;
	u32 pending;
	u32 held_ctl;
	bool partial;
	bool csum;
	dma_addr_t dma;
	unsigned long length_errors;
	unsigned long crc_errors;
	unsigned long frame_errors;
	unsigned long over_errors;
};

/**
 * struct fec_tx_ring - a transmit ring
 * @dp: the datapath's part
 * @desc: descriptors
 * @tdar: the ring's TDAR
 * @err007885: TDAR may only be written when it reads 0
 * @check_tdar: see that the MAC is running while frames are waiting
 * @ext: bits of every descriptor's ext word
 * @dma: bus address of @desc
 * @head: next to push. xmit
 * @held_ctl: control word of the first descriptor since the last doorbell. xmit
 * @published: next to publish. Written by xmit, read by NAPI.
 * @tail: next to complete. Written by NAPI, read by xmit.
 */
struct fec_tx_ring {
	struct dp_txq dp;
	struct fec_desc *desc;
	void __iomem *tdar;
	bool err007885;
	bool check_tdar;
	u32 ext;
	dma_addr_t dma;
	/* xmit */
	u32 head ____cacheline_aligned_in_smp;
	u32 held_ctl;
	u32 published;
	/* NAPI */
	u32 tail ____cacheline_aligned_in_smp;
};

static inline struct fec_rx_ring *to_rx_ring(struct dp_rxq *dp)
{
	return container_of(dp, struct fec_rx_ring, dp);
}

static inline struct fec_tx_ring *to_tx_ring(struct dp_txq *dp)
{
	return container_of(dp, struct fec_tx_ring, dp);
}

/* Whether frames are in the ring that the MAC has not sent, or that nobody has reaped. */
static inline bool fec_tx_busy(const struct fec_tx_ring *r)
{
	return READ_ONCE(r->tail) != READ_ONCE(r->published);
}

/* DP_TX_MAC(0): insert the IPv4 header checksum */
#define FEC_TX_IINS		DP_TX_MAC(0)

int fec_rings_alloc(struct fec_priv *fec);
void fec_rings_free(struct fec_priv *fec);
int fec_rings_open(struct fec_priv *fec);
void fec_rings_close(struct fec_priv *fec);
int fec_rings_resize(struct fec_priv *fec, u32 rx_size, u32 tx_size);
void fec_rings_reset(struct fec_priv *fec);
void fec_rings_fill(struct fec_priv *fec);
void fec_rings_kick(struct fec_priv *fec);
bool fec_rings_busy(struct fec_priv *fec);
void fec_rings_dump(struct fec_priv *fec, unsigned int txqid);

int fec_poll(struct napi_struct *napi, int budget);
irqreturn_t fec_interrupt(int irq, void *data);
void fec_irq_enable(struct fec_priv *fec);
void fec_irq_disable(struct fec_priv *fec);

u16 fec_select_queue(struct net_device *dev, struct sk_buff *skb, struct net_device *sb_dev);
netdev_tx_t fec_start_xmit(struct sk_buff *skb, struct net_device *dev);
int fec_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames, u32 flags);

#endif /* _FEC_RING_H */
