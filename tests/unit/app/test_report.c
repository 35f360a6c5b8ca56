/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of measuring are written as they are: rates, ratios, and why there are none. */

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "measure_options.h"
#include "measure_report.h"

static struct measure_results results;
static char *text;

/* 64 B: all three modes; 1500 B: zero-copy could not be had. */
static int
make_results(void **state)
{
	unsigned int w, s, m;

	(void)state;
	memset(&results, 0, sizeof(results));
	results.port = "eth0";
	results.driver = "fec";
	results.duration = 2;
	results.works = 3;
	results.sizes = 2;
	results.modes = 3;
	for (w = 0; w < 3; w++)
		results.work[w] = w;
	results.size[0] = 64;
	results.size[1] = 1500;
	for (m = 0; m < 3; m++)
		results.mode[m] = m;
	if (measure_results_init(&results) < 0)
		return -1;
	for (w = 0; w < 3; w++)
		for (s = 0; s < 2; s++)
			for (m = 0; m < 3; m++) {
				struct measure_cell *cell = measure_cell(&results, w, s, m);

				if (s == 1 && m == 2) {
					snprintf(cell->reason, sizeof(cell->reason),
						 "no \"zero-copy\", use copy");
					continue;
				}
				cell->reason[0] = '\0';
				cell->seconds = 2;
				cell->rx = 500000 * (m + 1);
				cell->tx = 240000 * (m + 1);
				cell->missed = 7;
			}
	return 0;
}

static int
drop_results(void **state)
{
	(void)state;
	measure_results_free(&results);
	free(text);
	text = NULL;
	return 0;
}

static const char *
written(enum measure_format format)
{
	size_t size;
	FILE *file;

	free(text);
	file = open_memstream(&text, &size);
	assert_int_equal(measure_write(file, &results, format), 0);
	fclose(file);
	return text;
}

static void
rates(void **state)
{
	struct measure_cell cell = { .work = MEASURE_RXDROP, .rx = 300, .tx = 100,
				     .seconds = 2 };

	(void)state;
	assert_true(measure_rate(&cell) == 150);
	cell.work = MEASURE_TXONLY;
	assert_true(measure_rate(&cell) == 50);
	cell.work = MEASURE_L2FWD;
	assert_true(measure_rate(&cell) == 50);
	cell.seconds = 0;
	assert_true(measure_rate(&cell) == 0);
}

static void
ratios(void **state)
{
	(void)state;
	assert_true(fabs(measure_ratio(&results, 0, 0) - 1.5) < 1e-9);
	assert_true(measure_ratio(&results, 0, 1) < 0);
	/* Forwarding nothing has no ratio, rather than one of nought or of infinity. */
	measure_cell(&results, 0, 0, MEASURE_NATIVE)->rx = 0;
	assert_true(measure_ratio(&results, 0, 0) < 0);
}

static void
counting(void **state)
{
	(void)state;
	assert_int_equal(measure_measured(&results), 15);
}

static void
table(void **state)
{
	const char *out = written(MEASURE_TABLE);

	(void)state;
	assert_non_null(strstr(out, "eth0 (fec), 2 s each\n"));
	assert_non_null(strstr(out,
		"| Kpps   | 64 B: SKB | native | zero-copy | 1500 B: SKB | native | zero-copy |\n"
		"|--------|----------:|-------:|----------:|------------:|-------:|----------:|\n"
		"| rxdrop |       250 |    500 |       750 |         250 |    500 |         - |\n"
		"| txonly |       120 |    240 |       360 |         120 |    240 |         - |\n"));
	assert_non_null(strstr(out, "| l2fwd  |    64 | zero-copy |      1500000 |       720000 |"));
	assert_non_null(strstr(out, "zero-copy to native copy: rxdrop 64 B 1.50, "));
	assert_non_null(strstr(out, "zero-copy, rxdrop 1500 B: no \"zero-copy\", use copy\n"));
}

