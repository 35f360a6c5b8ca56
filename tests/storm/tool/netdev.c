/* SPDX-License-Identifier: BSD-3-Clause */
/* The netdev by its name, see netdev.h. */
#include <dirent.h>
#include <errno.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netdev.h"
#include "netlink.h"

/* How long a setting may be refused after the storm: what the last socket held is freed late. */
#define RESTORE_TRIES	100
#define RESTORE_WAIT_US	100000

int netdev_ioctl(const char *name, unsigned long request, struct ifreq *ifr)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), rc;

	if (fd < 0)
		return -errno;
	memset(ifr->ifr_name, 0, IFNAMSIZ);
	strncpy(ifr->ifr_name, name, IFNAMSIZ - 1);
	rc = sys(ioctl(fd, request, ifr));
	close(fd);
	return rc;
}

int netdev_ethtool(const char *name, void *cmd)
{
	struct ifreq ifr = { .ifr_data = cmd };

	return netdev_ioctl(name, SIOCETHTOOL, &ifr);
}

int netdev_index(const char *name)
{
	int index = (int)if_nametoindex(name);

	return index ? index : -ENODEV;
}

/* Entries of a directory of sysfs whose names begin with @prefix. */
static unsigned int count_entries(const char *path, const char *prefix)
{
	DIR *dir = opendir(path);
	unsigned int n = 0;
	struct dirent *e;

	if (!dir)
		return 0;
	while ((e = readdir(dir)))
		n += !strncmp(e->d_name, prefix, strlen(prefix));
	closedir(dir);
	return n;
}

unsigned int netdev_queues(const char *name)
{
	struct ethtool_channels ch = { .cmd = ETHTOOL_GCHANNELS };
	unsigned int rx, tx;
	char path[128];

	if (!netdev_ethtool(name, &ch)) {
		rx = ch.combined_count + ch.rx_count;
		tx = ch.combined_count + ch.tx_count;
	} else {
		snprintf(path, sizeof(path), "/sys/class/net/%s/queues", name);
		rx = count_entries(path, "rx-");
		tx = count_entries(path, "tx-");
	}
	rx = rx < tx ? rx : tx;
	return rx ? rx : 1;
}

int netdev_get_features(const char *name, struct netdev_features *f)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t count;
	} sset = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_FEATURES } };
	struct {
		struct ethtool_gfeatures head;
		struct ethtool_get_features_block block[FEATURE_WORDS];
	} get = { .head = { .cmd = ETHTOOL_GFEATURES, .size = FEATURE_WORDS } };
	unsigned int i;
	int rc;

	rc = netdev_ethtool(name, &sset);
	if (!rc)
		rc = netdev_ethtool(name, &get);
	if (rc)
		return rc;
	memset(f, 0, sizeof(*f));
	f->count = sset.count < FEATURE_WORDS * 32 ? sset.count : FEATURE_WORDS * 32;
	for (i = 0; i < FEATURE_WORDS && i < get.head.size; i++) {
		f->available[i] = get.block[i].available & ~get.block[i].never_changed;
		f->active[i] = get.block[i].active;
		f->requested[i] = get.block[i].requested;
	}
	return 0;
}

int netdev_set_features(const char *name, const uint32_t mask[FEATURE_WORDS],
			const uint32_t want[FEATURE_WORDS])
{
	struct {
		struct ethtool_sfeatures head;
		struct ethtool_set_features_block block[FEATURE_WORDS];
	} set = { .head = { .cmd = ETHTOOL_SFEATURES } };
	unsigned int i, words = 0;

	/* The kernel takes exactly as many words as it has: those that can hold a feature at all. */
	struct {
		struct ethtool_gfeatures head;
		struct ethtool_get_features_block block[FEATURE_WORDS];
	} get = { .head = { .cmd = ETHTOOL_GFEATURES, .size = FEATURE_WORDS } };
	int rc = netdev_ethtool(name, &get);

	if (rc)
		return rc;
	words = get.head.size < FEATURE_WORDS ? get.head.size : FEATURE_WORDS;
	set.head.size = words;
	for (i = 0; i < words; i++) {
		set.block[i].valid = mask[i];
		set.block[i].requested = want[i] & mask[i];
	}
	return netdev_ethtool(name, &set);
}

