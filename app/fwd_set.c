/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ports and which lcores take part in forwarding. */

#include <errno.h>
#include <stdio.h>

#include <rte_ethdev.h>
#include <rte_lcore.h>

#include "fwd_set.h"
#include "ports.h"

#define MASK_BITS 64

static struct fwd_set port_set;
static struct fwd_set lcore_set;

const struct fwd_set *
fwd_ports(void)
{
	return &port_set;
}

const struct fwd_set *
fwd_lcores(void)
{
	return &lcore_set;
}

void
fwd_set_default(void)
{
	unsigned int lcore;
	uint16_t port;

	port_set.configured = 0;
	RTE_ETH_FOREACH_DEV(port)
		port_set.id[port_set.configured++] = port;
	port_set.used = port_set.configured;

	lcore_set.configured = 0;
	RTE_LCORE_FOREACH_WORKER(lcore)
		lcore_set.id[lcore_set.configured++] = (uint16_t)lcore;
	lcore_set.used = lcore_set.configured > 0 ? 1 : 0;
}

bool
fwd_ports_contain(uint16_t port)
{
	uint16_t i;

	for (i = 0; i < port_set.used; i++)
		if (port_set.id[i] == port)
			return true;
	return false;
}

static int
refuse_repeated(const char *what, const uint32_t *ids, unsigned int count)
{
	unsigned int i, j;

	for (i = 0; i < count; i++)
		for (j = i + 1; j < count; j++)
			if (ids[i] == ids[j]) {
				fprintf(stderr, "duplicated %s %u at index %u and %u\n",
					what, ids[i], i, j);
				return -EINVAL;
			}
	return 0;
}

static void
take(struct fwd_set *set, const char *what, const uint32_t *ids, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		set->id[i] = (uint16_t)ids[i];
	set->configured = (uint16_t)count;
	if (set->used != count) {
		printf("previous number of forwarding %s %u - changed to number of "
		       "configured %s %u\n", what, set->used, what, count);
		set->used = (uint16_t)count;
	}
}

int
fwd_set_ports(const uint32_t *ports, unsigned int count)
{
	unsigned int i;

	if (refuse_repeated("port", ports, count) < 0)
		return -EINVAL;
	for (i = 0; i < count; i++)
		if (ports[i] == PORT_ALL || !port_valid((uint16_t)ports[i]))
			return -EINVAL;
	take(&port_set, "ports", ports, count);
	return 0;
}

int
fwd_set_lcores(const uint32_t *lcores, unsigned int count)
{
	unsigned int i;

	if (refuse_repeated("core", lcores, count) < 0)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		if (lcores[i] >= RTE_MAX_LCORE || !rte_lcore_is_enabled(lcores[i])) {
			fprintf(stderr, "lcore %u not enabled\n", lcores[i]);
			return -EINVAL;
		}
		if (lcores[i] == rte_get_main_lcore()) {
			fprintf(stderr, "lcore %u cannot be masked on for running packet "
				"forwarding, which is the main lcore and reserved for "
				"command line parsing only\n", lcores[i]);
			return -EINVAL;
		}
	}
	take(&lcore_set, "cores", lcores, count);
	return 0;
}

static unsigned int
mask_to_list(uint64_t mask, uint32_t *list)
{
	unsigned int count = 0, bit;

	for (bit = 0; bit < MASK_BITS; bit++)
		if ((mask & (UINT64_C(1) << bit)) != 0)
			list[count++] = bit;
	return count;
}

int
fwd_set_port_mask(uint64_t mask)
{
	uint32_t list[MASK_BITS];
	unsigned int count = mask_to_list(mask, list), kept = 0, i;

	/* A mask may name more ports than there are: 0xff is "up to eight". */
	for (i = 0; i < count; i++)
		if (rte_eth_dev_is_valid_port((uint16_t)list[i]))
			list[kept++] = list[i];
	if (kept == 0) {
		fprintf(stderr, count == 0 ? "Invalid NULL mask of ports\n" :
			"Invalid mask of ports: none of them is there\n");
		return -EINVAL;
	}
	return fwd_set_ports(list, kept);
}

int
fwd_set_lcore_mask(uint64_t mask)
{
	uint32_t list[MASK_BITS];
	unsigned int count = mask_to_list(mask, list);

	if (count == 0) {
		fprintf(stderr, "Invalid NULL mask of cores\n");
		return -EINVAL;
	}
	return fwd_set_lcores(list, count);
}

int
fwd_set_port_count(uint16_t count)
{
	if (count > port_set.configured) {
		fprintf(stderr, "nb fwd ports %u > %u (number of configured ports) - "
			"ignored\n", count, port_set.configured);
		return -ERANGE;
	}
	port_set.used = count;
	return 0;
}

int
fwd_set_lcore_count(uint16_t count)
{
	if (count > lcore_set.configured) {
		fprintf(stderr, "nb fwd cores %u > %u (max. number of configured lcores) - "
			"ignored\n", count, lcore_set.configured);
		return -ERANGE;
	}
	lcore_set.used = count;
	return 0;
}

void
fwd_set_drop_gone(void)
{
	uint16_t kept = 0, used = 0, i;

	for (i = 0; i < port_set.configured; i++) {
		if (!rte_eth_dev_is_valid_port(port_set.id[i]))
			continue;
		if (i < port_set.used)
			used++;
		port_set.id[kept++] = port_set.id[i];
	}
	port_set.configured = kept;
	port_set.used = used;
}
