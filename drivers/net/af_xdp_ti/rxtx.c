/* SPDX-License-Identifier: BSD-3-Clause */
/* Receive and transmit bursts. */

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <rte_atomic.h>
#include <rte_memcpy.h>
#include <rte_prefetch.h>

#include "rxtx.h"
#include "xsk.h"

/* Packets ahead whose mbuf is fetched while one is worked on. */
#define PREFETCH_AHEAD 4

/* Kernel entries of one transmit burst at most; each moves 32 frames in copy mode. */
#define KICKS_MAX 64

/*
 * The eight bytes from data_off on are written at once, from a template: DPDK
 * keeps them together for this ("rearm_data").
 */
#define REARM_OFFSET offsetof(struct rte_mbuf, data_off)
static_assert(offsetof(struct rte_mbuf, refcnt) == REARM_OFFSET + 2, "rearm_data");
static_assert(offsetof(struct rte_mbuf, nb_segs) == REARM_OFFSET + 4, "rearm_data");
static_assert(offsetof(struct rte_mbuf, port) == REARM_OFFSET + 6, "rearm_data");

/* refcnt and nb_segs both 1, as one 32-bit word in either byte order */
#define ONE_OWNER_ONE_SEGMENT 0x00010001u

/* --- receive -------------------------------------------------------------------- */

/* Move up to @n addresses from the handover into the fill ring. */
static __rte_always_inline uint32_t
fill_from_handover(struct ti_rxq *q, uint32_t n)
{
	struct ti_handover *ho = q->ho;
	uint32_t tail = ho->tail;
	uint32_t i;

	n = RTE_MIN(n, __atomic_load_n(&ho->head, __ATOMIC_ACQUIRE) - tail);
	for (i = 0; i < n; i++) {
		uint64_t addr = ho->addr[(tail + i) & (TI_HANDOVER_SIZE - 1)];

		*ti_ring_put_addr(q->fill, i) = addr;
		ti_held_set(&q->held, addr);
	}
	__atomic_store_n(&ho->tail, tail + n, __ATOMIC_RELEASE);
	q->stats.recycled += n;
	return n;
}

/* Move @n buffers from the mempool into the fill ring behind @at entries; all or none. */
static __rte_always_inline uint32_t
fill_from_pool(struct ti_rxq *q, uint32_t at, uint32_t n)
{
	struct rte_mbuf *m[TI_FILL_BATCH];
	uint32_t i;

	if (unlikely(rte_mempool_get_bulk(q->pool, (void **)m, n) != 0)) {
		q->stats.nombuf++;
		return 0;
	}
	for (i = 0; i < n; i++) {
		uint64_t addr = ti_mbuf_to_addr(q->mbuf_base, m[i]);

		*ti_ring_put_addr(q->fill, at + i) = addr;
		ti_held_set(&q->held, addr);
	}
	return n;
}

/* One batch of at most TI_FILL_BATCH buffers. Return how many were had. */
static __rte_always_inline uint32_t
fill_batch(struct ti_rxq *q, uint32_t n)
{
	uint32_t done;

	n = RTE_MIN(n, ti_ring_room(q->fill, n));
	done = fill_from_handover(q, n);
	if (done < n)
		done += fill_from_pool(q, done, n - done);
	if (done != 0) {
		ti_ring_submit(q->fill, done);
		q->lack -= done;
		__atomic_store_n(&q->ho->want, q->lack, __ATOMIC_RELAXED);
	}
	return done;
}

/*
 * Fewer buffers than a batch are left to the kernel, and the pool has no batch either. When an application
 * keeps nearly all of them, what is left must still go round: take any there are.
 */
static __rte_noinline void
refill_dry(struct ti_rxq *q)
{
	while (q->lack > q->nb_desc - TI_FILL_BATCH && fill_batch(q, 1) != 0)
		;
}

