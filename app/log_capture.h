/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Listening to rte_log: the reason that a driver logs when it refuses a device is worth
 * more than the errno that arrives. What is logged goes on to where it went.
 */
#ifndef TI_TESTPMD_LOG_CAPTURE_H
#define TI_TESTPMD_LOG_CAPTURE_H

/** Starts listening. Main lcore; not nested. Return: 0 or a negative errno. */
int log_capture_start(void);

/**
 * Stops listening.
 *
 * Return: the first error since the start that a driver logged; else the first that EAL
 * or ethdev did; else NULL. Static storage, without newline.
 */
const char *log_capture_stop(void);

#endif
