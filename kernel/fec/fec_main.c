// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ENET device: the table of SoCs, probe and remove, netdev operations.
 *
 * Clocks and regulator stay on from probe to remove: the MDIO bus must answer
 * at any time (it may serve the PHY of another MAC), and a PHY whose reference
 * clock is ours would need a reset whenever that stopped. Runtime PM comes with
 * suspend and resume.
 */
#include <linux/clk.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_net.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/regulator/consumer.h>
#include <net/netdev_queues.h>
#include <soc/imx/cpuidle.h>

#include "fec_ring.h"

#define FEC_TX_TIMEOUT		(5 * HZ)

/*
 * Latency first: what is left of it lets a burst at line rate come in a batch (10
 * us at 1 Gbit/s are 15 of the shortest frames) and costs a lone frame little.
 */
static const struct fec_coalesce fec_coalesce_default = {
	.rx_usecs = 10,
	.rx_frames = 16,
	.tx_usecs = 40,
	.tx_frames = 64,
};

/* --- SoCs --------------------------------------------------------------- */

/*
 * Facts: reference manuals, errata sheets, and the in-tree driver, which is the
 * only public source for some. AVB parts take transmit buffers at any address,
 * others at multiples of 16.
 *
 * Not here: i.MX 25, 27, 28, 35, 51, 53, 6SL. Their FEC knows only the short
 * descriptor (i.MX 28: big-endian data besides), and none of them runs a kernel
 * that this project is for. They stay with the in-tree driver.
 */
static const struct fec_soc fec_imx6q = {
	.quirks = FEC_GBIT | FEC_CSUM | FEC_PMQOS | FEC_ERR006358,
	.queues = 1, .tx_align = 16, .max_frame = FEC_FRAME_FIFO,
};

static const struct fec_soc fec_mvf600 = {
	.quirks = 0,
	.queues = 1, .tx_align = 16, .max_frame = FEC_FRAME_FIFO,
};

static const struct fec_soc fec_imx6ul = {	/* i.MX 8ULP too */
	.quirks = FEC_GBIT | FEC_CSUM | FEC_COALESCE | FEC_ERR007885,
	.queues = 1, .tx_align = 16, .max_frame = FEC_FRAME_FIFO,
};

static const struct fec_soc fec_s32v234 = {
	.quirks = FEC_GBIT | FEC_CSUM | FEC_ERR007885,
	.queues = 1, .tx_align = 16, .max_frame = FEC_FRAME_FIFO,
};

static const struct fec_soc fec_imx6sx = {	/* i.MX 7D too */
	.quirks = FEC_GBIT | FEC_CSUM | FEC_COALESCE | FEC_NO_RESET | FEC_ERR007885,
	.queues = 3, .tx_align = 1, .max_frame = FEC_FRAME_FIFO,
};

static const struct fec_soc fec_imx8mq = {	/* i.MX 8M Mini, Nano, Plus, i.MX 93 too */
	.quirks = FEC_GBIT | FEC_CSUM | FEC_COALESCE | FEC_NO_RESET | FEC_ERR007885,
	.queues = 3, .tx_align = 1, .max_frame = FEC_FRAME_FIFO,
};

static const struct fec_soc fec_imx8qm = {	/* i.MX 8QXP, 8DXL too */
	.quirks = FEC_GBIT | FEC_CSUM | FEC_COALESCE | FEC_NO_RESET | FEC_ERR007885 |
		  FEC_RGMII_DELAY,
	.queues = 3, .tx_align = 1, .max_frame = FEC_FRAME_JUMBO,
};

static const struct of_device_id fec_of_match[] = {
	{ .compatible = "fsl,imx6q-fec", .data = &fec_imx6q },
	{ .compatible = "fsl,mvf600-fec", .data = &fec_mvf600 },
	{ .compatible = "fsl,imx6sx-fec", .data = &fec_imx6sx },
	{ .compatible = "fsl,imx6ul-fec", .data = &fec_imx6ul },
	{ .compatible = "fsl,imx8mq-fec", .data = &fec_imx8mq },
	{ .compatible = "fsl,imx8qm-fec", .data = &fec_imx8qm },
	{ .compatible = "fsl,s32v234-fec", .data = &fec_s32v234 },
	{}
};
MODULE_DEVICE_TABLE(of, fec_of_match);

