// SPDX-License-Identifier: GPL-2.0-only
/* Transmit channels of the K3 DMA controller. */

#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include "ring.h"
#include "udma.h"

/* Descriptors of one packet; more is taken for a chain without end. */
#define UDMA_MAX_CHAIN 64
/* As long as the controller's driver waits for a teardown. */
#define UDMA_TDOWN_TIMEOUT_US 1000

/**
 * struct k3_udma_glue_tx_channel - a transmit channel
 * @common: see there
 * @ring: descriptors to send
 * @txcq: descriptors sent
 * @line: interrupt, high while @txcq is not empty
 * @id: its number
 * @free_pkts: packets that may still be pushed
 * @enabled: carries packets
 * @tdown: is being torn down
 */
struct k3_udma_glue_tx_channel {
	struct udma_common common;
	struct sim_ring ring;
	struct sim_ring txcq;
	struct sim_irq_line *line;
	unsigned int id;
	u32 free_pkts;
	bool enabled;
	bool tdown;
};

static void tx_free(struct k3_udma_glue_tx_channel *chn)
{
	sim_ring_free(&chn->ring);
	sim_ring_free(&chn->txcq);
	udma_put(&chn->common);
	kfree(chn);
}

/* Binds the channel to its thread, which has one at a time. */
static int tx_bind(struct k3_udma_glue_tx_channel *chn)
{
	struct udma *udma = chn->common.udma;
	struct psil *psil = chn->common.psil;

	guard(sim_lock)(&psil->lock);
	if (psil->tx)
		return -EBUSY;
	do {
		chn->id = find_first_zero_bit(udma->tx_used, UDMA_MAX_TX_CHANNELS);
		if (chn->id == UDMA_MAX_TX_CHANNELS)
			return -ENOENT;
	} while (test_and_set_bit(chn->id, udma->tx_used));
	chn->line = &udma->intc->line[chn->id];
	psil->tx = chn;
	return 0;
}

static struct k3_udma_glue_tx_channel *tx_setup(struct k3_udma_glue_tx_channel *chn,
						struct k3_udma_glue_tx_channel_cfg *cfg)
{
	int ret;

	chn->common.swdata_size = cfg->swdata_size;
	chn->free_pkts = cfg->txcq_cfg.size;
	ret = sim_ring_alloc(&chn->ring, cfg->tx_cfg.size);
	if (!ret)
		ret = sim_ring_alloc(&chn->txcq, cfg->txcq_cfg.size);
	if (!ret)
		ret = tx_bind(chn);
	if (ret) {
		tx_free(chn);
		return ERR_PTR(ret);
	}
	return chn;
}

/**
 * hwsim_k3_udma_glue_request_tx_chn() - see k3_udma_glue_request_tx_chn()
 * @dev: the driver's device
 * @name: one of its "dma-names"
 * @cfg: ring sizes
 *
 * Return: the channel, or an ERR_PTR.
 */
struct k3_udma_glue_tx_channel *
hwsim_k3_udma_glue_request_tx_chn(struct device *dev, const char *name, struct k3_udma_glue_tx_channel_cfg *cfg)
{
	struct k3_udma_glue_tx_channel *chn;
	int ret;

	chn = kzalloc(sizeof(*chn), GFP_KERNEL);
	if (!chn)
		return ERR_PTR(-ENOMEM);
	ret = udma_parse(dev, name, true, &chn->common);
	if (ret) {
		tx_free(chn);
		return ERR_PTR(ret);
	}
	return tx_setup(chn, cfg);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_request_tx_chn);

/**
 * hwsim_k3_udma_glue_request_tx_chn_for_thread_id() - see k3_udma_glue_request_tx_chn_for_thread_id()
 * @dev: the driver's device
 * @cfg: ring sizes
 * @udmax_np: node of the controller
 * @thread_id: the thread
 *
 * Return: the channel, or an ERR_PTR.
 */
struct k3_udma_glue_tx_channel *
hwsim_k3_udma_glue_request_tx_chn_for_thread_id(struct device *dev, struct k3_udma_glue_tx_channel_cfg *cfg,
						struct device_node *udmax_np, u32 thread_id)
{
	struct k3_udma_glue_tx_channel *chn;
	int ret;

	if (!(thread_id & PSIL_DST_THREAD))
		return ERR_PTR(-EINVAL);
	chn = kzalloc(sizeof(*chn), GFP_KERNEL);
	if (!chn)
		return ERR_PTR(-ENOMEM);
	ret = udma_parse_thread(udmax_np, thread_id, &chn->common);
	if (ret) {
		tx_free(chn);
		return ERR_PTR(ret);
	}
	return tx_setup(chn, cfg);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_request_tx_chn_for_thread_id);

