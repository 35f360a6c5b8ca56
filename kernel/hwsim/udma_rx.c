// SPDX-License-Identifier: GPL-2.0-only
/* Receive channels and flows of the K3 DMA controller. */

#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include "ring.h"
#include "udma.h"

/* Buffers that one packet may take. */
#define UDMA_MAX_BUFFERS 16
#define UDMA_TDOWN_TIMEOUT_US 1000

/**
 * struct udma_flow - a receive flow
 * @own_fdq: free descriptors, where it has a ring of its own
 * @fdq: the ring of free descriptors that it takes from
 * @cq: descriptors received
 * @line: interrupt, high while @cq is not empty
 * @ready: configured
 * @enabled: takes packets
 * @retry: a packet that finds no free descriptor waits for one
 * @tag_sel: what becomes the low byte of the source tag
 */
struct udma_flow {
	struct sim_ring own_fdq;
	struct sim_ring *fdq;
	struct sim_ring cq;
	struct sim_irq_line *line;
	bool ready;
	bool enabled;
	bool retry;
	int tag_sel;
};

/**
 * struct k3_udma_glue_rx_channel - a receive channel
 * @common: see there
 * @flow_base: number of its first flow
 * @num_flows: its flows
 * @enabled: carries packets
 * @tdown: is being torn down
 * @packet_id: counts packets
 * @flow: the flows
 */
struct k3_udma_glue_rx_channel {
	struct udma_common common;
	u32 flow_base;
	u32 num_flows;
	bool enabled;
	bool tdown;
	u32 packet_id;
	struct udma_flow flow[] __counted_by(num_flows);
};

static DEFINE_MUTEX(flow_lock); /* udma->flow_used */

static int take_flows(struct k3_udma_glue_rx_channel *chn, int base)
{
	struct udma *udma = chn->common.udma;
	unsigned long at;

	guard(mutex)(&flow_lock);
	at = bitmap_find_next_zero_area(udma->flow_used, UDMA_MAX_FLOWS, max(base, 0), chn->num_flows, 0);
	if (at + chn->num_flows > UDMA_MAX_FLOWS || (base >= 0 && at != base))
		return -ENOMEM;
	bitmap_set(udma->flow_used, at, chn->num_flows);
	chn->flow_base = at;
	return 0;
}

static void give_flows(struct k3_udma_glue_rx_channel *chn)
{
	guard(mutex)(&flow_lock);
	bitmap_clear(chn->common.udma->flow_used, chn->flow_base, chn->num_flows);
}

static int rx_bind(struct k3_udma_glue_rx_channel *chn, int flow_base)
{
	struct psil *psil = chn->common.psil;
	int ret;

	ret = take_flows(chn, flow_base);
	if (ret)
		return ret;
	scoped_guard(sim_lock, &psil->lock) {
		if (!psil->rx) {
			psil->rx = chn;
			return 0;
		}
	}
	give_flows(chn);
	return -EBUSY;
}

/**
 * hwsim_k3_udma_glue_request_rx_chn() - see k3_udma_glue_request_rx_chn()
 * @dev: the driver's device
 * @name: one of its "dma-names"
 * @cfg: flows
 *
 * Return: the channel, or an ERR_PTR.
 */
struct k3_udma_glue_rx_channel *
hwsim_k3_udma_glue_request_rx_chn(struct device *dev, const char *name, struct k3_udma_glue_rx_channel_cfg *cfg)
{
	struct k3_udma_glue_rx_channel *chn;
	int ret;

	if (cfg->remote || cfg->flow_id_num <= 0 || cfg->flow_id_num > UDMA_MAX_FLOWS ||
	    (cfg->flow_id_num != 1 && (cfg->def_flow_cfg || cfg->flow_id_use_rxchan_id)))
		return ERR_PTR(-EINVAL);
	chn = kzalloc(struct_size(chn, flow, cfg->flow_id_num), GFP_KERNEL);
	if (!chn)
		return ERR_PTR(-ENOMEM);
	chn->num_flows = cfg->flow_id_num;
	chn->common.swdata_size = cfg->swdata_size;
	ret = udma_parse(dev, name, false, &chn->common);
	if (ret)
		goto free;
	ret = rx_bind(chn, cfg->flow_id_base);
	if (ret)
		goto put;
	if (cfg->def_flow_cfg) {
		ret = hwsim_k3_udma_glue_rx_flow_init(chn, 0, cfg->def_flow_cfg);
		if (ret) {
			hwsim_k3_udma_glue_release_rx_chn(chn);
			return ERR_PTR(ret);
		}
	}
	return chn;
put:
	udma_put(&chn->common);
free:
	kfree(chn);
	return ERR_PTR(ret);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_request_rx_chn);

