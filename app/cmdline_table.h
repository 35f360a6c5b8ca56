/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One table of commands, from which the token lists of librte_cmdline are generated.
 *
 * A command is a row: a pattern, a handler, a line of help. The pattern is words
 * separated by blanks:
 *
 *	show			the word itself
 *	(what=info|stats)	one of these words
 *	(mode=@)		one of the words of the row's choices()
 *	<value:u16>		a value of that type
 *	[ ... ]			at the end: may be left out
 *
 * and the types are u8, u16, u32, u64 (decimal, 0x, 0b), hex (base 16 without 0x),
 * string (one word), line (the rest of the line), mac, port (a number) and ports (a
 * number or `all`). The handler asks for values by the names in the pattern.
 */
#ifndef TI_TESTPMD_CMDLINE_TABLE_H
#define TI_TESTPMD_CMDLINE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <cmdline.h>
#include <rte_ether.h>

struct command_args;

/* The sections of the help, those of dpdk-testpmd. */
enum command_section {
	SECTION_CONTROL,
	SECTION_DISPLAY,
	SECTION_CONFIG,
	SECTION_PORTS,
	SECTION_DEVICES,
	SECTION_NONE, /* not listed */
};

struct command {
	enum command_section section;
	const char *pattern;
	const char *help;
	void (*handler)(const struct command_args *args);
	/* Words with '|' between them for (name=@); called once. */
	const char *(*choices)(void);
};

/** Whether the value was given: false only for those between [ and ]. */
bool command_has(const struct command_args *args, const char *name);

/** A u8..u64, hex or port value; PORT_ALL for `all`. */
uint64_t command_number(const struct command_args *args, const char *name);

/** A choice, string or line. */
const char *command_text(const struct command_args *args, const char *name);

const struct rte_ether_addr *command_mac(const struct command_args *args, const char *name);

/** The command line that it came from, for commands that end the prompt. */
struct cmdline *command_cmdline(const struct command_args *args);

/**
 * Generates the context for librte_cmdline of a table that a row without pattern ends.
 *
 * error: the row's pattern and what is wrong with it, where there is a fault.
 * Return: the context, NULL with errno EINVAL or ENOMEM. cmdline_table_free() frees it.
 */
cmdline_parse_ctx_t *cmdline_table_make(const struct command *table, char *error,
					size_t error_size);

void cmdline_table_free(cmdline_parse_ctx_t *context);

/**
 * How a pattern is shown to the user: "show port info|stats <port_id|all>".
 *
 * Return: as snprintf().
 */
int command_usage(const struct command *command, char *usage, size_t size);

#endif
