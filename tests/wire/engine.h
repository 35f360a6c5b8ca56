/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link partner at work: one thread, one loop.
 *
 *        +--> receive until nothing is left --> verify --> streams, replay, answers
 *   loop |
 *        +--> one batch of answers or frames, as rate, window and back-pressure allow
 *        |
 *        +--> nothing done? sleep until the socket or the clock says so
 *
 * Receiving goes before sending, so that the link partner is never what frames
 * are lost in. The device under test is held back by the socket when we are slow.
 */
#ifndef TESTS_WIRE_ENGINE_H
#define TESTS_WIRE_ENGINE_H

#include <pcap/pcap.h>
#include <stdbool.h>
#include <stdint.h>

#include "answer.h"
#include "options.h"
#include "port.h"
#include "replay.h"
#include "stream.h"

/* Why an arrived frame counts as corrupt: FRAME_BAD_* and these. */
#define BAD_MAC		(1u << 8)	/* between other addresses than ours */
#define BAD_RANGE	(1u << 9)	/* intact, but its number was never sent */

struct bad_counts {
	uint64_t length;
	uint64_t type;
	uint64_t ip_sum;
	uint64_t l4_sum;
	uint64_t header;
	uint64_t pattern;
	uint64_t mac;
	uint64_t range;
};

struct engine {
	const struct options *o;
	struct options target;	/* *o with the addresses that ARP found */
	struct port *port;
	struct stream stream[OPT_MAX_STREAMS];
	struct replay replay;
	struct answer answer;

	/* made and not yet sent: tx_from .. tx_to - 1 of the batch */
	struct port_batch tx;
	struct stream *tx_stream[PORT_BATCH];
	unsigned int tx_from;
	unsigned int tx_to;
	struct port_batch ctl;	/* answers, the same way */
	unsigned int ctl_from;
	unsigned int ctl_to;
	struct port_batch rx;

	/* the run */
	bool started;		/* the far end is there and its address known */
	bool sending_done;
	bool interrupted;
	uint64_t begin;		/* ns, when run() began */
	uint64_t start;		/* ns, when sending could begin */
	uint64_t pace_base;	/* ns, since when frames are due */
	uint64_t pace_sent;	/* frames sent since then */
	uint64_t made;		/* frames made in all */
	uint64_t sent;		/* frames sent in all */
	uint64_t sent_bytes;
	uint64_t first_tx;
	uint64_t last_tx;
	uint64_t last_progress;	/* last frame taken by the far end, or back */
	uint64_t last_rx;	/* last frame that keeps the run from ending */
	uint64_t next_arp;

	/* what came */
	uint64_t frames_in;
	uint64_t bytes_in;
	uint64_t corrupt;
	struct bad_counts bad;
	uint64_t foreign;
	uint64_t foreign_bytes;
	uint64_t foreign_multicast;
	uint64_t first_foreign;
	uint64_t last_foreign;
	uint64_t other_stream;	/* test frames that are not of this run */
	struct track watched;	/* o->watch */
	uint64_t first_rx;	/* of frames that are ours */
	uint64_t last_own_rx;
	uint64_t echoed;
	uint64_t answered;
	uint64_t answers_dropped;
	uint64_t timeouts;

	pcap_t *dump_pcap;
	pcap_dumper_t *dump;
	unsigned int dumped;
};

/* Return: 0, or -1 after one line on stderr. */
int engine_init(struct engine *e, const struct options *o, struct port *port,
		const uint8_t iface_mac[6]);

/*
 * Run to the end. *@stop is set by a signal handler.
 * Return: 0, or -1 after one line on stderr when the run was not possible.
 */
int engine_run(struct engine *e, const volatile int *stop);

void engine_free(struct engine *e);

/* One arrived frame (also for tests). */
int engine_frame(struct engine *e, uint8_t *data, size_t len, bool truncated, uint64_t now);

static inline unsigned int engine_streams(const struct engine *e)
{
	return e->o->replay ? 0 : e->o->streams;
}

/* Does the run send frames of its own? */
static inline bool engine_sends(const struct engine *e)
{
	const struct options *o = e->o;

	return !o->receive_only && (o->send || o->seconds > 0 || o->replay);
}

#endif /* TESTS_WIRE_ENGINE_H */
