/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One frame of every length that a descriptor may have, down to a single byte and up to the whole
 * chunk, each completed before the next is sent. What is no frame (shorter than an Ethernet header,
 * longer than the MAC can hold) must be completed and not reach the wire.
 */
#include "run.h"
#include "stamp.h"
#include "works.h"

static void make(const struct run *r, struct dev_frame *f, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		f->data[i] = (uint8_t)(i + len);
	if (len >= STAMP_MIN) {
		for (i = 0; i < 6; i++)
			f->data[i] = r->o->dst_mac[i];
		f->data[12] = 0x88;	/* a type for local experiments (IEEE 802) */
		f->data[13] = 0xb5;
	}
	stamp_put(f->data, len, 0);
	f->len = len;
}

void work_lengths(struct run *r)
{
	struct dev_frame f;
	uint32_t len;

	run_ready();
	for (len = 1; len <= r->o->frame_size && !run_stopped(r); len++) {
		if (!dev_alloc(&r->dev, &f)) {
			run_fail(r, "no free frame");
			return;
		}
		make(r, &f, len);
		dev_tx_put(&r->dev, f.addr, len);
		dev_tx_submit(&r->dev, 1);
		if (!run_complete(r))
			return;
		r->rounds_done++;
	}
}
