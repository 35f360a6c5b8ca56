/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be measured, as the options of the measuring mode say. */
#ifndef TI_TESTPMD_MEASURE_OPTIONS_H
#define TI_TESTPMD_MEASURE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>

#include "measure_report.h"

struct measure_options {
	unsigned int work[MEASURE_WORKS];	/* enum measure_work */
	unsigned int works;
	uint32_t size[MEASURE_SIZES_MAX];
	unsigned int sizes;
	unsigned int mode[MEASURE_MODES];	/* enum measure_mode */
	unsigned int modes;		/* 0: not said */
	double duration;		/* seconds */
	const char *iface;		/* NULL: a port of EAL's */
	const char *devargs;		/* more for the driver of iface, NULL: none */
	uint16_t port;			/* of EAL's */
	bool port_chosen;
	bool verify;
	bool strict;
	bool format_chosen;
	enum measure_format format;
	const char *output;		/* NULL: standard output */
	struct rte_ether_addr destination; /* of txonly's frames */
};

extern struct measure_options measure_options;

/**
 * What only the options together tell: modes for what kind of port, format by the
 * output's name.
 *
 * Return: NULL or what is wrong.
 */
const char *measure_options_complete(void);

/** Bytes of a frame handed to the port for a size as the tables name it. */
uint16_t measure_frame_length(uint16_t size);

#endif