/**
 * hwsim_k3_udma_glue_release_tx_chn() - see k3_udma_glue_release_tx_chn()
 * @chn: the channel
 */
void hwsim_k3_udma_glue_release_tx_chn(struct k3_udma_glue_tx_channel *chn)
{
	struct psil *psil = chn->common.psil;

	scoped_guard(sim_lock, &psil->lock) {
		psil->tx = NULL;
		psil_drop_late(psil);
		sim_irq_set(chn->line, false);
	}
	clear_bit(chn->id, chn->common.udma->tx_used);
	tx_free(chn);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_release_tx_chn);

/**
 * hwsim_k3_udma_glue_push_tx_chn() - see k3_udma_glue_push_tx_chn()
 * @chn: the channel
 * @desc: the packet's first descriptor
 * @desc_dma: its address
 *
 * Context: any.
 * Return: 0, or -ENOMEM where the channel is full.
 */
int hwsim_k3_udma_glue_push_tx_chn(struct k3_udma_glue_tx_channel *chn, struct cppi5_host_desc_t *desc,
				   dma_addr_t desc_dma)
{
	struct psil *psil = chn->common.psil;
	int ret;

	cppi5_desc_set_retpolicy(&desc->hdr, 0, hwsim_k3_udma_glue_tx_get_txcq_id(chn));

	guard(sim_lock)(&psil->lock);
	if (!chn->free_pkts)
		return -ENOMEM;
	chn->free_pkts--;
	ret = sim_ring_push(&chn->ring, desc_dma);
	if (chn->enabled)
		psil->kick(psil->priv);
	return ret;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_push_tx_chn);

/**
 * hwsim_k3_udma_glue_pop_tx_chn() - see k3_udma_glue_pop_tx_chn()
 * @chn: the channel
 * @desc_dma: address of a descriptor that was sent, or the marker of a teardown that ended
 *
 * Context: any.
 * Return: 0, or -ENODATA.
 */
int hwsim_k3_udma_glue_pop_tx_chn(struct k3_udma_glue_tx_channel *chn, dma_addr_t *desc_dma)
{
	int ret;

	guard(sim_lock)(&chn->common.psil->lock);
	ret = sim_ring_pop(&chn->txcq, desc_dma);
	if (ret)
		return ret;
	chn->free_pkts++;
	if (!chn->txcq.count)
		sim_irq_set(chn->line, false);
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_pop_tx_chn);

/**
 * hwsim_k3_udma_glue_enable_tx_chn() - see k3_udma_glue_enable_tx_chn()
 * @chn: the channel
 *
 * Return: 0.
 */
int hwsim_k3_udma_glue_enable_tx_chn(struct k3_udma_glue_tx_channel *chn)
{
	struct psil *psil = chn->common.psil;

	guard(sim_lock)(&psil->lock);
	chn->tdown = false;
	chn->enabled = true;
	psil->kick(psil->priv);
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_enable_tx_chn);

/**
 * hwsim_k3_udma_glue_disable_tx_chn() - see k3_udma_glue_disable_tx_chn()
 * @chn: the channel
 */
void hwsim_k3_udma_glue_disable_tx_chn(struct k3_udma_glue_tx_channel *chn)
{
	guard(sim_lock)(&chn->common.psil->lock);
	chn->enabled = false;
	chn->tdown = false;
	psil_drop_late(chn->common.psil);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_disable_tx_chn);

/* Puts an address on the completion ring, a descriptor's or the marker. Caller holds the lock. */
void udma_tx_post(struct k3_udma_glue_tx_channel *chn, dma_addr_t desc)
{
	if (!sim_ring_push(&chn->txcq, desc))
		sim_irq_set(chn->line, true);
}

/* Ends a teardown that was asked for. Caller holds the lock. */
void udma_tx_service(struct k3_udma_glue_tx_channel *chn)
{
	struct psil *psil = chn->common.psil;

	if (likely(!chn->tdown) || READ_ONCE(psil->faults.stuck))
		return;
	chn->tdown = false;
	chn->enabled = false;
	psil->counts.teardowns++;
	udma_tx_post(chn, CPPI5_TDCM_MARKER);
}

/**
 * hwsim_k3_udma_glue_tdown_tx_chn() - see k3_udma_glue_tdown_tx_chn()
 * @chn: the channel
 * @sync: wait until it has ended
 */