/**
 * hwsim_k3_udma_glue_release_rx_chn() - see k3_udma_glue_release_rx_chn()
 * @chn: the channel
 */
void hwsim_k3_udma_glue_release_rx_chn(struct k3_udma_glue_rx_channel *chn)
{
	struct psil *psil = chn->common.psil;
	u32 i;

	scoped_guard(sim_lock, &psil->lock) {
		psil->rx = NULL;
		psil_drop_late(psil);
		for (i = 0; i < chn->num_flows; i++)
			if (chn->flow[i].ready)
				sim_irq_set(chn->flow[i].line, false);
	}
	for (i = 0; i < chn->num_flows; i++) {
		sim_ring_free(&chn->flow[i].own_fdq);
		sim_ring_free(&chn->flow[i].cq);
	}
	give_flows(chn);
	udma_put(&chn->common);
	kfree(chn);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_release_rx_chn);

/* The flow whose ring of free descriptors has a number; they bear their flow's. */
static struct sim_ring *find_fdq(struct k3_udma_glue_rx_channel *chn, int id)
{
	u32 flow = id - chn->flow_base;

	if (id < 0 || flow >= chn->num_flows || !chn->flow[flow].own_fdq.elm)
		return NULL;
	return &chn->flow[flow].own_fdq;
}

/**
 * hwsim_k3_udma_glue_rx_flow_init() - see k3_udma_glue_rx_flow_init()
 * @chn: the channel
 * @flow_idx: the flow, counted from the channel's first
 * @cfg: its rings
 *
 * Return: 0, or an error.
 */
int hwsim_k3_udma_glue_rx_flow_init(struct k3_udma_glue_rx_channel *chn, u32 flow_idx,
				    struct k3_udma_glue_rx_flow_cfg *cfg)
{
	struct udma *udma = chn->common.udma;
	struct udma_flow *flow;
	int ret;

	if (flow_idx >= chn->num_flows)
		return -EINVAL;
	flow = &chn->flow[flow_idx];
	if (flow->ready)
		return -EBUSY;
	ret = sim_ring_alloc(&flow->cq, cfg->rx_cfg.size);
	if (ret)
		return ret;
	if (udma->pktdma || cfg->ring_rxfdq0_id == K3_RINGACC_RING_ID_ANY) {
		ret = sim_ring_alloc(&flow->own_fdq, cfg->rxfdq_cfg.size);
		flow->fdq = &flow->own_fdq;
	} else {
		flow->fdq = find_fdq(chn, cfg->ring_rxfdq0_id);
		ret = flow->fdq ? 0 : -EINVAL;
	}
	if (ret) {
		sim_ring_free(&flow->cq);
		return ret;
	}
	flow->line = &udma->intc->line[UDMA_MAX_TX_CHANNELS + chn->flow_base + flow_idx];
	flow->retry = cfg->rx_error_handling;
	flow->tag_sel = cfg->src_tag_lo_sel;

	guard(sim_lock)(&chn->common.psil->lock);
	flow->ready = true;
	flow->enabled = true;
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_flow_init);

/**
 * hwsim_k3_udma_glue_rx_flow_get_fdq_id() - see k3_udma_glue_rx_flow_get_fdq_id()
 * @chn: the channel
 * @flow_idx: the flow
 *
 * Return: number of its ring of free descriptors.
 */
