/* SPDX-License-Identifier: BSD-3-Clause */
/* Netlink requests: build, send, read the answers. */

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/genetlink.h>

#include <rte_common.h>
#include <rte_debug.h>
#include <rte_string_fns.h>

#include "netlink.h"

#define NL_SEQ 1
#define NL_TIMEOUT_S 5

void
ti_nl_begin(struct ti_nl_req *req, uint16_t type, uint16_t flags, const void *fixed, size_t len)
{
	memset(req, 0, sizeof(*req));
	req->hdr.nlmsg_len = NLMSG_LENGTH(len);
	req->hdr.nlmsg_type = type;
	req->hdr.nlmsg_flags = NLM_F_REQUEST | flags;
	req->hdr.nlmsg_seq = NL_SEQ;
	memcpy(req->body, fixed, len);
}

void
ti_nl_put(struct ti_nl_req *req, uint16_t type, const void *data, size_t len)
{
	size_t at = NLMSG_ALIGN(req->hdr.nlmsg_len);
	const struct nlattr attr = { .nla_len = NLA_HDRLEN + len, .nla_type = type };

	RTE_VERIFY(at + NLA_ALIGN(attr.nla_len) <= sizeof(*req));
	memcpy((char *)req + at, &attr, sizeof(attr));
	memcpy((char *)req + at + NLA_HDRLEN, data, len);
	req->hdr.nlmsg_len = at + NLA_ALIGN(attr.nla_len);
}

const void *
ti_nl_find(const void *attrs, size_t len, uint16_t type, size_t want)
{
	const char *p = attrs;
	struct nlattr a;
	size_t step;

	while (len >= sizeof(a)) {
		memcpy(&a, p, sizeof(a));
		if (a.nla_len < NLA_HDRLEN || a.nla_len > len)
			return NULL;
		if ((a.nla_type & NLA_TYPE_MASK) == type)
			return a.nla_len >= NLA_HDRLEN + want ? p + NLA_HDRLEN : NULL;
		step = NLA_ALIGN(a.nla_len);
		if (step >= len)
			return NULL;
		p += step;
		len -= step;
	}
	return NULL;
}

/* The acknowledgement: an errno, and with NLM_F_ACK_TLVS what the kernel says about it. */
static int
read_ack(const struct nlmsghdr *h, char *text, size_t text_len)
{
	const struct nlmsgerr *e = NLMSG_DATA(h);
	size_t skip = sizeof(*e), len = h->nlmsg_len - NLMSG_HDRLEN;
	const char *msg;

	if (len < sizeof(*e))
		return -EBADMSG;
	if (!(h->nlmsg_flags & NLM_F_CAPPED) && e->msg.nlmsg_len > NLMSG_HDRLEN)
		skip += NLMSG_ALIGN(e->msg.nlmsg_len) - NLMSG_HDRLEN;
	if (text_len != 0 && (h->nlmsg_flags & NLM_F_ACK_TLVS) && len > skip) {
		msg = ti_nl_find((const char *)e + skip, len - skip, NLMSGERR_ATTR_MSG, 1);
		if (msg != NULL)
			strlcpy(text, msg, text_len);
	}
	return e->error;
}

static int
read_answers(int fd, ti_nl_answer answer, void *arg, char *text, size_t text_len)
{
	/* Big enough for a link with all its statistics (NLMSG_GOODSIZE). */
	char buf[16384] __rte_aligned(NLMSG_ALIGNTO);
	const struct nlmsghdr *h;
	ssize_t got;
	int ret = 0;

	for (;;) {
		got = recv(fd, buf, sizeof(buf), 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		for (h = (const struct nlmsghdr *)buf; NLMSG_OK(h, (size_t)got);
		     h = NLMSG_NEXT(h, got)) {
			if (h->nlmsg_seq != NL_SEQ)
				continue;
			if (h->nlmsg_type == NLMSG_ERROR) {
				int err = read_ack(h, text, text_len);

				return err != 0 ? err : ret;
			}
			if (answer != NULL && ret == 0)
				ret = answer(NLMSG_DATA(h), h->nlmsg_len - NLMSG_HDRLEN, arg);
		}
	}
}

int
ti_nl_talk(int protocol, struct ti_nl_req *req, ti_nl_answer answer, void *arg,
	   char *text, size_t text_len)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	const struct timeval tv = { .tv_sec = NL_TIMEOUT_S };
	const int on = 1;
	int fd, ret;

	if (text_len != 0)
		text[0] = '\0';
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));

	req->hdr.nlmsg_flags |= NLM_F_ACK;
	if (sendto(fd, req, req->hdr.nlmsg_len, 0, (const struct sockaddr *)&kernel,
		   sizeof(kernel)) < 0)
		ret = -errno;
	else
		ret = read_answers(fd, answer, arg, text, text_len);
	close(fd);
	return ret;
}

static int
read_family(const void *body, size_t len, void *arg)
{
	const void *id;

	if (len < GENL_HDRLEN)
		return -EBADMSG;
	id = ti_nl_find((const char *)body + GENL_HDRLEN, len - GENL_HDRLEN,
			CTRL_ATTR_FAMILY_ID, sizeof(uint16_t));
	if (id == NULL)
		return -EBADMSG;
	memcpy(arg, id, sizeof(uint16_t));
	return 0;
}

int
ti_nl_family(const char *name)
{
	const struct genlmsghdr genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 };
	struct ti_nl_req req;
	uint16_t id = 0;
	int ret;

	ti_nl_begin(&req, GENL_ID_CTRL, 0, &genl, sizeof(genl));
	ti_nl_put(&req, CTRL_ATTR_FAMILY_NAME, name, strlen(name) + 1);
	ret = ti_nl_talk(NETLINK_GENERIC, &req, read_family, &id, NULL, 0);
	if (ret != 0)
		return ret;
	return id != 0 ? id : -ENOENT;
}
