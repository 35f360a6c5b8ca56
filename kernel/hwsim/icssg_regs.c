// SPDX-License-Identifier: GPL-2.0-only
/* Registers of MII_G_RT, MII_RT and PA_STATS: hardware queues, and what the hardware counts. */

#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/of.h>
#include <linux/regmap.h>

#include "icssg.h"

/* Counters of a slice: first register, and what a frame has beside its data. */
static const u32 stats_base[ICSSG_SLICES] = { 0x54c, 0xb18 };
#define PREAMBLE_BYTES 8

/*
 * Edges of the size statistics after reset. Their reset values are in no source that we have; these
 * are the usual ones of RMON.
 */
static const u32 bucket_edges[4] = { 128, 256, 512, 1024 };
#define DEFAULT_MAX_FRAME 2000
#define DEFAULT_MIN_FRAME 64

static bool is_setting(unsigned int stat)
{
	switch (stat) {
	case MIIG_RX_MAX_SIZE:
	case MIIG_RX_MIN_SIZE:
	case MIIG_RX_BUCKET1_SIZE ... MIIG_RX_BUCKET1_SIZE + 3:
	case MIIG_TX_MAX_SIZE:
	case MIIG_TX_MIN_SIZE:
	case MIIG_TX_BUCKET1_SIZE ... MIIG_TX_BUCKET1_SIZE + 3:
		return true;
	}
	return false;
}

/* The statistics register at an offset of MII_G_RT, or NULL. */
static u32 *find_stat(struct icssg *icssg, unsigned int reg, unsigned int *stat)
{
	unsigned int i;

	for (i = 0; i < ICSSG_SLICES; i++) {
		*stat = (reg - stats_base[i]) / 4;
		if (reg >= stats_base[i] && *stat < MIIG_STATS)
			return &icssg->slice[i].stats[*stat];
	}
	return NULL;
}

/* Transmit time stamps raise an interrupt as long as one waits. */
static void update_events(struct icssg *icssg, unsigned int queue)
{
	unsigned int i;

	for (i = 0; i < ICSSG_SLICES; i++)
		if (queue == FWQ_TX_TS(i))
			sim_irq_set(&icssg->intc->line[ICSSG_EVENT_TX_TS(i)], icssg->hwq[queue].count > 0);
}

/* Return: the oldest element, or -ENODATA. */
int icssg_hwq_pop_locked(struct icssg *icssg, unsigned int queue)
{
	struct icssg_hwq *hwq = &icssg->hwq[queue];
	u16 value;

	if (!hwq->count)
		return -ENODATA;
	value = hwq->elm[hwq->head];
	hwq->head = (hwq->head + 1) % MIIG_QUEUE_DEPTH;
	hwq->count--;
	update_events(icssg, queue);
	return value;
}

void icssg_hwq_push_locked(struct icssg *icssg, unsigned int queue, u16 value)
{
	struct icssg_hwq *hwq = &icssg->hwq[queue];

	if (hwq->count == MIIG_QUEUE_DEPTH) {
		dev_warn_ratelimited(icssg->dev, "hardware queue %u overflows\n", queue);
		return;
	}
	hwq->elm[(hwq->head + hwq->count++) % MIIG_QUEUE_DEPTH] = value;
	update_events(icssg, queue);
}

static void reset_queue(struct icssg *icssg, unsigned int queue)
{
	if (queue >= MIIG_QUEUES)
		return;
	icssg->hwq[queue].count = 0;
	icssg->hwq[queue].head = 0;
	update_events(icssg, queue);
}

static int miig_read(void *context, unsigned int reg, unsigned int *value)
{
	struct icssg *icssg = context;
	unsigned int stat;
	u32 *counter;
	int element;

	guard(sim_lock)(&icssg->lock);
	counter = find_stat(icssg, reg, &stat);
	if (counter) {
		*value = *counter;
	} else if (reg >= MIIG_QUEUE && reg < MIIG_QUEUE + 4 * MIIG_QUEUES) {
		element = icssg_hwq_pop_locked(icssg, (reg - MIIG_QUEUE) / 4);
		*value = element < 0 ? 0 : element;
	} else if (reg >= MIIG_QUEUE_COUNT && reg < MIIG_QUEUE_COUNT + 4 * MIIG_QUEUES) {
		*value = icssg->hwq[(reg - MIIG_QUEUE_COUNT) / 4].count;
	} else {
		*value = icssg->miig[reg / 4];
	}
	return 0;
}

