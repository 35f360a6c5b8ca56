/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of the link partner: parsing, and the help that describes it. */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static const char help[] =
"usage: wire --unix LOCAL,REMOTE | --iface NAME  [what to do] [options]\n"
"\n"
"The link partner: sends valid Ethernet/IPv4 frames that carry a sequence number and\n"
"checksums, and checks what comes back for loss, duplicates, reordering and damage.\n"
"\n"
"Where\n"
"  --unix LOCAL,REMOTE  a unix datagram socket pair: bind LOCAL, talk to REMOTE. For QEMU's\n"
"                       -netdev dgram,id=n0,local.type=unix,local.path=REMOTE,\n"
"                       remote.type=unix,remote.path=LOCAL. No privilege is needed.\n"
"  --iface NAME         a network interface, by a packet socket (needs CAP_NET_RAW). When the\n"
"                       far end is a Linux stack, turn its checksum offload off (ethtool -K).\n"
"\n"
"What to do\n"
"  --send COUNT         send COUNT frames\n"
"  --seconds S          send for S seconds (with --send: whichever ends first)\n"
"  --receive-only       send nothing, check what a generator at the far end sends (with\n"
"                       --seconds: for no longer than that)\n"
"  --echo               the same, and return each intact test frame with MAC addresses exchanged,\n"
"                       taking no more than the far end takes back\n"
"  --echo-every N       the same for frames 0, N, 2N ... only: a generator that waits for them\n"
"                       cannot run ahead of us (QEMU drops what a board sends too fast)\n"
"    --count N            (both) frames 0 .. N-1 are to come (default: up to the highest seen)\n"
"  --replay FILE.pcap   send the frames of a capture, once, or round and round up to --send\n"
"                       frames or --seconds; echoes are told by their content\n"
"  --ping N --to IP     N ICMP echo requests, each sent when the last was answered\n"
"  --answer IP          answer ARP and ICMP echo requests for IP; beside the others, or alone\n"
"                       until a signal comes\n"
"\n"
"Frames\n"
"  --size LIST          bytes without FCS, so 60 is 64 on the wire; N and A-B (each size in\n"
"                       turn), with commas. 60 to 9600, default 60\n"
"  --dst MAC            default 02:00:00:00:00:02, or asked for by ARP when --to is given\n"
"  --src MAC            default 02:00:00:00:00:01, or the interface's own\n"
"  --to IP              default 10.0.0.2\n"
"  --from IP            default that of --answer, else 10.0.0.1\n"
"  --udp                UDP (the default)\n"
"  --icmp               ICMP echo requests: the far end's stack returns the payload\n"
"  --port N             UDP destination port, default 21577\n"
"  --sport N            UDP source port, default 21577\n"
"  --flow N             spread over N flows: source ports N0 .. N0+N-1 in turn\n"
"  --stream ID          number of the (first) stream, 0 to 65535, default 1\n"
"  --mix SPEC,...       several streams at once, each WEIGHT:udp[=PORT][/EXPECT] or\n"
"                       WEIGHT:ping[/EXPECT]; streams are numbered from --stream.\n"
"                       --mix 90:udp=21577/none,10:ping/echo\n"
"\n"
"How\n"
"  --rate PPS|max       frames a second (k and M are understood), default max: as fast as\n"
"                       the far end takes them\n"
"  --window N           at most N frames under way; the next goes when one is back\n"
"  --closed-loop        the same as --window 1\n"
"  --timeout-ms MS      with a window: frames not back by then are lost, default 1000;\n"
"                       the last ones are waited for as long, where they are expected\n"
"  --quiet-ms MS        end when nothing has come for so long after the last frame was\n"
"                       sent (or, receiving, came), default 500; 0 with --receive-only: never\n"
"  --wait-ms MS         how long to wait for the far end to be there (REMOTE to exist, ARP\n"
"                       to be answered, the first frame to come), default 30000\n"
"\n"
"Checks and output\n"
"  --expect none|echo|all  none: only report (default). echo: each frame comes back once\n"
"                       and intact (receiving: each comes). all: also in order, nothing else\n"
"  --mac-check pair|any|reply  frames must run between --src and --dst, in either direction\n"
"                       (pair, default), or between any addresses (any; always when receiving\n"
"                       only); reply: what is not from --dst is foreign, whatever it looks like\n"
"  --watch ID           beside all else, account for the frames of stream ID, which the far\n"
"                       end sends by itself\n"
"  --json FILE|-        the report\n"
"  --dump-bad FILE.pcap the first 100000 corrupt and foreign frames\n"
"  --help               this text\n"
"\n"
"Prints 'wire: ready' on stderr once frames can flow. SIGINT or SIGTERM stops sending;\n"
"what is under way is waited for as at any other end.\n"
"Exit code: 0 what was expected happened, 1 it did not, 2 the run was not possible.\n";