/* By netlink, which changes these flags alone: others may change others at the same time. */
int netdev_flags(const char *name, short set, short clear)
{
	struct {
		struct nlmsghdr h;
		struct ifinfomsg info;
		struct nlattr attr;
		char name[IFNAMSIZ];
	} request = {
		.h = { .nlmsg_len = sizeof(request), .nlmsg_type = RTM_NEWLINK, .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK },
		.info = { .ifi_flags = (unsigned int)set, .ifi_change = (unsigned int)(set | clear) },
		.attr = { .nla_type = IFLA_IFNAME, .nla_len = NLA_HDRLEN + IFNAMSIZ },
	};
	struct netlink nl;
	int rc;

	strncpy(request.name, name, IFNAMSIZ - 1);
	rc = netlink_open(&nl, NETLINK_ROUTE);
	if (rc)
		return rc;
	rc = netlink_ask(&nl, &request, sizeof(request), NULL);
	close(nl.fd);
	return rc;
}

int netdev_save(const char *name, struct netdev_state *s)
{
	struct ifreq ifr = { 0 };
	int rc;

	memset(s, 0, sizeof(*s));
	rc = netdev_ioctl(name, SIOCGIFMTU, &ifr);
	s->mtu = ifr.ifr_mtu;
	if (!rc)
		rc = netdev_ioctl(name, SIOCGIFFLAGS, &ifr);
	s->flags = ifr.ifr_flags;
	if (!rc)
		rc = netdev_ioctl(name, SIOCGIFHWADDR, &ifr);
	memcpy(s->mac, ifr.ifr_hwaddr.sa_data, 6);
	if (rc)
		return rc;

	if (!netdev_ioctl(name, SIOCGIFADDR, &ifr)) {
		s->address = ifr.ifr_addr;
		s->has_address = !netdev_ioctl(name, SIOCGIFNETMASK, &ifr);
		s->netmask = ifr.ifr_netmask;
	}
	s->rings.cmd = ETHTOOL_GRINGPARAM;
	s->has_rings = !netdev_ethtool(name, &s->rings);
	s->channels.cmd = ETHTOOL_GCHANNELS;
	s->has_channels = !netdev_ethtool(name, &s->channels);
	s->coalesce.cmd = ETHTOOL_GCOALESCE;
	s->has_coalesce = !netdev_ethtool(name, &s->coalesce);
	s->pause.cmd = ETHTOOL_GPAUSEPARAM;
	s->has_pause = !netdev_ethtool(name, &s->pause);
	s->has_features = !netdev_get_features(name, &s->features);
	return 0;
}

int netdev_revive(const char *name, const struct netdev_state *s)
{
	struct ifreq ifr = { 0 };
	int rc = 0;

	if (s->has_address) {
		ifr.ifr_addr = s->address;
		rc = netdev_ioctl(name, SIOCSIFADDR, &ifr);
		ifr.ifr_netmask = s->netmask;
		if (!rc)
			rc = netdev_ioctl(name, SIOCSIFNETMASK, &ifr);
	}
	if (!rc && s->flags & IFF_UP)
		rc = netdev_flags(name, IFF_UP, 0);
	return rc;
}

/* --- putting back ------------------------------------------------------------- */


/* A setting that is as it was is not touched: drivers that cannot change it refuse even that. */
static int put_channels(const char *name, const struct netdev_state *s)
{
	struct ethtool_channels now = { .cmd = ETHTOOL_GCHANNELS }, want = s->channels;
	int rc;

	if (!s->has_channels)
		return 0;
	rc = netdev_ethtool(name, &now);
	want.cmd = now.cmd;
	if (rc || !memcmp(&now, &want, sizeof(now)))
		return rc;
	want.cmd = ETHTOOL_SCHANNELS;
	return netdev_ethtool(name, &want);
}

