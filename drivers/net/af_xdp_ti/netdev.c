/* SPDX-License-Identifier: BSD-3-Clause */
/* The Linux netdev under a port: state, features, queues, settings. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <sys/socket.h>
#include <linux/genetlink.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>

#include <rte_common.h>
#include <rte_string_fns.h>

#include "compat.h"
#include "netdev.h"
#include "netlink.h"
#include "settings.h"

/* What Documentation/networking/napi.rst and the users of busy polling set. */
#define DEFER_HARD_IRQS "2"
#define GRO_FLUSH_TIMEOUT_NS "200000"

#define KERNEL_TEXT_LEN 160

static LIST_HEAD(, ti_netdev) netdevs = LIST_HEAD_INITIALIZER(netdevs);

/* --- rtnetlink --------------------------------------------------------------- */

static int
read_link(const void *body, size_t len, void *arg)
{
	const struct ifinfomsg *ifi = body;
	struct ti_netdev_state *st = arg;
	const char *attrs = (const char *)body + NLMSG_ALIGN(sizeof(*ifi));
	const void *p, *id;

	if (len < NLMSG_ALIGN(sizeof(*ifi)))
		return -EBADMSG;
	len -= NLMSG_ALIGN(sizeof(*ifi));

	memset(st, 0, sizeof(*st));
	st->up = ifi->ifi_flags & IFF_UP;
	st->carrier = ifi->ifi_flags & IFF_RUNNING;
	p = ti_nl_find(attrs, len, IFLA_MTU, sizeof(uint32_t));
	if (p != NULL)
		memcpy(&st->mtu, p, sizeof(uint32_t));
	p = ti_nl_find(attrs, len, IFLA_MIN_MTU, sizeof(uint32_t));
	if (p != NULL)
		memcpy(&st->min_mtu, p, sizeof(uint32_t));
	p = ti_nl_find(attrs, len, IFLA_MAX_MTU, sizeof(uint32_t));
	if (p != NULL)
		memcpy(&st->max_mtu, p, sizeof(uint32_t));
	p = ti_nl_find(attrs, len, IFLA_ADDRESS, sizeof(st->mac));
	if (p != NULL)
		memcpy(&st->mac, p, sizeof(st->mac));
	p = ti_nl_find(attrs, len, IFLA_XDP, 0);
	if (p != NULL) {
		const struct nlattr *nest =
			(const struct nlattr *)((const char *)p - NLA_HDRLEN);

		id = ti_nl_find(p, nest->nla_len - NLA_HDRLEN, IFLA_XDP_PROG_ID, sizeof(uint32_t));
		if (id != NULL)
			memcpy(&st->xdp_prog_id, id, sizeof(uint32_t));
	}
	return 0;
}

int
ti_netdev_state(const struct ti_netdev *nd, struct ti_netdev_state *st)
{
	const struct ifinfomsg ifi = { .ifi_index = nd->ifindex };
	struct ti_nl_req req;

	ti_nl_begin(&req, RTM_GETLINK, 0, &ifi, sizeof(ifi));
	return ti_nl_talk(NETLINK_ROUTE, &req, read_link, st, NULL, 0);
}

/* Change flags, and an attribute unless @type is IFLA_UNSPEC. */
static int
set_link(const struct ti_netdev *nd, unsigned int flags, unsigned int mask, uint16_t type,
	 const void *data, size_t len, const char *what, struct ti_why *why)
{
	const struct ifinfomsg ifi = {
		.ifi_index = nd->ifindex, .ifi_flags = flags, .ifi_change = mask,
	};
	char text[KERNEL_TEXT_LEN];
	struct ti_nl_req req;
	int ret;

	ti_nl_begin(&req, RTM_NEWLINK, 0, &ifi, sizeof(ifi));
	if (type != IFLA_UNSPEC)
		ti_nl_put(&req, type, data, len);
	ret = ti_nl_talk(NETLINK_ROUTE, &req, NULL, NULL, text, sizeof(text));
	if (ret == 0)
		return 0;
	return ti_fail(why, -ret, "cannot set %s of %s: %s%s%s%s", what, nd->name,
		       strerror(-ret), text[0] ? " (" : "", text, text[0] ? ")" : "");
}

/* --- netdev family ----------------------------------------------------------- */

static int
read_features(const void *body, size_t len, void *arg)
{
	const void *p;

	if (len < GENL_HDRLEN)
		return -EBADMSG;
	p = ti_nl_find((const char *)body + GENL_HDRLEN, len - GENL_HDRLEN,
		       TI_NETDEV_A_DEV_XDP_FEATURES, sizeof(uint64_t));
	if (p == NULL)
		return -EBADMSG;
	memcpy(arg, p, sizeof(uint64_t));
	return 0;
}

