/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings made and put back, and their record under /run. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <rte_cycles.h>
#include <rte_string_fns.h>

#include "compat.h"
#include "settings.h"

#define RECORD_MAGIC "af_xdp_ti 1"
#define RECORD_MAX 8192		/* bytes; a record has some tens of lines at most */
#define CHANGES_MAX 16		/* more than there are kinds */
#define BOOT_ID_LEN 37		/* a UUID as text */

/* How long the record of a process that was killed may stay locked: it has sockets to close. */
#define DYING_WAIT_MS 1000

struct change {
	const struct ti_setting *kind;
	char was[TI_SETTING_LEN];
	char now[TI_SETTING_LEN];
};

struct ti_settings {
	const struct ti_setting *kinds;
	unsigned int n_kinds;
	void *ctx;
	char ifname[32];
	char path[PATH_MAX];
	int fd;				/* the record, locked; -1 when it cannot be kept */
	struct change change[CHANGES_MAX];
	unsigned int n_changes;
};

static void
read_word(const char *path, char *buf, size_t len)
{
	FILE *f = fopen(path, "re");

	buf[0] = '\0';
	if (f == NULL)
		return;
	if (fgets(buf, len, f) != NULL)
		buf[strcspn(buf, "\n")] = '\0';
	fclose(f);
}

/* Field 22 of /proc/self/stat: when the process started, in clock ticks since boot. */
static unsigned long long
own_start_time(void)
{
	unsigned long long start = 0;
	char stat[1024];
	const char *p;

	read_word("/proc/self/stat", stat, sizeof(stat));
	/* The name, field 2, is in parentheses and may hold anything. */
	p = strrchr(stat, ')');
	if (p != NULL)
		sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		       &start);
	return start;
}

/*
 * What tells this network namespace from all others since boot: its cookie (Linux
 * 5.14). Before, its inode, which may be given to another when it is gone.
 */
static int
netns_cookie(uint64_t *cookie)
{
	socklen_t len = sizeof(*cookie);
	struct stat st;
	int fd, ret;

	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	ret = getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, cookie, &len) == 0 ? 0 : -errno;
	close(fd);
	if (ret != -ENOPROTOOPT)
		return ret;
	if (stat("/proc/self/ns/net", &st) != 0)
		return -errno;
	*cookie = st.st_ino;
	return 0;
}

static const struct ti_setting *
find_kind(const struct ti_settings *s, const char *key)
{
	unsigned int i;

	for (i = 0; i < s->n_kinds; i++)
		if (strcmp(s->kinds[i].key, key) == 0)
			return &s->kinds[i];
	return NULL;
}

static struct change *
find_change(struct ti_settings *s, const struct ti_setting *kind)
{
	unsigned int i;

	for (i = 0; i < s->n_changes; i++)
		if (s->change[i].kind == kind)
			return &s->change[i];
	return NULL;
}

/* Note that @kind went from @was to @now; of several changes the first @was counts. */
static struct change *
note_change(struct ti_settings *s, const struct ti_setting *kind, const char *was,
	    const char *now)
{
	struct change *c = find_change(s, kind);

	if (c == NULL) {
		if (s->n_changes == CHANGES_MAX)
			return NULL;
		c = &s->change[s->n_changes++];
		c->kind = kind;
		strlcpy(c->was, was, sizeof(c->was));
	}
	strlcpy(c->now, now, sizeof(c->now));
	return c;
}

/* False when it has still to be put back. */
static bool
put_back(struct ti_settings *s, const struct change *c)
{
	char value[TI_SETTING_LEN];
	struct ti_why why;
	int ret;

	ret = c->kind->get(s->ctx, value);
	if (ret == -ENODEV)
		return true;	/* the netdev is gone, its settings with it */
	if (ret != 0) {
		TI_LOG(WARNING, s->ifname, "cannot read %s to put back %s: %s",
		       c->kind->key, c->was, strerror(-ret));
		return false;
	}
	if (strcmp(value, c->was) == 0)
		return true;
	if (strcmp(value, c->now) != 0) {
		TI_LOG(NOTICE, s->ifname,
		       "%s was changed from %s to %s by somebody else, so it is not put back to %s",
		       c->kind->key, c->now, value, c->was);
		return true;
	}
	ret = c->kind->set(s->ctx, c->was, &why);
	if (ret == 0 || ret == -ENODEV)
		return true;
	TI_LOG(WARNING, s->ifname, "cannot put %s back to %s: %s", c->kind->key, c->was, why.msg);
	return false;
}

