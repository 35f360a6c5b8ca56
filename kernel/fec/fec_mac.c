// SPDX-License-Identifier: GPL-2.0-only
/*
 * The MAC itself: start, stop and reset, speed and duplex, pause, address
 * filters, arbitration between the rings, interrupt coalescing.
 */
#include <linux/crc32.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/iopoll.h>

#include "fec_ring.h"

/*
 * How long frames in the transmit rings get to leave before a stop, and how long
 * the frame on the wire gets after that: at 10 Mbit/s one of 2 KB takes 1.6 ms.
 */
#define FEC_DRAIN_US		20000
#define FEC_GRACE_US		20000
/* Time for DMA bursts under way to end after ETHEREN was cleared. */
#define FEC_SETTLE_US		10

static const u16 fec_rdsr[FEC_MAX_QUEUES] = { ENET_RDSR, ENET_RDSR1, ENET_RDSR2 };
static const u16 fec_tdsr[FEC_MAX_QUEUES] = { ENET_TDSR, ENET_TDSR1, ENET_TDSR2 };
static const u16 fec_mrbr[FEC_MAX_QUEUES] = { ENET_MRBR, ENET_MRBR1, ENET_MRBR2 };

/* --- addresses ---------------------------------------------------------- */

static void fec_write_address(struct fec_priv *fec, const u8 *a)
{
	fec_wr(fec, ENET_PALR, a[0] << 24 | a[1] << 16 | a[2] << 8 | a[3]);
	fec_wr(fec, ENET_PAUR, a[4] << 24 | a[5] << 16 | ENET_PAUR_TYPE);
}

void fec_mac_set_address(struct fec_priv *fec)
{
	fec_write_address(fec, fec->dev->dev_addr);
}

/**
 * fec_mac_leave_address() - leave the address that the board came with
 * @fec: stopped
 *
 * Where the registers are the only place that knows it, the next probe takes what it finds
 * there for the permanent address.
 */
void fec_mac_leave_address(struct fec_priv *fec)
{
	if (is_valid_ether_addr(fec->dev->perm_addr))
		fec_write_address(fec, fec->dev->perm_addr);
}

/* The six top bits of the CRC of an address choose one of 64 buckets. */
static u64 fec_hash(const struct netdev_hw_addr *ha)
{
	return BIT_ULL(ether_crc_le(ETH_ALEN, ha->addr) >> 26);
}

/* Address list lock held. */
static void fec_set_filters(struct fec_priv *fec, u32 rcr)
{
	struct net_device *dev = fec->dev;
	struct netdev_hw_addr *ha;
	u64 group = 0, individual = 0;

	if (dev->flags & IFF_PROMISC)
		rcr |= ENET_RCR_PROM;
	else
		rcr &= ~ENET_RCR_PROM;

	if (dev->flags & (IFF_ALLMULTI | IFF_PROMISC)) {
		group = U64_MAX;
	} else {
		netdev_for_each_mc_addr(ha, dev)
			group |= fec_hash(ha);
	}
	netdev_for_each_uc_addr(ha, dev)
		individual |= fec_hash(ha);

	fec_wr(fec, ENET_GAUR, upper_32_bits(group));
	fec_wr(fec, ENET_GALR, lower_32_bits(group));
	fec_wr(fec, ENET_IAUR, upper_32_bits(individual));
	fec_wr(fec, ENET_IALR, lower_32_bits(individual));
	fec_wr(fec, ENET_RCR, rcr);
}

void fec_set_rx_mode(struct net_device *dev)
{
	struct fec_priv *fec = netdev_priv(dev);

	fec_set_filters(fec, fec_rd(fec, ENET_RCR));
}

/* --- coalescing --------------------------------------------------------- */

/* Microseconds to units of 64 ahb clocks; at least one, so that a request is not lost. */
u32 fec_usecs_to_ic(const struct fec_priv *fec, u32 usecs)
{
	u64 units = div_u64((u64)usecs * (fec->ahb_rate / 64), USEC_PER_SEC);

	return usecs ? clamp_t(u64, units, 1, U32_MAX) : 0;
}

static u32 fec_ic(const struct fec_priv *fec, u32 usecs, u32 frames)
{
	if (!usecs || frames < 2)
		return 0;
	return ENET_IC_EN | ENET_IC_AHB_CLK | FIELD_PREP(ENET_IC_FRAMES, frames) |
	       FIELD_PREP(ENET_IC_TIME, fec_usecs_to_ic(fec, usecs));
}

