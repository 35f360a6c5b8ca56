/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of works: what each is called and what it shows. */
#include <string.h>

#include "run.h"
#include "works.h"

const struct work works[] = {
	{ "rx", "receive --count test frames and verify them",
	  0, work_rx },
	{ "tx", "send --count test frames; each must be completed",
	  0, work_tx },
	{ "l2fwd", "send --count frames back with MAC addresses exchanged, verified",
	  0, work_l2fwd },
	{ "hold", "the same without end and without giving up, for kill -9",
	  0, work_hold },
	{ "tx-empty-fill", "send --count frames while the fill ring stays empty",
	  WORK_STRICT, work_tx_empty_fill },
	{ "stall", "--rounds times: consume nothing until all frames of the UMEM lie in the\n"
	  "                 receive ring, wait --stall-ms, consume and refill: --count more must come",
	  WORK_STRICT, work_stall },
	{ "closed-loop", "echo --count frames one by one to a partner that sends the next only\n"
	  "                 when the last is back",
	  WORK_STRICT, work_closed_loop },
	{ "ping-pong", "send one frame, wait until the partner has returned it, --count times",
	  WORK_STRICT, work_ping_pong },
	{ "tx-complete", "--rounds times: bursts of 1, 2, 3, 5 ... frames up to the ring's size, each\n"
	  "                 followed by silence, in which all completions must come",
	  WORK_STRICT, work_tx_complete },
	{ "attach-loop", "--rounds times: make UMEM and socket, attach, forward --count frames, close",
	  WORK_OWN_DEV, work_attach_loop },
	{ "garbage", "impossible descriptors among good ones: those refused, these sent",
	  WORK_STRICT, work_garbage },
	{ "lengths", "send a frame of every length from 1 byte to the UMEM's frame size",
	  0, work_lengths },
	{ "shared-garbage", "send --count frames beside a second socket on the same UMEM (--other-queue)\n"
	  "                 that puts impossible descriptors only",
	  0, work_shared_garbage },
	{ "fill-again", "the same frames put into the fill ring over and over, more entries than the UMEM\n"
	  "                 has frames: --count frames must still come",
	  0, work_fill_again },
	{ "fill-misaligned", "(--unaligned) a fill ring that claims to hold millions of addresses, all\n"
	  "                 misaligned: the kernel must be back at once",
	  0, work_fill_misaligned },
	{ "fill-garbage", "the same with addresses that no kernel may take",
	  0, work_fill_garbage },
	{ "hostile", "garbage in all rings and their indices for --seconds, by --seed",
	  WORK_OWN_DEV, work_hostile },
	{ "sink", "receive stamped frames of any kind (--take all), verified",
	  0, work_sink },
	{ "packet-sink", "no AF_XDP: the same through a packet socket on the stack",
	  WORK_OWN_DEV | WORK_NO_QUEUE, work_packet_sink },
	{ "page-pools", "no AF_XDP: wait until no page pool that was given up holds a page: none leaked",
	  WORK_OWN_DEV | WORK_NO_QUEUE, work_page_pools },
	{ "udp-echo", "no AF_XDP: return UDP datagrams to --port through the stack",
	  WORK_OWN_DEV | WORK_NO_QUEUE, work_udp_echo },
};

const unsigned int works_count = sizeof(works) / sizeof(works[0]);

const struct work *work_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < works_count; i++)
		if (!strcmp(works[i].name, name))
			return &works[i];
	return NULL;
}
