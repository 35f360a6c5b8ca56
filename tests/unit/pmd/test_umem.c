/* SPDX-License-Identifier: BSD-3-Clause */
/* UMEM over mbuf pools of every shape: where frames lie, who is refused, what is returned. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <rte_errno.h>
#include <rte_mbuf.h>

#include "eal.h"
#include "umem.h"

#define N 512

static struct rte_mempool *
make_pool(uint16_t priv, uint16_t room)
{
	static int serial;
	char name[32];
	struct rte_mempool *pool;

	snprintf(name, sizeof(name), "pool%d", serial++);
	pool = rte_pktmbuf_pool_create(name, N, 0, priv, room, SOCKET_ID_ANY);
	assert_non_null(pool);
	return pool;
}

struct seen {
	const struct ti_layout *lay;
	unsigned char *bit;
	unsigned int n;
};

static void
check_object(struct rte_mempool *pool, void *arg, void *obj, unsigned int idx)
{
	struct seen *seen = arg;
	const struct ti_layout *lay = seen->lay;
	const uintptr_t mbuf_base = lay->base + lay->mbuf_off;
	const struct rte_mbuf *m = obj;
	uint64_t addr = ti_mbuf_to_addr(mbuf_base, m);
	uintptr_t frame = lay->base + addr + lay->headroom + TI_XDP_HEADROOM;

	(void)pool;
	(void)idx;
	assert_ptr_equal(ti_addr_to_mbuf(mbuf_base, addr), m);
	/* The frame starts aligned, behind mbuf and private area, and its room ends within the buffer. */
	assert_int_equal(frame % TI_FRAME_ALIGN, 0);
	assert_true(lay->base + addr + lay->headroom >= (uintptr_t)m->buf_addr);
	assert_true(frame >= (uintptr_t)m->buf_addr + RTE_PKTMBUF_HEADROOM);
	assert_true(frame + lay->room <= (uintptr_t)m->buf_addr + m->buf_len);
	/* The chunk is within what is registered and within its object. */
	assert_true(addr + lay->chunk <= lay->len);
	assert_true(lay->base + addr + lay->chunk <= (uintptr_t)m->buf_addr + m->buf_len);
	/* No two chunks share a bit of the map. */
	assert_int_equal(seen->bit[addr >> TI_HELD_SHIFT], 0);
	seen->bit[addr >> TI_HELD_SHIFT] = 1;
	seen->n++;
}

static void
layouts(void **state)
{
	static const uint16_t privs[] = { 0, 8, 24, 64, 128, 512 };
	static const uint16_t rooms[] = { 1984, 2048, RTE_MBUF_DEFAULT_BUF_SIZE, 3072, 4096, 9728 };
	const uint32_t page = sysconf(_SC_PAGESIZE);
	struct rte_mempool *pool;
	struct ti_layout lay;
	struct ti_why why;
	size_t i, j;

	(void)state;
	for (i = 0; i < RTE_DIM(privs); i++) {
		for (j = 0; j < RTE_DIM(rooms); j++) {
			struct seen seen = { .lay = &lay };

			pool = make_pool(privs[i], rooms[j]);
			if (ti_layout_init(&lay, pool, &why) != 0)
				fail_msg("priv %u room %u: %s", privs[i], rooms[j], why.msg);
			/* What the kernel demands (xdp_umem_reg()). */
			assert_int_equal(lay.base % page, 0);
			assert_true(lay.chunk >= TI_CHUNK_MIN && lay.chunk <= page);
			assert_true(lay.headroom <= lay.chunk - TI_XDP_HEADROOM - TI_CHUNK_TAIL);
			assert_int_equal(lay.headroom % TI_FRAME_ALIGN, 0);
			assert_int_equal(lay.room % TI_ROOM_ALIGN, 0);

			seen.bit = calloc(1, (lay.len >> TI_HELD_SHIFT) + 1);
			rte_mempool_obj_iter(pool, check_object, &seen);
			assert_int_equal(seen.n, N);
			free(seen.bit);
			rte_mempool_free(pool);
		}
	}
}

static void
room_of_the_usual_pool(void **state)
{
	struct rte_mempool *pool = make_pool(0, RTE_MBUF_DEFAULT_BUF_SIZE);
	struct ti_layout lay;
	struct ti_why why;

	(void)state;
	assert_int_equal(ti_layout_init(&lay, pool, &why), 0);
	assert_int_equal(lay.room, 1920);
	assert_false(lay.crosses_pages);
	rte_mempool_free(pool);
}

static void
expect_refusal(struct rte_mempool *pool, const char *reason)
{
	struct ti_layout lay;
	struct ti_umem *umem = NULL;
	struct ti_why why;

	assert_non_null(pool);
	assert_int_equal(ti_layout_init(&lay, pool, &why), -EINVAL);
	if (strstr(why.msg, reason) == NULL)
		fail_msg("%s", why.msg);
	assert_int_equal(ti_umem_get(&umem, pool, 1, false, &why), -EINVAL);
	assert_null(umem);
	rte_mempool_free(pool);
}

