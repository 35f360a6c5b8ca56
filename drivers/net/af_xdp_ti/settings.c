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

#include <rte_string_fns.h>

#include "compat.h"
#include "settings.h"

#define RECORD_MAGIC "af_xdp_ti 1"
#define RECORD_MAX 8192		/* bytes; a record has some tens of lines at most */
#define CHANGES_MAX 16		/* more than there are kinds */
#define BOOT_ID_LEN 37		/* a UUID as text */

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
static uint64_t
netns_cookie(void)
{
	uint64_t cookie = 0;
	socklen_t len = sizeof(cookie);
	struct stat st;
	int fd, ret = -1;

	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd >= 0) {
		ret = getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &len);
		close(fd);
	}
	if (ret != 0 && stat("/proc/self/ns/net", &st) == 0)
		cookie = st.st_ino;
	return cookie;
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

static void
put_back(struct ti_settings *s, const struct change *c)
{
	char value[TI_SETTING_LEN];
	struct ti_why why;
	int ret;

	ret = c->kind->get(s->ctx, value);
	if (ret == -ENODEV)
		return;		/* the netdev is gone, its settings with it */
	if (ret != 0) {
		TI_LOG(WARNING, s->ifname, "cannot read %s to put back %s: %s",
		       c->kind->key, c->was, strerror(-ret));
		return;
	}
	if (strcmp(value, c->was) == 0)
		return;
	if (strcmp(value, c->now) != 0) {
		TI_LOG(NOTICE, s->ifname,
		       "%s was changed from %s to %s by somebody else, so it is not put back to %s",
		       c->kind->key, c->now, value, c->was);
		return;
	}
	ret = c->kind->set(s->ctx, c->was, &why);
	if (ret != 0 && ret != -ENODEV)
		TI_LOG(WARNING, s->ifname, "cannot put %s back to %s: %s",
		       c->kind->key, c->was, why.msg);
}

static void
put_back_all(struct ti_settings *s)
{
	while (s->n_changes != 0)
		put_back(s, &s->change[--s->n_changes]);
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

/* Open and lock the record. -EBUSY: a live owner has it; other errors: it cannot be kept. */
static int
lock_record(struct ti_settings *s, const char *dir)
{
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
			return -err;
		}
		/* An owner that closed meanwhile has removed the file we locked: again. */
		if (fstat(fd, &st) == 0 && st.st_nlink != 0) {
			s->fd = fd;
			return 0;
		}
		close(fd);
	}
}

static int
live_owner(const struct ti_settings *s, struct ti_why *why)
{
	char line[256], pid[16] = "?", comm_path[64], comm[32];

	read_word(s->path, line, sizeof(line));
	if (sscanf(line, RECORD_MAGIC " %*s %15s", pid) != 1)
		strlcpy(pid, "?", sizeof(pid));
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

int
ti_settings_open(struct ti_settings **out, const char *dir, const char *ifname,
		 uint32_t ifindex, const struct ti_setting *kinds, unsigned int n,
		 void *ctx, struct ti_why *why)
{
	char text[RECORD_MAX], line[256], boot[BOOT_ID_LEN];
	struct ti_settings *s;
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
	snprintf(s->path, sizeof(s->path), "%s/%" PRIu64 "-%u", dir, netns_cookie(), ifindex);

	ret = lock_record(s, dir);
	if (ret == -EBUSY) {
		ret = live_owner(s, why);
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
	char was[TI_SETTING_LEN], line[192];
	int ret, len;

	if (kind == NULL)
		return ti_fail(why, EINVAL, "no setting %s", key);
	ret = kind->get(s->ctx, was);
	if (ret != 0)
		return ti_fail(why, -ret, "cannot read %s of %s: %s", key, s->ifname,
			       strerror(-ret));
	if (strcmp(was, value) == 0)
		return 0;

	if (note_change(s, kind, was, value) == NULL)
		return ti_fail(why, ENOSPC, "too many settings of %s", s->ifname);
	len = snprintf(line, sizeof(line), "%s %s %s\n", key, was, value);
	ret = append_line(s, line, len);
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
		/* Removed before the lock is dropped, so that nobody reads a record of no owner. */
		unlink(s->path);
		close(s->fd);
	}
	free(s);
}
