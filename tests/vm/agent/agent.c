/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The agent in the VM's guest: runs commands that come over a serial line and returns their
 * output as it appears and their status when they end. Several run at a time. It is the
 * guest's first process once /init has set things up, so it also reaps what others leave.
 *
 * agent DEVICE
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "agent.h"

#define MAX_COMMANDS 32
/* One write to the line; small, so that no command's output holds up another's for long. */
#define OUTPUT_CHUNK 4096

struct command {
	bool used;
	uint16_t id;
	uint32_t status;
	pid_t pid;
	int in;
	int out;
};

static struct command commands[MAX_COMMANDS];
static int line = -1;
/* The signal mask that the agent was started with, for its children. */
static sigset_t initial_mask;

static void
fail(const char *what)
{
	fprintf(stderr, "agent: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void
write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			fail("write to the line");
		p += n;
		len -= n;
	}
}

static void
send_frame(uint8_t type, uint16_t id, const void *payload, uint32_t len)
{
	struct agent_header header = { AGENT_MAGIC, type, id, len };

	write_all(line, &header, sizeof(header));
	write_all(line, payload, len);
}

static struct command *
find(uint16_t id)
{
	for (int i = 0; i < MAX_COMMANDS; i++)
		if (commands[i].used && commands[i].id == id)
			return &commands[i];
	return NULL;
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A command that could not be started ends at once, with the reason as its output. */
static void
refuse(uint16_t id, const char *why)
{
	uint32_t status = 127 << 8;
	char text[128];
	int n = snprintf(text, sizeof(text), "agent: %s: %s\n", why, strerror(errno));

	send_frame(AGENT_OUTPUT, id, text, n);
	send_frame(AGENT_EXIT, id, &status, sizeof(status));
}

static void
run(uint16_t id, const char *script)
{
	struct command *c = NULL;
	int in[2], out[2];

	for (int i = 0; i < MAX_COMMANDS && c == NULL; i++)
		if (!commands[i].used)
			c = &commands[i];
	if (c == NULL) {
		errno = EAGAIN;
		refuse(id, "too many commands at a time");
		return;
	}
	if (pipe2(in, O_CLOEXEC) < 0) {
		refuse(id, "pipe");
		return;
	}
	if (pipe2(out, O_CLOEXEC) < 0) {
		refuse(id, "pipe");
		close(in[0]);
		close(in[1]);
		return;
	}

	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &initial_mask, NULL);
		signal(SIGPIPE, SIG_DFL);
		if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(out[1], 2) < 0)
			_exit(127);
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	if (pid < 0) {
		refuse(id, "fork");
		close(in[1]);
		close(out[0]);
		return;
	}
	setpgid(pid, pid);
	fcntl(in[1], F_SETFL, O_NONBLOCK);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	*c = (struct command){ .used = true, .id = id, .pid = pid, .in = in[1], .out = out[0] };
}

static void
input(struct command *c, const char *data, uint32_t len)
{
	while (len > 0 && c->in >= 0) {
		ssize_t n = write(c->in, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			/* The command is slow to read: wait, but not for ever. */
			struct pollfd p = { .fd = c->in, .events = POLLOUT };

			if (poll(&p, 1, 10000) == 1)
				continue;
		}
		if (n < 0) {
			close_fd(&c->in);
			return;
		}
		data += n;
		len -= n;
	}
}

static void
handle(const struct agent_header *header, char *payload)
{
	struct command *c = find(header->id);

	switch (header->type) {
	case AGENT_RUN:
		payload[header->length] = '\0';
		run(header->id, payload);
		break;
	case AGENT_INPUT:
		if (c != NULL)
			input(c, payload, header->length);
		break;
	case AGENT_CLOSE:
		if (c != NULL)
			close_fd(&c->in);
		break;
	case AGENT_SIGNAL:
		if (c != NULL && header->length > 0)
			kill(-c->pid, payload[0]);
		break;
	default:
		fprintf(stderr, "agent: unknown frame type %#x\n", header->type);
	}
}

/* Reads what the line has and handles each frame that is whole. */
static void
read_line(void)
{
	static char buf[sizeof(struct agent_header) + AGENT_MAX_PAYLOAD + 1];
	static size_t have;
	ssize_t n = read(line, buf + have, sizeof(buf) - 1 - have);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0)
		fail("read from the line");
	have += n;

	for (;;) {
		struct agent_header header;

		if (have < sizeof(header))
			return;
		memcpy(&header, buf, sizeof(header));
		if (header.magic != AGENT_MAGIC || header.length > AGENT_MAX_PAYLOAD) {
			/* Not the start of a frame: look for one from the next byte on. */
			memmove(buf, buf + 1, --have);
			continue;
		}
		size_t whole = sizeof(header) + header.length;

		if (have < whole)
			return;
		char after = buf[whole];

		handle(&header, buf + sizeof(header));
		buf[whole] = after;
		have -= whole;
		memmove(buf, buf + whole, have);
	}
}

/* Passes on one chunk of output. Returns false when there is none left for now. */
static bool
pass_output(struct command *c)
{
	char buf[OUTPUT_CHUNK];
	ssize_t n;

	if (c->out < 0)
		return false;
	n = read(c->out, buf, sizeof(buf));
	if (n > 0) {
		send_frame(AGENT_OUTPUT, c->id, buf, n);
		return true;
	}
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		close_fd(&c->out);
	return false;
}

static void
reap(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (int i = 0; i < MAX_COMMANDS; i++) {
			struct command *c = &commands[i];

			if (!c->used || c->pid != pid)
				continue;
			/* What its children in the background still write is not waited for. */
			while (pass_output(c))
				;
			c->status = status;
			send_frame(AGENT_EXIT, c->id, &c->status, sizeof(c->status));
			close_fd(&c->in);
			close_fd(&c->out);
			c->used = false;
		}
	}
}

static void
open_line(const char *device)
{
	struct termios t;

	line = open(device, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (line < 0)
		fail(device);
	if (tcgetattr(line, &t) < 0)
		fail("tcgetattr");
	cfmakeraw(&t);
	t.c_cflag |= CLOCAL | CREAD;
	t.c_cflag &= ~CRTSCTS;
	cfsetspeed(&t, B4000000);
	if (tcsetattr(line, TCSANOW, &t) < 0)
		fail("tcsetattr");
}

static void
on_child(int signo)
{
	(void)signo;
}

int
main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: agent DEVICE\n");
		return 2;
	}

	/* SIGCHLD only interrupts ppoll, so that none is missed. */
	struct sigaction sa = { .sa_handler = on_child };
	sigset_t blocked, waiting;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &initial_mask);
	waiting = initial_mask;
	sigdelset(&waiting, SIGCHLD);
	sigaction(SIGCHLD, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);

	open_line(argv[1]);
	send_frame(AGENT_HELLO, 0, NULL, 0);

	for (;;) {
		struct pollfd p[1 + MAX_COMMANDS] = { { .fd = line, .events = POLLIN } };

		for (int i = 0; i < MAX_COMMANDS; i++) {
			p[1 + i].fd = commands[i].used ? commands[i].out : -1;
			p[1 + i].events = POLLIN;
		}
		if (ppoll(p, 1 + MAX_COMMANDS, NULL, &waiting) > 0) {
			for (int i = 0; i < MAX_COMMANDS; i++)
				if (p[1 + i].revents)
					pass_output(&commands[i]);
			if (p[0].revents)
				read_line();
		}
		reap();
	}
}
