/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns become token lists that take what they say and nothing else; the real table has
 * no row that is broken, and no line that two rows take.
 */

#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmdline_table.h"
#include "commands.h"
#include "ports.h"

/* What the last handler was given. */
static struct {
	unsigned int calls;
	bool has_count;
	uint64_t number;
	char text[256];
	struct rte_ether_addr mac;
} seen;

static void
on_number(const struct command_args *args)
{
	seen.calls++;
	seen.number = command_number(args, "value");
}

static void
on_text(const struct command_args *args)
{
	seen.calls++;
	snprintf(seen.text, sizeof(seen.text), "%s", command_text(args, "value"));
}

static void
on_mac(const struct command_args *args)
{
	seen.calls++;
	seen.mac = *command_mac(args, "value");
}

static void
on_optional(const struct command_args *args)
{
	seen.calls++;
	seen.has_count = command_has(args, "count");
	seen.number = seen.has_count ? command_number(args, "count") : 1;
	if (seen.has_count)
		snprintf(seen.text, sizeof(seen.text), "%s", command_text(args, "unit"));
}

static const char *
colours(void)
{
	return "red|green";
}

static const struct command table[] = {
	{ SECTION_NONE, "u8 <value:u8>", "", on_number, NULL },
	{ SECTION_NONE, "u16 <value:u16>", "", on_number, NULL },
	{ SECTION_NONE, "u32 <value:u32>", "", on_number, NULL },
	{ SECTION_NONE, "u64 <value:u64>", "", on_number, NULL },
	{ SECTION_NONE, "hex <value:hex>", "", on_number, NULL },
	{ SECTION_NONE, "port <value:port>", "", on_number, NULL },
	{ SECTION_NONE, "ports <value:ports> tail", "", on_number, NULL },
	{ SECTION_NONE, "string <value:string>", "", on_text, NULL },
	{ SECTION_NONE, "line <value:line>", "", on_text, NULL },
	{ SECTION_NONE, "mac <value:mac>", "", on_mac, NULL },
	{ SECTION_NONE, "choice (value=one|two|three)", "", on_text, NULL },
	{ SECTION_NONE, "colour (value=@)", "", on_text, colours },
	{ SECTION_NONE, "start first [<count:u32> (unit=bursts|packets)]", "", on_optional,
	  NULL },
	{ SECTION_NONE, NULL, NULL, NULL, NULL },
};

static cmdline_parse_ctx_t *context;
static struct cmdline *prompt;

static int
open_table(void **state)
{
	char error[128];

	(void)state;
	context = cmdline_table_make(table, error, sizeof(error));
	if (context == NULL)
		return -1;
	prompt = cmdline_new(context, "", -1, -1);
	return prompt != NULL ? 0 : -1;
}

static int
close_table(void **state)
{
	(void)state;
	cmdline_free(prompt);
	cmdline_table_free(context);
	return 0;
}

/* Whether a line was taken, by exactly one call of a handler. */
static bool
taken(const char *line)
{
	char text[256];
	unsigned int before = seen.calls;
	int rc;

	snprintf(text, sizeof(text), "%s\n", line);
	rc = cmdline_parse(prompt, text);
	assert_int_equal(seen.calls, before + (rc >= 0 ? 1 : 0));
	return rc >= 0;
}

static void
numbers(void **state)
{
	(void)state;
	assert_true(taken("u8 255"));
	assert_int_equal(seen.number, 255);
	assert_false(taken("u8 256"));
	assert_true(taken("u16 65535"));
	assert_int_equal(seen.number, 65535);
	assert_true(taken("u32 0x10"));
	assert_int_equal(seen.number, 16);
	assert_true(taken("u64 18446744073709551615"));
	assert_true(seen.number == UINT64_MAX);
	assert_false(taken("u16 -1"));
	assert_false(taken("u16 1x"));
	assert_false(taken("u16"));
	assert_false(taken("u16 1 2"));
	assert_true(taken("hex ff"));
	assert_int_equal(seen.number, 255);
	assert_true(taken("hex 0x10"));
	assert_int_equal(seen.number, 16);
	assert_false(taken("hex fg"));
	assert_false(taken("hex 10000000000000000"));
}

static void
ports(void **state)
{
	(void)state;
	assert_true(taken("port 3"));
	assert_int_equal(seen.number, 3);
	assert_false(taken("port all"));
	assert_true(taken("ports all tail"));
	assert_int_equal(seen.number, PORT_ALL);
	assert_true(taken("ports 3 tail"));
	assert_int_equal(seen.number, 3);
	assert_false(taken("ports all"));
	assert_false(taken("ports al tail"));
	assert_false(taken("ports alll tail"));
}

static void
texts(void **state)
{
	(void)state;
	assert_true(taken("string a,b"));
	assert_string_equal(seen.text, "a,b");
	assert_false(taken("string a b"));
	assert_true(taken("line a b  c"));
	assert_string_equal(seen.text, "a b  c");
	assert_true(taken("mac 02:00:00:00:00:ff"));
	assert_int_equal(seen.mac.addr_bytes[5], 0xff);
	assert_false(taken("mac 02:00:00:00:00"));
	assert_true(taken("  choice   two  # a comment"));
	assert_string_equal(seen.text, "two");
	assert_false(taken("choice tw"));
	assert_false(taken("choice four"));
	assert_true(taken("colour green"));
	assert_string_equal(seen.text, "green");
	assert_false(taken("colour blue"));
}

