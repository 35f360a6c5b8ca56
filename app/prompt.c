/* SPDX-License-Identifier: BSD-3-Clause */
/* The prompt: reading commands from a terminal, a pipe or a file. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmdline.h>
#include <cmdline_socket.h>

#include "commands.h"
#include "prompt.h"
#include "signals.h"

#define PROMPT "testpmd> "

static cmdline_parse_ctx_t *context;

int
prompt_init(void)
{
	char error[256];

	context = cmdline_table_make(commands, error, sizeof(error));
	if (context == NULL) {
		fprintf(stderr, "commands: %s\n", error);
		return -errno;
	}
	return 0;
}

void
prompt_free(void)
{
	cmdline_table_free(context);
	context = NULL;
}

int
prompt_file(const char *path)
{
	struct cmdline *cmdline = cmdline_file_new(context, PROMPT, path);

	if (cmdline == NULL) {
		fprintf(stderr, "Failed to create file based cmdline context: %s\n", path);
		return -ENOENT;
	}
	cmdline_interact(cmdline);
	cmdline_free(cmdline);
	printf("Read CLI commands from %s\n", path);
	return 0;
}

int
prompt_run(void)
{
	struct cmdline *cmdline;
	char c;
	int rc;

	cmdline = cmdline_stdin_new(context, PROMPT);
	if (cmdline == NULL) {
		fprintf(stderr, "Failed to create stdin based cmdline context\n");
		return -ENOMEM;
	}
	/*
	 * Character by character: what follows `quit` on the same pipe is not ours. A
	 * signal is seen between two commands, never in the middle of one.
	 */
	for (;;) {
		ssize_t count;

		rc = signals_wait(STDIN_FILENO, -1);
		if (rc < 0)
			break;
		count = read(STDIN_FILENO, &c, 1);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0 || cmdline_in(cmdline, &c, 1) < 0)
			break;
	}
	cmdline_stdin_exit(cmdline);
	return rc == -EINTR ? 0 : RTE_MIN(rc, 0);
}
