/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: made, recorded, put back; by whom, and after which death. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "settings.h"

#define IFINDEX 3

/* The netdev: two settings, in memory that a forked child shares. */
struct netdev {
	char mtu[TI_SETTING_LEN];
	char up[TI_SETTING_LEN];
	int gone;	/* errno of every access */
	int refuses;	/* errno of setting */
	char order[64];	/* which were set, one letter each */
};

static struct netdev *dev;
static char dir[64];

static int
get(char *from, char value[TI_SETTING_LEN])
{
	strcpy(value, from);
	return -dev->gone;
}

static int
set(char *to, char letter, const char *value, struct ti_why *why)
{
	const char one[2] = { letter, '\0' };

	if (dev->refuses)
		return ti_fail(why, dev->refuses, "refused");
	strcpy(to, value);
	strcat(dev->order, one);
	return -dev->gone;
}

static int mtu_get(void *ctx, char v[TI_SETTING_LEN]) { assert_ptr_equal(ctx, dev); return get(dev->mtu, v); }
static int up_get(void *ctx, char v[TI_SETTING_LEN]) { assert_ptr_equal(ctx, dev); return get(dev->up, v); }

static int
mtu_set(void *ctx, const char *value, struct ti_why *why)
{
	assert_ptr_equal(ctx, dev);
	return set(dev->mtu, 'm', value, why);
}

static int
up_set(void *ctx, const char *value, struct ti_why *why)
{
	assert_ptr_equal(ctx, dev);
	return set(dev->up, 'u', value, why);
}

static const struct ti_setting kinds[] = {
	{ "mtu", mtu_get, mtu_set },
	{ "up", up_get, up_set },
};

static struct ti_settings *
open_settings(void)
{
	struct ti_settings *s = NULL;
	struct ti_why why;

	assert_int_equal(ti_settings_open(&s, dir, "eth9", IFINDEX, kinds, 2, dev, &why), 0);
	assert_non_null(s);
	return s;
}

static void
make(struct ti_settings *s, const char *key, const char *value)
{
	struct ti_why why;

	assert_int_equal(ti_settings_set(s, key, value, &why), 0);
}

/* The only record there is; "" when there is none. */
static const char *
record_path(void)
{
	static char path[512];
	struct dirent *e;
	DIR *d = opendir(dir);

	path[0] = '\0';
	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
	closedir(d);
	return path;
}

static void
append(const char *text)
{
	FILE *f = fopen(record_path(), "a");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Does @work in a child, which then dies without closing. */
static void
die_after(void (*work)(struct ti_settings *s))
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		work(open_settings());
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/ti-settings-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return -1;
	dev = mmap(NULL, sizeof(*dev), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	strcpy(dev->mtu, "1500");
	strcpy(dev->up, "0");
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	if (record_path()[0] != '\0')
		unlink(record_path());
	munmap(dev, sizeof(*dev));
	return rmdir(dir);
}

static void
put_back_in_reverse(void **state)
{
	struct ti_settings *s = open_settings();

	(void)state;
	make(s, "mtu", "1400");
	make(s, "up", "1");
	make(s, "mtu", "1300");
	assert_string_equal(dev->mtu, "1300");
	assert_string_equal(dev->up, "1");
	dev->order[0] = '\0';
	ti_settings_close(s);
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "0");
	assert_string_equal(dev->order, "um");
	assert_string_equal(record_path(), "");
}

static void
nothing_to_do(void **state)
{
	struct ti_settings *s = open_settings();

	(void)state;
	make(s, "mtu", "1500");
	assert_string_equal(dev->order, "");
	ti_settings_close(s);
	assert_string_equal(dev->order, "");
}

static void
put_back_one(void **state)
{
	struct ti_settings *s = open_settings();

	(void)state;
	make(s, "mtu", "1400");
	make(s, "up", "1");
	ti_settings_put_back(s, "mtu");
	ti_settings_put_back(s, "mtu");
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "1");
	make(s, "mtu", "1400");
	ti_settings_close(s);
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "0");
}

static void
changed_by_somebody_else(void **state)
{
	struct ti_settings *s = open_settings();

	(void)state;
	make(s, "mtu", "1400");
	make(s, "up", "1");
	strcpy(dev->mtu, "1280");
	ti_settings_close(s);
	assert_string_equal(dev->mtu, "1280");
	assert_string_equal(dev->up, "0");
}

