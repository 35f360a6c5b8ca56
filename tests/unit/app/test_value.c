/* SPDX-License-Identifier: BSD-3-Clause */
/* Values are taken whole or not at all: "8x" is not 8, and " 8" and "-1" are no numbers. */

#include "test.h"

#include <errno.h>

#include "value.h"

static void
numbers(void **state)
{
	uint64_t value = 7;

	(void)state;
	assert_int_equal(value_number("0", 10, 0, 9, &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(value_number("18446744073709551615", 10, 0, UINT64_MAX, &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(value_number("0xfF", 16, 0, 255, &value), 0);
	assert_int_equal(value, 255);
	assert_int_equal(value_number("ff", 16, 0, 255, &value), 0);
	assert_int_equal(value, 255);
}

static void
no_numbers(void **state)
{
	static const char *const bad[] = { "", " 1", "+1", "-1", "1 ", "1x", "x", "1.5", "0x1" };
	uint64_t value = 7;
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(value_number(bad[i], 10, 0, 100, &value), -EINVAL);
	assert_int_equal(value_number("101", 10, 0, 100, &value), -ERANGE);
	assert_int_equal(value_number("1", 10, 2, 100, &value), -ERANGE);
	assert_int_equal(value_number("18446744073709551616", 10, 0, UINT64_MAX, &value),
			 -ERANGE);
	assert_int_equal(value, 7);
}

static void
lists(void **state)
{
	uint32_t list[4];

	(void)state;
	assert_int_equal(value_list("64", 100, list, 4), 1);
	assert_int_equal(list[0], 64);
	assert_int_equal(value_list("1,2,3,4", 100, list, 4), 4);
	assert_int_equal(list[3], 4);
	assert_int_equal(value_list("1,2,3,4,5", 100, list, 4), -E2BIG);
	assert_int_equal(value_list("101", 100, list, 4), -ERANGE);
	assert_int_equal(value_list("", 100, list, 4), -EINVAL);
	assert_int_equal(value_list("1,", 100, list, 4), -EINVAL);
	assert_int_equal(value_list(",1", 100, list, 4), -EINVAL);
	assert_int_equal(value_list("1,,2", 100, list, 4), -EINVAL);
	assert_int_equal(value_list("1,a", 100, list, 4), -EINVAL);
}

static void
peers(void **state)
{
	struct rte_ether_addr address;
	uint16_t port = 99;

	(void)state;
	assert_int_equal(value_peer("3,02:00:00:00:00:09", &port, &address), 0);
	assert_int_equal(port, 3);
	assert_int_equal(address.addr_bytes[5], 9);
	assert_int_equal(value_peer("02:00:00:00:00:09", &port, &address), -EINVAL);
	assert_int_equal(value_peer("3,", &port, &address), -EINVAL);
	assert_int_equal(value_peer("99,02:00:00:00:00:09", &port, &address), -EINVAL);
	assert_int_equal(value_peer("3,02:00:00:00:00", &port, &address), -EINVAL);
}

static void
names(void **state)
{
	static const char *const known[] = { "skb", "native", "zc", NULL };
	unsigned int order[3];

	(void)state;
	assert_int_equal(value_names("zc,skb", known, order, 3), 2);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 0);
	assert_int_equal(value_names("zc,zc", known, order, 3), -EINVAL);
	assert_int_equal(value_names("z", known, order, 3), -EINVAL);
	assert_int_equal(value_names("", known, order, 3), -EINVAL);
	assert_int_equal(value_names("zc,", known, order, 3), -EINVAL);
	assert_int_equal(value_names("zc,skb", known, order, 1), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(no_numbers),
		cmocka_unit_test(lists),
		cmocka_unit_test(peers),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
