/* SPDX-License-Identifier: GPL-2.0-only */
/* A ring of descriptor addresses, as the K3 ring accelerator keeps them. The caller locks. */
#ifndef HWSIM_RING_H
#define HWSIM_RING_H

#include <linux/slab.h>
#include <linux/types.h>

/**
 * struct sim_ring - the ring
 * @elm: its elements
 * @size: how many it holds
 * @head: index of the oldest
 * @count: how many are in it
 */
struct sim_ring {
	dma_addr_t *elm;
	u32 size;
	u32 head;
	u32 count;
};

/* Return: 0, or -ENOMEM where it is full, as k3_ringacc_ring_push(). */
static inline int sim_ring_push(struct sim_ring *ring, dma_addr_t addr)
{
	u32 at = ring->head + ring->count;

	if (ring->count >= ring->size)
		return -ENOMEM;
	ring->elm[at < ring->size ? at : at - ring->size] = addr;
	ring->count++;
	return 0;
}

/* Return: 0, or -ENODATA where it is empty, as k3_ringacc_ring_pop(). */
static inline int sim_ring_pop(struct sim_ring *ring, dma_addr_t *addr)
{
	if (!ring->count)
		return -ENODATA;
	*addr = ring->elm[ring->head];
	ring->count--;
	if (++ring->head == ring->size)
		ring->head = 0;
	return 0;
}

static inline void sim_ring_reset(struct sim_ring *ring)
{
	ring->head = 0;
	ring->count = 0;
}

static inline int sim_ring_alloc(struct sim_ring *ring, u32 size)
{
	if (!size)
		return -EINVAL;
	sim_ring_reset(ring);
	ring->size = size;
	ring->elm = kvcalloc(size, sizeof(*ring->elm), GFP_KERNEL);
	return ring->elm ? 0 : -ENOMEM;
}

static inline void sim_ring_free(struct sim_ring *ring)
{
	kvfree(ring->elm);
	ring->elm = NULL;
}

#endif /* HWSIM_RING_H */
