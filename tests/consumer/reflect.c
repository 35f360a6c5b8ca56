/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small DPDK application that sends back what it receives, MAC addresses
 * exchanged, and accounts for every mbuf when it stops. It knows nothing of the PMD under it.
 *
 *   reflect EAL... -- [--as FORM] [--queues N] [--descriptors N] [--mbufs N]
 *
 * FORM is what it sends a received packet as:
 *   same      the mbuf received
 *   clone     an indirect mbuf; the received one is freed after
 *   held      the mbuf received, with a reference kept until later
 *   foreign   a copy in an mbuf of another pool
 *   segments  a chain of three mbufs of the other pool
 *   external  an mbuf with an external buffer
 *
 * SIGUSR1 stops and starts the port; SIGINT or SIGTERM ends. At each stop
 * all mbufs must be back in their pools: "stop: ..." on stdout says how many are,
 * and the exit code is 1 when one is missing.
 */

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_mbuf.h>

#define BURST 32
#define HELD_MAX 1024		/* packets whose extra reference is kept, the oldest let go first */
#define POOL_CACHE_MAX 250u
#define PORT 0

enum form { SAME, CLONE, HELD, FOREIGN, SEGMENTS, EXTERNAL };
static const char * const form_names[] = {
	"same", "clone", "held", "foreign", "segments", "external",
};

static struct {
	enum form form;
	unsigned int queues, descriptors, mbufs;
} opt = { .queues = 1, .descriptors = 512, .mbufs = 4096 };

static struct rte_mempool *pool, *other;
static struct rte_mbuf *held[HELD_MAX];
static unsigned int held_next;
static uint64_t received, sent, dropped;
static volatile sig_atomic_t asked_to_end, asked_to_restart;

static void
on_signal(int number)
{
	if (number == SIGUSR1)
		asked_to_restart = 1;
	else
		asked_to_end = 1;
}

static void
let_go_held(void)
{
	for (unsigned int i = 0; i < HELD_MAX; i++) {
		rte_pktmbuf_free(held[i]);
		held[i] = NULL;
	}
}

static void
keep_reference(struct rte_mbuf *m)
{
	rte_pktmbuf_refcnt_update(m, 1);
	rte_pktmbuf_free(held[held_next]);
	held[held_next] = m;
	held_next = (held_next + 1) % HELD_MAX;
}

static void
free_external(void *addr, void *opaque)
{
	(void)opaque;
	free(addr);
}

/* An mbuf of the other pool whose buffer is heap memory with the packet's bytes. */
static struct rte_mbuf *
to_external(const struct rte_mbuf *m)
{
	struct rte_mbuf *out = rte_pktmbuf_alloc(other);
	uint16_t len = 2048;
	char *buf = malloc(len);
	struct rte_mbuf_ext_shared_info *info;

	if (out == NULL || buf == NULL)
		goto fail;
	info = rte_pktmbuf_ext_shinfo_init_helper(buf, &len, free_external, NULL);
	if (info == NULL)
		goto fail;
	rte_pktmbuf_attach_extbuf(out, buf, RTE_BAD_IOVA, len, info);
	memcpy(rte_pktmbuf_append(out, m->data_len), rte_pktmbuf_mtod(m, const char *), m->data_len);
	return out;
fail:
	free(buf);
	rte_pktmbuf_free(out);
	return NULL;
}

/* A chain: the Ethernet header, 20 bytes, the rest. */
static struct rte_mbuf *
to_segments(const struct rte_mbuf *m)
{
	const uint32_t cut[4] = { 0, RTE_ETHER_HDR_LEN, RTE_ETHER_HDR_LEN + 20, m->pkt_len };
	struct rte_mbuf *head = NULL, *seg;

	for (int i = 0; i < 3; i++) {
		seg = rte_pktmbuf_copy(m, other, cut[i], cut[i + 1] - cut[i]);
		if (seg == NULL || (head != NULL && rte_pktmbuf_chain(head, seg) != 0)) {
			rte_pktmbuf_free(seg);
			rte_pktmbuf_free(head);
			return NULL;
		}
		if (head == NULL)
			head = seg;
	}
	return head;
}

/* The packet in the form asked for; takes @m. NULL when there is no mbuf for it. */
static struct rte_mbuf *
convert(struct rte_mbuf *m)
{
	struct rte_mbuf *out = NULL;

	switch (opt.form) {
	case SAME:
		return m;
	case HELD:
		keep_reference(m);
		return m;
	case CLONE:
		out = rte_pktmbuf_clone(m, other);
		break;
	case FOREIGN:
		out = rte_pktmbuf_copy(m, other, 0, UINT32_MAX);
		break;
	case SEGMENTS:
		out = to_segments(m);
		break;
	case EXTERNAL:
		out = to_external(m);
		break;
	}
	rte_pktmbuf_free(m);
	return out;
}

