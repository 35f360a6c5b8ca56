/* SPDX-License-Identifier: BSD-3-Clause */
/* Actors that change what ethtool changes. */
#include <errno.h>

#include "actors.h"
#include "netdev.h"

/* EINVAL: a value that the driver does not have, or one in the way of attached AF_XDP sockets. */
static const struct op rings_op = { "setting the ring sizes", { EINVAL } };
static const struct op channels_op = { "setting the channels", { EINVAL } };
static const struct op coalesce_op = { "setting the coalescing", { EINVAL } };
static const struct op features_op = { "setting the features", { EINVAL } };
static const struct op pause_op = { "setting the pause frames", { EINVAL } };

/* Whether the driver has a setting at all; told where it has not. */
static bool applies(struct act *a, void *cmd, const char *what)
{
	int rc = netdev_ethtool(a->o->iface, cmd);

	if (rc == -EOPNOTSUPP)
		act_inapplicable(a, "the driver has no %s", what);
	return rc != -EOPNOTSUPP;
}

/* The driver shows a setting and does not let it be changed. */
static bool fixed(struct act *a, const struct op *op, const char *what)
{
	unsigned int i;

	for (i = 0; i < a->counts; i++) {
		if (a->count[i].op != op || a->count[i].done || !a->count[i].by_errno[EOPNOTSUPP])
			continue;
		act_inapplicable(a, "the driver does not let the %s be changed", what);
		return true;
	}
	return false;
}

void actor_rings(struct act *a)
{
	struct ethtool_ringparam r = { .cmd = ETHTOOL_GRINGPARAM };

	if (!applies(a, &r, "ring sizes"))
		return;
	while (!fixed(a, &rings_op, "ring sizes") && act_next(a, 20, 400)) {
		r = (struct ethtool_ringparam){ .cmd = ETHTOOL_GRINGPARAM };
		if (netdev_ethtool(a->o->iface, &r))
			continue;
		r.cmd = ETHTOOL_SRINGPARAM;
		/* Any number, too small and too large ones among them. */
		r.rx_pending = act_random(a, 4) ? 1u << act_range(a, 4, 12) : act_random(a, r.rx_max_pending + 2);
		r.tx_pending = act_random(a, 4) ? 1u << act_range(a, 6, 12) : act_random(a, r.tx_max_pending + 2);
		ACT(a, &rings_op, netdev_ethtool(a->o->iface, &r));
	}
}

void actor_channels(struct act *a)
{
	struct ethtool_channels c = { .cmd = ETHTOOL_GCHANNELS };

	if (!applies(a, &c, "channels"))
		return;
	while (!fixed(a, &channels_op, "channels") && act_next(a, 20, 400)) {
		c = (struct ethtool_channels){ .cmd = ETHTOOL_GCHANNELS };
		if (netdev_ethtool(a->o->iface, &c))
			continue;
		c.cmd = ETHTOOL_SCHANNELS;
		c.rx_count = act_random(a, c.max_rx + 1);
		c.tx_count = act_random(a, c.max_tx + 1);
		c.combined_count = act_random(a, c.max_combined + 1);
		ACT(a, &channels_op, netdev_ethtool(a->o->iface, &c));
	}
}

void actor_coalesce(struct act *a)
{
	struct ethtool_coalesce c = { .cmd = ETHTOOL_GCOALESCE };

	if (!applies(a, &c, "coalescing"))
		return;
	while (!fixed(a, &coalesce_op, "coalescing") && act_next(a, 10, 200)) {
		c = (struct ethtool_coalesce){ .cmd = ETHTOOL_GCOALESCE };
		if (netdev_ethtool(a->o->iface, &c))
			continue;
		c.cmd = ETHTOOL_SCOALESCE;
		if (c.rx_coalesce_usecs || c.rx_max_coalesced_frames || act_maybe(a)) {
			c.rx_coalesce_usecs = act_random(a, 4) ? act_random(a, 300) : act_random(a, UINT32_MAX);
			c.rx_max_coalesced_frames = act_random(a, 300);
			c.tx_coalesce_usecs = act_random(a, 300);
			c.tx_max_coalesced_frames = act_random(a, 300);
		}
		ACT(a, &coalesce_op, netdev_ethtool(a->o->iface, &c));
	}
}

void actor_features(struct act *a)
{
	struct netdev_features f;

	if (netdev_get_features(a->o->iface, &f))
		return act_inapplicable(a, "its features cannot be read");
	while (act_next(a, 5, 150)) {
		uint32_t mask[FEATURE_WORDS] = { 0 }, want[FEATURE_WORDS] = { 0 };
		unsigned int i;

		for (i = 0; i < FEATURE_WORDS; i++) {
			mask[i] = f.available[i] & act_random(a, UINT32_MAX);
			want[i] = act_random(a, UINT32_MAX);
		}
		ACT(a, &features_op, netdev_set_features(a->o->iface, mask, want));
	}
}

void actor_pause(struct act *a)
{
	struct ethtool_pauseparam p = { .cmd = ETHTOOL_GPAUSEPARAM };

	if (!applies(a, &p, "pause frames"))
		return;
	while (!fixed(a, &pause_op, "pause frames") && act_next(a, 50, 1500)) {
		p = (struct ethtool_pauseparam){
			.cmd = ETHTOOL_SPAUSEPARAM, .autoneg = act_maybe(a), .rx_pause = act_maybe(a),
		};
		p.tx_pause = act_random(a, 4) ? p.rx_pause : !p.rx_pause;
		ACT(a, &pause_op, netdev_ethtool(a->o->iface, &p));
	}
}
