// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulated hardware of TI's K3 family, at the boundary that the MAC drivers use: see doc/hwsim.md.
 * This file is the module itself.
 */

#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "hwsim.h"
#include "udma.h"

struct dentry *hwsim_debugfs;

/* Peripherals after what they stand on. */
static struct platform_driver * const drivers[] = {
	&msmc_sram_driver,
	&udma_driver,
	&icssg_driver,
};

static int __init hwsim_init(void)
{
	int ret;

	hwsim_debugfs = debugfs_create_dir("hwsim", NULL);
	ret = platform_register_drivers(drivers, ARRAY_SIZE(drivers));
	if (ret)
		debugfs_remove(hwsim_debugfs);
	return ret;
}
module_init(hwsim_init);

static void __exit hwsim_exit(void)
{
	platform_unregister_drivers(drivers, ARRAY_SIZE(drivers));
	debugfs_remove(hwsim_debugfs);
}
module_exit(hwsim_exit);

MODULE_DESCRIPTION("Simulated TI K3 Ethernet hardware");
MODULE_LICENSE("GPL");
