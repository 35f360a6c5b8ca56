// SPDX-License-Identifier: GPL-2.0-only
/* MDIO bus with a PHY for each port, as clause 22 has them; the link partner's side is set by debugfs. */

#include <linux/mii.h>
#include <linux/of.h>
#include <linux/of_mdio.h>
#include <linux/phy.h>

#include "icssg.h"

/* No driver's: the generic one takes it. */
#define PHY_ID1 0x4857
#define PHY_ID2 0x5349

static bool negotiates(const struct icssg_phy *phy)
{
	return phy->bmcr & BMCR_ANENABLE;
}

bool icssg_phy_link(const struct icssg_phy *phy)
{
	return phy->cable && !(phy->bmcr & (BMCR_PDOWN | BMCR_ISOLATE));
}

/* Mbit/s */
u32 icssg_phy_speed(const struct icssg_phy *phy)
{
	if (negotiates(phy))
		return phy->speed;
	if (phy->bmcr & BMCR_SPEED1000)
		return SPEED_1000;
	return phy->bmcr & BMCR_SPEED100 ? SPEED_100 : SPEED_10;
}

bool icssg_phy_full_duplex(const struct icssg_phy *phy)
{
	return negotiates(phy) ? phy->full_duplex : phy->bmcr & BMCR_FULLDPLX;
}

static void update_link(struct icssg_slice *slice)
{
	bool up = icssg_phy_link(&slice->phy);

	if (!up)
		slice->phy.lost = true;
	if (slice->wire.ndev)
		sim_wire_set_carrier(&slice->wire, up);
}

/**
 * icssg_phy_set_cable() - plug or pull a port's cable
 * @slice: the port
 * @plugged: which
 */
void icssg_phy_set_cable(struct icssg_slice *slice, bool plugged)
{
	WRITE_ONCE(slice->phy.cable, plugged);
	update_link(slice);
}

static u16 read_status(struct icssg_phy *phy)
{
	u16 status = BMSR_100FULL | BMSR_100HALF | BMSR_10FULL | BMSR_10HALF | BMSR_ESTATEN | BMSR_ANEGCAPABLE;

	if (icssg_phy_link(phy)) {
		status |= BMSR_ANEGCOMPLETE;
		/* The link bit stays down until it was read so. */
		if (!phy->lost)
			status |= BMSR_LSTATUS;
		phy->lost = false;
	}
	return status;
}

/* The partner offers what it is set to and nothing else. */
static u16 read_partner(const struct icssg_phy *phy)
{
	u16 full = 0, half = 0;

	if (!icssg_phy_link(phy))
		return 0;
	if (phy->speed == SPEED_100) {
		full = LPA_100FULL;
		half = LPA_100HALF;
	} else if (phy->speed == SPEED_10) {
		full = LPA_10FULL;
		half = LPA_10HALF;
	}
	return LPA_LPACK | (phy->full_duplex ? full : half) | ADVERTISE_CSMA;
}

static u16 read_partner_1000(const struct icssg_phy *phy)
{
	if (!icssg_phy_link(phy) || phy->speed != SPEED_1000)
		return 0;
	return LPA_1000LOCALRXOK | LPA_1000REMRXOK | (phy->full_duplex ? LPA_1000FULL : LPA_1000HALF);
}

static struct icssg_slice *find_port(struct icssg *icssg, int addr)
{
	return addr < ICSSG_SLICES ? &icssg->slice[addr] : NULL;
}

static int mdio_read(struct mii_bus *bus, int addr, int reg)
{
	struct icssg_slice *slice = find_port(bus->priv, addr);

	if (!slice)
		return 0xffff;
	switch (reg) {
	case MII_BMCR:
		return slice->phy.bmcr;
	case MII_BMSR:
		return read_status(&slice->phy);
	case MII_PHYSID1:
		return PHY_ID1;
	case MII_PHYSID2:
		return PHY_ID2;
	case MII_ADVERTISE:
		return slice->phy.advertise;
	case MII_LPA:
		return read_partner(&slice->phy);
	case MII_CTRL1000:
		return slice->phy.ctrl1000;
	case MII_STAT1000:
		return read_partner_1000(&slice->phy);
	case MII_ESTATUS:
		return ESTATUS_1000_TFULL | ESTATUS_1000_THALF;
	}
	return 0;
}

static int mdio_write(struct mii_bus *bus, int addr, int reg, u16 value)
{
	struct icssg_slice *slice = find_port(bus->priv, addr);

	if (!slice)
		return 0;
	switch (reg) {
	case MII_BMCR:
		slice->phy.bmcr = value & ~(BMCR_RESET | BMCR_ANRESTART);
		update_link(slice);
		break;
	case MII_ADVERTISE:
		slice->phy.advertise = value;
		break;
	case MII_CTRL1000:
		slice->phy.ctrl1000 = value;
		break;
	}
	return 0;
}

static void init_phy(struct icssg_phy *phy)
{
	phy->cable = true;
	phy->speed = SPEED_1000;
	phy->full_duplex = true;
	phy->bmcr = BMCR_ANENABLE | BMCR_SPEED1000 | BMCR_FULLDPLX;
	phy->advertise = ADVERTISE_ALL | ADVERTISE_CSMA;
	phy->ctrl1000 = ADVERTISE_1000FULL;
}

int icssg_mdio_create(struct icssg *icssg)
{
	struct device_node *np;
	struct mii_bus *bus;
	unsigned int i;
	int ret;

	for (i = 0; i < ICSSG_SLICES; i++)
		init_phy(&icssg->slice[i].phy);
	bus = mdiobus_alloc();
	if (!bus)
		return -ENOMEM;
	bus->name = "hwsim MDIO";
	bus->read = mdio_read;
	bus->write = mdio_write;
	bus->priv = icssg;
	bus->parent = icssg->dev;
	snprintf(bus->id, sizeof(bus->id), "%s", dev_name(icssg->dev));
	np = of_get_child_by_name(icssg->dev->of_node, "mdio");
	ret = of_mdiobus_register(bus, np);
	of_node_put(np);
	if (ret) {
		mdiobus_free(bus);
		return ret;
	}
	icssg->mdio = bus;
	return 0;
}

void icssg_mdio_destroy(struct icssg *icssg)
{
	mdiobus_unregister(icssg->mdio);
	mdiobus_free(icssg->mdio);
}
