/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of the AF_XDP test tool: parsing, and the help that describes it. */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static const char help_head[] =
"usage: xsk-test WORK --iface NAME [options]\n"
"\n"
"Works on one AF_XDP queue at the level of its rings, verifies every frame (the test frame\n"
"of the link partner `wire`), and shows that a driver keeps the rules of an AF_XDP datapath.\n"
"\n"
"WORK\n";

static const char help_tail[] =
"\n"
"The socket\n"
"  --iface NAME     the interface (needed, but where there is no AF_XDP)\n"
"  --queue N        its queue, default 0\n"
"  --mode M         skb, native (copying) or zc (default: zero-copy, or refuse)\n"
"  --frame-size N   2048 (default) or 4096 bytes of UMEM to a frame\n"
"  --frames N       frames of UMEM, default 4096 (stall: 1024)\n"
"  --headroom N     bytes of the UMEM's own headroom before a received frame, default 0\n"
"  --rx-ring N --tx-ring N --fill-ring N --comp-ring N\n"
"                   sizes, powers of two, default 2048 each\n"
"  --no-need-wakeup bind without XDP_USE_NEED_WAKEUP\n"
"  --split          one socket for each direction, sharing UMEM and queue\n"
"  --unaligned      UMEM in unaligned chunk mode\n"
"  --no-program     attach no XDP program, so receive nothing (another socket's is there already)\n"
"  --busy-poll US   preferred busy polling of US microseconds, never asleep\n"
"  --take all|PORT  frames for the socket: all, or IPv4 UDP to PORT (default 21577);\n"
"                   the rest goes up the stack\n"
"\n"
"The work\n"
"  --count N        frames, default 100000; rounds' works: frames a round, default 1000\n"
"                   (attach-loop: 16); 0, and hold by itself: without end\n"
"  --rounds N       default 3 (attach-loop: 200)\n"
"  --batch N        frames taken or sent at once, 1 to 256, default 64\n"
"  --window N       tx: run no more than N frames ahead of the last one that the partner\n"
"                   returned (wire --echo-every), default 0: not held back\n"
"  --rate PPS       tx: frames a second, default 0: as fast as they are taken\n"
"  --timeout-ms MS  longest silence that is no failure, default 5000\n"
"  --stall-ms MS    how long a consumer stalls, default 200\n"
"  --rewrite        forward a copy in another frame of the UMEM\n"
"  --no-verify      do not look into received frames\n"
"  --strict         never call poll(): enter the kernel only where need_wakeup asks (always so\n"
"                   in the works that show a rule)\n"
"\n"
"Hostile works\n"
"  --seed N         of all that is done, default 1\n"
"  --seconds N      how long, default 5; 0: until a signal comes\n"
"  --scribble       a second thread writes into the UMEM all the time\n"
"  --whole-pages    (--unaligned) no receive buffer goes over the end of a page\n"
"  --other-queue N  queue of the hostile one of two sockets, default the same\n"
"\n"
"Frames sent\n"
"  --size N         bytes without FCS, 60 to the UMEM's frame size, default 60\n"
"  --stream ID      number of the stream sent and expected, default 1\n"
"  --dst MAC        default 52:54:00:00:00:01\n"
"  --src MAC        default the interface's own\n"
"  --from IP --to IP  default 10.0.0.2 and 10.0.0.1\n"
"  --port N         UDP destination port, default 21577 (udp-echo: the port to listen on)\n"
"\n"
"  --json FILE|-    where the report goes, one line of JSON, default - (stdout)\n"
"  --help           this text\n"
"\n"
"Prints 'ready' on stdout once frames can flow. SIGINT or SIGTERM ends the work with a report.\n"
"Exit code: 0 all as expected, 1 not so, 2 the work could not be done. Root is needed.\n";

static void print_help(void)
{
	unsigned int i;

	fputs(help_head, stdout);
	for (i = 0; i < works_count; i++)
		printf("  %-14s %s\n", works[i].name, works[i].what);
	fputs(help_tail, stdout);
}

const char *mode_name(enum mode mode)
{
	static const char * const name[] = {
		[MODE_SKB] = "skb", [MODE_NATIVE] = "native", [MODE_ZC] = "zc",
	};

	return name[mode];
}

