// SPDX-License-Identifier: GPL-2.0-only
/* PRUSS: memories, configuration, cores and the firmware files that they boot. */

#include <linux/elf.h>
#include <linux/export.h>
#include <linux/firmware.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/of.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "icssg.h"

/* Machine of an ELF file for a PRU, which linux/elf-em.h does not know. */
#define EM_TI_PRU 144

static struct icssg_core *to_core(struct rproc *rproc)
{
	return container_of(rproc, struct icssg_core, rproc);
}

static struct icssg *to_icssg(struct pruss *pruss)
{
	return container_of(pruss, struct icssg, pruss);
}

void __iomem *icssg_dram(struct icssg_slice *slice)
{
	return slice->icssg->pruss.mem_regions[slice->id ? PRUSS_MEM_DRAM1 : PRUSS_MEM_DRAM0].va;
}

void __iomem *icssg_shram(struct icssg *icssg)
{
	return icssg->pruss.mem_regions[PRUSS_MEM_SHRD_RAM2].va;
}

/**
 * hwsim_pruss_get() - see pruss_get()
 * @rproc: one of its cores
 *
 * Return: the PRUSS, or an ERR_PTR.
 */
struct pruss *hwsim_pruss_get(struct rproc *rproc)
{
	struct pruss *pruss;

	if (IS_ERR_OR_NULL(rproc))
		return ERR_PTR(-EINVAL);
	pruss = &to_core(rproc)->icssg->pruss;
	get_device(pruss->dev);
	return pruss;
}
EXPORT_SYMBOL_GPL(hwsim_pruss_get);

/**
 * hwsim_pruss_put() - see pruss_put()
 * @pruss: the PRUSS
 */
void hwsim_pruss_put(struct pruss *pruss)
{
	if (!IS_ERR_OR_NULL(pruss))
		put_device(pruss->dev);
}
EXPORT_SYMBOL_GPL(hwsim_pruss_put);

/**
 * hwsim_pruss_request_mem_region() - see pruss_request_mem_region()
 * @pruss: the PRUSS
 * @mem_id: the memory
 * @region: filled in
 *
 * Return: 0, -EINVAL, or -EBUSY where somebody has it.
 */
int hwsim_pruss_request_mem_region(struct pruss *pruss, enum pruss_mem mem_id, struct pruss_mem_region *region)
{
	if (!pruss || !region || mem_id >= PRUSS_MEM_MAX)
		return -EINVAL;
	guard(mutex)(&pruss->lock);
	if (pruss->mem_in_use[mem_id])
		return -EBUSY;
	*region = pruss->mem_regions[mem_id];
	pruss->mem_in_use[mem_id] = region;
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_pruss_request_mem_region);

/**
 * hwsim_pruss_release_mem_region() - see pruss_release_mem_region()
 * @pruss: the PRUSS
 * @region: what the request filled in
 *
 * Return: 0, or -EINVAL.
 */
