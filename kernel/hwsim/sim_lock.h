/* SPDX-License-Identifier: GPL-2.0-only */
/* guard(sim_lock) in a shape that sparse, which knows no cleanup functions, does not count. */
#ifndef HWSIM_SIM_LOCK_H
#define HWSIM_SIM_LOCK_H

#include <linux/cleanup.h>
#include <linux/spinlock.h>

static inline unsigned long sim_lock(spinlock_t *lock)
{
	unsigned long flags;

	spin_lock_irqsave(lock, flags);
	__release(lock);
	return flags;
}

static inline void sim_unlock(spinlock_t *lock, unsigned long flags)
{
	__acquire(lock);
	spin_unlock_irqrestore(lock, flags);
}

DEFINE_LOCK_GUARD_1(sim_lock, spinlock_t, _T->flags = sim_lock(_T->lock), sim_unlock(_T->lock, _T->flags),
		    unsigned long flags)

#endif /* HWSIM_SIM_LOCK_H */
