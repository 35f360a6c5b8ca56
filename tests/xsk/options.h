/* SPDX-License-Identifier: BSD-3-Clause */
/* What the command line asks of the AF_XDP test tool. */
#ifndef TESTS_XSK_OPTIONS_H
#define TESTS_XSK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum mode {
	MODE_SKB,	/* XDP on the skb, bytes copied */
	MODE_NATIVE,	/* XDP in the driver, bytes copied */
	MODE_ZC,	/* XDP in the driver, no copy; refused where it cannot be had */
};

struct work;

struct options {
	const struct work *work;
	/* the socket */
	const char *iface;
	unsigned int ifindex;
	uint32_t queue;
	enum mode mode;
	uint32_t frame_size;
	uint32_t frames;
	uint32_t headroom;
	uint32_t rx_ring;
	uint32_t tx_ring;
	uint32_t fill_ring;
	uint32_t comp_ring;
	bool need_wakeup;
	bool split;		/* one socket for each direction, on one UMEM */
	bool unaligned;		/* chunks of the UMEM at any address */
	bool program;		/* attach the XDP program; without, nothing is received */
	uint32_t other_queue;	/* of a second socket; UINT32_MAX: none */
	unsigned int busy_poll;	/* us, 0: no */
	uint16_t take_port;	/* 0: all frames */
	/* the work */
	uint64_t count;		/* frames; 0: no end */
	uint32_t batch;
	uint32_t window;	/* tx: frames sent beyond the last that came back; 0: any number */
	uint32_t rate;		/* tx: frames a second; 0: as fast as goes */
	unsigned int timeout_ms;
	bool rewrite;		/* forward a copy in another frame */
	bool verify;
	bool strict;		/* sleep between looks at the rings, never poll() */
	/* frames sent */
	uint16_t size;
	uint16_t stream;
	uint8_t dst_mac[6];
	uint8_t src_mac[6];
	bool have_src_mac;
	uint32_t src_ip;
	uint32_t dst_ip;
	uint16_t port;
	/* rules */
	unsigned int stall_ms;
	unsigned int rounds;
	/* storms */
	unsigned int seconds;
	uint64_t seed;
	bool scribble;
	bool whole_pages;	/* no receive buffer across two pages */
	/* output */
	const char *json;
};

const char *mode_name(enum mode mode);

/* Return: 0 to go on, 1 when all is done (--help), -1 after one line on stderr. */
int options_parse(struct options *o, int argc, char **argv);

#endif /* TESTS_XSK_OPTIONS_H */