/* Refill in whole batches, then wake the driver if it ran dry. */
static __rte_always_inline void
refill(struct ti_rxq *q)
{
	while (q->lack >= TI_FILL_BATCH && fill_batch(q, TI_FILL_BATCH) == TI_FILL_BATCH)
		;
	if (unlikely(q->lack > q->nb_desc - TI_FILL_BATCH))
		refill_dry(q);
	/*
	 * No barrier: if the flag is set later than we look, the next call
	 * that finds no frame looks again.
	 */
	if (unlikely(ti_ring_needs_wakeup(q->fill)) && !q->busy) {
		q->stats.wakeups++;
		ti_xsk_kick_rx(q->fd);
	}
}

/* The first frame is there, so the kernel knows by now which NAPI serves the socket. */
static void
prove_busy_poll(struct ti_rxq *q)
{
	q->busy_proven = true;
	q->busy = ti_xsk_can_busy_poll(q->fd);
	if (!q->busy && q->event != NULL && q->event->busy_refused != NULL)
		q->event->busy_refused(q->event->arg);
}

/* The kernel has taken the socket off the netdev: say so, once. */
static void
unbound(bool *told, const struct ti_burst_events *event)
{
	if (*told)
		return;
	*told = true;
	if (event != NULL && event->unbound != NULL)
		event->unbound(event->arg);
}

/* Nothing was received: enter the kernel if that is what it takes to receive something. */
static __rte_noinline void
rx_idle(struct ti_rxq *q)
{
	if (q->busy && !q->busy_proven && q->stats.packets != q->packets_before)
		prove_busy_poll(q);
	if (q->busy) {
		q->stats.busy_polls++;
		if (unlikely(ti_xsk_kick_rx(q->fd) == -ENXIO))
			unbound(&q->told_unbound, q->event);
	} else if (ti_ring_needs_wakeup(q->fill) && ti_ring_untaken(q->fill) != 0) {
		q->stats.wakeups++;
		ti_xsk_kick_rx(q->fd);
	} else if (unlikely(++q->idle % TI_IDLE_LOOK == 0) && ti_xsk_kick_rx(q->fd) == -ENXIO) {
		/* Nothing else would tell that no frame can come any more. */
		unbound(&q->told_unbound, q->event);
	}
	/* Frames that the device had no room for go out though nothing more is sent. */
	if (unlikely(__atomic_load_n(&q->ho->tx_stuck, __ATOMIC_RELAXED) != 0))
		ti_xsk_kick_tx(q->fd);
}

uint16_t
ti_rx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	struct ti_rxq *q = queue;
	const uintptr_t base = q->mbuf_base;
	const uint32_t buf_off = q->buf_off;
	const uint64_t rearm = q->rearm;
	struct ti_ring *rx = q->rx;
	uint64_t bytes = 0;
	uint32_t i, n;

	if (q->lack >= TI_FILL_BATCH)
		refill(q);

	n = ti_ring_avail(rx, nb);
	if (n == 0) {
		rx_idle(q);
		return 0;
	}
	for (i = 0; i < RTE_MIN(n, (uint32_t)PREFETCH_AHEAD); i++)
		rte_prefetch0(ti_addr_to_mbuf(base, ti_ring_get_desc(rx, i)->addr & TI_ADDR_MASK));

	for (i = 0; i < n; i++) {
		const struct xdp_desc *desc = ti_ring_get_desc(rx, i);
		const uint64_t addr = desc->addr & TI_ADDR_MASK;
		const uint32_t offset = desc->addr >> TI_OFFSET_SHIFT;
		const uint32_t len = desc->len;
		struct rte_mbuf *m = ti_addr_to_mbuf(base, addr);

		if (i + PREFETCH_AHEAD < n)
			rte_prefetch0(ti_addr_to_mbuf(base,
				ti_ring_get_desc(rx, i + PREFETCH_AHEAD)->addr & TI_ADDR_MASK));

		/* What the application reads first. */
		rte_prefetch0((const void *)(q->umem_base + addr + offset));

		ti_held_clear(&q->held, addr);
		memcpy((char *)m + REARM_OFFSET, &rearm, sizeof(rearm));
		m->data_off = offset - buf_off;
		m->ol_flags = 0;
		m->packet_type = 0;
		m->pkt_len = len;
		m->data_len = len;
		m->vlan_tci = 0;
		bufs[i] = m;
		bytes += len;
	}
	ti_ring_release(rx, n);

	q->lack += n;
	__atomic_store_n(&q->ho->want, q->lack, __ATOMIC_RELAXED);
	q->stats.packets += n;
	q->stats.bytes += bytes;
	return n;
}

