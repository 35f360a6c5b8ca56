/* SPDX-License-Identifier: BSD-3-Clause */
/* A UDP echo server on the stack's own socket: the far end of what XDP_PASS lets through. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "run.h"
#include "works.h"

void work_udp_echo(struct run *r)
{
	struct sockaddr_in any = { .sin_family = AF_INET, .sin_port = htons(r->o->port) };
	struct timeval tick = { .tv_usec = 50000 };	/* how late a signal may be noticed */
	int room = 64 << 20;	/* what waits for us is not to be dropped */
	static uint8_t buf[65536];
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof(any)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof(tick))) {
		run_fail(r, "UDP port %u: %s", r->o->port, strerror(errno));
		r->impossible = true;
		if (fd >= 0)
			close(fd);
		return;
	}
	run_ready();
	while (!run_stopped(r) && (!r->o->count || r->received < r->o->count)) {
		struct sockaddr_in peer;
		socklen_t len = sizeof(peer);
		ssize_t n = recvfrom(fd, buf, sizeof(buf), 0, (struct sockaddr *)&peer, &len);

		if (n < 0)
			continue;
		r->received++;
		r->received_bytes += (uint64_t)n;
		/* A full send queue is the partner's loss to see, so it is waited for, not skipped. */
		while (sendto(fd, buf, (size_t)n, 0, (struct sockaddr *)&peer, len) < 0 &&
		       (errno == ENOBUFS || errno == EAGAIN) && !run_stopped(r))
			usleep(100);
	}
	close(fd);
}
