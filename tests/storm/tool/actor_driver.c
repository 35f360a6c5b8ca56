/* SPDX-License-Identifier: BSD-3-Clause */
/* The actor that unbinds the driver from its device and binds it again: the netdev vanishes meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actors.h"
#include "netdev.h"

static const struct op unbind_op = { "unbinding the driver", { 0 } };
static const struct op bind_op = { "binding the driver", { 0 } };
static const struct op appear_op = { "waiting for the interface to come back", { 0 } };
/* Another actor may take the address at the same time, or the interface down. */
static const struct op revive_op = { "taking the interface up again", { EEXIST } };

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), rc;

	if (fd < 0)
		return -errno;
	rc = sys(write(fd, text, strlen(text)));
	close(fd);
	return rc;
}

static int appear(struct act *a)
{
	uint64_t end = now_ns() + a->o->stuck_ms * 500000ULL;

	while (netdev_index(a->o->iface) < 0) {
		if (now_ns() > end)
			return -ETIMEDOUT;
		usleep(5000);
	}
	return 0;
}

void actor_driver(struct act *a)
{
	char device[PATH_MAX], driver[PATH_MAX], path[PATH_MAX + 16], *name;
	struct netdev_state state;

	snprintf(path, sizeof(path), "/sys/class/net/%s/device", a->o->iface);
	if (!realpath(path, device))
		return act_inapplicable(a, "there is no device under it");
	snprintf(path, sizeof(path), "/sys/class/net/%s/device/driver", a->o->iface);
	if (!realpath(path, driver))
		return act_inapplicable(a, "its device has no driver");
	name = basename(device);
	if (netdev_save(a->o->iface, &state))
		return act_fail(a, "cannot read the settings of %s", a->o->iface);
	state.flags |= IFF_UP;

	/* Never ended half way. */
	while (act_next(a, 300, 3000)) {
		snprintf(path, sizeof(path), "%s/unbind", driver);
		if (!ACT(a, &unbind_op, write_file(path, name)))
			continue;
		act_next(a, 0, 300);
		snprintf(path, sizeof(path), "%s/bind", driver);
		if (!ACT(a, &bind_op, write_file(path, name)))
			return act_fail(a, "%s is without its driver now", name);
		if (ACT(a, &appear_op, appear(a)))
			ACT(a, &revive_op, netdev_revive(a->o->iface, &state));
	}
}
