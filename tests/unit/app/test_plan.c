/* SPDX-License-Identifier: BSD-3-Clause */
/* Forwarding is laid out as dpdk-testpmd lays it out; no stream is lost or polled twice. */

#include "test.h"

#include "plan.h"

static void
paired(void **state)
{
	(void)state;
	assert_int_equal(plan_topology(TOPOLOGY_PAIRED, 0, 4), 1);
	assert_int_equal(plan_topology(TOPOLOGY_PAIRED, 1, 4), 0);
	assert_int_equal(plan_topology(TOPOLOGY_PAIRED, 2, 4), 3);
	assert_int_equal(plan_topology(TOPOLOGY_PAIRED, 3, 4), 2);
	/* The last of an odd number is its own partner. */
	assert_int_equal(plan_topology(TOPOLOGY_PAIRED, 2, 3), 2);
	assert_int_equal(plan_topology(TOPOLOGY_PAIRED, 0, 1), 0);
}

static void
chained_and_loop(void **state)
{
	(void)state;
	assert_int_equal(plan_topology(TOPOLOGY_CHAINED, 0, 3), 1);
	assert_int_equal(plan_topology(TOPOLOGY_CHAINED, 2, 3), 0);
	assert_int_equal(plan_topology(TOPOLOGY_CHAINED, 0, 1), 0);
	assert_int_equal(plan_topology(TOPOLOGY_LOOP, 2, 3), 2);
}

static void
stream_counts(void **state)
{
	(void)state;
	assert_int_equal(plan_stream_count(2, 1, 1), 2);
	/* Several queues of one kind alone make no more streams. */
	assert_int_equal(plan_stream_count(2, 4, 1), 2);
	assert_int_equal(plan_stream_count(2, 1, 4), 2);
	assert_int_equal(plan_stream_count(2, 4, 3), 6);
	assert_int_equal(plan_stream_count(0, 4, 4), 0);
}

static void
shares_cover_every_stream_once(void **state)
{
	uint16_t streams, lcores, i, first, count, next;

	(void)state;
	for (streams = 1; streams <= 33; streams++)
		for (lcores = 1; lcores <= streams; lcores++) {
			next = 0;
			for (i = 0; i < lcores; i++) {
				plan_share(streams, lcores, i, &first, &count);
				assert_int_equal(first, next);
				assert_in_range(count, streams / lcores,
						streams / lcores + 1);
				next = first + count;
			}
			assert_int_equal(next, streams);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paired),
		cmocka_unit_test(chained_and_loop),
		cmocka_unit_test(stream_counts),
		cmocka_unit_test(shares_cover_every_stream_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
