/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of hwsim.ko share. */
#ifndef HWSIM_H
#define HWSIM_H

#include <linux/dcache.h>
#include <linux/platform_device.h>

/* /sys/kernel/debug/hwsim */
extern struct dentry *hwsim_debugfs;

extern struct platform_driver msmc_sram_driver;
extern struct platform_driver icssg_driver;

#endif /* HWSIM_H */
