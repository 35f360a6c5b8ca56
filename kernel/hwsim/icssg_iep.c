// SPDX-License-Identifier: GPL-2.0-only
/* IEP: the time of an ICSSG, and its clock for PTP. */

#include <linux/export.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/ptp_clock_kernel.h>
#include <linux/slab.h>

#include "icssg.h"

#define IEP_CYCLE_NS NSEC_PER_MSEC
#define IEP_HI_MASK GENMASK(22, 0)
/* Nanoseconds a tick, at 250 MHz. */
#define IEP_DEF_INC 4
#define IEP_MAX_ADJ 1000000

/* From the in-tree driver's private header: what its users give it. */
struct icss_iep_clockops {
	void (*settime)(void *clockops_data, u64 ns);
	void (*adjtime)(void *clockops_data, s64 delta);
	u64 (*gettime)(void *clockops_data, struct ptp_system_timestamp *sts);
	int (*perout_enable)(void *clockops_data, struct ptp_perout_request *req, int on, u64 *cmp);
	int (*extts_enable)(void *clockops_data, u32 index, int on);
};

/*
 * As far as def_inc, which users read, laid out as in that header of Linux 6.12; the names in between
 * are its too, most of them of no use here.
 */
struct icss_iep {
	struct device *dev;
	void __iomem *base;
	const void *plat_data;
	struct regmap *map;
	struct device_node *client_np;
	unsigned long refclk_freq;
	int clk_tick_time;
	struct ptp_clock_info ptp_info;
	struct ptp_clock *ptp_clock;
	struct mutex ptp_clk_mutex;
	u32 def_inc;
	/* Ours from here on. */
	const struct icss_iep_clockops *ops;
	void *clockops_data;
	struct icssg *icssg;
	struct device_node *np;
};

/* The time that the counters show. */
u64 icssg_time(struct icssg *icssg)
{
	return ktime_get_ns() + READ_ONCE(icssg->time_offset);
}

void icssg_set_time(struct icssg *icssg, u64 ns)
{
	WRITE_ONCE(icssg->time_offset, ns - ktime_get_ns());
}

static struct icss_iep *to_iep(struct ptp_clock_info *info)
{
	return container_of(info, struct icss_iep, ptp_info);
}

static u64 iep_get(struct icss_iep *iep, struct ptp_system_timestamp *sts)
{
	u64 ns;

	if (iep->ops && iep->ops->gettime)
		return iep->ops->gettime(iep->clockops_data, sts);
	ptp_read_system_prets(sts);
	ns = icssg_time(iep->icssg);
	ptp_read_system_postts(sts);
	return ns;
}

static void iep_set(struct icss_iep *iep, u64 ns)
{
	if (iep->ops && iep->ops->settime)
		iep->ops->settime(iep->clockops_data, ns);
	else
		icssg_set_time(iep->icssg, ns);
}

static int iep_gettimex(struct ptp_clock_info *info, struct timespec64 *ts, struct ptp_system_timestamp *sts)
{
	struct icss_iep *iep = to_iep(info);

	guard(mutex)(&iep->ptp_clk_mutex);
	*ts = ns_to_timespec64(iep_get(iep, sts));
	return 0;
}

static int iep_settime(struct ptp_clock_info *info, const struct timespec64 *ts)
{
	struct icss_iep *iep = to_iep(info);

	guard(mutex)(&iep->ptp_clk_mutex);
	iep_set(iep, timespec64_to_ns(ts));
	return 0;
}

static int iep_adjtime(struct ptp_clock_info *info, s64 delta)
{
	struct icss_iep *iep = to_iep(info);

	guard(mutex)(&iep->ptp_clk_mutex);
	if (iep->ops && iep->ops->adjtime)
		iep->ops->adjtime(iep->clockops_data, delta);
	else
		iep_set(iep, iep_get(iep, NULL) + delta);
	return 0;
}

/* The model's time has one rate. */
static int iep_adjfine(struct ptp_clock_info *info, long scaled_ppm)
{
	return 0;
}

static int iep_enable(struct ptp_clock_info *info, struct ptp_clock_request *request, int on)
{
	return -EOPNOTSUPP;
}

static const struct ptp_clock_info iep_ptp_info = {
	.owner = THIS_MODULE,
	.name = "hwsim IEP",
	.max_adj = IEP_MAX_ADJ,
	.gettimex64 = iep_gettimex,
	.settime64 = iep_settime,
	.adjtime = iep_adjtime,
	.adjfine = iep_adjfine,
	.enable = iep_enable,
};

static struct icss_iep *find_iep(struct device_node *np)
{
	struct icssg *icssg = icssg_find(np);
	unsigned int i;

	for (i = 0; icssg && i < ICSSG_IEPS; i++)
		if (icssg->iep[i]->np == np)
			return icssg->iep[i];
	return NULL;
}

/**
 * hwsim_icss_iep_get_idx() - see icss_iep_get_idx()
 * @np: the driver's node
 * @idx: which of its "ti,iep"
 *
 * Return: the IEP, or an ERR_PTR.
 */
struct icss_iep *hwsim_icss_iep_get_idx(struct device_node *np, int idx)
{
	struct device_node *iep_np = of_parse_phandle(np, "ti,iep", idx);
	struct icss_iep *iep;

