/* SPDX-License-Identifier: BSD-3-Clause */
/* The rxonly engine: packets are received, counted and freed. */

#include "fwd_inline.h"

static void
rxonly_burst(struct fwd_stream *stream)
{
	struct rte_mbuf *packets[BURST_MAX];
	uint64_t start = fwd_cycles_start(stream);
	uint16_t count = fwd_receive(stream, packets);

	if (unlikely(count == 0))
		return;
	rte_pktmbuf_free_bulk(packets, count);
	fwd_cycles_end(stream, start);
}

const struct fwd_engine fwd_rxonly = {
	.name = "rxonly",
	.flags = FWD_RECEIVES,
	.burst = rxonly_burst,
};