u32 hwsim_k3_udma_glue_rx_flow_get_fdq_id(struct k3_udma_glue_rx_channel *chn, u32 flow_idx)
{
	return chn->flow_base + flow_idx;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_flow_get_fdq_id);

/**
 * hwsim_k3_udma_glue_rx_get_flow_id_base() - see k3_udma_glue_rx_get_flow_id_base()
 * @chn: the channel
 *
 * Return: number of its first flow.
 */
u32 hwsim_k3_udma_glue_rx_get_flow_id_base(struct k3_udma_glue_rx_channel *chn)
{
	return chn->flow_base;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_get_flow_id_base);

/**
 * hwsim_k3_udma_glue_rx_get_irq() - see k3_udma_glue_rx_get_irq()
 * @chn: the channel
 * @flow_num: the flow
 *
 * Return: its interrupt, or -ENXIO.
 */
int hwsim_k3_udma_glue_rx_get_irq(struct k3_udma_glue_rx_channel *chn, u32 flow_num)
{
	return sim_intc_virq(chn->common.udma->intc, UDMA_MAX_TX_CHANNELS + chn->flow_base + flow_num);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_get_irq);

/**
 * hwsim_k3_udma_glue_rx_get_dma_device() - see k3_udma_glue_rx_get_dma_device()
 * @chn: the channel
 *
 * Return: the device to map for.
 */
struct device *hwsim_k3_udma_glue_rx_get_dma_device(struct k3_udma_glue_rx_channel *chn)
{
	return chn->common.dma_dev;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_get_dma_device);

/**
 * hwsim_k3_udma_glue_rx_dma_to_cppi5_addr() - see k3_udma_glue_rx_dma_to_cppi5_addr()
 * @chn: the channel
 * @addr: DMA address, made into one for a descriptor
 */
void hwsim_k3_udma_glue_rx_dma_to_cppi5_addr(struct k3_udma_glue_rx_channel *chn, dma_addr_t *addr)
{
	*addr = udma_with_asel(&chn->common, *addr);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_dma_to_cppi5_addr);

/**
 * hwsim_k3_udma_glue_rx_cppi5_to_dma_addr() - see k3_udma_glue_rx_cppi5_to_dma_addr()
 * @chn: the channel
 * @addr: address of a descriptor, made into a DMA address
 */
void hwsim_k3_udma_glue_rx_cppi5_to_dma_addr(struct k3_udma_glue_rx_channel *chn, dma_addr_t *addr)
{
	if (chn->common.udma->pktdma)
		*addr &= GENMASK_ULL(UDMA_ASEL_SHIFT - 1, 0);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_cppi5_to_dma_addr);

static int rx_set_enabled(struct k3_udma_glue_rx_channel *chn, bool enabled)
{
	struct psil *psil = chn->common.psil;
	u32 i;

	for (i = 0; i < chn->num_flows; i++)
		if (enabled && !chn->flow[i].ready)
			return -EINVAL;

	guard(sim_lock)(&psil->lock);
	chn->enabled = enabled;
	chn->tdown = false;
	if (enabled)
		psil->kick(psil->priv);
	else
		psil_drop_late(psil);
	return 0;
}

/**
 * hwsim_k3_udma_glue_enable_rx_chn() - see k3_udma_glue_enable_rx_chn()
 * @chn: the channel
 *
 * Return: 0, or -EINVAL where a flow is not configured.
 */
int hwsim_k3_udma_glue_enable_rx_chn(struct k3_udma_glue_rx_channel *chn)
{
	return rx_set_enabled(chn, true);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_enable_rx_chn);

/**
 * hwsim_k3_udma_glue_disable_rx_chn() - see k3_udma_glue_disable_rx_chn()
 * @chn: the channel
 */
void hwsim_k3_udma_glue_disable_rx_chn(struct k3_udma_glue_rx_channel *chn)
{
	rx_set_enabled(chn, false);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_disable_rx_chn);

