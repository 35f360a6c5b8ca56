/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Receive counters of one poll: collected on the stack, added to the queue's
 * 64-bit statistics once at its end.
 */
#ifndef _DP_COUNT_H
#define _DP_COUNT_H

#include "xdp_datapath.h"

/* Members as in struct dp_rx_stats. */
struct dp_rx_count {
	u32 packets;
	u32 bytes;
	u32 dropped;
	u32 alloc_fail;
	u32 csum_ok;
	u32 xdp_pass;
	u32 xdp_drop;
	u32 xdp_tx;
	u32 xdp_redirect;
	u32 xdp_error;
	u32 xsk_packets;
	u32 xsk_no_buf;
	u32 xsk_full;
	u32 xsk_spare;
	u32 xsk_invalid;
};

/**
 * dp_rx_count_add() - add a poll's counters to the queue's
 * @rxq: receive queue
 * @cnt: the poll's
 * @prog: a program ran: @cnt has verdicts
 *
 * Context: NAPI, or the queue is stopped (then with bottom halves off).
 */
static __always_inline void dp_rx_count_add(struct dp_rxq *rxq,
					    const struct dp_rx_count *cnt, bool prog)
{
	struct dp_rx_stats *stats = &rxq->stats;

	if (!(cnt->packets | cnt->alloc_fail | cnt->xsk_no_buf | cnt->xsk_invalid))
		return;

	u64_stats_update_begin(&rxq->syncp);
	u64_stats_add(&stats->packets, cnt->packets);
	u64_stats_add(&stats->bytes, cnt->bytes);
	u64_stats_add(&stats->csum_ok, cnt->csum_ok);
	u64_stats_add(&stats->dropped, cnt->dropped);
	u64_stats_add(&stats->alloc_fail, cnt->alloc_fail);
	if (prog) {
		u64_stats_add(&stats->xdp_pass, cnt->xdp_pass);
		u64_stats_add(&stats->xdp_drop, cnt->xdp_drop);
		u64_stats_add(&stats->xdp_tx, cnt->xdp_tx);
		u64_stats_add(&stats->xdp_redirect, cnt->xdp_redirect);
		u64_stats_add(&stats->xdp_error, cnt->xdp_error);
	}
	if (rxq->pool) {
		u64_stats_add(&stats->xsk_packets, cnt->xsk_packets);
		u64_stats_add(&stats->xsk_no_buf, cnt->xsk_no_buf);
		u64_stats_add(&stats->xsk_full, cnt->xsk_full);
		u64_stats_add(&stats->xsk_spare, cnt->xsk_spare);
		u64_stats_add(&stats->xsk_invalid, cnt->xsk_invalid);
	}
	u64_stats_update_end(&rxq->syncp);
}

#endif /* _DP_COUNT_H */
