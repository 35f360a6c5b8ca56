/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model of an ICSSG: PRUSS with its memories and cores, the firmware of each slice, MII_G_RT,
 * MII_RT, PA_STATS, IEP, MDIO, and the port of each slice.
 *
 *   MAC driver            model
 *   pruss_*, rproc_*   -> icssg_pruss.c   memories, cores, firmware files
 *   shared RAM, DRAM  <-> icssg_fw.c      mailbox, management commands, time: a timer's tick, once a
 *                                         millisecond, since nothing tells of a write to memory
 *   regmaps            -> icssg_regs.c    registers, hardware queues, statistics
 *   icss_iep_*         -> icssg_iep.c     time
 *   phylib             -> icssg_mdio.c    PHYs
 *   k3_udma_glue_*     -> udma_*.c     <-> icssg_port.c <-> wire.c
 *                                         one thread a slice moves the frames
 *
 * Locks: icssg->lock, with interrupts off, guards registers, queues, tables and statistics. The
 * locks of threads (psil->lock) may be taken before it and not within it.
 *
 * Facts are from the in-tree drivers of Linux 6.12 (drivers/net/ethernet/ti/icssg, drivers/soc/ti/pruss.c,
 * drivers/remoteproc/pru_rproc.c) and the device-tree bindings.
 */
#ifndef HWSIM_ICSSG_H
#define HWSIM_ICSSG_H

#include <linux/bits.h>
#include <linux/hrtimer.h>
#include <linux/if_ether.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/pruss_driver.h>
#include <linux/remoteproc.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>

#include "sim_irq.h"
#include "sim_lock.h"
#include "udma.h"
#include "wire.h"

#define ICSSG_SLICES 2
#define ICSSG_TX_THREADS 4
#define ICSSG_CORES_PER_SLICE 3
#define ICSSG_CORES (ICSSG_SLICES * ICSSG_CORES_PER_SLICE)
#define ICSSG_IEPS 2

#define ICSSG_DRAM_SIZE SZ_8K
#define ICSSG_SHRAM_SIZE SZ_64K

/* MII_G_RT */
#define MIIG_SIZE 0x1000
#define MIIG_ICSSG_CFG 0x000
#define MIIG_ICSSG_CFG_TX_L1_EN BIT(0)
#define MIIG_ICSSG_CFG_TX_L2_EN BIT(1)
#define MIIG_ICSSG_CFG_RX_L2_G_EN BIT(2)
#define MIIG_ICSSG_CFG_MODE(slice) (GENMASK(4, 3) << (2 * (slice)))
#define MIIG_ICSSG_CFG_TX_PRU_EN BIT(11)
#define MIIG_RGMII_CFG 0x004
#define MIIG_RGMII_CFG_GIG(slice) BIT(17 + 4 * (slice))
#define MIIG_RGMII_CFG_FULL(slice) BIT(18 + 4 * (slice))
#define MIIG_QUEUE 0xd00
#define MIIG_QUEUE_PEEK 0xe00
#define MIIG_QUEUE_COUNT 0xe40
#define MIIG_QUEUE_RESET 0xf40
#define MIIG_QUEUES 64
#define MIIG_QUEUE_DEPTH 64
#define MIIG_STATS 60
#define MIIG_CLASSES 16

/* Hardware queues of the firmware's interface, by slice */
#define FWQ_SPECIAL(slice) (40 + (slice)) /* free special packet descriptors; time stamps come back here */
#define FWQ_CMD_FREE(slice) (56 + 4 * (slice)) /* buffers for commands */
#define FWQ_CMD(slice) (57 + 4 * (slice)) /* commands to the firmware */
#define FWQ_RSP(slice) (58 + 4 * (slice)) /* its answers */
#define FWQ_TX_TS(slice) (59 + 4 * (slice)) /* transmit time stamps */

/* MII_RT */
#define MIIRT_SIZE 0x100
#define MIIRT_TXCFG(slice) (0x10 + 4 * (slice))
#define MIIRT_TXCFG_ENABLE BIT(0)
#define MIIRT_RX_FRMS(slice) (0x40 + 4 * (slice))

