/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ports come and go: one thread for each netdev but the first plugs its port in, starts and stops it in
 * random order and unplugs it, all at once, while the first port forwards. Nothing may grow.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>

#include "bench.h"

#define BURST 32

static atomic_bool over;
static atomic_uint plugged, started;
/* EAL's list of devices is not for several threads; starting and stopping ports of their own is. */
static pthread_mutex_t plugging = PTHREAD_MUTEX_INITIALIZER;

/* Send back what comes, by a few frames at a time. */
static void
forward(uint16_t port)
{
	struct rte_mbuf *m[BURST];

	for (unsigned int q = 0; q < bench.queues; q++) {
		uint16_t n = rte_eth_rx_burst(port, q, m, BURST), done = 0;

		for (uint16_t i = 0; i < n; i++) {
			struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m[i], struct rte_ether_hdr *);
			struct rte_ether_addr dst = eth->dst_addr;

			eth->dst_addr = eth->src_addr;
			eth->src_addr = dst;
		}
		for (unsigned int tries = 0; done < n && tries < 10000; tries++)
			done += rte_eth_tx_burst(port, q, m + done, n - done);
		rte_pktmbuf_free_bulk(m + done, n - done);
	}
}

static void *
come_and_go(void *arg)
{
	const unsigned int netdev = (uintptr_t)arg;
	int port, ret;

	if (rte_thread_register() != 0)
		bench_fault("a thread cannot be registered");
	bench_seed(bench.seed + netdev);
	while (!over) {
		pthread_mutex_lock(&plugging);
		port = bench_open(netdev, netdev);
		pthread_mutex_unlock(&plugging);
		if (port < 0) {
			unsigned int lines;

			bench_fault("port %u cannot be opened: %s", netdev, bench_said(&lines));
		}
		plugged++;
		for (unsigned int n = bench_random(6); n > 0; n--) {
			for (unsigned int i = bench_random(200); i > 0; i--)
				forward(port);
			switch (bench_random(3)) {
			case 0:
				ret = rte_eth_dev_stop(port);
				if (ret == 0)
					ret = rte_eth_dev_start(port);
				break;
			case 1:
				ret = rte_eth_dev_rx_queue_stop(port, 0);
				if (ret == 0)
					ret = rte_eth_dev_rx_queue_start(port, 0);
				break;
			default:
				ret = rte_eth_promiscuous_enable(port);
				if (ret == 0)
					ret = rte_eth_promiscuous_disable(port);
				break;
			}
			if (ret != 0)
				bench_fault("port %u: %s", netdev, strerror(-ret));
			started++;
		}
		pthread_mutex_lock(&plugging);
		bench_close(netdev);
		pthread_mutex_unlock(&plugging);
	}
	rte_thread_unregister();
	return NULL;
}

int
storm_churn(void)
{
	struct bench_state before, now;
	pthread_t thread[BENCH_NETDEVS];
	const char *difference;
	unsigned int lines;
	uint64_t end;
	int port;

	for (unsigned int i = 0; i < bench.netdevs; i++) {
		if (bench_open(i, i) < 0)
			bench_fault("port %u cannot be opened: %s", i, bench_said(&lines));
	}
	for (unsigned int i = 0; i < bench.netdevs; i++)
		bench_close(i);
	bench_state(&before);

	port = bench_open(0, 0);
	if (port < 0)
		bench_fault("the first port cannot be opened: %s", bench_said(&lines));
	printf("ready\n");
	fflush(stdout);
	for (uintptr_t i = 1; i < bench.netdevs; i++)
		if (pthread_create(&thread[i], NULL, come_and_go, (void *)i) != 0)
			bench_fault("no thread");
	end = rte_get_timer_cycles() + bench.seconds * rte_get_timer_hz();
	while (rte_get_timer_cycles() < end)
		forward(port);
	over = true;
	for (unsigned int i = 1; i < bench.netdevs; i++)
		pthread_join(thread[i], NULL);
	bench_close(0);
	bench_state(&now);
	difference = bench_difference(&before, &now);
	if (difference != NULL) {
		bench_print_fds();
		bench_fault("%s\nsaid: %s", difference, bench_said(&lines));
	}
	printf("churn: plugged %u restarted %u\n", plugged, started);
	return 0;
}
