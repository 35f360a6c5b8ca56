/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of the PMD: the log type and the writer of reasons. */

#include <stdarg.h>
#include <stdio.h>

#include "log.h"

RTE_LOG_REGISTER_DEFAULT(ti_logtype, NOTICE);

int
ti_fail(struct ti_why *why, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why->msg, sizeof(why->msg), fmt, ap);
	va_end(ap);
	return -err;
}
