/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of measuring, and writing them as a table, as JSON and as CSV. */

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "measure_report.h"

#define NOT_MEASURED "not measured"
#define JSON_DIGITS 9 /* of a real number: microseconds of minutes */

const char *const measure_work_names[] = { "rxdrop", "txonly", "l2fwd", NULL };
const char *const measure_mode_names[] = { "skb", "native", "zc", "port", NULL };
const char *const measure_format_names[] = { "table", "json", "csv", NULL };

/* As the published tables head their columns. */
static const char *const mode_titles[] = { "SKB", "native", "zero-copy", "port" };

int
measure_results_init(struct measure_results *results)
{
	unsigned int w, s, m;

	results->cells = calloc(results->works * results->sizes * results->modes,
				sizeof(*results->cells));
	if (results->cells == NULL)
		return -ENOMEM;
	for (w = 0; w < results->works; w++)
		for (s = 0; s < results->sizes; s++)
			for (m = 0; m < results->modes; m++) {
				struct measure_cell *cell = measure_cell(results, w, s, m);

				cell->work = results->work[w];
				cell->size = results->size[s];
				cell->mode = results->mode[m];
				snprintf(cell->reason, sizeof(cell->reason), NOT_MEASURED);
			}
	return 0;
}

void
measure_results_free(struct measure_results *results)
{
	free(results->cells);
	results->cells = NULL;
}

struct measure_cell *
measure_cell(const struct measure_results *results, unsigned int work, unsigned int size,
	     unsigned int mode)
{
	return &results->cells[(work * results->sizes + size) * results->modes + mode];
}

double
measure_rate(const struct measure_cell *cell)
{
	uint64_t frames = cell->work == MEASURE_RXDROP ? cell->rx : cell->tx;

	return cell->seconds > 0 ? (double)frames / cell->seconds : 0;
}

double
measure_ratio(const struct measure_results *results, unsigned int work, unsigned int size)
{
	double native = 0, zero_copy = 0;
	unsigned int m;

	for (m = 0; m < results->modes; m++) {
		const struct measure_cell *cell = measure_cell(results, work, size, m);

		if (cell->reason[0] != '\0')
			continue;
		if (cell->mode == MEASURE_NATIVE)
			native = measure_rate(cell);
		else if (cell->mode == MEASURE_ZC)
			zero_copy = measure_rate(cell);
	}
	return native > 0 && zero_copy > 0 ? zero_copy / native : -1;
}

unsigned int
measure_measured(const struct measure_results *results)
{
	unsigned int cells = results->works * results->sizes * results->modes;
	unsigned int count = 0, i;

	for (i = 0; i < cells; i++)
		count += results->cells[i].reason[0] == '\0';
	return count;
}

/* ---- table ---- */

/* Kpps as the published tables have them: whole, but small rates with a decimal. */
static void
format_kpps(const struct measure_cell *cell, char *text, size_t size)
{
	double kpps = measure_rate(cell) / 1000;

	if (cell->reason[0] != '\0')
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%.*f", kpps < 100 ? 1 : 0, kpps);
}

/* The head of a column; its length is the column's width. */
static int
column_title(const struct measure_results *results, unsigned int s, unsigned int m,
	     char *text, size_t size)
{
	const char *mode = mode_titles[results->mode[m]];

	if (m == 0)
		return snprintf(text, size, "%u B: %s", results->size[s], mode);
	return snprintf(text, size, "%-6s", mode);
}

static void
write_rates(FILE *file, const struct measure_results *results)
{
	unsigned int columns = results->sizes * results->modes, c, w;
	char title[32], text[32];

	fprintf(file, "| Kpps  ");
	for (c = 0; c < columns; c++) {
		column_title(results, c / results->modes, c % results->modes, title,
			     sizeof(title));
		fprintf(file, " | %s", title);
	}
	fprintf(file, " |\n|--------");
	for (c = 0; c < columns; c++) {
		int width = column_title(results, c / results->modes, c % results->modes,
					 title, sizeof(title));

		memset(text, '-', sizeof(text));
		fprintf(file, "|%.*s:", width + 1, text);
	}
	fprintf(file, "|\n");
	for (w = 0; w < results->works; w++) {
		fprintf(file, "| %-6s", measure_work_names[results->work[w]]);
		for (c = 0; c < columns; c++) {
			unsigned int s = c / results->modes, m = c % results->modes;
			int width = column_title(results, s, m, title, sizeof(title));

			format_kpps(measure_cell(results, w, s, m), text, sizeof(text));
			fprintf(file, " | %*s", width, text);
		}
		fprintf(file, " |\n");
	}
}

