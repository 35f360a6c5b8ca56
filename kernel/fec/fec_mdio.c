// SPDX-License-Identifier: GPL-2.0-only
/*
 * What hangs on the MII: the MDIO bus (clause 22 and 45), the PHY or fixed link
 * and the changes it reports, the PHY's reset.
 *
 * Device tree properties: Documentation/devicetree/bindings/net/fsl,fec.yaml.
 */
#include <linux/clk.h>
#include <linux/delay.h>
#include <linux/gpio/consumer.h>
#include <linux/iopoll.h>
#include <linux/mdio.h>
#include <linux/of.h>
#include <linux/of_mdio.h>
#include <linux/of_net.h>
#include <linux/platform_device.h>

#include "fec.h"

#define FEC_MDC_HZ		2500000	/* IEEE 802.3 clause 22 */
#define FEC_MDIO_HOLD_NS	10	/* same */
#define FEC_MDIO_POLL_US	10	/* a frame takes 26 us at 2.5 MHz */
#define FEC_MDIO_TIMEOUT_US	30000

#define FEC_PHY_RESET_MS	1	/* unless phy-reset-duration says otherwise */
#define FEC_PHY_RESET_MAX_MS	1000	/* binding */

/* Operations of a management frame */
#define FEC_MDIO_ADDRESS	0	/* clause 45 */
#define FEC_MDIO_WRITE		1
#define FEC_MDIO_READ_C22	2
#define FEC_MDIO_READ_C45	3

/* --- bus ---------------------------------------------------------------- */

/*
 * One management frame. Its end is seen in EIR[MII], whose interrupt stays
 * masked: sleeping 26 us is cheaper. Returns what is in the data field then.
 */
static int fec_mdio_frame(struct fec_priv *fec, u32 st, u32 op, int pa, int ra, u16 data)
{
	u32 eir;
	int err;

	fec_wr(fec, ENET_EIR, ENET_INT_MII);
	fec_wr(fec, ENET_MMFR,
	       st | FIELD_PREP(ENET_MMFR_OP, op) | FIELD_PREP(ENET_MMFR_PA, pa) |
	       FIELD_PREP(ENET_MMFR_RA, ra) | ENET_MMFR_TA | data);

	err = readl_poll_timeout(fec->regs + ENET_EIR, eir, eir & ENET_INT_MII,
				 FEC_MDIO_POLL_US, FEC_MDIO_TIMEOUT_US);
	if (err) {
		dev_err_ratelimited(&fec->pdev->dev, "MDIO %s PHY %d: no end within %u us\n",
				    op == FEC_MDIO_READ_C22 || op == FEC_MDIO_READ_C45 ?
				    "read from" : "write to", pa, FEC_MDIO_TIMEOUT_US);
		return err;
	}
	fec_wr(fec, ENET_EIR, ENET_INT_MII);

	return FIELD_GET(ENET_MMFR_DATA, fec_rd(fec, ENET_MMFR));
}

static int fec_mdio_read(struct mii_bus *bus, int addr, int reg)
{
	return fec_mdio_frame(bus->priv, ENET_MMFR_ST_C22, FEC_MDIO_READ_C22, addr, reg, 0);
}

static int fec_mdio_write(struct mii_bus *bus, int addr, int reg, u16 val)
{
	int ret = fec_mdio_frame(bus->priv, ENET_MMFR_ST_C22, FEC_MDIO_WRITE, addr, reg, val);

	return min(ret, 0);
}

static int fec_mdio_read_c45(struct mii_bus *bus, int addr, int dev, int reg)
{
	int ret = fec_mdio_frame(bus->priv, ENET_MMFR_ST_C45, FEC_MDIO_ADDRESS, addr, dev, reg);

	if (ret < 0)
		return ret;
	return fec_mdio_frame(bus->priv, ENET_MMFR_ST_C45, FEC_MDIO_READ_C45, addr, dev, 0);
}

static int fec_mdio_write_c45(struct mii_bus *bus, int addr, int dev, int reg, u16 val)
{
	int ret = fec_mdio_frame(bus->priv, ENET_MMFR_ST_C45, FEC_MDIO_ADDRESS, addr, dev, reg);

	if (ret < 0)
		return ret;
	ret = fec_mdio_frame(bus->priv, ENET_MMFR_ST_C45, FEC_MDIO_WRITE, addr, dev, val);
	return min(ret, 0);
}

