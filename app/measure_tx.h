/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The generator of the measuring mode's txonly. Unlike the txonly engine it drops
 * nothing: frames that the queue has no room for are offered again, so that the receiver
 * can tell loss from what was never sent, and the rate is the queue's, not that of
 * making and throwing away.
 */
#ifndef TI_TESTPMD_MEASURE_TX_H
#define TI_TESTPMD_MEASURE_TX_H

#include <stdbool.h>
#include <stdint.h>

#include "forward.h"

struct measure_tx;

/**
 * length: bytes of a frame without FCS, at least 60. destination: of every frame.
 * verify: number and sum the frames as tests/wire/frame.h lays down; else they are
 * plain UDP, like those of the txonly engine.
 *
 * Return: the generator, or NULL without memory.
 */
struct measure_tx *measure_tx_make(uint16_t length, const struct rte_ether_addr *destination,
				   bool verify);

/** Sends one burst of the stream. Return: frames that the queue took. */
uint16_t measure_tx_burst(struct measure_tx *tx, struct fwd_stream *stream);

/** Frees the frames that were never taken; nothing is offered any more. */
void measure_tx_drop(struct measure_tx *tx);

/** Frees the generator, and what it has not yet dropped. */
void measure_tx_free(struct measure_tx *tx);

#endif