int
ti_netdev_features(const struct ti_netdev *nd, uint64_t *features)
{
	const struct genlmsghdr genl = {
		.cmd = TI_NETDEV_CMD_DEV_GET, .version = TI_NETDEV_FAMILY_VERSION,
	};
	struct ti_nl_req req;
	int family;

	family = ti_nl_family(TI_NETDEV_FAMILY_NAME);
	if (family < 0)
		return family;
	ti_nl_begin(&req, family, 0, &genl, sizeof(genl));
	ti_nl_put(&req, TI_NETDEV_A_DEV_IFINDEX, &nd->ifindex, sizeof(nd->ifindex));
	return ti_nl_talk(NETLINK_GENERIC, &req, read_features, features, NULL, 0);
}

/* --- sysfs ------------------------------------------------------------------- */

static int
sysfs_read(const struct ti_netdev *nd, const char *file, char *buf, size_t len)
{
	char path[128];
	ssize_t got;
	int fd, err;

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", nd->name, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, buf, len - 1);
	err = errno;
	close(fd);
	if (got < 0)
		return -err;
	buf[got] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

/*
 * A sysfs mounted in another network namespace than the process is now in shows other
 * netdevs, perhaps one of the same name.
 */
static bool
sysfs_is_ours(const struct ti_netdev *nd)
{
	char buf[16];

	return sysfs_read(nd, "ifindex", buf, sizeof(buf)) == 0 &&
	       strtoul(buf, NULL, 10) == nd->ifindex;
}

static int
sysfs_get(const struct ti_netdev *nd, const char *file, char value[TI_SETTING_LEN])
{
	if (!sysfs_is_ours(nd))
		return -ENOENT;
	return sysfs_read(nd, file, value, TI_SETTING_LEN);
}

static int
sysfs_set(const struct ti_netdev *nd, const char *file, const char *value, struct ti_why *why)
{
	char path[128];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", nd->name, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return ti_fail(why, errno, "cannot open %s: %s", path, strerror(errno));
	if (write(fd, value, strlen(value)) < 0)
		ret = ti_fail(why, errno, "cannot write %s to %s: %s", value, path,
			      strerror(errno));
	close(fd);
	return ret;
}

static uint32_t
sysfs_count_queues(const struct ti_netdev *nd, const char *prefix)
{
	const struct dirent *e;
	char path[128];
	uint32_t n = 0;
	DIR *d;

	if (!sysfs_is_ours(nd))
		return 1;
	snprintf(path, sizeof(path), "/sys/class/net/%s/queues", nd->name);
	d = opendir(path);
	if (d == NULL)
		return 1;
	while ((e = readdir(d)) != NULL)
		if (strncmp(e->d_name, prefix, strlen(prefix)) == 0)
			n++;
	closedir(d);
	return n;
}

/* --- the table of settings ---------------------------------------------------- */

static int
mtu_get(void *ctx, char value[TI_SETTING_LEN])
{
	struct ti_netdev_state st;
	int ret = ti_netdev_state(ctx, &st);

	if (ret == 0)
		snprintf(value, TI_SETTING_LEN, "%u", st.mtu);
	return ret;
}

static int
mtu_set(void *ctx, const char *value, struct ti_why *why)
{
	uint32_t mtu = strtoul(value, NULL, 10);

	return set_link(ctx, 0, 0, IFLA_MTU, &mtu, sizeof(mtu), "the MTU", why);
}

static int
mac_get(void *ctx, char value[TI_SETTING_LEN])
{
	struct ti_netdev_state st;
	int ret = ti_netdev_state(ctx, &st);

	if (ret == 0)
		rte_ether_format_addr(value, TI_SETTING_LEN, &st.mac);
	return ret;
}

static int
mac_set(void *ctx, const char *value, struct ti_why *why)
{
	struct rte_ether_addr mac;

	if (rte_ether_unformat_addr(value, &mac) != 0)
		return ti_fail(why, EINVAL, "%s is no MAC address", value);
	return set_link(ctx, 0, 0, IFLA_ADDRESS, &mac, sizeof(mac), "the MAC address", why);
}

static int
up_get(void *ctx, char value[TI_SETTING_LEN])
{
	struct ti_netdev_state st;
	int ret = ti_netdev_state(ctx, &st);

	if (ret == 0)
		strlcpy(value, st.up ? "1" : "0", TI_SETTING_LEN);
	return ret;
}

static int
up_set(void *ctx, const char *value, struct ti_why *why)
{
	return set_link(ctx, value[0] == '1' ? IFF_UP : 0, IFF_UP, IFLA_UNSPEC, NULL, 0,
			"the state", why);
}

static int
channels_get(void *ctx, char value[TI_SETTING_LEN])
{
	const struct ti_netdev *nd = ctx;
	struct ti_channels ch;
	int ret = ti_ethtool_channels(nd->name, &ch);

	if (ret == 0)
		snprintf(value, TI_SETTING_LEN, "%u/%u/%u", ch.rx, ch.tx, ch.combined);
	return ret;
}

static int
channels_set(void *ctx, const char *value, struct ti_why *why)
{
	const struct ti_netdev *nd = ctx;
	struct ti_channels ch;
	int ret;

	if (sscanf(value, "%u/%u/%u", &ch.rx, &ch.tx, &ch.combined) != 3)
		return ti_fail(why, EINVAL, "%s are no queue counts", value);
	ret = ti_ethtool_set_channels(nd->name, &ch);
	if (ret != 0)
		return ti_fail(why, -ret,
			"cannot set the queue counts of %s (driver %s) to rx %u tx %u combined %u: %s",
			nd->name, nd->drv.name, ch.rx, ch.tx, ch.combined, strerror(-ret));
	return 0;
}

static int
defer_get(void *ctx, char value[TI_SETTING_LEN])
{
	return sysfs_get(ctx, "napi_defer_hard_irqs", value);
}

static int
defer_set(void *ctx, const char *value, struct ti_why *why)
{
	return sysfs_set(ctx, "napi_defer_hard_irqs", value, why);
}

static int
flush_get(void *ctx, char value[TI_SETTING_LEN])
{
	return sysfs_get(ctx, "gro_flush_timeout", value);
}

static int
flush_set(void *ctx, const char *value, struct ti_why *why)
{
	return sysfs_set(ctx, "gro_flush_timeout", value, why);
}

static const struct ti_setting settings[] = {
	{ "channels", channels_get, channels_set },
	{ "mtu", mtu_get, mtu_set },
	{ "address", mac_get, mac_set },
	{ "up", up_get, up_set },
	{ "napi_defer_hard_irqs", defer_get, defer_set },
	{ "gro_flush_timeout", flush_get, flush_set },
};

int
ti_netdev_set_mtu(struct ti_netdev *nd, uint32_t mtu, struct ti_why *why)
{
	char value[TI_SETTING_LEN];

	snprintf(value, sizeof(value), "%u", mtu);
	return ti_settings_set(nd->settings, "mtu", value, why);
}

int
ti_netdev_set_mac(struct ti_netdev *nd, const struct rte_ether_addr *mac, struct ti_why *why)
{
	char value[TI_SETTING_LEN];

	rte_ether_format_addr(value, sizeof(value), mac);
	return ti_settings_set(nd->settings, "address", value, why);
}

int
ti_netdev_set_up(struct ti_netdev *nd, bool up, struct ti_why *why)
{
	return ti_settings_set(nd->settings, "up", up ? "1" : "0", why);
}

int
ti_netdev_defer_irqs(struct ti_netdev *nd, struct ti_why *why)
{
	static const struct {
		const char *key, *value;
	} want[] = {
		{ "napi_defer_hard_irqs", DEFER_HARD_IRQS },
		{ "gro_flush_timeout", GRO_FLUSH_TIMEOUT_NS },
	};
	char now[TI_SETTING_LEN];
	unsigned int i;
	int ret;

	for (i = 0; i < RTE_DIM(want); i++) {
		ret = sysfs_get(nd, want[i].key, now);
		if (ret != 0)
			return ti_fail(why, -ret,
				"interrupts of %s are not deferred, /sys/class/net/%s/%s cannot be read in this network namespace: %s",
				nd->name, nd->name, want[i].key, strerror(-ret));
		if (strcmp(now, "0") != 0)
			continue;
		ret = ti_settings_set(nd->settings, want[i].key, want[i].value, why);
		if (ret != 0)
			return ret;
	}
	return 0;
}

void
ti_netdev_undefer_irqs(struct ti_netdev *nd)
{
	ti_settings_put_back(nd->settings, "gro_flush_timeout");
	ti_settings_put_back(nd->settings, "napi_defer_hard_irqs");
}

/* --- queues ------------------------------------------------------------------ */

void
ti_netdev_queues(const struct ti_netdev *nd, uint32_t *rx, uint32_t *tx)
{
	struct ti_channels ch;

	if (ti_ethtool_channels(nd->name, &ch) == 0 && ch.combined + ch.rx != 0) {
		*rx = ch.combined + ch.rx;
		*tx = ch.combined + ch.tx;
		return;
	}
	*rx = sysfs_count_queues(nd, "rx-");
	*tx = sysfs_count_queues(nd, "tx-");
}

/* The queue counts to ask for; false when those in force will do or cannot be bettered. */
static bool
choose_channels(const struct ti_netdev *nd, uint32_t start, uint32_t need,
		char value[TI_SETTING_LEN])
{
	struct ti_channels ch;
	uint32_t combined, rx, tx;

	if (ti_ethtool_channels(nd->name, &ch) != 0)
		return false;
	combined = ch.combined;
	rx = ch.rx;
	tx = ch.tx;
	if (ch.max_combined >= need) {
		if (combined < need || (start == 0 && rx == 0 && tx == 0))
			combined = need;
	} else if (ch.max_combined == 0) {
		rx = RTE_MAX(rx, RTE_MIN(need, ch.max_rx));
		tx = RTE_MAX(tx, RTE_MIN(need, ch.max_tx));
	}
	snprintf(value, TI_SETTING_LEN, "%u/%u/%u", rx, tx, combined);
	return rx != ch.rx || tx != ch.tx || combined != ch.combined;
}

int
ti_netdev_set_queues(struct ti_netdev *nd, uint32_t start, uint32_t count, struct ti_why *why)
{
	const uint32_t need = start + count;
	char value[TI_SETTING_LEN];
	uint32_t rx, tx, had_rx, had_tx;
	struct ti_why refused = { "" };

	ti_netdev_queues(nd, &had_rx, &had_tx);
	if (choose_channels(nd, start, need, value))
		ti_settings_set(nd->settings, "channels", value, &refused);

	ti_netdev_queues(nd, &rx, &tx);
	if (rx < need || tx < need)
		return ti_fail(why, ERANGE,
			"%s (driver %s) has %u receive and %u transmit queues, but queues %u to %u are asked for%s%s: lower start_queue= or queue_count=",
			nd->name, nd->drv.name, rx, tx, start, need - 1,
			refused.msg[0] ? "; " : "", refused.msg);
	if (start == 0 && rx > need)
		TI_LOG(WARNING, nd->name,
		       "%u receive queues, but only the first %u are bound: frames of the others go to Linux; bind all with queue_count=%u, or reduce them (ethtool -L)",
		       rx, need, rx);
	return 0;
}

/* --- promiscuous and all-multicast --------------------------------------------- */

int
ti_netdev_membership(const struct ti_netdev *nd, int *fd, int type, bool on,
		     struct ti_why *why)
{
	const struct packet_mreq mreq = { .mr_ifindex = nd->ifindex, .mr_type = type };

	if (*fd < 0) {
		if (!on)
			return 0;
		/* Protocol 0: the socket receives nothing. */
		*fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
		if (*fd < 0)
			return ti_fail(why, errno,
				"cannot open a packet socket to change the filters of %s: %s",
				nd->name, strerror(errno));
	}
	if (setsockopt(*fd, SOL_PACKET, on ? PACKET_ADD_MEMBERSHIP : PACKET_DROP_MEMBERSHIP,
		       &mreq, sizeof(mreq)) != 0 && (on || errno != EADDRNOTAVAIL))
		return ti_fail(why, errno, "cannot turn %s reception of %s %s: %s",
			       type == PACKET_MR_PROMISC ? "promiscuous" : "all-multicast",
			       nd->name, on ? "on" : "off", strerror(errno));
	return 0;
}

/* --- registry ------------------------------------------------------------------ */

int
ti_netdev_get(struct ti_netdev **out, const char *name, struct ti_why *why)
{
	uint32_t ifindex = if_nametoindex(name);
	struct ti_netdev *nd;
	char node[16];
	int ret;

	if (ifindex == 0)
		return ti_fail(why, ENODEV,
			"no network interface \"%s\" in this network namespace: see `ip link`, and set iface= to one of them",
			name);
	LIST_FOREACH(nd, &netdevs, next) {
		if (nd->ifindex == ifindex) {
			nd->refs++;
			*out = nd;
			return 0;
		}
	}

	nd = calloc(1, sizeof(*nd));
	if (nd == NULL)
		return ti_fail(why, ENOMEM, "no memory for netdev %s", name);
	nd->ifindex = ifindex;
	nd->refs = 1;
	strlcpy(nd->name, name, sizeof(nd->name));
	if (ti_ethtool_driver(name, &nd->drv) != 0)
		strlcpy(nd->drv.name, "?", sizeof(nd->drv.name));
	nd->numa_node = -1;
	if (sysfs_is_ours(nd) && sysfs_read(nd, "device/numa_node", node, sizeof(node)) == 0)
		nd->numa_node = atoi(node);

	ret = ti_settings_open(&nd->settings, TI_SETTINGS_DIR, name, ifindex, settings,
			       RTE_DIM(settings), nd, why);
	if (ret != 0) {
		free(nd);
		return ret;
	}
	LIST_INSERT_HEAD(&netdevs, nd, next);
	*out = nd;
	return 0;
}

void
ti_netdev_put(struct ti_netdev *nd)
{
	if (--nd->refs != 0)
		return;
	LIST_REMOVE(nd, next);
	ti_settings_close(nd->settings);
	free(nd);
}