void fec_mac_set_coalesce(struct fec_priv *fec)
{
	unsigned int i;

	if (!(fec->quirks & FEC_COALESCE))
		return;

	/* Thresholds are taken over when the enable bit goes from 0 to 1. */
	for (i = 0; i < fec->port.n_rxq; i++) {
		fec_wr(fec, ENET_RXIC(i), 0);
		fec_wr(fec, ENET_RXIC(i), fec_ic(fec, fec->coal.rx_usecs, fec->coal.rx_frames));
	}
	for (i = 0; i < fec->port.n_txq; i++) {
		fec_wr(fec, ENET_TXIC(i), 0);
		fec_wr(fec, ENET_TXIC(i), fec_ic(fec, fec->coal.tx_usecs, fec->coal.tx_frames));
	}
}

/* --- start -------------------------------------------------------------- */

static bool fec_is_rgmii(const struct fec_priv *fec)
{
	return phy_interface_mode_is_rgmii(fec->interface);
}

/*
 * VLAN priorities to receive rings, as 802.1Q recommends for two and three
 * traffic classes; untagged frames and what is not listed go to ring 0.
 */
static void fec_set_classes(struct fec_priv *fec)
{
	u32 match[FEC_MAX_QUEUES] = {};
	unsigned int i;
	u32 qos;

	if (fec->soc->queues == 1)
		return;

	if (fec->port.n_rxq == 2) {
		match[1] = ENET_RCMR_MATCHEN | ENET_RCMR_CMP(0, 4) | ENET_RCMR_CMP(1, 5) |
			   ENET_RCMR_CMP(2, 6) | ENET_RCMR_CMP(3, 7);
	} else if (fec->port.n_rxq == 3) {
		match[1] = ENET_RCMR_MATCHEN | ENET_RCMR_CMP(0, 4) | ENET_RCMR_CMP(1, 5) |
			   ENET_RCMR_CMP(2, 4) | ENET_RCMR_CMP(3, 5);
		match[2] = ENET_RCMR_MATCHEN | ENET_RCMR_CMP(0, 6) | ENET_RCMR_CMP(1, 7) |
			   ENET_RCMR_CMP(2, 6) | ENET_RCMR_CMP(3, 7);
	}
	fec_wr(fec, ENET_RCMR1, match[1]);
	fec_wr(fec, ENET_RCMR2, match[2]);
	fec_wr(fec, ENET_DMA1CFG, fec->n_queues > 1 ? ENET_DMACFG_CLASS_EN : 0);
	fec_wr(fec, ENET_DMA2CFG, fec->n_queues > 2 ? ENET_DMACFG_CLASS_EN : 0);

	/*
	 * Unless we may tell the sender to wait, a ring without buffers must
	 * not hold up the others behind it in the FIFO.
	 */
	qos = ENET_QOS_ROUND_ROBIN;
	if (!fec->link.tx_pause && fec->port.n_rxq > 1)
		for (i = 0; i < fec->port.n_rxq; i++)
			qos |= ENET_QOS_RX_FLUSH(i);
	fec_wr(fec, ENET_QOS, qos);
}

/*
 * A receive FIFO that sends pause frames must be emptied early; one that is
 * smaller than a frame too.
 */
static void fec_set_fifo(struct fec_priv *fec)
{
	bool jumbo = fec->frame_len > FEC_FRAME_FIFO;
	bool early = fec->link.tx_pause || jumbo;

	fec_wr(fec, ENET_RSEM, fec->link.tx_pause ? ENET_RSEM_PAUSE : 0);
	fec_wr(fec, ENET_RSFL, early ? ENET_RSFL_PAUSE : 0);
	fec_wr(fec, ENET_RAEM, early ? ENET_RAEM_PAUSE : ENET_RAEM_RESET);
	fec_wr(fec, ENET_RAFL, early ? ENET_RAFL_PAUSE : ENET_RAFL_RESET);
	fec_wr(fec, ENET_OPD, ENET_OPD_PAUSE);
	fec_wr(fec, ENET_TFWR, jumbo ? ENET_TFWR_960 : ENET_TFWR_STRFWD);
}