static int flow_set_enabled(struct k3_udma_glue_rx_channel *chn, u32 flow_idx, bool enabled)
{
	if (flow_idx >= chn->num_flows || !chn->flow[flow_idx].ready)
		return -EINVAL;
	guard(sim_lock)(&chn->common.psil->lock);
	chn->flow[flow_idx].enabled = enabled;
	return 0;
}

/**
 * hwsim_k3_udma_glue_rx_flow_enable() - see k3_udma_glue_rx_flow_enable()
 * @chn: the channel
 * @flow_idx: the flow
 *
 * Return: 0, or -EINVAL.
 */
int hwsim_k3_udma_glue_rx_flow_enable(struct k3_udma_glue_rx_channel *chn, u32 flow_idx)
{
	return flow_set_enabled(chn, flow_idx, true);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_flow_enable);

/**
 * hwsim_k3_udma_glue_rx_flow_disable() - see k3_udma_glue_rx_flow_disable()
 * @chn: the channel
 * @flow_idx: the flow
 *
 * Return: 0, or -EINVAL.
 */
int hwsim_k3_udma_glue_rx_flow_disable(struct k3_udma_glue_rx_channel *chn, u32 flow_idx)
{
	return flow_set_enabled(chn, flow_idx, false);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_rx_flow_disable);

/* Puts an address on a completion ring. Caller holds the lock. */
void udma_rx_post(struct k3_udma_glue_rx_channel *chn, u32 flow_idx, dma_addr_t desc)
{
	struct udma_flow *flow = &chn->flow[flow_idx];

	if (flow->ready && !sim_ring_push(&flow->cq, desc))
		sim_irq_set(flow->line, true);
}

/* Ends a teardown that was asked for; the marker comes by the first flow. Caller holds the lock. */
void udma_rx_service(struct k3_udma_glue_rx_channel *chn)
{
	struct psil *psil = chn->common.psil;

	if (likely(!chn->tdown) || READ_ONCE(psil->faults.stuck))
		return;
	chn->tdown = false;
	chn->enabled = false;
	psil->counts.teardowns++;
	udma_rx_post(chn, 0, CPPI5_TDCM_MARKER);
}

/**
 * hwsim_k3_udma_glue_tdown_rx_chn() - see k3_udma_glue_tdown_rx_chn()
 * @chn: the channel
 * @sync: wait until it has ended
 */
void hwsim_k3_udma_glue_tdown_rx_chn(struct k3_udma_glue_rx_channel *chn, bool sync)
{
	struct psil *psil = chn->common.psil;
	bool ended = true;

	scoped_guard(sim_lock, &psil->lock) {
		if (chn->enabled) {
			chn->tdown = true;
			if (sync)
				udma_rx_service(chn);
			psil->kick(psil->priv);
			ended = !chn->enabled;
		}
	}
	if (sync && !ended) {
		udelay(UDMA_TDOWN_TIMEOUT_US);
		dev_err(chn->common.udma->dev, "RX tdown timeout\n");
	}
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_tdown_rx_chn);

/**
 * hwsim_k3_udma_glue_reset_rx_chn() - see k3_udma_glue_reset_rx_chn()
 * @chn: the channel
 * @flow_num: the flow
 * @data: argument for @cleanup
 * @cleanup: called for each free descriptor
 */
void hwsim_k3_udma_glue_reset_rx_chn(struct k3_udma_glue_rx_channel *chn, u32 flow_num, void *data,
				     void (*cleanup)(void *data, dma_addr_t desc_dma))
{
	struct udma_flow *flow = &chn->flow[flow_num];
	struct psil *psil = chn->common.psil;
	dma_addr_t desc;
	int ret;

	if (!flow->ready)
		return;
	/* A ring that flows share is emptied with the flow that owns it. */
	while (flow->fdq == &flow->own_fdq) {
		scoped_guard(sim_lock, &psil->lock)
			ret = sim_ring_pop(flow->fdq, &desc);
		if (ret)
			break;
		cleanup(data, desc);
	}

	guard(sim_lock)(&psil->lock);
	psil_drop_late(psil);
	sim_ring_reset(&flow->cq);
	sim_irq_set(flow->line, false);
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_reset_rx_chn);