static void
write_counts(FILE *file, const struct measure_results *results)
{
	unsigned int w, s, m;

	fprintf(file, "\n| %-6s | %5s | %-9s | %12s | %12s | %12s | %8s |\n", "work", "bytes",
		"mode", "received", "sent", "missed", "seconds");
	fprintf(file, "|--------|------:|-----------|-------------:|-------------:"
		"|-------------:|---------:|\n");
	for (w = 0; w < results->works; w++)
		for (s = 0; s < results->sizes; s++)
			for (m = 0; m < results->modes; m++) {
				const struct measure_cell *cell =
					measure_cell(results, w, s, m);

				if (cell->reason[0] != '\0')
					continue;
				fprintf(file, "| %-6s | %5u | %-9s | %12" PRIu64 " | %12"
					PRIu64 " | %12" PRIu64 " | %8.3f |\n",
					measure_work_names[cell->work], cell->size,
					mode_titles[cell->mode], cell->rx, cell->tx,
					cell->missed, cell->seconds);
			}
}

static void
write_ratios(FILE *file, const struct measure_results *results)
{
	unsigned int w, s, shown = 0;
	double ratio;

	for (w = 0; w < results->works; w++)
		for (s = 0; s < results->sizes; s++) {
			ratio = measure_ratio(results, w, s);
			if (ratio < 0)
				continue;
			if (shown++ == 0)
				fprintf(file, "\nzero-copy to native copy:");
			fprintf(file, "%s %s %u B %.2f", shown > 1 ? "," : "",
				measure_work_names[results->work[w]], results->size[s],
				ratio);
		}
	if (shown > 0)
		fprintf(file, "\n");
}

/* Whether nothing was measured in a mode, for one and the same reason. */
static bool
same_reason(const struct measure_results *results, unsigned int m)
{
	const char *first = measure_cell(results, 0, 0, m)->reason;
	unsigned int w, s;

	for (w = 0; w < results->works; w++)
		for (s = 0; s < results->sizes; s++)
			if (strcmp(measure_cell(results, w, s, m)->reason, first) != 0)
				return false;
	return first[0] != '\0';
}

static void
write_reasons(FILE *file, const struct measure_results *results)
{
	unsigned int w, s, m;

	if (measure_measured(results) < results->works * results->sizes * results->modes)
		fprintf(file, "\n");
	for (m = 0; m < results->modes; m++) {
		if (same_reason(results, m)) {
			fprintf(file, "%s: %s\n", mode_titles[results->mode[m]],
				measure_cell(results, 0, 0, m)->reason);
			continue;
		}
		for (w = 0; w < results->works; w++)
			for (s = 0; s < results->sizes; s++) {
				const struct measure_cell *cell =
					measure_cell(results, w, s, m);

				if (cell->reason[0] != '\0')
					fprintf(file, "%s, %s %u B: %s\n",
						mode_titles[cell->mode],
						measure_work_names[cell->work], cell->size,
						cell->reason);
			}
	}
}

static void
write_table(FILE *file, const struct measure_results *results)
{
	fprintf(file, "%s%s%s%s, %.3g s each\n\n", results->port,
		results->driver != NULL ? " (" : "",
		results->driver != NULL ? results->driver : "",
		results->driver != NULL ? ")" : "", results->duration);
	write_rates(file, results);
	if (measure_measured(results) > 0)
		write_counts(file, results);
	write_ratios(file, results);
	write_reasons(file, results);
}

/* ---- JSON ---- */

static json_t *
json_count(uint64_t count)
{
	return json_integer((json_int_t)count);
}

