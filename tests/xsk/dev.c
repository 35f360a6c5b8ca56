/* SPDX-License-Identifier: BSD-3-Clause */
/* One AF_XDP queue, see dev.h. */
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "dev.h"
#include "redirect.skel.h"

#ifndef SO_PREFER_BUSY_POLL
#define SO_PREFER_BUSY_POLL	69
#define SO_BUSY_POLL_BUDGET	70
#endif

#define BUSY_TRIES	2000
#define BUSY_WAIT_US	1000

static int failed(const struct dev *d, const char *what, int err)
{
	fprintf(stderr, "xsk-test: %s on %s queue %u (%s): %s\n", what, d->o->iface, d->o->queue,
		mode_name(d->o->mode), strerror(err));
	return -1;
}

/* --- opening --------------------------------------------------------------- */

static int open_umem(struct dev *d)
{
	const struct options *o = d->o;
	struct xsk_umem_config cfg = {
		.fill_size = o->fill_ring,
		.comp_size = o->comp_ring,
		.frame_size = o->frame_size,
		.frame_headroom = o->headroom,
		.flags = o->unaligned ? XDP_UMEM_UNALIGNED_CHUNK_FLAG : 0,
	};
	uint32_t i;
	int err;

	d->area_len = (uint64_t)o->frames * o->frame_size;
	d->area = mmap(NULL, d->area_len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (d->area == MAP_FAILED) {
		d->area = NULL;
		return failed(d, "no memory for the UMEM", errno);
	}
	d->free = calloc(o->frames, sizeof(*d->free));
	d->state = calloc(o->frames, 1);
	if (!d->free || !d->state)
		return failed(d, "no memory for the UMEM", ENOMEM);
	for (i = 0; i < o->frames; i++)
		d->free[i] = (uint64_t)(o->frames - 1 - i) * o->frame_size;
	d->nfree = o->frames;

	err = xsk_umem__create(&d->umem, d->area, d->area_len, &d->fill, &d->comp, &cfg);
	if (err) {
		d->umem = NULL;
		return failed(d, "cannot register the UMEM", -err);
	}
	return 0;
}

static int open_socket(struct dev *d, struct xsk_socket **sock, struct xsk_ring_cons *rx,
		       struct xsk_ring_prod *tx)
{
	const struct options *o = d->o;
	struct xsk_socket_config cfg = {
		.rx_size = o->rx_ring,
		.tx_size = o->tx_ring,
		.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
		.bind_flags = o->mode == MODE_ZC ? XDP_ZEROCOPY : XDP_COPY,
	};
	unsigned int tries;
	int err = 0;

	if (o->need_wakeup)
		cfg.bind_flags |= XDP_USE_NEED_WAKEUP;
	/* A socket that was closed, or whose program was killed, leaves its queue a moment later. */
	for (tries = 0; tries < BUSY_TRIES; tries++) {
		err = xsk_socket__create(sock, o->iface, o->queue, d->umem, rx, tx, &cfg);
		if (err != -EBUSY)
			break;
		usleep(BUSY_WAIT_US);
	}
	if (err) {
		*sock = NULL;
		if (err == -EOPNOTSUPP && o->mode == MODE_ZC) {
			fprintf(stderr, "xsk-test: the driver of %s has no zero-copy on queue %u; --mode native copies\n",
				o->iface, o->queue);
			return -1;
		}
		return failed(d, "cannot bind a socket", -err);
	}
	return 0;
}

static int set_busy_poll(struct dev *d, int fd)
{
	int on = 1, us = (int)d->o->busy_poll, budget = (int)d->o->batch;

	if (!us)
		return 0;
	if (setsockopt(fd, SOL_SOCKET, SO_PREFER_BUSY_POLL, &on, sizeof(on)) ||
	    setsockopt(fd, SOL_SOCKET, SO_BUSY_POLL, &us, sizeof(us)) ||
	    setsockopt(fd, SOL_SOCKET, SO_BUSY_POLL_BUDGET, &budget, sizeof(budget)))
		return failed(d, "cannot set busy polling", errno);
	return 0;
}

static int open_sockets(struct dev *d)
{
	const struct options *o = d->o;
	struct xdp_options got = { 0 };
	socklen_t len = sizeof(got);

	if (open_socket(d, &d->sock, &d->rx, o->split ? NULL : &d->tx))
		return -1;
	d->fd = xsk_socket__fd(d->sock);
	d->tx_fd = d->fd;
	if (o->split) {
		if (open_socket(d, &d->tx_sock, NULL, &d->tx))
			return -1;
		d->tx_fd = xsk_socket__fd(d->tx_sock);
	}
	if (getsockopt(d->fd, SOL_XDP, XDP_OPTIONS, &got, &len))
		return failed(d, "cannot ask for the socket's mode", errno);
	d->zerocopy = got.flags & XDP_OPTIONS_ZEROCOPY;
	if (d->zerocopy != (o->mode == MODE_ZC)) {
		fprintf(stderr, "xsk-test: %s queue %u: asked for %s, the kernel gave %s\n", o->iface, o->queue,
			mode_name(o->mode), d->zerocopy ? "zero-copy" : "copying");
		return -1;
	}
	return set_busy_poll(d, d->fd) || (o->split && set_busy_poll(d, d->tx_fd)) ? -1 : 0;
}

/* Program and map, unless those of another socket do. */
static int open_program(struct dev *d)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .flags = d->o->mode == MODE_SKB ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE);

	if (!d->o->program)
		return 0;
	d->bpf = redirect_bpf__open();
	if (!d->bpf)
		return failed(d, "cannot open the XDP program", errno);
	d->bpf->rodata->take_port = d->o->take_port;
	if (redirect_bpf__load(d->bpf))
		return failed(d, "cannot load the XDP program", errno);
	d->link_fd = bpf_link_create(bpf_program__fd(d->bpf->progs.redirect), (int)d->o->ifindex,
				     BPF_XDP, &opts);
	if (d->link_fd < 0)
		return failed(d, "cannot attach the XDP program", errno);
	return 0;
}

