/* SPDX-License-Identifier: BSD-3-Clause */
/* The measuring mode: opening the port in each mode and running the cells. */

#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/sockios.h>

#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>

#include "config.h"
#include "forward.h"
#include "log_capture.h"
#include "measure.h"
#include "measure_options.h"
#include "measure_tx.h"
#include "plan.h"
#include "pool.h"
#include "ports.h"
#include "signals.h"

#define DEVICE_NAME	"net_af_xdp_ti_measure"

#define CHECK_MS	10	/* how often signals are looked for */
#define LINK_WAIT_MS	9000
#define LINK_POLL_MS	50
#define FLUSH_MS	100	/* at most, before a cell */
#define DRAIN_QUIET_MS	200	/* after that long without a frame, all are in */
#define DRAIN_MS	2000	/* at most, after a cell */
#define DRAIN_PAUSE_US	10
#define ENDED "ended by a signal"

/* The mode argument of the driver, by enum measure_mode. */
static const char *const driver_modes[] = { "skb", "copy", "zc" };

/* The port under measurement and its queues. */
struct bench {
	struct port *port;
	uint16_t queues;
	struct fwd_stream *streams;
	enum measure_work work;
	struct measure_tx *tx;	/* of txonly */
	struct rte_eth_stats base;
};

/* ---- one cell ---- */

static uint64_t
ticks_of(double milliseconds)
{
	return (uint64_t)(milliseconds / MS_PER_S * (double)rte_get_tsc_hz());
}

static double
seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / NS_PER_S;
}

static uint64_t
sum_rx(const struct bench *bench)
{
	uint64_t sum = 0;
	uint16_t i;

	for (i = 0; i < bench->queues; i++)
		sum += bench->streams[i].rx_packets;
	return sum;
}

static uint64_t
sum_tx(const struct bench *bench)
{
	uint64_t sum = 0;
	uint16_t i;

	for (i = 0; i < bench->queues; i++)
		sum += bench->streams[i].tx_packets;
	return sum;
}

/* One burst on each queue. */
static __rte_always_inline void
poll_queues(struct bench *bench, enum measure_work work)
{
	uint16_t i;

	for (i = 0; i < bench->queues; i++) {
		struct fwd_stream *stream = &bench->streams[i];

		if (work == MEASURE_RXDROP)
			fwd_rxonly.burst(stream);
		else if (work == MEASURE_L2FWD)
			fwd_macswap.burst(stream);
		else
			measure_tx_burst(bench->tx, stream);
	}
}

/* Frees what an earlier cell left in the receive queues. */
static void
flush_queues(const struct bench *bench)
{
	struct rte_mbuf *packets[BURST_MAX];
	uint64_t deadline = rte_rdtsc() + ticks_of(FLUSH_MS);
	uint16_t queue, count;

	for (queue = 0; queue < bench->queues; queue++)
		do {
			count = rte_eth_rx_burst(bench->port->id, queue, packets, BURST_MAX);
			rte_pktmbuf_free_bulk(packets, count);
		} while (count > 0 && rte_rdtsc() < deadline);
}

static uint64_t
missed_since(const struct bench *bench, struct rte_eth_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	if (rte_eth_stats_get(bench->port->id, stats) != 0)
		return 0;
	return stats->imissed - bench->base.imissed;
}

/*
 * Forwards for the duration, which for the works that receive starts with the first
 * frame, so that the time the partner takes to start is not measured.
 *
 * Return: seconds, or -EINTR for a signal.
 */
static double
run(struct bench *bench)
{
	const enum measure_work work = bench->work;
	const uint64_t duration = ticks_of(measure_options.duration * MS_PER_S);
	const uint64_t check = ticks_of(CHECK_MS);
	uint64_t now = rte_rdtsc(), deadline = now + duration, next_check = now + check;
	bool started = work == MEASURE_TXONLY;
	double begin = seconds_now();

	while (now < deadline) {
		poll_queues(bench, work);
		now = rte_rdtsc();
		if (unlikely(!started) && sum_rx(bench) > 0) {
			started = true;
			begin = seconds_now();
			deadline = now + duration;
		}
		if (unlikely(now >= next_check)) {
			if (signals_pending())
				return -EINTR;
			next_check = now + check;
		}
	}
	return seconds_now() - begin;
}

/*
 * What the queue took is on its way: the driver is called on, with nothing to send, for as
 * long as it may need to be to get it out.
 */
static void
push_out(struct bench *bench)
{
	struct rte_mbuf *nothing[1] = { NULL };
	uint16_t i;

	for (i = 0; i < bench->queues; i++)
		rte_eth_tx_burst(bench->streams[i].tx_port, bench->streams[i].tx_queue,
				 nothing, 0);
}

