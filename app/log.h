/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own log, a type of rte_log: `testpmd`, as in dpdk-testpmd. */
#ifndef TI_TESTPMD_LOG_H
#define TI_TESTPMD_LOG_H

#include <rte_log.h>

extern int log_type;

#define LOG(level, format, ...) \
	rte_log(RTE_LOG_##level, log_type, "testpmd: " format "\n", ##__VA_ARGS__)

/** Registers the type, all of it shown. Return: 0 or a negative errno. */
int log_register(void);

#endif
