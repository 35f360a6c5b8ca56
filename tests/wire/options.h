/* SPDX-License-Identifier: BSD-3-Clause */
/* What the command line asks of the link partner. */
#ifndef TESTS_WIRE_OPTIONS_H
#define TESTS_WIRE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"

#define OPT_MAX_STREAMS	8
#define OPT_MAX_SIZES	64

enum expect {
	EXPECT_NONE,	/* whatever comes back is only reported */
	EXPECT_ECHO,	/* every frame comes back, once and intact */
	EXPECT_ALL,	/* the same, in order, and nothing else */
};

struct size_range {
	uint16_t from;
	uint16_t to;
};

struct stream_options {
	unsigned int weight;
	uint8_t proto;
	uint16_t port;		/* UDP destination */
	enum expect expect;
};

struct options {
	/* where */
	const char *unix_local;
	const char *unix_remote;
	const char *iface;
	/* what */
	uint64_t send;		/* frames in all; 0: no such limit */
	double seconds;		/* 0: no such limit */
	bool receive_only;
	unsigned int echo;	/* receive_only, and return each frame whose number this divides */
	uint64_t count;		/* receive-only: frames to come, 0: unknown */
	const char *replay;
	bool ping;
	/* frames */
	struct size_range size[OPT_MAX_SIZES];
	unsigned int sizes;
	uint8_t dst_mac[6];
	uint8_t src_mac[6];
	bool have_dst_mac;
	bool have_src_mac;
	uint32_t src_ip;
	uint32_t dst_ip;
	bool have_to;
	uint16_t src_port;
	uint16_t flows;
	uint16_t stream_id;	/* of the first stream */
	struct stream_options stream[OPT_MAX_STREAMS];
	unsigned int streams;
	/* how */
	double rate;		/* frames a second; 0: as fast as is taken */
	unsigned int window;	/* frames under way at most; 0: any number */
	unsigned int timeout_ms;
	unsigned int quiet_ms;
	unsigned int wait_ms;
	bool answer;
	uint32_t answer_ip;
	/* checks and output */
	bool any_mac;
	bool reply_mac;		/* only frames from dst_mac are looked into */
	bool watching;
	uint16_t watch;		/* stream that the far end sends by itself */
	const char *json;
	const char *dump_bad;
};

/* Return: 0 to go on, 1 when all is done (--help), -1 after one line on stderr. */
int options_parse(struct options *o, int argc, char **argv);

#endif /* TESTS_WIRE_OPTIONS_H */
