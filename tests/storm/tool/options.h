/* SPDX-License-Identifier: BSD-3-Clause */
/* What the command line asks of the storm. */
#ifndef TESTS_STORM_TOOL_OPTIONS_H
#define TESTS_STORM_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define ACTORS_MAX	64

struct actor;

struct options {
	const char *iface;
	const struct actor *actor[ACTORS_MAX];
	unsigned int actors;
	double seconds;		/* 0: until a signal comes */
	uint64_t seed;
	unsigned int stuck_ms;	/* longest time in one call that is no hang */
	uint8_t dst_mac[6];	/* of the far end */
	uint32_t dst_ip;	/* host order */
	bool no_zero_sums;	/* no datagrams whose checksum comes to 0 */
	const char *json;
};

/* Return: 0 to go on, 1 when all is done (--help, --list), -1 after one line on stderr. */
int options_parse(struct options *o, int argc, char **argv);

#endif /* TESTS_STORM_TOOL_OPTIONS_H */
