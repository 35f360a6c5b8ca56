/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting and stopping forwarding. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "forward.h"
#include "fwd_inline.h"
#include "fwd_set.h"
#include "plan.h"
#include "ports.h"
#include "show.h"
#include "stats.h"

#define FLUSH_ROUNDS	2
#define FLUSH_PAUSE_MS	10

const struct fwd_engine *const fwd_engines[] = {
	&fwd_io,
	&fwd_mac,
	&fwd_macswap,
	&fwd_flowgen,
	&fwd_rxonly,
	&fwd_txonly,
	NULL,
};

static struct fwd_plan plan;
static bool running;

const struct fwd_engine *
fwd_engine_find(const char *name)
{
	unsigned int i;

	for (i = 0; fwd_engines[i] != NULL; i++)
		if (strcmp(fwd_engines[i]->name, name) == 0)
			return fwd_engines[i];
	return NULL;
}

const char *
fwd_engine_names(void)
{
	static char names[128];
	size_t length = 0;
	unsigned int i;

	if (names[0] == '\0')
		for (i = 0; fwd_engines[i] != NULL; i++)
			length += (size_t)snprintf(names + length, sizeof(names) - length,
						   "%s%s", i > 0 ? "|" : "",
						   fwd_engines[i]->name);
	return names;
}

bool
forward_running(void)
{
	return running;
}

const struct fwd_plan *
forward_plan(void)
{
	int rc;

	if (!running) {
		plan_free(&plan);
		rc = plan_make(&plan);
		if (rc < 0)
			return NULL;
	}
	return &plan;
}

const struct fwd_plan *
forward_current(void)
{
	return plan.engine != NULL ? &plan : NULL;
}

/* What the receive rings gathered before forwarding is not the user's traffic. */
static void
flush_receive_queues(void)
{
	struct rte_mbuf *packets[BURST_MAX];
	const struct fwd_set *ports = fwd_ports();
	uint64_t deadline;
	unsigned int round;
	uint16_t queue, count, i;

	for (round = 0; round < FLUSH_ROUNDS; round++) {
		for (i = 0; i < ports->used; i++)
			for (queue = 0; queue < config.rx_queues; queue++) {
				/* A port that always has packets must not hold us. */
				deadline = rte_rdtsc() + rte_get_tsc_hz();
				do {
					count = rte_eth_rx_burst(ports->id[i], queue,
								 packets, BURST_MAX);
					if (count > 0)
						rte_pktmbuf_free_bulk(packets, count);
				} while (count > 0 && rte_rdtsc() < deadline);
			}
		rte_delay_ms(FLUSH_PAUSE_MS);
	}
}

static int
lcore_forward(void *arg)
{
	struct fwd_lcore *lcore = arg;
	void (*const burst)(struct fwd_stream *) = lcore->burst;
	struct fwd_stream *const streams = lcore->streams;
	const uint16_t count = lcore->stream_count;
	uint16_t i;

	do {
		for (i = 0; i < count; i++)
			burst(&streams[i]);
	} while (!__atomic_load_n(&lcore->stop, __ATOMIC_RELAXED));
	return 0;
}

/* One burst of txonly on each stream: what tx_first sends. */
static int
lcore_send_first(void *arg)
{
	struct fwd_lcore *lcore = arg;
	uint16_t i;

	for (i = 0; i < lcore->stream_count; i++)
		fwd_txonly.burst(&lcore->streams[i]);
	return 0;
}

static void
launch(lcore_function_t *function)
{
	uint16_t i;

	for (i = 0; i < plan.lcore_count; i++) {
		int rc = rte_eal_remote_launch(function, &plan.lcores[i],
					       plan.lcores[i].lcore);

		if (rc != 0)
			fprintf(stderr, "launch lcore %u failed - diag=%d\n",
				plan.lcores[i].lcore, rc);
	}
}

static int
begin(const struct fwd_engine *engine)
{
	uint16_t i;
	int rc;

	for (i = 0; engine->begin != NULL && i < plan.port_count; i++) {
		rc = engine->begin(fwd_ports()->id[i]);
		if (rc < 0) {
			fprintf(stderr, "Packet forwarding is not ready\n");
			return rc;
		}
	}
	return 0;
}

static void
end(const struct fwd_engine *engine)
{
	uint16_t i;

	for (i = 0; engine->end != NULL && i < plan.port_count; i++)
		engine->end(fwd_ports()->id[i]);
}

/* Whether the engine has the queues that it needs. */
static int
check_queues(const struct fwd_engine *engine)
{
	const char *missing = NULL;

	if ((engine->flags & FWD_RECEIVES) != 0 && config.rx_queues == 0)
		missing = "rxq";
	else if ((engine->flags & FWD_TRANSMITS) != 0 && config.tx_queues == 0)
		missing = "txq";
	if (missing == NULL)
		return 0;
	fprintf(stderr, "%s are 0, cannot use %s fwd mode\n", missing, engine->name);
	return -EINVAL;
}

void
forward_stats_reset(void)
{
	const struct fwd_set *ports = fwd_ports();
	uint16_t i;
	int rc;

	for (i = 0; i < ports->used; i++) {
		rc = rte_eth_stats_get(ports->id[i], &port_get(ports->id[i])->base);
		if (rc != 0)
			fprintf(stderr, "failed to clear stats (port %u): %s\n",
				ports->id[i], rte_strerror(-rc));
	}
	for (i = 0; i < plan.stream_count; i++) {
		struct fwd_stream *stream = &plan.streams[i];

		stream->rx_packets = 0;
		stream->tx_packets = 0;
		stream->dropped = 0;
		stream->cycles = 0;
		if (stream->rx_spread != NULL)
			memset(stream->rx_spread, 0, 2 * sizeof(*stream->rx_spread));
	}
}

int
forward_start(uint32_t tx_first)
{
	int rc;

	if (!ports_all(PORT_STARTED)) {
		fprintf(stderr, "Not all ports were started\n");
		return -EAGAIN;
	}
	if (running) {
		fprintf(stderr, "Packet forwarding already started\n");
		return -EBUSY;
	}
	rc = check_queues(config.engine);
	if (rc < 0)
		return rc;
	if (forward_plan() == NULL) {
		fprintf(stderr, "No memory for the forwarding streams\n");
		return -ENOMEM;
	}
	show_fwd_config(&plan);
	rc = begin(config.engine);
	if (rc == 0 && tx_first > 0)
		rc = begin(&fwd_txonly);
	if (rc < 0)
		return rc;

	running = true;
	if (config.flush_rx)
		flush_receive_queues();
	show_rxtx_config();
	forward_stats_reset();
	if (tx_first > 0) {
		for (; tx_first > 0; tx_first--) {
			launch(lcore_send_first);
			rte_eal_mp_wait_lcore();
		}
		end(&fwd_txonly);
	}
	launch(lcore_forward);
	return 0;
}

void
forward_stop(void)
{
	uint16_t i;

	if (!running) {
		fprintf(stderr, "Packet forwarding not started\n");
		return;
	}
	printf("Telling cores to stop...");
	for (i = 0; i < plan.lcore_count; i++)
		__atomic_store_n(&plan.lcores[i].stop, true, __ATOMIC_RELAXED);
	printf("\nWaiting for lcores to finish...\n");
	rte_eal_mp_wait_lcore();
	end(plan.engine);
	stats_show_forward();
	printf("\nDone.\n");
	running = false;
}

void
forward_release(void)
{
	plan_free(&plan);
}