/* Forwards on until no frame comes any more. */
static void
drain(struct bench *bench)
{
	const uint64_t quiet = ticks_of(DRAIN_QUIET_MS), start = rte_rdtsc();
	uint64_t now = start, last = start, received = sum_rx(bench), before;

	if (bench->work == MEASURE_TXONLY)
		measure_tx_drop(bench->tx);
	while (now - start < ticks_of(DRAIN_MS) && now - last < quiet && !signals_pending()) {
		before = received;
		if (bench->work != MEASURE_TXONLY)
			poll_queues(bench, bench->work);
		if (bench->work != MEASURE_RXDROP)
			push_out(bench);
		received = sum_rx(bench);
		now = rte_rdtsc();
		if (received != before)
			last = now;
		/* A partner of the same machine wants a processor too. */
		rte_delay_us_sleep(DRAIN_PAUSE_US);
	}
}

static void
reset_streams(struct bench *bench)
{
	uint16_t i;

	for (i = 0; i < bench->queues; i++) {
		bench->streams[i].rx_packets = 0;
		bench->streams[i].tx_packets = 0;
		bench->streams[i].dropped = 0;
	}
	memset(&bench->base, 0, sizeof(bench->base));
	rte_eth_stats_get(bench->port->id, &bench->base);
}

/* Takes the counts at the end of the measurement, and says so. */
static void
end_cell(const struct bench *bench, struct measure_cell *cell, double seconds)
{
	struct rte_eth_stats stats;
	uint16_t i;

	cell->rx = sum_rx(bench);
	cell->tx = sum_tx(bench);
	cell->missed = missed_since(bench, &stats);
	cell->seconds = seconds;
	cell->reason[0] = '\0';
	for (i = 0; i < bench->queues; i++)
		cell->tx_refused += bench->streams[i].dropped;
	printf("measure: end %s %u %s rx=%" PRIu64 " tx=%" PRIu64 " missed=%" PRIu64
	       " seconds=%.6f\n", measure_work_names[cell->work], cell->size,
	       measure_mode_names[cell->mode], cell->rx, cell->tx, cell->missed, seconds);
	fflush(stdout);
}

static void
end_drain(const struct bench *bench, struct measure_cell *cell)
{
	const struct rte_eth_stats *base = &bench->base;
	struct rte_eth_stats stats;

	cell->drained_rx = sum_rx(bench);
	cell->drained_tx = sum_tx(bench);
	cell->drained_missed = missed_since(bench, &stats);
	cell->port_rx = stats.ipackets - base->ipackets;
	cell->port_tx = stats.opackets - base->opackets;
	cell->port_rx_bytes = stats.ibytes - base->ibytes;
	cell->port_tx_bytes = stats.obytes - base->obytes;
	cell->errors = stats.ierrors + stats.oerrors + stats.rx_nombuf -
		       base->ierrors - base->oerrors - base->rx_nombuf;
	printf("measure: drained %s %u %s rx=%" PRIu64 " tx=%" PRIu64 " missed=%" PRIu64 "\n",
	       measure_work_names[cell->work], cell->size, measure_mode_names[cell->mode],
	       cell->drained_rx, cell->drained_tx, cell->drained_missed);
	fflush(stdout);
	if (cell->work != MEASURE_TXONLY && cell->rx == 0)
		fprintf(stderr, "measure: %s %u %s: not one frame came\n",
			measure_work_names[cell->work], cell->size,
			measure_mode_names[cell->mode]);
}

static void __rte_format_printf(2, 3)
not_measured(struct measure_cell *cell, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(cell->reason, sizeof(cell->reason), format, args);
	va_end(args);
}

/* What keeps frames of this size from being sent. Return: 0 or -1, the reason in the cell. */
static int
prepare_tx(struct bench *bench, struct measure_cell *cell)
{
	uint16_t length = measure_frame_length(cell->size), mtu;

	bench->tx = NULL;
	if (cell->work != MEASURE_TXONLY)
		return 0;
	if (rte_eth_dev_get_mtu(bench->port->id, &mtu) == 0 &&
	    length > mtu + RTE_ETHER_HDR_LEN) {
		not_measured(cell, "%u bytes are more than the MTU of %u allows", length, mtu);
		return -1;
	}
	if (length > config.mbuf_size - RTE_PKTMBUF_HEADROOM) {
		not_measured(cell, "%u bytes do not fit an mbuf, see --mbuf-size", length);
		return -1;
	}
	bench->tx = measure_tx_make(length, &measure_options.destination,
				    measure_options.verify);
	if (bench->tx == NULL)
		not_measured(cell, "no memory");
	return bench->tx != NULL ? 0 : -1;
}

