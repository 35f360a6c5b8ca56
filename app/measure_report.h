/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of measuring, and writing them as a table, as JSON and as CSV. */
#ifndef TI_TESTPMD_MEASURE_REPORT_H
#define TI_TESTPMD_MEASURE_REPORT_H

#include <stdint.h>
#include <stdio.h>

#define MEASURE_SIZES_MAX	16
#define MEASURE_REASON_MAX	512

enum measure_work {
	MEASURE_RXDROP,
	MEASURE_TXONLY,
	MEASURE_L2FWD,
	MEASURE_WORKS,
};

enum measure_mode {
	MEASURE_SKB,
	MEASURE_NATIVE,
	MEASURE_ZC,
	MEASURE_PORT, /* a port of EAL's, opened by somebody else */
	MEASURE_MODES,
};

enum measure_format {
	MEASURE_TABLE,
	MEASURE_JSON,
	MEASURE_CSV,
};

/* As options and output have them; NULL at the end. */
extern const char *const measure_work_names[];
extern const char *const measure_mode_names[];
extern const char *const measure_format_names[];

struct measure_cell {
	enum measure_work work;
	uint16_t size;
	enum measure_mode mode;
	char reason[MEASURE_REASON_MAX];	/* why it was not measured; empty: it was */
	/* Until the end of the measurement. */
	uint64_t rx;
	uint64_t tx;
	uint64_t missed;
	double seconds;
	/* With what came while draining. */
	uint64_t drained_rx;
	uint64_t drained_tx;
	uint64_t drained_missed;
	uint64_t tx_refused;	/* l2fwd: received, but the transmit queue was full */
	/* The port's own counts of the same time. */
	uint64_t port_rx;
	uint64_t port_tx;
	uint64_t port_rx_bytes;
	uint64_t port_tx_bytes;
	uint64_t errors;
};

struct measure_results {
	const char *port;	/* the interface, or the port's name */
	const char *driver;	/* of the Linux interface or of the port; may be NULL */
	double duration;
	enum measure_work work[MEASURE_WORKS];
	unsigned int works;
	uint16_t size[MEASURE_SIZES_MAX];
	unsigned int sizes;
	enum measure_mode mode[MEASURE_MODES];
	unsigned int modes;
	struct measure_cell *cells;	/* works * sizes * modes, see measure_cell() */
};

/** Makes room for the cells and marks each as not measured. Return: 0 or -ENOMEM. */
int measure_results_init(struct measure_results *results);

void measure_results_free(struct measure_results *results);

/** The cell of the i-th work, size and mode. */
struct measure_cell *measure_cell(const struct measure_results *results, unsigned int work,
				  unsigned int size, unsigned int mode);

/** Frames a second: received for rxdrop, sent for the others. */
double measure_rate(const struct measure_cell *cell);

/**
 * The ratio of zero-copy to native copy mode.
 *
 * Return: the ratio, or a negative number where either was not measured or is 0.
 */
double measure_ratio(const struct measure_results *results, unsigned int work,
		     unsigned int size);

/** How many cells were measured. */
unsigned int measure_measured(const struct measure_results *results);

/** Writes the results. Return: 0 or a negative errno. */
int measure_write(FILE *file, const struct measure_results *results,
		  enum measure_format format);

#endif
