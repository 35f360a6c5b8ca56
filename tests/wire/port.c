/* SPDX-License-Identifier: BSD-3-Clause */
/* The two kinds of ports, see port.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port.h"

#define PORT_SOCKBUF	(256 << 20)	/* asked for; without privilege the kernel caps it */

int port_batch_init(struct port_batch *b)
{
	unsigned int i;

	memset(b, 0, sizeof(*b));
	b->data = malloc((size_t)PORT_BATCH * PORT_BUF);
	if (!b->data) {
		fprintf(stderr, "wire: no memory for a batch of frames\n");
		return -1;
	}
	for (i = 0; i < PORT_BATCH; i++) {
		b->iov[i].iov_base = port_batch_frame(b, i);
		b->iov[i].iov_len = PORT_BUF;
		b->msg[i].msg_hdr.msg_iov = &b->iov[i];
		b->msg[i].msg_hdr.msg_iovlen = 1;
	}
	return 0;
}

void port_batch_free(struct port_batch *b)
{
	free(b->data);
	b->data = NULL;
}

static void port_sockbuf(int fd)
{
	int size = PORT_SOCKBUF;

	/* Both are only a help, so a refusal is none of our business. */
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
}

static int unix_address(struct sockaddr_un *a, const char *path)
{
	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	if (!*path || strlen(path) >= sizeof(a->sun_path)) {
		fprintf(stderr, "wire: socket path '%s' must have 1 to %zu characters\n", path,
			sizeof(a->sun_path) - 1);
		return -1;
	}
	memcpy(a->sun_path, path, strlen(path) + 1);
	return 0;
}

/* Remove the socket that a dead program left behind; never anything else. */
static int unix_remove_stale(const struct sockaddr_un *a)
{
	struct stat st;
	int fd, dead;

	if (lstat(a->sun_path, &st))
		return 0;
	if (!S_ISSOCK(st.st_mode)) {
		fprintf(stderr, "wire: %s exists and is no socket; give another path\n", a->sun_path);
		return -1;
	}
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		fprintf(stderr, "wire: unix socket: %s\n", strerror(errno));
		return -1;
	}
	dead = connect(fd, (const struct sockaddr *)a, sizeof(*a)) && errno == ECONNREFUSED;
	close(fd);
	if (!dead) {
		fprintf(stderr, "wire: %s is in use by another program\n", a->sun_path);
		return -1;
	}
	unlink(a->sun_path);
	return 0;
}

int port_open_unix(struct port *p, const char *local, const char *remote)
{
	memset(p, 0, sizeof(*p));
	p->fd = -1;
	p->name = local;
	if (unix_address(&p->local, local) || unix_address(&p->remote, remote) ||
	    unix_remove_stale(&p->local))
		return -1;

	p->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (p->fd < 0) {
		fprintf(stderr, "wire: unix socket: %s\n", strerror(errno));
		return -1;
	}
	port_sockbuf(p->fd);
	if (bind(p->fd, (struct sockaddr *)&p->local, sizeof(p->local))) {
		fprintf(stderr, "wire: cannot bind %s: %s\n", local, strerror(errno));
		close(p->fd);
		p->fd = -1;
		return -1;
	}
	return 0;
}

