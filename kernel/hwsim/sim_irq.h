/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupt lines of simulated hardware: level-sensitive, active high, delivered in hard interrupt
 * context by a real irq_domain, so that request_irq(), disable_irq(), threaded and oneshot handlers
 * behave as on the board.
 *
 *   model                     sim_irq                         kernel
 *   sim_irq_set(line, true) -> irq_work (an IPI to itself) -> handle_level_irq -> the MAC's handler
 *                              again at unmask, as long as the line is high
 */
#ifndef HWSIM_SIM_IRQ_H
#define HWSIM_SIM_IRQ_H

#include <linux/irq_work.h>
#include <linux/irqdomain.h>

/**
 * struct sim_irq_line - one line
 * @work: brings an asserted line into hard interrupt context
 * @domain: where its number is looked up
 * @hwirq: its number there
 * @high: what the hardware drives
 * @masked: what the kernel asks for
 */
struct sim_irq_line {
	struct irq_work work;
	struct irq_domain *domain;
	irq_hw_number_t hwirq;
	bool high;
	bool masked;
};

/**
 * struct sim_intc - an interrupt controller
 * @domain: its domain
 * @count: its lines
 * @line: them
 */
struct sim_intc {
	struct irq_domain *domain;
	unsigned int count;
	struct sim_irq_line line[] __counted_by(count);
};

struct sim_intc *sim_intc_create(struct device_node *np, unsigned int count);
void sim_intc_destroy(struct sim_intc *intc);
int sim_intc_virq(struct sim_intc *intc, unsigned int hwirq);
void sim_irq_set(struct sim_irq_line *line, bool high);

#endif /* HWSIM_SIM_IRQ_H */
