/* SPDX-License-Identifier: BSD-3-Clause */
/* Generates librte_cmdline's token lists from the patterns of a table of commands. */

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmdline_parse_etheraddr.h>
#include <cmdline_parse_num.h>
#include <cmdline_parse_string.h>
#include <rte_common.h>
#include <rte_debug.h>
#include <rte_ethdev.h>

#include "cmdline_table.h"
#include "ports.h"

#define NAME_MAX_LENGTH	32
#define TOKENS_MAX	24

enum token_kind {
	TOKEN_WORD,	/* fixed, or one of several */
	TOKEN_NUMBER,
	TOKEN_HEX,
	TOKEN_STRING,
	TOKEN_LINE,
	TOKEN_MAC,
	TOKEN_PORT,
};

/*
 * A token: first what librte_cmdline knows of it, then what the handler asks for.
 * hdr.offset is where in the result buffer the value is put.
 */
struct token {
	union {
		struct cmdline_token_hdr hdr;
		struct cmdline_token_num number;
		struct cmdline_token_string string;
		struct cmdline_token_etheraddr mac;
	};
	enum token_kind kind;
	bool all;		/* a port that may be `all` */
	enum cmdline_numtype type;
	char name[NAME_MAX_LENGTH];	/* empty: a fixed word */
	char *words;		/* with '#' between them, as librte_cmdline has them */
};

/* One form of a command: with what is between [ and ], or without. */
struct form {
	const struct command *command;
	unsigned int count;
	struct token tokens[TOKENS_MAX];
	char *help;
	cmdline_parse_inst_t *inst;
};

struct command_args {
	const struct form *form;
	const char *result;
	struct cmdline *cmdline;
};

struct table {
	cmdline_parse_inst_t **insts;	/* what librte_cmdline gets */
	struct form *forms;
	unsigned int count;
	unsigned int capacity;
};

static const struct {
	const char *name;
	enum token_kind kind;
	enum cmdline_numtype type;
	bool all;
} value_types[] = {
	{ "u8", TOKEN_NUMBER, RTE_UINT8, false },
	{ "u16", TOKEN_NUMBER, RTE_UINT16, false },
	{ "u32", TOKEN_NUMBER, RTE_UINT32, false },
	{ "u64", TOKEN_NUMBER, RTE_UINT64, false },
	{ "hex", TOKEN_HEX, RTE_UINT64, false },
	{ "string", TOKEN_STRING, 0, false },
	{ "line", TOKEN_LINE, 0, false },
	{ "mac", TOKEN_MAC, 0, false },
	{ "port", TOKEN_PORT, RTE_UINT16, false },
	{ "ports", TOKEN_PORT, RTE_UINT16, true },
};

/* ---- tokens that librte_cmdline has not ---- */

static size_t
word_length(const char *text)
{
	size_t length = 0;

	while (!cmdline_isendoftoken(text[length]))
		length++;
	return length;
}

static int
parse_hex(cmdline_parse_token_hdr_t *token __rte_unused, const char *text, void *result,
	  unsigned int size)
{
	size_t length = word_length(text);
	uint64_t value;
	char *end;

	if (length == 0 || !isxdigit((unsigned char)text[0]))
		return -1;
	errno = 0;
	value = strtoull(text, &end, 16);
	if (errno != 0 || end != text + length)
		return -1;
	if (result != NULL) {
		if (size < sizeof(value))
			return -1;
		memcpy(result, &value, sizeof(value));
	}
	return (int)length;
}

static int
help_hex(cmdline_parse_token_hdr_t *token __rte_unused, char *text, unsigned int size)
{
	snprintf(text, size, "Hexadecimal");
	return 0;
}

static int
parse_port(cmdline_parse_token_hdr_t *header, const char *text, void *result,
	   unsigned int size)
{
	const struct token *token = (const struct token *)header;
	struct cmdline_token_num number = { .num_data = { RTE_UINT16 } };
	uint16_t port = PORT_ALL;
	size_t length = word_length(text);

	if (result != NULL && size < sizeof(port))
		return -1;
	if (token->all && length == 3 && strncmp(text, "all", length) == 0) {
		if (result != NULL)
			memcpy(result, &port, sizeof(port));
		return (int)length;
	}
	return cmdline_parse_num(&number.hdr, text, result, size);
}

