/* SPDX-License-Identifier: BSD-3-Clause */
/* Listening to rte_log for the reason of a failure. */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>
#include <rte_log.h>

#include "log_capture.h"

#define LINE_MAX_LENGTH 512

static FILE *before;	/* where the log went, */
static uint32_t level;	/* and down to what it was shown */
static FILE *stream;	/* where it goes while listening */

static struct {
	char line[LINE_MAX_LENGTH];
	size_t length;
	char driver[LINE_MAX_LENGTH];	/* first error of a driver */
	char library[LINE_MAX_LENGTH];	/* first error of EAL or ethdev */
} heard;

/* What EAL and ethdev say of a failure is only that there was one. */
static bool
from_library(const char *line)
{
	return strncmp(line, "EAL: ", 5) == 0 || strncmp(line, "ETHDEV: ", 8) == 0 ||
	       strncmp(line, "Ethdev ", 7) == 0;
}

static void
end_line(void)
{
	char *reason = from_library(heard.line) ? heard.library : heard.driver;

	if (reason[0] == '\0' && rte_log_cur_msg_loglevel() <= (int)RTE_LOG_ERR)
		memcpy(reason, heard.line, heard.length + 1);
	heard.length = 0;
}

static ssize_t
hear(void *cookie __rte_unused, const char *text, size_t size)
{
	size_t i;

	if (rte_log_cur_msg_loglevel() <= (int)level) {
		fwrite(text, 1, size, before);
		fflush(before);
	}
	for (i = 0; i < size; i++) {
		if (heard.length < sizeof(heard.line) - 1 && text[i] != '\n')
			heard.line[heard.length++] = text[i];
		heard.line[heard.length] = '\0';
		if (text[i] == '\n')
			end_line();
	}
	return (ssize_t)size;
}

int
log_capture_start(void)
{
	const cookie_io_functions_t functions = { .write = hear };

	memset(&heard, 0, sizeof(heard));
	before = rte_log_get_stream();
	level = rte_log_get_global_level();
	stream = fopencookie(NULL, "w", functions);
	if (stream == NULL)
		return -ENOMEM;
	/* Line by line, so that the level of the message is still the line's. */
	setvbuf(stream, NULL, _IOLBF, 0);
	/* Errors are heard even where they are not to be shown. */
	rte_log_set_global_level(RTE_MAX(level, RTE_LOG_ERR));
	return rte_openlog_stream(stream);
}

const char *
log_capture_stop(void)
{
	if (stream != NULL) {
		rte_openlog_stream(before);
		rte_log_set_global_level(level);
		fclose(stream);
		stream = NULL;
	}
	if (heard.driver[0] != '\0')
		return heard.driver;
	return heard.library[0] != '\0' ? heard.library : NULL;
}
