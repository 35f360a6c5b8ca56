/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which ports and which lcores take part in forwarding: all that there are, or those of
 * a mask or list, and of these the first few where a number says so. Not while
 * forwarding.
 */
#ifndef TI_TESTPMD_FWD_SET_H
#define TI_TESTPMD_FWD_SET_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_config.h>

struct fwd_set {
	uint16_t configured;	/* ids that mask or list (or nothing) chose */
	uint16_t used;		/* of these, the first that are forwarded with */
	uint16_t id[RTE_MAX_LCORE > RTE_MAX_ETHPORTS ? RTE_MAX_LCORE : RTE_MAX_ETHPORTS];
};

const struct fwd_set *fwd_ports(void);
const struct fwd_set *fwd_lcores(void);

/** All ports; all lcores but the main one; one lcore in use. */
void fwd_set_default(void);

/** Whether a port is among the used ones. */
bool fwd_ports_contain(uint16_t port);

/*
 * Choose by list. Return: 0, or -EINVAL where an id is not there (said on stderr) or is
 * repeated or is the main lcore.
 */
int fwd_set_ports(const uint32_t *ports, unsigned int count);
int fwd_set_lcores(const uint32_t *lcores, unsigned int count);

/* Choose by mask; bit 0 is port or lcore 0. */
int fwd_set_port_mask(uint64_t mask);
int fwd_set_lcore_mask(uint64_t mask);

/* How many of the configured ones are used. Return: 0 or -ERANGE, said on stderr. */
int fwd_set_port_count(uint16_t count);
int fwd_set_lcore_count(uint16_t count);

/** Forgets ports that were closed. */
void fwd_set_drop_gone(void);

#endif