int port_open_iface(struct port *p, const char *ifname, uint8_t mac[6])
{
	struct packet_mreq promisc = { .mr_type = PACKET_MR_PROMISC };
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
	struct ifreq ifr = { 0 };
	int on = 1;

	memset(p, 0, sizeof(*p));
	p->name = ifname;
	p->packet = true;
	p->connected = true;
	p->was_connected = true;
	/* Protocol 0 until bound: no frame of another interface gets in. */
	p->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (p->fd < 0) {
		fprintf(stderr, "wire: packet socket: %s%s\n", strerror(errno),
			errno == EPERM ? "; CAP_NET_RAW (root) is needed for --iface" : "");
		return -1;
	}
	if (strlen(ifname) >= sizeof(ifr.ifr_name)) {
		fprintf(stderr, "wire: interface name '%s' is too long\n", ifname);
		goto fail;
	}
	memcpy(ifr.ifr_name, ifname, strlen(ifname) + 1);
	ll.sll_ifindex = (int)if_nametoindex(ifname);
	if (!ll.sll_ifindex || ioctl(p->fd, SIOCGIFHWADDR, &ifr)) {
		fprintf(stderr, "wire: interface %s: %s\n", ifname, strerror(errno));
		goto fail;
	}
	memcpy(mac, ifr.ifr_hwaddr.sa_data, 6);
	promisc.mr_ifindex = ll.sll_ifindex;
	port_sockbuf(p->fd);
	if (setsockopt(p->fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof(on)) ||
	    setsockopt(p->fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof(on)) ||
	    setsockopt(p->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promisc, sizeof(promisc))) {
		fprintf(stderr, "wire: packet socket options on %s: %s\n", ifname, strerror(errno));
		goto fail;
	}
	if (bind(p->fd, (struct sockaddr *)&ll, sizeof(ll))) {
		fprintf(stderr, "wire: cannot bind to %s: %s\n", ifname, strerror(errno));
		goto fail;
	}
	return 0;
fail:
	close(p->fd);
	p->fd = -1;
	return -1;
}

void port_close(struct port *p)
{
	if (p->fd < 0)
		return;
	close(p->fd);
	p->fd = -1;
	if (!p->packet)
		unlink(p->local.sun_path);
}

bool port_ready(struct port *p)
{
	if (!p->connected &&
	    !connect(p->fd, (struct sockaddr *)&p->remote, sizeof(p->remote))) {
		p->connected = true;
		p->was_connected = true;
	}
	return p->was_connected;
}

/* What a failed send means. Return: 0 to try again later, or -errno. */
static int port_send_refused(struct port *p, int err)
{
	switch (err) {
	case EAGAIN:
		p->tx_wait = PORT_WAIT_POLLOUT;
		break;
	case ENOBUFS:		/* the device's queue is full */
	case ENETDOWN:		/* the link is being set down and up */
	case EINTR:
		p->tx_wait = PORT_WAIT_TIME;
		break;
	case ECONNREFUSED:	/* the far end is gone, perhaps to come back */
	case ECONNRESET:
	case ENOTCONN:
	case EPIPE:
	case ENOENT:
		if (p->packet)
			return -err;
		p->connected = false;
		p->tx_wait = PORT_WAIT_TIME;
		break;
	default:
		return -err;
	}
	p->backpressure++;
	return 0;
}

int port_send(struct port *p, struct port_batch *b, unsigned int from, unsigned int to)
{
	int n;

	p->tx_wait = PORT_WAIT_NONE;
	if (!p->connected && (!port_ready(p) || !p->connected)) {
		p->tx_wait = PORT_WAIT_TIME;
		return 0;
	}
	n = sendmmsg(p->fd, b->msg + from, to - from, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n < 0)
		return port_send_refused(p, errno);
	if ((unsigned int)n < to - from) {
		/* sendmmsg() keeps the reason of a partial send to itself: ask */
		int one = sendmmsg(p->fd, b->msg + from + n, 1, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (one < 0) {
			int err = port_send_refused(p, errno);

			return err ? err : n;
		}
		n += one;
	}
	return n;
}

int port_recv(struct port *p, struct port_batch *b)
{
	unsigned int i;
	int n;

	for (i = 0; i < PORT_BATCH; i++) {
		b->iov[i].iov_len = PORT_BUF;
		b->msg[i].msg_hdr.msg_flags = 0;
	}
	n = recvmmsg(p->fd, b->msg, PORT_BATCH, MSG_DONTWAIT, NULL);
	if (n >= 0)
		return n;
	switch (errno) {
	case EAGAIN:
	case EINTR:
	case ENETDOWN:
	case ECONNREFUSED:	/* told once by a connected socket whose peer closed */
	case ECONNRESET:
		return 0;
	default:
		return -errno;
	}
}

void port_read_drops(struct port *p)
{
	struct tpacket_stats st;
	socklen_t len = sizeof(st);

	if (p->packet && !getsockopt(p->fd, SOL_PACKET, PACKET_STATISTICS, &st, &len))
		p->drops += st.tp_drops;	/* reading sets it back to 0 */
}