static int bad(const char *fmt, ...)
{
	va_list ap;

	fputs("wire: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("; see wire --help\n", stderr);
	return -1;
}

static int parse_u64(const char *opt, const char *s, uint64_t min, uint64_t max, uint64_t *out)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(s, &end, 10);
	if (errno || end == s || *end || *s == '-' || v < min || v > max)
		return bad("--%s wants a number from %llu to %llu, not '%s'", opt,
			   (unsigned long long)min, (unsigned long long)max, s);
	*out = v;
	return 0;
}

static int parse_uint(const char *opt, const char *s, unsigned int min, unsigned int max,
		      unsigned int *out)
{
	uint64_t v;

	if (parse_u64(opt, s, min, max, &v))
		return -1;
	*out = (unsigned int)v;
	return 0;
}

static int parse_u16(const char *opt, const char *s, uint16_t min, uint16_t *out)
{
	uint64_t v;

	if (parse_u64(opt, s, min, UINT16_MAX, &v))
		return -1;
	*out = (uint16_t)v;
	return 0;
}

static int parse_rate(const char *s, double *rate)
{
	char *end;
	double v;

	if (!strcmp(s, "max")) {
		*rate = 0;
		return 0;
	}
	v = strtod(s, &end);
	if (end != s && *end == 'k') {
		v *= 1e3;
		end++;
	} else if (end != s && *end == 'M') {
		v *= 1e6;
		end++;
	}
	if (end == s || *end || !isfinite(v) || v <= 0 || v > 1e9)
		return bad("--rate wants frames a second (60000, 60k, 1.5M) or max, not '%s'", s);
	*rate = v;
	return 0;
}

static int parse_seconds(const char *s, double *seconds)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end || !isfinite(v) || v <= 0 || v > 1e6)
		return bad("--seconds wants a time above 0, not '%s'", s);
	*seconds = v;
	return 0;
}

static int parse_mac(const char *opt, const char *s, uint8_t mac[6])
{
	unsigned int b[6], i;
	int end = 0;

	if (sscanf(s, "%2x:%2x:%2x:%2x:%2x:%2x%n", b, b + 1, b + 2, b + 3, b + 4, b + 5, &end) != 6 ||
	    s[end])
		return bad("--%s wants a MAC address like 02:00:00:00:00:01, not '%s'", opt, s);
	for (i = 0; i < 6; i++)
		mac[i] = (uint8_t)b[i];
	return 0;
}

static int parse_ip(const char *opt, const char *s, uint32_t *ip)
{
	struct in_addr a;

	if (inet_pton(AF_INET, s, &a) != 1)
		return bad("--%s wants an IPv4 address, not '%s'", opt, s);
	*ip = ntohl(a.s_addr);
	return 0;
}

static int parse_expect(const char *s, enum expect *e)
{
	static const char * const name[] = {
		[EXPECT_NONE] = "none", [EXPECT_ECHO] = "echo", [EXPECT_ALL] = "all",
	};
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (!strcmp(s, name[i])) {
			*e = (enum expect)i;
			return 0;
		}
	}
	return bad("none, echo or all can be expected, not '%s'", s);
}