void hwsim_k3_udma_glue_tdown_tx_chn(struct k3_udma_glue_tx_channel *chn, bool sync)
{
	struct psil *psil = chn->common.psil;
	bool ended = true;

	scoped_guard(sim_lock, &psil->lock) {
		if (chn->enabled) {
			chn->tdown = true;
			/* No packet is under way while the lock is held: who waits need not wait for a thread. */
			if (sync)
				udma_tx_service(chn);
			psil->kick(psil->priv);
			ended = !chn->enabled;
		}
	}
	if (sync && !ended) {
		udelay(UDMA_TDOWN_TIMEOUT_US);
		dev_err(chn->common.udma->dev, "TX tdown timeout\n");
	}
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_tdown_tx_chn);

/**
 * hwsim_k3_udma_glue_reset_tx_chn() - see k3_udma_glue_reset_tx_chn()
 * @chn: the channel
 * @data: argument for @cleanup
 * @cleanup: called for each descriptor that was not sent
 */
void hwsim_k3_udma_glue_reset_tx_chn(struct k3_udma_glue_tx_channel *chn, void *data,
				     void (*cleanup)(void *data, dma_addr_t desc_dma))
{
	struct psil *psil = chn->common.psil;
	dma_addr_t desc;
	int ret;

	do {
		scoped_guard(sim_lock, &psil->lock)
			ret = sim_ring_pop(&chn->ring, &desc);
		if (!ret)
			cleanup(data, desc);
	} while (!ret);

	guard(sim_lock)(&psil->lock);
	psil_drop_late(psil);
	sim_ring_reset(&chn->txcq);
	sim_irq_set(chn->line, false);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_reset_tx_chn);

/**
 * hwsim_k3_udma_glue_tx_get_hdesc_size() - see k3_udma_glue_tx_get_hdesc_size()
 * @chn: the channel
 *
 * Return: bytes of a host descriptor.
 */
u32 hwsim_k3_udma_glue_tx_get_hdesc_size(struct k3_udma_glue_tx_channel *chn)
{
	return udma_hdesc_size(&chn->common);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_tx_get_hdesc_size);

/**
 * hwsim_k3_udma_glue_tx_get_txcq_id() - see k3_udma_glue_tx_get_txcq_id()
 * @chn: the channel
 *
 * Return: number of the completion ring.
 */
u32 hwsim_k3_udma_glue_tx_get_txcq_id(struct k3_udma_glue_tx_channel *chn)
{
	return chn->id;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_tx_get_txcq_id);

/**
 * hwsim_k3_udma_glue_tx_get_irq() - see k3_udma_glue_tx_get_irq()
 * @chn: the channel
 *
 * Return: its interrupt, or -ENXIO.
 */
int hwsim_k3_udma_glue_tx_get_irq(struct k3_udma_glue_tx_channel *chn)
{
	return sim_intc_virq(chn->common.udma->intc, chn->id);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_tx_get_irq);

/**
 * hwsim_k3_udma_glue_tx_get_dma_device() - see k3_udma_glue_tx_get_dma_device()
 * @chn: the channel
 *
 * Return: the device to map for.
 */
struct device *hwsim_k3_udma_glue_tx_get_dma_device(struct k3_udma_glue_tx_channel *chn)
{
	return chn->common.dma_dev;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_tx_get_dma_device);

/**
 * hwsim_k3_udma_glue_tx_dma_to_cppi5_addr() - see k3_udma_glue_tx_dma_to_cppi5_addr()
 * @chn: the channel
 * @addr: DMA address, made into one for a descriptor
 */
void hwsim_k3_udma_glue_tx_dma_to_cppi5_addr(struct k3_udma_glue_tx_channel *chn, dma_addr_t *addr)
{
	*addr = udma_with_asel(&chn->common, *addr);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_tx_dma_to_cppi5_addr);

/**
 * hwsim_k3_udma_glue_tx_cppi5_to_dma_addr() - see k3_udma_glue_tx_cppi5_to_dma_addr()
 * @chn: the channel
 * @addr: address of a descriptor, made into a DMA address
 */
void hwsim_k3_udma_glue_tx_cppi5_to_dma_addr(struct k3_udma_glue_tx_channel *chn, dma_addr_t *addr)
{
	if (chn->common.udma->pktdma)
		*addr &= GENMASK_ULL(UDMA_ASEL_SHIFT - 1, 0);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_tx_cppi5_to_dma_addr);