static int open_map(struct dev *d)
{
	if (d->bpf && xsk_socket__update_xskmap(d->sock, bpf_map__fd(d->bpf->maps.sockets)))
		return failed(d, "cannot put the socket into the map", errno);
	return 0;
}

int dev_open(struct dev *d, const struct options *o, enum dev_order order)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	memset(d, 0, sizeof(*d));
	d->o = o;
	d->link_fd = -1;
	d->fd = -1;
	d->tx_fd = -1;
	/* The UMEM is locked memory. Where this is refused, registering it says why. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	if (open_umem(d))
		return -1;
	if (order == DEV_PROGRAM_FIRST)
		return open_program(d) || open_sockets(d) || open_map(d) ? -1 : 0;
	return open_sockets(d) || open_program(d) || open_map(d) ? -1 : 0;
}

void dev_close(struct dev *d)
{
	if (!d->o)
		return;
	if (d->link_fd >= 0)
		close(d->link_fd);
	if (d->tx_sock)
		xsk_socket__delete(d->tx_sock);
	if (d->sock)
		xsk_socket__delete(d->sock);
	if (d->umem && xsk_umem__delete(d->umem))
		fprintf(stderr, "xsk-test: the UMEM is still in use\n");
	if (d->bpf)
		redirect_bpf__destroy(d->bpf);
	if (d->area)
		munmap(d->area, d->area_len);
	free(d->free);
	free(d->state);
	memset(d, 0, sizeof(*d));
}

void dev_statistics(const struct dev *d, struct xdp_statistics *st)
{
	const int fd[2] = { d->fd, d->tx_fd };
	int i;

	memset(st, 0, sizeof(*st));
	for (i = 0; i < (d->o->split ? 2 : 1); i++) {
		struct xdp_statistics one = { 0 };
		socklen_t len = sizeof(one);

		if (getsockopt(fd[i], SOL_XDP, XDP_STATISTICS, &one, &len))
			continue;
		st->rx_dropped += one.rx_dropped;
		st->rx_invalid_descs += one.rx_invalid_descs;
		st->tx_invalid_descs += one.tx_invalid_descs;
		st->rx_ring_full += one.rx_ring_full;
		st->rx_fill_ring_empty_descs += one.rx_fill_ring_empty_descs;
		st->tx_ring_empty_descs += one.tx_ring_empty_descs;
	}
}

/* --- frames and rings -------------------------------------------------------- */

/* A frame came back from the kernel: is it one that was there? */
static bool frame_back(struct dev *d, uint64_t addr, enum frame_state from)
{
	uint32_t i = dev_index(d, addr);

	if (i >= d->o->frames || d->state[i] != from) {
		if (from == FRAME_SENT && d->returned_bad < d->bad_descs) {
			d->returned_bad++;
			return false;
		}
		if (!d->strays++)
			fprintf(stderr, "xsk-test: the kernel gave back address 0x%llx, whose frame is in state %d, not %d\n",
				(unsigned long long)addr, i < d->o->frames ? d->state[i] : -1, from);
		return false;
	}
	return true;
}

