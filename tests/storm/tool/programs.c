/* SPDX-License-Identifier: BSD-3-Clause */
/* The XDP programs and their maps, see programs.h. */
#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "programs.h"
#include "metadata.skel.h"
#include "programs.skel.h"

/* Linux 6.3 and later; Debian 12's headers are older. */
#ifndef BPF_F_XDP_DEV_BOUND_ONLY
#define BPF_F_XDP_DEV_BOUND_ONLY	(1U << 6)
#endif

#define CPU_QUEUE	192

static struct programs_bpf *loaded;

static int silent(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

int programs_load(void)
{
	struct bpf_cpumap_val value = { .qsize = CPU_QUEUE };
	uint32_t key = 0;
	int rc;

	/* Refusals are counted, not told one by one. */
	libbpf_set_print(silent);
	loaded = programs_bpf__open();
	if (!loaded)
		return -errno;
	rc = programs_bpf__load(loaded);
	if (!rc)
		rc = bpf_map_update_elem(bpf_map__fd(loaded->maps.cpus), &key, &value, 0);
	if (rc)
		programs_unload();
	return rc;
}

void programs_unload(void)
{
	programs_bpf__destroy(loaded);
	loaded = NULL;
}

int programs_fd(enum program p)
{
	const struct bpf_program *of[PROGRAMS] = {
		[PROGRAM_PASS] = loaded->progs.pass,
		[PROGRAM_DROP] = loaded->progs.drop,
		[PROGRAM_ABORTED] = loaded->progs.aborted,
		[PROGRAM_TX] = loaded->progs.tx,
		[PROGRAM_TO_SOCKET] = loaded->progs.to_socket,
		[PROGRAM_TO_DEVICE] = loaded->progs.to_device,
		[PROGRAM_TO_CPU] = loaded->progs.to_cpu,
		[PROGRAM_ADJUST] = loaded->progs.adjust,
	};

	return bpf_program__fd(of[p]);
}

int programs_sockets(void)
{
	return bpf_map__fd(loaded->maps.sockets);
}

int programs_set_device(int ifindex)
{
	uint32_t key = 0, value = (uint32_t)ifindex;

	return bpf_map_update_elem(bpf_map__fd(loaded->maps.devices), &key, &value, 0);
}

int programs_detach(int ifindex)
{
	uint32_t id = 0;
	int rc = bpf_xdp_query_id(ifindex, XDP_FLAGS_DRV_MODE, &id);

	if (!rc && id)
		rc = bpf_xdp_detach(ifindex, XDP_FLAGS_DRV_MODE, NULL);
	id = 0;
	if (!rc)
		rc = bpf_xdp_query_id(ifindex, XDP_FLAGS_SKB_MODE, &id);
	if (!rc && id)
		rc = bpf_xdp_detach(ifindex, XDP_FLAGS_SKB_MODE, NULL);
	return rc;
}

bool programs_have_types(void)
{
	return !access("/sys/kernel/btf/vmlinux", R_OK);
}

int programs_bind(int ifindex, bool metadata, struct bpf_object **bound, int *fd)
{
	size_t size;
	const void *elf = metadata ? metadata_bpf__elf_bytes(&size) : programs_bpf__elf_bytes(&size);
	const char *name = metadata ? "metadata" : "pass";
	struct bpf_object *o = bpf_object__open_mem(elf, size, NULL);
	struct bpf_program *p;
	int rc;

	if (!o)
		return -errno;
	bpf_object__for_each_program(p, o)
		bpf_program__set_autoload(p, !strcmp(bpf_program__name(p), name));
	p = bpf_object__find_program_by_name(o, name);
	bpf_program__set_ifindex(p, (uint32_t)ifindex);
	bpf_program__set_flags(p, BPF_F_XDP_DEV_BOUND_ONLY);
	rc = bpf_object__load(o);
	if (rc) {
		bpf_object__close(o);
		return rc;
	}
	*bound = o;
	*fd = bpf_program__fd(p);
	return 0;
}

void programs_unbind(struct bpf_object *bound)
{
	bpf_object__close(bound);
}
