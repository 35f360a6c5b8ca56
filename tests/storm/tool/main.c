/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life-cycle storm: starts the actors, watches that none of them hangs in a call, ends them,
 * puts the interface's settings back, and reports.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actors.h"
#include "netdev.h"
#include "programs.h"
#include "report.h"

#define EXIT_PROPER	0
#define EXIT_IMPROPER	1
#define EXIT_IMPOSSIBLE	2
#define EXIT_STUCK	3

#define LOOK_US		20000

static atomic_bool stop;

/* The last of them is not an actor's: it puts the settings back. */
static struct act act[ACTORS_MAX + 1];

static void on_signal(int sig)
{
	(void)sig;
	atomic_store(&stop, true);
}

static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

/* --- watching -------------------------------------------------------------------- */

/* Where in the kernel a thread is, for whoever has to find out why it hangs. */
static void tell_stack(int tid)
{
	char path[64], buf[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stack", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, buf, sizeof(buf));
	if (n > 0)
		fprintf(stderr, "%.*s", (int)n, buf);
	if (fd >= 0)
		close(fd);
}

static bool stuck(const struct act *a, uint64_t now)
{
	uint64_t since = atomic_load(&a->since);
	const char *in = atomic_load(&a->in);

	if (!in || now < since || now - since < a->o->stuck_ms * 1000000ULL)
		return false;
	fprintf(stderr, "storm: %s hangs in %s for %llu s\n", a->actor->name, in,
		(unsigned long long)((now - since) / 1000000000ULL));
	tell_stack(atomic_load(&a->tid));
	return true;
}

/* For as long as the process lives, so that putting back is watched too. */
static void *watch(void *unused)
{
	for (;;) {
		bool any = false;
		unsigned int i;

		for (i = 0; i <= ACTORS_MAX; i++)
			if (act[i].actor)
				any |= stuck(&act[i], now_ns());
		if (any) {
			fflush(NULL);
			_exit(EXIT_STUCK);
		}
		usleep(LOOK_US * 5);
	}
	return unused;
}

/* --- actors ---------------------------------------------------------------------- */

static void *run(void *arg)
{
	struct act *a = arg;

	atomic_store(&a->tid, (int)syscall(SYS_gettid));
	a->actor->run(a);
	atomic_store(&a->ended, true);
	return NULL;
}

static int start(const struct options *o)
{
	unsigned int i;
	int rc;

	for (i = 0; i < o->actors; i++) {
		rc = pthread_create(&act[i].thread, NULL, run, &act[i]);
		if (rc) {
			fprintf(stderr, "storm: no thread for %s: %s\n", act[i].actor->name, strerror(rc));
			atomic_store(&stop, true);
			while (i--)
				pthread_join(act[i].thread, NULL);
			return -1;
		}
	}
	return 0;
}

/* Until the time is up, or a signal came, or nobody is left. */
static void wait_end(const struct options *o, uint64_t begin)
{
	unsigned int i, left = o->actors;

	while (!atomic_load(&stop) && left) {
		if (o->seconds && (double)(now_ns() - begin) / 1e9 >= o->seconds)
			break;
		usleep(LOOK_US);
		for (i = 0, left = 0; i < o->actors; i++)
			left += !atomic_load(&act[i].ended);
	}
	atomic_store(&stop, true);
	for (i = 0; i < o->actors; i++)
		pthread_join(act[i].thread, NULL);
}

/* What actors have left attached by netlink. Nobody else is at it any more. */
static void detach(struct act *a)
{
	static const struct op op = { "taking the last XDP program off", { 0 } };
	int index = netdev_index(a->o->iface);

	ACT(a, &op, index < 0 ? index : programs_detach(index));
}

int main(int argc, char **argv)
{
	static const struct actor restorer = { .name = "restore" };
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	static struct netdev_state state;
	struct options o;
	pthread_t watcher;
	uint64_t begin;
	unsigned int i;
	bool ok = true;
	int rc;

	rc = options_parse(&o, argc, argv);
	if (rc)
		return rc > 0 ? EXIT_PROPER : EXIT_IMPOSSIBLE;
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	rc = netdev_save(o.iface, &state);
	if (rc) {
		fprintf(stderr, "storm: cannot read the settings of %s: %s\n", o.iface, strerror(-rc));
		return EXIT_IMPOSSIBLE;
	}
	rc = programs_load();
	if (rc) {
		fprintf(stderr, "storm: cannot load the XDP programs: %s\n", strerror(-rc));
		return EXIT_IMPOSSIBLE;
	}
	catch_signals();
	for (i = 0; i < o.actors; i++)
		act_init(&act[i], o.actor[i], &o, &stop);
	act_init(&act[ACTORS_MAX], &restorer, &o, &stop);
	atomic_store(&act[ACTORS_MAX].tid, getpid());
	rc = pthread_create(&watcher, NULL, watch, NULL);
	if (rc || start(&o))
		return EXIT_IMPOSSIBLE;

	puts("ready");
	fflush(stdout);
	begin = now_ns();
	wait_end(&o, begin);
	detach(&act[ACTORS_MAX]);
	netdev_restore(&act[ACTORS_MAX], &state);
	programs_unload();

	act[o.actors] = act[ACTORS_MAX];
	for (i = 0; i <= o.actors; i++)
		ok &= !act_failed(&act[i]);
	if (report_write(&o, act, o.actors + 1, (double)(now_ns() - begin) / 1e9, ok))
		return EXIT_IMPOSSIBLE;
	return ok ? EXIT_PROPER : EXIT_IMPROPER;
}
