// SPDX-License-Identifier: GPL-2.0-only
/* The K3 DMA controller: its device, its threads, and how it reaches memory. */

#include <linux/dma-direct.h>
#include <linux/dma-mapping.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include "udma.h"

/* Width of the addresses that the controller puts out; above are the coherency selector's bits. */
#define UDMA_ADDR_BITS 48
/* Selectors that make a PKTDMA channel coherent. */
#define UDMA_ASEL_COHERENT_MIN 14

static LIST_HEAD(controllers);
static LIST_HEAD(threads);
static DEFINE_MUTEX(registry_lock); /* both lists, udma->users */

/**
 * psil_register() - join a thread to the fabric
 * @psil: the peripheral's end, its memory the peripheral's
 * @thread: number that "dmas" of the device tree names it by
 * @kick: called when there is something to do for the thread, in any context
 * @priv: argument for @kick
 *
 * Context: process.
 * Return: 0, or -EEXIST where the thread is taken.
 */
int psil_register(struct psil *psil, u32 thread, void (*kick)(void *priv), void *priv)
{
	struct psil *other;

	spin_lock_init(&psil->lock);
	INIT_LIST_HEAD(&psil->late);
	psil->thread = thread;
	psil->kick = kick;
	psil->priv = priv;

	guard(mutex)(&registry_lock);
	list_for_each_entry(other, &threads, node)
		if (other->thread == thread)
			return -EEXIST;
	list_add_tail(&psil->node, &threads);
	return 0;
}

/**
 * psil_unregister() - take a thread out of the fabric
 * @psil: the peripheral's end
 *
 * Context: process.
 * Return: 0, or -EBUSY while a driver has a channel on it.
 */
int psil_unregister(struct psil *psil)
{
	guard(mutex)(&registry_lock);
	if (psil->tx || psil->rx)
		return -EBUSY;
	list_del(&psil->node);
	psil_drop_late(psil);
	return 0;
}

/* One fault less to come, if any is asked for; debugfs writes the count at any time. */
bool psil_take_fault(u32 *count)
{
	u32 left = READ_ONCE(*count);

	if (likely(!left))
		return false;
	WRITE_ONCE(*count, left - 1);
	return true;
}

/* Keeps a completion for later. Caller holds the lock. */
void psil_hold_back(struct psil *psil, dma_addr_t desc, u32 flow)
{
	struct psil_late *late = kmalloc(sizeof(*late), GFP_ATOMIC);

	if (!late)
		return;
	late->desc = desc;
	late->flow = flow;
	late->due = ktime_add_ms(ktime_get(), READ_ONCE(psil->faults.late_ms));
	list_add_tail(&late->node, &psil->late);
	psil->counts.late++;
}

/* Forgets what was kept: the channel is reset. Caller holds the lock, or is the last user. */
void psil_drop_late(struct psil *psil)
{
	struct psil_late *late, *next;

	list_for_each_entry_safe(late, next, &psil->late, node) {
		list_del(&late->node);
		kfree(late);
	}
}

/* Posts what is due. Caller holds the lock. Return: when the next is due. */
static ktime_t psil_post_late(struct psil *psil)
{
	struct psil_late *late, *next;
	ktime_t now = ktime_get();

	list_for_each_entry_safe(late, next, &psil->late, node) {
		if (ktime_before(now, late->due))
			return late->due;
		if (psil->tx)
			udma_tx_post(psil->tx, late->desc);
		else if (psil->rx)
			udma_rx_post(psil->rx, late->flow, late->desc);
		list_del(&late->node);
		kfree(late);
	}
	return KTIME_MAX;
}

/**
 * psil_service() - what a thread has to do beside carrying packets: teardown, late completions
 * @psil: the thread
 *
 * To be called by the peripheral after each kick, also while it carries no packets.
 *
 * Context: any.
 * Return: when it must be called again, or KTIME_MAX.
 */
ktime_t psil_service(struct psil *psil)
{
	ktime_t due = KTIME_MAX;

	guard(sim_lock)(&psil->lock);
	if (unlikely(!list_empty(&psil->late)))
		due = psil_post_late(psil);
	if (psil->tx)
		udma_tx_service(psil->tx);
	if (psil->rx)
		udma_rx_service(psil->rx);
	return due;
}

static struct udma *find_controller(struct device_node *np)
{
	struct udma *udma;

	list_for_each_entry(udma, &controllers, node)
		if (udma->dev->of_node == np)
			return udma;
	return NULL;
}

static struct psil *find_thread(u32 thread)
{
	struct psil *psil;

	list_for_each_entry(psil, &threads, node)
		if (psil->thread == thread)
			return psil;
	return NULL;
}

/* Finds controller and thread, and counts a user of the controller. */
int udma_parse_thread(struct device_node *np, u32 thread, struct udma_common *common)
{
	guard(mutex)(&registry_lock);
	common->udma = find_controller(np);
	if (!common->udma)
		return -EPROBE_DEFER;
	common->psil = find_thread(thread);
	if (!common->psil) {
		dev_err(common->udma->dev, "No configuration for psi-l thread 0x%04x\n", thread);
		common->udma = NULL;
		return -ENOENT;
	}
	common->dma_dev = common->udma->dev;
	if (common->udma->pktdma && common->asel >= UDMA_ASEL_COHERENT_MIN)
		common->dma_dev = &common->udma->coherent->dev;
	common->udma->users++;
	return 0;
}

