/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The FEC/ENET driver: what its files share.
 *
 *   fec_main.c     device: probe, resources, netdev operations
 *   fec_ring.c     descriptor rings as the datapath sees them, NAPI, interrupts
 *   fec_mac.c      the MAC: start, stop, reset, speed, pause, address filters
 *   fec_mdio.c     MDIO bus, PHY or fixed link, PHY reset
 *   fec_mib.c      counters of the MAC, 64 bits wide
 *   fec_ethtool.c  ethtool operations
 *
 * Locks, outermost first:
 *   RTNL            open, close, rings, MTU, queue_stop/queue_start
 *   phydev->lock    phylib's; held when it reports a link change
 *   mac_lock        whether the MAC runs, and the link that it is set for
 *   mdio_lock       of our bus: keeps management frames off while the block is reset
 *   addr list lock  netdev's: filters and RCR
 *   irq_lock        EIMR and its shadow; once per interrupt, not per packet
 *
 * The MAC can only be stopped as a whole: clearing ECR[ETHEREN] is the one way
 * to make it let go of a ring, and takes all rings back to their first
 * descriptor. fec_mac_stop() and fec_mac_start() do that and nothing else, so a
 * change of one queue, of the speed, or a recovery all pass the same way.
 */
#ifndef _FEC_H
#define _FEC_H

#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/phy.h>
#include <linux/pm_qos.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "fec_hw.h"
#include "../datapath/xdp_datapath.h"

struct fec_rx_ring;
struct fec_tx_ring;

/* What distinguishes the SoCs; fec_main.c has the table. */
#define FEC_GBIT	BIT(0)	/* 1000 Mbit/s, RGMII */
#define FEC_CSUM	BIT(1)	/* checksum accelerators */
#define FEC_COALESCE	BIT(2)	/* TXIC, RXIC */
#define FEC_NO_RESET	BIT(3)	/* ECR[RESET] may hang the AXI bus: use ETHEREN instead */
#define FEC_RGMII_DELAY	BIT(4)	/* ECR[TXC_DLY], ECR[RXC_DLY] */
#define FEC_PMQOS	BIT(5)	/* i.MX 6Q: no deep idle while up */
/*
 * ERR006358 (i.MX 6): a TDAR that is set while the DMA is about to clear it,
 * having found no frame, is lost; the new frame then waits for the next TDAR.
 */
#define FEC_ERR006358	BIT(6)
/*
 * ERR007885 (i.MX 6SX and later): writing TDAR in the few clocks in which the
 * DMA clears it hangs the transmitter. TDAR may only be written when it reads 0.
 */
#define FEC_ERR007885	BIT(7)

/**
 * struct fec_soc - one family of SoCs
 * @quirks: FEC_*
 * @queues: rings per direction that the part has
 * @max_frame: longest frame in bytes, FCS included
 * @tx_align: alignment that a transmit buffer needs, in bytes
 */
struct fec_soc {
	u32 quirks;
	u8 queues;
	u8 tx_align;
	u16 max_frame;
};

/**
 * struct fec_link - how the MAC is set for the link
 * @speed: Mbit/s
 * @full: full duplex
 * @rx_pause: obey pause frames
 * @tx_pause: send them when the FIFO fills
 */
struct fec_link {
	int speed;
	bool full;
	bool rx_pause;
	bool tx_pause;
};

/* Interrupt coalescing. 0 us or fewer than 2 frames: off. */
struct fec_coalesce {
	u32 rx_usecs;
	u32 rx_frames;
	u32 tx_usecs;
	u32 tx_frames;
};

/* One NAPI: receive and transmit ring of the same number, one of which may be missing. */
struct fec_queue {
	struct napi_struct napi;
	struct fec_priv *fec;
	struct fec_rx_ring *rx;
	struct fec_tx_ring *tx;
	u32 events;	/* its bits in EIR */
	u16 qid;
};

#define FEC_MIB_SLOTS		((ENET_MIB_LAST - ENET_MIB_FIRST) / 4 + 1)