/* --- up and down -------------------------------------------------------- */

/* Bytes of the longest frame of an MTU: header, two VLAN tags, FCS. */
static u32 fec_frame_len(u32 mtu)
{
	return mtu + ETH_HLEN + 2 * VLAN_HLEN + ETH_FCS_LEN;
}

/* Receive buffers for the MTU, and what may be sent with the FIFO set for it. */
static int fec_set_frame_len(struct fec_priv *fec, u32 mtu)
{
	u32 len = fec_frame_len(mtu);
	int err;

	err = dp_port_set_frame_len(&fec->port, ALIGN(len, FEC_RX_ALIGN), NULL);
	if (err)
		return err;
	fec->frame_len = len;
	fec->port.tx_max_len = (len > FEC_FRAME_FIFO ? fec->soc->max_frame : FEC_FRAME_FIFO) -
			       ETH_FCS_LEN;

	return 0;
}

static void fec_start(struct fec_priv *fec)
{
	mutex_lock(&fec->mac_lock);
	fec_mac_start(fec);
	mutex_unlock(&fec->mac_lock);
}

static void fec_stop(struct fec_priv *fec)
{
	mutex_lock(&fec->mac_lock);
	fec_mac_stop(fec, true);
	mutex_unlock(&fec->mac_lock);
}

static int fec_open(struct net_device *dev)
{
	struct fec_priv *fec = netdev_priv(dev);
	int err;

	err = fec_rings_open(fec);
	if (err) {
		netdev_err(dev, "no memory for rings of %u and %u descriptors: %d\n",
			   fec->rx_size, fec->tx_size, err);
		return err;
	}
	err = fec_phy_connect(fec);
	if (err) {
		fec_rings_close(fec);
		return err;
	}

	if (fec->quirks & FEC_PMQOS)
		cpu_latency_qos_add_request(&fec->pm_qos, 0);
	if (fec->err006687)
		imx6q_cpuidle_fec_irqs_used();

	fec_mib_start(fec);
	fec_start(fec);
	phy_start(dev->phydev);

	return 0;
}

static int fec_close(struct net_device *dev)
{
	struct fec_priv *fec = netdev_priv(dev);

	phy_stop(dev->phydev);
	fec_stop(fec);
	fec_mib_stop(fec);

	if (fec->err006687)
		imx6q_cpuidle_fec_irqs_unused();
	if (fec->quirks & FEC_PMQOS)
		cpu_latency_qos_remove_request(&fec->pm_qos);

	fec_phy_disconnect(fec);
	fec_rings_close(fec);

	return 0;
}

/**
 * fec_set_rings() - ring sizes, while the interface is up or down
 * @fec: the device; RTNL held
 * @rx_size: receive descriptors, a power of two
 * @tx_size: transmit descriptors, a power of two
 *
 * Return: 0, or a negative error with the rings as before, at work if they were.
 */
int fec_set_rings(struct fec_priv *fec, u32 rx_size, u32 tx_size)
{
	int err;

	if (rx_size == fec->rx_size && tx_size == fec->tx_size)
		return 0;

	if (!netif_running(fec->dev)) {
		fec->rx_size = rx_size;
		fec->tx_size = tx_size;
		return 0;
	}

	fec_stop(fec);
	err = fec_rings_resize(fec, rx_size, tx_size);
	fec_start(fec);
	return err;
}

static int fec_change_mtu(struct net_device *dev, int mtu)
{
	struct fec_priv *fec = netdev_priv(dev);
	bool up = netif_running(dev);
	int err;

	if (up)
		fec_stop(fec);
	err = fec_set_frame_len(fec, mtu);
	if (err) {
		netdev_err(dev, "MTU %d does not go with the XDP program or AF_XDP pool that is attached\n",
			   mtu);
	} else if (up) {
		err = fec_rings_resize(fec, fec->rx_size, fec->tx_size);
		if (err)	/* the old length, which every pool had room for */
			WARN_ON(fec_set_frame_len(fec, dev->mtu));
	}
	if (up)
		fec_start(fec);
	if (err)
		return err;

	WRITE_ONCE(dev->mtu, mtu);
	netdev_update_features(dev);
	return 0;
}

static int fec_set_mac_address(struct net_device *dev, void *addr)
{
	int err = eth_mac_addr(dev, addr);

	if (!err)
		fec_mac_set_address(netdev_priv(dev));
	return err;
}