static void
refused_by_the_kernel(void **state)
{
	struct ti_settings *s = open_settings();
	struct ti_why why;

	(void)state;
	dev->refuses = EOPNOTSUPP;
	assert_int_equal(ti_settings_set(s, "mtu", "9000", &why), -EOPNOTSUPP);
	assert_string_equal(why.msg, "refused");
	dev->refuses = 0;
	ti_settings_close(s);
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->order, "");
}

static void
unknown_setting(void **state)
{
	struct ti_settings *s = open_settings();
	struct ti_why why;

	(void)state;
	assert_int_equal(ti_settings_set(s, "colour", "red", &why), -EINVAL);
	ti_settings_put_back(s, "colour");
	ti_settings_close(s);
}

static void
netdev_is_gone(void **state)
{
	struct ti_settings *s = open_settings();

	(void)state;
	make(s, "mtu", "1400");
	dev->gone = ENODEV;
	ti_settings_close(s);
	dev->gone = 0;
	assert_string_equal(record_path(), "");
}

static void
change_two(struct ti_settings *s)
{
	make(s, "mtu", "1400");
	make(s, "up", "1");
	make(s, "mtu", "1300");
}

static void
nothing(struct ti_settings *s)
{
	(void)s;
}

static void
after_death(void **state)
{
	(void)state;
	die_after(change_two);
	assert_string_equal(dev->mtu, "1300");
	assert_string_not_equal(record_path(), "");
	ti_settings_close(open_settings());
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "0");
	assert_string_equal(record_path(), "");
}

static void
after_death_twice(void **state)
{
	(void)state;
	die_after(change_two);
	die_after(change_two);
	ti_settings_close(open_settings());
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "0");
}

/* The writer died in the middle of a line: what it announced there was not yet done. */
static void
record_that_was_cut(void **state)
{
	(void)state;
	die_after(change_two);
	append("mtu 1300 12");
	ti_settings_close(open_settings());
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "0");
	die_after(change_two);
	append("up 1");
	ti_settings_close(open_settings());
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "0");
}

static void
record_of_garbage(void **state)
{
	static const char * const garbage[] = {
		"", "\n\n\n", "af_xdp_ti 1\n", "mtu 1500 1400\n", "af_xdp_ti 2 x 1 1 eth9\nmtu 9 1500\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		FILE *f;

		die_after(change_two);
		strcpy(dev->mtu, "1500");
		strcpy(dev->up, "0");
		f = fopen(record_path(), "w");
		assert_non_null(f);
		fputs(garbage[i], f);
		fclose(f);
		dev->order[0] = '\0';
		ti_settings_close(open_settings());
		assert_string_equal(dev->order, "");
	}
}

/* A record from before a reboot, on a /run that survived it. */
static void
record_of_another_boot(void **state)
{
	FILE *f;

	(void)state;
	die_after(change_two);
	f = fopen(record_path(), "r+");
	assert_non_null(f);
	fseek(f, strlen("af_xdp_ti 1 "), SEEK_SET);
	fputs("00000000", f);
	fclose(f);
	ti_settings_close(open_settings());
	assert_string_equal(dev->mtu, "1300");
	assert_string_equal(dev->up, "1");
}