/* The value of MSCR for the clock that the device tree asks for. */
static int fec_mdio_clock(struct fec_priv *fec, struct device_node *mdio)
{
	struct device *dev = &fec->pdev->dev;
	u32 mdc = FEC_MDC_HZ;
	unsigned long ipg;
	struct clk *clk;
	u32 div, hold;

	clk = clk_get(dev, "ipg");
	if (IS_ERR(clk))
		return dev_err_probe(dev, PTR_ERR(clk), "no ipg clock\n");
	ipg = clk_get_rate(clk);
	clk_put(clk);

	of_property_read_u32(mdio, "clock-frequency", &mdc);
	if (!mdc)
		mdc = FEC_MDC_HZ;

	div = DIV_ROUND_UP(ipg, 2 * mdc);
	div = max(div, 1U) - 1;
	hold = DIV_ROUND_UP(ipg, NSEC_PER_SEC / FEC_MDIO_HOLD_NS);
	hold = max(hold, 1U) - 1;
	if (!ipg || !FIELD_FIT(ENET_MSCR_MII_SPEED, div) || !FIELD_FIT(ENET_MSCR_HOLDTIME, hold))
		return dev_err_probe(dev, -EINVAL, "an MDIO clock of %u Hz cannot be had from ipg, %lu Hz\n",
				     mdc, ipg);

	fec->mscr = FIELD_PREP(ENET_MSCR_MII_SPEED, div) | FIELD_PREP(ENET_MSCR_HOLDTIME, hold);
	if (of_property_read_bool(mdio, "suppress-preamble"))
		fec->mscr |= ENET_MSCR_DIS_PRE;

	return 0;
}

/**
 * fec_mdio_probe() - register the MDIO bus, if this MAC's pins have one
 * @fec: fec_phy_parse() done, MAC reset
 *
 * Without an mdio node the bus is scanned, unless the PHY is known to be
 * elsewhere (phy-handle, fixed-link).
 *
 * Return: 0 or a negative error.
 */
int fec_mdio_probe(struct fec_priv *fec)
{
	struct device *dev = &fec->pdev->dev;
	struct device_node *node;
	struct mii_bus *bus;
	int err;

	node = of_get_child_by_name(dev->of_node, "mdio");
	if (!node && fec->phy_node)
		return 0;
	if (node && !of_device_is_available(node)) {
		of_node_put(node);
		return 0;
	}

	bus = mdiobus_alloc();
	if (!bus) {
		of_node_put(node);
		return -ENOMEM;
	}
	bus->name = "fec";
	bus->priv = fec;
	bus->parent = dev;
	bus->read = fec_mdio_read;
	bus->write = fec_mdio_write;
	bus->read_c45 = fec_mdio_read_c45;
	bus->write_c45 = fec_mdio_write_c45;
	snprintf(bus->id, MII_BUS_ID_SIZE, "%s", dev_name(dev));

	err = of_mdiobus_register(bus, node);
	of_node_put(node);
	if (err) {
		mdiobus_free(bus);
		return dev_err_probe(dev, err, "registering the MDIO bus\n");
	}
	fec->mii_bus = bus;

	return 0;
}

void fec_mdio_remove(struct fec_priv *fec)
{
	if (!fec->mii_bus)
		return;
	mdiobus_unregister(fec->mii_bus);
	mdiobus_free(fec->mii_bus);
	fec->mii_bus = NULL;
}

/* --- device tree -------------------------------------------------------- */

static int fec_parse_delay(struct fec_priv *fec, const char *prop, bool *on)
{
	struct device *dev = &fec->pdev->dev;
	u32 ps;

	if (of_property_read_u32(dev->of_node, prop, &ps))
		return 0;
	if (ps != 0 && ps != 2000)
		return dev_err_probe(dev, -EINVAL, "%s = %u: only 0 and 2000 can be had\n",
				     prop, ps);
	if (ps && !(fec->quirks & FEC_RGMII_DELAY)) {
		dev_warn(dev, "%s: this SoC has no RGMII delay, leave it to the PHY\n", prop);
		return 0;
	}
	*on = ps;

	return 0;
}

/**
 * fec_phy_parse() - what the device tree says of MII, PHY and MDIO clock
 * @fec: the device
 *
 * Return: 0 or a negative error; fec_phy_release() is due after success.
 */
int fec_phy_parse(struct fec_priv *fec)
{
	struct device_node *np = fec->pdev->dev.of_node;
	struct device_node *mdio;
	int err;

	if (of_get_phy_mode(np, &fec->interface))
		fec->interface = PHY_INTERFACE_MODE_MII;
	if (phy_interface_mode_is_rgmii(fec->interface) && !(fec->quirks & FEC_GBIT))
		return dev_err_probe(&fec->pdev->dev, -EINVAL, "this SoC's ENET has no RGMII\n");

	err = fec_parse_delay(fec, "tx-internal-delay-ps", &fec->txc_delay);
	if (!err)
		err = fec_parse_delay(fec, "rx-internal-delay-ps", &fec->rxc_delay);
	if (err)
		return err;

	mdio = of_get_child_by_name(np, "mdio");
	err = fec_mdio_clock(fec, mdio);
	of_node_put(mdio);
	if (err)
		return err;

	fec->phy_node = of_parse_phandle(np, "phy-handle", 0);
	if (!fec->phy_node && of_phy_is_fixed_link(np)) {
		err = of_phy_register_fixed_link(np);
		if (err)
			return dev_err_probe(&fec->pdev->dev, err, "fixed-link\n");
		fec->fixed_link = true;
		fec->phy_node = of_node_get(np);
	}

	return 0;
}