/**
 * hwsim_k3_udma_glue_push_rx_chn() - see k3_udma_glue_push_rx_chn()
 * @chn: the channel
 * @flow_num: the flow
 * @desc: a free descriptor with a buffer
 * @desc_dma: its address
 *
 * Context: any.
 * Return: 0, or -ENOMEM where the ring is full.
 */
int hwsim_k3_udma_glue_push_rx_chn(struct k3_udma_glue_rx_channel *chn, u32 flow_num,
				   struct cppi5_host_desc_t *desc, dma_addr_t desc_dma)
{
	struct udma_flow *flow = &chn->flow[flow_num];
	struct psil *psil = chn->common.psil;
	int ret;

	guard(sim_lock)(&psil->lock);
	ret = sim_ring_push(flow->fdq, desc_dma);
	if (chn->enabled && flow->retry)
		psil->kick(psil->priv);
	return ret;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_push_rx_chn);

/**
 * hwsim_k3_udma_glue_pop_rx_chn() - see k3_udma_glue_pop_rx_chn()
 * @chn: the channel
 * @flow_num: the flow
 * @desc_dma: address of a received descriptor, or the marker of a teardown that ended
 *
 * Context: any.
 * Return: 0, or -ENODATA.
 */
int hwsim_k3_udma_glue_pop_rx_chn(struct k3_udma_glue_rx_channel *chn, u32 flow_num, dma_addr_t *desc_dma)
{
	struct udma_flow *flow = &chn->flow[flow_num];
	int ret;

	guard(sim_lock)(&chn->common.psil->lock);
	ret = sim_ring_pop(&flow->cq, desc_dma);
	if (!ret && !flow->cq.count)
		sim_irq_set(flow->line, false);
	return ret;
}
EXPORT_SYMBOL_GPL(hwsim_k3_udma_glue_pop_rx_chn);

/* The descriptors that a packet takes from a flow. */
struct scatter {
	struct cppi5_host_desc_t *desc[UDMA_MAX_BUFFERS];
	dma_addr_t addr[UDMA_MAX_BUFFERS];
	unsigned int count;
};

/* Copies into the next free buffer. Return: bytes copied, or -ENOBUFS, or -EFAULT. */
static int scatter_one(struct k3_udma_glue_rx_channel *chn, struct udma_flow *flow, struct scatter *scatter,
		       const u8 *data, u32 len)
{
	struct psil_counts *counts = &chn->common.psil->counts;
	struct cppi5_host_desc_t *desc;
	dma_addr_t addr;
	void *buf;

	if (scatter->count == UDMA_MAX_BUFFERS || sim_ring_pop(flow->fdq, &addr))
		return -ENOBUFS;
	scatter->addr[scatter->count] = addr;
	desc = udma_reach_desc(&chn->common, addr);
	scatter->desc[scatter->count++] = desc;
	if (!desc) {
		counts->bad_addr++;
		return -EFAULT;
	}
	len = min(len, desc->org_buf_len & CPPI5_OBUFINFO0_HDESC_BUF_LEN_MASK);
	if (!len) {
		counts->bad_desc++;
		return -EFAULT;
	}
	buf = udma_reach(&chn->common, desc->org_buf_ptr, len);
	if (!buf) {
		counts->bad_addr++;
		return -EFAULT;
	}
	memcpy(buf, data, len);
	desc->buf_ptr = desc->org_buf_ptr;
	desc->buf_info1 = len;
	desc->next_desc = 0;
	if (scatter->count > 1)
		scatter->desc[scatter->count - 2]->next_desc = udma_with_asel(&chn->common, addr);
	return len;
}

/* What the controller tells of a packet in its first descriptor. */
static void write_header(struct k3_udma_glue_rx_channel *chn, const struct udma_flow *flow,
			 struct cppi5_host_desc_t *desc, const struct psil_packet *packet)
{
	u32 tag = packet->tag;