/* --- recovery ----------------------------------------------------------- */

static void fec_tx_timeout(struct net_device *dev, unsigned int txqid)
{
	struct fec_priv *fec = netdev_priv(dev);

	/* Stopped by us, and slow to come back. */
	if (!READ_ONCE(fec->txq[txqid]->live))
		return;
	fec_rings_dump(fec, txqid);
	fec->tx_timeouts++;
	schedule_work(&fec->reset_work);
}

/* A stuck transmitter or a bus error: the whole block anew; the link stays up. */
static void fec_reset_work(struct work_struct *work)
{
	struct fec_priv *fec = container_of(work, struct fec_priv, reset_work);

	rtnl_lock();
	mutex_lock(&fec->mac_lock);
	if (fec->started) {
		netdev_warn(fec->dev, "resetting the MAC (%lu transmit timeouts, %lu bus errors so far)\n",
			    fec->tx_timeouts, fec->bus_errors);
		fec_mac_stop(fec, false);
		fec_mac_reset(fec);
		fec_mac_start(fec);
	}
	mutex_unlock(&fec->mac_lock);
	rtnl_unlock();
}

/* --- statistics --------------------------------------------------------- */

static void fec_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct fec_priv *fec = netdev_priv(dev);
	unsigned int i;

	dp_get_stats64(&fec->port, stats);

	for (i = 0; i < fec->port.n_rxq; i++) {
		const struct fec_rx_ring *r = fec->queue[i].rx;

		stats->rx_length_errors += READ_ONCE(r->length_errors);
		stats->rx_crc_errors += READ_ONCE(r->crc_errors);
		stats->rx_frame_errors += READ_ONCE(r->frame_errors);
		stats->rx_over_errors += READ_ONCE(r->over_errors);
	}
	stats->rx_errors += stats->rx_length_errors + stats->rx_crc_errors +
			    stats->rx_frame_errors + stats->rx_over_errors;
	/* Frames that found no room in the FIFO, and so never reached a ring. */
	stats->rx_missed_errors += fec_mib_get(fec, ENET_IEEE_R_MACERR);
	stats->multicast += fec_mib_get(fec, ENET_RMON_R_MC_PKT);

	/* Descriptors say it too, but reading them again would cost every frame. */
	stats->collisions += fec_mib_get(fec, ENET_RMON_T_COL);
	stats->tx_window_errors += fec_mib_get(fec, ENET_IEEE_T_LCOL);
	stats->tx_aborted_errors += fec_mib_get(fec, ENET_IEEE_T_EXCOL);
	stats->tx_fifo_errors += fec_mib_get(fec, ENET_IEEE_T_MACERR);
	stats->tx_carrier_errors += fec_mib_get(fec, ENET_IEEE_T_CSERR);
	stats->tx_errors += stats->tx_window_errors + stats->tx_aborted_errors +
			    stats->tx_fifo_errors + stats->tx_carrier_errors + fec->tx_timeouts;
}

static void fec_queue_stats_rx(struct net_device *dev, int idx,
			       struct netdev_queue_stats_rx *stats)
{
	struct fec_priv *fec = netdev_priv(dev);

	dp_queue_stats_rx(&fec->port, idx, stats);
}

static void fec_queue_stats_tx(struct net_device *dev, int idx,
			       struct netdev_queue_stats_tx *stats)
{
	struct fec_priv *fec = netdev_priv(dev);

	dp_queue_stats_tx(&fec->port, idx, stats);
}

/* Queues neither come nor go: there is nothing besides theirs. */
static void fec_base_stats(struct net_device *dev, struct netdev_queue_stats_rx *rx,
			   struct netdev_queue_stats_tx *tx)
{
	rx->packets = 0;
	rx->bytes = 0;
	rx->alloc_fail = 0;
	tx->packets = 0;
	tx->bytes = 0;
}

static const struct netdev_stat_ops fec_stat_ops = {
	.get_queue_stats_rx	= fec_queue_stats_rx,
	.get_queue_stats_tx	= fec_queue_stats_tx,
	.get_base_stats		= fec_base_stats,
};

/* --- netdev ------------------------------------------------------------- */

static int fec_bpf(struct net_device *dev, struct netdev_bpf *bpf)
{
	struct fec_priv *fec = netdev_priv(dev);

	return dp_bpf(dev, &fec->port, bpf);
}

