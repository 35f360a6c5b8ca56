// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of the MAC. The registers are 32 bits wide and wrap (octets within 34
 * seconds at 1 Gbit/s), and a reset of the block clears them; they are summed up
 * here in 64 bits, on every reading and from time to time while the port is up.
 */
#include <linux/ethtool.h>

#include "fec.h"

#define FEC_MIB_PERIOD		(15 * HZ)

#define FEC_MIB_SLOT(reg)	(((reg) - ENET_MIB_FIRST) / 4)

/* The names are those of the in-tree driver: scripts know them. NULL: no register. */
static const char *const fec_mib_names[FEC_MIB_SLOTS] = {
	[FEC_MIB_SLOT(ENET_RMON_T_DROP)]	= "tx_dropped",
	[FEC_MIB_SLOT(ENET_RMON_T_PACKETS)]	= "tx_packets",
	[FEC_MIB_SLOT(ENET_RMON_T_BC_PKT)]	= "tx_broadcast",
	[FEC_MIB_SLOT(ENET_RMON_T_MC_PKT)]	= "tx_multicast",
	[FEC_MIB_SLOT(ENET_RMON_T_CRC_ALIGN)]	= "tx_crc_errors",
	[FEC_MIB_SLOT(ENET_RMON_T_UNDERSIZE)]	= "tx_undersize",
	[FEC_MIB_SLOT(ENET_RMON_T_OVERSIZE)]	= "tx_oversize",
	[FEC_MIB_SLOT(ENET_RMON_T_FRAG)]	= "tx_fragment",
	[FEC_MIB_SLOT(ENET_RMON_T_JAB)]		= "tx_jabber",
	[FEC_MIB_SLOT(ENET_RMON_T_COL)]		= "tx_collision",
	[FEC_MIB_SLOT(ENET_RMON_T_P64)]		= "tx_64byte",
	[FEC_MIB_SLOT(ENET_RMON_T_P65TO127)]	= "tx_65to127byte",
	[FEC_MIB_SLOT(ENET_RMON_T_P128TO255)]	= "tx_128to255byte",
	[FEC_MIB_SLOT(ENET_RMON_T_P256TO511)]	= "tx_256to511byte",
	[FEC_MIB_SLOT(ENET_RMON_T_P512TO1023)]	= "tx_512to1023byte",
	[FEC_MIB_SLOT(ENET_RMON_T_P1024TO2047)]	= "tx_1024to2047byte",
	[FEC_MIB_SLOT(ENET_RMON_T_P_GTE2048)]	= "tx_GTE2048byte",
	[FEC_MIB_SLOT(ENET_RMON_T_OCTETS)]	= "tx_octets",
	[FEC_MIB_SLOT(ENET_IEEE_T_DROP)]	= "IEEE_tx_drop",
	[FEC_MIB_SLOT(ENET_IEEE_T_FRAME_OK)]	= "IEEE_tx_frame_ok",
	[FEC_MIB_SLOT(ENET_IEEE_T_1COL)]	= "IEEE_tx_1col",
	[FEC_MIB_SLOT(ENET_IEEE_T_MCOL)]	= "IEEE_tx_mcol",
	[FEC_MIB_SLOT(ENET_IEEE_T_DEF)]		= "IEEE_tx_def",
	[FEC_MIB_SLOT(ENET_IEEE_T_LCOL)]	= "IEEE_tx_lcol",
	[FEC_MIB_SLOT(ENET_IEEE_T_EXCOL)]	= "IEEE_tx_excol",
	[FEC_MIB_SLOT(ENET_IEEE_T_MACERR)]	= "IEEE_tx_macerr",
	[FEC_MIB_SLOT(ENET_IEEE_T_CSERR)]	= "IEEE_tx_cserr",
	[FEC_MIB_SLOT(ENET_IEEE_T_SQE)]		= "IEEE_tx_sqe",
	[FEC_MIB_SLOT(ENET_IEEE_T_FDXFC)]	= "IEEE_tx_fdxfc",
	[FEC_MIB_SLOT(ENET_IEEE_T_OCTETS_OK)]	= "IEEE_tx_octets_ok",
	[FEC_MIB_SLOT(ENET_RMON_R_PACKETS)]	= "rx_packets",
	[FEC_MIB_SLOT(ENET_RMON_R_BC_PKT)]	= "rx_broadcast",
	[FEC_MIB_SLOT(ENET_RMON_R_MC_PKT)]	= "rx_multicast",
	[FEC_MIB_SLOT(ENET_RMON_R_CRC_ALIGN)]	= "rx_crc_errors",
	[FEC_MIB_SLOT(ENET_RMON_R_UNDERSIZE)]	= "rx_undersize",
	[FEC_MIB_SLOT(ENET_RMON_R_OVERSIZE)]	= "rx_oversize",
	[FEC_MIB_SLOT(ENET_RMON_R_FRAG)]	= "rx_fragment",
	[FEC_MIB_SLOT(ENET_RMON_R_JAB)]		= "rx_jabber",
	[FEC_MIB_SLOT(ENET_RMON_R_P64)]		= "rx_64byte",
	[FEC_MIB_SLOT(ENET_RMON_R_P65TO127)]	= "rx_65to127byte",
	[FEC_MIB_SLOT(ENET_RMON_R_P128TO255)]	= "rx_128to255byte",
	[FEC_MIB_SLOT(ENET_RMON_R_P256TO511)]	= "rx_256to511byte",
	[FEC_MIB_SLOT(ENET_RMON_R_P512TO1023)]	= "rx_512to1023byte",
	[FEC_MIB_SLOT(ENET_RMON_R_P1024TO2047)]	= "rx_1024to2047byte",
	[FEC_MIB_SLOT(ENET_RMON_R_P_GTE2048)]	= "rx_GTE2048byte",
	[FEC_MIB_SLOT(ENET_RMON_R_OCTETS)]	= "rx_octets",
	[FEC_MIB_SLOT(ENET_IEEE_R_DROP)]	= "IEEE_rx_drop",
	[FEC_MIB_SLOT(ENET_IEEE_R_FRAME_OK)]	= "IEEE_rx_frame_ok",
	[FEC_MIB_SLOT(ENET_IEEE_R_CRC)]		= "IEEE_rx_crc",
	[FEC_MIB_SLOT(ENET_IEEE_R_ALIGN)]	= "IEEE_rx_align",
	[FEC_MIB_SLOT(ENET_IEEE_R_MACERR)]	= "IEEE_rx_macerr",
	[FEC_MIB_SLOT(ENET_IEEE_R_FDXFC)]	= "IEEE_rx_fdxfc",
	[FEC_MIB_SLOT(ENET_IEEE_R_OCTETS_OK)]	= "IEEE_rx_octets_ok",
};