static int
complete_port_count(cmdline_parse_token_hdr_t *header)
{
	const struct token *token = (const struct token *)header;

	return rte_eth_dev_count_avail() + (token->all ? 1 : 0);
}

static int
complete_port(cmdline_parse_token_hdr_t *header, int index, char *text, unsigned int size)
{
	const struct token *token = (const struct token *)header;
	uint16_t port;

	RTE_ETH_FOREACH_DEV(port)
		if (index-- == 0)
			return snprintf(text, size, "%u", port) < (int)size ? 0 : -1;
	return token->all && index == 0 && snprintf(text, size, "all") < (int)size ? 0 : -1;
}

static int
help_port(cmdline_parse_token_hdr_t *header, char *text, unsigned int size)
{
	const struct token *token = (const struct token *)header;

	snprintf(text, size, token->all ? "Port or all" : "Port");
	return 0;
}

static struct cmdline_token_ops hex_ops = {
	.parse = parse_hex,
	.get_help = help_hex,
};

static struct cmdline_token_ops port_ops = {
	.parse = parse_port,
	.complete_get_nb = complete_port_count,
	.complete_get_elt = complete_port,
	.get_help = help_port,
};

/* ---- what the handlers ask for ---- */

static const struct token *
find(const struct command_args *args, const char *name)
{
	unsigned int i;

	for (i = 0; i < args->form->count; i++)
		if (strcmp(args->form->tokens[i].name, name) == 0)
			return &args->form->tokens[i];
	return NULL;
}

/* A handler that asks for what its pattern has not is a fault of the program. */
static const struct token *
find_kind(const struct command_args *args, const char *name, unsigned int kinds)
{
	const struct token *token = find(args, name);

	if (token == NULL || (kinds & (1u << token->kind)) == 0)
		rte_panic("command \"%s\" has no such value: %s\n",
			  args->form->command->pattern, name);
	return token;
}

bool
command_has(const struct command_args *args, const char *name)
{
	return find(args, name) != NULL;
}

uint64_t
command_number(const struct command_args *args, const char *name)
{
	const struct token *token = find_kind(args, name, 1u << TOKEN_NUMBER |
					      1u << TOKEN_HEX | 1u << TOKEN_PORT);
	const void *value = args->result + token->hdr.offset;

	switch (token->type) {
	case RTE_UINT8:
		return *(const uint8_t *)value;
	case RTE_UINT16:
		return *(const uint16_t *)value;
	case RTE_UINT32:
		return *(const uint32_t *)value;
	default:
		return *(const uint64_t *)value;
	}
}

const char *
command_text(const struct command_args *args, const char *name)
{
	const struct token *token = find_kind(args, name, 1u << TOKEN_WORD |
					      1u << TOKEN_STRING | 1u << TOKEN_LINE);

	return args->result + token->hdr.offset;
}

const struct rte_ether_addr *
command_mac(const struct command_args *args, const char *name)
{
	const struct token *token = find_kind(args, name, 1u << TOKEN_MAC);

	return (const struct rte_ether_addr *)(args->result + token->hdr.offset);
}

struct cmdline *
command_cmdline(const struct command_args *args)
{
	return args->cmdline;
}

static void
dispatch(void *result, struct cmdline *cmdline, void *data)
{
	const struct form *form = data;
	const struct command_args args = {
		.form = form, .result = result, .cmdline = cmdline };

	form->command->handler(&args);
}

/* ---- patterns to tokens ---- */

/* '|' between words for people, '#' for librte_cmdline. */
static char *
words_with(const char *words, size_t length, char from, char to)
{
	char *copy = strndup(words, length);
	char *c;

	for (c = copy; copy != NULL && *c != '\0'; c++)
		if (*c == from)
			*c = to;
	return copy;
}

static int
set_name(struct token *token, const char *name, size_t length)
{
	if (length == 0 || length >= sizeof(token->name))
		return -EINVAL;
	memcpy(token->name, name, length);
	token->name[length] = '\0';
	return 0;
}

static int
make_word(struct token *token, const char *words, size_t length)
{
	token->kind = TOKEN_WORD;
	token->words = words_with(words, length, '|', '#');
	if (token->words == NULL)
		return -ENOMEM;
	token->hdr.ops = &cmdline_token_string_ops;
	token->string.string_data.str = token->words;
	return 0;
}

