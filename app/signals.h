/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SIGINT and SIGTERM as a file descriptor: they end the program in order (stop
 * forwarding, final statistics, close the ports), wherever it waits, and no wait can
 * miss one.
 */
#ifndef TI_TESTPMD_SIGNALS_H
#define TI_TESTPMD_SIGNALS_H

#include <stdbool.h>

/**
 * Blocks both signals and opens the descriptor. To be called before rte_eal_init(),
 * so that the threads that EAL starts block them too.
 *
 * Return: 0 or a negative errno.
 */
int signals_open(void);

/** Whether the end was asked for. Never waits; once true, it stays true. */
bool signals_pending(void);

/**
 * Waits until fd (or none, if negative) can be read or is at its end, a signal comes
 * or the time is over.
 *
 * milliseconds: -1 for ever.
 * Return: 1 fd is ready, 0 time is over, -EINTR a signal came, else a negative errno.
 */
int signals_wait(int fd, int milliseconds);

#endif
