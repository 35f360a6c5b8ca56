/* SPDX-License-Identifier: BSD-3-Clause */
/* The macswap engine: packets go back, source and destination address exchanged. */

#include <string.h>

#include "fwd_inline.h"

/* The header and the two bytes after it: one vector register on x86 and on arm64. */
typedef uint8_t header_vector __attribute__((vector_size(16)));

static __rte_always_inline void
swap_addresses(const struct fwd_stream *stream __rte_unused, struct rte_ether_hdr *header)
{
	header_vector vector;

	/* A buffer always has these 16 bytes, however short the packet is. */
	memcpy(&vector, header, sizeof(vector));
	vector = __builtin_shufflevector(vector, vector, 6, 7, 8, 9, 10, 11,
					 0, 1, 2, 3, 4, 5, 12, 13, 14, 15);
	memcpy(header, &vector, sizeof(vector));
}

static void
macswap_burst(struct fwd_stream *stream)
{
	fwd_relay(stream, swap_addresses);
}

const struct fwd_engine fwd_macswap = {
	.name = "macswap",
	.flags = FWD_RECEIVES | FWD_TRANSMITS,
	.burst = macswap_burst,
};
