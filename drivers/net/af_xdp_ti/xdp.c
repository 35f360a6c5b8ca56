/* SPDX-License-Identifier: BSD-3-Clause */
/* The XDP program of a netdev: load, attach, map of sockets. */

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/if_link.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <rte_common.h>
#include <rte_string_fns.h>

#include "xdp.h"
#include "xsk_redirect.skel.h"

#define MAP_NAME "xsks_map"

struct ti_xdp {
	uint32_t refs;		/* ports */
	uint32_t users;		/* started ports */
	char path[PATH_MAX];
	struct xsk_redirect *skel;	/* our own program, or */
	struct bpf_object *obj;		/* the user's */
	int prog_fd;
	int map_fd;
	int link_fd;		/* -1 when not attached */
	bool skb;		/* how it is attached */
};

/* libbpf explains at length on stderr; our log has it at debug level. */
static int
print_to_log(enum libbpf_print_level level __rte_unused, const char *fmt, va_list ap)
{
	return rte_vlog(RTE_LOG_DEBUG, ti_logtype, fmt, ap);
}

static int
load_own(struct ti_xdp *x, const struct ti_netdev *nd, struct ti_why *why)
{
	uint32_t rx, tx;
	int err;

	x->skel = xsk_redirect__open();
	if (x->skel == NULL)
		return ti_fail(why, ENOMEM, "cannot open the XDP program for %s: %s", nd->name,
			       strerror(errno));
	ti_netdev_queues(nd, &rx, &tx);
	err = bpf_map__set_max_entries(x->skel->maps.xsks_map, RTE_MAX(rx, tx));
	if (err == 0)
		err = xsk_redirect__load(x->skel);
	if (err == 0) {
		x->prog_fd = bpf_program__fd(x->skel->progs.xsk_redirect);
		x->map_fd = bpf_map__fd(x->skel->maps.xsks_map);
		return 0;
	}
	xsk_redirect__destroy(x->skel);
	x->skel = NULL;
	if (err == -EPERM || err == -EACCES)
		return ti_fail(why, -err,
			"no privilege to load the XDP program for %s: run as root or grant CAP_BPF, CAP_NET_ADMIN and CAP_NET_RAW",
			nd->name);
	return ti_fail(why, -err, "cannot load the XDP program for %s: %s", nd->name,
		       strerror(-err));
}

static int
load_file(struct ti_xdp *x, const struct ti_netdev *nd, const char *path, struct ti_why *why)
{
	struct bpf_program *prog;
	struct bpf_map *map;
	int err;

	x->obj = bpf_object__open_file(path, NULL);
	if (x->obj == NULL) {
		err = errno;
		return ti_fail(why, err,
			"cannot read xdp_prog=%s for %s: %s: give the path of a BPF object file",
			path, nd->name, strerror(err));
	}
	prog = bpf_object__next_program(x->obj, NULL);
	map = bpf_object__find_map_by_name(x->obj, MAP_NAME);
	if (prog == NULL || bpf_program__type(prog) != BPF_PROG_TYPE_XDP ||
	    map == NULL || bpf_map__type(map) != BPF_MAP_TYPE_XSKMAP) {
		err = EINVAL;
		ti_fail(why, err,
			"xdp_prog=%s has no program of type XDP, or no map " MAP_NAME " of type XSKMAP, so %s cannot use it",
			path, nd->name);
		goto fail;
	}
	err = -bpf_object__load(x->obj);
	if (err != 0) {
		ti_fail(why, err, "the kernel refuses xdp_prog=%s for %s: %s%s", path, nd->name,
			strerror(err), err == EPERM || err == EACCES ?
			": run as root or grant CAP_BPF, CAP_NET_ADMIN and CAP_NET_RAW" : "");
		goto fail;
	}
	x->prog_fd = bpf_program__fd(prog);
	x->map_fd = bpf_map__fd(map);
	return 0;
fail:
	bpf_object__close(x->obj);
	x->obj = NULL;
	return -err;
}

