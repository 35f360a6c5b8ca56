/* SPDX-License-Identifier: BSD-3-Clause */
/* The prompt: reading commands from a terminal, a pipe or a file. */
#ifndef TI_TESTPMD_PROMPT_H
#define TI_TESTPMD_PROMPT_H

/** Makes the command context. Return: 0 or a negative errno, said on stderr. */
int prompt_init(void);

/** Runs the commands of a file, as if typed. Return: 0 or a negative errno. */
int prompt_file(const char *path);

/** Runs commands from standard input until its end, `quit` or a signal. */
int prompt_run(void);

void prompt_free(void);

#endif
