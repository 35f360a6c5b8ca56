/* SPDX-License-Identifier: BSD-3-Clause */
/* AF_XDP sockets: make, bind, close, enter the kernel. */

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <rte_cycles.h>

#include "compat.h"
#include "xsk.h"

/* A closed socket leaves its queue when a work item of the kernel got the RTNL. */
#define UNBIND_WAIT_MS 1000
#define ZC_UNBIND_WAIT_MS 5000

/* Microseconds that one busy poll may spin (SO_BUSY_POLL); what net_af_xdp uses. */
#define BUSY_POLL_US 20

static int
open_socket(void)
{
	int fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);

	return fd >= 0 ? fd : -errno;
}

static int
map_ring(struct ti_ring *r, int fd, uint32_t size, size_t entry_size,
	 const struct xdp_ring_offset *off, uint64_t pgoff)
{
	char *map;

	memset(r, 0, sizeof(*r));
	r->map_len = off->desc + size * entry_size;
	map = mmap(NULL, r->map_len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, pgoff);
	if (map == MAP_FAILED) {
		r->map_len = 0;
		return -errno;
	}
	r->map = map;
	r->size = size;
	r->mask = size - 1;
	r->producer = (uint32_t *)(map + off->producer);
	r->consumer = (uint32_t *)(map + off->consumer);
	r->flags = (const uint32_t *)(map + off->flags);
	r->entry = map + off->desc;
	r->cached_prod = *r->producer;
	r->cached_cons = *r->consumer;
	return 0;
}

static void
unmap_ring(struct ti_ring *r)
{
	if (r->map != NULL)
		munmap(r->map, r->map_len);
	memset(r, 0, sizeof(*r));
}

static int
set_ring_size(int fd, int opt, uint32_t size)
{
	return setsockopt(fd, SOL_XDP, opt, &size, sizeof(size)) == 0 ? 0 : -errno;
}

static int
map_rings(struct ti_xsk *xsk)
{
	const struct ti_xsk_conf *c = &xsk->conf;
	struct xdp_mmap_offsets off;
	socklen_t len = sizeof(off);
	int ret;

	ret = set_ring_size(xsk->fd, XDP_UMEM_FILL_RING, c->fill_size);
	if (ret == 0)
		ret = set_ring_size(xsk->fd, XDP_UMEM_COMPLETION_RING, c->comp_size);
	if (ret == 0 && c->rx_size != 0)
		ret = set_ring_size(xsk->fd, XDP_RX_RING, c->rx_size);
	if (ret == 0 && c->tx_size != 0)
		ret = set_ring_size(xsk->fd, XDP_TX_RING, c->tx_size);
	if (ret != 0)
		return ret;

	if (getsockopt(xsk->fd, SOL_XDP, XDP_MMAP_OFFSETS, &off, &len) != 0)
		return -errno;
	/* Before Linux 5.4 the answer had no flags, and there was no need_wakeup. */
	if (len != sizeof(off))
		return -EOPNOTSUPP;

	ret = map_ring(&xsk->fill, xsk->fd, c->fill_size, sizeof(uint64_t), &off.fr,
		       XDP_UMEM_PGOFF_FILL_RING);
	if (ret == 0)
		ret = map_ring(&xsk->comp, xsk->fd, c->comp_size, sizeof(uint64_t), &off.cr,
			       XDP_UMEM_PGOFF_COMPLETION_RING);
	if (ret == 0 && c->rx_size != 0)
		ret = map_ring(&xsk->rx, xsk->fd, c->rx_size, sizeof(struct xdp_desc), &off.rx,
			       XDP_PGOFF_RX_RING);
	if (ret == 0 && c->tx_size != 0)
		ret = map_ring(&xsk->tx, xsk->fd, c->tx_size, sizeof(struct xdp_desc), &off.tx,
			       XDP_PGOFF_TX_RING);
	return ret;
}