uint32_t
ti_rxq_fill(struct ti_rxq *q)
{
	uint32_t n;

	while (q->lack != 0) {
		n = RTE_MIN(q->lack, TI_FILL_BATCH);
		if (fill_batch(q, n) != n)
			break;
	}
	return q->lack;
}

/* --- transmit --------------------------------------------------------------------- */

uint32_t
ti_txq_outstanding(const struct ti_txq *q)
{
	/* Both rings count from 0, and each frame sent is completed once. */
	return q->tx->cached_prod - q->comp->cached_cons;
}

/* Take back up to @n completed buffers. */
static __rte_always_inline uint32_t
reap_batch(struct ti_txq *q, uint32_t n)
{
	struct ti_handover *ho = q->ho;
	const uint32_t head = ho->head;
	struct rte_mbuf *m[TI_REAP_BATCH];
	int32_t wanted;
	uint32_t i, give;

	n = ti_ring_avail(q->comp, n);
	if (n == 0)
		return 0;

	/* As many as the receive side lacks, less those on their way. */
	wanted = __atomic_load_n(&ho->want, __ATOMIC_RELAXED) -
		 (head - __atomic_load_n(&ho->tail, __ATOMIC_ACQUIRE));
	wanted = RTE_MIN(wanted, (int32_t)(TI_HANDOVER_SIZE -
		 (head - __atomic_load_n(&ho->tail, __ATOMIC_ACQUIRE))));
	give = wanted > 0 ? RTE_MIN(n, (uint32_t)wanted) : 0;

	for (i = 0; i < give; i++) {
		uint64_t addr = ti_ring_get_addr(q->comp, i) & TI_ADDR_MASK;

		ti_held_clear(&q->held, addr);
		ho->addr[(head + i) & (TI_HANDOVER_SIZE - 1)] = addr;
	}
	for (; i < n; i++) {
		uint64_t addr = ti_ring_get_addr(q->comp, i) & TI_ADDR_MASK;

		ti_held_clear(&q->held, addr);
		m[i - give] = ti_addr_to_mbuf(q->mbuf_base, addr);
	}
	__atomic_store_n(&ho->head, head + give, __ATOMIC_RELEASE);
	ti_ring_release(q->comp, n);
	if (n > give)
		rte_mempool_put_bulk(q->pool, (void **)m, n - give);
	return n;
}

uint32_t
ti_txq_reap(struct ti_txq *q)
{
	uint32_t n, done = 0;

	while ((n = reap_batch(q, TI_REAP_BATCH)) != 0)
		done += n;
	return done;
}

/*
 * In copy mode one entry sends at most 32 frames, and what it returns does not
 * tell whether any are left (0 when the completion ring was full, EBUSY when the device
 * dropped a frame, EAGAIN when there are more): only the ring tells. So it
 * is entered until the ring is empty or nothing moves.
 */
