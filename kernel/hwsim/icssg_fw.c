// SPDX-License-Identifier: GPL-2.0-only
/*
 * The EMAC firmware of a slice: what it does with its memories and queues. It looks at them once a
 * millisecond, as drivers expect an answer within ten.
 */

#include <linux/bitrev.h>
#include <linux/crc32.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/io.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "icssg.h"

#define FW_TICK_NS NSEC_PER_MSEC

/* Data RAM */
#define DRAM_FLOW 0x0024
#define DRAM_LINK_SPEED 0x00a8
#define DRAM_R30_CMD 0x05ac
#define DRAM_BUFFER_POOLS 0x05bc
#define DRAM_FDB_BUFFER 0x0894
#define DRAM_HOST_RX_EXPRESS 0x0940

/* Buffer pools 8 to 15 of a slice are for frames that its own port sends. */
#define POOL_LOCAL_INJECTION 8
#define POOL_LOCAL_QUEUES 8
/* The firmware takes the low bits of the first pool's address for granted. */
#define POOL_ALIGN SZ_64K

/* Shared RAM */
#define SHRAM_VLAN_TABLE 0x0100
#define SHRAM_CYCLE_COUNT 0x83ec
#define SHRAM_ROLLOVER_COUNT 0x83f4
#define SHRAM_COUNT_HI_SW 0x83f8
#define SHRAM_SETCLOCK 0x83fc

#define IEP_CYCLE_NS NSEC_PER_MSEC
#define IEP_HI_BITS 23

/* Mailbox: the upper half of a word is an AND mask, the lower is ORed in; this one changes nothing. */
#define R30_NONE 0xffff0000
/* State of the cores that it changes: PRU, TX_PRU, RTU. */
#define R30_PRU_DISABLED BIT(2)
#define R30_PRU_VLAN_AWARE BIT(4)
#define R30_PRU_BLOCKED BIT(6)
#define R30_TX_DISABLED BIT(8)
#define R30_TX_BLOCKED BIT(9)
#define R30_RTU_DISABLED BIT(2)
#define R30_RTU_UC_FLOOD BIT(10)
#define R30_RTU_MC_FLOOD BIT(11)

/* Management commands */
#define MGMT_HEADER 0x81
#define MGMT_TYPE_FDB 0x03
#define MGMT_TYPE_RX_FLOW 0x05
#define MGMT_FDB_ADD 1
#define MGMT_FDB_DEL 2
#define MGMT_FDB_GET 5
#define MGMT_OK 1
#define MGMT_FAILED 0
/* Special packet descriptors, of this size, that the firmware makes command buffers of. */
#define SPECIAL_PD_SIZE 20
#define MGMT_BUFFERS 8

#define FDB_VALID BIT(7)
#define FDB_HOST BIT(0)

/* Classifiers, by slice */
static const u32 rx_class_base[ICSSG_SLICES] = { 0x40c, 0x9d8 };
static const u32 rx_gate_base[ICSSG_SLICES] = { 0x494, 0xa60 };
static const u32 mac_base[ICSSG_SLICES] = { 0x008, 0x010 };
#define RX_CLASS_OR(n) (8 * (n) + 4)
#define RX_CLASS_MC BIT(30)
#define RX_CLASS_BC BIT(29)
#define RX_CLASS_DA_P BIT(25)
#define RX_GATE_RAW BIT(5)

/* A buffer between commands and answers: a link of the firmware's, then the message. */
struct mgmt_message {
	__le32 link;
	u8 status; /* in a command: what to do, low half; slice, high half */
	u8 seqnum;
	u8 type;
	u8 header;
	__le32 args[3];
} __packed;
static_assert(sizeof(struct mgmt_message) == SPECIAL_PD_SIZE);

struct tx_stamp {
	__le32 reserved[2];
	__le32 cookie;
	__le32 lo;
	__le32 hi;
} __packed;
static_assert(sizeof(struct tx_stamp) == SPECIAL_PD_SIZE);

struct setclock {
	u8 request;
	u8 restore;
	u8 acknowledgment;
	u8 cmp_status;
	__le32 margin;
	__le32 cycles_lo;
	__le32 cycles_hi;
	__le32 count;
} __packed;

