/* SPDX-License-Identifier: BSD-3-Clause */
/* A misbehaving device under test, see relay.h. */
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "frame.h"
#include "relay.h"
#include "test.h"

#define BUF	10000

struct relay {
	pthread_t thread;
	pthread_mutex_t lock;	/* of other[] */
	atomic_bool stop;
	int fd;
	struct sockaddr_un local;
	struct sockaddr_un remote;
	struct relay_faults f;
	struct relay_account a;
	uint64_t rnd;
	uint64_t high;		/* highest number that left, plus 1 */
	bool restarted;
	uint8_t held[BUF];
	size_t held_len;
	unsigned int held_for;	/* frames until it goes */
	uint8_t other[BUF];
	size_t other_len;
};

static void address(struct sockaddr_un *a, const char *path)
{
	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	assert_true(strlen(path) < sizeof(a->sun_path));
	strcpy(a->sun_path, path);
}

static void relay_bind(struct relay *r)
{
	unlink(r->local.sun_path);
	r->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_true(r->fd >= 0);
	assert_int_equal(bind(r->fd, (struct sockaddr *)&r->local, sizeof(r->local)), 0);
}

/* Like QEMU, wait for room rather than lose a frame. */
static void relay_send(struct relay *r, const uint8_t *f, size_t len)
{
	while (sendto(r->fd, f, len, 0, (struct sockaddr *)&r->remote, sizeof(r->remote)) < 0) {
		if (errno != EAGAIN && errno != ENOBUFS && errno != EINTR)
			return;		/* the wire is gone: the test is over */
		usleep(100);
	}
}

static void send_intact(struct relay *r, const uint8_t *f, size_t len)
{
	uint64_t seq = frame_get64(f + FRAME_OFF_SEQ);

	if (seq < r->high)
		r->a.reordered++;
	else
		r->high = seq + 1;
	relay_send(r, f, len);
}

static void release_held(struct relay *r)
{
	size_t len = r->held_len;

	r->held_len = 0;
	if (len)
		send_intact(r, r->held, len);
}

static bool happens(struct relay *r, unsigned int permille)
{
	return (test_random(&r->rnd) >> 20) % 1000 < permille;
}

static void relay_frame(struct relay *r, uint8_t *f, size_t len)
{
	r->a.seen++;
	frame_macswap(f);
	if (happens(r, r->f.drop)) {
		r->a.dropped++;
	} else if (happens(r, r->f.corrupt)) {
		size_t at = (test_random(&r->rnd) >> 16) % len;

		f[at] ^= (uint8_t)(1 + (test_random(&r->rnd) >> 16) % 255);
		r->a.corrupted++;
		relay_send(r, f, len);
	} else if (happens(r, r->f.truncate)) {
		r->a.truncated++;
		relay_send(r, f, 1 + (test_random(&r->rnd) >> 16) % (len - 1));
	} else if (happens(r, r->f.duplicate)) {
		r->a.duplicated++;
		send_intact(r, f, len);
		relay_send(r, f, len);
	} else if (!r->held_len && happens(r, r->f.delay)) {
		memcpy(r->held, f, len);
		r->held_len = len;
		r->held_for = 1 + (test_random(&r->rnd) >> 16) % 5;
		r->a.delayed++;
		return;
	} else {
		send_intact(r, f, len);
	}
	if (r->held_len && !--r->held_for)
		release_held(r);
}

static bool is_udp(const uint8_t *f, size_t len)
{
	return len >= FRAME_MIN && frame_get16(f + 12) == 0x0800 && f[23] == FRAME_PROTO_UDP;
}

static void *relay_run(void *arg)
{
	struct relay *r = arg;
	static _Thread_local uint8_t buf[BUF];

	while (!atomic_load(&r->stop)) {
		struct pollfd p = { .fd = r->fd, .events = POLLIN };
		ssize_t len;

		if (poll(&p, 1, 20) <= 0) {
			release_held(r);
			continue;
		}
		len = recv(r->fd, buf, sizeof(buf), 0);
		if (len <= 0)
			continue;
		if (is_udp(buf, (size_t)len)) {
			relay_frame(r, buf, (size_t)len);
		} else {
			pthread_mutex_lock(&r->lock);
			memcpy(r->other, buf, (size_t)len);
			r->other_len = (size_t)len;
			pthread_mutex_unlock(&r->lock);
		}
		if (r->f.slow_us)
			usleep(r->f.slow_us);
		if (r->f.restart_after && !r->restarted && r->a.seen >= r->f.restart_after) {
			r->restarted = true;
			close(r->fd);
			unlink(r->local.sun_path);
			usleep(50000);
			relay_bind(r);
		}
	}
	return NULL;
}

struct relay *relay_start(const char *local, const char *remote, const struct relay_faults *f)
{
	struct relay *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	address(&r->local, local);
	address(&r->remote, remote);
	r->f = *f;
	r->rnd = f->seed ? f->seed : 1;
	pthread_mutex_init(&r->lock, NULL);
	relay_bind(r);
	assert_int_equal(pthread_create(&r->thread, NULL, relay_run, r), 0);
	return r;
}

void relay_inject(struct relay *r, const void *frame, size_t len)
{
	relay_send(r, frame, len);
}

size_t relay_last_other(struct relay *r, uint8_t *buf, size_t room)
{
	size_t len;

	pthread_mutex_lock(&r->lock);
	len = r->other_len < room ? r->other_len : room;
	memcpy(buf, r->other, len);
	r->other_len = 0;
	pthread_mutex_unlock(&r->lock);
	return len;
}

struct relay_account relay_stop(struct relay *r)
{
	struct relay_account a;

	atomic_store(&r->stop, true);
	pthread_join(r->thread, NULL);
	close(r->fd);
	unlink(r->local.sun_path);
	pthread_mutex_destroy(&r->lock);
	a = r->a;
	free(r);
	return a;
}