	switch (flow->tag_sel) {
	case K3_UDMA_GLUE_SRC_TAG_LO_USE_REMOTE_SRC_TAG:
		break;
	case K3_UDMA_GLUE_SRC_TAG_LO_USE_REMOTE_FLOW_ID:
		tag = packet->flow & 0xff;
		break;
	default:
		tag = 0;
	}
	cppi5_hdesc_init(desc, CPPI5_INFO0_HDESC_EPIB_PRESENT, PSIL_PS_BYTES);
	cppi5_hdesc_set_pktlen(desc, packet->len);
	desc->hdr.pkt_info1 = 0;
	cppi5_desc_set_pktids(&desc->hdr, chn->packet_id++, packet->flow);
	desc->hdr.pkt_info2 = 0;
	cppi5_desc_set_tags_ids(&desc->hdr, tag, 0);
	memcpy(desc->epib, packet->epib, sizeof(packet->epib));
	memcpy(desc->epib + PSIL_EPIB_WORDS, packet->ps, sizeof(packet->ps));
	if (psil_take_fault(&chn->common.psil->faults.corrupt)) {
		cppi5_hdesc_set_pktlen(desc, CPPI5_INFO0_HDESC_PKTLEN_MASK);
		desc->buf_info1 = CPPI5_BUFINFO1_HDESC_DATA_LEN_MASK;
	}
}

static void post_received(struct k3_udma_glue_rx_channel *chn, u32 flow_idx, dma_addr_t desc)
{
	struct psil_faults *faults = &chn->common.psil->faults;

	if (psil_take_fault(&faults->drop))
		return;
	if (psil_take_fault(&faults->wild))
		desc += PSIL_WILD_OFFSET;
	if (psil_take_fault(&faults->late)) {
		psil_hold_back(chn->common.psil, desc, flow_idx);
		return;
	}
	udma_rx_post(chn, flow_idx, desc);
	if (psil_take_fault(&faults->twice))
		udma_rx_post(chn, flow_idx, desc);
}

/**
 * psil_deliver() - hand a received packet to the driver
 * @psil: a source thread
 * @packet: the packet
 *
 * Context: any.
 * Return: 0; -EAGAIN where there is no free descriptor and the flow is to wait for one (the thread is
 * kicked then); -ENOBUFS where there is none and the packet is lost; -ENOTCONN where there is no channel or no
 * such flow; -EFAULT where a descriptor makes no sense.
 */
int psil_deliver(struct psil *psil, const struct psil_packet *packet)
{
	struct k3_udma_glue_rx_channel *chn;
	struct scatter scatter = { };
	struct udma_flow *flow;
	u32 flow_idx, done;
	int ret = 0;

	guard(sim_lock)(&psil->lock);
	chn = psil->rx;
	flow_idx = chn ? packet->flow - chn->flow_base : 0;
	if (!chn || !chn->enabled || chn->tdown || flow_idx >= chn->num_flows || !chn->flow[flow_idx].enabled) {
		psil->counts.no_channel++;
		return -ENOTCONN;
	}
	flow = &chn->flow[flow_idx];
	for (done = 0; done < packet->len; done += ret) {
		ret = scatter_one(chn, flow, &scatter, packet->data + done, packet->len - done);
		if (ret < 0)
			break;
	}
	if (ret < 0 || flow->cq.count == flow->cq.size) {
		while (scatter.count)
			sim_ring_push(flow->fdq, scatter.addr[--scatter.count]);
		if (ret == -EFAULT)
			return ret;
		if (flow->retry)
			return -EAGAIN;
		psil->counts.starved++;
		return -ENOBUFS;
	}
	write_header(chn, flow, scatter.desc[0], packet);
	/* The header is written anew: the link to the second buffer with it. */
	if (scatter.count > 1)
		scatter.desc[0]->next_desc = udma_with_asel(&chn->common, scatter.addr[1]);
	psil->counts.packets++;
	psil->counts.bytes += packet->len;
	post_received(chn, flow_idx, scatter.addr[0]);
	return 0;
}
