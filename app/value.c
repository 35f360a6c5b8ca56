/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to values: what options and commands take. */

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

int
value_number(const char *text, int base, uint64_t min, uint64_t max, uint64_t *number)
{
	unsigned long long value;
	char *end;

	/* strtoull() would take blanks and a sign. */
	if (!isxdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, base);
	if (end == text || *end != '\0')
		return -EINVAL;
	if (errno == ERANGE || value < min || value > max)
		return -ERANGE;
	*number = value;
	return 0;
}

int
value_list(const char *text, uint64_t max, uint32_t *numbers, unsigned int capacity)
{
	unsigned int count = 0;
	char item[24];
	uint64_t number;
	size_t length;
	int rc;

	for (;;) {
		length = strcspn(text, ",");
		if (length == 0 || length >= sizeof(item))
			return -EINVAL;
		memcpy(item, text, length);
		item[length] = '\0';
		rc = value_number(item, 10, 0, max, &number);
		if (rc < 0)
			return rc;
		if (count == capacity)
			return -E2BIG;
		numbers[count++] = (uint32_t)number;
		if (text[length] == '\0')
			return (int)count;
		text += length + 1;
	}
}

int
value_peer(const char *text, uint16_t *port, struct rte_ether_addr *address)
{
	const char *comma = strchr(text, ',');
	char item[8];
	uint64_t number;
	size_t length;

	if (comma == NULL)
		return -EINVAL;
	length = (size_t)(comma - text);
	if (length == 0 || length >= sizeof(item))
		return -EINVAL;
	memcpy(item, text, length);
	item[length] = '\0';
	if (value_number(item, 10, 0, RTE_MAX_ETHPORTS - 1, &number) < 0)
		return -EINVAL;
	if (rte_ether_unformat_addr(comma + 1, address) < 0)
		return -EINVAL;
	*port = (uint16_t)number;
	return 0;
}

int
value_names(const char *text, const char *const *names, unsigned int *order,
	    unsigned int capacity)
{
	unsigned int count = 0, i, seen;
	size_t length;

	for (;;) {
		length = strcspn(text, ",");
		for (i = 0; names[i] != NULL; i++)
			if (strlen(names[i]) == length &&
			    strncmp(names[i], text, length) == 0)
				break;
		if (names[i] == NULL || count == capacity)
			return -EINVAL;
		for (seen = 0; seen < count; seen++)
			if (order[seen] == i)
				return -EINVAL;
		order[count++] = i;
		if (text[length] == '\0')
			return (int)count;
		text += length + 1;
	}
}