/* From "dmas" and "dma-names" of the driver's device. */
int udma_parse(struct device *dev, const char *name, bool tx, struct udma_common *common)
{
	struct of_phandle_args spec;
	int index, ret;

	if (!name)
		return -EINVAL;
	index = of_property_match_string(dev->of_node, "dma-names", name);
	if (index < 0)
		return index;
	if (of_parse_phandle_with_args(dev->of_node, "dmas", "#dma-cells", index, &spec))
		return -ENOENT;
	ret = -EINVAL;
	if (spec.args_count < 1 || spec.args_count > 2 || !!(spec.args[0] & PSIL_DST_THREAD) != tx)
		goto out;
	common->asel = spec.args_count == 2 ? spec.args[1] : 0;
	if (common->asel > 15) {
		dev_err(dev, "Invalid channel asel: %u\n", common->asel);
		goto out;
	}
	ret = udma_parse_thread(spec.np, spec.args[0], common);
out:
	of_node_put(spec.np);
	return ret;
}

void udma_put(struct udma_common *common)
{
	guard(mutex)(&registry_lock);
	if (common->udma)
		common->udma->users--;
	common->udma = NULL;
}

/* An address as the controller wants it in a descriptor. */
u64 udma_with_asel(struct udma_common *common, dma_addr_t addr)
{
	return common->udma->pktdma ? addr | (u64)common->asel << UDMA_ASEL_SHIFT : addr;
}

static void *reach(struct device *dma_dev, dma_addr_t addr, size_t len)
{
	phys_addr_t phys = dma_to_phys(dma_dev, addr);

	if (!pfn_valid(PHYS_PFN(phys)) || !pfn_valid(PHYS_PFN(phys + len - 1)))
		return NULL;
	return phys_to_virt(phys);
}

/**
 * udma_reach() - memory behind an address in a descriptor
 * @common: the channel
 * @addr: the address, with its coherency selector
 * @len: bytes from there on
 *
 * The direct map's alias of the memory: as on a device, caches and bounce buffers are the
 * driver's to see to.
 *
 * Return: the memory, or NULL where a device would have a bus error.
 */
void *udma_reach(struct udma_common *common, u64 addr, size_t len)
{
	u64 asel = addr >> UDMA_ASEL_SHIFT;

	if (asel != (common->udma->pktdma ? common->asel : 0) || !len)
		return NULL;
	return reach(common->dma_dev, addr & GENMASK_ULL(UDMA_ASEL_SHIFT - 1, 0), len);
}

/* A descriptor, by what the driver pushed: an address without selector, which the ring adds. */
void *udma_reach_desc(struct udma_common *common, dma_addr_t desc)
{
	if (!desc || !IS_ALIGNED(desc, CPPI5_DESC_MIN_ALIGN))
		return NULL;
	return reach(common->dma_dev, desc, udma_hdesc_size(common));
}

u32 udma_hdesc_size(struct udma_common *common)
{
	return cppi5_hdesc_calc_size(true, PSIL_PS_BYTES, common->swdata_size);
}

/*
 * A device of its own, not one a channel: buffers are given back (by a page pool, say) when the
 * channel, and hwsim itself, may be long gone.
 */
static struct platform_device *coherent_device(struct device *parent)
{
	struct platform_device *pdev = platform_device_alloc("hwsim-pktdma-coherent", PLATFORM_DEVID_AUTO);
	int ret;

	if (!pdev)
		return ERR_PTR(-ENOMEM);
	pdev->dev.parent = parent;
#if defined(CONFIG_ARCH_HAS_SYNC_DMA_FOR_DEVICE) || defined(CONFIG_ARCH_HAS_SYNC_DMA_FOR_CPU)
	pdev->dev.dma_coherent = true;
#endif
	ret = platform_device_add(pdev) ?: dma_coerce_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(UDMA_ADDR_BITS));
	if (ret) {
		platform_device_put(pdev);
		return ERR_PTR(ret);
	}
	return pdev;
}

static int udma_probe(struct platform_device *pdev)
{
	struct udma *udma;
	int ret;

	udma = devm_kzalloc(&pdev->dev, sizeof(*udma), GFP_KERNEL);
	if (!udma)
		return -ENOMEM;
	udma->dev = &pdev->dev;
	udma->pktdma = of_device_is_compatible(pdev->dev.of_node, "hwsim,k3-pktdma");
	ret = dma_coerce_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(UDMA_ADDR_BITS));
	if (ret)
		return ret;
	udma->coherent = coherent_device(&pdev->dev);
	if (IS_ERR(udma->coherent))
		return PTR_ERR(udma->coherent);
	udma->intc = sim_intc_create(NULL, UDMA_NUM_IRQS);
	if (IS_ERR(udma->intc)) {
		platform_device_unregister(udma->coherent);
		return PTR_ERR(udma->intc);
	}
	platform_set_drvdata(pdev, udma);

	guard(mutex)(&registry_lock);
	list_add_tail(&udma->node, &controllers);
	return 0;
}

static void udma_remove(struct platform_device *pdev)
{
	struct udma *udma = platform_get_drvdata(pdev);

	scoped_guard(mutex, &registry_lock) {
		list_del(&udma->node);
		/* The MAC's module holds this one; only an unbind by hand gets here with channels in use. */
		WARN_ON(udma->users);
	}
	sim_intc_destroy(udma->intc);
	platform_device_unregister(udma->coherent);
}

static const struct of_device_id udma_of_match[] = {
	{ .compatible = "hwsim,k3-udmap" },
	{ .compatible = "hwsim,k3-pktdma" },
	{ }
};
MODULE_DEVICE_TABLE(of, udma_of_match);

struct platform_driver udma_driver = {
	.probe = udma_probe,
	.remove = udma_remove,
	.driver = {
		.name = "hwsim-udma",
		.of_match_table = udma_of_match,
		.suppress_bind_attrs = true,
	},
};