static bool r30_pending(struct icssg_slice *slice)
{
	u32 __iomem *word = icssg_dram(slice) + DRAM_R30_CMD;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(slice->fw.r30); i++)
		if (readl(word + i) != R30_NONE)
			return true;
	return false;
}

/* The driver may be in the middle of writing: a word is taken back only if it is still the one carried out. */
static void take_back(u32 *word, u32 done, u32 idle)
{
	cmpxchg(word, done, idle);
}

static void do_mailbox(struct icssg_slice *slice)
{
	u32 *word = (u32 __force *)(icssg_dram(slice) + DRAM_R30_CMD);
	unsigned int i;
	u32 cmd;

	if (!r30_pending(slice))
		return;
	for (i = 0; i < ARRAY_SIZE(slice->fw.r30); i++) {
		cmd = smp_load_acquire(&word[i]);
		slice->fw.r30[i] = (slice->fw.r30[i] & (cmd >> 16)) | (cmd & 0xffff);
		take_back(&word[i], cmd, R30_NONE);
	}
	slice->fw.commands++;
	/* What the port may do has changed. */
	icssg_port_kick(slice);
}

static u8 fdb_add(struct icssg_fdb_entry *bucket, const struct icssg_fdb_entry *entry)
{
	struct icssg_fdb_entry *free = NULL;
	unsigned int i;

	for (i = 0; i < FDB_WAYS; i++) {
		if (!(bucket[i].fid_c2 & FDB_VALID))
			free = free ?: &bucket[i];
		else if (ether_addr_equal_unaligned(bucket[i].mac, entry->mac) && bucket[i].fid == entry->fid)
			free = &bucket[i];
		else
			continue;
		if (bucket[i].fid_c2 & FDB_VALID)
			break;
	}
	if (!free)
		return MGMT_FAILED;
	*free = *entry;
	return MGMT_OK;
}

static u8 fdb_del(struct icssg_fdb_entry *bucket, const struct icssg_fdb_entry *entry)
{
	unsigned int i;

	for (i = 0; i < FDB_WAYS; i++) {
		if (!(bucket[i].fid_c2 & FDB_VALID) || bucket[i].fid != entry->fid ||
		    !ether_addr_equal_unaligned(bucket[i].mac, entry->mac))
			continue;
		memset(&bucket[i], 0, sizeof(bucket[i]));
		return MGMT_OK;
	}
	return MGMT_FAILED;
}

static u8 do_fdb(struct icssg_slice *slice, const struct mgmt_message *message)
{
	u32 slot = le32_to_cpu(message->args[2]);
	struct icssg_fdb_entry entry, *bucket;

	if (slot >= FDB_BUCKETS)
		return MGMT_FAILED;
	bucket = slice->icssg->fdb[slot];
	memcpy(&entry, message->args, sizeof(entry));
	switch (message->status & 0xf) {
	case MGMT_FDB_ADD:
		return fdb_add(bucket, &entry);
	case MGMT_FDB_DEL:
		return fdb_del(bucket, &entry);
	case MGMT_FDB_GET:
		memcpy_toio(icssg_dram(slice) + DRAM_FDB_BUFFER, bucket, FDB_WAYS * sizeof(*bucket));
		return MGMT_OK;
	}
	return MGMT_FAILED;
}

static u8 do_message(struct icssg_slice *slice, const struct mgmt_message *message)
{
	if (message->header != MGMT_HEADER)
		return MGMT_FAILED;
	switch (message->type) {
	case MGMT_TYPE_FDB:
		return do_fdb(slice, message);
	case MGMT_TYPE_RX_FLOW:
		slice->fw.flow = readw(icssg_dram(slice) + DRAM_FLOW);
		return MGMT_OK;
	}
	return MGMT_FAILED;
}

/* Answers all commands that wait. Caller holds the lock. */
static void do_management(struct icssg_slice *slice)
{
	struct icssg *icssg = slice->icssg;
	struct mgmt_message message;
	void __iomem *buf;
	int addr;

	while ((addr = icssg_hwq_pop_locked(icssg, FWQ_CMD(slice->id))) >= 0) {
		if (addr > ICSSG_SHRAM_SIZE - SPECIAL_PD_SIZE) {
			dev_warn_ratelimited(icssg->dev, "slice %u: command at 0x%x\n", slice->id, addr);
			continue;
		}
		buf = icssg_shram(icssg) + addr;
		memcpy_fromio(&message, buf, sizeof(message));
		message.status = do_message(slice, &message);
		memcpy_toio(buf, &message, sizeof(message));
		slice->fw.messages++;
		icssg_hwq_push_locked(icssg, FWQ_RSP(slice->id), addr);
	}
}