void fec_phy_release(struct fec_priv *fec)
{
	if (fec->fixed_link)
		of_phy_deregister_fixed_link(fec->pdev->dev.of_node);
	of_node_put(fec->phy_node);
}

/* The deprecated phy-reset-* properties; newer trees have them in the PHY's node. */
int fec_phy_reset(struct fec_priv *fec)
{
	u32 hold = FEC_PHY_RESET_MS, wait = 0;
	struct device *dev = &fec->pdev->dev;
	struct gpio_desc *reset;

	reset = devm_gpiod_get_optional(dev, "phy-reset", GPIOD_OUT_HIGH);
	if (IS_ERR(reset))
		return dev_err_probe(dev, PTR_ERR(reset), "phy-reset-gpios\n");
	if (!reset)
		return 0;

	of_property_read_u32(dev->of_node, "phy-reset-duration", &hold);
	if (hold > FEC_PHY_RESET_MAX_MS)
		hold = FEC_PHY_RESET_MS;
	of_property_read_u32(dev->of_node, "phy-reset-post-delay", &wait);
	if (wait > FEC_PHY_RESET_MAX_MS)
		return dev_err_probe(dev, -EINVAL, "phy-reset-post-delay = %u ms: at most %u\n",
				     wait, FEC_PHY_RESET_MAX_MS);

	fsleep(hold * USEC_PER_MSEC);
	gpiod_set_value_cansleep(reset, 0);
	fsleep(wait * USEC_PER_MSEC);

	return 0;
}

/* --- link --------------------------------------------------------------- */

/* Set the MAC for the PHY's link. phydev->lock held. */
static void fec_follow_phy(struct fec_priv *fec, struct phy_device *phydev)
{
	struct fec_link link = {
		.speed = phydev->speed,
		.full = phydev->duplex == DUPLEX_FULL,
	};

	if (!phydev->link)
		return;

	if (link.full && fec->pause_autoneg) {
		phy_get_pause(phydev, &link.tx_pause, &link.rx_pause);
	} else if (link.full) {
		link.tx_pause = fec->pause_tx;
		link.rx_pause = fec->pause_rx;
	}
	fec_mac_set_link(fec, &link);
}

/*
 * When the link goes down the MAC is left as it is: frames that it still holds
 * leave when the link is back, and phylib has turned the carrier off.
 */
static void fec_adjust_link(struct net_device *dev)
{
	struct fec_priv *fec = netdev_priv(dev);

	fec_follow_phy(fec, dev->phydev);
	phy_print_status(dev->phydev);
}

/**
 * fec_phy_connect() - attach the PHY, which was perhaps not there at probe
 * @fec: RTNL held
 *
 * Return: 0 or a negative error.
 */
int fec_phy_connect(struct fec_priv *fec)
{
	struct net_device *dev = fec->dev;
	struct phy_device *phydev;
	int err;

	if (fec->phy_node) {
		phydev = of_phy_find_device(fec->phy_node);
		if (!phydev) {
			netdev_err(dev, "no PHY for %pOF yet: is the driver of its MDIO bus loaded?\n",
				   fec->phy_node);
			return -ENODEV;
		}
	} else {
		phydev = fec->mii_bus ? phy_find_first(fec->mii_bus) : NULL;
		if (!phydev) {
			netdev_err(dev, "no PHY answers on MDIO, and the device tree names neither phy-handle nor fixed-link\n");
			return -ENODEV;
		}
		get_device(&phydev->mdio.dev);
	}
	err = phy_connect_direct(dev, phydev, fec_adjust_link, fec->interface);
	if (err)
		netdev_err(dev, "connecting PHY %s: %d\n", phydev_name(phydev), err);
	put_device(&phydev->mdio.dev);	/* while connected, phylib holds it */
	if (err)
		return err;

	if (fec->quirks & FEC_GBIT) {
		phy_set_max_speed(phydev, SPEED_1000);
		phy_remove_link_mode(phydev, ETHTOOL_LINK_MODE_1000baseT_Half_BIT);
	} else {
		phy_set_max_speed(phydev, SPEED_100);
	}
	/* Both ways or none: what is known to work with one FIFO threshold. */
	phy_support_sym_pause(phydev);
	phy_set_asym_pause(phydev, fec->pause_rx, fec->pause_tx);
	phy_attached_info(phydev);

	return 0;
}

void fec_phy_disconnect(struct fec_priv *fec)
{
	phy_disconnect(fec->dev->phydev);
}

/* ethtool -A. RTNL held. */
void fec_phy_set_pause(struct fec_priv *fec, bool autoneg, bool rx, bool tx)
{
	struct phy_device *phydev = fec->dev->phydev;

	fec->pause_autoneg = autoneg;
	fec->pause_rx = rx;
	fec->pause_tx = tx;
	if (!phydev)
		return;

	/* Negotiates anew when what we advertise changes. */
	phy_set_asym_pause(phydev, rx, tx);

	mutex_lock(&phydev->lock);
	fec_follow_phy(fec, phydev);
	mutex_unlock(&phydev->lock);
}