static void
measure_cell_run(struct bench *bench, struct measure_cell *cell)
{
	double seconds;

	if (signals_pending()) {
		not_measured(cell, ENDED);
		return;
	}
	bench->work = cell->work;
	if (prepare_tx(bench, cell) < 0) {
		fprintf(stderr, "measure: %s %u %s: %s\n", measure_work_names[cell->work],
			cell->size, measure_mode_names[cell->mode], cell->reason);
		return;
	}
	flush_queues(bench);
	reset_streams(bench);
	printf("measure: begin %s %u %s\n", measure_work_names[cell->work], cell->size,
	       measure_mode_names[cell->mode]);
	fflush(stdout);
	seconds = run(bench);
	if (seconds >= 0) {
		end_cell(bench, cell, seconds);
		drain(bench);
		end_drain(bench, cell);
	} else {
		not_measured(cell, ENDED);
	}
	measure_tx_free(bench->tx);
}

/* ---- one mode ---- */

/* Waits for the link. Return: 0, -EINTR or -ENETDOWN. */
static int
wait_link(uint16_t port)
{
	struct rte_eth_link link;
	int waited, rc;

	for (waited = 0; waited < LINK_WAIT_MS; waited += LINK_POLL_MS) {
		rc = rte_eth_link_get_nowait(port, &link);
		if (rc == 0 && link.link_status == RTE_ETH_LINK_UP)
			return 0;
		rc = signals_wait(-1, LINK_POLL_MS);
		if (rc < 0)
			return rc;
	}
	return -ENETDOWN;
}

/* Opens the interface in a mode. Return: 0, the port in *port, or a negative errno. */
static int
hotplug(enum measure_mode mode, uint16_t *port)
{
	char *args;
	int rc;

	rc = asprintf(&args, "iface=%s,mode=%s%s%s", measure_options.iface,
		      driver_modes[mode], measure_options.devargs != NULL ? "," : "",
		      measure_options.devargs != NULL ? measure_options.devargs : "");
	if (rc < 0)
		return -ENOMEM;
	rc = rte_eal_hotplug_add("vdev", DEVICE_NAME, args);
	free(args);
	if (rc != 0)
		return rc;
	rc = rte_eth_dev_get_port_by_name(DEVICE_NAME, port);
	if (rc != 0)
		rte_eal_hotplug_remove("vdev", DEVICE_NAME);
	return rc;
}

static int
make_streams(struct bench *bench)
{
	uint16_t queue;

	bench->queues = RTE_MIN(config.rx_queues, config.tx_queues);
	bench->streams = calloc(bench->queues, sizeof(*bench->streams));
	if (bench->streams == NULL)
		return -ENOMEM;
	for (queue = 0; queue < bench->queues; queue++) {
		struct fwd_stream *stream = &bench->streams[queue];

		plan_stream_init(stream, bench->port->id, bench->port->id, queue,
				 rte_get_main_lcore());
		/* The port's own pool: what it sends needs no copy then. */
		stream->pool = pool_get(bench->port->socket);
	}
	return 0;
}

static void
close_mode(struct bench *bench, enum measure_mode mode)
{
	int rc;

	free(bench->streams);
	bench->streams = NULL;
	rc = port_take_down(bench->port);
	if (rc != 0)
		fprintf(stderr, "measure: %s: stopping the port: %s\n",
			measure_mode_names[mode], rte_strerror(-rc));
	if (mode != MEASURE_PORT) {
		rc = rte_eal_hotplug_remove("vdev", DEVICE_NAME);
		if (rc != 0)
			fprintf(stderr, "measure: %s: removing the port: %s\n",
				measure_mode_names[mode], rte_strerror(-rc));
	}
	/* Only after the port: its frames may have lain in the pool. */
	pools_free();
}

/* Opens the port and waits for its link. step: what failed. */
static int
open_mode(struct bench *bench, enum measure_mode mode, const char **step)
{
	uint16_t id = measure_options.port;
	int rc;

	*step = "open";
	if (mode != MEASURE_PORT) {
		rc = hotplug(mode, &id);
		if (rc != 0)
			return rc;
	}
	bench->port = port_get(id);
	rc = port_add(id);
	if (rc == 0)
		rc = port_bring_up(bench->port, step);
	if (rc == 0) {
		/* The partner may send to whatever address; not every driver can. */
		rc = rte_eth_promiscuous_enable(id);
		if (rc == -ENOTSUP)
			rc = 0;
		*step = "make promiscuous";
	}
	if (rc == 0) {
		*step = "wait for the link of";
		rc = wait_link(id);
	}
	if (rc == 0) {
		*step = "make the streams of";
		rc = make_streams(bench);
	}
	if (rc != 0)
		close_mode(bench, mode);
	return rc;
}