static int parse_sizes(char *s, struct options *o)
{
	char *save = NULL, *item;

	o->sizes = 0;
	for (item = strtok_r(s, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		struct size_range *r = &o->size[o->sizes];
		char *dash = strchr(item, '-');
		unsigned int from, to;

		if (o->sizes == OPT_MAX_SIZES)
			return bad("--size takes at most %d items", OPT_MAX_SIZES);
		if (dash)
			*dash = '\0';
		if (parse_uint("size", item, FRAME_MIN, FRAME_MAX, &from))
			return -1;
		to = from;
		if (dash && parse_uint("size", dash + 1, from, FRAME_MAX, &to))
			return -1;
		r->from = (uint16_t)from;
		r->to = (uint16_t)to;
		o->sizes++;
	}
	return o->sizes ? 0 : bad("--size wants at least one size");
}

/* One item of --mix: WEIGHT:udp[=PORT][/EXPECT] or WEIGHT:ping[/EXPECT]. */
static int parse_mix_item(char *item, struct stream_options *s, enum expect expect)
{
	char *kind = strchr(item, ':'), *want, *port;

	if (!kind)
		return bad("--mix wants WEIGHT:KIND, not '%s'", item);
	*kind++ = '\0';
	if (parse_uint("mix", item, 1, 1000000, &s->weight))
		return -1;
	s->expect = expect;
	s->port = FRAME_UDP_PORT;
	want = strchr(kind, '/');
	if (want) {
		*want++ = '\0';
		if (parse_expect(want, &s->expect))
			return -1;
	}
	port = strchr(kind, '=');
	if (port)
		*port++ = '\0';
	if (!strcmp(kind, "udp")) {
		s->proto = FRAME_PROTO_UDP;
		return port ? parse_u16("mix", port, 1, &s->port) : 0;
	}
	if (!strcmp(kind, "ping") && !port) {
		s->proto = FRAME_PROTO_ICMP;
		return 0;
	}
	return bad("--mix knows udp[=PORT] and ping, not '%s'", kind);
}

static int parse_mix(char *s, struct options *o, enum expect expect)
{
	char *save = NULL, *item;

	o->streams = 0;
	for (item = strtok_r(s, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		if (o->streams == OPT_MAX_STREAMS)
			return bad("--mix takes at most %d streams", OPT_MAX_STREAMS);
		if (parse_mix_item(item, &o->stream[o->streams++], expect))
			return -1;
	}
	return o->streams ? 0 : bad("--mix wants at least one stream");
}

static int parse_unix(char *s, struct options *o)
{
	char *comma = strchr(s, ',');

	if (!comma || comma == s || !comma[1] || strchr(comma + 1, ','))
		return bad("--unix wants LOCAL,REMOTE, not '%s'", s);
	*comma = '\0';
	o->unix_local = s;
	o->unix_remote = comma + 1;
	return 0;
}

/* What fits together, once all options are known. */
static int options_check(struct options *o, bool mix, bool have_from, enum expect expect)
{
	bool sends = o->send || o->seconds > 0 || o->replay;

	if (!o->unix_local == !o->iface)
		return bad("say where: one of --unix LOCAL,REMOTE and --iface NAME");
	if (o->ping && (o->receive_only || o->replay || mix))
		return bad("--ping goes with none of --receive-only, --echo, --replay and --mix");
	if (o->ping && !o->have_to)
		return bad("--ping needs --to IP");
	if (o->receive_only && (o->send || o->replay || mix || o->window))
		return bad("--receive-only and --echo go with none of --send, --replay, --mix and --window");
	if (o->replay && (mix || o->window))
		return bad("--replay goes with neither --mix nor --window");
	if (!sends && !o->receive_only && !o->answer)
		return bad("say what to do: --send, --seconds, --receive-only, --replay, --ping, --echo or --answer");
	if (o->count && !o->receive_only)
		return bad("--count goes with --receive-only and --echo");
	if (o->stream_id + OPT_MAX_STREAMS > UINT16_MAX)
		return bad("--stream must leave room for %d streams", OPT_MAX_STREAMS);
	if (!mix)
		o->stream[0].expect = expect;
	if (o->answer && !have_from)
		o->src_ip = o->answer_ip;
	if (o->receive_only)
		o->any_mac = true;
	return 0;
}

enum {
	OPT_UNIX = 256, OPT_IFACE, OPT_SEND, OPT_SECONDS, OPT_RECEIVE_ONLY, OPT_ECHO, OPT_ECHO_EVERY, OPT_COUNT, OPT_REPLAY,
	OPT_PING, OPT_ANSWER, OPT_SIZE, OPT_DST, OPT_SRC, OPT_TO, OPT_FROM, OPT_UDP, OPT_ICMP,
	OPT_PORT, OPT_SPORT, OPT_FLOW, OPT_STREAM, OPT_MIX, OPT_RATE, OPT_WINDOW, OPT_CLOSED_LOOP,
	OPT_TIMEOUT, OPT_QUIET, OPT_WAIT, OPT_EXPECT, OPT_MAC_CHECK, OPT_WATCH, OPT_JSON, OPT_DUMP, OPT_HELP,
};

static const struct option long_options[] = {
	{ "unix", required_argument, NULL, OPT_UNIX },
	{ "iface", required_argument, NULL, OPT_IFACE },
	{ "send", required_argument, NULL, OPT_SEND },
	{ "seconds", required_argument, NULL, OPT_SECONDS },
	{ "receive-only", no_argument, NULL, OPT_RECEIVE_ONLY },
	{ "echo", no_argument, NULL, OPT_ECHO },
	{ "echo-every", required_argument, NULL, OPT_ECHO_EVERY },
	{ "count", required_argument, NULL, OPT_COUNT },
	{ "replay", required_argument, NULL, OPT_REPLAY },
	{ "ping", required_argument, NULL, OPT_PING },
	{ "answer", required_argument, NULL, OPT_ANSWER },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "dst", required_argument, NULL, OPT_DST },
	{ "src", required_argument, NULL, OPT_SRC },
	{ "to", required_argument, NULL, OPT_TO },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "udp", no_argument, NULL, OPT_UDP },
	{ "icmp", no_argument, NULL, OPT_ICMP },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "sport", required_argument, NULL, OPT_SPORT },
	{ "flow", required_argument, NULL, OPT_FLOW },
	{ "stream", required_argument, NULL, OPT_STREAM },
	{ "mix", required_argument, NULL, OPT_MIX },
	{ "rate", required_argument, NULL, OPT_RATE },
	{ "window", required_argument, NULL, OPT_WINDOW },
	{ "closed-loop", no_argument, NULL, OPT_CLOSED_LOOP },
	{ "timeout-ms", required_argument, NULL, OPT_TIMEOUT },
	{ "quiet-ms", required_argument, NULL, OPT_QUIET },
	{ "wait-ms", required_argument, NULL, OPT_WAIT },
	{ "expect", required_argument, NULL, OPT_EXPECT },
	{ "mac-check", required_argument, NULL, OPT_MAC_CHECK },
	{ "watch", required_argument, NULL, OPT_WATCH },
	{ "json", required_argument, NULL, OPT_JSON },
	{ "dump-bad", required_argument, NULL, OPT_DUMP },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static void options_default(struct options *o)
{
	static const uint8_t dst[6] = { 2, 0, 0, 0, 0, 2 }, src[6] = { 2, 0, 0, 0, 0, 1 };

	memset(o, 0, sizeof(*o));
	o->size[0].from = FRAME_MIN;
	o->size[0].to = FRAME_MIN;
	o->sizes = 1;
	memcpy(o->dst_mac, dst, 6);
	memcpy(o->src_mac, src, 6);
	o->src_ip = 0x0a000001;
	o->dst_ip = 0x0a000002;
	o->src_port = FRAME_UDP_PORT;
	o->flows = 1;
	o->stream_id = 1;
	o->stream[0].weight = 1;
	o->stream[0].proto = FRAME_PROTO_UDP;
	o->stream[0].port = FRAME_UDP_PORT;
	o->streams = 1;
	o->timeout_ms = 1000;
	o->quiet_ms = 500;
	o->wait_ms = 30000;
}