/* "(name=a|b)" or "(name=@)", without the brackets. */
static int
make_choice(const struct command *command, struct token *token, const char *text,
	    size_t length)
{
	const char *equals = memchr(text, '=', length), *words;

	if (equals == NULL || set_name(token, text, (size_t)(equals - text)) < 0)
		return -EINVAL;
	words = equals + 1;
	length -= (size_t)(words - text);
	if (length == 1 && *words == '@') {
		if (command->choices == NULL)
			return -EINVAL;
		words = command->choices();
		length = strlen(words);
	}
	return length > 0 ? make_word(token, words, length) : -EINVAL;
}

/* "<name:type>", without the brackets. */
static int
make_value(struct token *token, const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length), *type;
	unsigned int i;

	if (colon == NULL || set_name(token, text, (size_t)(colon - text)) < 0)
		return -EINVAL;
	type = colon + 1;
	length -= (size_t)(type - text);
	for (i = 0; i < RTE_DIM(value_types); i++)
		if (strlen(value_types[i].name) == length &&
		    strncmp(value_types[i].name, type, length) == 0)
			break;
	if (i == RTE_DIM(value_types))
		return -EINVAL;
	token->kind = value_types[i].kind;
	token->type = value_types[i].type;
	token->all = value_types[i].all;
	switch (token->kind) {
	case TOKEN_NUMBER:
		token->hdr.ops = &cmdline_token_num_ops;
		token->number.num_data.type = token->type;
		break;
	case TOKEN_HEX:
		token->hdr.ops = &hex_ops;
		break;
	case TOKEN_MAC:
		token->hdr.ops = &cmdline_token_etheraddr_ops;
		break;
	case TOKEN_PORT:
		token->hdr.ops = &port_ops;
		break;
	case TOKEN_LINE:
		token->hdr.ops = &cmdline_token_string_ops;
		token->string.string_data.str = TOKEN_STRING_MULTI;
		break;
	default:
		token->hdr.ops = &cmdline_token_string_ops;
		token->string.string_data.str = NULL;
		break;
	}
	return 0;
}

/* The room of a value in the result buffer, a multiple of the largest alignment. */
static unsigned int
result_size(const struct token *token)
{
	switch (token->kind) {
	case TOKEN_WORD:
	case TOKEN_STRING:
		return STR_TOKEN_SIZE;
	case TOKEN_LINE:
		return STR_MULTI_TOKEN_SIZE;
	default:
		return sizeof(uint64_t);
	}
}

/* Makes the tokens of a pattern, up to and without '[', or the whole of it. */
static int
make_tokens(struct form *form, bool whole)
{
	const char *p = form->command->pattern;
	unsigned int offset = 0;
	bool optional = false;
	int rc;

	for (;;) {
		struct token *token = &form->tokens[form->count];
		size_t length;
		char close = '\0';

		p += strspn(p, " ");
		if (*p == '[') {
			if (optional)
				return -EINVAL;
			optional = true;
			p++;
			continue;
		}
		if (*p == ']') {
			p++;
			if (!optional || *p != '\0')
				return -EINVAL;
			break;
		}
		if (*p == '\0') {
			if (optional)
				return -EINVAL;
			break;
		}
		if (form->count == TOKENS_MAX)
			return -E2BIG;
		if (*p == '(')
			close = ')';
		else if (*p == '<')
			close = '>';
		if (close != '\0') {
			const char *end = strchr(++p, close);

			if (end == NULL)
				return -EINVAL;
			length = (size_t)(end - p);
			rc = close == ')' ? make_choice(form->command, token, p, length) :
					    make_value(token, p, length);
			length++;
		} else {
			length = strcspn(p, " ]");
			/* An unnamed choice could not be asked for. */
			rc = memchr(p, '|', length) != NULL ? -EINVAL :
							      make_word(token, p, length);
		}
		if (rc < 0)
			return rc;
		p += length;
		if (*p != '\0' && *p != ' ' && *p != ']')
			return -EINVAL;
		if (optional && !whole) {
			free(token->words);
			memset(token, 0, sizeof(*token));
			continue;
		}
		token->hdr.offset = offset;
		offset += result_size(token);
		form->count++;
		if (offset > CMDLINE_PARSE_RESULT_BUFSIZE)
			return -E2BIG;
	}
	return form->count > 0 ? 0 : -EINVAL;
}

