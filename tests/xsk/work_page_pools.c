/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Leaked pages: a page pool that its driver has given up stays known to the kernel, with
 * the time of that, until its last page is back. So where a pool is still there some time
 * after the queue was closed, a page has been lost. Asked over the netdev family of generic netlink.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run.h"
#include "works.h"

/* From include/uapi/linux/netdev.h of Linux 6.8 and later; Debian 12's headers are older. */
#define NETDEV_FAMILY			"netdev"
#define NETDEV_CMD_PAGE_POOL_GET	5
#define NETDEV_A_PAGE_POOL_ID		1
#define NETDEV_A_PAGE_POOL_IFINDEX	2
#define NETDEV_A_PAGE_POOL_INFLIGHT	4
#define NETDEV_A_PAGE_POOL_DETACH_TIME	6
#define NETDEV_A_PAGE_POOL_MAX		16

#define NS_PER_MS	1000000ULL

struct message {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	char attr[64];
};

struct answer {
	char data[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
	ssize_t len;
};

static int request(int fd, uint16_t type, uint16_t flags, uint8_t cmd, const char *name)
{
	struct message m = { 0 };
	struct nlattr *a = (struct nlattr *)m.attr;

	m.nl.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	m.nl.nlmsg_type = type;
	m.nl.nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
	m.genl.cmd = cmd;
	m.genl.version = 1;
	if (name) {
		a->nla_type = CTRL_ATTR_FAMILY_NAME;
		a->nla_len = (uint16_t)(NLA_HDRLEN + strlen(name) + 1);
		memcpy((char *)a + NLA_HDRLEN, name, strlen(name) + 1);
		m.nl.nlmsg_len += NLA_ALIGN(a->nla_len);
	}
	return send(fd, &m, m.nl.nlmsg_len, 0) < 0 ? -errno : 0;
}

/* Attributes of a generic netlink message by their type, up to @max. */
static void attributes(const struct nlmsghdr *nl, const struct nlattr **table, unsigned int max)
{
	const char *p = (const char *)nl + NLMSG_LENGTH(GENL_HDRLEN);
	size_t left = nl->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);

	memset(table, 0, (max + 1) * sizeof(*table));
	while (left >= NLA_HDRLEN) {
		const struct nlattr *a = (const struct nlattr *)p;
		size_t step = NLA_ALIGN(a->nla_len);

		if (a->nla_len < NLA_HDRLEN || a->nla_len > left)
			return;
		if ((a->nla_type & NLA_TYPE_MASK) <= max)
			table[a->nla_type & NLA_TYPE_MASK] = a;
		if (step >= left)
			return;
		p += step;
		left -= step;
	}
}

/* A netlink unsigned integer, of 4 or 8 bytes as its value needs. */
static uint64_t number(const struct nlattr *a)
{
	uint64_t v = 0;
	uint32_t w;

	if (!a)
		return 0;
	if (a->nla_len - NLA_HDRLEN == sizeof(v)) {
		memcpy(&v, (const char *)a + NLA_HDRLEN, sizeof(v));
		return v;
	}
	memcpy(&w, (const char *)a + NLA_HDRLEN, sizeof(w));
	return w;
}

static int netdev_family(int fd, struct answer *in)
{
	const struct nlattr *table[CTRL_ATTR_FAMILY_ID + 1], *id;
	const struct nlmsghdr *nl = (const struct nlmsghdr *)in->data;
	uint16_t family;
	int rc = request(fd, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY, NETDEV_FAMILY);

	if (rc)
		return rc;
	in->len = recv(fd, in->data, sizeof(in->data), 0);
	if (in->len < (ssize_t)NLMSG_LENGTH(GENL_HDRLEN) || nl->nlmsg_type == NLMSG_ERROR)
		return -EOPNOTSUPP;
	attributes(nl, table, CTRL_ATTR_FAMILY_ID);
	id = table[CTRL_ATTR_FAMILY_ID];
	if (!id)
		return -EOPNOTSUPP;
	memcpy(&family, (const char *)id + NLA_HDRLEN, sizeof(family));
	return family;
}

/* Note one pool. Return: 1 when it has been given up and still holds pages. */
static int pool(struct run *r, const struct nlmsghdr *nl, bool tell)
{
	const struct nlattr *a[NETDEV_A_PAGE_POOL_MAX + 1];

	attributes(nl, a, NETDEV_A_PAGE_POOL_MAX);
	r->pages_out += number(a[NETDEV_A_PAGE_POOL_INFLIGHT]);
	if (!a[NETDEV_A_PAGE_POOL_DETACH_TIME])
		return 0;
	if (tell)
		run_fail(r, "page pool %llu was given up, but %llu of its pages are out",
			 (unsigned long long)number(a[NETDEV_A_PAGE_POOL_ID]),
			 (unsigned long long)number(a[NETDEV_A_PAGE_POOL_INFLIGHT]));
	return 1;
}

/* Pools given up that still hold pages, or -errno. */
static int orphans(struct run *r, int fd, uint16_t family, struct answer *in, bool tell)
{
	int rc = request(fd, family, NLM_F_DUMP, NETDEV_CMD_PAGE_POOL_GET, NULL), n = 0;

	r->pages_out = 0;
	while (!rc) {
		const struct nlmsghdr *nl = (const struct nlmsghdr *)in->data;
		size_t left;

		in->len = recv(fd, in->data, sizeof(in->data), 0);
		if (in->len < 0)
			return -errno;
		for (left = (size_t)in->len; NLMSG_OK(nl, left); nl = NLMSG_NEXT(nl, left)) {
			if (nl->nlmsg_type == NLMSG_DONE)
				return n;
			if (nl->nlmsg_type == NLMSG_ERROR)
				return ((const struct nlmsgerr *)NLMSG_DATA(nl))->error;
			n += pool(r, nl, tell);
		}
	}
	return rc;
}

void work_page_pools(struct run *r)
{
	uint64_t end = run_now() + r->o->timeout_ms * NS_PER_MS;
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	static struct answer in;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC), family = -1, n = -1;

	if (fd >= 0 && !connect(fd, (struct sockaddr *)&kernel, sizeof(kernel)))
		family = netdev_family(fd, &in);
	if (family >= 0) {
		do {
			n = orphans(r, fd, (uint16_t)family, &in, false);
			if (n <= 0 || run_stopped(r))
				break;
			usleep(50000);
		} while (run_now() < end);
		if (n > 0)
			orphans(r, fd, (uint16_t)family, &in, true);
	}
	if (family < 0 || n < 0) {
		run_fail(r, "the kernel does not tell of page pools: %s",
			 strerror(family < 0 ? -family : -n));
		r->impossible = true;
	}
	if (fd >= 0)
		close(fd);
}
