/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run comes to: the verdict, and the report that people and tests read. */
#ifndef TESTS_WIRE_REPORT_H
#define TESTS_WIRE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"

struct totals {
	uint64_t received;	/* each frame sent counted once, intact */
	uint64_t expected;	/* frames that could have come */
	uint64_t lost;		/* expected - received */
	uint64_t duplicate;
	uint64_t reordered;
};

/* Of one stream. */
void report_stream_totals(const struct engine *e, const struct stream *s, struct totals *t);

/* Of the run. */
void report_totals(const struct engine *e, struct totals *t);

/* Did what --expect says happen? Writes one line on stderr for each thing that did not. */
bool report_verdict(const struct engine *e);

/* Write the JSON report to @path, "-" for stdout. Return: 0, or -1 after one line on stderr. */
int report_write(const struct engine *e, const char *path, bool ok);

/* One line for people on stderr. */
void report_summary(const struct engine *e);

#endif /* TESTS_WIRE_REPORT_H */
