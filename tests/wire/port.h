/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where frames go and come from: a unix datagram socket pair (QEMU's `-netdev
 * dgram`) or a packet socket on a network interface.
 *
 * One datagram is one frame without FCS. Nothing here blocks. A frame that a send
 * did not take is still the caller's, and port->tx_wait says what to wait for
 * before trying again: so back-pressure of the far end is passed on and never
 * turns into loss. A far end that is gone (a VM that restarts) is waited for too.
 */
#ifndef TESTS_WIRE_PORT_H
#define TESTS_WIRE_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "frame.h"

#define PORT_BATCH	64	/* frames to a system call */
#define PORT_BUF	9728	/* room for FRAME_MAX and proof that a frame was longer */

/* Frames for one sendmmsg() or recvmmsg(). */
struct port_batch {
	struct mmsghdr msg[PORT_BATCH];
	struct iovec iov[PORT_BATCH];
	uint8_t *data;		/* PORT_BATCH buffers of PORT_BUF bytes */
};

enum port_wait {
	PORT_WAIT_NONE,
	PORT_WAIT_POLLOUT,	/* poll() tells when there is room */
	PORT_WAIT_TIME,		/* nothing tells: try again after a moment */
};

struct port {
	int fd;
	bool packet;
	bool connected;
	bool was_connected;
	enum port_wait tx_wait;
	uint64_t backpressure;	/* times that a send was refused for now */
	uint64_t drops;		/* frames that the kernel dropped before we read them */
	const char *name;	/* for messages */
	struct sockaddr_un local;
	struct sockaddr_un remote;
};

int port_batch_init(struct port_batch *b);
void port_batch_free(struct port_batch *b);

static inline uint8_t *port_batch_frame(struct port_batch *b, unsigned int i)
{
	return b->data + (size_t)i * PORT_BUF;
}

/*
 * Bind @local, to talk to @remote, which need not exist yet. A socket file that
 * a dead program left at @local is replaced; one in use is an error.
 * Return: 0, or -1 after one line on stderr.
 */
int port_open_unix(struct port *p, const char *local, const char *remote);

/* A packet socket on @ifname (CAP_NET_RAW). @mac gets its address. Return: as above. */
int port_open_iface(struct port *p, const char *ifname, uint8_t mac[6]);

void port_close(struct port *p);

/* True once the far end has been there. Tries to connect. */
bool port_ready(struct port *p);

/*
 * Send frames @from .. @to - 1 of the batch (iov lengths set).
 * Return: how many were taken (see port->tx_wait when fewer), or -errno.
 */
int port_send(struct port *p, struct port_batch *b, unsigned int from, unsigned int to);

/* Receive what is there, up to PORT_BATCH frames. Return: how many, or -errno. */
int port_recv(struct port *p, struct port_batch *b);

/* Bring port->drops up to date. */
void port_read_drops(struct port *p);

#endif /* TESTS_WIRE_PORT_H */
