// SPDX-License-Identifier: GPL-2.0-only
/* What of an ICSSG can be set and read by hand: see doc/hwsim.md. */

#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "icssg.h"

static int cable_get(void *slice, u64 *value)
{
	*value = ((struct icssg_slice *)slice)->phy.cable;
	return 0;
}

static int cable_set(void *slice, u64 value)
{
	icssg_phy_set_cable(slice, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(cable_fops, cable_get, cable_set, "%llu\n");

static void show_psil(struct seq_file *out, const char *name, const struct psil *psil)
{
	const struct psil_counts *c = &psil->counts;

	seq_printf(out, "%s: channel=%u packets=%llu bytes=%llu starved=%llu no_channel=%llu bad_desc=%llu ", name,
		   psil->tx || psil->rx, c->packets, c->bytes, c->starved, c->no_channel, c->bad_desc);
	seq_printf(out, "bad_addr=%llu teardowns=%llu late=%llu\n", c->bad_addr, c->teardowns, c->late);
}

static int status_show(struct seq_file *out, void *unused)
{
	struct icssg_slice *slice = out->private;
	const struct icssg_port_counts *c = &slice->counts;
	char name[8];
	unsigned int i;

	seq_printf(out, "firmware: running=%u r30=%08x,%08x,%08x flow=%u commands=%llu messages=%llu\n",
		   slice->fw.running, slice->fw.r30[0], slice->fw.r30[1], slice->fw.r30[2], slice->fw.flow,
		   slice->fw.commands, slice->fw.messages);
	seq_printf(out, "port: link=%u rx_open=%u tx_open=%u\n", icssg_phy_link(&slice->phy),
		   icssg_fw_rx_open(slice), icssg_fw_tx_open(slice));
	seq_printf(out, "frames: to_wire=%llu from_wire=%llu nobody=%llu no_link=%llu port_closed=%llu ",
		   c->to_wire, c->from_wire, c->nobody, c->no_link, c->port_closed);
	seq_printf(out, "filtered=%llu bad_tx=%llu no_buffer=%llu dma=%llu\n", c->filtered, c->bad_tx, c->no_buffer,
		   c->dma);
	for (i = 0; i < ICSSG_TX_THREADS; i++) {
		snprintf(name, sizeof(name), "tx%u", i);
		show_psil(out, name, &slice->tx[i]);
	}
	show_psil(out, "rx", &slice->rx);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(status);

static void create_psil(struct dentry *parent, const char *name, struct psil *psil)
{
	struct dentry *dir = debugfs_create_dir(name, parent);
	struct psil_faults *faults = &psil->faults;

	debugfs_create_u32("drop", 0600, dir, &faults->drop);
	debugfs_create_u32("twice", 0600, dir, &faults->twice);
	debugfs_create_u32("corrupt", 0600, dir, &faults->corrupt);
	debugfs_create_u32("wild", 0600, dir, &faults->wild);
	debugfs_create_u32("late", 0600, dir, &faults->late);
	debugfs_create_u32("late_ms", 0600, dir, &faults->late_ms);
	debugfs_create_bool("stuck", 0600, dir, &faults->stuck);
}

static void create_slice(struct dentry *parent, struct icssg_slice *slice)
{
	struct dentry *dir;
	char name[8];
	unsigned int i;

	snprintf(name, sizeof(name), "slice%u", slice->id);
	dir = debugfs_create_dir(name, parent);
	debugfs_create_file("status", 0400, dir, slice, &status_fops);
	debugfs_create_file_unsafe("cable", 0600, dir, slice, &cable_fops);
	debugfs_create_u32("speed", 0600, dir, &slice->phy.speed);
	debugfs_create_bool("full_duplex", 0600, dir, &slice->phy.full_duplex);
	debugfs_create_u32("rate_mbps", 0600, dir, &slice->rate_mbps);
	debugfs_create_bool("unlimited", 0600, dir, &slice->unlimited);
	debugfs_create_bool("fw_silent", 0600, dir, &slice->fw.silent);
	debugfs_create_u32("crc_errors", 0600, dir, &slice->faults.crc);
	debugfs_create_u32("pause_ms", 0600, dir, &slice->faults.pause_ms);
	for (i = 0; i < ICSSG_TX_THREADS; i++) {
		snprintf(name, sizeof(name), "tx%u", i);
		create_psil(dir, name, &slice->tx[i]);
	}
	create_psil(dir, "rx", &slice->rx);
}

void icssg_debugfs_create(struct icssg *icssg)
{
	unsigned int i;

	for (i = 0; i < ICSSG_SLICES; i++)
		create_slice(icssg->debugfs, &icssg->slice[i]);
}
