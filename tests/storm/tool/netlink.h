/* SPDX-License-Identifier: BSD-3-Clause */
/* A netlink socket: a request, and its whole answer. */
#ifndef TESTS_STORM_TOOL_NETLINK_H
#define TESTS_STORM_TOOL_NETLINK_H

#include <linux/netlink.h>
#include <stddef.h>

struct netlink {
	int fd;
	char answer[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
};

/* Return: 0 or -errno. Closed with close(nl->fd). */
int netlink_open(struct netlink *nl, int protocol);

/*
 * Send a request and read its whole answer: that of a dump, a message, or an acknowledgment. The last
 * message that holds data is left at *@last, unless @last is NULL. Return: 0 or -errno.
 */
int netlink_ask(struct netlink *nl, void *request, size_t len, const struct nlmsghdr **last);

#endif /* TESTS_STORM_TOOL_NETLINK_H */