static void
live_owner_is_respected(void **state)
{
	struct ti_settings *second = NULL;
	int ready[2], end[2];
	char pid_text[32], byte;
	struct ti_why why;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(end), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct ti_settings *s = open_settings();

		close(end[1]);
		make(s, "mtu", "1400");
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		/* Until the parent closes its end. */
		if (read(end[0], &byte, 1) != 0)
			_exit(1);
		ti_settings_close(s);
		_exit(0);
	}
	close(end[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(ti_settings_open(&second, dir, "eth9", IFINDEX, kinds, 2, dev, &why), -EBUSY);
	snprintf(pid_text, sizeof(pid_text), "process %d (", pid);
	assert_non_null(strstr(why.msg, pid_text));
	assert_string_equal(dev->mtu, "1400");
	close(end[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(ready[0]);
	close(ready[1]);
	assert_string_equal(dev->mtu, "1500");
	ti_settings_close(open_settings());
}

/* Nowhere to keep a record: settings are made and put back all the same. */
static void
no_record(void **state)
{
	struct ti_settings *s = NULL;
	struct ti_why why;

	(void)state;
	assert_int_equal(ti_settings_open(&s, "/proc/no/such", "eth9", IFINDEX, kinds, 2, dev, &why), 0);
	make(s, "mtu", "1400");
	ti_settings_close(s);
	assert_string_equal(dev->mtu, "1500");
}

/* Closing could not put back (no file descriptor left, say): the next owner does. */
static void
not_put_back_now(void **state)
{
	struct ti_settings *s = open_settings();

	(void)state;
	make(s, "up", "1");
	make(s, "mtu", "1400");
	dev->gone = EMFILE;
	ti_settings_close(s);
	dev->gone = 0;
	assert_string_equal(dev->mtu, "1400");
	/* Nor can the next, for one of them: it keeps the change as its own. */
	dev->refuses = EBUSY;
	s = open_settings();
	dev->refuses = 0;
	assert_string_equal(dev->mtu, "1400");
	ti_settings_close(s);
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "0");
	assert_string_equal(record_path(), "");
}

/* The next owner is killed before it could put them back either. */
static void
not_put_back_and_killed(void **state)
{
	(void)state;
	die_after(change_two);
	dev->refuses = EBUSY;
	die_after(nothing);
	dev->refuses = 0;
	ti_settings_close(open_settings());
	assert_string_equal(dev->mtu, "1500");
	assert_string_equal(dev->up, "0");
}

/* A live owner that has not yet written its name, over the record of a dead one: the lock tells who it is. */
static void
owner_by_its_lock(void **state)
{
	struct ti_settings *s = NULL;
	char named[64];
	struct ti_why why;
	int fd;

	(void)state;
	die_after(change_two);
	fd = open(record_path(), O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	assert_int_equal(ti_settings_open(&s, dir, "eth9", IFINDEX, kinds, 2, dev, &why), -EBUSY);
	snprintf(named, sizeof(named), "eth9 is in use by process %d (", getpid());
	assert_non_null(strstr(why.msg, named));
	close(fd);
	ti_settings_close(open_settings());
}

/* An owner that was killed holds the record until the kernel has taken it apart: that is waited for. */
static void
owner_that_is_dying(void **state)
{
	pid_t pid;

	(void)state;
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		change_two(open_settings());
		usleep(300000);
		_exit(0);
	}
	while (record_path()[0] == '\0' || strcmp(dev->mtu, "1300") != 0)
		usleep(1000);
	ti_settings_close(open_settings());
	assert_string_equal(dev->mtu, "1500");
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* No file descriptor left: refused. Going on without the record would be to take what a live process has. */
static void
no_file_descriptor(void **state)
{
	struct ti_settings *s = NULL;
	struct rlimit limit, low;
	struct ti_why why;
	int next = dup(0), spare, ret;

	(void)state;
	close(next);
	getrlimit(RLIMIT_NOFILE, &limit);
	for (spare = 0; ; spare++) {
		low = limit;
		low.rlim_cur = next + spare;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
		ret = ti_settings_open(&s, dir, "eth9", IFINDEX, kinds, 2, dev, &why);
		setrlimit(RLIMIT_NOFILE, &limit);
		if (ret == 0)
			break;
		assert_int_equal(ret, -EMFILE);
		assert_non_null(strstr(why.msg, strerror(EMFILE)));
	}
	assert_true(spare > 0);
	assert_string_not_equal(record_path(), "");
	ti_settings_close(s);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(put_back_in_reverse),
		TEST(nothing_to_do),
		TEST(put_back_one),
		TEST(changed_by_somebody_else),
		TEST(refused_by_the_kernel),
		TEST(unknown_setting),
		TEST(netdev_is_gone),
		TEST(after_death),
		TEST(after_death_twice),
		TEST(record_that_was_cut),
		TEST(record_of_garbage),
		TEST(record_of_another_boot),
		TEST(live_owner_is_respected),
		TEST(no_record),
		TEST(not_put_back_now),
		TEST(not_put_back_and_killed),
		TEST(owner_by_its_lock),
		TEST(owner_that_is_dying),
		TEST(no_file_descriptor),
	};

	return cmocka_run_group_tests_name("pmd-settings", tests, NULL, NULL);
}
