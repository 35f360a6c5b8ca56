/* SPDX-License-Identifier: BSD-3-Clause */
/* EAL for the unit tests: in memory, without huge pages, devices or files. */
#ifndef TI_TEST_EAL_H
#define TI_TEST_EAL_H

#include <rte_eal.h>

static inline int
start_eal(const char *program)
{
	static char opts[][16] = {
		"", "--no-huge", "-m", "96", "--no-pci", "--no-shconf", "--no-telemetry",
		"-l", "0", "--log-level=3",
	};
	char *argv[sizeof(opts) / sizeof(opts[0])];
	char name[64];
	unsigned int i;

	for (i = 0; i < sizeof(opts) / sizeof(opts[0]); i++)
		argv[i] = opts[i];
	for (i = 0; i + 1 < sizeof(name) && program[i] != '\0'; i++)
		name[i] = program[i];
	name[i] = '\0';
	argv[0] = name;
	return rte_eal_init(sizeof(opts) / sizeof(opts[0]), argv) < 0 ? -1 : 0;
}

#endif /* TI_TEST_EAL_H */