static int
register_umem(struct ti_xsk *xsk, struct ti_why *why)
{
	const struct ti_umem *u = xsk->umem;
	const struct xdp_umem_reg reg = {
		.addr = u->lay.base,
		.len = u->lay.len,
		.chunk_size = u->lay.chunk,
		.headroom = u->lay.headroom,
		.flags = XDP_UMEM_UNALIGNED_CHUNK_FLAG,
	};

	if (setsockopt(xsk->fd, SOL_XDP, XDP_UMEM_REG, &reg, sizeof(reg)) == 0)
		return 0;

	switch (errno) {
	case ENOBUFS:
		return ti_fail(why, ENOBUFS,
			"the kernel refuses to pin the %" PRIu64 " KiB of mbuf pool %s for %s: RLIMIT_MEMLOCK is too low, raise it (ulimit -l) or grant CAP_IPC_LOCK",
			u->lay.len >> 10, u->pool->name, xsk->conf.ifname);
	case EFAULT:
	case ENOMEM:
		/* A mempool in pieces spans what lies between them, which may be nothing. */
		if (u->pool->nb_mem_chunks > 1)
			return ti_fail(why, errno,
				"mbuf pool %s lies in %u pieces spread over %" PRIu64 " MiB, so it cannot be the UMEM of %s (%s): create the pool before others, make it smaller, or give EAL more memory in one piece",
				u->pool->name, u->pool->nb_mem_chunks, u->lay.len >> 20,
				xsk->conf.ifname, strerror(errno));
		/* fall through */
	default:
		return ti_fail(why, errno,
			"the kernel refuses the %" PRIu64 " KiB of mbuf pool %s as UMEM of %s (chunks of %u bytes, headroom %u): %s",
			u->lay.len >> 10, u->pool->name, xsk->conf.ifname, u->lay.chunk,
			u->lay.headroom, strerror(errno));
	}
}

/* Busy polling is an optimisation: a kernel that refuses it is served without. */
static bool
set_busy_poll(int fd, uint32_t budget)
{
	const int prefer = 1, us = BUSY_POLL_US, frames = budget, off = 0;

	if (setsockopt(fd, SOL_SOCKET, SO_PREFER_BUSY_POLL, &prefer, sizeof(prefer)) != 0)
		return false;
	if (setsockopt(fd, SOL_SOCKET, SO_BUSY_POLL, &us, sizeof(us)) == 0 &&
	    setsockopt(fd, SOL_SOCKET, SO_BUSY_POLL_BUDGET, &frames, sizeof(frames)) == 0)
		return true;
	setsockopt(fd, SOL_SOCKET, SO_BUSY_POLL, &off, sizeof(off));
	setsockopt(fd, SOL_SOCKET, SO_PREFER_BUSY_POLL, &off, sizeof(off));
	return false;
}

/*
 * A socket of the UMEM that another can share it with. One whose netdev has gone is no longer bound,
 * and the kernel then refuses to share with it. NULL when there is none.
 */
static const struct ti_xsk *
sharer(const struct ti_umem *umem)
{
	const struct ti_xsk *xsk;

	LIST_FOREACH(xsk, &umem->bound, bound)
		if (ti_xsk_kick_rx(xsk->fd) != -ENXIO)
			return xsk;
	return NULL;
}

int
ti_xsk_open(struct ti_xsk *xsk, struct ti_umem *umem, const struct ti_xsk_conf *conf,
	    struct ti_why *why)
{
	int ret, sndbuf;

	memset(xsk, 0, sizeof(*xsk));
	xsk->umem = umem;
	xsk->conf = *conf;

	xsk->fd = open_socket();
	if (xsk->fd < 0) {
		ret = xsk->fd;
		xsk->fd = -1;
		if (ret == -EPERM || ret == -EACCES)
			return ti_fail(why, -ret,
				"no privilege to open an AF_XDP socket for %s: run as root or grant CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF",
				conf->ifname);
		if (ret == -EAFNOSUPPORT)
			return ti_fail(why, -ret,
				"this kernel has no AF_XDP sockets for %s: use one with CONFIG_XDP_SOCKETS=y",
				conf->ifname);
		return ti_fail(why, -ret, "cannot open an AF_XDP socket for %s: %s",
			       conf->ifname, strerror(-ret));
	}

	xsk->registered = sharer(umem) == NULL;
	if (xsk->registered) {
		ret = register_umem(xsk, why);
		if (ret != 0)
			goto fail;
	}
	ret = map_rings(xsk);
	if (ret != 0) {
		ti_fail(why, -ret,
			"cannot set up the AF_XDP rings of %s queue %u (%u receive, %u transmit descriptors): %s",
			conf->ifname, conf->queue, conf->rx_size, conf->tx_size, strerror(-ret));
		goto fail;
	}

