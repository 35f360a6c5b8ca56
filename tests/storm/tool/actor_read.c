/* SPDX-License-Identifier: BSD-3-Clause */
/* Actors that only read, again and again: what a driver tells must not depend on its state. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actors.h"
#include "netdev.h"
#include "netlink.h"

/* --- files -------------------------------------------------------------------- */

/* ENOENT: gone with the netdev. EINVAL: speed and duplex of an interface that is down. */
static const struct op file_op = { "reading a file", { ENOENT, EINVAL } };

static int read_file(const char *path)
{
	char buf[4096];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;

	if (fd < 0)
		return -errno;
	do {
		n = read(fd, buf, sizeof(buf));
	} while (n > 0);
	rc = sys(n);
	close(fd);
	return rc;
}

static void read_directory(struct act *a, const char *below)
{
	char path[512];
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", a->o->iface, below);
	dir = opendir(path);
	if (!dir)
		return;
	while ((e = readdir(dir)) && !act_stopped(a)) {
		if (e->d_type != DT_REG)
			continue;
		snprintf(path, sizeof(path), "/sys/class/net/%s/%s/%s", a->o->iface, below, e->d_name);
		/* phydev, uevent and the like are readable; what is only to be written says EACCES to
		 * nobody but users, so ask first.
		 */
		if (!access(path, R_OK) && strcmp(e->d_name, "phys_port_id") &&
		    strcmp(e->d_name, "phys_port_name") && strcmp(e->d_name, "phys_switch_id"))
			ACT(a, &file_op, read_file(path));
	}
	closedir(dir);
}

void actor_read_files(struct act *a)
{
	static const char *const proc[] = {
		"/proc/net/dev", "/proc/net/softnet_stat", "/proc/net/packet", "/proc/net/dev_mcast",
		"/proc/interrupts", "/proc/net/snmp",
	};
	unsigned int i;

	while (act_next(a, 1, 40)) {
		for (i = 0; i < sizeof(proc) / sizeof(proc[0]); i++)
			if (!access(proc[i], R_OK))
				ACT(a, &file_op, read_file(proc[i]));
		read_directory(a, act_maybe(a) ? "statistics" : ".");
	}
}

/* --- ethtool ------------------------------------------------------------------ */

static const struct op stats_op = { "reading ethtool's statistics", { 0 } };
static const struct op regs_op = { "reading the registers", { 0 } };
static const struct op ask_op = { "reading ethtool's settings", { EOPNOTSUPP, EINVAL } };

static int read_statistics(struct act *a)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t count;
	} sset = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_STATS } };
	struct ethtool_stats *stats;
	int rc = netdev_ethtool(a->o->iface, &sset);

	if (rc)
		return rc;
	stats = calloc(1, sizeof(*stats) + (sset.count + 1) * sizeof(uint64_t));
	if (!stats)
		return -ENOMEM;
	stats->cmd = ETHTOOL_GSTATS;
	stats->n_stats = sset.count;
	rc = sset.count ? netdev_ethtool(a->o->iface, stats) : -EOPNOTSUPP;
	free(stats);
	return rc;
}

static int read_registers(struct act *a)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ethtool_regs *regs;
	int rc = netdev_ethtool(a->o->iface, &info);

	if (rc)
		return rc;
	regs = calloc(1, sizeof(*regs) + info.regdump_len);
	if (!regs)
		return -ENOMEM;
	regs->cmd = ETHTOOL_GREGS;
	regs->len = info.regdump_len;
	rc = info.regdump_len ? netdev_ethtool(a->o->iface, regs) : -EOPNOTSUPP;
	free(regs);
	return rc;
}

/* What is read into a structure of its own size. */
static int read_setting(struct act *a)
{
	static const uint32_t commands[] = {
		ETHTOOL_GDRVINFO, ETHTOOL_GLINK, ETHTOOL_GCOALESCE, ETHTOOL_GRINGPARAM, ETHTOOL_GPAUSEPARAM,
		ETHTOOL_GCHANNELS, ETHTOOL_GET_TS_INFO, ETHTOOL_GMSGLVL, ETHTOOL_GWOL, ETHTOOL_GEEE,
	};
	union {
		uint32_t cmd;
		char room[1024];
	} u = { 0 };

	u.cmd = commands[act_random(a, sizeof(commands) / sizeof(commands[0]))];
	return netdev_ethtool(a->o->iface, &u);
}

void actor_read_ethtool(struct act *a)
{
	while (act_next(a, 1, 30)) {
		/* Statistics may be missing: EOPNOTSUPP, always then. */
		ACT(a, &stats_op, read_statistics(a));
		ACT(a, &ask_op, read_setting(a));
		if (!act_random(a, 8))
			ACT(a, &regs_op, read_registers(a));
	}
}

/* --- netlink ------------------------------------------------------------------ */