	if (!iep_np || !of_device_is_available(iep_np)) {
		of_node_put(iep_np);
		return ERR_PTR(-ENODEV);
	}
	iep = find_iep(iep_np);
	of_node_put(iep_np);
	if (!iep)
		return ERR_PTR(-EPROBE_DEFER);
	guard(mutex)(&iep->ptp_clk_mutex);
	if (iep->client_np)
		return ERR_PTR(-EBUSY);
	iep->client_np = np;
	return iep;
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_get_idx);

/**
 * hwsim_icss_iep_get() - see icss_iep_get()
 * @np: the driver's node
 *
 * Return: its first IEP, or an ERR_PTR.
 */
struct icss_iep *hwsim_icss_iep_get(struct device_node *np)
{
	return hwsim_icss_iep_get_idx(np, 0);
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_get);

/**
 * hwsim_icss_iep_put() - see icss_iep_put()
 * @iep: the IEP
 */
void hwsim_icss_iep_put(struct icss_iep *iep)
{
	guard(mutex)(&iep->ptp_clk_mutex);
	iep->client_np = NULL;
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_put);

/**
 * hwsim_icss_iep_init() - see icss_iep_init()
 * @iep: the IEP
 * @clkops: how the firmware's time is set and read
 * @clockops_data: argument for @clkops
 * @cycle_time_ns: its cycle
 *
 * Return: 0, or an error.
 */
int hwsim_icss_iep_init(struct icss_iep *iep, const struct icss_iep_clockops *clkops, void *clockops_data,
			u32 cycle_time_ns)
{
	int ret = 0;

	iep->clk_tick_time = iep->def_inc;
	iep->ops = clkops;
	iep->clockops_data = clockops_data;
	iep_set(iep, ktime_get_real_ns());
	iep->ptp_clock = ptp_clock_register(&iep->ptp_info, iep->dev);
	if (IS_ERR(iep->ptp_clock)) {
		ret = PTR_ERR(iep->ptp_clock);
		iep->ptp_clock = NULL;
		dev_err(iep->dev, "Failed to register ptp clk %d\n", ret);
	}
	return ret;
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_init);

/**
 * hwsim_icss_iep_exit() - see icss_iep_exit()
 * @iep: the IEP
 *
 * Return: 0.
 */
int hwsim_icss_iep_exit(struct icss_iep *iep)
{
	if (iep->ptp_clock)
		ptp_clock_unregister(iep->ptp_clock);
	iep->ptp_clock = NULL;
	return 0;
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_exit);

/**
 * hwsim_icss_iep_init_fw() - see icss_iep_init_fw()
 * @iep: the IEP
 */
void hwsim_icss_iep_init_fw(struct icss_iep *iep)
{
	iep->clk_tick_time = iep->def_inc;
	iep->ops = NULL;
	iep->clockops_data = NULL;
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_init_fw);

/**
 * hwsim_icss_iep_exit_fw() - see icss_iep_exit_fw()
 * @iep: the IEP
 */
void hwsim_icss_iep_exit_fw(struct icss_iep *iep)
{
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_exit_fw);

/**
 * hwsim_icss_iep_get_count_low() - see icss_iep_get_count_low()
 * @iep: the IEP
 *
 * Return: nanoseconds within the cycle.
 */
int hwsim_icss_iep_get_count_low(struct icss_iep *iep)
{
	u32 within;

	div_u64_rem(icssg_time(iep->icssg), IEP_CYCLE_NS, &within);
	return within;
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_get_count_low);

/**
 * hwsim_icss_iep_get_count_hi() - see icss_iep_get_count_hi()
 * @iep: the IEP
 *
 * Return: cycles, without those that the firmware counts as rollovers.
 */
int hwsim_icss_iep_get_count_hi(struct icss_iep *iep)
{
	return div_u64(icssg_time(iep->icssg), IEP_CYCLE_NS) & IEP_HI_MASK;
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_get_count_hi);

/**
 * hwsim_icss_iep_get_ptp_clock_idx() - see icss_iep_get_ptp_clock_idx()
 * @iep: the IEP
 *
 * Return: number of the PTP clock, or -1.
 */
int hwsim_icss_iep_get_ptp_clock_idx(struct icss_iep *iep)
{
	return iep->ptp_clock ? ptp_clock_index(iep->ptp_clock) : -1;
}
EXPORT_SYMBOL_GPL(hwsim_icss_iep_get_ptp_clock_idx);

int icssg_iep_create(struct icssg *icssg)
{
	static const char * const names[ICSSG_IEPS] = { "iep0", "iep1" };
	struct icss_iep *iep;
	unsigned int i;

	for (i = 0; i < ICSSG_IEPS; i++) {
		iep = kzalloc(sizeof(*iep), GFP_KERNEL);
		if (!iep) {
			icssg_iep_destroy(icssg);
			return -ENOMEM;
		}
		iep->dev = icssg->dev;
		iep->icssg = icssg;
		iep->np = of_get_child_by_name(icssg->dev->of_node, names[i]);
		iep->def_inc = IEP_DEF_INC;
		iep->ptp_info = iep_ptp_info;
		mutex_init(&iep->ptp_clk_mutex);
		icssg->iep[i] = iep;
	}
	return 0;
}

void icssg_iep_destroy(struct icssg *icssg)
{
	unsigned int i;

	for (i = 0; i < ICSSG_IEPS; i++) {
		if (icssg->iep[i])
			of_node_put(icssg->iep[i]->np);
		kfree(icssg->iep[i]);
	}
}
