/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGINT and SIGTERM as a file descriptor. */

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "signals.h"

static int signal_fd = -1;
static bool pending;

int
signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0)
		return -errno;
	signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	return signal_fd < 0 ? -errno : 0;
}

bool
signals_pending(void)
{
	struct pollfd pfd = { .fd = signal_fd, .events = POLLIN };

	/* The signal is left unread: that alone keeps every later wait from waiting. */
	if (!pending && poll(&pfd, 1, 0) > 0)
		pending = true;
	return pending;
}

int
signals_wait(int fd, int milliseconds)
{
	struct pollfd pfds[] = {
		{ .fd = signal_fd, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};
	int rc;

	do
		rc = poll(pfds, 2, milliseconds);
	while (rc < 0 && errno == EINTR);
	if (rc < 0)
		return -errno;
	if (pfds[0].revents != 0) {
		pending = true;
		return -EINTR;
	}
	return rc > 0 ? 1 : 0;
}