static int miig_write(void *context, unsigned int reg, unsigned int value)
{
	struct icssg *icssg = context;
	unsigned int stat;
	u32 *counter;

	guard(sim_lock)(&icssg->lock);
	counter = find_stat(icssg, reg, &stat);
	if (counter && is_setting(stat))
		*counter = value;
	else if (counter)
		*counter -= min(*counter, value); /* a counter takes off what it is told */
	else if (reg >= MIIG_QUEUE && reg < MIIG_QUEUE + 4 * MIIG_QUEUES)
		icssg_hwq_push_locked(icssg, (reg - MIIG_QUEUE) / 4, value);
	else if (reg == MIIG_QUEUE_RESET)
		reset_queue(icssg, value);
	else
		icssg->miig[reg / 4] = value;
	return 0;
}

static int miirt_read(void *context, unsigned int reg, unsigned int *value)
{
	struct icssg *icssg = context;

	*value = READ_ONCE(icssg->miirt[reg / 4]);
	return 0;
}

static int miirt_write(void *context, unsigned int reg, unsigned int value)
{
	struct icssg *icssg = context;

	WRITE_ONCE(icssg->miirt[reg / 4], value);
	return 0;
}

static u32 *pa_counter(struct icssg *icssg, unsigned int reg)
{
	unsigned int i, stat;

	for (i = 0; i < ICSSG_SLICES; i++)
		for (stat = 0; stat < PA_STATS; stat++)
			if (reg == PA_STAT(stat, i))
				return &icssg->slice[i].pa[stat];
	return NULL;
}

static int pa_read(void *context, unsigned int reg, unsigned int *value)
{
	struct icssg *icssg = context;
	u32 *counter = pa_counter(icssg, reg);

	guard(sim_lock)(&icssg->lock);
	if (counter) {
		*value = *counter;
		*counter = 0;
	} else {
		*value = icssg->pa_regs[reg / 4];
	}
	return 0;
}

static int pa_write(void *context, unsigned int reg, unsigned int value)
{
	struct icssg *icssg = context;
	u32 *counter = pa_counter(icssg, reg);

	guard(sim_lock)(&icssg->lock);
	*(counter ?: &icssg->pa_regs[reg / 4]) = value;
	return 0;
}

/* Drivers read statistics with spinlocks held, as they may with registers that are memory. */
#define REGMAP(_name, _size)				\
	{						\
		.name = #_name,				\
		.reg_bits = 32,				\
		.val_bits = 32,				\
		.reg_stride = 4,			\
		.max_register = (_size) - 4,		\
		.fast_io = true,			\
		.reg_read = _name##_read,		\
		.reg_write = _name##_write,		\
	}

static const struct regmap_config regmap_configs[] = {
	REGMAP(miig, MIIG_SIZE),
	REGMAP(miirt, MIIRT_SIZE),
	REGMAP(pa, PA_STATS_SIZE),
};

static const char * const regmap_nodes[] = { "mii-g-rt", "mii-rt", "pa-stats" };

/**
 * hwsim_syscon_regmap_lookup_by_phandle() - see syscon_regmap_lookup_by_phandle()
 * @np: the driver's node
 * @property: its property that names the register block
 *
 * Return: the register map, the kernel's own where the block is not simulated, or an ERR_PTR.
 */
struct regmap *hwsim_syscon_regmap_lookup_by_phandle(struct device_node *np, const char *property)
{
	struct device_node *block;
	struct icssg *icssg;
	unsigned int i;

	block = property ? of_parse_phandle(np, property, 0) : of_node_get(np);
	if (!block)
		return ERR_PTR(-ENODEV);
	icssg = icssg_find(block);
	if (!icssg) {
		of_node_put(block);
		return syscon_regmap_lookup_by_phandle(np, property);
	}
	for (i = 0; i < ARRAY_SIZE(regmap_nodes); i++)
		if (of_node_name_eq(block, regmap_nodes[i]))
			break;
	of_node_put(block);
	return i < ARRAY_SIZE(regmap_nodes) ? icssg->regmap[i] : ERR_PTR(-EINVAL);
}
EXPORT_SYMBOL_GPL(hwsim_syscon_regmap_lookup_by_phandle);