/* Counters of the MAC, by (register - ENET_MIB_FIRST) / 4. */
struct fec_mib {
	spinlock_t lock;	/* all below */
	bool on;	/* the registers count */
	u32 last[FEC_MIB_SLOTS];
	u64 sum[FEC_MIB_SLOTS];
	struct delayed_work work;
};

struct fec_priv {
	/* read by the hot path */
	struct dp_port port;
	void __iomem *regs;
	u32 quirks;
	u8 n_queues;	/* NAPIs: the larger of the two ring counts */
	struct fec_queue queue[FEC_MAX_QUEUES];
	struct dp_rxq *rxq[FEC_MAX_QUEUES];
	struct dp_txq *txq[FEC_MAX_QUEUES];

	/* interrupts */
	spinlock_t irq_lock ____cacheline_aligned_in_smp;	/* eimr and EIMR */
	u32 eimr;
	u32 events;	/* what eimr is when no queue is being polled */

	/* control */
	struct net_device *dev;
	struct platform_device *pdev;
	const struct fec_soc *soc;
	struct mutex mac_lock;	/* started, link */
	bool started;
	struct fec_link link;
	u32 frame_len;	/* of the present MTU: headers, two VLAN tags and FCS included */
	u32 rx_size;
	u32 tx_size;
	struct fec_coalesce coal;
	struct fec_mib mib;
	struct work_struct reset_work;
	unsigned long bus_errors;
	unsigned long tx_timeouts;
	unsigned long ahb_rate;
	struct pm_qos_request pm_qos;
	bool err006687;
	int irq[FEC_MAX_QUEUES];
	int n_irq;

	/* PHY */
	struct mii_bus *mii_bus;
	struct device_node *phy_node;
	bool fixed_link;
	phy_interface_t interface;
	u32 mscr;
	bool pause_autoneg;
	bool pause_rx;
	bool pause_tx;
	bool txc_delay;
	bool rxc_delay;
	/* Places of later work: PTP clock state, suspend and wake-on-LAN state. */
};

static inline u32 fec_rd(const struct fec_priv *fec, u32 reg)
{
	return readl(fec->regs + reg);
}

static inline void fec_wr(const struct fec_priv *fec, u32 reg, u32 val)
{
	writel(val, fec->regs + reg);
}

/* fec_main.c */
int fec_set_rings(struct fec_priv *fec, u32 rx_size, u32 tx_size);

/* fec_mac.c */
void fec_mac_init(struct fec_priv *fec);
void fec_mac_start(struct fec_priv *fec);
void fec_mac_stop(struct fec_priv *fec, bool drain);
void fec_mac_reset(struct fec_priv *fec);
void fec_mac_set_link(struct fec_priv *fec, const struct fec_link *link);
void fec_mac_set_coalesce(struct fec_priv *fec);
void fec_mac_set_address(struct fec_priv *fec);
void fec_mac_leave_address(struct fec_priv *fec);
void fec_set_rx_mode(struct net_device *dev);
u32 fec_usecs_to_ic(const struct fec_priv *fec, u32 usecs);
extern const struct dp_mac_ops fec_mac_ops;

/* fec_mdio.c */
int fec_phy_parse(struct fec_priv *fec);
void fec_phy_release(struct fec_priv *fec);
int fec_phy_reset(struct fec_priv *fec);
int fec_mdio_probe(struct fec_priv *fec);
void fec_mdio_remove(struct fec_priv *fec);
int fec_phy_connect(struct fec_priv *fec);
void fec_phy_disconnect(struct fec_priv *fec);
void fec_phy_set_pause(struct fec_priv *fec, bool autoneg, bool rx, bool tx);

/* fec_mib.c */
void fec_mib_init(struct fec_priv *fec);
void fec_mib_start(struct fec_priv *fec);
void fec_mib_stop(struct fec_priv *fec);
void fec_mib_save(struct fec_priv *fec);
void fec_mib_restart(struct fec_priv *fec);
u64 fec_mib_get(struct fec_priv *fec, u32 reg);
int fec_mib_count(void);
void fec_mib_strings(u8 **data);
u64 *fec_mib_stats(struct fec_priv *fec, u64 *data);

/* fec_ethtool.c */
extern const struct ethtool_ops fec_ethtool_ops;

#endif /* _FEC_H */