/* Copies one buffer's data; Return: whether it could be reached and fits. */
static bool gather_one(struct k3_udma_glue_tx_channel *chn, const struct cppi5_host_desc_t *desc,
		       struct psil_packet *packet)
{
	u32 len = desc->buf_info1 & CPPI5_BUFINFO1_HDESC_DATA_LEN_MASK;
	const void *from;

	if (len > PSIL_MAX_PACKET - packet->len) {
		chn->common.psil->counts.bad_desc++;
		return false;
	}
	if (!len)
		return true;
	from = udma_reach(&chn->common, desc->buf_ptr, len);
	if (!from) {
		chn->common.psil->counts.bad_addr++;
		return false;
	}
	memcpy(packet->data + packet->len, from, len);
	packet->len += len;
	return true;
}

/* Copies a packet together from its descriptors; Return: whether it makes sense. */
static bool gather(struct k3_udma_glue_tx_channel *chn, struct psil_packet *packet)
{
	struct psil_counts *counts = &chn->common.psil->counts;
	const struct cppi5_host_desc_t *desc;
	struct cppi5_host_desc_t *first;
	unsigned int chain = 0;
	u64 next;

	first = udma_reach_desc(&chn->common, packet->desc);
	if (!first) {
		counts->bad_addr++;
		return false;
	}
	if (cppi5_desc_get_type(&first->hdr) != CPPI5_INFO0_DESC_TYPE_VAL_HOST) {
		counts->bad_desc++;
		return false;
	}
	cppi5_desc_get_tags_ids(&first->hdr, NULL, &packet->tag);
	if (cppi5_hdesc_epib_present(&first->hdr))
		memcpy(packet->epib, first->epib, sizeof(packet->epib));

	for (desc = first; desc; ) {
		if (!gather_one(chn, desc, packet))
			return false;
		next = desc->next_desc;
		if (!next)
			break;
		desc = udma_reach(&chn->common, next, sizeof(*desc));
		if (!desc || ++chain > UDMA_MAX_CHAIN) {
			counts->bad_addr += !desc;
			counts->bad_desc += !!desc;
			return false;
		}
	}
	if (packet->len != cppi5_hdesc_get_pktlen(first)) {
		counts->bad_desc++;
		return false;
	}
	return true;
}

/**
 * psil_pull() - take the next packet that a driver sends
 * @psil: a destination thread
 * @packet: its @data has room for PSIL_MAX_PACKET bytes; the rest is filled in
 *
 * A packet that makes no sense has length 0. Each must be completed.
 *
 * Context: any.
 * Return: whether there was one.
 */
bool psil_pull(struct psil *psil, struct psil_packet *packet)
{
	struct k3_udma_glue_tx_channel *chn;

	guard(sim_lock)(&psil->lock);
	chn = psil->tx;
	if (!chn || !chn->enabled || chn->tdown || sim_ring_pop(&chn->ring, &packet->desc))
		return false;
	packet->len = 0;
	memset(packet->epib, 0, sizeof(packet->epib));
	if (gather(chn, packet)) {
		psil->counts.packets++;
		psil->counts.bytes += packet->len;
	} else {
		packet->len = 0;
	}
	return true;
}

/* What a controller that had an error tells of it. */
static void mark_error(struct k3_udma_glue_tx_channel *chn, dma_addr_t desc)
{
	struct cppi5_host_desc_t *first = udma_reach_desc(&chn->common, desc);

	if (first)
		first->hdr.pkt_info1 |= CPPI5_INFO1_DESC_PKTERROR_MASK;
}

/**
 * psil_complete() - hand a packet's descriptor back
 * @psil: the thread that it was pulled from
 * @packet: the packet
 *
 * Context: any.
 */
void psil_complete(struct psil *psil, const struct psil_packet *packet)
{
	struct psil_faults *faults = &psil->faults;
	struct k3_udma_glue_tx_channel *chn;
	dma_addr_t desc = packet->desc;

	guard(sim_lock)(&psil->lock);
	chn = psil->tx;
	/* Reset meanwhile: nobody waits for it. */
	if (!chn || !chn->enabled)
		return;
	if (psil_take_fault(&faults->drop))
		return;
	if (psil_take_fault(&faults->corrupt))
		mark_error(chn, desc);
	if (psil_take_fault(&faults->wild))
		desc += PSIL_WILD_OFFSET;
	if (psil_take_fault(&faults->late)) {
		psil_hold_back(psil, desc, 0);
		return;
	}
	udma_tx_post(chn, desc);
	if (psil_take_fault(&faults->twice))
		udma_tx_post(chn, desc);
}
