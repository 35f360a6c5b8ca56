/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The measuring mode: rxdrop, txonly and l2fwd, each with each frame size, in each XDP
 * mode. A mode is measured by opening the interface anew with the driver's mode
 * argument, cell by cell:
 *
 *	measure: begin <work> <size> <mode>	link up, queues polled: the partner may send
 *	   ... duration ...
 *	measure: end <work> <size> <mode> rx=<n> tx=<n> missed=<n> seconds=<f>
 *	   ... what is under way still is forwarded, up to 2 s ...
 *	measure: drained <work> <size> <mode> rx=<n> tx=<n> missed=<n>
 *
 * The lines are whole and unbuffered, so that a program can follow them. `end` counts
 * what the rate is reckoned from; `drained` everything since `begin`, with what came
 * after the end: against that the partner's own count shows loss and duplicates.
 *
 * Runs on the main lcore alone; no other lcore is needed.
 */
#ifndef TI_TESTPMD_MEASURE_H
#define TI_TESTPMD_MEASURE_H

#include <rte_ether.h>

/* What the help says of the measuring mode beyond its options. */
extern const char measure_help[];

/**
 * Takes one of the measuring mode's options.
 *
 * Return: NULL, or what is wrong with the argument (static storage).
 */
const char *measure_option(const char *name, const char *argument);

/** The destination of txonly's frames. */
void measure_set_peer(const struct rte_ether_addr *address);

/** Measures and reports. Return: the program's exit status. */
int measure_run(void);

#endif
