/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program `wire` as a whole, against a relay that misbehaves by a seed: its
 * report must agree with the relay's own account, frame for frame. That is what a checker's word
 * is worth. Argument: path of the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame.h"
#include "relay.h"
#include "test.h"

#define ARGS_MAX	40

extern char **environ;

static const char *program;
static char dir[] = "/tmp/wire-test-XXXXXX";
static char wire_path[64], relay_path[64], pair[160], json_path[64], err_path[64];

/* Start wire with @args, split at blanks, on @where; its report goes to json_path. */
static pid_t start(const char *where, const char *json, const char *args)
{
	char *argv[ARGS_MAX], *save = NULL, *copy = strdup(args), *word;
	posix_spawn_file_actions_t fa;
	unsigned int n = 0;
	pid_t pid;

	assert_non_null(copy);
	argv[n++] = (char *)(uintptr_t)program;
	if (where) {
		argv[n++] = (char *)(uintptr_t)"--unix";
		argv[n++] = (char *)(uintptr_t)where;
		argv[n++] = (char *)(uintptr_t)"--json";
		argv[n++] = (char *)(uintptr_t)json;
	}
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		assert_true(n < ARGS_MAX - 1);
		argv[n++] = word;
	}
	argv[n] = NULL;
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 2, err_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
	assert_int_equal(posix_spawn(&pid, program, &fa, NULL, argv, environ), 0);
	posix_spawn_file_actions_destroy(&fa);
	free(copy);
	return pid;
}

static int finish(pid_t pid)
{
	int status;

	assert_true(waitpid(pid, &status, 0) == pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static json_t *report(const char *path)
{
	json_error_t err;
	json_t *o = json_load_file(path, 0, &err);

	if (!o)
		fail_msg("%s: %s", path, err.text);
	return o;
}

static uint64_t number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_integer(v))
		fail_msg("no number '%s' in the report", key);
	return (uint64_t)json_integer_value(v);
}

