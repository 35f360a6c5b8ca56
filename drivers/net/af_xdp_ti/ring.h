/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The four rings of an AF_XDP socket, as user space sees them.
 *
 *   fill ring        we produce   addresses of empty buffers         -> kernel
 *   receive ring     we consume   descriptors of received frames    <- kernel
 *   transmit ring    we produce   descriptors of frames to send      -> kernel
 *   completion ring  we consume   addresses of buffers sent          <- kernel
 *
 * Each is a power of two of entries in memory shared with the kernel, with two
 * free-running 32-bit counters. Each counter has one writer; a store-release
 * of it publishes the entries before it, a load-acquire of the other side's
 * makes them readable. A ring is used by one thread at a time: the one that
 * polls the queue. Nothing here enters the kernel.
 */
#ifndef AF_XDP_TI_RING_H
#define AF_XDP_TI_RING_H

#include <stddef.h>
#include <stdint.h>
#include <linux/if_xdp.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>

struct ti_ring {
	uint32_t cached_prod;	/* our copy of *producer; ahead of it while filling */
	uint32_t cached_cons;	/* our copy of *consumer */
	uint32_t mask;
	uint32_t size;		/* entries, mask + 1 */
	uint32_t *producer;
	uint32_t *consumer;
	void *entry;		/* uint64_t[] (fill, completion) or struct xdp_desc[] */
	const uint32_t *flags;	/* XDP_RING_NEED_WAKEUP, set and cleared by the kernel */
	void *map;		/* the mapping, for munmap() */
	size_t map_len;		/* bytes */
} __rte_cache_aligned;	/* receive and transmit may be on different lcores */

/**
 * Room of a ring that we produce to. Reads the kernel's counter only when the
 * room known so far is less than @want.
 *
 * @return entries that can be written, at most r->size
 */
static __rte_always_inline uint32_t
ti_ring_room(struct ti_ring *r, uint32_t want)
{
	uint32_t room = r->size - (r->cached_prod - r->cached_cons);

	if (unlikely(room < want)) {
		r->cached_cons = __atomic_load_n(r->consumer, __ATOMIC_ACQUIRE);
		room = r->size - (r->cached_prod - r->cached_cons);
	}
	return room;
}

/* Entry @i of those being written, 0 being the first not yet published. */
static __rte_always_inline uint64_t *
ti_ring_put_addr(const struct ti_ring *r, uint32_t i)
{
	return (uint64_t *)r->entry + ((r->cached_prod + i) & r->mask);
}

static __rte_always_inline struct xdp_desc *
ti_ring_put_desc(const struct ti_ring *r, uint32_t i)
{
	return (struct xdp_desc *)r->entry + ((r->cached_prod + i) & r->mask);
}

/* Give @n written entries to the kernel. */
static __rte_always_inline void
ti_ring_submit(struct ti_ring *r, uint32_t n)
{
	r->cached_prod += n;
	__atomic_store_n(r->producer, r->cached_prod, __ATOMIC_RELEASE);
}

/**
 * Entries that wait in a ring that we consume from. Reads the kernel's counter
 * only when fewer than @want are known of.
 *
 * @return entries that can be read, at most @want
 */
static __rte_always_inline uint32_t
ti_ring_avail(struct ti_ring *r, uint32_t want)
{
	uint32_t n = r->cached_prod - r->cached_cons;

	if (n < want) {
		r->cached_prod = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
		n = r->cached_prod - r->cached_cons;
	}
	return RTE_MIN(n, want);
}

/* Entry @i of those that wait, 0 being the oldest. */
static __rte_always_inline uint64_t
ti_ring_get_addr(const struct ti_ring *r, uint32_t i)
{
	return ((const uint64_t *)r->entry)[(r->cached_cons + i) & r->mask];
}

static __rte_always_inline const struct xdp_desc *
ti_ring_get_desc(const struct ti_ring *r, uint32_t i)
{
	return (const struct xdp_desc *)r->entry + ((r->cached_cons + i) & r->mask);
}

/* Give @n entries that were read back to the kernel. */
static __rte_always_inline void
ti_ring_release(struct ti_ring *r, uint32_t n)
{
	r->cached_cons += n;
	__atomic_store_n(r->consumer, r->cached_cons, __ATOMIC_RELEASE);
}

/* Entries of a ring that we produce to which the kernel has not taken yet. */
static __rte_always_inline uint32_t
ti_ring_untaken(const struct ti_ring *r)
{
	return r->cached_prod - __atomic_load_n(r->consumer, __ATOMIC_ACQUIRE);
}

/*
 * Whether the kernel asks to be entered. After ti_ring_submit() a full barrier
 * must come first: the kernel sets the flag, then looks at the ring once more;
 * we write the ring, then look at the flag. Without the barrier both may look
 * before either write is seen, and the frame is left lying.
 */
static __rte_always_inline int
ti_ring_needs_wakeup(const struct ti_ring *r)
{
	return __atomic_load_n(r->flags, __ATOMIC_RELAXED) & XDP_RING_NEED_WAKEUP;
}

#endif /* AF_XDP_TI_RING_H */
