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
#include <rte_cycles.h>
#include <rte_string_fns.h>

#include "compat.h"
#include "netdev.h"
#include "netlink.h"
#include "settings.h"

/* What Documentation/networking/napi.rst and the users of busy polling set. */
#define DEFER_HARD_IRQS "2"
#define GRO_FLUSH_TIMEOUT_NS "200000"

#define KERNEL_TEXT_LEN 160

/* How long the kernel may take to give up the queue of a closed socket: it waits for the RTNL. */
#define UNBIND_WAIT_MS 1000

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
	st->ifindex = ifi->ifi_index;
	st->up = ifi->ifi_flags & IFF_UP;
	st->carrier = ifi->ifi_flags & IFF_RUNNING;
	p = ti_nl_find(attrs, len, IFLA_IFNAME, 1);
	if (p != NULL)
		strlcpy(st->name, p, sizeof(st->name));
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

/* The netdev that has @name now. Not if_nametoindex(), which hides why it fails. */
static int
find_by_name(const char *name, struct ti_netdev_state *st)
{
	const struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC };
	struct ti_nl_req req;

	ti_nl_begin(&req, RTM_GETLINK, 0, &ifi, sizeof(ifi));
	ti_nl_put(&req, IFLA_IFNAME, name, strlen(name) + 1);
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

/* --- by name ------------------------------------------------------------------- */

/*
 * The name that it has now. Not nd->name, which is the one it was taken by: it may have been
 * renamed, or be gone and another netdev have its name.
 */
static int
name_now(const struct ti_netdev *nd, char name[IF_NAMESIZE])
{
	struct ti_netdev_state st;
	int ret = ti_netdev_state(nd, &st);

	if (ret == 0)
		strlcpy(name, st.name, IF_NAMESIZE);
	return ret;
}

static int
get_channels(const struct ti_netdev *nd, struct ti_channels *ch)
{
	char name[IF_NAMESIZE];
	int ret = name_now(nd, name);

	return ret != 0 ? ret : ti_ethtool_channels(name, ch);
}

int
ti_netdev_link(const struct ti_netdev *nd, uint32_t *mbps, bool *full_duplex, bool *autoneg)
{
	char name[IF_NAMESIZE];
	int ret = name_now(nd, name);

	return ret != 0 ? ret : ti_ethtool_link(name, mbps, full_duplex, autoneg);
}

/* --- sysfs ------------------------------------------------------------------- */

static int
sysfs_path(const struct ti_netdev *nd, const char *file, char *path, size_t len)
{
	char name[IF_NAMESIZE];
	int ret = name_now(nd, name);

	if (ret == 0)
		snprintf(path, len, "/sys/class/net/%s/%s", name, file);
	return ret;
}

