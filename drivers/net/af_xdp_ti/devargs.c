/* SPDX-License-Identifier: BSD-3-Clause */
/* Devargs of the PMD: parse and check. */

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_kvargs.h>
#include <rte_string_fns.h>

#include "devargs.h"

#define DEFAULT_BUSY_BUDGET 64

/* Parsed but not in struct ti_devargs: they decide the modes together. */
struct mode_choice {
	unsigned int mode;	/* 0: not given */
	bool force_copy;
};

static int
parse_number(const char *key, const char *value, uint32_t min, uint32_t max, uint32_t *out,
	     struct ti_why *why)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(value, &end, 10);
	if (!isdigit((unsigned char)value[0]) || *end != '\0' || errno != 0 || n < min || n > max)
		return ti_fail(why, EINVAL, "%s=%s is not a number from %u to %u", key, value,
			       min, max);
	*out = n;
	return 0;
}

static int
parse_bool(const char *key, const char *value, bool *out, struct ti_why *why)
{
	uint32_t n;
	int ret = parse_number(key, value, 0, 1, &n, why);

	if (ret == 0)
		*out = n;
	return ret;
}

static int
parse_mode(const char *value, unsigned int *mode, struct ti_why *why)
{
	static const struct {
		const char *name;
		unsigned int modes;
	} table[] = {
		{ "zc", TI_MODE_ZC },
		{ "copy", TI_MODE_COPY },
		{ "skb", TI_MODE_SKB },
		{ "auto", TI_MODE_ZC | TI_MODE_COPY | TI_MODE_SKB },
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(table); i++) {
		if (strcmp(value, table[i].name) == 0) {
			*mode = table[i].modes;
			return 0;
		}
	}
	return ti_fail(why, EINVAL, "mode=%s is none of zc, copy, skb, auto", value);
}

static int
parse_pair(struct ti_devargs *args, struct mode_choice *choice, const char *key,
	   const char *value, struct ti_why *why)
{
	if (strcmp(key, "iface") == 0) {
		if (value[0] == '\0' || strlcpy(args->iface, value, sizeof(args->iface)) >=
		    sizeof(args->iface))
			return ti_fail(why, EINVAL,
				"iface=%s is not the name of a network interface (1 to %zu characters)",
				value, sizeof(args->iface) - 1);
		return 0;
	}
	if (strcmp(key, "start_queue") == 0)
		return parse_number(key, value, 0, UINT16_MAX, &args->start_queue, why);
	if (strcmp(key, "queue_count") == 0)
		return parse_number(key, value, 1, TI_QUEUES_MAX, &args->queue_count, why);
	if (strcmp(key, "shared_umem") == 0)
		return parse_bool(key, value, &args->shared_umem, why);
	if (strcmp(key, "xdp_prog") == 0) {
		if (value[0] == '\0' || strlcpy(args->xdp_prog, value, sizeof(args->xdp_prog)) >=
		    sizeof(args->xdp_prog))
			return ti_fail(why, EINVAL, "xdp_prog= is not the path of a BPF object file");
		return 0;
	}
	if (strcmp(key, "busy_budget") == 0)
		return parse_number(key, value, 0, UINT16_MAX, &args->busy_budget, why);
	if (strcmp(key, "force_copy") == 0)
		return parse_bool(key, value, &choice->force_copy, why);
	if (strcmp(key, "mode") == 0)
		return parse_mode(value, &choice->mode, why);
	return ti_fail(why, EINVAL,
		"unknown devarg \"%s\": there are iface, start_queue, queue_count, shared_umem, xdp_prog, busy_budget, force_copy, mode",
		key);
}

static int
choose_modes(struct ti_devargs *args, const struct mode_choice *choice, struct ti_why *why)
{
	if (!choice->force_copy) {
		args->modes = choice->mode != 0 ? choice->mode : TI_MODE_ZC;
		return 0;
	}
	if (choice->mode == TI_MODE_ZC)
		return ti_fail(why, EINVAL, "mode=zc and force_copy=1 contradict each other: give one");
	args->modes = choice->mode != 0 ? choice->mode & ~TI_MODE_ZC : TI_MODE_COPY | TI_MODE_SKB;
	return 0;
}

static int
parse_pairs(struct ti_devargs *args, const struct rte_kvargs *kv, struct ti_why *why)
{
	struct mode_choice choice = { 0 };
	unsigned int i, j;
	int ret;

	for (i = 0; i < kv->count; i++) {
		const char *key = kv->pairs[i].key, *value = kv->pairs[i].value;

		for (j = 0; j < i; j++)
			if (strcmp(kv->pairs[j].key, key) == 0)
				return ti_fail(why, EINVAL, "devarg %s= is given twice", key);
		if (value == NULL)
			value = "";
		ret = parse_pair(args, &choice, key, value, why);
		if (ret != 0)
			return ret;
	}
	if (args->iface[0] == '\0')
		return ti_fail(why, EINVAL,
			"iface= is missing: give the network interface to bind, iface=eth0");
	return choose_modes(args, &choice, why);
}

int
ti_devargs_parse(struct ti_devargs *args, const char *text, struct ti_why *why)
{
	struct rte_kvargs *kv;
	int ret;

	memset(args, 0, sizeof(*args));
	args->queue_count = 1;
	args->busy_budget = DEFAULT_BUSY_BUDGET;

	kv = rte_kvargs_parse(text, NULL);
	if (kv == NULL)
		return ti_fail(why, EINVAL,
			"devargs \"%s\" are not of the form key=value,key=value", text);
	ret = parse_pairs(args, kv, why);
	rte_kvargs_free(kv);
	return ret;
}

const char *
ti_mode_name(enum ti_mode mode)
{
	switch (mode) {
	case TI_MODE_ZC:
		return "zero-copy";
	case TI_MODE_COPY:
		return "copy";
	case TI_MODE_SKB:
		return "skb";
	}
	return "?";
}
