/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel, as the tests of the bursts play it: it takes the fill ring, receives frames, takes and
 * completes transmit descriptors, asks for wakeups, and checks on the way that no buffer
 * is in two places.
 */
#ifndef TI_TEST_PLAYED_KERNEL_H
#define TI_TEST_PLAYED_KERNEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <rte_mbuf.h>

#include "rxtx.h"
#include "xsk.h"

#define RING 128u
#define POOL 512u
#define PORT 5
#define FD_RX 77
#define MAX_LEN 1518u
#define DATA_OFF 256u	/* of a received frame in the usual pool: XDP's headroom */

/* A ring in memory; the kernel's counter is plain. */
struct ring_mem {
	uint32_t producer, consumer, flags;
	union {
		uint64_t addr[RING];
		struct xdp_desc desc[RING];
	};
};

struct played_kernel {
	struct rte_mempool *pool, *other;
	struct ti_layout lay;
	struct ti_ring rx, fill, tx, comp;
	struct ring_mem m_rx, m_fill, m_tx, m_comp;
	struct ti_handover *ho;
	struct ti_rxq rxq;
	struct ti_txq txq;
	/* what the kernel holds */
	uint64_t buffer[POOL];
	uint32_t buffers;
	uint64_t in_flight[RING];	/* taken off the transmit ring, by its counter */
	/* what it was asked, and how it answers */
	unsigned int kicks_rx, kicks_tx, refused, unbound;
	struct ti_burst_events events;
	int kick_rx_result, kick_tx_result;
	unsigned int sends_per_kick;	/* copy mode: frames that one entry sends */
	bool completes;			/* and whether they are completed at once */
};

extern struct played_kernel k;

/* Whether busy polling reaches the driver. */
extern bool can_busy_poll;

/* Take everything out of the fill ring. */
void k_take_fill(void);

/* Receive a frame of @len bytes, all of them @byte. False when there is no buffer or no room. */
bool k_receive(uint32_t len, uint8_t byte);

/* The frame that a descriptor tells of; its address and length are sound. */
const uint8_t *k_frame(const struct xdp_desc *desc);

/* Complete up to @n frames that were taken. */
void k_complete(uint32_t n);

/* Take up to @n frames off the transmit ring; as many as the completion ring will have room for. */
void k_take_tx(uint32_t n);

/* Set-up and teardown of a test: a queue pair in copy mode, zero-copy, or zero-copy with busy polling. */
int open_copy(void **state);
int open_zc(void **state);
int open_busy(void **state);
int close_any(void **state);

#define COPY(f) cmocka_unit_test_setup_teardown(f, open_copy, close_any)
#define ZC(f) cmocka_unit_test_setup_teardown(f, open_zc, close_any)
#define BUSY(f) cmocka_unit_test_setup_teardown(f, open_busy, close_any)

/* A packet of one segment, all of its bytes @byte. */
struct rte_mbuf *packet(struct rte_mempool *pool, uint16_t len, uint8_t byte);

/* EAL, and the two pools. 0, or the exit code. */
int open_bench(const char *program);

#endif /* TI_TEST_PLAYED_KERNEL_H */
