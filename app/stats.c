/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of ports: showing and clearing. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_errno.h>
#include <rte_ethdev.h>

#include "config.h"
#include "fwd_set.h"
#include "ports.h"
#include "stats.h"

#define CHOSEN_MAX	32

#define BORDER "########################"

/* What was last shown of a port: the rates are since then. */
static struct {
	uint64_t ns;
	struct rte_eth_stats stats;
	uint64_t chosen[CHOSEN_MAX];
} last[RTE_MAX_ETHPORTS];

/* The names of --display-xstats. */
static char chosen[CHOSEN_MAX][RTE_ETH_XSTATS_NAME_SIZE];
static unsigned int chosen_count;

int
stats_choose_xstats(const char *names)
{
	size_t length;

	for (; *names != '\0'; names += length + (names[length] == ',')) {
		length = strcspn(names, ",");
		if (length == 0)
			continue;
		if (chosen_count == CHOSEN_MAX || length >= sizeof(chosen[0]))
			return -EINVAL;
		memcpy(chosen[chosen_count], names, length);
		chosen[chosen_count++][length] = '\0';
	}
	return 0;
}

/* Nanoseconds since the port was last shown, 0 for the first time. */
static uint64_t
since_last(uint16_t id)
{
	struct timespec now;
	uint64_t ns, since;

	if (clock_gettime(CLOCK_MONOTONIC_RAW, &now) != 0)
		return 0;
	ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
	since = last[id].ns != 0 ? ns - last[id].ns : 0;
	last[id].ns = ns;
	return since;
}

static uint64_t
rate(uint64_t now, uint64_t before, uint64_t ns)
{
	/* A counter that was cleared meanwhile gives no rate. */
	if (ns == 0 || now <= before)
		return 0;
	return (uint64_t)((double)(now - before) / (double)ns * (double)NS_PER_S);
}

static void
show_chosen_xstats(uint16_t id, uint64_t ns)
{
	uint64_t xstat, value;
	unsigned int i;

	printf("\n%-31s%-17s%s\n", " ", "Value", "Rate (since last show)");
	for (i = 0; i < chosen_count; i++) {
		if (rte_eth_xstats_get_id_by_name(id, chosen[i], &xstat) != 0 ||
		    rte_eth_xstats_get_by_id(id, &xstat, &value, 1) != 1)
			continue;
		printf("  %-25s%12" PRIu64 " %15" PRIu64 "\n", chosen[i], value,
		       rate(value, last[id].chosen[i], ns));
		last[id].chosen[i] = value;
	}
}

void
stats_show_port(uint16_t id)
{
	struct rte_eth_stats stats, *before = &last[id].stats;
	uint64_t ns;
	int rc;

	rc = rte_eth_stats_get(id, &stats);
	if (rc != 0) {
		fprintf(stderr, "failed to get stats (port %u): %s\n", id,
			rte_strerror(-rc));
		return;
	}
	printf("\n  " BORDER " NIC statistics for port %-2u " BORDER "\n", id);
	printf("  RX-packets: %-10" PRIu64 " RX-missed: %-10" PRIu64 " RX-bytes:  %" PRIu64 "\n",
	       stats.ipackets, stats.imissed, stats.ibytes);
	printf("  RX-errors: %" PRIu64 "\n", stats.ierrors);
	printf("  RX-nombuf:  %-10" PRIu64 "\n", stats.rx_nombuf);
	printf("  TX-packets: %-10" PRIu64 " TX-errors: %-10" PRIu64 " TX-bytes:  %" PRIu64 "\n",
	       stats.opackets, stats.oerrors, stats.obytes);

	ns = since_last(id);
	printf("\n  Throughput (since last show)\n");
	printf("  Rx-pps: %12" PRIu64 "          Rx-bps: %12" PRIu64 "\n",
	       rate(stats.ipackets, before->ipackets, ns),
	       rate(stats.ibytes, before->ibytes, ns) * 8);
	printf("  Tx-pps: %12" PRIu64 "          Tx-bps: %12" PRIu64 "\n",
	       rate(stats.opackets, before->opackets, ns),
	       rate(stats.obytes, before->obytes, ns) * 8);
	*before = stats;
	if (chosen_count > 0)
		show_chosen_xstats(id, ns);
	printf("  " BORDER "############################" BORDER "\n");
}

/* After clearing, the forward statistics count from where the port stands now. */
static int
rebase(uint16_t id)
{
	int rc = rte_eth_stats_get(id, &port_get(id)->base);

	if (rc != 0)
		fprintf(stderr, "failed to get stats (port %u): %s\n", id,
			rte_strerror(-rc));
	return rc;
}

void
stats_clear_port(uint16_t id)
{
	int rc = rte_eth_stats_reset(id);

	if (rc != 0) {
		fprintf(stderr, "failed to reset stats (port %u): %s\n", id,
			rte_strerror(-rc));
		return;
	}
	if (rebase(id) == 0)
		printf("\n  NIC statistics for port %u cleared\n", id);
}

void
stats_show_port_xstats(uint16_t id)
{
	struct rte_eth_xstat_name *names = NULL;
	struct rte_eth_xstat *values = NULL;
	int count, i;

	printf("###### NIC extended statistics for port %-2u\n", id);
	count = rte_eth_xstats_get_names(id, NULL, 0);
	if (count < 0) {
		fprintf(stderr, "Error: Cannot get count of xstats\n");
		return;
	}
	names = calloc((size_t)count + 1, sizeof(*names));
	values = calloc((size_t)count + 1, sizeof(*values));
	if (names == NULL || values == NULL)
		fprintf(stderr, "Cannot allocate memory for xstats\n");
	else if (rte_eth_xstats_get_names(id, names, (unsigned int)count) != count ||
		 rte_eth_xstats_get(id, values, (unsigned int)count) != count)
		fprintf(stderr, "Error: Unable to get xstats\n");
	else
		for (i = 0; i < count; i++)
			printf("%s: %" PRIu64 "\n", names[i].name, values[i].value);
	free(names);
	free(values);
}

void
stats_clear_port_xstats(uint16_t id)
{
	int rc = rte_eth_xstats_reset(id);

	if (rc != 0)
		fprintf(stderr, "failed to reset xstats (port %u): %s\n", id,
			rte_strerror(-rc));
	else
		rebase(id);
}

void
stats_show_period(void)
{
	const struct fwd_set *ports = fwd_ports();
	uint16_t i;

	/* Clear the screen, cursor to the top left. */
	printf("\033[2J\033[1;1H");
	printf("\nPort statistics ====================================");
	for (i = 0; i < ports->used; i++)
		stats_show_port(ports->id[i]);
	fflush(stdout);
}
