/* SPDX-License-Identifier: BSD-3-Clause */
/* The link partner's program: set up, run, report. See options.c for what it does. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "engine.h"
#include "options.h"
#include "port.h"
#include "report.h"

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

int main(int argc, char **argv)
{
	static struct engine engine;
	uint8_t mac[6] = { 0 };
	struct options o;
	struct port port;
	int rc;

	rc = options_parse(&o, argc, argv);
	if (rc)
		return rc > 0 ? EXIT_EXPECTED : EXIT_IMPOSSIBLE;

	/* Sleeps end on time: the default slack of 50 us is 3 frames at 60 kpps. */
	prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
	catch_signals();
	if (o.iface)
		rc = port_open_iface(&port, o.iface, mac);
	else
		rc = port_open_unix(&port, o.unix_local, o.unix_remote);
	if (rc)
		return EXIT_IMPOSSIBLE;

	rc = EXIT_IMPOSSIBLE;
	if (!engine_init(&engine, &o, &port, mac)) {
		int failed = engine_run(&engine, &stop);
		bool ok = !failed && report_verdict(&engine);

		if (!failed || engine.sent || engine.frames_in)
			report_summary(&engine);
		if (o.json && report_write(&engine, o.json, ok))
			failed = -1;
		if (!failed)
			rc = ok ? EXIT_EXPECTED : EXIT_UNEXPECTED;
		engine_free(&engine);
	}
	port_close(&port);
	return rc;
}