int options_parse(struct options *o, int argc, char **argv)
{
	enum expect expect = EXPECT_NONE;
	bool have_from = false;
	char *mix = NULL;
	int c, rc = 0;

	options_default(o);
	opterr = 0;
	optind = 1;
	while (!rc && (c = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_UNIX: rc = parse_unix(optarg, o); break;
		case OPT_IFACE: o->iface = optarg; break;
		case OPT_SEND: rc = parse_u64("send", optarg, 1, 1ULL << 34, &o->send); break;
		case OPT_SECONDS: rc = parse_seconds(optarg, &o->seconds); break;
		case OPT_RECEIVE_ONLY: o->receive_only = true; break;
		case OPT_ECHO: o->receive_only = true; o->echo = 1; break;
		case OPT_ECHO_EVERY:
			o->receive_only = true;
			rc = parse_uint("echo-every", optarg, 1, 1 << 20, &o->echo);
			break;
		case OPT_COUNT: rc = parse_u64("count", optarg, 1, 1ULL << 34, &o->count); break;
		case OPT_REPLAY: o->replay = optarg; break;
		case OPT_PING:
			o->ping = true;
			o->window = 1;
			o->stream[0].proto = FRAME_PROTO_ICMP;
			rc = parse_u64("ping", optarg, 1, 1ULL << 34, &o->send);
			break;
		case OPT_ANSWER: o->answer = true; rc = parse_ip("answer", optarg, &o->answer_ip); break;
		case OPT_SIZE: rc = parse_sizes(optarg, o); break;
		case OPT_DST: o->have_dst_mac = true; rc = parse_mac("dst", optarg, o->dst_mac); break;
		case OPT_SRC: o->have_src_mac = true; rc = parse_mac("src", optarg, o->src_mac); break;
		case OPT_TO: o->have_to = true; rc = parse_ip("to", optarg, &o->dst_ip); break;
		case OPT_FROM: have_from = true; rc = parse_ip("from", optarg, &o->src_ip); break;
		case OPT_UDP: o->stream[0].proto = FRAME_PROTO_UDP; break;
		case OPT_ICMP: o->stream[0].proto = FRAME_PROTO_ICMP; break;
		case OPT_PORT: rc = parse_u16("port", optarg, 1, &o->stream[0].port); break;
		case OPT_SPORT: rc = parse_u16("sport", optarg, 1, &o->src_port); break;
		case OPT_FLOW: rc = parse_u16("flow", optarg, 1, &o->flows); break;
		case OPT_STREAM: rc = parse_u16("stream", optarg, 0, &o->stream_id); break;
		case OPT_MIX: mix = optarg; break;
		case OPT_RATE: rc = parse_rate(optarg, &o->rate); break;
		case OPT_WINDOW: rc = parse_uint("window", optarg, 1, 1 << 20, &o->window); break;
		case OPT_CLOSED_LOOP: o->window = 1; break;
		case OPT_TIMEOUT: rc = parse_uint("timeout-ms", optarg, 1, 3600000, &o->timeout_ms); break;
		case OPT_QUIET: rc = parse_uint("quiet-ms", optarg, 0, 3600000, &o->quiet_ms); break;
		case OPT_WAIT: rc = parse_uint("wait-ms", optarg, 0, 3600000, &o->wait_ms); break;
		case OPT_EXPECT: rc = parse_expect(optarg, &expect); break;
		case OPT_MAC_CHECK:
			o->any_mac = !strcmp(optarg, "any");
			o->reply_mac = !strcmp(optarg, "reply");
			if (!o->any_mac && !o->reply_mac && strcmp(optarg, "pair"))
				rc = bad("--mac-check knows pair, any and reply, not '%s'", optarg);
			break;
		case OPT_WATCH: o->watching = true; rc = parse_u16("watch", optarg, 0, &o->watch); break;
		case OPT_JSON: o->json = optarg; break;
		case OPT_DUMP: o->dump_bad = optarg; break;
		case OPT_HELP: fputs(help, stdout); return 1;
		case ':': rc = bad("%s wants a value", argv[optind - 1]); break;
		default: rc = bad("unknown option %s", argv[optind - 1]); break;
		}
	}
	if (!rc && optind < argc)
		rc = bad("what is '%s'? all arguments are options", argv[optind]);
	if (!rc && mix)
		rc = parse_mix(mix, o, expect);
	return rc ? rc : options_check(o, mix, have_from, expect);
}