static int fec_xsk_wakeup(struct net_device *dev, u32 qid, u32 flags)
{
	struct fec_priv *fec = netdev_priv(dev);

	return dp_xsk_wakeup(&fec->port, qid, flags);
}

/* A frame that leaves before it is complete gets no checksum from the MAC. */
static netdev_features_t fec_fix_features(struct net_device *dev, netdev_features_t features)
{
	if (fec_frame_len(dev->mtu) > FEC_FRAME_FIFO)
		features &= ~(NETIF_F_IP_CSUM | NETIF_F_IPV6_CSUM);
	return features;
}

/* The receive checksum is looked at from the next frame on. */
static int fec_set_features(struct net_device *dev, netdev_features_t features)
{
	struct fec_priv *fec = netdev_priv(dev);
	unsigned int i;

	for (i = 0; i < fec->port.n_rxq; i++)
		WRITE_ONCE(fec->queue[i].rx->csum,
			   (features & NETIF_F_RXCSUM) && !fec->rxq[i]->pool);
	return 0;
}

static const struct net_device_ops fec_netdev_ops = {
	.ndo_open		= fec_open,
	.ndo_stop		= fec_close,
	.ndo_select_queue	= fec_select_queue,
	.ndo_start_xmit		= fec_start_xmit,
	.ndo_tx_timeout		= fec_tx_timeout,
	.ndo_set_rx_mode	= fec_set_rx_mode,
	.ndo_set_mac_address	= fec_set_mac_address,
	.ndo_validate_addr	= eth_validate_addr,
	.ndo_change_mtu		= fec_change_mtu,
	.ndo_fix_features	= fec_fix_features,
	.ndo_set_features	= fec_set_features,
	.ndo_get_stats64	= fec_get_stats64,
	.ndo_eth_ioctl		= phy_do_ioctl_running,
	.ndo_bpf		= fec_bpf,
	.ndo_xdp_xmit		= fec_xdp_xmit,
	.ndo_xsk_wakeup		= fec_xsk_wakeup,
	/* .ndo_hwtstamp_get, .ndo_hwtstamp_set: with the PTP clock */
};

/* --- probe -------------------------------------------------------------- */

static u32 fec_queue_count(struct device *dev, const char *prop, u32 max)
{
	u32 n = 1;

	of_property_read_u32(dev->of_node, prop, &n);
	if (n < 1 || n > max) {
		/* imx6ul trees say 1; a fallback compatible may say more than the part has. */
		dev_warn(dev, "%s = %u, this SoC's ENET has %u: using %u\n", prop, n, max,
			 clamp(n, 1U, max));
		n = clamp(n, 1U, max);
	}

	return n;
}

static int fec_get_clocks(struct fec_priv *fec)
{
	static const char *const names[] = { "ipg", "ahb", "ptp" };
	static const char *const optional[] = { "enet_clk_ref", "enet_out" };
	struct device *dev = &fec->pdev->dev;
	struct clk *clk;
	unsigned int i;

	/* "ptp": the timer behind the enhanced descriptors; every ENET SoC has it. */
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		clk = devm_clk_get_enabled(dev, names[i]);
		if (IS_ERR(clk))
			return dev_err_probe(dev, PTR_ERR(clk), "clock %s\n", names[i]);
		if (!strcmp(names[i], "ahb"))
			fec->ahb_rate = clk_get_rate(clk);
	}
	for (i = 0; i < ARRAY_SIZE(optional); i++) {
		clk = devm_clk_get_optional_enabled(dev, optional[i]);
		if (IS_ERR(clk))
			return dev_err_probe(dev, PTR_ERR(clk), "clock %s\n", optional[i]);
	}
	if (fec->txc_delay || fec->rxc_delay) {	/* 250 MHz that the delay counts by */
		clk = devm_clk_get_optional_enabled(dev, "enet_2x_txclk");
		if (IS_ERR(clk))
			return dev_err_probe(dev, PTR_ERR(clk), "clock enet_2x_txclk\n");
	}

	return 0;
}

/*
 * Lines: int0, or int0 to int2, and then one for the 1588 timer's PPS output,
 * which is not ours. Old trees do not name them.
 */