static int bad(const char *fmt, ...)
{
	va_list ap;

	fputs("xsk-test: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("; see xsk-test --help\n", stderr);
	return -1;
}

static int parse_u64(const char *opt, const char *s, uint64_t min, uint64_t max, uint64_t *out)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(s, &end, 10);
	if (errno || end == s || *end || *s == '-' || v < min || v > max)
		return bad("%s wants a number from %llu to %llu, not '%s'", opt,
			   (unsigned long long)min, (unsigned long long)max, s);
	*out = v;
	return 0;
}

static int parse_u32(const char *opt, const char *s, uint32_t min, uint32_t max, uint32_t *out)
{
	uint64_t v;

	if (parse_u64(opt, s, min, max, &v))
		return -1;
	*out = (uint32_t)v;
	return 0;
}

static int parse_u16(const char *opt, const char *s, uint16_t min, uint16_t max, uint16_t *out)
{
	uint64_t v;

	if (parse_u64(opt, s, min, max, &v))
		return -1;
	*out = (uint16_t)v;
	return 0;
}

static int parse_ring(const char *opt, const char *s, uint32_t *out)
{
	if (parse_u32(opt, s, 2, 1 << 20, out))
		return -1;
	return *out & (*out - 1) ? bad("%s wants a power of two, not '%s'", opt, s) : 0;
}

static int parse_mode(const char *s, enum mode *mode)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (!strcmp(s, mode_name((enum mode)i))) {
			*mode = (enum mode)i;
			return 0;
		}
	}
	return bad("--mode knows skb, native and zc, not '%s'", s);
}

static int parse_mac(const char *opt, const char *s, uint8_t mac[6])
{
	unsigned int b[6], i;
	int end = 0;

	if (sscanf(s, "%2x:%2x:%2x:%2x:%2x:%2x%n", b, b + 1, b + 2, b + 3, b + 4, b + 5, &end) != 6 ||
	    s[end])
		return bad("%s wants a MAC address, not '%s'", opt, s);
	for (i = 0; i < 6; i++)
		mac[i] = (uint8_t)b[i];
	return 0;
}

static int parse_ip(const char *opt, const char *s, uint32_t *ip)
{
	struct in_addr a;

	if (inet_pton(AF_INET, s, &a) != 1)
		return bad("%s wants an IPv4 address, not '%s'", opt, s);
	*ip = ntohl(a.s_addr);
	return 0;
}

enum {
	OPT_IFACE = 256, OPT_QUEUE, OPT_MODE, OPT_FRAME_SIZE, OPT_FRAMES, OPT_HEADROOM, OPT_RX_RING,
	OPT_TX_RING, OPT_FILL_RING, OPT_COMP_RING, OPT_NO_NEED_WAKEUP, OPT_SPLIT, OPT_BUSY_POLL, OPT_TAKE,
	OPT_COUNT, OPT_ROUNDS, OPT_BATCH, OPT_WINDOW, OPT_TIMEOUT, OPT_STALL, OPT_REWRITE, OPT_NO_VERIFY, OPT_STRICT,
	OPT_UNALIGNED, OPT_NO_PROGRAM, OPT_RATE, OPT_SEED, OPT_SECONDS, OPT_SCRIBBLE, OPT_WHOLE_PAGES, OPT_OTHER_QUEUE,
	OPT_SIZE, OPT_STREAM, OPT_DST, OPT_SRC, OPT_FROM, OPT_TO, OPT_PORT, OPT_JSON, OPT_HELP,
};