static void
reflect(uint16_t queue)
{
	struct rte_mbuf *in[BURST], *out[BURST];
	uint16_t n, i, ready = 0, done = 0;
	unsigned int tries;

	n = rte_eth_rx_burst(PORT, queue, in, BURST);
	for (i = 0; i < n; i++) {
		struct rte_ether_hdr *eth = rte_pktmbuf_mtod(in[i], struct rte_ether_hdr *);
		struct rte_ether_addr dst = eth->dst_addr;

		eth->dst_addr = eth->src_addr;
		eth->src_addr = dst;
		out[ready] = convert(in[i]);
		if (out[ready] != NULL)
			ready++;
	}
	for (tries = 0; done < ready && tries < 10000; tries++)
		done += rte_eth_tx_burst(PORT, queue, out + done, ready - done);
	rte_pktmbuf_free_bulk(out + done, ready - done);
	received += n;
	sent += done;
	dropped += n - done;
}

static int
set_up(void)
{
	const struct rte_eth_conf conf = {
		.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	};
	int ret = rte_eth_dev_configure(PORT, opt.queues, opt.queues, &conf);

	for (unsigned int q = 0; ret == 0 && q < opt.queues; q++) {
		ret = rte_eth_rx_queue_setup(PORT, q, opt.descriptors, SOCKET_ID_ANY, NULL, pool);
		if (ret == 0)
			ret = rte_eth_tx_queue_setup(PORT, q, opt.descriptors, SOCKET_ID_ANY, NULL);
	}
	return ret;
}

/* Stop the port and count mbufs; true when all are back. */
static bool
stop_and_count(void)
{
	unsigned int back, other_back;

	let_go_held();
	rte_eth_dev_stop(PORT);
	back = rte_mempool_avail_count(pool);
	other_back = rte_mempool_avail_count(other);
	printf("stop: received %" PRIu64 " sent %" PRIu64 " dropped %" PRIu64
	       " mbufs %u of %u and %u of %u\n", received, sent, dropped,
	       back, pool->size, other_back, other->size);
	fflush(stdout);
	return back == pool->size && other_back == other->size;
}

static void
parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "as", required_argument, NULL, 'a' },
		{ "queues", required_argument, NULL, 'q' },
		{ "descriptors", required_argument, NULL, 'd' },
		{ "mbufs", required_argument, NULL, 'm' },
		{ NULL, 0, NULL, 0 },
	};
	unsigned int i;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'a':
			for (i = 0; i < RTE_DIM(form_names); i++)
				if (strcmp(optarg, form_names[i]) == 0)
					break;
			if (i == RTE_DIM(form_names))
				rte_exit(2, "reflect: no form %s\n", optarg);
			opt.form = i;
			break;
		case 'q':
			opt.queues = strtoul(optarg, NULL, 10);
			break;
		case 'd':
			opt.descriptors = strtoul(optarg, NULL, 10);
			break;
		case 'm':
			opt.mbufs = strtoul(optarg, NULL, 10);
			break;
		default:
			exit(2);
		}
	}
}

int
main(int argc, char **argv)
{
	unsigned int cache;
	bool all_back;
	int args;

	args = rte_eal_init(argc, argv);
	if (args < 0)
		rte_exit(2, "reflect: EAL cannot be started\n");
	parse(argc - args, argv + args);
	if (rte_eth_dev_count_avail() == 0)
		rte_exit(2, "reflect: there is no port\n");

	cache = RTE_MIN(POOL_CACHE_MAX, opt.mbufs / 16);
	pool = rte_pktmbuf_pool_create("received", opt.mbufs, cache, 0,
				       RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	other = rte_pktmbuf_pool_create("other", opt.mbufs, cache, 0,
					RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	if (pool == NULL || other == NULL)
		rte_exit(2, "reflect: no memory for mbufs\n");
	if (set_up() != 0 || rte_eth_dev_start(PORT) != 0)
		rte_exit(2, "reflect: the port cannot be started\n");
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGUSR1, on_signal);
	printf("ready\n");
	fflush(stdout);

	while (!asked_to_end) {
		for (unsigned int q = 0; q < opt.queues; q++)
			reflect(q);
		if (asked_to_restart) {
			asked_to_restart = 0;
			if (!stop_and_count())
				return 1;
			if (rte_eth_dev_start(PORT) != 0)
				rte_exit(2, "reflect: the port cannot be started again\n");
			printf("ready\n");
			fflush(stdout);
		}
	}
	all_back = stop_and_count();
	rte_eth_dev_close(PORT);
	rte_eal_cleanup();
	return all_back ? 0 : 1;
}