static int fec_get_irqs(struct fec_priv *fec)
{
	struct platform_device *pdev = fec->pdev;
	struct device *dev = &pdev->dev;
	int i, irq, err, n;
	char name[8];

	n = platform_irq_count(pdev);
	if (n < 0)
		return dev_err_probe(dev, n, "interrupts\n");
	n = n == 2 ? 1 : clamp(n, 1, FEC_MAX_QUEUES);

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "int%d", i);
		irq = platform_get_irq_byname_optional(pdev, name);
		if (irq < 0 && irq != -EPROBE_DEFER)
			irq = platform_get_irq(pdev, i);
		if (irq < 0)
			return dev_err_probe(dev, irq, "interrupt %s\n", name);
		err = devm_request_irq(dev, irq, fec_interrupt, 0, dev_name(dev), fec);
		if (err)
			return dev_err_probe(dev, err, "requesting interrupt %s\n", name);
		fec->irq[i] = irq;
		fec->n_irq = i + 1;
	}

	return 0;
}

/* Device tree or NVMEM, else what the boot loader left in the registers, else random. */
static int fec_get_mac_address(struct fec_priv *fec)
{
	u32 lo = fec_rd(fec, ENET_PALR), hi = fec_rd(fec, ENET_PAUR);
	struct device *dev = &fec->pdev->dev;
	u8 addr[ETH_ALEN] = { lo >> 24, lo >> 16, lo >> 8, lo, hi >> 24, hi >> 16 };
	int err;

	err = of_get_ethdev_address(dev->of_node, fec->dev);
	if (!err)
		return 0;
	if (err == -EPROBE_DEFER)
		return dev_err_probe(dev, err, "the MAC address's NVMEM cell is not there yet\n");
	if (err == -ENOMEM)	/* it has one: another would be wrong */
		return err;

	if (is_valid_ether_addr(addr)) {
		eth_hw_addr_set(fec->dev, addr);
		return 0;
	}
	eth_hw_addr_random(fec->dev);
	dev_warn(dev, "no MAC address in device tree, NVMEM or registers: using random %pM\n",
		 fec->dev->dev_addr);

	return 0;
}

static void fec_init_netdev(struct fec_priv *fec)
{
	struct net_device *dev = fec->dev;

	dev->netdev_ops = &fec_netdev_ops;
	dev->ethtool_ops = &fec_ethtool_ops;
	dev->stat_ops = &fec_stat_ops;
	dev->watchdog_timeo = FEC_TX_TIMEOUT;
	dev->priv_flags |= IFF_UNICAST_FLT | IFF_LIVE_ADDR_CHANGE;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = fec->soc->max_frame - fec_frame_len(0);

	if (fec->quirks & FEC_CSUM)
		dev->hw_features = NETIF_F_SG | NETIF_F_IP_CSUM | NETIF_F_IPV6_CSUM |
				   NETIF_F_RXCSUM;
	dev->features = dev->hw_features;

	fec->port.dev = dev;
	fec->port.dma_dev = &fec->pdev->dev;
	fec->port.mac = &fec_mac_ops;
	fec->port.rxq = fec->rxq;
	fec->port.txq = fec->txq;
	fec->port.rx_align = FEC_RX_ALIGN;
	fec->port.tx_align = fec->soc->tx_align;
	fec->port.max_segs = MAX_SKB_FRAGS + 1;
}

