// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool operations.
 */
#include <linux/ethtool.h>
#include <linux/log2.h>
#include <linux/platform_device.h>

#include "fec_ring.h"

/* Layout of the dump of "ethtool -d": registers at their offsets, as the in-tree driver's. */
#define FEC_REGS_VERSION	2

static void fec_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct fec_priv *fec = netdev_priv(dev);

	strscpy(info->driver, "fec", sizeof(info->driver));
	strscpy(info->bus_info, dev_name(&fec->pdev->dev), sizeof(info->bus_info));
}

/* --- registers ---------------------------------------------------------- */

/* All that every part has and that reading does not change, but for the MIB. */
static const u16 fec_regs[] = {
	ENET_EIR, ENET_EIMR, ENET_RDAR, ENET_TDAR, ENET_ECR, ENET_MMFR, ENET_MSCR, ENET_MIBC,
	ENET_RCR, ENET_TCR, ENET_PALR, ENET_PAUR, ENET_OPD, ENET_IAUR, ENET_IALR, ENET_GAUR,
	ENET_GALR, ENET_TFWR, ENET_RDSR, ENET_TDSR, ENET_MRBR, ENET_RSFL, ENET_RSEM, ENET_RAEM,
	ENET_RAFL, ENET_TSEM, ENET_TAEM, ENET_TAFL, ENET_TIPG, ENET_FTRL, ENET_TACC, ENET_RACC,
};

/* Parts with three rings */
static const u16 fec_regs_rings[] = {
	ENET_RDSR1, ENET_TDSR1, ENET_MRBR1, ENET_RDSR2, ENET_TDSR2, ENET_MRBR2, ENET_RCMR1,
	ENET_RCMR2, ENET_DMA1CFG, ENET_DMA2CFG, ENET_RDAR1, ENET_TDAR1, ENET_RDAR2, ENET_TDAR2,
	ENET_QOS,
};

static int fec_get_regs_len(struct net_device *dev)
{
	return ENET_MIB_LAST + sizeof(u32);
}

static void fec_get_regs(struct net_device *dev, struct ethtool_regs *regs, void *buf)
{
	struct fec_priv *fec = netdev_priv(dev);
	u32 *dump = buf;
	unsigned int i;

	regs->version = FEC_REGS_VERSION;
	memset(buf, 0, regs->len);

	for (i = 0; i < ARRAY_SIZE(fec_regs); i++)
		dump[fec_regs[i] / 4] = fec_rd(fec, fec_regs[i]);
	if (fec->soc->queues > 1)
		for (i = 0; i < ARRAY_SIZE(fec_regs_rings); i++)
			dump[fec_regs_rings[i] / 4] = fec_rd(fec, fec_regs_rings[i]);
	if (fec->quirks & FEC_COALESCE)
		for (i = 0; i < fec->soc->queues; i++) {
			dump[ENET_TXIC(i) / 4] = fec_rd(fec, ENET_TXIC(i));
			dump[ENET_RXIC(i) / 4] = fec_rd(fec, ENET_RXIC(i));
		}
}

/* --- rings, channels, coalescing ---------------------------------------- */

static void fec_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
			      struct kernel_ethtool_ringparam *kernel_ring,
			      struct netlink_ext_ack *extack)
{
	struct fec_priv *fec = netdev_priv(dev);

	ring->rx_max_pending = FEC_RING_MAX;
	ring->tx_max_pending = FEC_RING_MAX;
	ring->rx_pending = fec->rx_size;
	ring->tx_pending = fec->tx_size;
}

static int fec_set_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
			     struct kernel_ethtool_ringparam *kernel_ring,
			     struct netlink_ext_ack *extack)
{
	struct fec_priv *fec = netdev_priv(dev);
	u32 rx = ring->rx_pending, tx = ring->tx_pending;

	if (rx < FEC_RX_RING_MIN || tx < FEC_TX_RING_MIN) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "at least %u receive and %u transmit descriptors",
				       FEC_RX_RING_MIN, FEC_TX_RING_MIN);
		return -EINVAL;
	}

	return fec_set_rings(fec, roundup_pow_of_two(rx), roundup_pow_of_two(tx));
}

static void fec_get_channels(struct net_device *dev, struct ethtool_channels *ch)
{
	struct fec_priv *fec = netdev_priv(dev);
	u32 both = min(fec->port.n_rxq, fec->port.n_txq);

	ch->max_combined = both;
	ch->combined_count = both;
	ch->max_rx = fec->port.n_rxq - both;
	ch->rx_count = ch->max_rx;
	ch->max_tx = fec->port.n_txq - both;
	ch->tx_count = ch->max_tx;
}

static int fec_get_coalesce(struct net_device *dev, struct ethtool_coalesce *ec,
			    struct kernel_ethtool_coalesce *kernel_coal,
			    struct netlink_ext_ack *extack)
{
	struct fec_priv *fec = netdev_priv(dev);

