/* SPDX-License-Identifier: BSD-3-Clause */
/* The mac engine: packets go on to the peer of the port that they leave by. */

#include "fwd_inline.h"

static __rte_always_inline void
set_addresses(const struct fwd_stream *stream, struct rte_ether_hdr *header)
{
	header->dst_addr = stream->peer;
	header->src_addr = stream->source;
}

static void
mac_burst(struct fwd_stream *stream)
{
	fwd_relay(stream, set_addresses);
}

const struct fwd_engine fwd_mac = {
	.name = "mac",
	.flags = FWD_RECEIVES | FWD_TRANSMITS,
	.burst = mac_burst,
};