static int
sysfs_read(const struct ti_netdev *nd, const char *file, char *buf, size_t len)
{
	char path[128];
	ssize_t got;
	int fd, err;

	err = sysfs_path(nd, file, path, sizeof(path));
	if (err != 0)
		return err;
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
 * netdevs, perhaps one of the same name. 0 when it is ours, -ENOENT when it is not.
 */
static int
sysfs_check(const struct ti_netdev *nd)
{
	char buf[16];
	int ret = sysfs_read(nd, "ifindex", buf, sizeof(buf));

	if (ret == 0 && strtoul(buf, NULL, 10) != nd->ifindex)
		ret = -ENOENT;
	return ret;
}

static int
sysfs_get(const struct ti_netdev *nd, const char *file, char value[TI_SETTING_LEN])
{
	int ret = sysfs_check(nd);

	return ret != 0 ? ret : sysfs_read(nd, file, value, TI_SETTING_LEN);
}

static int
sysfs_set(const struct ti_netdev *nd, const char *file, const char *value, struct ti_why *why)
{
	char path[128];
	int fd, ret;

	ret = sysfs_path(nd, file, path, sizeof(path));
	if (ret != 0)
		return ti_fail(why, -ret, "cannot write %s to %s of %s: %s", value, file, nd->name,
			       strerror(-ret));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return ti_fail(why, errno, "cannot open %s: %s", path, strerror(errno));
	if (write(fd, value, strlen(value)) < 0)
		ret = ti_fail(why, errno, "cannot write %s to %s: %s", value, path,
			      strerror(errno));
	close(fd);
	return ret;
}

/* One of each where sysfs does not tell. */
static int
sysfs_count_queues(const struct ti_netdev *nd, uint32_t *rx, uint32_t *tx)
{
	const struct dirent *e;
	char path[128];
	DIR *d;
	int ret;

	*rx = 1;
	*tx = 1;
	ret = sysfs_check(nd);
	if (ret == 0)
		ret = sysfs_path(nd, "queues", path, sizeof(path));
	if (ret != 0)
		return ret == -ENOENT ? 0 : ret;
	d = opendir(path);
	if (d == NULL)
		return errno == ENOENT ? 0 : -errno;
	*rx = 0;
	*tx = 0;
	while ((e = readdir(d)) != NULL) {
		*rx += strncmp(e->d_name, "rx-", 3) == 0;
		*tx += strncmp(e->d_name, "tx-", 3) == 0;
	}
	closedir(d);
	return 0;
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
	struct ti_channels ch;
	int ret = get_channels(ctx, &ch);

	if (ret == 0)
		snprintf(value, TI_SETTING_LEN, "%u/%u/%u", ch.rx, ch.tx, ch.combined);
	return ret;
}

/* Whether @to has fewer queues than the netdev has now. */
static bool
fewer_channels(const struct ti_netdev *nd, const struct ti_channels *to)
{
	struct ti_channels ch;

	return get_channels(nd, &ch) == 0 &&
	       RTE_MAX(to->rx, to->tx) + to->combined < RTE_MAX(ch.rx, ch.tx) + ch.combined;
}

static int
channels_set(void *ctx, const char *value, struct ti_why *why)
{
	const struct ti_netdev *nd = ctx;
	char name[IF_NAMESIZE];
	struct ti_channels ch;
	int ms, ret;

	if (sscanf(value, "%u/%u/%u", &ch.rx, &ch.tx, &ch.combined) != 3)
		return ti_fail(why, EINVAL, "%s are no queue counts", value);
	ret = name_now(nd, name);
	if (ret == 0)
		ret = ti_ethtool_set_channels(name, &ch);
	/* A queue whose socket was just closed is not given up until the kernel got round to it. */
	for (ms = 0; ret == -EINVAL && ms < UNBIND_WAIT_MS && fewer_channels(nd, &ch); ms++) {
		rte_delay_us_sleep(1000);
		ret = ti_ethtool_set_channels(name, &ch);
	}
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

int
ti_netdev_queues(const struct ti_netdev *nd, uint32_t *rx, uint32_t *tx)
{
	struct ti_channels ch;
	int ret = get_channels(nd, &ch);

	if (ret == 0 && ch.combined + ch.rx != 0) {
		*rx = ch.combined + ch.rx;
		*tx = ch.combined + ch.tx;
		return 0;
	}
	if (ret != 0 && ret != -EOPNOTSUPP)
		return ret;
	return sysfs_count_queues(nd, rx, tx);
}

int
ti_netdev_max_queues(const struct ti_netdev *nd, uint32_t *max)
{
	struct ti_channels ch;
	uint32_t rx, tx;
	int ret = ti_netdev_queues(nd, &rx, &tx);

	if (ret != 0)
		return ret;
	*max = RTE_MAX(rx, tx);
	ret = get_channels(nd, &ch);
	if (ret == 0)
		*max = RTE_MAX(*max, ch.max_combined + RTE_MAX(ch.max_rx, ch.max_tx));
	return ret == -EOPNOTSUPP ? 0 : ret;
}

/* The queue counts to ask for: 1; 0 when those in force will do or cannot be bettered; or -errno. */
static int
choose_channels(const struct ti_netdev *nd, uint32_t start, uint32_t need,
		char value[TI_SETTING_LEN])
{
	struct ti_channels ch;
	uint32_t combined, rx, tx;
	int ret;

	ret = get_channels(nd, &ch);
	if (ret != 0)
		return ret == -EOPNOTSUPP ? 0 : ret;
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
	uint32_t rx, tx;
	struct ti_why refused = { "" };
	int ret;

	ret = choose_channels(nd, start, need, value);
	if (ret > 0)
		ti_settings_set(nd->settings, "channels", value, &refused);
	if (ret >= 0)
		ret = ti_netdev_queues(nd, &rx, &tx);
	if (ret != 0)
		return ti_fail(why, -ret, "cannot read the queue counts of %s: %s", nd->name,
			       strerror(-ret));
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
	struct ti_netdev_state st;
	struct ti_netdev *nd;
	char node[16];
	int ret;

	ret = find_by_name(name, &st);
	if (ret != 0 && ret != -ENODEV)
		return ti_fail(why, -ret, "cannot look up network interface \"%s\": %s", name,
			       strerror(-ret));
	if (ret != 0)
		return ti_fail(why, ENODEV,
			"no network interface \"%s\" in this network namespace: see `ip link`, and set iface= to one of them",
			name);
	LIST_FOREACH(nd, &netdevs, next) {
		if (nd->ifindex == st.ifindex) {
			nd->refs++;
			*out = nd;
			return 0;
		}
	}

	nd = calloc(1, sizeof(*nd));
	if (nd == NULL)
		return ti_fail(why, ENOMEM, "no memory for netdev %s", name);
	nd->ifindex = st.ifindex;
	nd->refs = 1;
	strlcpy(nd->name, name, sizeof(nd->name));
	if (ti_ethtool_driver(name, &nd->drv) != 0)
		strlcpy(nd->drv.name, "?", sizeof(nd->drv.name));
	nd->numa_node = -1;
	if (sysfs_check(nd) == 0 && sysfs_read(nd, "device/numa_node", node, sizeof(node)) == 0)
		nd->numa_node = atoi(node);

	ret = ti_settings_open(&nd->settings, TI_SETTINGS_DIR, name, nd->ifindex, settings,
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