	/*
	 * Copied frames are charged to the socket until the device has sent them:
	 * let a full transmit ring of them be on the way. Best effort.
	 */
	if (!conf->zc && conf->tx_size != 0) {
		sndbuf = conf->tx_size * TI_CHUNK_MIN;
		setsockopt(xsk->fd, SOL_SOCKET, SO_SNDBUFFORCE, &sndbuf, sizeof(sndbuf));
	}
	if (conf->busy_budget != 0)
		xsk->busy = set_busy_poll(xsk->fd, conf->busy_budget);
	return 0;

fail:
	unmap_ring(&xsk->rx);
	unmap_ring(&xsk->fill);
	unmap_ring(&xsk->tx);
	unmap_ring(&xsk->comp);
	close(xsk->fd);
	xsk->fd = -1;
	return ret;
}

static const char *
mode_name(const struct ti_xsk_conf *c)
{
	return c->zc ? "zero-copy" : c->skb ? "skb" : "copy";
}

static int
bind_failed(const struct ti_xsk *xsk, int err, struct ti_why *why)
{
	const struct ti_xsk_conf *c = &xsk->conf;

	switch (err) {
	case EBUSY:
		return ti_fail(why, err,
			"queue %u of %s is taken by another AF_XDP socket: end that program (ss --xdp -p shows it) or choose other queues with start_queue=",
			c->queue, c->ifname);
	case ENETDOWN:
		return ti_fail(why, err, "%s is down: bring it up (ip link set %s up)",
			       c->ifname, c->ifname);
	case EOPNOTSUPP:
		return ti_fail(why, err,
			"the driver of %s refuses AF_XDP %s on queue %u: use mode=copy, or mode=auto to fall back by itself",
			c->ifname, mode_name(c), c->queue);
	case EINVAL:
		return ti_fail(why, err,
			"the kernel refuses to bind queue %u of %s in %s mode: the MTU may not fit the buffers of %u bytes (lower the MTU or enlarge the pool's data room), or the queue does not exist",
			c->queue, c->ifname, mode_name(c), xsk->umem->lay.room);
	default:
		return ti_fail(why, err, "cannot bind queue %u of %s in %s mode: %s",
			       c->queue, c->ifname, mode_name(c), strerror(err));
	}
}

int
ti_xsk_bind(struct ti_xsk *xsk, struct ti_why *why)
{
	struct sockaddr_xdp sxdp = {
		.sxdp_family = AF_XDP,
		.sxdp_ifindex = xsk->conf.ifindex,
		.sxdp_queue_id = xsk->conf.queue,
	};
	struct xdp_options opts = { 0 };
	const struct ti_xsk *other = NULL;
	socklen_t len = sizeof(opts);
	int ms;

	if (!xsk->registered) {
		other = sharer(xsk->umem);
		if (other == NULL)
			return ti_fail(why, ENODEV,
				"the netdev that %s queue %u shares its UMEM with has just gone: start the port again",
				xsk->conf.ifname, xsk->conf.queue);
	}
	if (other == NULL) {
		sxdp.sxdp_flags = XDP_USE_NEED_WAKEUP | (xsk->conf.zc ? XDP_ZEROCOPY : XDP_COPY);
	} else {
		/* Mode and need_wakeup are those of the socket shared with. */
		sxdp.sxdp_flags = XDP_SHARED_UMEM;
		sxdp.sxdp_shared_umem_fd = other->fd;
	}

	for (ms = 0; bind(xsk->fd, (struct sockaddr *)&sxdp, sizeof(sxdp)) != 0; ms++) {
		if (errno != EBUSY || ms == UNBIND_WAIT_MS)
			return bind_failed(xsk, errno, why);
		rte_delay_us_sleep(1000);
	}
	xsk->is_bound = true;
	LIST_INSERT_HEAD(&xsk->umem->bound, xsk, bound);

	if (xsk->conf.zc &&
	    (getsockopt(xsk->fd, SOL_XDP, XDP_OPTIONS, &opts, &len) != 0 ||
	     !(opts.flags & XDP_OPTIONS_ZEROCOPY)))
		return ti_fail(why, EOPNOTSUPP,
			"%s queue %u was bound, but the kernel copies: use mode=copy, or mode=auto to fall back by itself",
			xsk->conf.ifname, xsk->conf.queue);
	return 0;
}