static const struct op link_op = { "dumping rtnetlink", { 0 } };
static const struct op family_op = { "asking for the netdev family", { ENOENT } };
static const struct op netdev_op = { "dumping the netdev family", { 0 } };

/* From include/uapi/linux/netdev.h; Debian 12's headers are older. */
#define NETDEV_CMD_DEV_GET		1
#define NETDEV_CMD_PAGE_POOL_GET	5
#define NETDEV_CMD_QUEUE_GET		10
#define NETDEV_CMD_NAPI_GET		11
#define NETDEV_CMD_QSTATS_GET		12

/* A dump, and the length of the header that its request has. */
struct rtnetlink_dump {
	uint16_t type;
	uint16_t header;
};

static int dump_rtnetlink(struct netlink *nl, const struct rtnetlink_dump *d)
{
	struct {
		struct nlmsghdr h;
		char header[64];
	} request = {
		.h = {
			.nlmsg_len = NLMSG_LENGTH(d->header), .nlmsg_type = d->type,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
	};

	return netlink_ask(nl, &request, request.h.nlmsg_len, NULL);
}

void actor_read_link(struct act *a)
{
	static const struct rtnetlink_dump dumps[] = {
		{ RTM_GETLINK, sizeof(struct ifinfomsg) }, { RTM_GETADDR, sizeof(struct ifaddrmsg) },
		{ RTM_GETROUTE, sizeof(struct rtmsg) }, { RTM_GETQDISC, sizeof(struct tcmsg) },
		{ RTM_GETNEIGH, sizeof(struct ndmsg) },
	};
	struct netlink nl;

	if (netlink_open(&nl, NETLINK_ROUTE))
		return act_fail(a, "no netlink socket: %s", strerror(errno));
	while (act_next(a, 1, 30)) {
		unsigned int i = act_maybe(a) ? 0 : act_random(a, sizeof(dumps) / sizeof(dumps[0]));

		ACT(a, &link_op, dump_rtnetlink(&nl, &dumps[i]));
	}
	close(nl.fd);
}

static int find_family(struct netlink *nl, const char *name, uint16_t *family)
{
	struct {
		struct nlmsghdr h;
		struct genlmsghdr g;
		struct nlattr a;
		char name[16];
	} request = {
		.h = { .nlmsg_len = sizeof(request), .nlmsg_type = GENL_ID_CTRL, .nlmsg_flags = NLM_F_REQUEST },
		.g = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.a = { .nla_type = CTRL_ATTR_FAMILY_NAME, .nla_len = (uint16_t)(NLA_HDRLEN + strlen(name) + 1) },
	};
	const struct nlmsghdr *h = NULL;
	const struct nlattr *attr;
	size_t left;
	int rc;

	strncpy(request.name, name, sizeof(request.name) - 1);
	rc = netlink_ask(nl, &request, sizeof(request), &h);
	if (rc || !h)
		return rc ? rc : -ENOENT;
	attr = (const struct nlattr *)((const char *)h + NLMSG_LENGTH(GENL_HDRLEN));
	left = h->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);
	while (left >= NLA_HDRLEN && attr->nla_len >= NLA_HDRLEN && attr->nla_len <= left) {
		size_t step = NLA_ALIGN(attr->nla_len);

		if (attr->nla_type == CTRL_ATTR_FAMILY_ID) {
			memcpy(family, (const char *)attr + NLA_HDRLEN, sizeof(*family));
			return 0;
		}
		if (step >= left)
			break;
		left -= step;
		attr = (const struct nlattr *)((const char *)attr + step);
	}
	return -ENOENT;
}

static int dump_netdev(struct netlink *nl, uint16_t family, uint8_t cmd)
{
	struct {
		struct nlmsghdr h;
		struct genlmsghdr g;
	} request = {
		.h = { .nlmsg_len = sizeof(request), .nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.g = { .cmd = cmd, .version = 1 },
	};

	return netlink_ask(nl, &request, sizeof(request), NULL);
}

void actor_read_netdev(struct act *a)
{
	static const uint8_t commands[] = {
		NETDEV_CMD_DEV_GET, NETDEV_CMD_PAGE_POOL_GET, NETDEV_CMD_QUEUE_GET, NETDEV_CMD_NAPI_GET,
		NETDEV_CMD_QSTATS_GET,
	};
	struct netlink nl;
	uint16_t family = 0;

	if (netlink_open(&nl, NETLINK_GENERIC))
		return act_fail(a, "no netlink socket: %s", strerror(errno));
	if (!ACT(a, &family_op, find_family(&nl, "netdev", &family))) {
		act_inapplicable(a, "the kernel has no netdev family (Linux 6.3 and later)");
	} else {
		while (act_next(a, 1, 30))
			ACT(a, &netdev_op, dump_netdev(&nl, family, commands[act_random(a, sizeof(commands))]));
	}
	close(nl.fd);
}
