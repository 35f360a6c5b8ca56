/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two consumers of stamped frames (stamp.h), which look at the length and the content of all that is
 * handed to them: an AF_XDP socket, and a packet socket, which sees what the stack gets.
 */
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "run.h"
#include "stamp.h"
#include "works.h"

#define IDLE_US		1000
#define COMPLAINTS_MAX	20
#define VLAN_LEN	4
#define BUF_LEN		65536

static void account(struct run *r, const uint8_t *data, uint32_t len)
{
	enum stamp stamp = stamp_check(data, len);

	r->received++;
	r->received_bytes += len;
	r->last_ns = run_now();
	if (!r->first_ns)
		r->first_ns = r->last_ns;
	if (stamp == STAMP_NONE) {
		r->foreign++;
		return;
	}
	if (!r->shortest || len < r->shortest)
		r->shortest = len;
	if (len > r->longest)
		r->longest = len;
	if (stamp == STAMP_GOOD) {
		r->good++;
		return;
	}
	r->corrupt++;
	if (r->corrupt <= COMPLAINTS_MAX)
		fprintf(stderr, "xsk-test: stamped frame of %u bytes came as %u, type %02x%02x, %s\n",
			data[10] << 8 | data[11], len, data[12], data[13],
			stamp == STAMP_LENGTH ? "wrong length" : "wrong content");
}

void work_sink(struct run *r)
{
	struct dev_frame f[RUN_BATCH_MAX];

	run_service(r);
	run_ready();
	while (!run_stopped(r) && (!r->o->count || r->received < r->o->count)) {
		uint32_t i, n = dev_rx_take(&r->dev, f, r->o->batch);

		for (i = 0; i < n; i++) {
			account(r, f[i].data, f[i].len);
			dev_free(&r->dev, f[i].addr);
		}
		run_service(r);
		if (!n)
			run_wait(r, IDLE_US);
	}
}

/* The kernel takes the outer VLAN tag out of what it shows to packet sockets: put it back. */
static ssize_t with_tag(struct msghdr *msg, uint8_t *frame, ssize_t len)
{
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		struct tpacket_auxdata aux;

		if (c->cmsg_level != SOL_PACKET || c->cmsg_type != PACKET_AUXDATA)
			continue;
		memcpy(&aux, CMSG_DATA(c), sizeof(aux));
		if (!(aux.tp_status & TP_STATUS_VLAN_VALID) || len < 12)
			return len;
		memmove(frame + 12 + VLAN_LEN, frame + 12, (size_t)len - 12);
		frame[12] = (uint8_t)(aux.tp_vlan_tpid >> 8);
		frame[13] = (uint8_t)aux.tp_vlan_tpid;
		frame[14] = (uint8_t)(aux.tp_vlan_tci >> 8);
		frame[15] = (uint8_t)aux.tp_vlan_tci;
		return len + VLAN_LEN;
	}
	return len;
}

static int packet_open(const struct run *r)
{
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
	struct timeval tick = { .tv_usec = 50000 };	/* how late a signal may be noticed */
	int fd, on = 1, room = 128 << 20;

	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	ll.sll_ifindex = r->o->iface ? (int)if_nametoindex(r->o->iface) : 0;
	if (fd < 0 || !ll.sll_ifindex ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof(tick)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &on, sizeof(on)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof(on)) ||
	    bind(fd, (struct sockaddr *)&ll, sizeof(ll))) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

void work_packet_sink(struct run *r)
{
	static uint8_t buf[BUF_LEN + VLAN_LEN];
	struct tpacket_stats st = { 0 };
	socklen_t st_len = sizeof(st);
	int fd = packet_open(r);

	if (fd < 0) {
		run_fail(r, "packet socket on %s: %s", r->o->iface ? r->o->iface : "no --iface", strerror(errno));
		r->impossible = true;
		return;
	}
	run_ready();
	while (!run_stopped(r) && (!r->o->count || r->received < r->o->count)) {
		union {
			struct cmsghdr align;
			char room[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
		} control;
		struct iovec iov = { buf, BUF_LEN };
		struct msghdr msg = {
			.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control),
		};
		ssize_t n = recvmsg(fd, &msg, 0);

		if (n >= 0)
			account(r, buf, (uint32_t)with_tag(&msg, buf, n));
	}
	if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &st, &st_len) || st.tp_drops)
		run_fail(r, "the packet socket lost %u frames", st.tp_drops);
	close(fd);
}