/* Last change first. Those that cannot be put back now stay noted. */
static void
put_back_all(struct ti_settings *s)
{
	unsigned int i, left = 0;

	for (i = s->n_changes; i-- > 0; )
		if (put_back(s, &s->change[i]))
			s->change[i].kind = NULL;
	for (i = 0; i < s->n_changes; i++)
		if (s->change[i].kind != NULL)
			s->change[left++] = s->change[i];
	s->n_changes = left;
}

/* Take over the changes in the text of a dead owner's record, if it is of this boot. */
static void
load_record(struct ti_settings *s, char *text, const char *boot)
{
	char key[32], was[TI_SETTING_LEN], now[TI_SETTING_LEN], of_boot[BOOT_ID_LEN];
	const struct ti_setting *kind;
	char *line, *save = NULL, *end;

	/* A last line without its end was cut short by the death of the writer: never made. */
	end = strrchr(text, '\n');
	if (end == NULL)
		return;
	*end = '\0';
	line = strtok_r(text, "\n", &save);
	if (line == NULL || sscanf(line, RECORD_MAGIC " %36s", of_boot) != 1 ||
	    strcmp(of_boot, boot) != 0)
		return;
	while ((line = strtok_r(NULL, "\n", &save)) != NULL) {
		if (sscanf(line, "%31s %47s %47s", key, was, now) != 3)
			continue;
		kind = find_kind(s, key);
		if (kind != NULL)
			note_change(s, kind, was, now);
	}
}

/*
 * Open and lock the record. -EBUSY: a live owner has it. A program that was killed has it until
 * the kernel has taken it apart, so a while is waited.
 */
static int
lock_record(struct ti_settings *s, const char *dir)
{
	unsigned int ms = 0;
	struct stat st;
	int fd, err;

	if (mkdir(dir, 0755) != 0 && errno != EEXIST)
		return -errno;
	for (;;) {
		fd = open(s->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
			err = errno == EWOULDBLOCK ? EBUSY : errno;
			close(fd);
			if (err != EBUSY || ms++ == DYING_WAIT_MS)
				return -err;
			rte_delay_us_sleep(1000);
			continue;
		}
		/* An owner that closed meanwhile has removed the file we locked: again. */
		if (fstat(fd, &st) == 0 && st.st_nlink != 0) {
			s->fd = fd;
			return 0;
		}
		close(fd);
	}
}

/* Whether there is no place for records here: without, settings are made all the same. */
static bool
no_place(int err)
{
	return err == EACCES || err == EPERM || err == EROFS || err == ENOENT || err == ENOTDIR ||
	       err == ELOOP || err == ENOSPC || err == EDQUOT;
}

/*
 * The process that holds the lock, by the kernel's list of them: the record may still name an owner
 * before it, whose changes are just being put back. False when it is not listed (/proc of
 * another PID namespace, or none).
 */
static bool
lock_holder(const char *path, char pid[16])
{
	unsigned int major, minor;
	unsigned long long inode;
	bool found = false;
	char line[160];
	struct stat st;
	FILE *f;

	if (stat(path, &st) != 0)
		return false;
	f = fopen("/proc/locks", "re");
	if (f == NULL)
		return false;
	/* 1: FLOCK  ADVISORY  WRITE 4711 00:1a:4242 0 EOF */
	while (!found && fgets(line, sizeof(line), f) != NULL)
		found = sscanf(line, "%*s FLOCK %*s %*s %15s %x:%x:%llu", pid, &major, &minor,
			       &inode) == 4 &&
			inode == st.st_ino && makedev(major, minor) == st.st_dev &&
			strtol(pid, NULL, 10) > 0;
	fclose(f);
	return found;
}

static int
live_owner(const struct ti_settings *s, struct ti_why *why)
{
	char line[256], pid[16], comm_path[64], comm[32];

	if (!lock_holder(s->path, pid)) {
		read_word(s->path, line, sizeof(line));
		if (sscanf(line, RECORD_MAGIC " %*s %15s", pid) != 1)
			strlcpy(pid, "?", sizeof(pid));
	}
	snprintf(comm_path, sizeof(comm_path), "/proc/%s/comm", pid);
	read_word(comm_path, comm, sizeof(comm));
	return ti_fail(why, EBUSY,
		"%s is in use by process %s%s%s%s: end it, or give both ports to one process",
		s->ifname, pid, comm[0] ? " (" : "", comm, comm[0] ? ")" : "");
}

/* One write of one line, so that a kill leaves it whole or not there. */
static int
append_line(struct ti_settings *s, const char *line, int len)
{
	ssize_t done;

	if (s->fd < 0)
		return 0;
	done = write(s->fd, line, len);
	if (done == len)
		return 0;
	return done < 0 ? -errno : -EIO;
}

static int
append_change(struct ti_settings *s, const struct change *c)
{
	char line[192];
	int len;

	len = snprintf(line, sizeof(line), "%s %s %s\n", c->kind->key, c->was, c->now);
	return append_line(s, line, len);
}