int
command_usage(const struct command *command, char *usage, size_t size)
{
	const char *p = command->pattern;
	size_t used = 0;

	/* "(what=a|b)" is shown as "a|b", "<id:ports>" as "<id|all>", "<n:u8>" as "<n>". */
	while (*p != '\0') {
		const char *from = p, *to, *tail = "";
		size_t length = 1;

		if (*p == '(') {
			from = strchr(p, '=') + 1;
			to = strchr(p, ')');
			length = (size_t)(to - from);
			if (*from == '@') {
				from = command->choices();
				length = strlen(from);
			}
			p = to + 1;
		} else if (*p == '<') {
			to = strchr(p, '>');
			length = (size_t)(strchr(p, ':') - p);
			tail = strncmp(p + length, ":ports>", 7) == 0 ? "|all>" : ">";
			p = to + 1;
		} else {
			p++;
		}
		used += (size_t)snprintf(used < size ? usage + used : NULL,
					 used < size ? size - used : 0, "%.*s%s",
					 (int)length, from, tail);
	}
	return (int)used;
}

static int
make_help(struct form *form)
{
	char usage[512];

	command_usage(form->command, usage, sizeof(usage));
	return asprintf(&form->help, "%s: %s", usage, form->command->help) < 0 ? -ENOMEM : 0;
}

static int
make_form(struct table *table, const struct command *command, bool whole)
{
	struct form *form = &table->forms[table->count];
	unsigned int i;
	int rc;

	form->command = command;
	table->count++;
	rc = make_tokens(form, whole);
	if (rc < 0)
		return rc;
	rc = make_help(form);
	if (rc < 0)
		return rc;
	form->inst = calloc(1, sizeof(*form->inst) +
			       (form->count + 1) * sizeof(form->inst->tokens[0]));
	if (form->inst == NULL)
		return -ENOMEM;
	form->inst->f = dispatch;
	form->inst->data = form;
	form->inst->help_str = form->help;
	for (i = 0; i < form->count; i++)
		form->inst->tokens[i] = &form->tokens[i].hdr;
	table->insts[table->count - 1] = form->inst;
	return 0;
}

/*
 * The context that the caller holds points into the table; the table itself lies before
 * it, so that freeing needs nothing else.
 */
static struct table *
table_of(cmdline_parse_ctx_t *context)
{
	return *((struct table **)context - 1);
}

static struct table *
table_alloc(unsigned int rows)
{
	struct table *table = calloc(1, sizeof(*table));
	void **block;

	if (table == NULL)
		return NULL;
	table->capacity = 2 * rows;
	table->forms = calloc(table->capacity, sizeof(*table->forms));
	block = calloc(table->capacity + 2, sizeof(*block));
	if (table->forms == NULL || block == NULL) {
		free(table->forms);
		free(block);
		free(table);
		return NULL;
	}
	block[0] = table;
	table->insts = (cmdline_parse_inst_t **)(block + 1);
	return table;
}

cmdline_parse_ctx_t *
cmdline_table_make(const struct command *commands, char *error, size_t error_size)
{
	struct table *table;
	unsigned int rows = 0, i;
	int rc;

	while (commands[rows].pattern != NULL)
		rows++;
	table = table_alloc(rows);
	if (table == NULL) {
		snprintf(error, error_size, "no memory for %u commands", rows);
		errno = ENOMEM;
		return NULL;
	}
	for (i = 0; i < rows; i++) {
		rc = make_form(table, &commands[i], true);
		if (rc == 0 && strchr(commands[i].pattern, '[') != NULL)
			rc = make_form(table, &commands[i], false);
		if (rc < 0) {
			snprintf(error, error_size, "\"%s\": %s", commands[i].pattern,
				 rc == -ENOMEM ? "no memory" :
				 rc == -E2BIG ? "too many tokens" : "not a valid pattern");
			cmdline_table_free((cmdline_parse_ctx_t *)table->insts);
			errno = -rc;
			return NULL;
		}
	}
	return (cmdline_parse_ctx_t *)table->insts;
}

void
cmdline_table_free(cmdline_parse_ctx_t *context)
{
	struct table *table;
	unsigned int i, t;

	if (context == NULL)
		return;
	table = table_of(context);
	for (i = 0; i < table->count; i++) {
		struct form *form = &table->forms[i];

		for (t = 0; t < TOKENS_MAX; t++)
			free(form->tokens[t].words);
		free(form->help);
		free(form->inst);
	}
	free(table->forms);
	free((void **)table->insts - 1);
	free(table);
}