uint32_t dev_refill(struct dev *d)
{
	uint32_t n = d->nfree > d->reserve ? d->nfree - d->reserve : 0, room, idx, i;

	if (!n)
		return 0;
	room = xsk_prod_nb_free(&d->fill, n);
	if (n > room)
		n = room;
	if (!n || !xsk_ring_prod__reserve(&d->fill, n, &idx))
		return 0;
	for (i = 0; i < n; i++) {
		uint64_t addr = d->free[--d->nfree];

		d->state[dev_index(d, addr)] = FRAME_KERNEL;
		*xsk_ring_prod__fill_addr(&d->fill, idx++) = addr;
	}
	xsk_ring_prod__submit(&d->fill, n);
	d->in_kernel += n;
	return n;
}

uint32_t dev_rx_take(struct dev *d, struct dev_frame *f, uint32_t max)
{
	uint32_t idx, i, n = xsk_ring_cons__peek(&d->rx, max, &idx), good = 0;

	for (i = 0; i < n; i++) {
		const struct xdp_desc *desc = xsk_ring_cons__rx_desc(&d->rx, idx++);
		/* In unaligned chunk mode it says where the chunk begins and, apart, how far in the frame. */
		uint64_t addr = xsk_umem__add_offset_to_addr(desc->addr);

		if (!frame_back(d, addr, FRAME_KERNEL))
			continue;
		d->state[dev_index(d, addr)] = FRAME_TAKEN;
		d->in_kernel--;
		f[good].addr = addr;
		f[good].data = xsk_umem__get_data(d->area, addr);
		f[good].len = desc->len;
		good++;
	}
	if (n)
		xsk_ring_cons__release(&d->rx, n);
	return good;
}

void dev_free(struct dev *d, uint64_t addr)
{
	uint32_t i = dev_index(d, addr);

	d->state[i] = FRAME_FREE;
	d->free[d->nfree++] = (uint64_t)i * d->o->frame_size;
}

bool dev_alloc(struct dev *d, struct dev_frame *f)
{
	if (!d->nfree)
		return false;
	f->addr = d->free[--d->nfree];
	f->data = xsk_umem__get_data(d->area, f->addr);
	f->len = 0;
	d->state[dev_index(d, f->addr)] = FRAME_TAKEN;
	return true;
}

void dev_tx_put(struct dev *d, uint64_t addr, uint32_t len)
{
	struct xdp_desc *desc;
	uint32_t idx;

	/* The caller has seen dev_tx_room(). */
	if (!xsk_ring_prod__reserve(&d->tx, 1, &idx))
		abort();
	desc = xsk_ring_prod__tx_desc(&d->tx, idx);
	desc->addr = addr;
	desc->len = len;
	desc->options = 0;
	d->state[dev_index(d, addr)] = FRAME_SENT;
	d->sent++;
}

void dev_tx_submit(struct dev *d, uint32_t n)
{
	if (n)
		xsk_ring_prod__submit(&d->tx, n);
}

uint32_t dev_reap(struct dev *d)
{
	uint32_t idx, i, n = xsk_ring_cons__peek(&d->comp, d->o->comp_ring, &idx);

	for (i = 0; i < n; i++) {
		uint64_t addr = *xsk_ring_cons__comp_addr(&d->comp, idx++);

		if (!frame_back(d, addr, FRAME_SENT))
			continue;
		dev_free(d, addr);
		d->completed++;
	}
	if (n)
		xsk_ring_cons__release(&d->comp, n);
	return n;
}

/* --- system calls ------------------------------------------------------------- */

static void kicked(struct dev *d, ssize_t rc)
{
	/* All of these say "not now": busy, no room, interface down, nothing to receive. */
	if (rc >= 0 || errno == EAGAIN || errno == EBUSY || errno == ENOBUFS || errno == ENETDOWN)
		return;
	d->kick_errors++;
	d->kick_errno = errno;
}

void dev_kick_rx(struct dev *d)
{
	if (!d->o->busy_poll && (!d->o->need_wakeup || !xsk_ring_prod__needs_wakeup(&d->fill)))
		return;
	d->kicks_rx++;
	kicked(d, recvfrom(d->fd, NULL, 0, MSG_DONTWAIT, NULL, NULL));
}

void dev_kick_tx(struct dev *d)
{
	if (!dev_tx_queued(d))
		return;
	if (!d->o->busy_poll && d->o->need_wakeup && !xsk_ring_prod__needs_wakeup(&d->tx))
		return;
	d->kicks_tx++;
	kicked(d, sendto(d->tx_fd, NULL, 0, MSG_DONTWAIT, NULL, 0));
}
