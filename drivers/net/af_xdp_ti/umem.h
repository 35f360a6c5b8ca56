/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UMEM over an mbuf pool: the pool's own memory is registered with the kernel,
 * so that a received frame already lies in an mbuf and an mbuf can be sent
 * where it lies.
 *
 *   one object of the mempool                                  (offsets in bytes)
 *   +--------+----------+------+-----------------------------------------------+
 *   | header | rte_mbuf | priv | buffer                                        |
 *   +--------+----------+------+-----------------------------------------------+
 *   ^        ^                 ^         ^                                     ^
 *   |        mbuf              buf_addr  frame                        chunk end
 *   chunk address              |<- 256 ->|
 *   |<-- umem headroom -------->   XDP headroom
 *
 * The UMEM is in unaligned chunk mode, for the spacing of the objects is
 * whatever the mempool made it (it avoids powers of two, to spread objects over
 * memory channels). A chunk's address is its object's, so address and mbuf
 * differ by a constant: no table is needed either way. The umem headroom covers
 * mempool header, mbuf and private area, which the kernel never writes. XDP's
 * own 256 bytes (XDP_PACKET_HEADROOM) come after it, in the buffer, and double as
 * DPDK's headroom; so a buffer of RTE_MBUF_DEFAULT_BUF_SIZE takes frames of 1920 bytes.
 *
 * Alignment. Objects are cache-line aligned and the umem headroom is rounded up
 * to 64, so frames start at multiples of 64: the ENET of the i.MX 8 and 9, for
 * one, writes only to such addresses (RACC shift 0, 64-byte receive buffers).
 *
 * Pages. In zero-copy a chunk must not cross pages that are not adjacent for the
 * device. A mempool keeps objects within a page (hugepage, or 4 KiB with --no-huge),
 * unless created with RTE_MEMPOOL_F_NO_IOVA_CONTIG; that is checked.
 *
 * Ownership. A buffer belongs to the application, to the mempool, or to the
 * kernel (from the fill or transmit ring until it comes back on the receive or
 * completion ring). Inside the kernel it may be in a ring, in the hardware or on a free
 * list that user space cannot see; hence struct ti_held, which records what is out there and
 * so lets a stopped queue return every mbuf.
 *
 * Sharing. Queues of a port with the same pool share one registration
 * (XDP_SHARED_UMEM): memory is pinned and DMA-mapped once a netdev. With the
 * devarg shared_umem=1 ports share it too.
 *
 * Context: control path, any thread; the registry has its own lock. Privilege:
 * pinning counts against RLIMIT_MEMLOCK without CAP_IPC_LOCK.
 */
#ifndef AF_XDP_TI_UMEM_H
#define AF_XDP_TI_UMEM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "log.h"

struct ti_xsk;

/* XDP_PACKET_HEADROOM of include/uapi/linux/bpf.h: the kernel leaves it before every frame. */
#define TI_XDP_HEADROOM 256u

/* Frames start at multiples of this. */
#define TI_FRAME_ALIGN 64u

/* XDP_UMEM_MIN_CHUNK_SIZE of net/xdp/xdp_umem.h */
#define TI_CHUNK_MIN 2048u

/*
 * What the kernel keeps at the end of a chunk when it checks the headroom:
 * SKB_DATA_ALIGN(sizeof(struct skb_shared_info)) + 128 (xdp_umem_reg()).
 */
#define TI_CHUNK_TAIL (320u + 128u)

/*
 * Bytes that a frame has besides the MTU when the kernel checks a zero-copy
 * buffer (ETH_PAD_LEN of net/xdp/xsk_buff_pool.c): Ethernet header, two VLAN
 * tags, FCS. The buffer size it checks is rounded down to TI_ROOM_ALIGN.
 */
#define TI_FRAME_OVERHEAD (14u + 2 * 4u + 4u)
#define TI_ROOM_ALIGN 128u

/* In a descriptor: the chunk's address below, the offset of the data in it above. */
#define TI_ADDR_MASK XSK_UNALIGNED_BUF_ADDR_MASK
#define TI_OFFSET_SHIFT XSK_UNALIGNED_BUF_OFFSET_SHIFT

/**
 * How a mempool lies as UMEM. Plain arithmetic, nothing of the kernel's.
 */
