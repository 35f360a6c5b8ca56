// SPDX-License-Identifier: GPL-2.0-only
/* The ICSSG as a device: puts its parts together. */

#include <linux/debugfs.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include "hwsim.h"
#include "icssg.h"

static LIST_HEAD(icssgs);
static DEFINE_MUTEX(icssgs_lock);

/* The ICSSG that a node is a part of, or NULL. */
struct icssg *icssg_find(struct device_node *child)
{
	struct device_node *parent = of_get_parent(child);
	struct icssg *icssg, *found = NULL;

	guard(mutex)(&icssgs_lock);
	list_for_each_entry(icssg, &icssgs, node)
		if (icssg->dev->of_node == parent)
			found = icssg;
	of_node_put(parent);
	return found;
}

static int create_intc(struct icssg *icssg)
{
	struct device_node *np = of_get_child_by_name(icssg->dev->of_node, "interrupt-controller");

	icssg->intc = sim_intc_create(np, ICSSG_EVENTS);
	of_node_put(np);
	return PTR_ERR_OR_ZERO(icssg->intc);
}

static int create_ports(struct icssg *icssg)
{
	unsigned int i;
	u32 psil_base;
	int ret;

	ret = of_property_read_u32(icssg->dev->of_node, "hwsim,psil-base", &psil_base);
	for (i = 0; i < ICSSG_SLICES && !ret; i++) {
		ret = icssg_port_start(&icssg->slice[i], psil_base);
		if (ret)
			while (i--)
				icssg_port_stop(&icssg->slice[i]);
	}
	return ret;
}

static int icssg_probe(struct platform_device *pdev)
{
	struct icssg *icssg;
	unsigned int i;
	int ret;

	icssg = kvzalloc(sizeof(*icssg), GFP_KERNEL);
	if (!icssg)
		return -ENOMEM;
	icssg->dev = &pdev->dev;
	for (i = 0; i < ICSSG_SLICES; i++) {
		icssg->slice[i].icssg = icssg;
		icssg->slice[i].id = i;
	}
	ret = icssg_regs_init(icssg);
	if (ret)
		goto free;
	icssg_fw_init(icssg);
	ret = icssg_pruss_init(icssg);
	if (ret)
		goto exit_regs;
	ret = create_intc(icssg);
	if (ret)
		goto exit_pruss;
	ret = icssg_iep_create(icssg);
	if (ret)
		goto destroy_intc;
	ret = icssg_mdio_create(icssg);
	if (ret)
		goto destroy_iep;
	ret = create_ports(icssg);
	if (ret)
		goto destroy_mdio;

	icssg->debugfs = debugfs_create_dir(pdev->dev.of_node->name, hwsim_debugfs);
	icssg_debugfs_create(icssg);
	platform_set_drvdata(pdev, icssg);
	guard(mutex)(&icssgs_lock);
	list_add_tail(&icssg->node, &icssgs);
	return 0;

destroy_mdio:
	icssg_mdio_destroy(icssg);
destroy_iep:
	icssg_iep_destroy(icssg);
destroy_intc:
	sim_intc_destroy(icssg->intc);
exit_pruss:
	icssg_pruss_exit(icssg);
exit_regs:
	icssg_regs_exit(icssg);
free:
	kvfree(icssg);
	return ret;
}

static void icssg_remove(struct platform_device *pdev)
{
	struct icssg *icssg = platform_get_drvdata(pdev);
	unsigned int i;

	scoped_guard(mutex, &icssgs_lock)
		list_del(&icssg->node);
	debugfs_remove(icssg->debugfs);
	for (i = 0; i < ICSSG_SLICES; i++)
		icssg_port_stop(&icssg->slice[i]);
	hrtimer_cancel(&icssg->tick);
	icssg_mdio_destroy(icssg);
	icssg_iep_destroy(icssg);
	sim_intc_destroy(icssg->intc);
	icssg_pruss_exit(icssg);
	icssg_regs_exit(icssg);
	kvfree(icssg);
}

static const struct of_device_id icssg_of_match[] = {
	{ .compatible = "hwsim,icssg" },
	{ }
};
MODULE_DEVICE_TABLE(of, icssg_of_match);

struct platform_driver icssg_driver = {
	.probe = icssg_probe,
	.remove = icssg_remove,
	.driver = {
		.name = "hwsim-icssg",
		.of_match_table = icssg_of_match,
		.suppress_bind_attrs = true,
	},
};
