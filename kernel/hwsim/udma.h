/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The K3 DMA controller (UDMA-P of AM65, PKTDMA of AM64) as the peripherals see it: threads of the
 * PSI-L, the fabric that packets travel on. Nothing of a MAC in it.
 *
 *   MAC driver                       controller                       peripheral's model
 *   push_tx  -> transmit ring  ----> psil_pull()  ----- packet -----> sends it
 *   pop_tx   <- completion ring <--- psil_complete() <--------------- has sent it
 *   push_rx  -> free ring      ----> psil_deliver() <---- packet ---- has received it
 *   pop_rx   <- completion ring <---/
 *
 * Descriptors and buffers are reached as the device reaches them, by the address that the DMA API
 * gave: what the driver did not sync, under swiotlb, is not there.
 *
 * Locks: psil->lock, with interrupts off, guards the channel that is bound to the thread, its rings and its
 * state. Teardown, completions and data movement are all done under it, so none sees half of another.
 */
#ifndef HWSIM_UDMA_H
#define HWSIM_UDMA_H

#include <linux/dma/ti-cppi5.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "sim_irq.h"
#include "sim_lock.h"

/* PSI-L thread numbers: destinations (transmit) have this bit. */
#define PSIL_DST_THREAD BIT(15)
/* Protocol-specific words and extended packet information that these peripherals have. */
#define PSIL_PS_BYTES 16
#define PSIL_PS_WORDS (PSIL_PS_BYTES / 4)
#define PSIL_EPIB_WORDS (CPPI5_INFO0_HDESC_EPIB_SIZE / 4)
/* Longest packet that a thread carries. */
#define PSIL_MAX_PACKET 10240

/* Added to a descriptor's address it makes one that the driver never had. */
#define PSIL_WILD_OFFSET BIT_ULL(40)

/* Where the coherency selector of the PKTDMA lies in an address. */
#define UDMA_ASEL_SHIFT 48

/* Lines of the controller's interrupts: one a transmit channel, one a receive flow. */
#define UDMA_MAX_TX_CHANNELS 32
#define UDMA_MAX_FLOWS 128
#define UDMA_NUM_IRQS (UDMA_MAX_TX_CHANNELS + UDMA_MAX_FLOWS)

/**
 * struct udma - one controller
 * @dev: its device
 * @coherent: the device that coherent channels map for
 * @intc: its interrupts
 * @node: in the list of controllers
 * @pktdma: each flow has a free ring of its own, and addresses carry a coherency selector
 * @users: channels in use
 * @tx_used: channel numbers in use
 * @flow_used: flow numbers in use
 */
struct udma {
	struct device *dev;
	struct platform_device *coherent;
	struct sim_intc *intc;
	struct list_head node;
	bool pktdma;
	unsigned int users;
	DECLARE_BITMAP(tx_used, UDMA_MAX_TX_CHANNELS);
	DECLARE_BITMAP(flow_used, UDMA_MAX_FLOWS);
};

/**
 * struct udma_common - what transmit and receive channels share
 * @udma: the controller
 * @psil: the thread
 * @dma_dev: the device that descriptors and buffers are mapped for
 * @asel: coherency selector in addresses
 * @swdata_size: bytes at a descriptor's end that are the driver's
 */
struct udma_common {
	struct udma *udma;
	struct psil *psil;
	struct device *dma_dev;
	u32 asel;
	u32 swdata_size;
};

/**
 * struct psil_faults - what goes wrong on request; each counts down to none
 * @drop: completions that never come
 * @twice: completions that come twice
 * @corrupt: completions that carry a wrong length (receive) or a wrong error flag (transmit)
 * @wild: completions whose address is no descriptor's
 * @late: completions that come @late_ms later
 * @late_ms: see @late
 * @stuck: while set, a teardown does not end
 */
struct psil_faults {
	u32 drop;
	u32 twice;
	u32 corrupt;
	u32 wild;
	u32 late;
	u32 late_ms;
	bool stuck;
};

/**
 * struct psil_counts - what a thread has done
 * @packets: packets carried
 * @bytes: their bytes
 * @starved: packets for which there was no free descriptor
 * @no_channel: packets for which there was no channel or flow
 * @bad_desc: descriptors that make no sense
 * @bad_addr: addresses that are no memory, or carry the wrong coherency selector
 * @teardowns: teardowns ended
 * @late: completions that were held back
 */
struct psil_counts {
	u64 packets;
	u64 bytes;
	u64 starved;
	u64 no_channel;
	u64 bad_desc;
	u64 bad_addr;
	u64 teardowns;
	u64 late;
};

/* A completion that is held back. */
struct psil_late {
	struct list_head node;
	dma_addr_t desc;
	u32 flow;
	ktime_t due;
};

/**
 * struct psil - one end of a thread
 * @node: in the list of all threads
 * @thread: its number in the device tree
 * @kick: tells the peripheral that there is something to do; any context, with @lock held
 * @priv: for @kick
 * @lock: see above
 * @tx: the channel, of a destination thread
 * @rx: the channel, of a source thread
 * @faults: faults asked for
 * @counts: counters
 * @late: struct psil_late
 */
struct psil {
	struct list_head node;
	u32 thread;
	void (*kick)(void *priv);
	void *priv;
	spinlock_t lock;
	struct k3_udma_glue_tx_channel *tx;
	struct k3_udma_glue_rx_channel *rx;
	struct psil_faults faults;
	struct psil_counts counts;
	struct list_head late;
};

/**
 * struct psil_packet - a packet on its way
 * @data: its bytes
 * @len: how many
 * @desc: transmit: address of its first descriptor
 * @flow: receive: the flow it is for
 * @tag: transmit: destination tag; receive: source tag
 * @epib: extended packet information
 * @ps: protocol-specific words
 */
struct psil_packet {
	u8 *data;
	u32 len;
	dma_addr_t desc;
	u32 flow;
	u32 tag;
	u32 epib[PSIL_EPIB_WORDS];
	u32 ps[PSIL_PS_WORDS];
};

/* For the peripherals */
int psil_register(struct psil *psil, u32 thread, void (*kick)(void *priv), void *priv);
int psil_unregister(struct psil *psil);
ktime_t psil_service(struct psil *psil);
bool psil_pull(struct psil *psil, struct psil_packet *packet);
void psil_complete(struct psil *psil, const struct psil_packet *packet);
int psil_deliver(struct psil *psil, const struct psil_packet *packet);

/* Between the parts of the controller */
int udma_parse(struct device *dev, const char *name, bool tx, struct udma_common *common);
int udma_parse_thread(struct device_node *np, u32 thread, struct udma_common *common);
void udma_put(struct udma_common *common);
void *udma_reach(struct udma_common *common, u64 addr, size_t len);
void *udma_reach_desc(struct udma_common *common, dma_addr_t desc);
u64 udma_with_asel(struct udma_common *common, dma_addr_t addr);
u32 udma_hdesc_size(struct udma_common *common);
bool psil_take_fault(u32 *count);
void psil_hold_back(struct psil *psil, dma_addr_t desc, u32 flow);
void psil_drop_late(struct psil *psil);
void udma_tx_post(struct k3_udma_glue_tx_channel *chn, dma_addr_t desc);
void udma_tx_service(struct k3_udma_glue_tx_channel *chn);
void udma_rx_post(struct k3_udma_glue_rx_channel *chn, u32 flow, dma_addr_t desc);
void udma_rx_service(struct k3_udma_glue_rx_channel *chn);

extern struct platform_driver udma_driver;

#endif /* HWSIM_UDMA_H */