static int fec_probe(struct platform_device *pdev)
{
	const struct fec_soc *soc = device_get_match_data(&pdev->dev);
	struct device *dev = &pdev->dev;
	struct net_device *netdev;
	struct fec_priv *fec;
	unsigned int i;
	u32 rxqs, txqs;
	int err;

	rxqs = fec_queue_count(dev, "fsl,num-rx-queues", soc->queues);
	txqs = fec_queue_count(dev, "fsl,num-tx-queues", soc->queues);
	netdev = devm_alloc_etherdev_mqs(dev, sizeof(*fec), txqs, rxqs);
	if (!netdev)
		return -ENOMEM;
	SET_NETDEV_DEV(netdev, dev);
	platform_set_drvdata(pdev, netdev);

	fec = netdev_priv(netdev);
	fec->dev = netdev;
	fec->pdev = pdev;
	fec->soc = soc;
	fec->quirks = soc->quirks;
	fec->port.n_rxq = rxqs;
	fec->port.n_txq = txqs;
	fec->n_queues = max(rxqs, txqs);
	fec->rx_size = FEC_RING_DEFAULT;
	fec->tx_size = FEC_RING_DEFAULT;
	fec->coal = fec_coalesce_default;
	fec->pause_autoneg = true;
	fec->pause_rx = true;
	fec->pause_tx = true;
	fec->err006687 = (of_machine_is_compatible("fsl,imx6q") ||
			  of_machine_is_compatible("fsl,imx6dl")) &&
			 !of_property_read_bool(dev->of_node, "fsl,err006687-workaround-present");
	spin_lock_init(&fec->irq_lock);
	mutex_init(&fec->mac_lock);
	INIT_WORK(&fec->reset_work, fec_reset_work);
	fec_mib_init(fec);

	fec->regs = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(fec->regs))
		return dev_err_probe(dev, PTR_ERR(fec->regs), "registers\n");
	err = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(32));
	if (err)
		return dev_err_probe(dev, err, "no 32-bit DMA\n");

	err = fec_phy_parse(fec);
	if (err)
		return err;
	pm_runtime_set_active(dev);
	pm_runtime_get_noresume(dev);
	pm_runtime_enable(dev);
	err = fec_get_clocks(fec);
	if (err)
		goto err_phy;
	err = devm_regulator_get_enable_optional(dev, "phy");
	if (err && err != -ENODEV) {
		dev_err_probe(dev, err, "phy-supply\n");
		goto err_phy;
	}
	err = fec_phy_reset(fec);
	if (err)
		goto err_phy;
	err = fec_get_mac_address(fec);
	if (err)
		goto err_phy;

	fec_init_netdev(fec);
	err = fec_rings_alloc(fec);
	if (err)
		goto err_rings;
	for (i = 0; i < fec->n_queues; i++)
		netif_napi_add(netdev, &fec->queue[i].napi, fec_poll);
	dp_port_init(&fec->port);
	err = fec_set_frame_len(fec, netdev->mtu);
	if (err) {
		dev_err_probe(dev, err, "receive buffers for MTU %u\n", netdev->mtu);
		goto err_rings;
	}

	fec_mac_init(fec);
	err = fec_get_irqs(fec);
	if (err)
		goto err_rings;
	err = fec_mdio_probe(fec);
	if (err)
		goto err_rings;

	netif_carrier_off(netdev);
	if (txqs > 1) {
		err = netif_set_xps_queue(netdev, cpu_possible_mask, 0);
		if (err)
			goto err_mdio;
	}
	err = register_netdev(netdev);
	if (err) {
		dev_err_probe(dev, err, "registering the netdev\n");
		goto err_mdio;
	}

	return 0;

err_mdio:
	fec_mdio_remove(fec);
err_rings:
	fec_irq_disable(fec);
	for (i = 0; i < fec->n_irq; i++)
		devm_free_irq(dev, fec->irq[i], fec);
	fec_rings_free(fec);
err_phy:
	pm_runtime_disable(dev);
	pm_runtime_put_noidle(dev);
	fec_phy_release(fec);
	return err;
}

static void fec_remove(struct platform_device *pdev)
{
	struct net_device *netdev = platform_get_drvdata(pdev);
	struct fec_priv *fec = netdev_priv(netdev);
	unsigned int i;

	unregister_netdev(netdev);
	cancel_work_sync(&fec->reset_work);
	fec_mac_leave_address(fec);
	fec_mdio_remove(fec);
	for (i = 0; i < fec->n_irq; i++)
		devm_free_irq(&pdev->dev, fec->irq[i], fec);
	for (i = 0; i < fec->n_queues; i++)
		netif_napi_del(&fec->queue[i].napi);
	fec_rings_free(fec);
	pm_runtime_disable(&pdev->dev);
	pm_runtime_put_noidle(&pdev->dev);
	fec_phy_release(fec);
}

static struct platform_driver fec_driver = {
	.probe	= fec_probe,
	.remove	= fec_remove,
	.driver	= {
		.name		= "fec",
		.of_match_table	= fec_of_match,
		/* .pm: suspend, resume and runtime PM, with wake-on-LAN */
	},
};
module_platform_driver(fec_driver);

MODULE_DESCRIPTION("NXP i.MX FEC/ENET Ethernet with XDP and AF_XDP zero-copy");
MODULE_LICENSE("GPL");