static const struct option long_options[] = {
	{ "iface", required_argument, NULL, OPT_IFACE },
	{ "queue", required_argument, NULL, OPT_QUEUE },
	{ "mode", required_argument, NULL, OPT_MODE },
	{ "frame-size", required_argument, NULL, OPT_FRAME_SIZE },
	{ "frames", required_argument, NULL, OPT_FRAMES },
	{ "headroom", required_argument, NULL, OPT_HEADROOM },
	{ "rx-ring", required_argument, NULL, OPT_RX_RING },
	{ "tx-ring", required_argument, NULL, OPT_TX_RING },
	{ "fill-ring", required_argument, NULL, OPT_FILL_RING },
	{ "comp-ring", required_argument, NULL, OPT_COMP_RING },
	{ "no-need-wakeup", no_argument, NULL, OPT_NO_NEED_WAKEUP },
	{ "split", no_argument, NULL, OPT_SPLIT },
	{ "unaligned", no_argument, NULL, OPT_UNALIGNED },
	{ "no-program", no_argument, NULL, OPT_NO_PROGRAM },
	{ "rate", required_argument, NULL, OPT_RATE },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "seconds", required_argument, NULL, OPT_SECONDS },
	{ "scribble", no_argument, NULL, OPT_SCRIBBLE },
	{ "whole-pages", no_argument, NULL, OPT_WHOLE_PAGES },
	{ "other-queue", required_argument, NULL, OPT_OTHER_QUEUE },
	{ "busy-poll", required_argument, NULL, OPT_BUSY_POLL },
	{ "take", required_argument, NULL, OPT_TAKE },
	{ "count", required_argument, NULL, OPT_COUNT },
	{ "rounds", required_argument, NULL, OPT_ROUNDS },
	{ "batch", required_argument, NULL, OPT_BATCH },
	{ "window", required_argument, NULL, OPT_WINDOW },
	{ "timeout-ms", required_argument, NULL, OPT_TIMEOUT },
	{ "stall-ms", required_argument, NULL, OPT_STALL },
	{ "rewrite", no_argument, NULL, OPT_REWRITE },
	{ "no-verify", no_argument, NULL, OPT_NO_VERIFY },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "stream", required_argument, NULL, OPT_STREAM },
	{ "dst", required_argument, NULL, OPT_DST },
	{ "src", required_argument, NULL, OPT_SRC },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "to", required_argument, NULL, OPT_TO },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "json", required_argument, NULL, OPT_JSON },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static void options_default(struct options *o, const struct work *work)
{
	static const uint8_t partner[6] = { 0x52, 0x54, 0, 0, 0, 1 };
	bool attach = !strcmp(work->name, "attach-loop"), stall = !strcmp(work->name, "stall");
	bool endless = work->flags & WORK_NO_QUEUE || !strcmp(work->name, "hold");

	memset(o, 0, sizeof(*o));
	o->work = work;
	o->mode = MODE_ZC;
	o->frame_size = 2048;
	o->frames = stall ? 1024 : 4096;
	o->rx_ring = o->tx_ring = o->fill_ring = o->comp_ring = 2048;
	o->need_wakeup = true;
	o->program = true;
	o->other_queue = UINT32_MAX;
	o->seed = 1;
	o->seconds = 5;
	o->take_port = FRAME_UDP_PORT;
	o->count = attach ? 16 : stall ? 1000 : endless ? 0 : 100000;
	o->rounds = attach ? 200 : 3;
	o->batch = 64;
	o->timeout_ms = 5000;
	o->stall_ms = 200;
	o->verify = true;
	o->strict = work->flags & WORK_STRICT;
	o->size = FRAME_MIN;
	o->stream = 1;
	memcpy(o->dst_mac, partner, 6);
	o->src_ip = 0x0a000002;
	o->dst_ip = 0x0a000001;
	o->port = FRAME_UDP_PORT;
}

static int options_check(struct options *o)
{
	if (o->work->flags & WORK_NO_QUEUE)
		return 0;
	if (!o->iface)
		return bad("say where: --iface NAME");
	o->ifindex = if_nametoindex(o->iface);
	if (!o->ifindex) {
		fprintf(stderr, "xsk-test: interface %s: %s\n", o->iface, strerror(errno));
		return -1;
	}
	if (o->frame_size != 2048 && o->frame_size != 4096)
		return bad("--frame-size is 2048 or 4096");
	if (o->size > o->frame_size)
		return bad("frames of %u bytes do not fit into %u", o->size, o->frame_size);
	if (o->headroom + 256 + FRAME_MIN > o->frame_size)
		return bad("--headroom %u leaves no room in %u bytes", o->headroom, o->frame_size);
	return 0;
}