static void do_time(struct icssg *icssg)
{
	struct setclock __iomem *setclock = icssg_shram(icssg) + SHRAM_SETCLOCK;
	void __iomem *shram = icssg_shram(icssg);
	u64 cycles;

	if (readb(&setclock->request)) {
		cycles = readl(&setclock->cycles_lo) | (u64)readl(&setclock->cycles_hi) << 32;
		icssg_set_time(icssg, cycles * IEP_CYCLE_NS + readl(&setclock->count));
		writeb(0, &setclock->request);
		writeb(1, &setclock->acknowledgment);
	}
	cycles = div_u64(icssg_time(icssg), IEP_CYCLE_NS);
	writel(lower_32_bits(cycles), shram + SHRAM_CYCLE_COUNT);
	writel(upper_32_bits(cycles), shram + SHRAM_CYCLE_COUNT + 4);
	writel(cycles >> IEP_HI_BITS, shram + SHRAM_ROLLOVER_COUNT);
	writel(0, shram + SHRAM_COUNT_HI_SW);
}

static enum hrtimer_restart fw_tick(struct hrtimer *timer)
{
	struct icssg *icssg = container_of(timer, struct icssg, tick);
	bool alive = false;
	unsigned int i;

	scoped_guard(sim_lock, &icssg->lock) {
		for (i = 0; i < ICSSG_SLICES; i++) {
			if (!icssg->slice[i].fw.running || READ_ONCE(icssg->slice[i].fw.silent))
				continue;
			do_mailbox(&icssg->slice[i]);
			do_management(&icssg->slice[i]);
			alive = true;
		}
		if (alive)
			do_time(icssg);
	}
	hrtimer_forward_now(timer, FW_TICK_NS);
	return HRTIMER_RESTART;
}