int
ti_xdp_get(struct ti_netdev *nd, const char *path, struct ti_why *why)
{
	libbpf_print_fn_t print;
	struct ti_xdp *x = nd->xdp;
	int ret;

	if (x != NULL) {
		if (strcmp(x->path, path) != 0)
			return ti_fail(why, EBUSY,
				"another port on %s uses another XDP program (\"%s\"): give both the same xdp_prog=",
				nd->name, x->path);
		x->refs++;
		return 0;
	}

	x = calloc(1, sizeof(*x));
	if (x == NULL)
		return ti_fail(why, ENOMEM, "no memory for the XDP program of %s", nd->name);
	x->refs = 1;
	x->link_fd = -1;
	strlcpy(x->path, path, sizeof(x->path));
	print = libbpf_set_print(print_to_log);
	ret = path[0] == '\0' ? load_own(x, nd, why) : load_file(x, nd, path, why);
	libbpf_set_print(print);
	if (ret != 0) {
		free(x);
		return ret;
	}
	nd->xdp = x;
	return 0;
}

void
ti_xdp_put(struct ti_netdev *nd)
{
	struct ti_xdp *x = nd->xdp;

	if (--x->refs != 0)
		return;
	if (x->link_fd >= 0)
		close(x->link_fd);
	if (x->skel != NULL)
		xsk_redirect__destroy(x->skel);
	if (x->obj != NULL)
		bpf_object__close(x->obj);
	free(x);
	nd->xdp = NULL;
}

static int
attach_failed(const struct ti_netdev *nd, bool skb, int err, struct ti_why *why)
{
	struct ti_netdev_state st;

	switch (err) {
	case EBUSY:
	case EEXIST:
		if (ti_netdev_state(nd, &st) == 0 && st.xdp_prog_id != 0)
			return ti_fail(why, EBUSY,
				"%s has an XDP program already (id %u, see `bpftool prog show id %u`): end the program that attached it, or detach it (ip link set %s xdp off)",
				nd->name, st.xdp_prog_id, st.xdp_prog_id, nd->name);
		return ti_fail(why, EBUSY, "%s is busy and takes no XDP program: %s", nd->name,
			       strerror(err));
	case EOPNOTSUPP:
		return ti_fail(why, err,
			"the driver %s of %s has no XDP: use mode=skb, or mode=auto to fall back by itself",
			nd->drv.name, nd->name);
	case ENOSPC:
	case ERANGE:
	case EINVAL:
		return ti_fail(why, err,
			"the driver %s of %s refuses %sXDP (%s): its MTU, or its queue counts against the peer's, do not allow it; lower the MTU, set the queue counts (ethtool -L), or use mode=skb",
			nd->drv.name, nd->name, skb ? "generic " : "", strerror(err));
	default:
		return ti_fail(why, err, "cannot attach the XDP program to %s (driver %s): %s",
			       nd->name, nd->drv.name, strerror(err));
	}
}

int
ti_xdp_attach(struct ti_netdev *nd, bool skb, struct ti_why *why)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		.flags = skb ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE);
	struct ti_xdp *x = nd->xdp;

	if (x->users != 0) {
		if (x->skb != skb)
			return ti_fail(why, EBUSY,
				"another port on %s runs in %s mode: give both the same mode=",
				nd->name, x->skb ? "skb" : "native");
		x->users++;
		return 0;
	}
	x->link_fd = bpf_link_create(x->prog_fd, nd->ifindex, BPF_XDP, &opts);
	if (x->link_fd < 0) {
		int err = -x->link_fd;

		x->link_fd = -1;
		return attach_failed(nd, skb, err, why);
	}
	x->skb = skb;
	x->users = 1;
	return 0;
}

void
ti_xdp_detach(struct ti_netdev *nd)
{
	struct ti_xdp *x = nd->xdp;

	if (--x->users != 0)
		return;
	close(x->link_fd);
	x->link_fd = -1;
}

int
ti_xdp_add_socket(struct ti_netdev *nd, uint32_t queue, int fd, struct ti_why *why)
{
	int err = -bpf_map_update_elem(nd->xdp->map_fd, &queue, &fd, BPF_ANY);

	if (err == 0)
		return 0;
	return ti_fail(why, err, "cannot put the socket of %s queue %u into " MAP_NAME ": %s%s",
		       nd->name, queue, strerror(err),
		       err == E2BIG ? ": make the map of xdp_prog= larger" : "");
}

void
ti_xdp_remove_socket(struct ti_netdev *nd, uint32_t queue)
{
	bpf_map_delete_elem(nd->xdp->map_fd, &queue);
}