/* PA_STATS: counters of the firmware, by slice, cleared as they are read */
#define PA_STATS_SIZE 0x1000
#define PA_STAT(number, slice) (0x248 + 8 * (number) + 4 * (slice))

/* Events of the interrupt controller */
#define ICSSG_EVENTS 64
#define ICSSG_EVENT_TX_TS(slice) (24 + (slice))

/* Forwarding database: buckets of four */
#define FDB_BUCKETS 512
#define FDB_WAYS 4

/* Counters of MII_G_RT, by their place */
enum miig_stat {
	MIIG_RX_PACKETS,
	MIIG_RX_BROADCAST,
	MIIG_RX_MULTICAST,
	MIIG_RX_CRC_ERRORS,
	MIIG_RX_MII_ERRORS,
	MIIG_RX_ODD_NIBBLE,
	MIIG_RX_MAX_SIZE,		/* a setting */
	MIIG_RX_MAX_SIZE_ERRORS,
	MIIG_RX_MIN_SIZE,		/* a setting */
	MIIG_RX_MIN_SIZE_ERRORS,
	MIIG_RX_OVER_ERRORS,
	MIIG_RX_CLASS0_HITS,
	MIIG_RX_SMD_FRAGS = MIIG_RX_CLASS0_HITS + MIIG_CLASSES,
	MIIG_RX_BUCKET1_SIZE,		/* four settings */
	MIIG_RX_64B_FRAMES = MIIG_RX_BUCKET1_SIZE + 4,
	MIIG_RX_BUCKET1_FRAMES,
	MIIG_RX_BYTES = MIIG_RX_BUCKET1_FRAMES + 5,
	MIIG_RX_TX_BYTES,
	MIIG_TX_PACKETS,
	MIIG_TX_BROADCAST,
	MIIG_TX_MULTICAST,
	MIIG_TX_ODD_NIBBLE,
	MIIG_TX_UNDERFLOW,
	MIIG_TX_MAX_SIZE,		/* a setting */
	MIIG_TX_MAX_SIZE_ERRORS,
	MIIG_TX_MIN_SIZE,		/* a setting */
	MIIG_TX_MIN_SIZE_ERRORS,
	MIIG_TX_BUCKET1_SIZE,		/* four settings */
	MIIG_TX_64B_FRAMES = MIIG_TX_BUCKET1_SIZE + 4,
	MIIG_TX_BUCKET1_FRAMES,
	MIIG_TX_BYTES = MIIG_TX_BUCKET1_FRAMES + 5,
};

/* Counters of the firmware, by their place */
enum pa_stat {
	PA_FW_RX,
	PA_FW_TX,
	PA_FW_TX_PRE_OVERFLOW,
	PA_FW_TX_EXP_OVERFLOW,
	PA_STATS,
};

/* The cores of a slice, in the order of "ti,prus". */
enum icssg_core_kind { ICSSG_PRU, ICSSG_RTU, ICSSG_TX_PRU };

struct icssg;
struct icssg_slice;

/**
 * struct icssg_core - a PRU, RTU or TX_PRU
 * @rproc: what drivers hold; not registered with the remoteproc core
 * @icssg: the ICSSG
 * @slice: number of its slice
 * @kind: which of the slice's cores
 * @np: its node
 * @lock: all below
 * @client: node of the driver that has it
 * @firmware: name of the file to boot
 * @power: how often booted
 * @fits: the file that is running is the EMAC firmware for this core
 * @c28: constant-table entry 28
 */
struct icssg_core {
	struct rproc rproc;
	struct icssg *icssg;
	unsigned int slice;
	enum icssg_core_kind kind;
	struct device_node *np;
	struct mutex lock;
	struct device_node *client;
	char *firmware;
	int power;
	bool fits;
	u32 c28;
};

/**
 * struct icssg_hwq - a hardware queue of MII_G_RT
 * @elm: elements
 * @head: index of the oldest
 * @count: how many
 */
struct icssg_hwq {
	u16 elm[MIIG_QUEUE_DEPTH];
	u8 head;
	u8 count;
};