static __rte_noinline void
kick(struct ti_txq *q)
{
	uint32_t left, before, tries;
	int ret;

	before = ti_ring_untaken(q->tx);
	for (tries = 0; tries < KICKS_MAX; tries++) {
		ret = ti_xsk_kick_tx(q->fd);
		q->stats.wakeups++;
		if (ret != 0 && ret != -EAGAIN)
			q->stats.wakeup_errors++;
		if (unlikely(ret == -ENXIO)) {
			unbound(&q->told_unbound, q->event);
			left = 1;
			break;
		}
		if (q->zc) {
			/* The driver takes the frames in its own time. */
			left = ret != 0;
			break;
		}
		left = ti_ring_untaken(q->tx);
		if (left == 0)
			break;
		if (left == before && ti_txq_reap(q) == 0)
			break;
		before = left;
	}
	__atomic_store_n(&q->ho->tx_stuck, left != 0, __ATOMIC_RELAXED);
}

void
ti_txq_kick(struct ti_txq *q)
{
	kick(q);
}

/* Whether the segments have pkt_len bytes together: more would not fit the copy, less would send old data. */
static bool
lengths_agree(const struct rte_mbuf *m)
{
	const struct rte_mbuf *seg;
	uint64_t sum = 0;

	for (seg = m; seg != NULL; seg = seg->next)
		sum += seg->data_len;
	return sum == m->pkt_len;
}

/* A buffer to copy into. A dry pool may lack just those that were sent and not yet taken back. */
static struct rte_mbuf *
copy_buffer(struct ti_txq *q)
{
	struct rte_mbuf *m;

	if (likely(rte_mempool_get(q->pool, (void **)&m) == 0))
		return m;
	if (ti_txq_reap(q) != 0 && rte_mempool_get(q->pool, (void **)&m) == 0)
		return m;
	q->stats.nombuf++;
	return NULL;
}

/* What tx_copy() returns instead of an address; no address is that high. */
#define NO_BUFFER UINT64_MAX		/* the packet is kept */
#define NO_PACKET (UINT64_MAX - 1)	/* the packet was not one, and is freed */

/* Copy a packet into one buffer of the pool, and free it. Return the descriptor's address. */
static __rte_noinline uint64_t
tx_copy(struct ti_txq *q, struct rte_mbuf *m)
{
	const struct rte_mbuf *seg;
	struct rte_mbuf *copy;
	uint64_t addr;
	char *to;

	if (unlikely(!lengths_agree(m))) {
		rte_pktmbuf_free(m);
		q->stats.errors++;
		return NO_PACKET;
	}
	copy = copy_buffer(q);
	if (unlikely(copy == NULL))
		return NO_BUFFER;
	addr = ti_mbuf_to_addr(q->mbuf_base, copy);
	to = (char *)copy->buf_addr + q->copy_off;
	for (seg = m; seg != NULL; seg = seg->next) {
		rte_memcpy(to, rte_pktmbuf_mtod(seg, const void *), seg->data_len);
		to += seg->data_len;
	}
	q->stats.copies++;
	q->stats.linearised += m->nb_segs > 1;
	rte_pktmbuf_free(m);
	return addr | (uint64_t)(q->buf_off + q->copy_off) << TI_OFFSET_SHIFT;
}

/* Whether the mbuf can be sent where it lies; see the head of rxtx.h. */
static __rte_always_inline bool
tx_in_place(const struct ti_txq *q, const struct rte_mbuf *m)
{
	uint32_t refs_segs;

	memcpy(&refs_segs, (const char *)m + REARM_OFFSET + 2, sizeof(refs_segs));
	return refs_segs == ONE_OWNER_ONE_SEGMENT && m->pool == q->pool && RTE_MBUF_DIRECT(m) &&
	       m->data_len == m->pkt_len;
}

