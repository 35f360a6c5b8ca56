/* SPDX-License-Identifier: BSD-3-Clause */
/* The AF_XDP test tool's program: set up, do the work, report. works.c lists what it does. */
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run.h"

#define EXIT_EXPECTED	0
#define EXIT_UNEXPECTED	1
#define EXIT_IMPOSSIBLE	2

static volatile int stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void catch_signals(void)
{
	/* The first asks for the report, a second ends the program at once. */
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

static int own_mac(struct options *o)
{
	struct ifreq ifr = { 0 };
	int fd, rc;

	if (o->have_src_mac || o->work->flags & WORK_NO_QUEUE)
		return 0;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	strncpy(ifr.ifr_name, o->iface, IFNAMSIZ - 1);
	rc = fd < 0 ? -1 : ioctl(fd, SIOCGIFHWADDR, &ifr);
	if (rc)
		perror("xsk-test: address of the interface");
	if (fd >= 0)
		close(fd);
	memcpy(o->src_mac, ifr.ifr_hwaddr.sa_data, 6);
	return rc;
}

static int prepare(struct run *r, const struct options *o)
{
	struct frame_spec spec = {
		.src_ip = o->src_ip, .dst_ip = o->dst_ip, .proto = FRAME_PROTO_UDP,
		.src_port = FRAME_UDP_PORT, .dst_port = o->port, .stream = o->stream, .len = o->size,
	};

	memset(r, 0, sizeof(*r));
	r->o = o;
	r->stop = &stop;
	memcpy(spec.dst_mac, o->dst_mac, 6);
	memcpy(spec.src_mac, o->src_mac, 6);
	if (frame_template_init(&r->tmpl, &spec) || track_init(&r->track, 1)) {
		fprintf(stderr, "xsk-test: no memory\n");
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct run run;
	struct options o;
	int rc;

	rc = options_parse(&o, argc, argv);
	if (rc)
		return rc > 0 ? EXIT_EXPECTED : EXIT_IMPOSSIBLE;
	if (own_mac(&o) || prepare(&run, &o))
		return EXIT_IMPOSSIBLE;
	catch_signals();

	rc = EXIT_IMPOSSIBLE;
	if (o.work->flags & WORK_OWN_DEV || !dev_open(&run.dev, &o, DEV_SOCKET_FIRST)) {
		o.work->run(&run);
		if (!run.impossible) {
			run_check(&run);
			rc = run.failed ? EXIT_UNEXPECTED : EXIT_EXPECTED;
			if (run_report(&run, o.json))
				rc = EXIT_IMPOSSIBLE;
		}
	}
	dev_close(&run.dev);
	track_free(&run.track);
	return rc;
}
