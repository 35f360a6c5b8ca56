/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `set verbose`: printing every packet as it is received or sent. Callbacks on the
 * queues, there only while verbose: the burst functions know nothing of it.
 */
#ifndef TI_TESTPMD_DUMP_H
#define TI_TESTPMD_DUMP_H

#include <stdint.h>

/** Adds or removes the callbacks of a port as config.verbose says. */
void dump_refresh(uint16_t port);

/** Sets the level (0: nothing, 1: received, 2: sent, 3 and more: both), on all ports. */
void dump_set_level(uint32_t level);

#endif