static u32 fec_rcr(const struct fec_priv *fec)
{
	u32 rcr = ENET_RCR_MII_MODE | FIELD_PREP(ENET_RCR_MAX_FL, fec->frame_len);

	if (!fec->link.full)
		rcr |= ENET_RCR_DRT;
	if (fec->link.rx_pause)
		rcr |= ENET_RCR_FCE;
	if (fec_is_rgmii(fec))
		rcr |= ENET_RCR_RGMII_EN;
	else if (fec->interface == PHY_INTERFACE_MODE_RMII)
		rcr |= ENET_RCR_RMII_MODE;
	if (fec->link.speed == SPEED_10)
		rcr |= ENET_RCR_RMII_10T;

	return rcr;
}

static u32 fec_ecr(const struct fec_priv *fec)
{
	u32 ecr = ENET_ECR_ETHEREN | ENET_ECR_EN1588 | ENET_ECR_DBSWP;

	if (fec->link.speed == SPEED_1000)
		ecr |= ENET_ECR_SPEED;
	if (fec->txc_delay)
		ecr |= ENET_ECR_TXC_DLY;
	if (fec->rxc_delay)
		ecr |= ENET_ECR_RXC_DLY;

	return ecr;
}

static void fec_program_rings(struct fec_priv *fec)
{
	u32 buf = round_down(min_t(u32, fec->port.rx_buf_len, ENET_MRBR_MAX),
			     FEC_RX_ALIGN);
	unsigned int i;

	for (i = 0; i < fec->port.n_rxq; i++) {
		fec_wr(fec, fec_rdsr[i], lower_32_bits(fec->queue[i].rx->dma));
		fec_wr(fec, fec_mrbr[i], buf);
	}
	for (i = 0; i < fec->port.n_txq; i++)
		fec_wr(fec, fec_tdsr[i], lower_32_bits(fec->queue[i].tx->dma));

	/* A frame never goes over the end of its buffer, so it never takes two. */
	fec_wr(fec, ENET_FTRL, buf);
}

/**
 * fec_mac_start() - program all of the MAC, give it its buffers, let frames flow
 * @fec: stopped, rings open; mac_lock held
 */
void fec_mac_start(struct fec_priv *fec)
{
	struct net_device *dev = fec->dev;
	unsigned int i;

	lockdep_assert_held(&fec->mac_lock);

	fec_rings_reset(fec);

	fec_mac_set_address(fec);
	fec_program_rings(fec);
	fec_set_classes(fec);
	fec_set_fifo(fec);
	fec_wr(fec, ENET_TCR, fec->link.full ? ENET_TCR_FDEN : 0);
	/*
	 * Frames with a bad checksum are handed up, marked: it is for the stack,
	 * or for who forwards, to drop them. Nor are two bytes put before the
	 * frame (SHIFT16): XDP wants it where the buffer starts, and NET_IP_ALIGN
	 * is 0 on arm64.
	 */
	fec_wr(fec, ENET_RACC, 0);
	fec_wr(fec, ENET_TACC, 0);
	netif_addr_lock_bh(dev);
	fec_set_filters(fec, fec_rcr(fec));
	netif_addr_unlock_bh(dev);
	fec_mac_set_coalesce(fec);
	fec_wr(fec, ENET_EIR, ENET_INT_ALL & ~ENET_INT_MII);

	fec_rings_fill(fec);
	fec_wr(fec, ENET_ECR, fec_ecr(fec));
	fec_rings_kick(fec);

	fec->started = true;
	for (i = 0; i < fec->n_queues; i++)
		napi_enable(&fec->queue[i].napi);
	fec_irq_enable(fec);
	/* Polls each queue once: for what waits in an XSK ring, or lacks memory. */
	for (i = 0; i < fec->port.n_txq; i++)
		dp_txq_start(fec->txq[i]);
	local_bh_disable();
	for (; i < fec->n_queues; i++)
		napi_schedule(&fec->queue[i].napi);
	local_bh_enable();
}

/* --- stop --------------------------------------------------------------- */

/* Let the rings run empty, then the transmitter come to the end of its frame. */
static void fec_tx_drain(struct fec_priv *fec)
{
	bool busy;
	u32 eir;

	read_poll_timeout(fec_rings_busy, busy, !busy, 50, FEC_DRAIN_US, false, fec);

	fec_wr(fec, ENET_EIR, ENET_INT_GRA);
	fec_wr(fec, ENET_TCR, fec_rd(fec, ENET_TCR) | ENET_TCR_GTS);
	if (readl_poll_timeout(fec->regs + ENET_EIR, eir, eir & ENET_INT_GRA, 10, FEC_GRACE_US))
		netdev_dbg(fec->dev, "no graceful stop within %u us\n", FEC_GRACE_US);
}

