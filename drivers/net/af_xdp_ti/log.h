/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of the PMD: log lines, and the reason of a failure.
 *
 * A function that can fail takes a struct ti_why, writes one sentence into it
 * (what failed, on what, why, what to do) and returns a negative errno. It does
 * not log. The device operation at the top logs the sentence, once: so each
 * error is one line, and "auto" can try and discard without noise.
 */
#ifndef AF_XDP_TI_LOG_H
#define AF_XDP_TI_LOG_H

#include <rte_common.h>
#include <rte_log.h>

extern int ti_logtype;

/* One line; @name is the DPDK device's or the netdev's. No newline in the format. */
#define TI_LOG(level, name, fmt, ...) \
	rte_log(RTE_LOG_ ## level, ti_logtype, "%s: " fmt "\n", name, ##__VA_ARGS__)

struct ti_why {
	char msg[512];
};

/**
 * Write the reason of a failure.
 *
 * @param why  receives the sentence, cut if longer than the buffer
 * @param err  positive errno
 * @param fmt  sentence without newline and without final stop
 * @return     -err
 */
int ti_fail(struct ti_why *why, int err, const char *fmt, ...) __rte_format_printf(3, 4);

#endif /* AF_XDP_TI_LOG_H */