int
ti_xsk_close(struct ti_xsk *xsk, struct ti_why *why)
{
	bool was_bound = xsk->is_bound;

	if (xsk->fd < 0)
		return 0;
	if (was_bound)
		LIST_REMOVE(xsk, bound);
	close(xsk->fd);
	xsk->fd = -1;
	xsk->is_bound = false;
	unmap_ring(&xsk->rx);
	unmap_ring(&xsk->fill);
	unmap_ring(&xsk->tx);
	unmap_ring(&xsk->comp);

	/* In copy mode only the kernel's CPUs touch the buffers, and close() waited for them. */
	if (!was_bound || !xsk->conf.zc)
		return 0;
	if (ti_xsk_wait_unbound(xsk->conf.ifindex, xsk->conf.queue, ZC_UNBIND_WAIT_MS) == 0)
		return 0;
	return ti_fail(why, ETIMEDOUT,
		"the driver of %s does not release queue %u: its mbufs stay out of pool %s until the program ends",
		xsk->conf.ifname, xsk->conf.queue, xsk->umem->pool->name);
}

/* 0 when nothing is attached to the queue or it is no more; else, or when that cannot be told, -EBUSY. */
static int
probe_queue(uint32_t ifindex, uint32_t queue, void *page, size_t page_len)
{
	const struct xdp_umem_reg reg = {
		.addr = (uintptr_t)page,
		.len = page_len,
		.chunk_size = TI_CHUNK_MIN,
	};
	const struct sockaddr_xdp sxdp = {
		.sxdp_family = AF_XDP,
		.sxdp_ifindex = ifindex,
		.sxdp_queue_id = queue,
		.sxdp_flags = XDP_COPY,
	};
	int fd, ret = -EBUSY;

	fd = open_socket();
	if (fd < 0)
		return ret;
	if (setsockopt(fd, SOL_XDP, XDP_UMEM_REG, &reg, sizeof(reg)) == 0 &&
	    set_ring_size(fd, XDP_UMEM_FILL_RING, 1) == 0 &&
	    set_ring_size(fd, XDP_UMEM_COMPLETION_RING, 1) == 0 &&
	    set_ring_size(fd, XDP_TX_RING, 1) == 0) {
		if (bind(fd, (const struct sockaddr *)&sxdp, sizeof(sxdp)) == 0 ||
		    errno == ENODEV || errno == EINVAL)
			ret = 0;
	}
	close(fd);
	return ret;
}

int
ti_xsk_wait_unbound(uint32_t ifindex, uint32_t queue, int ms)
{
	size_t page_len = sysconf(_SC_PAGESIZE);
	void *page;
	int ret;

	page = mmap(NULL, page_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -ETIMEDOUT;
	while ((ret = probe_queue(ifindex, queue, page, page_len)) != 0 && ms-- > 0)
		rte_delay_us_sleep(1000);
	munmap(page, page_len);
	return ret == 0 ? 0 : -ETIMEDOUT;
}

bool
ti_xsk_can_busy_poll(int fd)
{
	unsigned int napi_id = 0;
	socklen_t len = sizeof(napi_id);

	return getsockopt(fd, SOL_SOCKET, SO_INCOMING_NAPI_ID, &napi_id, &len) == 0 &&
	       napi_id != 0;
}

void
ti_xsk_stats(const struct ti_xsk *xsk, struct xdp_statistics *stats)
{
	socklen_t len = sizeof(*stats);

	memset(stats, 0, sizeof(*stats));
	if (xsk->fd >= 0 &&
	    getsockopt(xsk->fd, SOL_XDP, XDP_STATISTICS, stats, &len) != 0)
		memset(stats, 0, sizeof(*stats));
}

int
ti_xsk_kick_rx(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	if (recvfrom(fd, NULL, 0, MSG_DONTWAIT, NULL, NULL) == 0)
		return 0;
	if (errno != EOPNOTSUPP)
		return -errno;
	/* Before Linux 5.11 poll() is the way to wake the driver for receiving. */
	return poll(&pfd, 1, 0) >= 0 ? 0 : -errno;
}

int
ti_xsk_kick_tx(int fd)
{
	return sendto(fd, NULL, 0, MSG_DONTWAIT, NULL, 0) >= 0 ? 0 : -errno;
}
