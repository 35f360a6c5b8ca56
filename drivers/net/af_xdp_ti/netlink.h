/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Netlink requests: one request, its answers, and the kernel's own words when it
 * refuses (extended acknowledgement). Written out here, without libmnl or libnl,
 * because two messages and one generic family are all that the PMD needs, and a board's image need
 * not carry a library for that.
 *
 * Each call opens a socket, asks and closes: control path only, any thread.
 */
#ifndef AF_XDP_TI_NETLINK_H
#define AF_XDP_TI_NETLINK_H

#include <stddef.h>
#include <stdint.h>
#include <linux/netlink.h>

/* A request under construction; fits every message that the PMD sends. */
struct ti_nl_req {
	struct nlmsghdr hdr;
	char body[500];
};

/* Begin a message of @type whose fixed part is @fixed of @len bytes. */
void ti_nl_begin(struct ti_nl_req *req, uint16_t type, uint16_t flags,
		 const void *fixed, size_t len);

/* Append an attribute; the callers' sizes are constants that fit. */
void ti_nl_put(struct ti_nl_req *req, uint16_t type, const void *data, size_t len);

/**
 * Called for each answer: @body points behind the netlink header.
 * Return 0, or a negative errno that ti_nl_talk() passes on.
 */
typedef int (*ti_nl_answer)(const void *body, size_t len, void *arg);

/**
 * Send a request and read until it is acknowledged.
 *
 * @param protocol  NETLINK_ROUTE or NETLINK_GENERIC
 * @param answer    called for each answer, NULL to ignore them
 * @param text      receives the kernel's explanation of a refusal, or ""
 * @param text_len  bytes of @text; 0 and NULL when not wanted
 * @return          0; the kernel's refusal as -errno; -errno of the socket calls;
 *                  -EBADMSG for an answer that is malformed
 */
int ti_nl_talk(int protocol, struct ti_nl_req *req, ti_nl_answer answer, void *arg,
	       char *text, size_t text_len);

/**
 * The attribute @type among those in @len bytes at @attrs, checked against the length.
 *
 * @param want  bytes that its payload must have at least
 * @return      its payload, or NULL
 */
const void *ti_nl_find(const void *attrs, size_t len, uint16_t type, size_t want);

/**
 * Number of the generic netlink family @name.
 * @return positive, or -ENOENT when the kernel has it not, or another -errno
 */
int ti_nl_family(const char *name);

#endif /* AF_XDP_TI_NETLINK_H */
