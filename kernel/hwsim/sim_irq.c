// SPDX-License-Identifier: GPL-2.0-only
/* Interrupt lines of simulated hardware. */

#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/slab.h>

#include "sim_irq.h"

/* May run with the line's descriptor locked: takes no lock. */
static void sim_irq_deliver(struct sim_irq_line *line)
{
	if (READ_ONCE(line->high) && !READ_ONCE(line->masked))
		irq_work_queue(&line->work);
}

static void sim_irq_work(struct irq_work *work)
{
	struct sim_irq_line *line = container_of(work, struct sim_irq_line, work);

	if (READ_ONCE(line->high) && !READ_ONCE(line->masked))
		generic_handle_domain_irq(line->domain, line->hwirq);
}

/**
 * sim_irq_set() - drive a line
 * @line: the line
 * @high: its new level
 *
 * Context: any; calls for one line must not run at the same time.
 */
void sim_irq_set(struct sim_irq_line *line, bool high)
{
	WRITE_ONCE(line->high, high);
	/* Either we see it unmasked, or who unmasks sees it high. */
	smp_mb();
	if (high)
		sim_irq_deliver(line);
}

static void sim_irq_mask(struct irq_data *data)
{
	struct sim_irq_line *line = irq_data_get_irq_chip_data(data);

	WRITE_ONCE(line->masked, true);
}

static void sim_irq_unmask(struct irq_data *data)
{
	struct sim_irq_line *line = irq_data_get_irq_chip_data(data);

	WRITE_ONCE(line->masked, false);
	smp_mb(); /* pairs with the one in sim_irq_set() */
	sim_irq_deliver(line);
}

static int sim_irq_set_type(struct irq_data *data, unsigned int type)
{
	return type & (IRQ_TYPE_EDGE_FALLING | IRQ_TYPE_LEVEL_LOW) ? -EINVAL : 0;
}

static struct irq_chip sim_irq_chip = {
	.name = "hwsim",
	.irq_mask = sim_irq_mask,
	.irq_unmask = sim_irq_unmask,
	.irq_set_type = sim_irq_set_type,
	.flags = IRQCHIP_SKIP_SET_WAKE,
};

static int sim_irq_map(struct irq_domain *domain, unsigned int virq, irq_hw_number_t hwirq)
{
	struct sim_intc *intc = domain->host_data;

	irq_set_chip_data(virq, &intc->line[hwirq]);
	irq_set_chip_and_handler(virq, &sim_irq_chip, handle_level_irq);
	irq_set_noprobe(virq);
	return 0;
}

static void sim_irq_unmap(struct irq_domain *domain, unsigned int virq)
{
	irq_set_chip_and_handler(virq, NULL, NULL);
	irq_set_chip_data(virq, NULL);
}

/* Whatever follows the number (the PRUSS has channel and host event there) is of no account here. */
static int sim_irq_xlate(struct irq_domain *domain, struct device_node *np, const u32 *spec, unsigned int size,
			 unsigned long *hwirq, unsigned int *type)
{
	struct sim_intc *intc = domain->host_data;

	if (size < 1 || spec[0] >= intc->count)
		return -EINVAL;
	*hwirq = spec[0];
	*type = IRQ_TYPE_LEVEL_HIGH;
	return 0;
}

static const struct irq_domain_ops sim_irq_domain_ops = {
	.map = sim_irq_map,
	.unmap = sim_irq_unmap,
	.xlate = sim_irq_xlate,
};

/**
 * sim_intc_create() - an interrupt controller
 * @np: node that interrupt specifiers name it by
 * @count: how many lines it has
 *
 * Context: process.
 * Return: the controller, or an ERR_PTR.
 */
struct sim_intc *sim_intc_create(struct device_node *np, unsigned int count)
{
	struct sim_intc *intc;
	unsigned int i;

	intc = kzalloc(struct_size(intc, line, count), GFP_KERNEL);
	if (!intc)
		return ERR_PTR(-ENOMEM);
	intc->count = count;
	intc->domain = irq_domain_add_linear(np, count, &sim_irq_domain_ops, intc);
	if (!intc->domain) {
		kfree(intc);
		return ERR_PTR(-ENOMEM);
	}
	for (i = 0; i < count; i++) {
		intc->line[i].work = IRQ_WORK_INIT_HARD(sim_irq_work);
		intc->line[i].domain = intc->domain;
		intc->line[i].hwirq = i;
		intc->line[i].masked = true;
	}
	return intc;
}

/**
 * sim_intc_destroy() - take a controller away
 * @intc: controller none of whose interrupts is requested any more
 *
 * Context: process.
 */
void sim_intc_destroy(struct sim_intc *intc)
{
	unsigned int i;

	for (i = 0; i < intc->count; i++) {
		irq_work_sync(&intc->line[i].work);
		irq_dispose_mapping(irq_find_mapping(intc->domain, i));
	}
	irq_domain_remove(intc->domain);
	kfree(intc);
}

/**
 * sim_intc_virq() - the kernel's number for a line
 * @intc: the controller
 * @hwirq: the line
 *
 * Context: process.
 * Return: the number for request_irq(), or -ENXIO.
 */
int sim_intc_virq(struct sim_intc *intc, unsigned int hwirq)
{
	unsigned int virq;

	if (hwirq >= intc->count)
		return -ENXIO;
	virq = irq_create_mapping(intc->domain, hwirq);
	return virq ? (int)virq : -ENXIO;
}