/* A small rate keeps a decimal: 0.4 Kpps is not 0. */
static void
small_rates(void **state)
{
	(void)state;
	measure_cell(&results, 0, 0, 0)->rx = 800;
	assert_non_null(strstr(written(MEASURE_TABLE), "| rxdrop |       0.4 |"));
}

static void
whole_mode_missing(void **state)
{
	unsigned int w, s;

	(void)state;
	for (w = 0; w < 3; w++)
		for (s = 0; s < 2; s++)
			snprintf(measure_cell(&results, w, s, 2)->reason,
				 MEASURE_REASON_MAX, "cannot be had");
	assert_non_null(strstr(written(MEASURE_TABLE), "\nzero-copy: cannot be had\n"));
	assert_null(strstr(text, "zero-copy, rxdrop"));
}

static void
json(void **state)
{
	json_t *root, *cell;
	const char *work, *mode, *reason;
	int size, rx;
	double kpps;

	(void)state;
	root = json_loads(written(MEASURE_JSON), 0, NULL);
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "driver")), "fec");
	assert_int_equal(json_array_size(json_object_get(root, "cells")), 18);
	assert_int_equal(json_array_size(json_object_get(root, "ratios")), 3);
	cell = json_array_get(json_object_get(root, "cells"), 0);
	assert_int_equal(json_unpack(cell, "{s:s, s:i, s:s, s:F, s:i}", "work", &work, "size",
				     &size, "mode", &mode, "kpps", &kpps, "rx", &rx), 0);
	assert_string_equal(work, "rxdrop");
	assert_int_equal(size, 64);
	assert_string_equal(mode, "skb");
	assert_true(fabs(kpps - 250) < 1e-6);
	assert_int_equal(rx, 500000);
	cell = json_array_get(json_object_get(root, "cells"), 5);
	assert_int_equal(json_unpack(cell, "{s:s}", "reason", &reason), 0);
	assert_string_equal(reason, "no \"zero-copy\", use copy");
	assert_null(json_object_get(cell, "kpps"));
	json_decref(root);
}

static void
json_without_driver(void **state)
{
	json_t *root;

	(void)state;
	results.driver = NULL;
	root = json_loads(written(MEASURE_JSON), 0, NULL);
	assert_true(json_is_null(json_object_get(root, "driver")));
	json_decref(root);
}

/* Fields of a line, commas within quotes not counted. */
static unsigned int
fields(const char *line)
{
	unsigned int count = 1;
	bool quoted = false;

	for (; *line != '\0' && *line != '\n'; line++) {
		if (*line == '"')
			quoted = !quoted;
		count += *line == ',' && !quoted;
	}
	return count;
}

static void
csv(void **state)
{
	const char *line = written(MEASURE_CSV);
	unsigned int lines = 0, columns = fields(line);

	(void)state;
	assert_int_equal(strncmp(line, "work,size,mode,kpps,rx,tx,missed,seconds,", 41), 0);
	assert_non_null(strstr(line, "\nrxdrop,64,native,500.000,1000000,480000,7,2.000000,"));
	assert_non_null(strstr(line, ",\"no \"\"zero-copy\"\", use copy\"\n"));
	for (; *line != '\0'; line = strchr(line, '\n') + 1) {
		assert_int_equal(fields(line), columns);
		lines++;
	}
	assert_int_equal(lines, 1 + 18);
}

static void
full_disk(void **state)
{
	FILE *file = fopen("/dev/full", "w");

	(void)state;
	if (file == NULL)
		skip();
	assert_true(measure_write(file, &results, MEASURE_CSV) < 0);
	fclose(file);
}

static void
frame_lengths(void **state)
{
	(void)state;
	assert_int_equal(measure_frame_length(64), 60);
	assert_int_equal(measure_frame_length(65), 65);
	assert_int_equal(measure_frame_length(1500), 1500);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_results, drop_results)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates),
		TEST(ratios),
		TEST(counting),
		TEST(table),
		TEST(small_rates),
		TEST(whole_mode_missing),
		TEST(json),
		TEST(json_without_driver),
		TEST(csv),
		TEST(full_disk),
		cmocka_unit_test(frame_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