void icssg_fw_init(struct icssg *icssg)
{
	hrtimer_init(&icssg->tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	icssg->tick.function = fw_tick;
}

/* What a slice's firmware needs of the PRUSS and its memories; Return: what is missing, or NULL. */
static const char *fw_missing(struct icssg_slice *slice)
{
	struct icssg_core *core = &slice->icssg->core[slice->id * ICSSG_CORES_PER_SLICE];
	struct icssg *icssg = slice->icssg;
	unsigned int i;
	u32 pool;

	for (i = 0; i < ICSSG_CORES_PER_SLICE; i++) {
		if (!core[i].fits)
			return "not this core's firmware";
		if (core[i].c28 != 0x100 << 8)
			return "constant table entry 28 does not point to the shared RAM";
	}
	if (icssg->gpi_mode[slice->id] != PRUSS_GPI_MODE_MII)
		return "the general-purpose inputs are not in MII mode";
	if (!icssg->xfr[PRU_TYPE_PRU] || !icssg->xfr[PRU_TYPE_RTU])
		return "the scratch-pad shift is off";
	pool = readl(icssg_dram(slice) + DRAM_BUFFER_POOLS + 8 * POOL_LOCAL_INJECTION);
	if (!IS_ALIGNED(pool, POOL_ALIGN))
		return "the first buffer pool is not aligned to 64 KiB";
	return NULL;
}

static void fw_start(struct icssg_slice *slice)
{
	const char *missing = fw_missing(slice);
	struct icssg *icssg = slice->icssg;
	unsigned int i;
	int pd;

	if (missing) {
		dev_warn(icssg->dev, "slice %u: the firmware does not run: %s\n", slice->id, missing);
		return;
	}
	guard(sim_lock)(&icssg->lock);
	slice->fw.r30[0] = R30_PRU_DISABLED;
	slice->fw.r30[1] = R30_TX_DISABLED;
	slice->fw.r30[2] = R30_RTU_DISABLED;
	slice->fw.r30[3] = 0;
	slice->fw.flow = readw(icssg_dram(slice) + DRAM_FLOW);
	for (i = 0; i < MGMT_BUFFERS; i++) {
		pd = icssg_hwq_pop_locked(icssg, FWQ_SPECIAL(slice->id));
		if (pd >= 0)
			icssg_hwq_push_locked(icssg, FWQ_CMD_FREE(slice->id), pd);
	}
	slice->fw.running = true;
}

static bool all_run(const struct icssg_core *core)
{
	return core[ICSSG_PRU].power && core[ICSSG_RTU].power && core[ICSSG_TX_PRU].power;
}

/* Caller holds the core's lock. */
void icssg_fw_core_started(struct icssg_core *core)
{
	struct icssg *icssg = core->icssg;

	if (all_run(&icssg->core[core->slice * ICSSG_CORES_PER_SLICE]))
		fw_start(&icssg->slice[core->slice]);
	if (atomic_inc_return(&icssg->ticking) == 1)
		hrtimer_start(&icssg->tick, FW_TICK_NS, HRTIMER_MODE_REL_HARD);
}

/* Caller holds the core's lock. */
void icssg_fw_core_stopped(struct icssg_core *core)
{
	struct icssg_slice *slice = &core->icssg->slice[core->slice];
	struct icssg *icssg = core->icssg;
	unsigned int queue;

	if (atomic_dec_and_test(&icssg->ticking))
		hrtimer_cancel(&icssg->tick);
	guard(sim_lock)(&icssg->lock);
	if (!slice->fw.running)
		return;
	slice->fw.running = false;
	/* What its queues held was in memory that is not its any more. */
	for (queue = FWQ_CMD_FREE(slice->id); queue <= FWQ_TX_TS(slice->id); queue++)
		while (icssg_hwq_pop_locked(icssg, queue) >= 0)
			;
	if (core->slice == 0 && !icssg->slice[1].fw.running)
		memset(icssg->fdb, 0, sizeof(icssg->fdb));
}

bool icssg_fw_rx_open(struct icssg_slice *slice)
{
	return READ_ONCE(slice->fw.running) &&
	       !(READ_ONCE(slice->fw.r30[0]) & (R30_PRU_DISABLED | R30_PRU_BLOCKED));
}

bool icssg_fw_tx_open(struct icssg_slice *slice)
{
	return READ_ONCE(slice->fw.running) &&
	       !(READ_ONCE(slice->fw.r30[1]) & (R30_TX_DISABLED | R30_TX_BLOCKED));
}

static u32 miig(struct icssg_slice *slice, u32 reg)
{
	return READ_ONCE(slice->icssg->miig[reg / 4]);
}

static bool is_port_address(struct icssg_slice *slice, const u8 *addr)
{
	u32 lo = miig(slice, mac_base[slice->id]), hi = miig(slice, mac_base[slice->id] + 4);
	u8 mac[ETH_ALEN] = { lo, lo >> 8, lo >> 16, lo >> 24, hi, hi >> 8 };

	return ether_addr_equal_unaligned(addr, mac);
}

/* Ports that an address is for, as a mask with the host at bit 0. */
static u8 fdb_ports(struct icssg *icssg, const u8 *addr, u8 fid)
{
	u8 key[ETH_ALEN + 2] = { addr[0], addr[1], addr[2], addr[3], addr[4], addr[5], fid, 0 };
	u32 slot = bitrev32(crc32_le(0, key, sizeof(key))) & (FDB_BUCKETS - 1);
	const struct icssg_fdb_entry *entry = icssg->fdb[slot];
	unsigned int i;

	guard(sim_lock)(&icssg->lock);
	for (i = 0; i < FDB_WAYS; i++)
		if (entry[i].fid_c2 & FDB_VALID && entry[i].fid == fid &&
		    ether_addr_equal_unaligned(addr, entry[i].mac))
			return entry[i].fid_c2 & ~FDB_VALID;
	return 0;
}

/* In VLAN-aware mode a frame's VLAN must have the port for a member. */
static bool vlan_member(struct icssg_slice *slice, const u8 *data, u8 *fid)
{
	const struct vlan_ethhdr *header = (const void *)data;
	void __iomem *entry;
	u16 vid = 0;

	*fid = 0;
	if (!(READ_ONCE(slice->fw.r30[0]) & R30_PRU_VLAN_AWARE))
		return true;
	if (header->h_vlan_proto == htons(ETH_P_8021Q))
		vid = ntohs(header->h_vlan_TCI) & VLAN_VID_MASK;
	entry = icssg_shram(slice->icssg) + SHRAM_VLAN_TABLE + 2 * vid;
	*fid = readb(entry + 1);
	return readb(entry) & BIT(slice->id + 1);
}

/* Whether a frame is for the host; @classes: the classifiers that it hits. */
bool icssg_fw_wants(struct icssg_slice *slice, const u8 *data, u32 *classes)
{
	u32 rtu = READ_ONCE(slice->fw.r30[2]);
	bool raw = false, flood;
	u32 hit, match = 0;
	unsigned int i;
	u8 fid;

	if (is_broadcast_ether_addr(data))
		match = RX_CLASS_BC;
	else if (is_multicast_ether_addr(data))
		match = RX_CLASS_MC;
	else if (is_port_address(slice, data))
		match = RX_CLASS_DA_P;

	*classes = 0;
	for (i = 0; i < MIIG_CLASSES; i++) {
		hit = miig(slice, rx_class_base[slice->id] + RX_CLASS_OR(i)) & match;
		raw |= miig(slice, rx_gate_base[slice->id] + 4 * i) & RX_GATE_RAW;
		if (hit)
			*classes |= BIT(i);
	}
	if (!vlan_member(slice, data, &fid))
		return false;
	flood = rtu & (is_multicast_ether_addr(data) ? R30_RTU_MC_FLOOD : R30_RTU_UC_FLOOD);
	return *classes || raw || flood || fdb_ports(slice->icssg, data, fid) & (BIT(slice->id + 1) | FDB_HOST);
}

/* Whether there is room to hand a frame to the host: the queue that the driver sets aside in the MSMC. */
bool icssg_fw_rx_buffer(struct icssg_slice *slice)
{
	void __iomem *context = icssg_dram(slice) + DRAM_HOST_RX_EXPRESS;
	u32 start = readl(context), end = readl(context + 12);

	return start && end > start;
}

/* Whether a frame of the host's fits the buffer pool of its queue. */
bool icssg_fw_tx_buffer(struct icssg_slice *slice, unsigned int queue, u32 len)
{
	void __iomem *pool = icssg_dram(slice) + DRAM_BUFFER_POOLS + 8 * (POOL_LOCAL_INJECTION + queue);

	return queue < POOL_LOCAL_QUEUES && readl(pool) && readl(pool + 4) >= len;
}

/* Time as the firmware writes it: 20 bits within the cycle, 23 of the cycle, the rest of rollovers. */
static void split_time(u64 ns, u32 *lo, u32 *hi)
{
	u32 within;
	u64 cycles = div_u64_rem(ns, IEP_CYCLE_NS, &within);

	*lo = within | cycles << 20;
	*hi = ((cycles >> 12) & GENMASK(10, 0)) | (cycles >> IEP_HI_BITS) << 11;
}

void icssg_fw_rx_stamp(struct icssg_slice *slice, u32 *words)
{
	split_time(icssg_time(slice->icssg), &words[0], &words[1]);
}

void icssg_fw_tx_stamp(struct icssg_slice *slice, u32 cookie)
{
	struct icssg *icssg = slice->icssg;
	struct tx_stamp stamp = { };
	u32 lo, hi;
	int pd;

	split_time(icssg_time(icssg), &lo, &hi);
	stamp.cookie = cpu_to_le32(cookie);
	stamp.lo = cpu_to_le32(lo);
	stamp.hi = cpu_to_le32(hi);
	guard(sim_lock)(&icssg->lock);
	pd = icssg_hwq_pop_locked(icssg, FWQ_SPECIAL(slice->id));
	if (pd < 0 || pd > ICSSG_SHRAM_SIZE - SPECIAL_PD_SIZE)
		return;
	memcpy_toio(icssg_shram(icssg) + pd, &stamp, sizeof(stamp));
	icssg_hwq_push_locked(icssg, FWQ_TX_TS(slice->id), pd);
}
