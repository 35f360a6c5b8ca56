/* SPDX-License-Identifier: BSD-3-Clause */
/* UMEM over an mbuf pool: layout, record of held buffers, registrations. */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/if_xdp.h>

#include <rte_malloc.h>
#include <rte_memory.h>

#include "umem.h"

static LIST_HEAD(, ti_umem) umems = LIST_HEAD_INITIALIZER(umems);
static pthread_mutex_t umems_lock = PTHREAD_MUTEX_INITIALIZER;

struct object_check {
	const struct ti_layout *lay;
	uint32_t misaligned;
	uint32_t crossing;
};

/* Size of the page that @addr lies in: of the hugepages, or the system's. */
static size_t
page_size_at(const void *addr)
{
	const struct rte_memseg_list *msl = rte_mem_virt2memseg_list(addr);

	return msl != NULL ? (size_t)msl->page_sz : (size_t)sysconf(_SC_PAGESIZE);
}

static void
check_object(struct rte_mempool *pool __rte_unused, void *arg, void *obj,
	     unsigned int idx __rte_unused)
{
	struct object_check *c = arg;
	uintptr_t chunk = (uintptr_t)obj - c->lay->mbuf_off;
	size_t page = page_size_at(obj);

	if ((chunk - c->lay->base) % TI_FRAME_ALIGN != 0)
		c->misaligned++;
	if (chunk / page != (chunk + c->lay->chunk - 1) / page)
		c->crossing++;
}

int
ti_layout_init(struct ti_layout *lay, struct rte_mempool *pool, struct ti_why *why)
{
	const uint32_t page = sysconf(_SC_PAGESIZE);
	const struct rte_mempool_memhdr *mem;
	struct object_check check = { .lay = lay };
	uintptr_t lo = UINTPTR_MAX, hi = 0;
	uint32_t need;

	if (pool->private_data_size < sizeof(struct rte_pktmbuf_pool_private))
		return ti_fail(why, EINVAL,
			"mempool %s is not a pool of mbufs: create it with rte_pktmbuf_pool_create()",
			pool->name);
	if (rte_pktmbuf_priv_flags(pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF)
		return ti_fail(why, EINVAL,
			"mbuf pool %s has its buffers outside the mempool, so it cannot be a UMEM: create it with rte_pktmbuf_pool_create()",
			pool->name);

	lay->mbuf_off = pool->header_size;
	lay->buf_off = pool->header_size + sizeof(struct rte_mbuf) + rte_pktmbuf_priv_size(pool);
	lay->headroom = RTE_ALIGN_CEIL(lay->buf_off, TI_FRAME_ALIGN);
	lay->chunk = RTE_MIN(lay->buf_off + rte_pktmbuf_data_room_size(pool), page);

	need = RTE_MAX(TI_CHUNK_MIN, lay->headroom + TI_XDP_HEADROOM + TI_CHUNK_TAIL);
	if (lay->chunk < need)
		return ti_fail(why, EINVAL,
			"mbuf pool %s has buffers of %u bytes, AF_XDP needs at least %u: create it with a data room of RTE_MBUF_DEFAULT_BUF_SIZE (%u)",
			pool->name, rte_pktmbuf_data_room_size(pool),
			need - lay->buf_off, RTE_MBUF_DEFAULT_BUF_SIZE);
	lay->room = RTE_ALIGN_FLOOR(lay->chunk - lay->headroom - TI_XDP_HEADROOM, TI_ROOM_ALIGN);

	STAILQ_FOREACH(mem, &pool->mem_list, next) {
		lo = RTE_MIN(lo, (uintptr_t)mem->addr);
		hi = RTE_MAX(hi, (uintptr_t)mem->addr + mem->len);
	}
	if (hi == 0)
		return ti_fail(why, EINVAL, "mbuf pool %s is empty", pool->name);
	lay->base = RTE_ALIGN_FLOOR(lo, page);
	lay->len = RTE_ALIGN_CEIL(hi, page) - lay->base;

	rte_mempool_obj_iter(pool, check_object, &check);
	if (check.misaligned != 0)
		return ti_fail(why, EINVAL,
			"mbuf pool %s has objects that are not cache-line aligned: create it without RTE_MEMPOOL_F_NO_CACHE_ALIGN",
			pool->name);
	lay->crosses_pages = check.crossing != 0;
	return 0;
}

int
ti_held_init(struct ti_held *h, const struct ti_layout *lay, int node)
{
	h->words = (lay->len >> TI_HELD_SHIFT) / 64 + 1;
	h->word = rte_zmalloc_socket("ti_held", h->words * sizeof(*h->word),
				     RTE_CACHE_LINE_SIZE, node);
	return h->word != NULL ? 0 : -ENOMEM;
}

void
ti_held_free(struct ti_held *h)
{
	rte_free(h->word);
	h->word = NULL;
	h->words = 0;
}

struct held_return {
	struct ti_held *held;
	const struct ti_layout *lay;
	uint32_t n;
};

static void
return_object(struct rte_mempool *pool, void *arg, void *obj, unsigned int idx __rte_unused)
{
	struct held_return *r = arg;
	uint64_t bit = ((uintptr_t)obj - r->lay->mbuf_off - r->lay->base) >> TI_HELD_SHIFT;

	if (r->held->word[bit >> 6] & (UINT64_C(1) << (bit & 63))) {
		rte_mempool_put(pool, obj);
		r->n++;
	}
}

uint32_t
ti_held_return(struct ti_held *h, const struct ti_layout *lay, struct rte_mempool *pool)
{
	struct held_return r = { .held = h, .lay = lay };

	if (h->word == NULL)
		return 0;
	rte_mempool_obj_iter(pool, return_object, &r);
	memset(h->word, 0, h->words * sizeof(*h->word));
	return r.n;
}

int
ti_umem_get(struct ti_umem **umem, struct rte_mempool *pool, uint32_t scope, bool zc,
	    struct ti_why *why)
{
	struct ti_umem *u;
	int ret = 0;

	pthread_mutex_lock(&umems_lock);
	LIST_FOREACH(u, &umems, next) {
		if (u->pool == pool && u->scope == scope && u->zc == zc) {
			u->refs++;
			goto out;
		}
	}

	u = calloc(1, sizeof(*u));
	if (u == NULL) {
		ret = ti_fail(why, ENOMEM, "no memory for the UMEM of mbuf pool %s", pool->name);
		goto out;
	}
	ret = ti_layout_init(&u->lay, pool, why);
	if (ret == 0 && zc && u->lay.crosses_pages)
		ret = ti_fail(why, EINVAL,
			"mbuf pool %s has objects that cross pages, which zero-copy cannot use: create it without RTE_MEMPOOL_F_NO_IOVA_CONTIG, or use mode=copy",
			pool->name);
	if (ret != 0) {
		free(u);
		u = NULL;
		goto out;
	}
	LIST_INIT(&u->bound);
	u->pool = pool;
	u->scope = scope;
	u->zc = zc;
	u->refs = 1;
	LIST_INSERT_HEAD(&umems, u, next);
out:
	pthread_mutex_unlock(&umems_lock);
	*umem = u;
	return ret;
}

void
ti_umem_put(struct ti_umem *umem)
{
	pthread_mutex_lock(&umems_lock);
	if (--umem->refs == 0) {
		LIST_REMOVE(umem, next);
		free(umem);
	}
	pthread_mutex_unlock(&umems_lock);
}