static json_t *
json_cell(const struct measure_cell *cell)
{
	json_t *object = json_pack("{s:s, s:i, s:s}",
				   "work", measure_work_names[cell->work],
				   "size", (int)cell->size,
				   "mode", measure_mode_names[cell->mode]);

	if (cell->reason[0] != '\0') {
		json_object_set_new(object, "reason", json_string(cell->reason));
		return object;
	}
	json_object_set_new(object, "kpps", json_real(measure_rate(cell) / 1000));
	json_object_set_new(object, "seconds", json_real(cell->seconds));
	json_object_set_new(object, "rx", json_count(cell->rx));
	json_object_set_new(object, "tx", json_count(cell->tx));
	json_object_set_new(object, "missed", json_count(cell->missed));
	json_object_set_new(object, "drained_rx", json_count(cell->drained_rx));
	json_object_set_new(object, "drained_tx", json_count(cell->drained_tx));
	json_object_set_new(object, "drained_missed", json_count(cell->drained_missed));
	json_object_set_new(object, "tx_refused", json_count(cell->tx_refused));
	json_object_set_new(object, "port_rx", json_count(cell->port_rx));
	json_object_set_new(object, "port_tx", json_count(cell->port_tx));
	json_object_set_new(object, "port_rx_bytes", json_count(cell->port_rx_bytes));
	json_object_set_new(object, "port_tx_bytes", json_count(cell->port_tx_bytes));
	json_object_set_new(object, "errors", json_count(cell->errors));
	return object;
}

static int
write_json(FILE *file, const struct measure_results *results)
{
	json_t *cells = json_array(), *ratios = json_array(), *root;
	unsigned int w, s, m;
	double ratio;
	int rc;

	for (w = 0; w < results->works; w++)
		for (s = 0; s < results->sizes; s++) {
			for (m = 0; m < results->modes; m++)
				json_array_append_new(cells, json_cell(
					measure_cell(results, w, s, m)));
			ratio = measure_ratio(results, w, s);
			if (ratio >= 0)
				json_array_append_new(ratios, json_pack("{s:s, s:i, s:f}",
					"work", measure_work_names[results->work[w]],
					"size", (int)results->size[s],
					"zc_to_native", ratio));
		}
	root = json_pack("{s:s, s:s?, s:f, s:o, s:o}",
			 "port", results->port, "driver", results->driver,
			 "duration", results->duration, "cells", cells, "ratios", ratios);
	if (root == NULL)
		return -ENOMEM;
	rc = json_dumpf(root, file, JSON_INDENT(2) | JSON_REAL_PRECISION(JSON_DIGITS));
	json_decref(root);
	fputc('\n', file);
	return rc == 0 ? 0 : -EIO;
}

/* ---- CSV (RFC 4180) ---- */

static void
write_quoted(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			fputc('"', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void
write_csv(FILE *file, const struct measure_results *results)
{
	unsigned int cells = results->works * results->sizes * results->modes, i;

	fprintf(file, "work,size,mode,kpps,rx,tx,missed,seconds,drained_rx,drained_tx,"
		"drained_missed,tx_refused,port_rx,port_tx,port_rx_bytes,port_tx_bytes,"
		"errors,reason\n");
	for (i = 0; i < cells; i++) {
		const struct measure_cell *cell = &results->cells[i];

		fprintf(file, "%s,%u,%s,", measure_work_names[cell->work], cell->size,
			measure_mode_names[cell->mode]);
		if (cell->reason[0] != '\0') {
			fprintf(file, ",,,,,,,,,,,,,,");
			write_quoted(file, cell->reason);
		} else {
			fprintf(file, "%.3f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f",
				measure_rate(cell) / 1000, cell->rx, cell->tx,
				cell->missed, cell->seconds);
			fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
				",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
				cell->drained_rx, cell->drained_tx, cell->drained_missed,
				cell->tx_refused, cell->port_rx, cell->port_tx,
				cell->port_rx_bytes, cell->port_tx_bytes, cell->errors);
		}
		fputc('\n', file);
	}
}

int
measure_write(FILE *file, const struct measure_results *results,
	      enum measure_format format)
{
	int rc = 0;

	switch (format) {
	case MEASURE_TABLE:
		write_table(file, results);
		break;
	case MEASURE_JSON:
		rc = write_json(file, results);
		break;
	case MEASURE_CSV:
		write_csv(file, results);
		break;
	}
	if (rc == 0 && (fflush(file) != 0 || ferror(file)))
		rc = -EIO;
	return rc;
}
