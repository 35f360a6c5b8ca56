/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of the storm: parsing, and the help that describes it. */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actors.h"
#include "options.h"

static const char help[] =
"usage: storm --iface NAME [options]\n"
"\n"
"Many actors change and use one network interface at once, each at random. All that was changed is\n"
"put back in the end.\n"
"\n"
"  --actors LIST   names of actors and families of them, with commas; default all. -NAME leaves\n"
"                  one out: all,-driver\n"
"  --seconds S     how long, default 10; 0: until SIGINT or SIGTERM\n"
"  --seed N        of every actor's choices, default 1\n"
"  --stuck-ms MS   a call that takes longer is a hang, default 60000\n"
"  --dst MAC       address of the far end, default 02:00:00:00:00:01\n"
"  --to IP         the same, default 10.0.0.1\n"
"  --no-zero-sums  send no datagrams whose UDP checksum comes to 0, which goes out as 0xffff (RFC\n"
"                  768): the ENET that QEMU emulates leaves the 0, on whatever driver\n"
"  --json FILE|-   the report, default -\n"
"  --list          actors, one a line: name, family, what it does\n"
"  --help          this text\n"
"\n"
"Exit code: 0 every operation was done or properly refused, 1 one was not (a line on stderr says\n"
"which), 2 the run was not possible, 3 a call hangs (a line says whose).\n";

static int bad(const char *fmt, ...)
{
	va_list ap;

	fputs("storm: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("; see storm --help\n", stderr);
	return -1;
}

static int parse_u64(const char *name, const char *s, uint64_t max, uint64_t *out)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(s, &end, 10);
	if (errno || end == s || *end || *s == '-' || v > max)
		return bad("--%s wants a number up to %llu, not '%s'", name, (unsigned long long)max, s);
	*out = v;
	return 0;
}

static int parse_seconds(const char *s, double *out)
{
	char *end;

	*out = strtod(s, &end);
	if (end == s || *end || !(*out >= 0 && *out <= 1e9))
		return bad("--seconds wants a number of seconds, not '%s'", s);
	return 0;
}

static int parse_mac(const char *s, uint8_t mac[6])
{
	unsigned int b[6], i;
	char rest;

	if (sscanf(s, "%2x:%2x:%2x:%2x:%2x:%2x%c", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &rest) != 6)
		return bad("--dst wants a MAC address, not '%s'", s);
	for (i = 0; i < 6; i++)
		mac[i] = (uint8_t)b[i];
	return 0;
}

static int parse_ip(const char *s, uint32_t *out)
{
	struct in_addr a;

	if (inet_pton(AF_INET, s, &a) != 1)
		return bad("--to wants an IPv4 address, not '%s'", s);
	*out = ntohl(a.s_addr);
	return 0;
}

static bool chosen(const struct options *o, const struct actor *actor, unsigned int *at)
{
	for (*at = 0; *at < o->actors; (*at)++)
		if (o->actor[*at] == actor)
			return true;
	return false;
}

/* Add, or take out, the actors that a name stands for. */
static int choose(struct options *o, const char *name)
{
	bool out = *name == '-', found = false;
	const struct actor *actor;
	unsigned int at;

	name += out;
	for (actor = actors; actor->name; actor++) {
		if (strcmp(name, "all") && strcmp(name, actor->name) && strcmp(name, actor->family))
			continue;
		found = true;
		if (chosen(o, actor, &at)) {
			if (out)
				o->actor[at] = o->actor[--o->actors];
		} else if (!out) {
			if (o->actors == ACTORS_MAX)
				return bad("more than %u actors", ACTORS_MAX);
			o->actor[o->actors++] = actor;
		}
	}
	return found ? 0 : bad("no actor or family '%s' (--list tells them)", name);
}

static int parse_actors(struct options *o, const char *list)
{
	char *copy = strdup(list), *save = NULL, *name;
	int rc = copy ? 0 : bad("no memory");

	for (name = copy ? strtok_r(copy, ",", &save) : NULL; name && !rc; name = strtok_r(NULL, ",", &save))
		rc = choose(o, name);
	free(copy);
	return rc;
}

static int list(void)
{
	const struct actor *actor;

	for (actor = actors; actor->name; actor++)
		printf("%-12s %-10s %s\n", actor->name, actor->family, actor->help);
	return 1;
}

enum { OPT_IFACE, OPT_ACTORS, OPT_SECONDS, OPT_SEED, OPT_STUCK, OPT_DST, OPT_TO, OPT_ZERO_SUMS, OPT_JSON, OPT_LIST, OPT_HELP };

static const struct option longs[] = {
	{ "iface", required_argument, NULL, OPT_IFACE },
	{ "actors", required_argument, NULL, OPT_ACTORS },
	{ "seconds", required_argument, NULL, OPT_SECONDS },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "stuck-ms", required_argument, NULL, OPT_STUCK },
	{ "dst", required_argument, NULL, OPT_DST },
	{ "to", required_argument, NULL, OPT_TO },
	{ "no-zero-sums", no_argument, NULL, OPT_ZERO_SUMS },
	{ "json", required_argument, NULL, OPT_JSON },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 },
};

static int parse_one(struct options *o, int opt)
{
	uint64_t n;

	switch (opt) {
	case OPT_IFACE:
		o->iface = optarg;
		return 0;
	case OPT_ACTORS:
		return parse_actors(o, optarg);
	case OPT_SECONDS:
		return parse_seconds(optarg, &o->seconds);
	case OPT_SEED:
		return parse_u64("seed", optarg, UINT64_MAX, &o->seed);
	case OPT_STUCK:
		if (parse_u64("stuck-ms", optarg, 3600000, &n))
			return -1;
		o->stuck_ms = (unsigned int)n;
		return 0;
	case OPT_DST:
		return parse_mac(optarg, o->dst_mac);
	case OPT_TO:
		return parse_ip(optarg, &o->dst_ip);
	case OPT_ZERO_SUMS:
		o->no_zero_sums = true;
		return 0;
	case OPT_JSON:
		o->json = optarg;
		return 0;
	case OPT_LIST:
		return list();
	case OPT_HELP:
		fputs(help, stdout);
		return 1;
	default:
		return bad("no such option, or its value is missing");
	}
}

int options_parse(struct options *o, int argc, char **argv)
{
	int opt, rc;

	*o = (struct options){
		.seconds = 10, .seed = 1, .stuck_ms = 60000, .dst_mac = { 2, 0, 0, 0, 0, 1 },
		.dst_ip = 10u << 24 | 1, .json = "-",
	};
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		rc = parse_one(o, opt);
		if (rc)
			return rc;
	}
	if (optind < argc)
		return bad("'%s' is no option", argv[optind]);
	if (!o->iface)
		return bad("--iface says which interface");
	if (!if_nametoindex(o->iface))
		return bad("no interface %s", o->iface);
	return o->actors ? 0 : choose(o, "all");
}