	if (!(fec->quirks & FEC_COALESCE))
		return -EOPNOTSUPP;

	ec->rx_coalesce_usecs = fec->coal.rx_usecs;
	ec->rx_max_coalesced_frames = fec->coal.rx_frames;
	ec->tx_coalesce_usecs = fec->coal.tx_usecs;
	ec->tx_max_coalesced_frames = fec->coal.tx_frames;

	return 0;
}

static int fec_set_coalesce(struct net_device *dev, struct ethtool_coalesce *ec,
			    struct kernel_ethtool_coalesce *kernel_coal,
			    struct netlink_ext_ack *extack)
{
	struct fec_priv *fec = netdev_priv(dev);

	if (!(fec->quirks & FEC_COALESCE)) {
		NL_SET_ERR_MSG_MOD(extack, "this SoC's ENET does not coalesce interrupts");
		return -EOPNOTSUPP;
	}
	if (!FIELD_FIT(ENET_IC_FRAMES, ec->rx_max_coalesced_frames) ||
	    !FIELD_FIT(ENET_IC_FRAMES, ec->tx_max_coalesced_frames)) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "at most %lu frames", FIELD_MAX(ENET_IC_FRAMES));
		return -EINVAL;
	}
	if (!FIELD_FIT(ENET_IC_TIME, fec_usecs_to_ic(fec, ec->rx_coalesce_usecs)) ||
	    !FIELD_FIT(ENET_IC_TIME, fec_usecs_to_ic(fec, ec->tx_coalesce_usecs))) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "at most %u clocks of 64 / %lu Hz",
				       (u32)FIELD_MAX(ENET_IC_TIME), fec->ahb_rate);
		return -EINVAL;
	}

	fec->coal.rx_usecs = ec->rx_coalesce_usecs;
	fec->coal.rx_frames = ec->rx_max_coalesced_frames;
	fec->coal.tx_usecs = ec->tx_coalesce_usecs;
	fec->coal.tx_frames = ec->tx_max_coalesced_frames;

	mutex_lock(&fec->mac_lock);
	fec_mac_set_coalesce(fec);
	mutex_unlock(&fec->mac_lock);

	return 0;
}

/* --- pause -------------------------------------------------------------- */

static void fec_get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct fec_priv *fec = netdev_priv(dev);

	pause->autoneg = fec->pause_autoneg;
	pause->rx_pause = fec->pause_rx;
	pause->tx_pause = fec->pause_tx;
}

static int fec_set_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct fec_priv *fec = netdev_priv(dev);

	if (!pause->rx_pause != !pause->tx_pause) {
		netdev_err(dev, "pause frames can be had both ways or not at all: rx and tx must be equal\n");
		return -EINVAL;
	}
	if (pause->autoneg && dev->phydev && dev->phydev->autoneg == AUTONEG_DISABLE) {
		netdev_err(dev, "pause cannot be negotiated while the link is not (ethtool -s %s autoneg on)\n",
			   dev->name);
		return -EINVAL;
	}
	fec_phy_set_pause(fec, pause->autoneg, pause->rx_pause, pause->tx_pause);

	return 0;
}

static void fec_get_pause_stats(struct net_device *dev, struct ethtool_pause_stats *stats)
{
	struct fec_priv *fec = netdev_priv(dev);

	stats->tx_pause_frames = fec_mib_get(fec, ENET_IEEE_T_FDXFC);
	stats->rx_pause_frames = fec_mib_get(fec, ENET_IEEE_R_FDXFC);
}

/* --- statistics --------------------------------------------------------- */

/* The driver's own, between the MIB's and the datapath's. */
enum { FEC_STAT_BUS_ERRORS, FEC_STAT_TX_TIMEOUTS, FEC_STATS };

static const char *const fec_stat_names[FEC_STATS] = {
	[FEC_STAT_BUS_ERRORS]	= "dma_bus_errors",
	[FEC_STAT_TX_TIMEOUTS]	= "tx_timeouts",
};

static int fec_get_sset_count(struct net_device *dev, int sset)
{
	struct fec_priv *fec = netdev_priv(dev);

	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return fec_mib_count() + FEC_STATS + dp_ethtool_count(&fec->port);
}

static void fec_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	struct fec_priv *fec = netdev_priv(dev);
	unsigned int i;

	if (sset != ETH_SS_STATS)
		return;
	fec_mib_strings(&data);
	for (i = 0; i < FEC_STATS; i++)
		ethtool_puts(&data, fec_stat_names[i]);
	dp_ethtool_strings(&fec->port, &data);
}

static void fec_get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct fec_priv *fec = netdev_priv(dev);

	data = fec_mib_stats(fec, data);
	data[FEC_STAT_BUS_ERRORS] = fec->bus_errors;
	data[FEC_STAT_TX_TIMEOUTS] = fec->tx_timeouts;
	dp_ethtool_stats(&fec->port, data + FEC_STATS);
}