/**
 * fec_mac_stop() - take all queues out of service
 * @fec: mac_lock held. Nothing happens when the MAC is stopped already.
 * @drain: give frames in the transmit rings a bounded time to leave
 *
 * On return all NAPIs are disabled, the hardware holds no buffer, the transmit
 * rings are empty, and the buffers of the receive rings are in their slots.
 */
void fec_mac_stop(struct fec_priv *fec, bool drain)
{
	unsigned int i;

	lockdep_assert_held(&fec->mac_lock);

	if (!fec->started)
		return;
	fec->started = false;

	for (i = 0; i < fec->port.n_txq; i++)
		dp_txq_stop(fec->txq[i]);
	/* Without a link there may be no clock to send with. */
	if (drain && netif_carrier_ok(fec->dev))
		fec_tx_drain(fec);

	fec_irq_disable(fec);
	for (i = 0; i < fec->n_queues; i++)
		napi_disable(&fec->queue[i].napi);

	fec_wr(fec, ENET_ECR, fec_rd(fec, ENET_ECR) & ~ENET_ECR_ETHEREN);
	fec_rd(fec, ENET_ECR);
	udelay(FEC_SETTLE_US);

	for (i = 0; i < fec->port.n_txq; i++)
		dp_txq_flush(fec->txq[i]);
}

/**
 * fec_mac_reset() - the block to its reset state, as far as the SoC allows
 * @fec: stopped; mac_lock held
 *
 * Management frames keep working: their clock divider is set again before the
 * bus is let go.
 */
void fec_mac_reset(struct fec_priv *fec)
{
	struct mutex *mdio_lock = fec->mii_bus ? &fec->mii_bus->mdio_lock : NULL;

	if (mdio_lock)
		mutex_lock(mdio_lock);
	if (fec->quirks & FEC_NO_RESET) {
		fec_wr(fec, ENET_ECR, 0);
	} else {
		fec_mib_save(fec);
		fec_wr(fec, ENET_ECR, ENET_ECR_RESET);
		udelay(FEC_SETTLE_US);
		fec_mib_restart(fec);
	}
	fec_wr(fec, ENET_EIMR, 0);
	/* Writing MSCR while MMFR is not 0 would start a management frame. */
	fec_wr(fec, ENET_MMFR, 0);
	fec_wr(fec, ENET_MSCR, fec->mscr);
	fec_wr(fec, ENET_EIR, ENET_INT_ALL);
	if (mdio_lock)
		mutex_unlock(mdio_lock);
}

/**
 * fec_mac_set_link() - set the MAC for another speed, duplex or pause
 * @fec: the device
 * @link: what to set
 *
 * Restarts the MAC if it runs and something differs: the duplex bits may not
 * be written while it is enabled. A link that comes back as it was costs nothing.
 */
void fec_mac_set_link(struct fec_priv *fec, const struct fec_link *link)
{
	mutex_lock(&fec->mac_lock);
	if (fec->link.speed != link->speed || fec->link.full != link->full ||
	    fec->link.rx_pause != link->rx_pause || fec->link.tx_pause != link->tx_pause) {
		fec->link = *link;
		if (fec->started) {
			fec_mac_stop(fec, false);
			fec_mac_start(fec);
		}
	}
	mutex_unlock(&fec->mac_lock);
}

/* --- queues, for the datapath ------------------------------------------- */

static void fec_queue_stop(struct dp_port *port, u16 qid)
{
	struct fec_priv *fec = container_of(port, struct fec_priv, port);

	mutex_lock(&fec->mac_lock);
	fec_mac_stop(fec, true);
	mutex_unlock(&fec->mac_lock);
}

static int fec_queue_start(struct dp_port *port, u16 qid)
{
	struct fec_priv *fec = container_of(port, struct fec_priv, port);

	mutex_lock(&fec->mac_lock);
	fec_mac_start(fec);
	mutex_unlock(&fec->mac_lock);

	return 0;
}

const struct dp_mac_ops fec_mac_ops = {
	.queue_stop	= fec_queue_stop,
	.queue_start	= fec_queue_start,
};

/**
 * fec_mac_init() - a defined state at probe
 * @fec: registers mapped, clocks on
 */
void fec_mac_init(struct fec_priv *fec)
{
	/* Until the PHY says otherwise. */
	fec->link.speed = SPEED_100;
	fec->link.full = true;

	mutex_lock(&fec->mac_lock);
	fec_mac_reset(fec);
	mutex_unlock(&fec->mac_lock);
	fec_mac_set_address(fec);
}
