/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ti-testpmd: forwards packets between DPDK ports, with the options, prompt and output
 * of dpdk-testpmd, and measures AF_XDP. This file: start, what to run, orderly end.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "commands.h"
#include "config.h"
#include "forward.h"
#include "fwd_set.h"
#include "log.h"
#include "measure.h"
#include "options.h"
#include "pool.h"
#include "ports.h"
#include "prompt.h"
#include "signals.h"
#include "stats.h"



static int
fail(const char *what, int rc)
{
	fprintf(stderr, "ti-testpmd: %s: %s\n", what, rte_strerror(-rc));
	return EXIT_FAILURE;
}

/* Non-interactive: until Enter, the end of the input or a signal. */
static int
wait_for_enter(void)
{
	char c;
	int rc;

	printf("Press enter to exit\n");
	rc = signals_wait(STDIN_FILENO, -1);
	if (rc == 1 && read(STDIN_FILENO, &c, 1) < 0)
		rc = -errno;
	return rc == -EINTR || rc > 0 ? 0 : rc;
}

/* Non-interactive with --stats-period: until a signal. */
static int
show_periodically(void)
{
	int rc;

	for (;;) {
		rc = signals_wait(-1, (int)config.stats_period * MS_PER_S);
		if (rc < 0)
			return rc == -EINTR ? 0 : rc;
		stats_show_period();
	}
}

static int
run_interactive(void)
{
	if (config.auto_start) {
		printf("Start automatic packet forwarding\n");
		forward_start(0);
	}
	return prompt_run();
}

static int
run_alone(void)
{
	int rc;

	/* The commands of --cmdline-file may have started already. */
	if (!forward_running()) {
		printf("No commandline core given, start packet forwarding\n");
		rc = forward_start(config.tx_first);
		if (rc < 0)
			return rc;
	}
	return config.stats_period > 0 ? show_periodically() : wait_for_enter();
}

/* Starts the ports, and with them whatever was asked for. */
static int
run(void)
{
	uint16_t port;
	int rc;

	if (config.tx_first > 0 && config.link_interrupt) {
		fprintf(stderr, "Warning: lsc_interrupt needs to be off when using tx_first. "
			"Disabling.\n");
		config.link_interrupt = false;
	}
	if (config.rx_queues > 1 && config.rx_queues > config.tx_queues)
		fprintf(stderr, "Warning: nb_rxq=%u enables RSS configuration, but nb_txq=%u "
			"will prevent to fully test it.\n", config.rx_queues,
			config.tx_queues);
	if (config.start_ports && ports_start(PORT_ALL) != 0) {
		fprintf(stderr, "Start ports failed\n");
		if (!config.interactive)
			return -EIO;
	}
	RTE_ETH_FOREACH_DEV(port) {
		rc = rte_eth_promiscuous_enable(port);
		if (rc != 0)
			fprintf(stderr, "Error during enabling promiscuous mode for port %u: "
				"%s - ignore\n", port, rte_strerror(-rc));
	}
	rc = prompt_init();
	if (rc == 0 && config.cmdline_file != NULL)
		rc = prompt_file(config.cmdline_file);
	if (rc < 0 || commands_quit())
		return rc;
	return config.interactive ? run_interactive() : run_alone();
}

/* Stops forwarding, with the final statistics, and stops and closes every port. */
static void
end(void)
{
	uint16_t port;

	if (forward_running())
		forward_stop();
	config.check_link = false;
	RTE_ETH_FOREACH_DEV(port) {
		printf("\nStopping port %u...\n", port);
		ports_stop(port);
	}
	RTE_ETH_FOREACH_DEV(port) {
		printf("\nShutting down port %u...\n", port);
		ports_close(port);
	}
	forward_release();
	pools_free();
	prompt_free();
	printf("\nBye...\n");
}

static int
run_and_end(void)
{
	int rc;

	if (config.measure)
		return measure_run();
	if (fwd_lcores()->configured == 0) {
		fprintf(stderr, "ti-testpmd: no cores for forwarding: the main lcore only reads "
			"commands, give EAL a second one (-l 0,1)\n");
		return EXIT_FAILURE;
	}
	if (ports_count() == 0)
		LOG(WARNING, "No probed ethernet devices");
	rc = run();
	end();
	return rc < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Until a port has a peer of its own: the addresses that dpdk-testpmd takes. */
static void
default_peers(void)
{
	uint16_t port;

	for (port = 0; port < RTE_MAX_ETHPORTS; port++) {
		config.peers[port].addr_bytes[0] = RTE_ETHER_LOCAL_ADMIN_ADDR;
		config.peers[port].addr_bytes[RTE_ETHER_ADDR_LEN - 1] = (uint8_t)port;
	}
}

int
main(int argc, char **argv)
{
	int status = EXIT_FAILURE, used, rc;

	/* Scripts read what happens when it happens, and in order with the prompt. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	rc = signals_open();
	if (rc < 0)
		return fail("signals", rc);
	rc = log_register();
	if (rc < 0)
		return fail("log", rc);
	used = rte_eal_init(argc, argv);
	if (used < 0)
		return fail("cannot init EAL", -rte_errno);
	argc -= used;
	argv += used;

	default_peers();
	rc = ports_init();
	if (rc < 0) {
		fail("ports", rc);
		goto out;
	}
	fwd_set_default();
	switch (options_parse(argc, argv)) {
	case OPTIONS_DONE:
		status = EXIT_SUCCESS;
		goto out;
	case OPTIONS_BAD:
		goto out;
	case OPTIONS_RUN:
		break;
	}
	if (config.lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
		LOG(NOTICE, "mlockall() failed with error \"%s\"", strerror(errno));
	status = run_and_end();
out:
	rc = rte_eal_cleanup();
	if (rc != 0) {
		fail("EAL cleanup failed", rc);
		status = EXIT_FAILURE;
	}
	return status;
}
