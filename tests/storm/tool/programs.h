/* SPDX-License-Identifier: BSD-3-Clause */
/* The XDP programs and their maps: loaded once for all actors, and anew where bound to a device. */
#ifndef TESTS_STORM_TOOL_PROGRAMS_H
#define TESTS_STORM_TOOL_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

enum program {
	PROGRAM_PASS,
	PROGRAM_DROP,
	PROGRAM_ABORTED,
	PROGRAM_TX,
	PROGRAM_TO_SOCKET,
	PROGRAM_TO_DEVICE,
	PROGRAM_TO_CPU,
	PROGRAM_ADJUST,
	PROGRAMS,
};

/* Load. Return: 0 or -errno. */
int programs_load(void);
void programs_unload(void);

/* File descriptors. */
int programs_fd(enum program p);
int programs_sockets(void);

/* Have PROGRAM_TO_DEVICE send out of @ifindex. Return: 0 or -errno. */
int programs_set_device(int ifindex);

/* Take off whatever program is attached by hand, in either mode. Return: 0 or -errno. */
int programs_detach(int ifindex);

struct bpf_object;

/*
 * A program bound to a device; @metadata: one that reads the metadata of its frames.
 * *@fd is its descriptor until programs_unbind(). Return: 0 or -errno.
 */
int programs_bind(int ifindex, bool metadata, struct bpf_object **bound, int *fd);
void programs_unbind(struct bpf_object *bound);

/* Whether the kernel tells its types, without which no program can call its functions. */
bool programs_have_types(void);

#endif /* TESTS_STORM_TOOL_PROGRAMS_H */
