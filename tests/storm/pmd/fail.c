/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that fail on demand, see fail.h. */

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <rte_malloc.h>

#include "fail.h"

static __thread bool armed;
static __thread unsigned int counted, refuse;
static char what[96];
static int refused_with;

void
fail_arm(unsigned int nth)
{
	counted = 0;
	refuse = nth;
	what[0] = '\0';
	refused_with = 0;
	armed = true;
}

unsigned int
fail_disarm(void)
{
	armed = false;
	return counted;
}

const char *
fail_what(void)
{
	return what;
}

int
fail_errno(void)
{
	return refused_with;
}

/* Whether this call is the one to refuse; errno is then @err. */
static bool
refused(const char *name, int err)
{
	if (!armed || ++counted != refuse)
		return false;
	snprintf(what, sizeof(what), "%s: %s", name, strerror(err));
	refused_with = err;
	errno = err;
	return true;
}

/*
 * A wrapper: what the linker calls instead of @name, refused with @err and then returning @bad.
 * The names with 64 are what the C library has the others renamed to by large files.
 */
#define WRAP(type, name, args, pass, err, bad) \
	type __real_ ## name args; \
	type __wrap_ ## name args; \
	type __wrap_ ## name args \
	{ \
		if (refused(#name, err)) \
			return bad; \
		return __real_ ## name pass; \
	}

WRAP(void *, malloc, (size_t n), (n), ENOMEM, NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), ENOMEM, NULL)
WRAP(void *, realloc, (void *p, size_t n), (p, n), ENOMEM, NULL)
WRAP(char *, strdup, (const char *s), (s), ENOMEM, NULL)
WRAP(void *, rte_zmalloc_socket, (const char *t, size_t n, unsigned int a, int s), (t, n, a, s),
     ENOMEM, NULL)
WRAP(void *, mmap64, (void *p, size_t n, int prot, int f, int fd, off_t o), (p, n, prot, f, fd, o),
     ENOMEM, MAP_FAILED)
WRAP(int, socket, (int d, int t, int p), (d, t, p), EMFILE, -1)
WRAP(int, setsockopt, (int fd, int l, int o, const void *v, socklen_t n), (fd, l, o, v, n), ENOMEM, -1)
WRAP(int, getsockopt, (int fd, int l, int o, void *v, socklen_t *n), (fd, l, o, v, n), ENOMEM, -1)
WRAP(int, bind, (int fd, const struct sockaddr *a, socklen_t n), (fd, a, n), ENOMEM, -1)
WRAP(ssize_t, sendto, (int fd, const void *b, size_t n, int f, const struct sockaddr *a, socklen_t l),
     (fd, b, n, f, a, l), ENOBUFS, -1)
WRAP(ssize_t, recv, (int fd, void *b, size_t n, int f), (fd, b, n, f), ENOBUFS, -1)
WRAP(FILE *, fopen64, (const char *p, const char *m), (p, m), EMFILE, NULL)
WRAP(DIR *, opendir, (const char *p), (p), EMFILE, NULL)
WRAP(int, mkdir, (const char *p, mode_t m), (p, m), ENOMEM, -1)
WRAP(int, flock, (int fd, int o), (fd, o), ENOMEM, -1)
WRAP(ssize_t, pread64, (int fd, void *b, size_t n, off_t o), (fd, b, n, o), EIO, -1)
WRAP(ssize_t, read, (int fd, void *b, size_t n), (fd, b, n), EIO, -1)
WRAP(ssize_t, write, (int fd, const void *b, size_t n), (fd, b, n), ENOSPC, -1)
WRAP(int, ftruncate64, (int fd, off_t n), (fd, n), EIO, -1)
WRAP(unsigned int, if_nametoindex, (const char *n), (n), EMFILE, 0)
WRAP(char *, if_indextoname, (unsigned int i, char *n), (i, n), EMFILE, NULL)

/* Those with a last argument that may be there or not: it is a word, and passed on as one. */
#define WRAP_VARIADIC(name, args, last, pass, err) \
	int __real_ ## name args; \
	int __wrap_ ## name args; \
	int __wrap_ ## name args \
	{ \
		va_list ap; \
		void *arg; \
		va_start(ap, last); \
		arg = va_arg(ap, void *); \
		va_end(ap); \
		if (refused(#name, err)) \
			return -1; \
		return __real_ ## name pass; \
	}

WRAP_VARIADIC(open64, (const char *p, int f, ...), f, (p, f, arg), EMFILE)
WRAP_VARIADIC(ioctl, (int fd, unsigned long c, ...), c, (fd, c, arg), ENOMEM)
WRAP_VARIADIC(fcntl64, (int fd, int c, ...), c, (fd, c, arg), EMFILE)

/* bpf(2) and others that the C library has no function for. */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

long
__wrap_syscall(long number, ...)
{
	uintptr_t a[6];
	va_list ap;

	va_start(ap, number);
	for (unsigned int i = 0; i < 6; i++)
		a[i] = va_arg(ap, uintptr_t);
	va_end(ap);
	if (refused("syscall", ENOMEM))
		return -1;
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
