/* SPDX-License-Identifier: BSD-3-Clause */
/* The report: what every actor did, was refused and failed at. */
#ifndef TESTS_STORM_TOOL_REPORT_H
#define TESTS_STORM_TOOL_REPORT_H

#include "act.h"

/* Write the report of @n actors. Return: 0, or -1 after one line on stderr. */
int report_write(const struct options *o, const struct act *act, unsigned int n, double seconds, bool ok);

#endif /* TESTS_STORM_TOOL_REPORT_H */
