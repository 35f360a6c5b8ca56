/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bench of the storms that link the PMD: ports opened and closed in one program, what the
 * PMD says, and the state of process and netdev before and after.
 */
#ifndef STORM_BENCH_H
#define STORM_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include <rte_mempool.h>

#define BENCH_NETDEVS 4

struct bench_options {
	const char *ifname[BENCH_NETDEVS];	/* --iface, once for each */
	unsigned int netdevs;
	unsigned int queues;			/* a port */
	const char *devargs;			/* further ones, ",mode=copy" */
	uint64_t seed;
	double seconds;
};

extern struct bench_options bench;

/* The mbufs of all ports. */
#define BENCH_MBUFS 4096u
#define BENCH_DESC 256u
extern struct rte_mempool *bench_pool, *bench_other;

/** The next number of the seeded sequence of this thread, below @n. */
uint32_t bench_random(uint32_t n);
void bench_seed(uint64_t seed);

/** Ends the program with what went wrong. */
void bench_fault(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/** Plug the port in, set it up, start it. @return port number or -errno; then it is unplugged again. */
int bench_open(unsigned int netdev, unsigned int number);
/** Stop, close and unplug it. */
void bench_close(unsigned int number);

/** What the PMD has said since the last call, the lines that begin with the name of a port or netdev. */
const char *bench_said(unsigned int *lines);

#define BENCH_FDS 512
struct bench_state {
	struct {
		int mtu, flags;
		unsigned int rx, tx, combined, xdp;
		char mac[6];
		char defer[16], flush[24];
	} dev[BENCH_NETDEVS];
	unsigned int fds;
	int records;
	size_t rte_bytes;
	unsigned int mbufs, other;
};
/** Where we are. */
void bench_state(struct bench_state *st);
/** Name the first difference of two states; NULL when there is none. */
const char *bench_difference(const struct bench_state *a, const struct bench_state *b);

/** Names of open files, for the report of a leak. */
void bench_print_fds(void);

/* The storms; each returns the exit code. */
int storm_calls(void);
int storm_fds(void);
int storm_mbufs(void);
int storm_churn(void);

#endif /* STORM_BENCH_H */