int hwsim_pruss_release_mem_region(struct pruss *pruss, struct pruss_mem_region *region)
{
	int id;

	if (!pruss || !region)
		return -EINVAL;
	guard(mutex)(&pruss->lock);
	for (id = 0; id < PRUSS_MEM_MAX; id++) {
		if (pruss->mem_in_use[id] == region) {
			pruss->mem_in_use[id] = NULL;
			return 0;
		}
	}
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(hwsim_pruss_release_mem_region);

/**
 * hwsim_pruss_cfg_get_gpmux() - see pruss_cfg_get_gpmux()
 * @pruss: the PRUSS
 * @pru_id: the slice
 * @mux: filled in
 *
 * Return: 0, or -EINVAL.
 */
int hwsim_pruss_cfg_get_gpmux(struct pruss *pruss, enum pruss_pru_id pru_id, u8 *mux)
{
	if (pru_id >= PRUSS_NUM_PRUS || !mux)
		return -EINVAL;
	*mux = to_icssg(pruss)->gpmux[pru_id];
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_pruss_cfg_get_gpmux);

/**
 * hwsim_pruss_cfg_set_gpmux() - see pruss_cfg_set_gpmux()
 * @pruss: the PRUSS
 * @pru_id: the slice
 * @mux: pin multiplexer
 *
 * Return: 0, or -EINVAL.
 */
int hwsim_pruss_cfg_set_gpmux(struct pruss *pruss, enum pruss_pru_id pru_id, u8 mux)
{
	if (mux >= PRUSS_GP_MUX_SEL_MAX || pru_id >= PRUSS_NUM_PRUS)
		return -EINVAL;
	to_icssg(pruss)->gpmux[pru_id] = mux;
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_pruss_cfg_set_gpmux);

/**
 * hwsim_pruss_cfg_gpimode() - see pruss_cfg_gpimode()
 * @pruss: the PRUSS
 * @pru_id: the slice
 * @mode: general-purpose input mode
 *
 * Return: 0, or -EINVAL.
 */
int hwsim_pruss_cfg_gpimode(struct pruss *pruss, enum pruss_pru_id pru_id, enum pruss_gpi_mode mode)
{
	if (pru_id >= PRUSS_NUM_PRUS || mode >= PRUSS_GPI_MODE_MAX)
		return -EINVAL;
	to_icssg(pruss)->gpi_mode[pru_id] = mode;
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_pruss_cfg_gpimode);

/**
 * hwsim_pruss_cfg_miirt_enable() - see pruss_cfg_miirt_enable()
 * @pruss: the PRUSS
 * @enable: event routing of MII_RT
 *
 * Return: 0.
 */
int hwsim_pruss_cfg_miirt_enable(struct pruss *pruss, bool enable)
{
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_pruss_cfg_miirt_enable);

/**
 * hwsim_pruss_cfg_xfr_enable() - see pruss_cfg_xfr_enable()
 * @pruss: the PRUSS
 * @pru_type: type of core
 * @enable: shift of the scratch pad
 *
 * Return: 0, or -EINVAL.
 */
int hwsim_pruss_cfg_xfr_enable(struct pruss *pruss, enum pru_type pru_type, bool enable)
{
	if (pru_type != PRU_TYPE_PRU && pru_type != PRU_TYPE_RTU)
		return -EINVAL;
	to_icssg(pruss)->xfr[pru_type] = enable;
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_pruss_cfg_xfr_enable);

static struct icssg_core *find_core(struct device_node *np)
{
	struct icssg *icssg = icssg_find(np);
	int i;

	for (i = 0; icssg && i < ICSSG_CORES; i++)
		if (icssg->core[i].np == np)
			return &icssg->core[i];
	return NULL;
}

/* What the driver's node says of the core, beside that it wants it. */
static int configure_core(struct icssg_core *core, struct device_node *np, int index)
{
	const char *firmware;
	u32 mux;
	int ret;

	if (!of_property_read_u32_index(np, "ti,pruss-gp-mux-sel", index, &mux)) {
		ret = hwsim_pruss_cfg_set_gpmux(&core->icssg->pruss, core->slice, mux);
		if (ret) {
			dev_err(core->icssg->dev, "%pOFn: failed to set cfg gpmux: %d\n", core->np, ret);
			return ret;
		}
	}
	if (of_property_read_string_index(np, "firmware-name", index, &firmware))
		return 0;
	return hwsim_rproc_set_firmware(&core->rproc, firmware);
}

/**
 * hwsim_pru_rproc_get() - see pru_rproc_get()
 * @np: the driver's node
 * @index: which of its "ti,prus"
 * @pru_id: its slice, or NULL
 *
 * Return: the core, or an ERR_PTR.
 */
struct rproc *hwsim_pru_rproc_get(struct device_node *np, int index, enum pruss_pru_id *pru_id)
{
	struct device_node *core_np;
	struct icssg_core *core;
	int ret;

	core_np = of_parse_phandle(np, "ti,prus", index);
	if (!core_np || !of_device_is_available(core_np)) {
		of_node_put(core_np);
		return ERR_PTR(-ENODEV);
	}
	core = find_core(core_np);
	of_node_put(core_np);
	if (!core)
		return ERR_PTR(-EPROBE_DEFER);

	scoped_guard(mutex, &core->lock) {
		if (core->client)
			return ERR_PTR(-EBUSY);
		core->client = np;
	}
	ret = configure_core(core, np, index);
	if (ret) {
		hwsim_pru_rproc_put(&core->rproc);
		return ERR_PTR(ret);
	}
	if (pru_id)
		*pru_id = core->slice;
	return &core->rproc;
}
EXPORT_SYMBOL_GPL(hwsim_pru_rproc_get);

/**
 * hwsim_pru_rproc_put() - see pru_rproc_put()
 * @rproc: the core
 */
void hwsim_pru_rproc_put(struct rproc *rproc)
{
	struct icssg_core *core;

	if (IS_ERR_OR_NULL(rproc))
		return;
	core = to_core(rproc);
	guard(mutex)(&core->lock);
	core->client = NULL;
	if (!core->power) {
		kfree(core->firmware);
		core->firmware = NULL;
	}
}
EXPORT_SYMBOL_GPL(hwsim_pru_rproc_put);

/**
 * hwsim_pru_rproc_set_ctable() - see pru_rproc_set_ctable()
 * @rproc: the core
 * @c: entry of its constant table
 * @addr: value
 *
 * Return: 0, or -EINVAL.
 */
int hwsim_pru_rproc_set_ctable(struct rproc *rproc, enum pru_ctable_idx c, u32 addr)
{
	if (IS_ERR_OR_NULL(rproc))
		return -EINVAL;
	if (c == PRU_C28)
		to_core(rproc)->c28 = addr;
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_pru_rproc_set_ctable);

/**
 * hwsim_rproc_set_firmware() - see rproc_set_firmware()
 * @rproc: the core
 * @fw_name: name of the file
 *
 * Return: 0, or an error.
 */
int hwsim_rproc_set_firmware(struct rproc *rproc, const char *fw_name)
{
	struct icssg_core *core;
	char *name;

	if (!rproc || !fw_name || !fw_name[0])
		return -EINVAL;
	core = to_core(rproc);
	guard(mutex)(&core->lock);
	if (core->power)
		return -EBUSY;
	name = kstrdup(fw_name, GFP_KERNEL);
	if (!name)
		return -ENOMEM;
	kfree(core->firmware);
	core->firmware = name;
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_rproc_set_firmware);

/* An ELF file for a PRU with something to load. */
static bool is_firmware(const struct firmware *file)
{
	const Elf32_Ehdr *header = (const void *)file->data;

	return file->size >= sizeof(*header) && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == ELFCLASS32 && header->e_machine == EM_TI_PRU && header->e_phnum &&
	       header->e_phoff <= file->size &&
	       header->e_phnum <= (file->size - header->e_phoff) / sizeof(Elf32_Phdr);
}

/* The model runs the EMAC firmware only; another core's, or another mode's, does nothing. */
static bool fits(const struct icssg_core *core)
{
	static const char * const kinds[] = { "pru", "rtu", "txpru" };
	char part[16];

	snprintf(part, sizeof(part), "-%s%u-", kinds[core->kind], core->slice);
	return strstr(core->firmware, part) && strstr(core->firmware, "prueth");
}

static int boot(struct icssg_core *core)
{
	const struct firmware *file;
	int ret;

	if (!core->firmware)
		return -EINVAL;
	ret = request_firmware(&file, core->firmware, core->icssg->dev);
	if (ret) {
		dev_err(core->icssg->dev, "%pOFn: request_firmware failed: %d\n", core->np, ret);
		return ret;
	}
	if (!is_firmware(file)) {
		dev_err(core->icssg->dev, "%pOFn: %s is no firmware for a PRU\n", core->np, core->firmware);
		ret = -EINVAL;
	}
	release_firmware(file);
	if (ret)
		return ret;
	core->fits = fits(core);
	if (!core->fits)
		dev_warn(core->icssg->dev, "%pOFn: %s does nothing here\n", core->np, core->firmware);
	return 0;
}

/**
 * hwsim_rproc_boot() - see rproc_boot()
 * @rproc: the core
 *
 * Return: 0, or an error.
 */
int hwsim_rproc_boot(struct rproc *rproc)
{
	struct icssg_core *core;
	int ret;

	if (!rproc)
		return -EINVAL;
	core = to_core(rproc);
	guard(mutex)(&core->lock);
	if (core->power++)
		return 0;
	ret = boot(core);
	if (ret) {
		core->power--;
		return ret;
	}
	icssg_fw_core_started(core);
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_rproc_boot);

/**
 * hwsim_rproc_shutdown() - see rproc_shutdown()
 * @rproc: the core
 *
 * Return: 0, or -EINVAL where it does not run.
 */
int hwsim_rproc_shutdown(struct rproc *rproc)
{
	struct icssg_core *core = to_core(rproc);

	guard(mutex)(&core->lock);
	if (!core->power)
		return -EINVAL;
	if (--core->power)
		return 0;
	icssg_fw_core_stopped(core);
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_rproc_shutdown);

static int alloc_memory(struct icssg *icssg, enum pruss_mem id, size_t size)
{
	struct pruss_mem_region *region = &icssg->pruss.mem_regions[id];
	void *pages = (void *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, get_order(size));

	if (!pages)
		return -ENOMEM;
	region->va = (void __iomem *)pages;
	region->pa = virt_to_phys(pages);
	region->size = size;
	return 0;
}

static int add_core(struct icssg *icssg, unsigned int index)
{
	static const char * const names[ICSSG_CORES] = { "pru0", "rtu0", "tx-pru0", "pru1", "rtu1", "tx-pru1" };
	struct icssg_core *core = &icssg->core[index];

	core->icssg = icssg;
	core->slice = index / ICSSG_CORES_PER_SLICE;
	core->kind = index % ICSSG_CORES_PER_SLICE;
	mutex_init(&core->lock);
	core->np = of_get_child_by_name(icssg->dev->of_node, names[index]);
	if (core->np)
		return 0;
	dev_err(icssg->dev, "no node %s\n", names[index]);
	return -EINVAL;
}

int icssg_pruss_init(struct icssg *icssg)
{
	unsigned int i;
	int ret;

	icssg->pruss.dev = icssg->dev;
	mutex_init(&icssg->pruss.lock);
	ret = alloc_memory(icssg, PRUSS_MEM_DRAM0, ICSSG_DRAM_SIZE) ?:
	      alloc_memory(icssg, PRUSS_MEM_DRAM1, ICSSG_DRAM_SIZE) ?:
	      alloc_memory(icssg, PRUSS_MEM_SHRD_RAM2, ICSSG_SHRAM_SIZE);
	for (i = 0; i < ICSSG_CORES && !ret; i++)
		ret = add_core(icssg, i);
	if (ret)
		icssg_pruss_exit(icssg);
	return ret;
}

void icssg_pruss_exit(struct icssg *icssg)
{
	struct pruss_mem_region *region;
	unsigned int i;

	for (i = 0; i < ICSSG_CORES; i++) {
		kfree(icssg->core[i].firmware);
		of_node_put(icssg->core[i].np);
	}
	for (i = 0; i < PRUSS_MEM_MAX; i++) {
		region = &icssg->pruss.mem_regions[i];
		if (region->va)
			free_pages((unsigned long)region->va, get_order(region->size));
	}
}
