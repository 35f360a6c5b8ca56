/* SPDX-License-Identifier: BSD-3-Clause */
/* The io engine: packets leave as they came. */

#include "fwd_inline.h"

static void
io_burst(struct fwd_stream *stream)
{
	fwd_relay(stream, NULL);
}

const struct fwd_engine fwd_io = {
	.name = "io",
	.flags = FWD_RECEIVES | FWD_TRANSMITS,
	.burst = io_burst,
};