static void count_size(u32 *stats, enum miig_stat edges, enum miig_stat frames_64, u32 len)
{
	enum miig_stat bucket = frames_64 + 1;
	unsigned int i;

	if (len == ETH_ZLEN + ETH_FCS_LEN)
		stats[frames_64]++;
	for (i = 0; i < ARRAY_SIZE(bucket_edges) && len > stats[edges + i]; i++)
		bucket++;
	stats[bucket]++;
}

static void count_cast(u32 *stats, enum miig_stat broadcast, const u8 *data)
{
	if (is_broadcast_ether_addr(data))
		stats[broadcast]++;
	else if (is_multicast_ether_addr(data))
		stats[broadcast + 1]++;
}

/* A good frame received, @len with FCS; @classes: the classifiers that it hit. */
void icssg_count_rx(struct icssg_slice *slice, const u8 *data, u32 len, u32 classes)
{
	u32 *stats = slice->stats;
	unsigned int i;

	guard(sim_lock)(&slice->icssg->lock);
	stats[MIIG_RX_PACKETS]++;
	stats[MIIG_RX_BYTES] += len;
	stats[MIIG_RX_TX_BYTES] += len;
	count_cast(stats, MIIG_RX_BROADCAST, data);
	count_size(stats, MIIG_RX_BUCKET1_SIZE, MIIG_RX_64B_FRAMES, len);
	for (i = 0; classes; i++, classes >>= 1)
		stats[MIIG_RX_CLASS0_HITS + i] += classes & 1;
}

/* A frame sent, @len with FCS. In MII mode the transmit lines of the slices are crossed. */
void icssg_count_tx(struct icssg_slice *slice, const u8 *data, u32 len)
{
	struct icssg *icssg = slice->icssg;
	u32 *stats;

	guard(sim_lock)(&icssg->lock);
	stats = slice->stats;
	if (!(icssg->miig[MIIG_ICSSG_CFG / 4] & MIIG_ICSSG_CFG_MODE(slice->id)))
		stats = icssg->slice[!slice->id].stats;
	stats[MIIG_TX_PACKETS]++;
	stats[MIIG_TX_BYTES] += len + PREAMBLE_BYTES;
	stats[MIIG_RX_TX_BYTES] += len;
	count_cast(stats, MIIG_TX_BROADCAST, data);
	count_size(stats, MIIG_TX_BUCKET1_SIZE, MIIG_TX_64B_FRAMES, len);
}

void icssg_count(struct icssg_slice *slice, enum miig_stat stat)
{
	guard(sim_lock)(&slice->icssg->lock);
	slice->stats[stat]++;
}

void icssg_count_pa(struct icssg_slice *slice, enum pa_stat stat)
{
	guard(sim_lock)(&slice->icssg->lock);
	slice->pa[stat]++;
}

static void reset_stats(u32 *stats)
{
	unsigned int i;

	stats[MIIG_RX_MAX_SIZE] = DEFAULT_MAX_FRAME;
	stats[MIIG_TX_MAX_SIZE] = DEFAULT_MAX_FRAME;
	stats[MIIG_RX_MIN_SIZE] = DEFAULT_MIN_FRAME;
	stats[MIIG_TX_MIN_SIZE] = DEFAULT_MIN_FRAME;
	for (i = 0; i < ARRAY_SIZE(bucket_edges); i++) {
		stats[MIIG_RX_BUCKET1_SIZE + i] = bucket_edges[i];
		stats[MIIG_TX_BUCKET1_SIZE + i] = bucket_edges[i];
	}
}

int icssg_regs_init(struct icssg *icssg)
{
	unsigned int i;

	spin_lock_init(&icssg->lock);
	for (i = 0; i < ICSSG_SLICES; i++)
		reset_stats(icssg->slice[i].stats);
	for (i = 0; i < ARRAY_SIZE(regmap_configs); i++) {
		icssg->regmap[i] = regmap_init(icssg->dev, NULL, icssg, &regmap_configs[i]);
		if (IS_ERR(icssg->regmap[i])) {
			int ret = PTR_ERR(icssg->regmap[i]);

			icssg->regmap[i] = NULL;
			icssg_regs_exit(icssg);
			return ret;
		}
	}
	return 0;
}

void icssg_regs_exit(struct icssg *icssg)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regmap_configs); i++)
		if (icssg->regmap[i])
			regmap_exit(icssg->regmap[i]);
}
