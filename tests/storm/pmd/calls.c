/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every call that the PMD makes fails once, each in turn, while a port is opened and while
 * it is closed; and every number of free file descriptors. After each: nothing left behind, one
 * line that says why, and the next start works.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>

#include <rte_common.h>
#include <rte_ethdev.h>

#include "bench.h"
#include "fail.h"

/* With LeakSanitizer linked in: what is lost so far. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static struct bench_state before;

static void
open_and_close(const char *after, unsigned int nth)
{
	unsigned int lines;
	const char *said;
	int ret;

	ret = bench_open(0, 0);
	said = bench_said(&lines);
	if (ret < 0)
		bench_fault("%s, call %u (%s): the next start fails: %s", after, nth, fail_what(), said);
	bench_close(0);
}

static void
must_be_as_before(const char *when, unsigned int nth, const char *said)
{
	struct bench_state now;
	const char *difference;

	bench_state(&now);
	/* A record that could not be locked or read may not be removed: it may be another's. The next may. */
	if (now.records != before.records) {
		open_and_close(when, nth);
		bench_state(&now);
	}
	difference = bench_difference(&before, &now);
	if (difference == NULL)
		return;
	if (now.fds != before.fds)
		bench_print_fds();
	bench_fault("%s, call %u (%s): %s\nsaid: %s", when, nth, fail_what(), difference, said);
}

/* A refusal is told, once, and the line says what stood in the way. */
static void
must_be_one_line(const char *when, unsigned int nth, const char *said, unsigned int lines)
{
	if (lines == 0)
		bench_fault("%s, call %u (%s): refused without a word", when, nth, fail_what());
	if (lines > 1)
		bench_fault("%s, call %u (%s): refused with %u lines:\n%s", when, nth, fail_what(),
			    lines, said);
	if (strstr(said, strerror(fail_errno())) == NULL && strstr(said, "no memory") == NULL)
		bench_fault("%s, call %u (%s): the line does not say why: %s", when, nth,
			    fail_what(), said);
}

/* A port that starts all the same is one: it has its record, and the XDP program is attached. */
static void
must_be_whole(unsigned int nth, const char *said)
{
	struct bench_state now;

	bench_state(&now);
	if (now.dev[0].xdp == 0 || now.records != before.records + 1)
		bench_fault("opening, call %u (%s): started with XDP program %u, %d records\nsaid: %s",
			    nth, fail_what(), now.dev[0].xdp, now.records - before.records, said);
}

int
storm_calls(void)
{
	unsigned int nth, made, refusals = 0, survived = 0, closings = 0, lines;
	const char *said;
	int ret;

	open_and_close("warm-up", 0);
	bench_said(&lines);
	bench_state(&before);

	/* Opening, until there is no call left to refuse. */
	for (nth = 1; ; nth++) {
		fail_arm(nth);
		ret = bench_open(0, 0);
		made = fail_disarm();
		said = bench_said(&lines);
		if (ret < 0) {
			if (made < nth)
				bench_fault("opening fails though no call did: %s", said);
			must_be_one_line("opening", nth, said, lines);
			refusals++;
		} else {
			must_be_whole(nth, said);
			bench_close(0);
			if (made < nth)
				break;
			survived++;
		}
		must_be_as_before("opening", nth, said);
		if (nth % 16 == 0)
			open_and_close("opening", nth);
		bench_said(&lines);
	}
	must_be_as_before("opening", nth, said);
	printf("opening: calls %u refusals %u survived %u\n", nth - 1, refusals, survived);

	/* Closing: it always ends, and what it could not put back the next port does. */
	for (nth = 1; ; nth++) {
		if (bench_open(0, 0) < 0)
			bench_fault("after closing, call %u (%s): the next start fails: %s", nth - 1,
				    fail_what(), bench_said(&lines));
		fail_arm(nth);
		bench_close(0);
		made = fail_disarm();
		said = bench_said(&lines);
		if (made < nth)
			break;
		closings++;
		open_and_close("closing", nth);
		must_be_as_before("closing", nth, said);
	}
	must_be_as_before("closing", nth, said);
	printf("closing: calls %u\n", closings);
	if (__lsan_do_recoverable_leak_check != NULL && __lsan_do_recoverable_leak_check() != 0)
		bench_fault("memory is lost");
	return 0;
}

int
storm_fds(void)
{
	struct rlimit limit, low;
	unsigned int spare, lines, refusals = 0;
	const char *said;
	int ret, next;

	open_and_close("warm-up", 0);
	bench_said(&lines);
	bench_state(&before);
	getrlimit(RLIMIT_NOFILE, &limit);
	next = dup(0);
	close(next);
	for (spare = 0; ; spare++) {
		low = limit;
		low.rlim_cur = next + spare;
		setrlimit(RLIMIT_NOFILE, &low);
		ret = bench_open(0, 0);
		setrlimit(RLIMIT_NOFILE, &limit);
		said = bench_said(&lines);
		if (ret >= 0)
			break;
		refusals++;
		if (lines != 1 || strstr(said, strerror(EMFILE)) == NULL)
			bench_fault("%u free file descriptors: %u lines:\n%s", spare, lines, said);
		must_be_as_before("few file descriptors", spare, said);
	}
	/* And with none to be had, closing puts everything back, or the next port does. */
	low.rlim_cur = 1;
	setrlimit(RLIMIT_NOFILE, &low);
	bench_close(0);
	setrlimit(RLIMIT_NOFILE, &limit);
	open_and_close("closing", 0);
	must_be_as_before("closing without file descriptors", 0, bench_said(&lines));
	printf("file descriptors: refusals %u\n", refusals);
	return 0;
}
