/* SPDX-License-Identifier: BSD-3-Clause */
/* A netlink socket, see netlink.h. */
#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "netlink.h"

int netlink_open(struct netlink *nl, int protocol)
{
	nl->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
	return nl->fd < 0 ? -errno : 0;
}

int netlink_ask(struct netlink *nl, void *request, size_t len, const struct nlmsghdr **last)
{
	bool dump = ((struct nlmsghdr *)request)->nlmsg_flags & NLM_F_DUMP;

	if (send(nl->fd, request, len, 0) < 0)
		return -errno;
	for (;;) {
		ssize_t n = recv(nl->fd, nl->answer, sizeof(nl->answer), 0);
		const struct nlmsghdr *h = (const struct nlmsghdr *)nl->answer;
		size_t left;

		if (n < 0)
			return -errno;
		for (left = (size_t)n; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
			if (h->nlmsg_type == NLMSG_ERROR)
				return ((const struct nlmsgerr *)NLMSG_DATA(h))->error;
			if (h->nlmsg_type == NLMSG_DONE)
				return *(const int *)NLMSG_DATA(h);
			if (last)
				*last = h;
			if (!dump)
				return 0;
		}
	}
}
