/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of ports and of forwarding: showing and clearing, as dpdk-testpmd does. */
#ifndef TI_TESTPMD_STATS_H
#define TI_TESTPMD_STATS_H

#include <stdint.h>

/**
 * The extended statistics that stats_show_port() adds, by name, with commas between.
 * The text must live on. Return: 0 or -EINVAL, -ENOMEM.
 */
int stats_choose_xstats(const char *names);

void stats_show_port(uint16_t port);
void stats_clear_port(uint16_t port);
void stats_show_port_xstats(uint16_t port);
void stats_clear_port_xstats(uint16_t port);

/** The statistics of the forwarding ports, as --stats-period shows them. */
void stats_show_period(void);

/** What the present or last forwarding moved, by port and in all. */
void stats_show_forward(void);

#endif
