/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storms on the PMD that only a program can make which calls it.
 *
 *   pmd-storm EAL... -- STORM --iface NAME [--iface NAME] [--queues N] [--devargs ,KEY=VALUE]
 *             [--seconds N] [--seed N]
 *
 * STORM is calls, fds (calls.c), mbufs (mbufs.c) or churn (churn.c). What was done goes to
 * stdout; the first fault to stderr, and ends it with exit code 1.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_debug.h>
#include <rte_eal.h>
#include <rte_log.h>
#include <rte_mbuf.h>

#include "bench.h"

static const struct {
	const char *name;
	int (*run)(void);
} storms[] = {
	{ "calls", storm_calls },
	{ "fds", storm_fds },
	{ "mbufs", storm_mbufs },
	{ "churn", storm_churn },
};

static void
parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "iface", required_argument, NULL, 'i' },
		{ "queues", required_argument, NULL, 'q' },
		{ "devargs", required_argument, NULL, 'd' },
		{ "seconds", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'r' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'i':
			if (bench.netdevs == BENCH_NETDEVS)
				rte_exit(2, "pmd-storm: no more than %u times --iface\n", BENCH_NETDEVS);
			bench.ifname[bench.netdevs++] = optarg;
			break;
		case 'q':
			bench.queues = strtoul(optarg, NULL, 10);
			break;
		case 'd':
			bench.devargs = optarg;
			break;
		case 's':
			bench.seconds = strtod(optarg, NULL);
			break;
		case 'r':
			bench.seed = strtoull(optarg, NULL, 10);
			break;
		default:
			exit(2);
		}
	}
	if (bench.netdevs == 0)
		rte_exit(2, "pmd-storm: --iface is missing\n");
}

int
main(int argc, char **argv)
{
	FILE *log = tmpfile();
	const char *name;
	int args, ret;

	args = rte_eal_init(argc, argv);
	if (args < 0 || log == NULL)
		rte_exit(2, "pmd-storm: EAL cannot be started\n");
	argc -= args;
	argv += args;
	name = argc > 1 ? argv[1] : "";
	parse(argc - 1, argv + 1);
	bench_seed(bench.seed);
	bench_pool = rte_pktmbuf_pool_create("pool", BENCH_MBUFS, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					     SOCKET_ID_ANY);
	bench_other = rte_pktmbuf_pool_create("other", BENCH_MBUFS, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					      SOCKET_ID_ANY);
	if (bench_pool == NULL || bench_other == NULL)
		rte_exit(2, "pmd-storm: no memory for mbufs\n");
	rte_openlog_stream(log);
	for (unsigned int i = 0; i < RTE_DIM(storms); i++) {
		if (strcmp(storms[i].name, name) != 0)
			continue;
		ret = storms[i].run();
		rte_eal_cleanup();
		return ret;
	}
	rte_exit(2, "pmd-storm: no storm \"%s\"\n", name);
}
