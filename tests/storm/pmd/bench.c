/* SPDX-License-Identifier: BSD-3-Clause */
/* The bench of the storms that link the PMD, see bench.h. */

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>

#include <bpf/libbpf.h>

#include <rte_dev.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>

#include "bench.h"

#define RECORDS "/run/net_af_xdp_ti"

struct bench_options bench = { .queues = 1, .devargs = ",mode=copy", .seconds = 5, .seed = 1 };
struct rte_mempool *bench_pool, *bench_other;

static __thread uint64_t random_state = 1;

void
bench_seed(uint64_t seed)
{
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

uint32_t
bench_random(uint32_t n)
{
	/* xorshift64* */
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (uint32_t)((random_state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n;
}

void
bench_fault(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	va_start(ap, fmt);
	fputs("fault: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

/* --- what the PMD says ------------------------------------------------------------- */

const char *
bench_said(unsigned int *lines)
{
	static char said[16384];
	char line[1024];
	size_t len = 0;
	static long at;
	FILE *log = rte_log_get_stream();

	*lines = 0;
	said[0] = '\0';
	fflush(log);
	fseek(log, at, SEEK_SET);
	while (fgets(line, sizeof(line), log) != NULL) {
		bool ours = strncmp(line, "net_af_xdp_ti", strlen("net_af_xdp_ti")) == 0;

		for (unsigned int i = 0; i < bench.netdevs; i++)
			ours |= strncmp(line, bench.ifname[i], strlen(bench.ifname[i])) == 0;
		if (!ours)
			continue;
		++*lines;
		len += snprintf(said + len, sizeof(said) - len, "%s", line);
		if (len >= sizeof(said))
			len = sizeof(said) - 1;
	}
	fseek(log, 0, SEEK_END);
	at = ftell(log);
	return said;
}

/* --- ports ------------------------------------------------------------------------- */

static void
port_name(char *name, size_t len, unsigned int number)
{
	snprintf(name, len, "net_af_xdp_ti%u", number);
}

static int
set_up(uint16_t port)
{
	const struct rte_eth_conf conf = { .txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS };
	int ret = rte_eth_dev_configure(port, bench.queues, bench.queues, &conf);

	for (unsigned int q = 0; ret == 0 && q < bench.queues; q++) {
		ret = rte_eth_rx_queue_setup(port, q, BENCH_DESC, SOCKET_ID_ANY, NULL, bench_pool);
		if (ret == 0)
			ret = rte_eth_tx_queue_setup(port, q, BENCH_DESC, SOCKET_ID_ANY, NULL);
	}
	if (ret == 0)
		ret = rte_eth_dev_start(port);
	return ret;
}

int
bench_open(unsigned int netdev, unsigned int number)
{
	char name[32], args[128];
	uint16_t port;
	int ret;

	port_name(name, sizeof(name), number);
	snprintf(args, sizeof(args), "iface=%s,queue_count=%u%s", bench.ifname[netdev],
		 bench.queues, bench.devargs);
	ret = rte_eal_hotplug_add("vdev", name, args);
	if (ret != 0)
		return ret;
	if (rte_eth_dev_get_port_by_name(name, &port) != 0)
		bench_fault("%s was plugged in and has no port", name);
	ret = set_up(port);
	if (ret == 0)
		return port;
	rte_eth_dev_close(port);
	rte_eal_hotplug_remove("vdev", name);
	return ret;
}

void
bench_close(unsigned int number)
{
	char name[32];
	uint16_t port;
	int ret;

	port_name(name, sizeof(name), number);
	if (rte_eth_dev_get_port_by_name(name, &port) == 0) {
		ret = rte_eth_dev_stop(port);
		if (ret == 0)
			ret = rte_eth_dev_close(port);
		if (ret != 0)
			bench_fault("stop and close of %s: %s", name, strerror(-ret));
	}
	ret = rte_eal_hotplug_remove("vdev", name);
	if (ret != 0)
		bench_fault("%s cannot be unplugged: %s", name, strerror(-ret));
}

/* --- the state of things ------------------------------------------------------------- */

static unsigned int
count_entries(const char *path)
{
	DIR *d = opendir(path);
	unsigned int n = 0;

	if (d == NULL)
		return 0;
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

static void
read_sysfs(const char *ifname, const char *file, char *buf, int len)
{
	char path[128];
	FILE *f;

	buf[0] = '\0';
	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", ifname, file);
	f = fopen(path, "re");
	if (f == NULL)
		return;
	if (fgets(buf, len, f) == NULL)
		buf[0] = '\0';
	fclose(f);
}

void
bench_state(struct bench_state *st)
{
	struct ethtool_channels ch;
	struct rte_malloc_socket_stats heap;
	struct ifreq ifr;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		bench_fault("no socket: %s", strerror(errno));
	memset(st, 0, sizeof(*st));
	for (unsigned int i = 0; i < bench.netdevs; i++) {
		const char *name = bench.ifname[i];

		memset(&ifr, 0, sizeof(ifr));
		snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
		if (ioctl(fd, SIOCGIFMTU, &ifr) == 0)
			st->dev[i].mtu = ifr.ifr_mtu;
		if (ioctl(fd, SIOCGIFFLAGS, &ifr) == 0)
			st->dev[i].flags = ifr.ifr_flags;
		if (ioctl(fd, SIOCGIFHWADDR, &ifr) == 0)
			memcpy(st->dev[i].mac, ifr.ifr_hwaddr.sa_data, 6);
		memset(&ch, 0, sizeof(ch));
		ch.cmd = ETHTOOL_GCHANNELS;
		ifr.ifr_data = (char *)&ch;
		if (ioctl(fd, SIOCETHTOOL, &ifr) == 0) {
			st->dev[i].rx = ch.rx_count;
			st->dev[i].tx = ch.tx_count;
			st->dev[i].combined = ch.combined_count;
		}
		bpf_xdp_query_id(if_nametoindex(name), 0, &st->dev[i].xdp);
		read_sysfs(name, "napi_defer_hard_irqs", st->dev[i].defer, sizeof(st->dev[i].defer));
		read_sysfs(name, "gro_flush_timeout", st->dev[i].flush, sizeof(st->dev[i].flush));
	}
	close(fd);
	st->fds = count_entries("/proc/self/fd");
	st->records = count_entries(RECORDS);
	if (st->records == 0)
		st->records = 2;	/* no directory yet: an empty one has "." and ".." */
	rte_malloc_get_socket_stats(rte_socket_id(), &heap);
	st->rte_bytes = heap.heap_allocsz_bytes;
	st->mbufs = rte_mempool_avail_count(bench_pool);
	st->other = rte_mempool_avail_count(bench_other);
}

const char *
bench_difference(const struct bench_state *a, const struct bench_state *b)
{
	static char text[160];

#define DIFFERS(field) do { \
	if (a->field != b->field) { \
		snprintf(text, sizeof(text), #field " was %lld and is %lld", \
			 (long long)a->field, (long long)b->field); \
		return text; \
	} } while (0)
	for (unsigned int i = 0; i < bench.netdevs; i++) {
		DIFFERS(dev[i].mtu);
		DIFFERS(dev[i].flags);
		DIFFERS(dev[i].rx);
		DIFFERS(dev[i].tx);
		DIFFERS(dev[i].combined);
		DIFFERS(dev[i].xdp);
		if (memcmp(a->dev[i].mac, b->dev[i].mac, 6) != 0)
			return "MAC address";
		if (strcmp(a->dev[i].defer, b->dev[i].defer) != 0)
			return "napi_defer_hard_irqs";
		if (strcmp(a->dev[i].flush, b->dev[i].flush) != 0)
			return "gro_flush_timeout";
	}
	DIFFERS(fds);
	DIFFERS(records);
	DIFFERS(mbufs);
	DIFFERS(other);
	DIFFERS(rte_bytes);
#undef DIFFERS
	return NULL;
}

void
bench_print_fds(void)
{
	char path[64], target[128];
	ssize_t len;

	for (int fd = 0; fd < BENCH_FDS; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		len = readlink(path, target, sizeof(target) - 1);
		if (len < 0)
			continue;
		target[len] = '\0';
		fprintf(stderr, "  fd %d: %s\n", fd, target);
	}
}
