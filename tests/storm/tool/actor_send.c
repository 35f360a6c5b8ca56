/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Actors that send through the stack. What they send is the test frame of tests/wire, so the far
 * end sees whether the checksum offload of whatever was set at the time did its work.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "actors.h"
#include "frame.h"
#include "netdev.h"

#define STREAM_UDP	30001
#define STREAM_PACKET	30002
#define LONGEST		1514
#define BURST		32
#define OFF_UDP_SUM	(FRAME_OFF_L4 + 6)
#define ZERO_SUM	0xffff	/* as a sum of 0 is sent: 0 says that there is none */

/*
 * ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL: the address or the route is away with the interface.
 * EINVAL: bound to a netdev that is gone. EPERM, ENOBUFS: dropped on the way out. EMSGSIZE: more
 * than the present MTU. EAGAIN: the socket's buffer waits for the queue.
 */
#define AWAY	ENETUNREACH, EHOSTUNREACH, ENETDOWN, EAGAIN, ENOBUFS, EMSGSIZE, ENXIO

static const struct op udp_op = { "sending a datagram", { AWAY, EINVAL } };
static const struct op packet_op = { "sending a frame", { AWAY, EINVAL } };

/* Frame @seq of a stream, of any length. Return: its length. */
static uint16_t make(struct act *a, uint8_t frame[LONGEST], uint16_t stream, uint64_t seq)
{
	struct frame_spec s = {
		.src_mac = { 2, 0, 0, 0, 0, 2 }, .src_ip = 10u << 24 | 2, .dst_ip = a->o->dst_ip,
		.proto = FRAME_PROTO_UDP, .src_port = FRAME_UDP_PORT, .dst_port = FRAME_UDP_PORT,
		.stream = stream, .len = (uint16_t)act_range(a, FRAME_MIN, LONGEST),
	};
	struct frame_template t;

	memcpy(s.dst_mac, a->o->dst_mac, 6);
	if (frame_template_init(&t, &s)) {
		act_fail(a, "no test frame has %u bytes", s.len);
		memset(&t, 0, sizeof(t));
	}
	return frame_fill(frame, &t, seq);
}

void actor_send_udp(struct act *a)
{
	struct sockaddr_in from = { .sin_family = AF_INET, .sin_port = htons(FRAME_UDP_PORT) };
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(FRAME_UDP_PORT), .sin_addr = { htonl(a->o->dst_ip) },
	};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), pmtu = IP_PMTUDISC_DO, on = 1;
	uint8_t frame[LONGEST];
	uint64_t seq = 0;

	/* Never in fragments, which the far end does not put together. */
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &pmtu, sizeof(pmtu)) ||
	    bind(fd, (struct sockaddr *)&from, sizeof(from))) {
		act_fail(a, "no UDP socket: %s", strerror(errno));
	} else {
		while (act_next(a, 1, 20)) {
			unsigned int n = act_range(a, 1, BURST);

			while (n-- && !act_stopped(a)) {
				uint16_t len = make(a, frame, STREAM_UDP, seq++);

				if (a->o->no_zero_sums && frame_get16(frame + OFF_UDP_SUM) == ZERO_SUM)
					continue;
				ACT(a, &udp_op, sys(sendto(fd, frame + FRAME_OFF_MAGIC, len - FRAME_OFF_MAGIC,
							   MSG_DONTWAIT, (struct sockaddr *)&to, sizeof(to))));
			}
		}
	}
	if (fd >= 0)
		close(fd);
}

void actor_send_packet(struct act *a)
{
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	uint8_t frame[LONGEST];
	uint64_t seq = 0;

	if (fd < 0)
		return act_fail(a, "no packet socket: %s", strerror(errno));
	while (act_next(a, 1, 20)) {
		struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_halen = ETH_ALEN };
		unsigned int n = act_range(a, 1, BURST);

		to.sll_ifindex = netdev_index(a->o->iface);
		if (to.sll_ifindex < 0)
			continue;
		while (n-- && !act_stopped(a)) {
			uint16_t len = make(a, frame, STREAM_PACKET, seq++);

			ACT(a, &packet_op, sys(sendto(fd, frame, len, MSG_DONTWAIT, (struct sockaddr *)&to,
						      sizeof(to))));
		}
	}
	close(fd);
}