static void
mode_reason(char *reason, size_t size, const char *step, int rc, const char *logged)
{
	if (rc == -EINTR)
		snprintf(reason, size, ENDED);
	else if (rc == -ENETDOWN)
		snprintf(reason, size, "the link stayed down for %d s",
			 LINK_WAIT_MS / MS_PER_S);
	else if (logged != NULL)
		snprintf(reason, size, "%s", logged);
	else
		snprintf(reason, size, "cannot %s the port: %s", step, rte_strerror(-rc));
}

static void
measure_mode_run(struct measure_results *results, unsigned int m)
{
	enum measure_mode mode = results->mode[m];
	struct bench bench = { .port = NULL };
	char reason[MEASURE_REASON_MAX];
	const char *step = NULL, *logged;
	unsigned int w, s;
	int rc;

	if (signals_pending()) {
		rc = -EINTR;
		logged = NULL;
	} else {
		rc = log_capture_start();
		if (rc == 0)
			rc = open_mode(&bench, mode, &step);
		logged = log_capture_stop();
	}
	if (rc != 0) {
		mode_reason(reason, sizeof(reason), step, rc, logged);
		fprintf(stderr, "measure: %s: %s\n", measure_mode_names[mode], reason);
	}
	for (w = 0; w < results->works; w++)
		for (s = 0; s < results->sizes; s++) {
			struct measure_cell *cell = measure_cell(results, w, s, m);

			if (rc != 0)
				not_measured(cell, "%s", reason);
			else
				measure_cell_run(&bench, cell);
		}
	if (rc == 0)
		close_mode(&bench, mode);
}

/* ---- the whole ---- */

/* The Linux driver's name; NULL if it does not say. */
static const char *
linux_driver(const char *iface)
{
	static struct ethtool_drvinfo info;
	struct ifreq request = { .ifr_data = (void *)&info };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), rc;

	if (fd < 0)
		return NULL;
	info.cmd = ETHTOOL_GDRVINFO;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", iface);
	rc = ioctl(fd, SIOCETHTOOL, &request);
	close(fd);
	return rc == 0 && info.driver[0] != '\0' ? info.driver : NULL;
}

static const char *
port_name(struct measure_results *results)
{
	static char name[RTE_ETH_NAME_MAX_LEN];
	struct rte_eth_dev_info info;

	if (measure_options.iface != NULL) {
		results->driver = linux_driver(measure_options.iface);
		return measure_options.iface;
	}
	if (!rte_eth_dev_is_valid_port(measure_options.port) ||
	    rte_eth_dev_get_name_by_port(measure_options.port, name) != 0)
		return NULL;
	if (rte_eth_dev_info_get(measure_options.port, &info) == 0)
		results->driver = info.driver_name;
	return name;
}

/* The table on standard output, unless another format was asked for there. */
static int
report(const struct measure_results *results)
{
	bool to_file = measure_options.output != NULL;
	FILE *file;
	int rc;

	printf("\n");
	rc = measure_write(stdout, results,
			   to_file ? MEASURE_TABLE : measure_options.format);
	if (rc == 0 && to_file) {
		file = fopen(measure_options.output, "w");
		if (file == NULL) {
			rc = -errno;
		} else {
			rc = measure_write(file, results, measure_options.format);
			if (fclose(file) != 0 && rc == 0)
				rc = -errno;
		}
	}
	if (rc != 0)
		fprintf(stderr, "measure: writing %s: %s\n",
			to_file ? measure_options.output : "the results", strerror(-rc));
	return rc;
}

int
measure_run(void)
{
	struct measure_results results = { .duration = measure_options.duration };
	unsigned int i, measured, all;
	int rc;

	results.works = measure_options.works;
	results.sizes = measure_options.sizes;
	results.modes = measure_options.modes;
	for (i = 0; i < results.works; i++)
		results.work[i] = (enum measure_work)measure_options.work[i];
	for (i = 0; i < results.sizes; i++)
		results.size[i] = (uint16_t)measure_options.size[i];
	for (i = 0; i < results.modes; i++)
		results.mode[i] = (enum measure_mode)measure_options.mode[i];
	results.port = port_name(&results);
	if (results.port == NULL) {
		fprintf(stderr, "measure: no --iface, and EAL has no port %u\n",
			measure_options.port);
		return EXIT_FAILURE;
	}
	if (config.rx_queues == 0 || config.tx_queues == 0) {
		fprintf(stderr, "measure: needs at least one receive and one transmit queue\n");
		return EXIT_FAILURE;
	}
	if (measure_results_init(&results) < 0) {
		fprintf(stderr, "measure: no memory\n");
		return EXIT_FAILURE;
	}
	for (i = 0; i < results.modes; i++)
		measure_mode_run(&results, i);
	rc = report(&results);
	measured = measure_measured(&results);
	all = results.works * results.sizes * results.modes;
	measure_results_free(&results);
	if (rc != 0 || measured == 0 || (measure_options.strict && measured < all))
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
