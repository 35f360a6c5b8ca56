// SPDX-License-Identifier: GPL-2.0-only
/* The MSMC SRAM: a pool that a driver finds by of_gen_pool_get(), as mmio-sram makes one. */

#include <linux/genalloc.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/sizes.h>

#include "hwsim.h"

#define MSMC_SRAM_SIZE SZ_1M
/* Granularity of mmio-sram's pool. */
#define MSMC_SRAM_ORDER 5

static void free_sram(void *pages)
{
	free_pages((unsigned long)pages, get_order(MSMC_SRAM_SIZE));
}

static int msmc_sram_probe(struct platform_device *pdev)
{
	struct gen_pool *pool;
	void *pages;
	int ret;

	/* Aligned to its size both ways: drivers align by the virtual address and use the physical one. */
	pages = (void *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, get_order(MSMC_SRAM_SIZE));
	if (!pages)
		return -ENOMEM;
	ret = devm_add_action_or_reset(&pdev->dev, free_sram, pages);
	if (ret)
		return ret;
	pool = devm_gen_pool_create(&pdev->dev, MSMC_SRAM_ORDER, NUMA_NO_NODE, NULL);
	if (IS_ERR(pool))
		return PTR_ERR(pool);
	return gen_pool_add_virt(pool, (unsigned long)pages, virt_to_phys(pages), MSMC_SRAM_SIZE, NUMA_NO_NODE);
}

static const struct of_device_id msmc_sram_of_match[] = {
	{ .compatible = "hwsim,msmc-sram" },
	{ }
};
MODULE_DEVICE_TABLE(of, msmc_sram_of_match);

struct platform_driver msmc_sram_driver = {
	.probe = msmc_sram_probe,
	.driver = {
		.name = "hwsim-msmc-sram",
		.of_match_table = msmc_sram_of_match,
		.suppress_bind_attrs = true,
	},
};