static void fec_get_eth_mac_stats(struct net_device *dev, struct ethtool_eth_mac_stats *stats)
{
	struct fec_priv *fec = netdev_priv(dev);

	stats->FramesTransmittedOK = fec_mib_get(fec, ENET_IEEE_T_FRAME_OK);
	stats->SingleCollisionFrames = fec_mib_get(fec, ENET_IEEE_T_1COL);
	stats->MultipleCollisionFrames = fec_mib_get(fec, ENET_IEEE_T_MCOL);
	stats->FramesReceivedOK = fec_mib_get(fec, ENET_IEEE_R_FRAME_OK);
	stats->FrameCheckSequenceErrors = fec_mib_get(fec, ENET_IEEE_R_CRC);
	stats->AlignmentErrors = fec_mib_get(fec, ENET_IEEE_R_ALIGN);
	stats->OctetsTransmittedOK = fec_mib_get(fec, ENET_IEEE_T_OCTETS_OK);
	stats->FramesWithDeferredXmissions = fec_mib_get(fec, ENET_IEEE_T_DEF);
	stats->LateCollisions = fec_mib_get(fec, ENET_IEEE_T_LCOL);
	stats->FramesAbortedDueToXSColls = fec_mib_get(fec, ENET_IEEE_T_EXCOL);
	stats->FramesLostDueToIntMACXmitError = fec_mib_get(fec, ENET_IEEE_T_MACERR);
	stats->CarrierSenseErrors = fec_mib_get(fec, ENET_IEEE_T_CSERR);
	stats->OctetsReceivedOK = fec_mib_get(fec, ENET_IEEE_R_OCTETS_OK);
	stats->FramesLostDueToIntMACRcvError = fec_mib_get(fec, ENET_IEEE_R_MACERR);
	stats->MulticastFramesXmittedOK = fec_mib_get(fec, ENET_RMON_T_MC_PKT);
	stats->BroadcastFramesXmittedOK = fec_mib_get(fec, ENET_RMON_T_BC_PKT);
	stats->MulticastFramesReceivedOK = fec_mib_get(fec, ENET_RMON_R_MC_PKT);
	stats->BroadcastFramesReceivedOK = fec_mib_get(fec, ENET_RMON_R_BC_PKT);
}

static const struct ethtool_rmon_hist_range fec_rmon_ranges[] = {
	{    0,   64 },
	{   65,  127 },
	{  128,  255 },
	{  256,  511 },
	{  512, 1023 },
	{ 1024, 2047 },
	{ 2048, FEC_FRAME_JUMBO },
	{}
};

static void fec_get_rmon_stats(struct net_device *dev, struct ethtool_rmon_stats *stats,
			       const struct ethtool_rmon_hist_range **ranges)
{
	struct fec_priv *fec = netdev_priv(dev);
	unsigned int i;

	stats->undersize_pkts = fec_mib_get(fec, ENET_RMON_R_UNDERSIZE);
	stats->oversize_pkts = fec_mib_get(fec, ENET_RMON_R_OVERSIZE);
	stats->fragments = fec_mib_get(fec, ENET_RMON_R_FRAG);
	stats->jabbers = fec_mib_get(fec, ENET_RMON_R_JAB);
	/* The registers of the seven ranges follow one another, both ways. */
	for (i = 0; i < ARRAY_SIZE(fec_rmon_ranges) - 1; i++) {
		stats->hist[i] = fec_mib_get(fec, ENET_RMON_R_P64 + 4 * i);
		stats->hist_tx[i] = fec_mib_get(fec, ENET_RMON_T_P64 + 4 * i);
	}
	*ranges = fec_rmon_ranges;
}

const struct ethtool_ops fec_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_USECS | ETHTOOL_COALESCE_MAX_FRAMES,
	.get_drvinfo		= fec_get_drvinfo,
	.get_regs_len		= fec_get_regs_len,
	.get_regs		= fec_get_regs,
	.get_link		= ethtool_op_get_link,
	.get_link_ksettings	= phy_ethtool_get_link_ksettings,
	.set_link_ksettings	= phy_ethtool_set_link_ksettings,
	.nway_reset		= phy_ethtool_nway_reset,
	.get_ringparam		= fec_get_ringparam,
	.set_ringparam		= fec_set_ringparam,
	.get_channels		= fec_get_channels,
	.get_coalesce		= fec_get_coalesce,
	.set_coalesce		= fec_set_coalesce,
	.get_pauseparam		= fec_get_pauseparam,
	.set_pauseparam		= fec_set_pauseparam,
	.get_pause_stats	= fec_get_pause_stats,
	.get_sset_count		= fec_get_sset_count,
	.get_strings		= fec_get_strings,
	.get_ethtool_stats	= fec_get_ethtool_stats,
	.get_eth_mac_stats	= fec_get_eth_mac_stats,
	.get_rmon_stats		= fec_get_rmon_stats,
	.get_ts_info		= ethtool_op_get_ts_info,	/* until the PTP clock */
	/* .get_wol, .set_wol: with suspend and resume */
};