/* An entry of the forwarding database, as the firmware hands it out. */
struct icssg_fdb_entry {
	u8 mac[ETH_ALEN];
	u8 fid;
	u8 fid_c2;
} __packed;

/**
 * struct icssg_fw - the firmware of a slice
 * @running: its cores run it, and found what they need
 * @r30: state that mailbox commands set: of PRU, TX_PRU, RTU
 * @flow: receive flow that frames go to
 * @silent: fault: answers nothing
 * @commands: mailbox commands carried out
 * @messages: management commands carried out
 */
struct icssg_fw {
	bool running;
	u32 r30[4];
	u32 flow;
	bool silent;
	u64 commands;
	u64 messages;
};

/**
 * struct icssg_phy - the PHY of a port, and its cable
 * @cable: plugged
 * @speed: what the link partner offers, Mbit/s
 * @full_duplex: likewise
 * @bmcr: control register
 * @advertise: what this side offers
 * @ctrl1000: likewise, for 1000BASE-T
 * @lost: the link was down since the status was read
 */
struct icssg_phy {
	bool cable;
	u32 speed;
	bool full_duplex;
	u16 bmcr;
	u16 advertise;
	u16 ctrl1000;
	bool lost;
};

/* What became of frames, beside what the hardware counts. */
struct icssg_port_counts {
	u64 to_wire;
	u64 from_wire;
	u64 nobody;		/* no link partner took it */
	u64 no_link;		/* no link, or the wrong speed */
	u64 port_closed;	/* the firmware's port state forbids it */
	u64 filtered;		/* not for this host */
	u64 bad_tx;		/* makes no sense to the firmware */
	u64 no_buffer;		/* no buffer of the firmware's is configured */
	u64 dma;		/* the DMA did not take it */
};

/* Faults of a port that are no matter of the DMA; each counts down to none. */
struct icssg_port_faults {
	u32 crc;		/* frames received with a wrong FCS */
	u32 pause_ms;		/* the link partner sends PAUSE: nothing is sent for so long */
};

/**
 * struct icssg_slice - a slice: firmware and port
 * @icssg: the ICSSG
 * @id: 0 or 1
 * @tx: threads from the host
 * @rx: thread to the host
 * @fw: firmware
 * @phy: PHY
 * @wire: far end
 * @stats: counters of MII_G_RT
 * @pa: counters of the firmware
 * @counts: more counters
 * @faults: faults asked for
 * @rate_mbps: pace of the wire: as the link's speed, or another; 0: the link's
 * @unlimited: no pace at all
 * @thread: moves the frames
 * @work: bit 0: there is something to do
 * @tx_free: when the wire takes the next frame
 * @rx_free: when it brings the next
 * @buf: the frame under way
 */
struct icssg_slice {
	struct icssg *icssg;
	unsigned int id;
	struct psil tx[ICSSG_TX_THREADS];
	struct psil rx;
	struct icssg_fw fw;
	struct icssg_phy phy;
	struct sim_wire wire;
	u32 stats[MIIG_STATS];
	u32 pa[PA_STATS];
	struct icssg_port_counts counts;
	struct icssg_port_faults faults;
	u32 rate_mbps;
	bool unlimited;
	struct task_struct *thread;
	unsigned long work;
	ktime_t tx_free;
	ktime_t rx_free;
	u8 *buf;
};

struct icss_iep;

/**
 * struct icssg - an ICSSG
 * @dev: its device
 * @node: in the list of all
 * @pruss: what drivers hold
 * @gpmux: PRUSS_CFG: pin multiplexer, by slice
 * @gpi_mode: PRUSS_CFG: general-purpose input mode, by slice
 * @xfr: PRUSS_CFG: scratch-pad shift, by type of core
 * @core: the cores, in the order of "ti,prus"
 * @slice: the slices
 * @lock: see above
 * @miig: registers of MII_G_RT
 * @miirt: registers of MII_RT
 * @pa_regs: registers of PA_STATS that are no counter
 * @hwq: hardware queues
 * @fdb: forwarding database
 * @regmap: of MII_G_RT, MII_RT, PA_STATS
 * @intc: interrupt controller
 * @tick: of the firmware
 * @ticking: cores that run
 * @iep: the IEPs
 * @time_offset: IEP time less monotonic time, ns
 * @mdio: MDIO bus
 * @debugfs: its directory
 */