/* Lines on stderr of the last run. */
static unsigned int errors(char *text, size_t room)
{
	FILE *f = fopen(err_path, "r");
	size_t n, i;
	unsigned int lines = 0;

	assert_non_null(f);
	n = fread(text, 1, room - 1, f);
	text[n] = '\0';
	fclose(f);
	for (i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

static void clean_path(void **state)
{
	struct relay_faults f = { 0 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	struct relay_account a;
	json_t *o;

	(void)state;
	assert_int_equal(finish(start(pair, json_path, "--send 20000 --expect all --size 60,64-300,1514 "
				      "--quiet-ms 200")), 0);
	a = relay_stop(r);
	o = report(json_path);
	assert_int_equal(a.seen, 20000);
	assert_int_equal(number(o, "sent"), 20000);
	assert_int_equal(number(o, "received"), 20000);
	assert_int_equal(number(o, "lost") + number(o, "duplicate") + number(o, "reordered") +
			 number(o, "corrupt") + number(o, "foreign"), 0);
	json_decref(o);
}

static void compare(const struct relay_faults *f, const char *args, uint64_t sent)
{
	struct relay *r = relay_start(relay_path, wire_path, f);
	struct relay_account a;
	int rc = finish(start(pair, json_path, args));
	json_t *o;

	a = relay_stop(r);
	o = report(json_path);
	assert_int_equal(a.seen, sent);
	assert_int_equal(number(o, "sent"), sent);
	assert_int_equal(number(o, "duplicate"), a.duplicated);
	assert_int_equal(number(o, "corrupt"), a.corrupted + a.truncated);
	assert_int_equal(number(o, "lost"), a.dropped + a.corrupted + a.truncated);
	assert_int_equal(number(o, "received"), sent - number(o, "lost"));
	assert_int_equal(number(o, "reordered"), a.reordered);
	assert_int_equal(number(o, "foreign"), 0);
	assert_int_equal(rc, number(o, "lost") || a.duplicated ? 1 : 0);
	json_decref(o);
}

static void every_fault_is_counted_exactly(void **state)
{
	static const struct relay_faults faults[] = {
		{ .drop = 20, .seed = 11 },
		{ .duplicate = 20, .seed = 12 },
		{ .corrupt = 20, .seed = 13 },
		{ .truncate = 20, .seed = 14 },
		{ .delay = 20, .seed = 15 },
		{ .drop = 10, .duplicate = 10, .corrupt = 10, .truncate = 10, .delay = 30, .seed = 16 },
		{ .drop = 100, .duplicate = 100, .corrupt = 100, .truncate = 100, .delay = 100, .seed = 17 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		compare(&faults[i], "--send 20000 --expect echo --size 60-200 --quiet-ms 200", 20000);
}

static void one_lost_frame_fails_the_run(void **state)
{
	struct relay_faults f = { .drop = 1, .seed = 5 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	int rc = finish(start(pair, json_path, "--send 3000 --expect echo --quiet-ms 200"));
	struct relay_account a = relay_stop(r);

	(void)state;
	assert_in_range(a.dropped, 1, 20);
	assert_int_equal(rc, 1);
}

static void back_pressure_is_not_loss(void **state)
{
	struct relay_faults f = { .slow_us = 100 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	json_t *o;

	(void)state;
	assert_int_equal(finish(start(pair, json_path, "--send 3000 --expect all --quiet-ms 200")), 0);
	assert_int_equal(relay_stop(r).seen, 3000);
	o = report(json_path);
	assert_true(number(o, "backpressure") > 0);
	json_decref(o);
}

static void far_end_may_restart(void **state)
{
	struct relay_faults f = { .restart_after = 5000 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	struct relay_account a;
	json_t *o;

	(void)state;
	assert_int_equal(finish(start(pair, json_path, "--send 20000 --rate 20k --quiet-ms 200")), 0);
	a = relay_stop(r);
	o = report(json_path);
	assert_int_equal(number(o, "sent"), 20000);
	/* (connecting anew makes the kernel drop what waits to be read: a queue's length at most) */
	assert_in_range(number(o, "received"), a.seen - 600, a.seen);
	/* lost is what lay in the socket that went away, and no more */
	assert_in_range(number(o, "lost"), 0, 1200);
	json_decref(o);
}

static void closed_loop_goes_on_after_a_loss(void **state)
{
	struct relay_faults f = { .drop = 20, .seed = 3 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	struct relay_account a;
	json_t *o;

	(void)state;
	assert_int_equal(finish(start(pair, json_path, "--send 1000 --closed-loop --timeout-ms 50 "
				      "--expect echo --quiet-ms 100")), 1);
	a = relay_stop(r);
	o = report(json_path);
	assert_int_equal(number(o, "sent"), 1000);
	assert_int_equal(number(o, "lost"), a.dropped);
	/* the last frame has no successor to wait for it; a busy machine may time out others */
	assert_in_range(number(o, "timeouts"), a.dropped - 1, 1000);
	assert_true(a.dropped > 0);
	json_decref(o);
}

static void late_frames_reopen_no_window(void **state)
{
	struct relay_faults f = { .delay = 200, .drop = 10, .seed = 8 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	struct relay_account a;
	json_t *o;

	(void)state;
	finish(start(pair, json_path, "--send 3000 --window 4 --timeout-ms 5 --quiet-ms 200"));
	a = relay_stop(r);
	o = report(json_path);
	assert_int_equal(number(o, "sent"), 3000);
	assert_int_equal(number(o, "lost"), a.dropped);
	assert_int_equal(number(o, "duplicate"), 0);
	json_decref(o);
}

static void last_frames_of_a_window_have_its_time(void **state)
{
	struct relay_faults f = { .slow_us = 300000 };
	struct relay *r = relay_start(relay_path, wire_path, &f);

	(void)state;
	assert_int_equal(finish(start(pair, json_path, "--send 4 --window 4 --timeout-ms 10000 "
				      "--quiet-ms 50 --expect echo")), 0);
	relay_stop(r);
}

static void frames_under_way_at_a_signal_have_their_time(void **state)
{
	struct relay_faults f = { .slow_us = 300000 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	json_t *o;
	pid_t pid;

	(void)state;
	pid = start(pair, json_path, "--seconds 100 --window 4 --timeout-ms 10000 --quiet-ms 50 --expect echo");
	usleep(500000);
	kill(pid, SIGTERM);
	assert_int_equal(finish(pid), 0);
	relay_stop(r);
	o = report(json_path);
	assert_true(json_is_true(json_object_get(o, "interrupted")));
	assert_in_range(number(o, "sent"), 4, 8);
	assert_int_equal(number(o, "lost"), 0);
	json_decref(o);
}

static void rate_is_kept(void **state)
{
	struct relay_faults f = { 0 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	json_t *o;
	double s;

	(void)state;
	assert_int_equal(finish(start(pair, json_path, "--send 2001 --rate 4k --expect echo "
				      "--quiet-ms 100")), 0);
	relay_stop(r);
	o = report(json_path);
	s = json_real_value(json_object_get(o, "send_seconds"));
	/* Never faster than asked for; how much slower is the machine's affair. */
	if (s < 0.45)
		fail_msg("2001 frames at 4000 a second took %f s", s);
	json_decref(o);
}

static void two_wires_see_one_stream(void **state)
{
	char back[160], json2[96];
	pid_t rx;
	json_t *o;

	(void)state;
	snprintf(back, sizeof(back), "%s,%s", relay_path, wire_path);
	snprintf(json2, sizeof(json2), "%s.rx", json_path);
	rx = start(back, json2, "--receive-only --count 50000 --expect all --quiet-ms 200");
	assert_int_equal(finish(start(pair, json_path, "--send 50000 --quiet-ms 0")), 0);
	assert_int_equal(finish(rx), 0);
	o = report(json2);
	assert_int_equal(number(o, "received"), 50000);
	assert_int_equal(number(o, "lost"), 0);
	json_decref(o);

	/* the receiver is told of one more than was sent */
	rx = start(back, json2, "--receive-only --count 1001 --expect echo --quiet-ms 200");
	assert_int_equal(finish(start(pair, json_path, "--send 1000 --quiet-ms 0")), 0);
	assert_int_equal(finish(rx), 1);
	o = report(json2);
	assert_int_equal(number(o, "lost"), 1);
	json_decref(o);
	unlink(json2);
}

static void a_stream_of_the_far_end_is_watched(void **state)
{
	char back[160], json2[96];
	pid_t rx;
	json_t *o, *watched;

	(void)state;
	snprintf(back, sizeof(back), "%s,%s", relay_path, wire_path);
	snprintf(json2, sizeof(json2), "%s.watch", json_path);
	rx = start(back, json2, "--receive-only --watch 7 --quiet-ms 200");
	assert_int_equal(finish(start(pair, json_path, "--send 1000 --stream 7 --quiet-ms 0")), 0);
	assert_int_equal(finish(rx), 0);
	o = report(json2);
	watched = json_object_get(o, "watched");
	assert_int_equal(number(watched, "received"), 1000);
	assert_int_equal(number(watched, "lost") + number(watched, "duplicate"), 0);
	assert_int_equal(number(o, "foreign") + number(o, "received"), 0);
	json_decref(o);

	/* not from whom it should be: foreign, and in no account */
	rx = start(back, json2, "--receive-only --watch 7 --mac-check reply --dst 02:00:00:00:00:09 --quiet-ms 200");
	assert_int_equal(finish(start(pair, json_path, "--send 1000 --stream 7 --quiet-ms 0")), 0);
	assert_int_equal(finish(rx), 0);
	o = report(json2);
	assert_int_equal(number(json_object_get(o, "watched"), "received"), 0);
	assert_int_equal(number(o, "foreign"), 1000);
	json_decref(o);
	unlink(json2);
}

static void echo_returns_every_frame(void **state)
{
	char back[160], json2[96];
	pid_t far;
	json_t *o;

	(void)state;
	snprintf(back, sizeof(back), "%s,%s", relay_path, wire_path);
	snprintf(json2, sizeof(json2), "%s.echo", json_path);
	far = start(back, json2, "--echo --expect all --quiet-ms 300");
	assert_int_equal(finish(start(pair, json_path, "--send 50000 --size 60-700 --expect all --quiet-ms 100")), 0);
	assert_int_equal(finish(far), 0);
	o = report(json2);
	assert_int_equal(number(o, "received"), 50000);
	assert_int_equal(number(o, "echoed"), 50000);
	json_decref(o);
	unlink(json2);
}

static void streams_are_told_apart(void **state)
{
	struct relay_faults f = { .drop = 50, .seed = 9 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	const json_t *streams;
	uint64_t lost;
	json_t *o;

	(void)state;
	finish(start(pair, json_path, "--send 10000 --mix 9:udp,1:udp=7/echo --quiet-ms 200"));
	lost = relay_stop(r).dropped;
	o = report(json_path);
	streams = json_object_get(o, "streams");
	assert_int_equal(json_array_size(streams), 2);
	assert_int_equal(number(json_array_get(streams, 0), "sent"), 9000);
	assert_int_equal(number(json_array_get(streams, 1), "sent"), 1000);
	assert_int_equal(number(json_array_get(streams, 0), "lost") +
			 number(json_array_get(streams, 1), "lost"), lost);
	json_decref(o);
}

static void a_signal_ends_with_a_report(void **state)
{
	struct relay_faults f = { 0 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	pid_t pid = start(pair, json_path, "--seconds 600 --rate 10k --expect echo --quiet-ms 100");
	json_t *o;

	(void)state;
	usleep(300000);
	kill(pid, SIGTERM);
	assert_int_equal(finish(pid), 0);
	o = report(json_path);
	assert_true(json_is_true(json_object_get(o, "interrupted")));
	assert_true(number(o, "sent") > 0);
	assert_int_equal(number(o, "lost"), 0);
	assert_int_equal(number(o, "sent"), relay_stop(r).seen);
	json_decref(o);
	assert_int_not_equal(access(wire_path, F_OK), 0);	/* no socket left behind */
}

static void arp_and_ping_are_answered(void **state)
{
	/* who has 10.0.0.1, tell 10.0.0.2 */
	static const uint8_t arp[60] = {
		255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 9, 8, 6, 0, 1, 8, 0, 6, 4, 0, 1,
		2, 0, 0, 0, 0, 9, 10, 0, 0, 2, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1,
	};
	struct relay_faults f = { 0 };
	struct relay *r = relay_start(relay_path, wire_path, &f);
	pid_t pid = start(pair, json_path, "--answer 10.0.0.1 --src 02:00:00:00:00:aa");
	uint8_t ping[98], got[128];
	struct frame_info info;
	struct frame_spec s = { .src_ip = 0x0a000002, .dst_ip = 0x0a000001, .len = sizeof(ping),
				.proto = FRAME_PROTO_ICMP };
	struct frame_template t;
	unsigned int tries;
	size_t len = 0;
	json_t *o;

	(void)state;
	for (tries = 0; tries < 500 && access(wire_path, F_OK); tries++)
		usleep(10000);
	relay_inject(r, arp, sizeof(arp));
	for (tries = 0; tries < 500 && !len; tries++) {
		usleep(10000);
		len = relay_last_other(r, got, sizeof(got));
	}
	assert_int_equal(len, 60);
	assert_memory_equal(got, arp + 6, 6);
	assert_int_equal(got[21], 2);
	assert_memory_equal(got + 22, "\x02\0\0\0\0\xaa\x0a\0\0\1", 10);

	/* any ping, not one of the test's own streams */
	assert_int_equal(frame_template_init(&t, &s), 0);
	frame_fill(ping, &t, 1);
	frame_put16(ping + FRAME_OFF_L4 + 4, 77);
	memset(ping + FRAME_OFF_MAGIC, 0x5a, sizeof(ping) - FRAME_OFF_MAGIC);
	frame_put16(ping + FRAME_OFF_L4 + 2, 0);
	frame_put16(ping + FRAME_OFF_L4 + 2, (uint16_t)
		    ~frame_csum_fold(frame_csum_add(0, ping + FRAME_OFF_L4, sizeof(ping) - FRAME_OFF_L4)));
	relay_inject(r, ping, sizeof(ping));
	for (len = 0, tries = 0; tries < 500 && !len; tries++) {
		usleep(10000);
		len = relay_last_other(r, got, sizeof(got));
	}
	assert_int_equal(len, sizeof(ping));
	assert_int_equal(got[FRAME_OFF_L4], 0);
	assert_memory_equal(got + FRAME_OFF_L4 + 4, ping + FRAME_OFF_L4 + 4, sizeof(ping) - FRAME_OFF_L4 - 4);
	assert_int_equal(frame_csum_fold(frame_csum_add(0, got + FRAME_OFF_L4, len - FRAME_OFF_L4)), 0xffff);
	assert_int_equal(frame_verify(got, len, &info), FRAME_FOREIGN);

	kill(pid, SIGINT);
	assert_int_equal(finish(pid), 0);
	relay_stop(r);
	o = report(json_path);
	assert_int_equal(number(o, "answered"), 2);
	json_decref(o);
}

/* A little capture of three frames, written by hand: pcap's classic format. */
static void write_capture(const char *path)
{
	static const uint32_t head[6] = { 0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1 };
	FILE *f = fopen(path, "w");
	struct frame_spec s = { .proto = FRAME_PROTO_UDP, .src_port = 1, .dst_port = 2, .len = 80,
				.dst_mac = { 2, 0, 0, 0, 0, 2 }, .src_mac = { 2, 0, 0, 0, 0, 1 } };
	struct frame_template t;
	uint8_t frame[80];
	unsigned int i;

	assert_non_null(f);
	assert_int_equal(frame_template_init(&t, &s), 0);
	fwrite(head, sizeof(head), 1, f);
	for (i = 0; i < 3; i++) {
		uint32_t rec[4] = { i, 0, i ? 80 : 70, i ? 80 : 70 };

		frame_fill(frame, &t, i);
		fwrite(rec, sizeof(rec), 1, f);
		fwrite(frame, rec[2], 1, f);
	}
	assert_int_equal(fclose(f), 0);
}

static void captures_are_replayed_and_known_again(void **state)
{
	struct relay_faults clean = { 0 }, faulty = { .drop = 30, .duplicate = 30, .corrupt = 30, .seed = 4 };
	char path[96], args[160];
	struct relay_account a;
	struct relay *r;
	json_t *o;

	(void)state;
	snprintf(path, sizeof(path), "%s/three.pcap", dir);
	write_capture(path);
	snprintf(args, sizeof(args), "--replay %s --expect all --quiet-ms 200", path);
	r = relay_start(relay_path, wire_path, &clean);
	assert_int_equal(finish(start(pair, json_path, args)), 0);
	assert_int_equal(relay_stop(r).seen, 3);

	snprintf(args, sizeof(args), "--replay %s --send 3000 --expect echo --quiet-ms 200", path);
	r = relay_start(relay_path, wire_path, &faulty);
	assert_int_equal(finish(start(pair, json_path, args)), 1);
	a = relay_stop(r);
	o = report(json_path);
	assert_int_equal(number(o, "sent"), 3000);
	/* equal frames are one as good as the other: only the balance is known */
	assert_int_equal(number(o, "lost") - number(o, "duplicate"),
			 a.dropped + a.corrupted - a.duplicated);
	assert_int_equal(number(o, "foreign"), a.corrupted);
	json_decref(o);
	unlink(path);
}

static void impossible_runs_say_so_in_one_line(void **state)
{
	static const char * const args[] = {
		"--send", "--send 0 --unix a,b", "--unix a,b", "--unix a --send 1", "--send 1",
		"--unix a,b --iface c --send 1", "--unix a,b --send 1 --size 59", "--nonsense",
		"--unix a,b --send 1 --size 60-", "--unix a,b --send 1 --rate fast", "stray --help2",
		"--unix a,b --ping 3", "--unix a,b --receive-only --send 3", "--iface no-such-if0 --send 1",
		"--unix a,b --send 1 --mix 1:tcp", "--unix a,b --send 1 --mix :udp",
		"--unix a,b --send 1 --expect much", "--unix a,b --send 1 --dst 1:2:3",
		"--unix a,b --replay /nonexistent.pcap", "--unix a,b --send 1 --mac-check some",
		"--unix /nonexistent/a,/nonexistent/b --send 1",
	};
	char text[4096];
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
		int rc = finish(start(NULL, NULL, args[i]));
		unsigned int lines = errors(text, sizeof(text));

		if (rc != 2 || lines != 1)
			fail_msg("wire %s: exit code %d, %u lines: %s", args[i], rc, lines, text);
	}
	assert_int_equal(finish(start(NULL, NULL, "--help")), 0);
	assert_int_equal(errors(text, sizeof(text)), 0);
}

static void a_missing_far_end_is_reported(void **state)
{
	char text[4096];

	(void)state;
	assert_int_equal(finish(start(pair, json_path, "--send 1 --wait-ms 100")), 2);
	assert_int_equal(errors(text, sizeof(text)), 1);
	assert_non_null(strstr(text, "nobody at"));
	assert_int_equal(finish(start(pair, json_path, "--receive-only --wait-ms 100")), 2);
}

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	if (chdir(dir))
		return -1;
	snprintf(wire_path, sizeof(wire_path), "%s/w", dir);
	snprintf(relay_path, sizeof(relay_path), "%s/r", dir);
	snprintf(pair, sizeof(pair), "%s,%s", wire_path, relay_path);
	snprintf(json_path, sizeof(json_path), "%s/json", dir);
	snprintf(err_path, sizeof(err_path), "%s/err", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(json_path);
	unlink(err_path);
	return chdir("/") || rmdir(dir);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean_path),
		cmocka_unit_test(every_fault_is_counted_exactly),
		cmocka_unit_test(one_lost_frame_fails_the_run),
		cmocka_unit_test(back_pressure_is_not_loss),
		cmocka_unit_test(far_end_may_restart),
		cmocka_unit_test(closed_loop_goes_on_after_a_loss),
		cmocka_unit_test(late_frames_reopen_no_window),
		cmocka_unit_test(last_frames_of_a_window_have_its_time),
		cmocka_unit_test(frames_under_way_at_a_signal_have_their_time),
		cmocka_unit_test(rate_is_kept),
		cmocka_unit_test(two_wires_see_one_stream),
		cmocka_unit_test(a_stream_of_the_far_end_is_watched),
		cmocka_unit_test(echo_returns_every_frame),
		cmocka_unit_test(streams_are_told_apart),
		cmocka_unit_test(a_signal_ends_with_a_report),
		cmocka_unit_test(arp_and_ping_are_answered),
		cmocka_unit_test(captures_are_replayed_and_known_again),
		cmocka_unit_test(impossible_runs_say_so_in_one_line),
		cmocka_unit_test(a_missing_far_end_is_reported),
	};

	int rc;

	if (argc != 2) {
		fprintf(stderr, "usage: test_loopback PATH-OF-WIRE\n");
		return 2;
	}
	program = realpath(argv[1], NULL);	/* the tests run in a directory of their own */
	if (!program) {
		perror(argv[1]);
		return 2;
	}
	rc = cmocka_run_group_tests_name("wire loopback", tests, setup, teardown);
	free((void *)(uintptr_t)program);
	return rc;
}