int
ti_settings_open(struct ti_settings **out, const char *dir, const char *ifname,
		 uint32_t ifindex, const struct ti_setting *kinds, unsigned int n,
		 void *ctx, struct ti_why *why)
{
	char text[RECORD_MAX], line[256], boot[BOOT_ID_LEN];
	struct ti_settings *s;
	uint64_t cookie = 0;
	unsigned int i;
	ssize_t got;
	int ret, len;

	s = calloc(1, sizeof(*s));
	if (s == NULL)
		return ti_fail(why, ENOMEM, "no memory for the settings of %s", ifname);
	s->kinds = kinds;
	s->n_kinds = n;
	s->ctx = ctx;
	s->fd = -1;
	strlcpy(s->ifname, ifname, sizeof(s->ifname));

	ret = netns_cookie(&cookie);
	if (ret != 0) {
		free(s);
		return ti_fail(why, -ret, "cannot tell the network namespace of %s: %s", ifname,
			       strerror(-ret));
	}
	snprintf(s->path, sizeof(s->path), "%s/%" PRIu64 "-%u", dir, cookie, ifindex);

	ret = lock_record(s, dir);
	if (ret == -EBUSY) {
		ret = live_owner(s, why);
		free(s);
		return ret;
	}
	if (ret != 0 && !no_place(-ret)) {
		ret = ti_fail(why, -ret, "cannot open %s, the record of the settings of %s: %s",
			      s->path, ifname, strerror(-ret));
		free(s);
		return ret;
	}
	if (ret != 0) {
		TI_LOG(WARNING, ifname,
		       "cannot keep a record of settings in %s (%s): should this program be killed, they stay changed",
		       dir, strerror(-ret));
		*out = s;
		return 0;
	}

	read_word("/proc/sys/kernel/random/boot_id", boot, sizeof(boot));
	got = pread(s->fd, text, sizeof(text) - 1, 0);
	if (got < 0) {
		ret = ti_fail(why, errno, "cannot read %s, the record of the settings of %s: %s",
			      s->path, ifname, strerror(errno));
		close(s->fd);
		free(s);
		return ret;
	}
	if (got > 0) {
		text[got] = '\0';
		load_record(s, text, boot);
		if (s->n_changes != 0)
			TI_LOG(NOTICE, ifname,
			       "putting back %u settings that a killed program left changed",
			       s->n_changes);
		put_back_all(s);
	}

	len = snprintf(line, sizeof(line), RECORD_MAGIC " %s %d %llu %s\n", boot, getpid(),
		       own_start_time(), ifname);
	ret = ftruncate(s->fd, 0) == 0 ? append_line(s, line, len) : -errno;
	for (i = 0; ret == 0 && i < s->n_changes; i++)
		ret = append_change(s, &s->change[i]);
	if (ret != 0)
		TI_LOG(WARNING, ifname,
		       "cannot write %s (%s): should this program be killed, settings stay changed",
		       s->path, strerror(-ret));
	*out = s;
	return 0;
}

int
ti_settings_set(struct ti_settings *s, const char *key, const char *value, struct ti_why *why)
{
	const struct ti_setting *kind = find_kind(s, key);
	char was[TI_SETTING_LEN];
	struct change *c;
	int ret;

	if (kind == NULL)
		return ti_fail(why, EINVAL, "no setting %s", key);
	ret = kind->get(s->ctx, was);
	if (ret != 0)
		return ti_fail(why, -ret, "cannot read %s of %s: %s", key, s->ifname,
			       strerror(-ret));
	if (strcmp(was, value) == 0)
		return 0;

	c = note_change(s, kind, was, value);
	if (c == NULL)
		return ti_fail(why, ENOSPC, "too many settings of %s", s->ifname);
	ret = append_change(s, c);
	if (ret != 0)
		TI_LOG(WARNING, s->ifname,
		       "cannot record %s in %s (%s): should this program be killed, it stays changed",
		       key, s->path, strerror(-ret));
	return kind->set(s->ctx, value, why);
}

void
ti_settings_put_back(struct ti_settings *s, const char *key)
{
	const struct change *c = find_change(s, find_kind(s, key));

	/* It stays in the record: putting back twice does no harm. */
	if (c != NULL)
		put_back(s, c);
}

void
ti_settings_close(struct ti_settings *s)
{
	if (s == NULL)
		return;
	put_back_all(s);
	if (s->fd >= 0) {
		/*
		 * Removed before the lock is dropped, so that nobody reads a record of no owner. With
		 * something left in it, it is kept for the next owner to try.
		 */
		if (s->n_changes == 0)
			unlink(s->path);
		close(s->fd);
	}
	free(s);
}