struct icssg {
	struct device *dev;
	struct list_head node;
	struct pruss pruss;
	u8 gpmux[ICSSG_SLICES];
	enum pruss_gpi_mode gpi_mode[ICSSG_SLICES];
	bool xfr[PRU_TYPE_MAX];
	struct icssg_core core[ICSSG_CORES];
	struct icssg_slice slice[ICSSG_SLICES];
	spinlock_t lock;
	u32 miig[MIIG_SIZE / 4];
	u32 miirt[MIIRT_SIZE / 4];
	u32 pa_regs[PA_STATS_SIZE / 4];
	struct icssg_hwq hwq[MIIG_QUEUES];
	struct icssg_fdb_entry fdb[FDB_BUCKETS][FDB_WAYS];
	struct regmap *regmap[3];
	struct sim_intc *intc;
	struct hrtimer tick;
	atomic_t ticking;
	struct icss_iep *iep[ICSSG_IEPS];
	u64 time_offset;
	struct mii_bus *mdio;
	struct dentry *debugfs;
};

/* icssg_main.c */
struct icssg *icssg_find(struct device_node *child);

/* icssg_pruss.c */
int icssg_pruss_init(struct icssg *icssg);
void icssg_pruss_exit(struct icssg *icssg);
void __iomem *icssg_dram(struct icssg_slice *slice);
void __iomem *icssg_shram(struct icssg *icssg);

/* icssg_regs.c; those with _locked want icssg->lock held */
int icssg_regs_init(struct icssg *icssg);
void icssg_regs_exit(struct icssg *icssg);
int icssg_hwq_pop_locked(struct icssg *icssg, unsigned int queue);
void icssg_hwq_push_locked(struct icssg *icssg, unsigned int queue, u16 value);
void icssg_count_rx(struct icssg_slice *slice, const u8 *data, u32 len, u32 classes);
void icssg_count_tx(struct icssg_slice *slice, const u8 *data, u32 len);
void icssg_count(struct icssg_slice *slice, enum miig_stat stat);
void icssg_count_pa(struct icssg_slice *slice, enum pa_stat stat);

/* icssg_fw.c */
void icssg_fw_init(struct icssg *icssg);
void icssg_fw_core_started(struct icssg_core *core);
void icssg_fw_core_stopped(struct icssg_core *core);
bool icssg_fw_rx_open(struct icssg_slice *slice);
bool icssg_fw_tx_open(struct icssg_slice *slice);
bool icssg_fw_wants(struct icssg_slice *slice, const u8 *data, u32 *classes);
bool icssg_fw_rx_buffer(struct icssg_slice *slice);
bool icssg_fw_tx_buffer(struct icssg_slice *slice, unsigned int queue, u32 len);
void icssg_fw_tx_stamp(struct icssg_slice *slice, u32 cookie);
void icssg_fw_rx_stamp(struct icssg_slice *slice, u32 *words);

/* icssg_iep.c */
int icssg_iep_create(struct icssg *icssg);
void icssg_iep_destroy(struct icssg *icssg);
u64 icssg_time(struct icssg *icssg);
void icssg_set_time(struct icssg *icssg, u64 ns);

/* icssg_mdio.c */
int icssg_mdio_create(struct icssg *icssg);
void icssg_mdio_destroy(struct icssg *icssg);
bool icssg_phy_link(const struct icssg_phy *phy);
u32 icssg_phy_speed(const struct icssg_phy *phy);
bool icssg_phy_full_duplex(const struct icssg_phy *phy);
void icssg_phy_set_cable(struct icssg_slice *slice, bool plugged);

/* icssg_port.c */
void icssg_port_kick(void *slice);
int icssg_port_start(struct icssg_slice *slice, u32 psil_base);
void icssg_port_stop(struct icssg_slice *slice);

/* icssg_debugfs.c */
void icssg_debugfs_create(struct icssg *icssg);

#endif /* HWSIM_ICSSG_H */
