/* SPDX-License-Identifier: BSD-3-Clause */
/* Actors that attach XDP programs, by link and by hand, in the driver and in the stack. */
#include <errno.h>
#include <linux/if_link.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "actors.h"
#include "netdev.h"
#include "programs.h"

/*
 * EEXIST: one is attached in the other mode. EINVAL: a link is in the way of a program by hand, and
 * so on: the core refuses what does not go together with what others have attached. ENOSPC: veth's
 * word for too few queues at its other end.
 */
static const struct op attach_op = { "attaching an XDP program", { EEXIST, EINVAL, ENOSPC } };
static const struct op link_op = { "attaching an XDP program by a link", { EEXIST, EINVAL, ENOSPC } };
static const struct op update_op = { "replacing the program of a link", { ENOLINK, EINVAL, EPERM } };
static const struct op unlink_op = { "closing an XDP link", { 0 } };
static const struct op detach_op = { "detaching the XDP program", { EEXIST, EINVAL } };
static const struct op device_op = { "putting the device into a map", { EINVAL } };
/* EINVAL: the netdev is on its way out. */
static const struct op bind_op = { "binding a program to the device", { EINVAL } };

/* By a link: another program may take its place; then it is closed. */
static void by_link(struct act *a, int index, int fd, uint32_t mode, int other)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = mode);
	int link;

	act_enter(a, &link_op);
	link = bpf_link_create(fd, index, BPF_XDP, &opts);
	if (!act_result(a, &link_op, link))
		return;
	act_next(a, 5, 150);
	if (other >= 0 && act_maybe(a)) {
		ACT(a, &update_op, bpf_link_update(link, other, NULL));
		act_next(a, 5, 150);
	}
	ACT(a, &unlink_op, sys(close(link)));
}

/* By hand, over netlink: stays until somebody takes it off or puts another in its place. */
static void by_hand(struct act *a, int index, int fd, uint32_t mode)
{
	if (ACT(a, &attach_op, bpf_xdp_attach(index, fd, mode, NULL)))
		act_next(a, 5, 150);
	if (act_random(a, 4))
		ACT(a, &detach_op, bpf_xdp_detach(index, mode, NULL));
}

static void swap(struct act *a, uint32_t mode)
{
	while (act_next(a, 1, 60)) {
		enum program p = act_random(a, PROGRAMS), q = act_random(a, PROGRAMS);
		int index = netdev_index(a->o->iface);

		if (index < 0)
			continue;
		if (p == PROGRAM_TO_DEVICE || q == PROGRAM_TO_DEVICE)
			ACT(a, &device_op, programs_set_device(index));
		if (act_maybe(a))
			by_link(a, index, programs_fd(p), mode, programs_fd(q));
		else
			by_hand(a, index, programs_fd(p), mode);
	}
}

void actor_xdp_native(struct act *a)
{
	swap(a, XDP_FLAGS_DRV_MODE);
}

void actor_xdp_generic(struct act *a)
{
	swap(a, XDP_FLAGS_SKB_MODE);
}

void actor_xdp_bound(struct act *a)
{
	bool types = programs_have_types();

	while (act_next(a, 1, 80)) {
		int index = netdev_index(a->o->iface), fd;
		struct bpf_object *bound;

		if (index < 0)
			continue;
		if (!ACT(a, &bind_op, programs_bind(index, types && act_maybe(a), &bound, &fd))) {
			if (!a->count[0].done && a->count[0].by_errno[EOPNOTSUPP]) {
				act_inapplicable(a, "the driver has no metadata for programs");
				return;
			}
			continue;
		}
		/* The program may outlive the netdev that it is bound to. */
		act_next(a, 0, 30);
		if (act_maybe(a))
			by_link(a, index, fd, XDP_FLAGS_DRV_MODE, -1);
		else
			by_hand(a, index, fd, XDP_FLAGS_DRV_MODE);
		programs_unbind(bound);
	}
}
