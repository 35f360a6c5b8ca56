/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The netdev by its name, which stays while the netdev itself may go and come back with another
 * index: ioctls, and its settings, noted before the storm and put back after it.
 */
#ifndef TESTS_STORM_TOOL_NETDEV_H
#define TESTS_STORM_TOOL_NETDEV_H

#include <linux/ethtool.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "act.h"

/* Words of feature bits; Linux has 64 features, and room for more. */
#define FEATURE_WORDS	4

struct netdev_features {
	uint32_t count;		/* features that have a name */
	uint32_t available[FEATURE_WORDS];	/* that the driver lets be changed */
	uint32_t active[FEATURE_WORDS];
	uint32_t requested[FEATURE_WORDS];	/* on, as far as others allow it */
};

struct netdev_state {
	int mtu;
	short flags;
	uint8_t mac[6];
	bool has_address;
	struct sockaddr address;
	struct sockaddr netmask;
	bool has_rings;
	struct ethtool_ringparam rings;
	bool has_channels;
	struct ethtool_channels channels;
	bool has_coalesce;
	struct ethtool_coalesce coalesce;
	bool has_features;
	struct netdev_features features;
	bool has_pause;
	struct ethtool_pauseparam pause;
};

/* An ioctl of the socket layer. @ifr's name is filled in. Return: 0 or -errno. */
int netdev_ioctl(const char *name, unsigned long request, struct ifreq *ifr);

/* SIOCETHTOOL with @cmd, which starts with a struct ethtool_*'s command. Return: 0 or -errno. */
int netdev_ethtool(const char *name, void *cmd);

/* Index now. Return: above 0, or -ENODEV. */
int netdev_index(const char *name);

/* Queues that both receive and transmit, from the channels, else from sysfs; at least 1. */
unsigned int netdev_queues(const char *name);

/* Features that can be changed, and how they are. Return: 0 or -errno. */
int netdev_get_features(const char *name, struct netdev_features *f);

/* Change the features of @mask to @want. Return: 0 or -errno. */
int netdev_set_features(const char *name, const uint32_t mask[FEATURE_WORDS],
			const uint32_t want[FEATURE_WORDS]);

/* Set and clear interface flags; the rest stays. Return: 0 or -errno. */
int netdev_flags(const char *name, short set, short clear);

/* Note all settings. Return: 0 or -errno. */
int netdev_save(const char *name, struct netdev_state *s);

/* Give it its IPv4 address again, and take it up if it was. A netdev that came back has neither. */
int netdev_revive(const char *name, const struct netdev_state *s);

/* Put all settings back; each failure is a line, and told as @a's. */
void netdev_restore(struct act *a, const struct netdev_state *s);

#endif /* TESTS_STORM_TOOL_NETDEV_H */