static void
refusals(void **state)
{
	struct rte_pktmbuf_pool_private priv = { .mbuf_data_room_size = RTE_MBUF_DEFAULT_BUF_SIZE };
	struct rte_pktmbuf_extmem ext = { .elt_size = 2176 };
	struct rte_mempool *pool;

	(void)state;
	expect_refusal(make_pool(0, 1024), "AF_XDP needs at least");
	expect_refusal(rte_mempool_create("elements", N, 2304, 0, 0, NULL, NULL, NULL, NULL,
					  SOCKET_ID_ANY, 0), "is not a pool of mbufs");

	pool = rte_mempool_create("unaligned", N,
		sizeof(struct rte_mbuf) + RTE_MBUF_DEFAULT_BUF_SIZE + 8, 0, sizeof(priv),
		rte_pktmbuf_pool_init, &priv, rte_pktmbuf_init, NULL, SOCKET_ID_ANY,
		RTE_MEMPOOL_F_NO_CACHE_ALIGN | RTE_MEMPOOL_F_NO_IOVA_CONTIG);
	expect_refusal(pool, "not cache-line aligned");

	ext.buf_len = N * 2176;
	ext.buf_ptr = calloc(1, ext.buf_len);
	ext.buf_iova = RTE_BAD_IOVA;
	pool = rte_pktmbuf_pool_create_extbuf("pinned", N, 0, 0, 2176, SOCKET_ID_ANY, &ext, 1);
	expect_refusal(pool, "has its buffers outside");
	free(ext.buf_ptr);
}

/* Objects that cross pages are for copy mode only. */
static void
crossing_pages(void **state)
{
	struct rte_pktmbuf_pool_private priv = { .mbuf_data_room_size = RTE_MBUF_DEFAULT_BUF_SIZE };
	struct ti_umem *umem = NULL;
	struct rte_mempool *pool;
	struct ti_why why;

	(void)state;
	pool = rte_mempool_create("packed", N, sizeof(struct rte_mbuf) + RTE_MBUF_DEFAULT_BUF_SIZE,
		0, sizeof(priv), rte_pktmbuf_pool_init, &priv, rte_pktmbuf_init, NULL,
		SOCKET_ID_ANY, RTE_MEMPOOL_F_NO_IOVA_CONTIG);
	assert_non_null(pool);
	assert_int_equal(ti_umem_get(&umem, pool, 1, true, &why), -EINVAL);
	assert_non_null(strstr(why.msg, "cross pages"));
	assert_int_equal(ti_umem_get(&umem, pool, 1, false, &why), 0);
	ti_umem_put(umem);
	rte_mempool_free(pool);
}

static void
sharing(void **state)
{
	struct rte_mempool *pool = make_pool(0, RTE_MBUF_DEFAULT_BUF_SIZE);
	struct rte_mempool *other_pool = make_pool(0, RTE_MBUF_DEFAULT_BUF_SIZE);
	struct ti_umem *first, *same, *other;
	struct ti_why why;

	(void)state;
	assert_int_equal(ti_umem_get(&first, pool, 1, false, &why), 0);
	assert_int_equal(ti_umem_get(&same, pool, 1, false, &why), 0);
	assert_ptr_equal(first, same);
	/* Another netdev, another mode, another pool: each a UMEM of its own. */
	assert_int_equal(ti_umem_get(&other, pool, 2, false, &why), 0);
	assert_ptr_not_equal(first, other);
	ti_umem_put(other);
	assert_int_equal(ti_umem_get(&other, pool, 1, true, &why), 0);
	assert_ptr_not_equal(first, other);
	ti_umem_put(other);
	assert_int_equal(ti_umem_get(&other, other_pool, 1, false, &why), 0);
	assert_ptr_not_equal(first, other);
	ti_umem_put(other);
	ti_umem_put(same);
	assert_int_equal(first->refs, 1);
	ti_umem_put(first);
	rte_mempool_free(other_pool);
	rte_mempool_free(pool);
}

static void
held_buffers_are_returned(void **state)
{
	struct rte_mempool *pool = make_pool(0, RTE_MBUF_DEFAULT_BUF_SIZE);
	struct rte_mbuf *m[N];
	struct ti_layout lay;
	struct ti_held held;
	struct ti_why why;
	uintptr_t base;
	int i;

	(void)state;
	assert_int_equal(ti_layout_init(&lay, pool, &why), 0);
	base = lay.base + lay.mbuf_off;
	assert_int_equal(ti_held_init(&held, &lay, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_mempool_get_bulk(pool, (void **)m, N), 0);
	for (i = 0; i < N; i++)
		ti_held_set(&held, ti_mbuf_to_addr(base, m[i]));
	/* Every third comes back by itself. */
	for (i = 0; i < N; i += 3) {
		ti_held_clear(&held, ti_mbuf_to_addr(base, m[i]));
		rte_mempool_put(pool, m[i]);
	}
	assert_int_equal(ti_held_return(&held, &lay, pool), N - (N + 2) / 3);
	assert_int_equal(rte_mempool_avail_count(pool), N);
	assert_int_equal(ti_held_return(&held, &lay, pool), 0);
	ti_held_free(&held);
	assert_int_equal(ti_held_return(&held, &lay, pool), 0);
	rte_mempool_free(pool);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts),
		cmocka_unit_test(room_of_the_usual_pool),
		cmocka_unit_test(refusals),
		cmocka_unit_test(crossing_pages),
		cmocka_unit_test(sharing),
		cmocka_unit_test(held_buffers_are_returned),
	};

	(void)argc;
	if (start_eal(argv[0]) != 0)
		return 1;
	return cmocka_run_group_tests_name("pmd-umem", tests, NULL, NULL);
}