struct ti_layout {
	uintptr_t base;		/* first byte registered, page aligned; UMEM address 0 */
	uint64_t len;		/* bytes registered, whole pages */
	uint32_t chunk;		/* chunk size, bytes */
	uint32_t headroom;	/* umem headroom, bytes, multiple of TI_FRAME_ALIGN */
	uint32_t mbuf_off;	/* from chunk to struct rte_mbuf */
	uint32_t buf_off;	/* from chunk to the mbuf's buf_addr */
	uint32_t room;		/* longest frame that can be received, bytes */
	bool crosses_pages;	/* some chunk crosses a page: no zero-copy */
};

/**
 * Work out the layout of a pool, and refuse a pool that cannot be a UMEM: not of
 * mbufs, with external buffers, buffers too small, objects not cache-line aligned.
 *
 * @return 0, or -EINVAL with the reason
 */
int ti_layout_init(struct ti_layout *lay, struct rte_mempool *pool, struct ti_why *why);

/* Address of a chunk by its mbuf, and back. */
static __rte_always_inline uint64_t
ti_mbuf_to_addr(uintptr_t mbuf_base, const struct rte_mbuf *m)
{
	return (uintptr_t)m - mbuf_base;
}

static __rte_always_inline struct rte_mbuf *
ti_addr_to_mbuf(uintptr_t mbuf_base, uint64_t addr)
{
	return (struct rte_mbuf *)(mbuf_base + (uintptr_t)addr);
}

/*
 * --- which buffers the kernel holds -----------------------------------------
 *
 * One bit a chunk, indexed by its address in units of TI_CHUNK_MIN: chunks are
 * at least that far apart, so no two share a bit. A queue has two such maps, one
 * written by the thread that receives, one by the thread that transmits; 64 KiB
 * of map cover 1 GiB of UMEM, so they stay in the first-level cache.
 */
#define TI_HELD_SHIFT 11

struct ti_held {
	uint64_t *word;
	size_t words;
};

static __rte_always_inline void
ti_held_set(const struct ti_held *h, uint64_t addr)
{
	uint64_t bit = addr >> TI_HELD_SHIFT;

	h->word[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

static __rte_always_inline void
ti_held_clear(const struct ti_held *h, uint64_t addr)
{
	uint64_t bit = addr >> TI_HELD_SHIFT;

	h->word[bit >> 6] &= ~(UINT64_C(1) << (bit & 63));
}

/** Allocate an empty map for @lay on NUMA node @node. Return 0 or -ENOMEM. */
int ti_held_init(struct ti_held *h, const struct ti_layout *lay, int node);
void ti_held_free(struct ti_held *h);

/**
 * Give every buffer that the map says is held back to its mempool and empty the map.
 * The kernel must be done with them: socket closed and, in zero-copy, unbound.
 *
 * @return buffers returned
 */
uint32_t ti_held_return(struct ti_held *h, const struct ti_layout *lay, struct rte_mempool *pool);

/*
 * --- registrations ------------------------------------------------------------
 */

struct ti_umem {
	LIST_ENTRY(ti_umem) next;
	LIST_HEAD(, ti_xsk) bound;	/* sockets bound with it; the next one shares it through any */
	struct rte_mempool *pool;
	struct ti_layout lay;
	uint32_t scope;		/* ifindex whose queues share it; 0: every netdev's */
	bool zc;		/* the kernel keeps the mode a UMEM, not a socket */
	uint32_t refs;
};

/**
 * The UMEM of a pool: an existing one with the same pool, scope and mode, or a
 * new one. Registered with the kernel when the first socket is opened on it.
 * Every ti_umem_get() is matched by a ti_umem_put().
 *
 * @param scope  ifindex of the netdev that shares it, or 0 for all
 * @param zc     for zero-copy sockets
 * @return       0; -EINVAL (see ti_layout_init(), or @zc and chunks that cross pages), -ENOMEM
 */
int ti_umem_get(struct ti_umem **umem, struct rte_mempool *pool, uint32_t scope, bool zc,
		struct ti_why *why);
void ti_umem_put(struct ti_umem *umem);

#endif /* AF_XDP_TI_UMEM_H */