static int put_rings(const char *name, const struct netdev_state *s)
{
	struct ethtool_ringparam now = { .cmd = ETHTOOL_GRINGPARAM }, want = s->rings;
	int rc;

	if (!s->has_rings)
		return 0;
	rc = netdev_ethtool(name, &now);
	want.cmd = now.cmd;
	if (rc || !memcmp(&now, &want, sizeof(now)))
		return rc;
	want.cmd = ETHTOOL_SRINGPARAM;
	return netdev_ethtool(name, &want);
}

static int put_coalesce(const char *name, const struct netdev_state *s)
{
	struct ethtool_coalesce now = { .cmd = ETHTOOL_GCOALESCE }, want = s->coalesce;
	int rc;

	if (!s->has_coalesce)
		return 0;
	rc = netdev_ethtool(name, &now);
	want.cmd = now.cmd;
	if (rc || !memcmp(&now, &want, sizeof(now)))
		return rc;
	want.cmd = ETHTOOL_SCOALESCE;
	return netdev_ethtool(name, &want);
}

static int put_pause(const char *name, const struct netdev_state *s)
{
	struct ethtool_pauseparam now = { .cmd = ETHTOOL_GPAUSEPARAM }, want = s->pause;
	int rc;

	if (!s->has_pause)
		return 0;
	rc = netdev_ethtool(name, &now);
	want.cmd = now.cmd;
	if (rc || !memcmp(&now, &want, sizeof(now)))
		return rc;
	want.cmd = ETHTOOL_SPAUSEPARAM;
	return netdev_ethtool(name, &want);
}

static int put_features(const char *name, const struct netdev_state *s)
{
	struct netdev_features now;
	unsigned int i;
	int rc;

	if (!s->has_features)
		return 0;
	rc = netdev_set_features(name, s->features.available, s->features.requested);
	if (!rc)
		rc = netdev_get_features(name, &now);
	/* What cannot be had at the moment is not refused, only not done. */
	for (i = 0; i < FEATURE_WORDS && !rc; i++)
		if ((now.active[i] ^ s->features.active[i]) & s->features.available[i])
			rc = -EAGAIN;
	return rc;
}

static int put_mtu(const char *name, const struct netdev_state *s)
{
	struct ifreq ifr = { .ifr_mtu = s->mtu };

	return netdev_ioctl(name, SIOCSIFMTU, &ifr);
}

static int put_mac(const char *name, const struct netdev_state *s)
{
	struct ifreq ifr = { .ifr_hwaddr.sa_family = ARPHRD_ETHER };

	memcpy(ifr.ifr_hwaddr.sa_data, s->mac, 6);
	return netdev_ioctl(name, SIOCSIFHWADDR, &ifr);
}

static int put_flags(const char *name, const struct netdev_state *s)
{
	const short ours = IFF_UP | IFF_PROMISC | IFF_ALLMULTI;

	return netdev_flags(name, s->flags & ours, ~s->flags & ours);
}

void netdev_restore(struct act *a, const struct netdev_state *s)
{
	static const struct op settings[] = {
		{ "restoring the channels", { 0 } }, { "restoring the ring sizes", { 0 } },
		{ "restoring the coalescing", { 0 } }, { "restoring the pause frames", { 0 } },
		{ "restoring the MTU", { 0 } }, { "restoring the features", { 0 } },
		{ "restoring the MAC address", { 0 } }, { "restoring address and link", { 0 } },
		{ "restoring the flags", { 0 } },
	};
	static int (*const put[])(const char *, const struct netdev_state *) = {
		put_channels, put_rings, put_coalesce, put_pause, put_mtu, put_features, put_mac,
		netdev_revive, put_flags,
	};
	unsigned int i, tries;
	int rc = 0;

	for (i = 0; i < sizeof(put) / sizeof(put[0]); i++) {
		act_enter(a, &settings[i]);
		for (tries = 0; tries < RESTORE_TRIES; tries++) {
			rc = put[i](a->o->iface, s);
			if (!rc)
				break;
			usleep(RESTORE_WAIT_US);
		}
		if (!act_result(a, &settings[i], rc))
			act_fail(a, "%s of %s: %s; do it by hand", settings[i].name, a->o->iface, strerror(-rc));
	}
}
