/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequence accounting, compared with a slow and obvious one; and the histogram. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hist.h"
#include "test.h"
#include "track.h"

static void in_order_without_loss(void **state)
{
	struct track_gap gap[4];
	struct track t;
	uint64_t i;

	(void)state;
	assert_int_equal(track_init(&t, 1), 0);
	for (i = 0; i < 200000; i++)
		assert_int_equal(track_add(&t, i, 200000), TRACK_NEW);
	assert_int_equal(track_lost(&t, 200000), 0);
	assert_int_equal(track_gaps(&t, 200000, gap, 4), 0);
	assert_int_equal(t.unique, 200000);
	assert_int_equal(t.duplicate + t.reordered + t.out_of_range, 0);
	track_free(&t);
}

static void each_fault_is_told_apart(void **state)
{
	struct track_gap gap[4];
	struct track t;

	(void)state;
	assert_int_equal(track_init(&t, 1), 0);
	assert_int_equal(track_add(&t, 0, 100), TRACK_NEW);
	assert_int_equal(track_add(&t, 3, 100), TRACK_NEW);
	assert_int_equal(track_add(&t, 1, 100), TRACK_LATE);
	assert_int_equal(track_add(&t, 3, 100), TRACK_DUP);
	assert_int_equal(track_add(&t, 1, 100), TRACK_DUP);
	assert_int_equal(track_add(&t, 100, 100), TRACK_RANGE);
	assert_int_equal(track_add(&t, UINT64_MAX, UINT64_MAX), TRACK_RANGE);
	assert_int_equal(track_add(&t, 99, 100), TRACK_NEW);
	assert_int_equal(t.unique, 4);
	assert_int_equal(t.duplicate, 2);
	assert_int_equal(t.reordered, 1);
	assert_int_equal(t.out_of_range, 2);
	assert_int_equal(track_lost(&t, 100), 96);
	assert_int_equal(track_lost(&t, 4), 1);	/* fewer than were seen */
	assert_int_equal(track_lost(&t, 200), 196);
	assert_int_equal(track_gaps(&t, 120, gap, 4), 3);
	assert_int_equal(gap[0].first, 2);
	assert_int_equal(gap[0].count, 1);
	assert_int_equal(gap[1].first, 4);
	assert_int_equal(gap[1].count, 95);
	assert_int_equal(gap[2].first, 100);
	assert_int_equal(gap[2].count, 20);
	assert_int_equal(track_gaps(&t, 120, gap, 1), 1);
	track_free(&t);
}

static void nothing_at_all_is_all_lost(void **state)
{
	struct track_gap gap[1];
	struct track t;

	(void)state;
	assert_int_equal(track_init(&t, 1), 0);
	assert_int_equal(track_lost(&t, 10), 10);
	assert_int_equal(track_gaps(&t, 10, gap, 1), 1);
	assert_int_equal(gap[0].count, 10);
	assert_int_equal(track_gaps(&t, 0, gap, 1), 0);
	track_free(&t);
}

static void order_is_kept_by_flow(void **state)
{
	struct track t;

	(void)state;
	assert_int_equal(track_init(&t, 2), 0);
	/* flow 1 runs ahead of flow 0: no reordering */
	assert_int_equal(track_add(&t, 1, 10), TRACK_NEW);
	assert_int_equal(track_add(&t, 3, 10), TRACK_NEW);
	assert_int_equal(track_add(&t, 0, 10), TRACK_NEW);
	assert_int_equal(track_add(&t, 4, 10), TRACK_NEW);
	assert_int_equal(track_add(&t, 2, 10), TRACK_LATE);
	assert_int_equal(t.reordered, 1);
	track_free(&t);
}

static void agrees_with_a_slow_account(void **state)
{
	enum { N = 5000 };
	uint64_t rnd = 42, unique = 0, dup = 0, late = 0, high = 0, lost = 0;
	unsigned char *seen = calloc(N, 1);
	struct track_gap *gap = calloc(N, sizeof(*gap));
	struct track t;
	size_t i, gaps;

	(void)state;
	assert_non_null(seen);
	assert_non_null(gap);
	assert_int_equal(track_init(&t, 1), 0);
	for (i = 0; i < 2 * N; i++) {
		uint64_t seq = test_random(&rnd) % N;

		track_add(&t, seq, N);
		if (seen[seq]) {
			dup++;
			continue;
		}
		seen[seq] = 1;
		unique++;
		if (seq < high)
			late++;
		else
			high = seq + 1;
	}
	assert_int_equal(t.unique, unique);
	assert_int_equal(t.duplicate, dup);
	assert_int_equal(t.reordered, late);
	assert_int_equal(track_lost(&t, N), N - unique);
	gaps = track_gaps(&t, N, gap, N);
	for (i = 0; i < gaps; i++) {
		uint64_t k;

		for (k = 0; k < gap[i].count; k++)
			assert_false(seen[gap[i].first + k]);
		lost += gap[i].count;
	}
	assert_int_equal(lost, N - unique);
	track_free(&t);
	free(gap);
	free(seen);
}

static void quantiles_are_near(void **state)
{
	static struct hist h;
	uint64_t i, q;

	(void)state;
	memset(&h, 0, sizeof(h));
	for (i = 1; i <= 100000; i++)
		hist_add(&h, i);
	assert_int_equal(h.min, 1);
	assert_int_equal(h.max, 100000);
	q = hist_quantile(&h, 50);
	assert_in_range(q, 50000, 53200);
	q = hist_quantile(&h, 99);
	assert_in_range(q, 99000, 100000);
	hist_add(&h, UINT64_MAX);
	assert_true(hist_quantile(&h, 100) == UINT64_MAX);
	assert_true(hist_index(UINT64_MAX) == HIST_BUCKETS - 1);
	memset(&h, 0, sizeof(h));
	hist_add(&h, 3);
	assert_int_equal(hist_quantile(&h, 50), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order_without_loss),
		cmocka_unit_test(each_fault_is_told_apart),
		cmocka_unit_test(nothing_at_all_is_all_lost),
		cmocka_unit_test(order_is_kept_by_flow),
		cmocka_unit_test(agrees_with_a_slow_account),
		cmocka_unit_test(quantiles_are_near),
	};

	return cmocka_run_group_tests_name("wire track", tests, NULL, NULL);
}
