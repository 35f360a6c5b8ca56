/* SPDX-License-Identifier: BSD-3-Clause */
/* What the PMD asks of ethtool, by ioctl. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>

#include <rte_common.h>
#include <rte_string_fns.h>

#include "ethtool.h"

static int
ethtool_ioctl(const char *ifname, void *cmd)
{
	struct ifreq ifr;
	int fd, ret = 0;

	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	memset(&ifr, 0, sizeof(ifr));
	strlcpy(ifr.ifr_name, ifname, sizeof(ifr.ifr_name));
	ifr.ifr_data = cmd;
	if (ioctl(fd, SIOCETHTOOL, &ifr) != 0)
		ret = -errno;
	close(fd);
	return ret;
}

int
ti_ethtool_driver(const char *ifname, struct ti_driver *drv)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	int ret = ethtool_ioctl(ifname, &info);

	memset(drv, 0, sizeof(*drv));
	if (ret != 0)
		return ret;
	strlcpy(drv->name, info.driver, sizeof(drv->name));
	strlcpy(drv->version, info.version, sizeof(drv->version));
	strlcpy(drv->firmware, info.fw_version, sizeof(drv->firmware));
	return 0;
}

int
ti_ethtool_link(const char *ifname, uint32_t *mbps, bool *full_duplex, bool *autoneg)
{
	/* Three bitmaps of link modes follow the fixed part; 127 words is the interface's limit. */
	struct {
		struct ethtool_link_settings ls;
		uint32_t masks[3 * 127];
	} req;
	int ret;

	memset(&req, 0, sizeof(req));
	req.ls.cmd = ETHTOOL_GLINKSETTINGS;
	/* The first call tells, as a negative number, how many words a bitmap has. */
	ret = ethtool_ioctl(ifname, &req);
	if (ret != 0)
		return ret;
	if (req.ls.link_mode_masks_nwords < 0) {
		int8_t words = -req.ls.link_mode_masks_nwords;

		memset(&req, 0, sizeof(req));
		req.ls.cmd = ETHTOOL_GLINKSETTINGS;
		req.ls.link_mode_masks_nwords = words;
		ret = ethtool_ioctl(ifname, &req);
		if (ret != 0)
			return ret;
	}
	*mbps = req.ls.speed == (uint32_t)SPEED_UNKNOWN ? 0 : req.ls.speed;
	*full_duplex = req.ls.duplex != DUPLEX_HALF;
	*autoneg = req.ls.autoneg == AUTONEG_ENABLE;
	return 0;
}

int
ti_ethtool_channels(const char *ifname, struct ti_channels *ch)
{
	struct ethtool_channels req = { .cmd = ETHTOOL_GCHANNELS };
	int ret = ethtool_ioctl(ifname, &req);

	memset(ch, 0, sizeof(*ch));
	if (ret != 0)
		return ret;
	ch->rx = req.rx_count;
	ch->tx = req.tx_count;
	ch->combined = req.combined_count;
	ch->max_rx = req.max_rx;
	ch->max_tx = req.max_tx;
	ch->max_combined = req.max_combined;
	return 0;
}

int
ti_ethtool_set_channels(const char *ifname, const struct ti_channels *ch)
{
	struct ethtool_channels req = { .cmd = ETHTOOL_GCHANNELS };
	int ret = ethtool_ioctl(ifname, &req);

	if (ret != 0)
		return ret;
	req.cmd = ETHTOOL_SCHANNELS;
	req.rx_count = ch->rx;
	req.tx_count = ch->tx;
	req.combined_count = ch->combined;
	return ethtool_ioctl(ifname, &req);
}
