/* SPDX-License-Identifier: BSD-3-Clause */
/* Devargs: defaults, every key, every refusal. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "devargs.h"

static void
parse(struct ti_devargs *args, const char *text)
{
	struct ti_why why = { "" };

	if (ti_devargs_parse(args, text, &why) != 0)
		fail_msg("%s: %s", text, why.msg);
}

static void
defaults(void **state)
{
	struct ti_devargs args;

	(void)state;
	parse(&args, "iface=eth0");
	assert_string_equal(args.iface, "eth0");
	assert_int_equal(args.start_queue, 0);
	assert_int_equal(args.queue_count, 1);
	assert_false(args.shared_umem);
	assert_string_equal(args.xdp_prog, "");
	assert_int_equal(args.busy_budget, 64);
	assert_int_equal(args.modes, TI_MODE_ZC);
}

static void
every_key(void **state)
{
	struct ti_devargs args;

	(void)state;
	parse(&args, "queue_count=4,start_queue=2,iface=fifteen-letters,shared_umem=1,"
		     "xdp_prog=/tmp/a.o,busy_budget=0,mode=skb");
	assert_string_equal(args.iface, "fifteen-letters");
	assert_int_equal(args.start_queue, 2);
	assert_int_equal(args.queue_count, 4);
	assert_true(args.shared_umem);
	assert_string_equal(args.xdp_prog, "/tmp/a.o");
	assert_int_equal(args.busy_budget, 0);
	assert_int_equal(args.modes, TI_MODE_SKB);
}

static void
modes(void **state)
{
	static const struct {
		const char *text;
		unsigned int modes;
	} table[] = {
		{ "iface=e,mode=zc", TI_MODE_ZC },
		{ "iface=e,mode=copy", TI_MODE_COPY },
		{ "iface=e,mode=skb", TI_MODE_SKB },
		{ "iface=e,mode=auto", TI_MODE_ZC | TI_MODE_COPY | TI_MODE_SKB },
		{ "iface=e,force_copy=0", TI_MODE_ZC },
		{ "iface=e,force_copy=1", TI_MODE_COPY | TI_MODE_SKB },
		{ "iface=e,force_copy=1,mode=auto", TI_MODE_COPY | TI_MODE_SKB },
		{ "iface=e,mode=skb,force_copy=1", TI_MODE_SKB },
		{ "iface=e,force_copy=0,mode=copy", TI_MODE_COPY },
	};
	struct ti_devargs args;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		parse(&args, table[i].text);
		assert_int_equal(args.modes, table[i].modes);
	}
}

static void
refusals(void **state)
{
	static const struct {
		const char *text, *reason;
	} table[] = {
		{ "", "iface= is missing" },
		{ "mode=zc", "iface= is missing" },
		{ "iface=", "is not the name of a network interface" },
		{ "iface=sixteen-letters-", "is not the name of a network interface" },
		{ "iface=e,iface=f", "iface= is given twice" },
		{ "iface=e,color=red", "unknown devarg \"color\"" },
		{ "iface=e,queue_count=", "queue_count= is not a number from 1 to 64" },
		{ "iface=e,queue_count=65", "queue_count=65 is not a number from 1 to 64" },
		{ "iface=e,queue_count= 1", "queue_count= 1 is not a number" },
		{ "iface=e,queue_count=+1", "queue_count=+1 is not a number" },
		{ "iface=e,queue_count=1x", "queue_count=1x is not a number" },
		{ "iface=e,start_queue=65536", "start_queue=65536 is not a number from 0 to 65535" },
		{ "iface=e,start_queue=99999999999999999999", "is not a number" },
		{ "iface=e,busy_budget=-1", "busy_budget=-1 is not a number" },
		{ "iface=e,shared_umem=2", "shared_umem=2 is not a number from 0 to 1" },
		{ "iface=e,force_copy=true", "force_copy=true is not a number from 0 to 1" },
		{ "iface=e,mode=", "mode= is none of zc, copy, skb, auto" },
		{ "iface=e,mode=ZC", "mode=ZC is none of" },
		{ "iface=e,mode=zc,force_copy=1", "contradict each other" },
		{ "iface=e,xdp_prog=", "xdp_prog= is not the path" },
	};
	struct ti_devargs args;
	struct ti_why why;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		why.msg[0] = '\0';
		assert_true(ti_devargs_parse(&args, table[i].text, &why) < 0);
		if (strstr(why.msg, table[i].reason) == NULL)
			fail_msg("%s: %s", table[i].text, why.msg);
		assert_null(strchr(why.msg, '\n'));
	}
}

static void
path_that_is_too_long(void **state)
{
	static char text[PATH_MAX + 64] = "iface=e,xdp_prog=/";
	struct ti_devargs args;
	struct ti_why why;

	(void)state;
	memset(text + strlen(text), 'x', PATH_MAX);
	assert_true(ti_devargs_parse(&args, text, &why) < 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(every_key),
		cmocka_unit_test(modes),
		cmocka_unit_test(refusals),
		cmocka_unit_test(path_that_is_too_long),
	};

	return cmocka_run_group_tests_name("pmd-devargs", tests, NULL, NULL);
}