/* Lock held. */
static void fec_mib_read(struct fec_priv *fec, unsigned int slot)
{
	struct fec_mib *mib = &fec->mib;
	u32 now;

	if (!mib->on)
		return;
	now = fec_rd(fec, ENET_MIB_FIRST + 4 * slot);
	mib->sum[slot] += (u32)(now - mib->last[slot]);
	mib->last[slot] = now;
}

static void fec_mib_read_all(struct fec_priv *fec)
{
	unsigned int i;

	lockdep_assert_held(&fec->mib.lock);
	for (i = 0; i < FEC_MIB_SLOTS; i++)
		if (fec_mib_names[i])
			fec_mib_read(fec, i);
}

static void fec_mib_work(struct work_struct *work)
{
	struct fec_priv *fec = container_of(work, struct fec_priv, mib.work.work);

	spin_lock_bh(&fec->mib.lock);
	fec_mib_read_all(fec);
	spin_unlock_bh(&fec->mib.lock);
	schedule_delayed_work(&fec->mib.work, FEC_MIB_PERIOD);
}

void fec_mib_init(struct fec_priv *fec)
{
	spin_lock_init(&fec->mib.lock);
	INIT_DELAYED_WORK(&fec->mib.work, fec_mib_work);
}

/* While the port is up. Process context. */
void fec_mib_start(struct fec_priv *fec)
{
	schedule_delayed_work(&fec->mib.work, FEC_MIB_PERIOD);
}

void fec_mib_stop(struct fec_priv *fec)
{
	cancel_delayed_work_sync(&fec->mib.work);
}

/* Before a reset of the block clears the registers. */
void fec_mib_save(struct fec_priv *fec)
{
	spin_lock_bh(&fec->mib.lock);
	fec_mib_read_all(fec);
	fec->mib.on = false;
	spin_unlock_bh(&fec->mib.lock);
}

/* After it: count on from whatever the registers hold. */
void fec_mib_restart(struct fec_priv *fec)
{
	unsigned int i;

	spin_lock_bh(&fec->mib.lock);
	fec_wr(fec, ENET_MIBC, 0);
	for (i = 0; i < FEC_MIB_SLOTS; i++)
		if (fec_mib_names[i])
			fec->mib.last[i] = fec_rd(fec, ENET_MIB_FIRST + 4 * i);
	fec->mib.on = true;
	spin_unlock_bh(&fec->mib.lock);
}

/**
 * fec_mib_get() - one counter
 * @fec: the device
 * @reg: its register, ENET_RMON_* or ENET_IEEE_*
 *
 * Return: what it counted since probe.
 */
u64 fec_mib_get(struct fec_priv *fec, u32 reg)
{
	u64 val;

	spin_lock_bh(&fec->mib.lock);
	fec_mib_read(fec, FEC_MIB_SLOT(reg));
	val = fec->mib.sum[FEC_MIB_SLOT(reg)];
	spin_unlock_bh(&fec->mib.lock);

	return val;
}

int fec_mib_count(void)
{
	int n = 0;
	unsigned int i;

	for (i = 0; i < FEC_MIB_SLOTS; i++)
		n += !!fec_mib_names[i];
	return n;
}

void fec_mib_strings(u8 **data)
{
	unsigned int i;

	for (i = 0; i < FEC_MIB_SLOTS; i++)
		if (fec_mib_names[i])
			ethtool_puts(data, fec_mib_names[i]);
}

/* Fills in fec_mib_count() values and returns where the next one goes. */
u64 *fec_mib_stats(struct fec_priv *fec, u64 *data)
{
	unsigned int i;

	spin_lock_bh(&fec->mib.lock);
	fec_mib_read_all(fec);
	for (i = 0; i < FEC_MIB_SLOTS; i++)
		if (fec_mib_names[i])
			*data++ = fec->mib.sum[i];
	spin_unlock_bh(&fec->mib.lock);

	return data;
}