static void
optional(void **state)
{
	(void)state;
	assert_true(taken("start first"));
	assert_false(seen.has_count);
	assert_true(taken("start first 4 packets"));
	assert_true(seen.has_count);
	assert_int_equal(seen.number, 4);
	assert_string_equal(seen.text, "packets");
	assert_false(taken("start first 4"));
	assert_false(taken("start"));
}

static void
usages(void **state)
{
	char usage[128];

	(void)state;
	command_usage(&table[6], usage, sizeof(usage));
	assert_string_equal(usage, "ports <value|all> tail");
	command_usage(&table[11], usage, sizeof(usage));
	assert_string_equal(usage, "colour red|green");
	command_usage(&table[12], usage, sizeof(usage));
	assert_string_equal(usage, "start first [<count> bursts|packets]");
	/* Cut as snprintf() cuts. */
	assert_int_equal(command_usage(&table[11], usage, 7), 16);
	assert_string_equal(usage, "colour");
}

static void
broken_patterns(void **state)
{
	static const char *const broken[] = {
		"", "  ", "a <value", "a <value:u16", "a <value:u17>", "a <:u16>", "a <u16>",
		"a (what=x|y", "a (x|y)", "a (what=)", "a (what=@)", "a|b", "a [b", "a [b] c",
		"a [b [c]]", "a ]", "a <value:u16>b",
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25",
	};
	struct command rows[2] = { 0 };
	char error[256];
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		rows[0].pattern = broken[i];
		rows[0].help = "";
		rows[0].handler = on_text;
		errno = 0;
		assert_null(cmdline_table_make(rows, error, sizeof(error)));
		assert_int_not_equal(errno, 0);
		assert_non_null(strstr(error, broken[i]));
	}
}

/* ---- the real table ---- */

static cmdline_parse_ctx_t *real;
static struct cmdline *real_prompt;

static int
open_real(void **state)
{
	char error[256];

	(void)state;
	real = cmdline_table_make(commands, error, sizeof(error));
	if (real == NULL)
		fprintf(stderr, "%s\n", error);
	real_prompt = real != NULL ? cmdline_new(real, "", -1, -1) : NULL;
	return real_prompt != NULL ? 0 : -1;
}

static int
close_real(void **state)
{
	(void)state;
	cmdline_free(real_prompt);
	cmdline_table_free(real);
	return 0;
}

static int
check(const char *line)
{
	char text[256];

	snprintf(text, sizeof(text), "%s\n", line);
	return cmdline_parse_check(real_prompt, text);
}

/* Lines of dpdk-testpmd's manual, each taken by exactly one row. */
static void
real_lines(void **state)
{
	static const char *const lines[] = {
		"start", "start tx_first", "start tx_first 4", "stop", "quit", "help",
		"help all", "help ports", "show port info 0", "show port info all",
		"show port stats all", "show port xstats 1", "show port summary all",
		"clear port stats all", "clear port xstats 0", "show port 0 macs",
		"show config rxtx", "show config fwd", "show config cores",
		"show config txpkts", "show fwd stats all", "clear fwd stats all",
		"set fwd io", "set fwd mac", "set fwd macswap", "set fwd rxonly",
		"set fwd txonly", "set fwd flowgen", "set fwd io retry", "set burst 64",
		"set burst tx delay 5 retry 10", "set txpkts 64", "set txpkts 64,128",
		"set txsplit rand", "set nbcore 2", "set nbport 2", "set corelist 1,2",
		"set portlist 0,1", "set coremask 6", "set portmask 0x3",
		"set eth-peer 0 02:00:00:00:00:01", "set verbose 1", "set promisc all on",
		"set promisc 0 off", "set allmulti all on", "set link-up port 0",
		"set link-down port 0", "mac_addr add 0 02:00:00:00:00:01",
		"mac_addr set 0 02:00:00:00:00:01", "port start all", "port stop 0",
		"port close all", "port config mtu 0 1500", "port config all rxq 2",
		"port config all max-pkt-len 1518",
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (check(lines[i]) < 0)
			fail_msg("\"%s\": %d", lines[i], check(lines[i]));
}

static void
real_faults(void **state)
{
	(void)state;
	assert_int_equal(check("foo"), CMDLINE_PARSE_NOMATCH);
	assert_int_equal(check("set fwd foo"), CMDLINE_PARSE_BAD_ARGS);
	assert_int_equal(check("show port 7"), CMDLINE_PARSE_BAD_ARGS);
	assert_int_equal(check("start tx_first x"), CMDLINE_PARSE_BAD_ARGS);
	assert_int_equal(check("show port info"), CMDLINE_PARSE_BAD_ARGS);
	assert_int_equal(check("set promisc 0"), CMDLINE_PARSE_BAD_ARGS);
}

int
main(void)
{
	const struct CMUnitTest made[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(ports),
		cmocka_unit_test(texts),
		cmocka_unit_test(optional),
		cmocka_unit_test(usages),
		cmocka_unit_test(broken_patterns),
	};
	const struct CMUnitTest of_real[] = {
		cmocka_unit_test(real_lines),
		cmocka_unit_test(real_faults),
	};

	return cmocka_run_group_tests(made, open_table, close_table) +
	       cmocka_run_group_tests(of_real, open_real, close_real);
}
