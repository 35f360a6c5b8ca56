/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be measured, as the options of the measuring mode say. */

#include <stdlib.h>
#include <string.h>

#include <frame.h>

#include "measure.h"
#include "measure_options.h"
#include "value.h"

#define DURATION_MAX	86400.0
#define SIZE_MIN	RTE_ETHER_MIN_LEN
#define SIZE_MAX_BYTES	FRAME_MAX

struct measure_options measure_options = {
	.work = { MEASURE_RXDROP, MEASURE_TXONLY, MEASURE_L2FWD },
	.works = MEASURE_WORKS,
	.size = { 64, 1500 },
	.sizes = 2,
	.duration = 5,
	/* Where dpdk-testpmd sends what port 0's peer shall get. */
	.destination = {{ 0x02, 0, 0, 0, 0, 0 }},
};

const char measure_help[] =
"Measuring (--measure) opens --iface=NAME once for each mode with the driver\n"
"net_af_xdp_ti: skb (XDP in the stack), native (XDP in the driver, copying) and zc\n"
"(zero-copy); without --iface it measures a port that the EAL options made, mode `port`.\n"
"  rxdrop  receives and frees what the partner sends\n"
"  txonly  sends UDP frames to 02:00:00:00:00:00, or to the MAC of --eth-peer; with\n"
"          --verify they are numbered and summed as the link partner `wire` checks them\n"
"  l2fwd   sends back what it receives, the MAC addresses exchanged\n"
"Sizes are named as the published tables name them: 64 is the minimum Ethernet frame,\n"
"60 bytes and the FCS; any other size is what is handed to the port, without FCS. For\n"
"rxdrop and l2fwd a size is only the name of the column: the partner makes the frames.\n"
"Their time counts from the first frame; if none comes for the whole duration, the rate is 0.\n"
"The partner is led by lines on standard output:\n"
"  measure: begin WORK SIZE MODE      it may send\n"
"  measure: end WORK SIZE MODE rx=N tx=N missed=N seconds=S\n"
"  measure: drained WORK SIZE MODE rx=N tx=N missed=N    with what came after the end\n"
"The table goes to standard output. --output=FILE also writes FILE, as --format says or\n"
"its name ends (.json, .csv); --format alone changes what standard output gets.\n"
"Ends with failure where nothing could be measured, with --strict if anything could not.\n"
"Measuring runs on the main lcore; one lcore is enough.\n";

static const char *
take_works(const char *argument)
{
	int count;

	if (argument == NULL)
		return NULL;
	count = value_names(argument, measure_work_names, measure_options.work,
			    MEASURE_WORKS);
	if (count < 0)
		return "not a list of rxdrop, txonly, l2fwd";
	measure_options.works = (unsigned int)count;
	return NULL;
}

static const char *
take_sizes(const char *argument)
{
	int count, i;

	count = value_list(argument, SIZE_MAX_BYTES, measure_options.size,
			   MEASURE_SIZES_MAX);
	for (i = 0; i < count; i++)
		if (measure_options.size[i] < SIZE_MIN)
			count = -1;
	if (count < 0)
		return "not a list of at most 16 sizes from 64 to 9600";
	measure_options.sizes = (unsigned int)count;
	return NULL;
}

static const char *
take_modes(const char *argument)
{
	static const char *const names[] = { "skb", "native", "zc", NULL };
	int count = value_names(argument, names, measure_options.mode, MEASURE_PORT);

	if (count < 0)
		return "not a list of skb, native, zc";
	measure_options.modes = (unsigned int)count;
	return NULL;
}

static const char *
take_duration(const char *argument)
{
	char *end;

	measure_options.duration = strtod(argument, &end);
	if (end == argument || *end != '\0' || !(measure_options.duration > 0) ||
	    measure_options.duration > DURATION_MAX)
		return "not a number of seconds above 0, a day at most";
	return NULL;
}

static const char *
take_port(const char *argument)
{
	uint64_t port;

	if (value_number(argument, 10, 0, RTE_MAX_ETHPORTS - 1, &port) < 0)
		return "not a port number";
	measure_options.port = (uint16_t)port;
	measure_options.port_chosen = true;
	return NULL;
}

static const char *
take_format(const char *argument)
{
	unsigned int format;

	if (value_names(argument, measure_format_names, &format, 1) < 0)
		return "not one of table, json, csv";
	measure_options.format = (enum measure_format)format;
	measure_options.format_chosen = true;
	return NULL;
}

const char *
measure_option(const char *name, const char *argument)
{
	if (argument != NULL && *argument == '\0')
		return "needs a value";
	if (strcmp(name, "measure") == 0)
		return take_works(argument);
	if (strcmp(name, "sizes") == 0)
		return take_sizes(argument);
	if (strcmp(name, "modes") == 0)
		return take_modes(argument);
	if (strcmp(name, "duration") == 0)
		return take_duration(argument);
	if (strcmp(name, "measure-port") == 0)
		return take_port(argument);
	if (strcmp(name, "format") == 0)
		return take_format(argument);
	if (strcmp(name, "iface") == 0)
		measure_options.iface = argument;
	else if (strcmp(name, "devargs") == 0)
		measure_options.devargs = argument;
	else if (strcmp(name, "output") == 0)
		measure_options.output = argument;
	else if (strcmp(name, "verify") == 0)
		measure_options.verify = true;
	else
		measure_options.strict = true;
	return NULL;
}

void
measure_set_peer(const struct rte_ether_addr *address)
{
	measure_options.destination = *address;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

const char *
measure_options_complete(void)
{
	struct measure_options *options = &measure_options;

	if (options->iface == NULL && options->modes > 0)
		return "--modes: a port of EAL's has none, name an interface with --iface";
	if (options->iface == NULL && options->devargs != NULL)
		return "--devargs: for the driver of --iface only";
	if (options->iface != NULL && options->port_chosen)
		return "--measure-port: not together with --iface";
	if (options->iface == NULL) {
		options->mode[0] = MEASURE_PORT;
		options->modes = 1;
	} else if (options->modes == 0) {
		for (; options->modes < MEASURE_PORT; options->modes++)
			options->mode[options->modes] = options->modes;
	}
	if (!options->format_chosen && options->output != NULL) {
		if (ends_with(options->output, ".json"))
			options->format = MEASURE_JSON;
		else if (ends_with(options->output, ".csv"))
			options->format = MEASURE_CSV;
	}
	return NULL;
}

uint16_t
measure_frame_length(uint16_t size)
{
	return size == RTE_ETHER_MIN_LEN ? RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN : size;
}
