/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the prompt. */
#ifndef TI_TESTPMD_COMMANDS_H
#define TI_TESTPMD_COMMANDS_H

#include <stdbool.h>

#include "cmdline_table.h"

/* Every command, a row without pattern at the end. */
extern const struct command commands[];

/** Whether `quit` was given. */
bool commands_quit(void);

/**
 * The lengths of txpkts, taken over where they can be: each within an mbuf, together a
 * UDP packet at least. Says on stderr what is wrong with them.
 *
 * Return: 0 or -EINVAL.
 */
int set_txpkts(const char *list);

#endif
