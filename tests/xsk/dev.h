/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One AF_XDP queue as the test tool sees it: UMEM, rings, XDP program, and who owns
 * each frame of the UMEM.
 *
 *            dev_refill            dev_rx_take            dev_free
 *   FREE ---------------> KERNEL ---------------> TAKEN ------------> FREE
 *     |                                             |
 *     | dev_alloc           dev_tx_put              |
 *     +-------> TAKEN --------------> SENT <--------+
 *                                      |  dev_reap
 *                                      +-----------> FREE
 *
 * The state of every frame is kept, so that a driver which hands out a buffer that it was
 * not given, or completes one twice, is caught at once (dev->strays).
 *
 * System calls: dev_open() and dev_close() make many; dev_kick_rx() and dev_kick_tx() make one, and only
 * where the kernel's need_wakeup flag asks for it (or, bound without the flag, where
 * the transmit ring holds descriptors). Nothing else enters the kernel.
 * One thread. CAP_NET_ADMIN and CAP_BPF are needed (root).
 */
#ifndef TESTS_XSK_DEV_H
#define TESTS_XSK_DEV_H

#include <stdbool.h>
#include <stdint.h>
#include <xdp/xsk.h>

#include "options.h"

/* linux/if_xdp.h of 6.6 and later */
#ifndef XDP_PKT_CONTD
#define XDP_PKT_CONTD	(1u << 0)
#endif
#ifndef XDP_TX_METADATA
#define XDP_TX_METADATA	(1u << 1)
#endif

enum frame_state {
	FRAME_FREE,
	FRAME_KERNEL,	/* in the fill ring or beyond it */
	FRAME_TAKEN,	/* ours */
	FRAME_SENT,	/* in the transmit ring or beyond it, not completed */
};

struct redirect_bpf;

struct dev {
	const struct options *o;
	void *area;
	uint64_t area_len;
	struct xsk_umem *umem;
	struct xsk_ring_prod fill;
	struct xsk_ring_cons comp;
	struct xsk_ring_cons rx;
	struct xsk_ring_prod tx;
	struct xsk_socket *sock;	/* both directions, or receive */
	struct xsk_socket *tx_sock;	/* with --split, else NULL */
	int fd;
	int tx_fd;
	struct redirect_bpf *bpf;
	int link_fd;
	bool zerocopy;			/* what the kernel says */

	uint64_t *free;			/* stack of frame addresses */
	uint32_t nfree;
	uint8_t *state;			/* of each frame */
	uint32_t in_kernel;		/* frames in state KERNEL */
	uint32_t reserve;		/* frames that dev_refill() leaves for sending */

	uint64_t sent;			/* descriptors put into the transmit ring */
	uint64_t completed;
	uint64_t strays;		/* frames that came in a state they cannot come from */
	uint64_t bad_descs;		/* impossible descriptors put into the transmit ring, which */
	uint64_t returned_bad;		/* some kernels complete and others do not */
	uint64_t kicks_rx;
	uint64_t kicks_tx;
	uint64_t kick_errors;
	int kick_errno;			/* of the last unexpected one */
};

/* One received frame. */
struct dev_frame {
	uint64_t addr;
	uint8_t *data;
	uint32_t len;
};

enum dev_order {
	DEV_SOCKET_FIRST,	/* then the program */
	DEV_PROGRAM_FIRST,
};

/*
 * Make UMEM and socket(s), attach the program (unless o->program says no), put the
 * socket into its map.
 * No frame is in the fill ring yet. In MODE_ZC it fails unless the
 * kernel confirms zero-copy. Return: 0, or -1 after one line on stderr.
 */
int dev_open(struct dev *d, const struct options *o, enum dev_order order);

/* Detach, close, free. Also after a dev_open() that failed, or on a zeroed *@d. */
void dev_close(struct dev *d);

/* The kernel's statistics of the socket(s), summed. */
void dev_statistics(const struct dev *d, struct xdp_statistics *st);

static inline uint32_t dev_index(const struct dev *d, uint64_t addr)
{
	return (uint32_t)(addr / d->o->frame_size);
}

/* Put free frames into the fill ring, as many as go, but leave d->reserve. Return: how many. */
uint32_t dev_refill(struct dev *d);

/* Take received frames. Return: how many. */
uint32_t dev_rx_take(struct dev *d, struct dev_frame *f, uint32_t max);

/* A taken frame goes back to the free ones. */
void dev_free(struct dev *d, uint64_t addr);

/* A free frame to be sent. Return: false when there is none. */
bool dev_alloc(struct dev *d, struct dev_frame *f);

/* Room in the transmit ring. */
static inline uint32_t dev_tx_room(struct dev *d)
{
	return xsk_prod_nb_free(&d->tx, d->o->tx_ring);
}

/* Queue a taken frame; there is room. Submitted by dev_tx_submit(). */
void dev_tx_put(struct dev *d, uint64_t addr, uint32_t len);
void dev_tx_submit(struct dev *d, uint32_t n);

/* Take completions. Return: how many. */
uint32_t dev_reap(struct dev *d);

/* Descriptors that the kernel has not yet taken from the transmit ring. */
static inline uint32_t dev_tx_queued(const struct dev *d)
{
	return *d->tx.producer - __atomic_load_n(d->tx.consumer, __ATOMIC_ACQUIRE);
}

/* Frames that the kernel has not yet taken from the fill ring. */
static inline uint32_t dev_fill_queued(const struct dev *d)
{
	return *d->fill.producer - __atomic_load_n(d->fill.consumer, __ATOMIC_ACQUIRE);
}

/* Received frames that wait for us. */
static inline uint32_t dev_rx_waiting(const struct dev *d)
{
	return __atomic_load_n(d->rx.producer, __ATOMIC_ACQUIRE) - *d->rx.consumer;
}

void dev_kick_rx(struct dev *d);
void dev_kick_tx(struct dev *d);

#endif /* TESTS_XSK_DEV_H */