int options_parse(struct options *o, int argc, char **argv)
{
	const struct work *work;
	int c, rc = 0;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		print_help();
		return 1;
	}
	if (argc < 2 || argv[1][0] == '-')
		return bad("the first argument is the work to be done");
	work = work_find(argv[1]);
	if (!work)
		return bad("no work '%s'", argv[1]);
	options_default(o, work);
	opterr = 0;
	optind = 2;
	while (!rc && (c = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_IFACE: o->iface = optarg; break;
		case OPT_QUEUE: rc = parse_u32("--queue", optarg, 0, 63, &o->queue); break;
		case OPT_MODE: rc = parse_mode(optarg, &o->mode); break;
		case OPT_FRAME_SIZE: rc = parse_u32("--frame-size", optarg, 2048, 4096, &o->frame_size); break;
		case OPT_FRAMES: rc = parse_u32("--frames", optarg, 16, 1 << 20, &o->frames); break;
		case OPT_HEADROOM: rc = parse_u32("--headroom", optarg, 0, 4096, &o->headroom); break;
		case OPT_RX_RING: rc = parse_ring("--rx-ring", optarg, &o->rx_ring); break;
		case OPT_TX_RING: rc = parse_ring("--tx-ring", optarg, &o->tx_ring); break;
		case OPT_FILL_RING: rc = parse_ring("--fill-ring", optarg, &o->fill_ring); break;
		case OPT_COMP_RING: rc = parse_ring("--comp-ring", optarg, &o->comp_ring); break;
		case OPT_NO_NEED_WAKEUP: o->need_wakeup = false; break;
		case OPT_SPLIT: o->split = true; break;
		case OPT_UNALIGNED: o->unaligned = true; break;
		case OPT_NO_PROGRAM: o->program = false; break;
		case OPT_RATE: rc = parse_u32("--rate", optarg, 1, 10000000, &o->rate); break;
		case OPT_SEED: rc = parse_u64("--seed", optarg, 0, UINT64_MAX, &o->seed); break;
		case OPT_SECONDS: rc = parse_u32("--seconds", optarg, 0, 1000000, &o->seconds); break;
		case OPT_SCRIBBLE: o->scribble = true; break;
		case OPT_WHOLE_PAGES: o->whole_pages = true; break;
		case OPT_OTHER_QUEUE: rc = parse_u32("--other-queue", optarg, 0, 63, &o->other_queue); break;
		case OPT_BUSY_POLL: rc = parse_u32("--busy-poll", optarg, 1, 1000000, &o->busy_poll); break;
		case OPT_TAKE:
			o->take_port = 0;
			if (strcmp(optarg, "all"))
				rc = parse_u16("--take", optarg, 1, UINT16_MAX, &o->take_port);
			break;
		case OPT_COUNT: rc = parse_u64("--count", optarg, 0, 1ULL << 34, &o->count); break;
		case OPT_ROUNDS: rc = parse_u32("--rounds", optarg, 1, 1000000, &o->rounds); break;
		case OPT_BATCH: rc = parse_u32("--batch", optarg, 1, RUN_BATCH_MAX, &o->batch); break;
		case OPT_WINDOW: rc = parse_u32("--window", optarg, 1, 1 << 30, &o->window); break;
		case OPT_TIMEOUT: rc = parse_u32("--timeout-ms", optarg, 1, 3600000, &o->timeout_ms); break;
		case OPT_STALL: rc = parse_u32("--stall-ms", optarg, 0, 3600000, &o->stall_ms); break;
		case OPT_REWRITE: o->rewrite = true; break;
		case OPT_NO_VERIFY: o->verify = false; break;
		case OPT_STRICT: o->strict = true; break;
		case OPT_SIZE: rc = parse_u16("--size", optarg, FRAME_MIN, 4096, &o->size); break;
		case OPT_STREAM: rc = parse_u16("--stream", optarg, 0, UINT16_MAX, &o->stream); break;
		case OPT_DST: rc = parse_mac("--dst", optarg, o->dst_mac); break;
		case OPT_SRC: o->have_src_mac = true; rc = parse_mac("--src", optarg, o->src_mac); break;
		case OPT_FROM: rc = parse_ip("--from", optarg, &o->src_ip); break;
		case OPT_TO: rc = parse_ip("--to", optarg, &o->dst_ip); break;
		case OPT_PORT: rc = parse_u16("--port", optarg, 1, UINT16_MAX, &o->port); break;
		case OPT_JSON: o->json = optarg; break;
		case OPT_HELP: print_help(); return 1;
		case ':': rc = bad("%s wants a value", argv[optind - 1]); break;
		default: rc = bad("unknown option %s", argv[optind - 1]); break;
		}
	}
	if (!rc && optind < argc)
		rc = bad("what is '%s'? all arguments after the work are options", argv[optind]);
	return rc ? rc : options_check(o);
}