uint16_t
ti_tx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	struct ti_txq *q = queue;
	const uintptr_t base = q->mbuf_base;
	const uint32_t buf_off = q->buf_off;
	struct ti_ring *tx = q->tx;
	uint32_t i, n, posted = 0;
	uint64_t bytes = 0;

	if (ti_txq_outstanding(q) >= TI_REAP_BATCH)
		ti_txq_reap(q);

	n = RTE_MIN(ti_ring_room(tx, nb), (uint32_t)nb);
	for (i = 0; i < n; i++) {
		struct rte_mbuf *m = bufs[i];
		const uint32_t len = m->pkt_len;
		struct xdp_desc *desc;
		uint64_t addr, at;

		if (i + PREFETCH_AHEAD < n)
			rte_prefetch0(bufs[i + PREFETCH_AHEAD]);

		if (unlikely(len - TI_FRAME_MIN > q->max_len - TI_FRAME_MIN)) {
			rte_pktmbuf_free(m);
			q->stats.errors++;
			continue;
		}
		if (likely(tx_in_place(q, m))) {
			addr = ti_mbuf_to_addr(base, m);
			at = addr | (uint64_t)(buf_off + m->data_off) << TI_OFFSET_SHIFT;
		} else {
			at = tx_copy(q, m);
			if (unlikely(at == NO_BUFFER))
				break;
			if (unlikely(at == NO_PACKET))
				continue;
			addr = at & TI_ADDR_MASK;
		}
		ti_held_set(&q->held, addr);
		desc = ti_ring_put_desc(tx, posted++);
		desc->addr = at;
		desc->len = len;
		desc->options = 0;
		bytes += len;
	}

	if (likely(posted != 0)) {
		ti_ring_submit(tx, posted);
		q->stats.packets += posted;
		q->stats.bytes += bytes;
	}
	if (unlikely(n < nb))
		q->stats.full++;
	if (likely(posted != 0) || n < nb) {
		/* Full barrier between ring and flag; see ti_ring_needs_wakeup(). */
		rte_smp_mb();
		if (ti_ring_needs_wakeup(tx))
			kick(q);
	}
	return i;
}

/* --- control ---------------------------------------------------------------------- */

void
ti_rxq_init(struct ti_rxq *q, struct ti_ring *rx, struct ti_ring *fill,
	    struct ti_handover *ho, const struct ti_layout *lay,
	    struct rte_mempool *pool, uint16_t port, int fd, bool busy)
{
	const struct {
		uint16_t data_off, refcnt, nb_segs, port;
	} rearm = { 0, 1, 1, port };

	q->rx = rx;
	q->fill = fill;
	q->ho = ho;
	q->pool = pool;
	q->umem_base = lay->base;
	q->mbuf_base = lay->base + lay->mbuf_off;
	q->buf_off = lay->buf_off;
	memcpy(&q->rearm, &rearm, sizeof(q->rearm));
	q->fd = fd;
	q->busy = busy;
	q->busy_proven = false;
	q->told_unbound = false;
	q->packets_before = q->stats.packets;
	q->lack = q->nb_desc;
	ho->want = q->lack;
}

void
ti_txq_init(struct ti_txq *q, struct ti_ring *tx, struct ti_ring *comp,
	    struct ti_handover *ho, const struct ti_layout *lay,
	    struct rte_mempool *pool, uint32_t max_len, int fd, bool zc)
{
	q->tx = tx;
	q->comp = comp;
	q->ho = ho;
	q->pool = pool;
	q->mbuf_base = lay->base + lay->mbuf_off;
	q->buf_off = lay->buf_off;
	/* Where a received frame would lie: what fits there fits here. */
	q->copy_off = lay->headroom + TI_XDP_HEADROOM - lay->buf_off;
	q->max_len = max_len;
	q->fd = fd;
	q->zc = zc;
	q->told_unbound = false;
}

void
ti_handover_drain(struct ti_handover *ho, const struct ti_layout *lay, struct rte_mempool *pool)
{
	while (ho->tail != ho->head) {
		rte_mempool_put(pool, ti_addr_to_mbuf(lay->base + lay->mbuf_off,
			ho->addr[ho->tail & (TI_HANDOVER_SIZE - 1)]));
		ho->tail++;
	}
}
