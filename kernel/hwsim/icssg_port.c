// SPDX-License-Identifier: GPL-2.0-only
/* The port of a slice: one thread moves frames between the DMA's threads and the wire, at the wire's pace. */

#include <linux/etherdevice.h>
#include <linux/kthread.h>
#include <linux/phy.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "icssg.h"

/* Frames each way before others get the processor. */
#define PORT_BUDGET 64
/* Preamble, start of frame, and gap between frames. */
#define WIRE_OVERHEAD 20
/* A frame may leave so much before its time: sleeping for each one would cost more than it paces. */
#define PACE_SLACK_NS (100 * NSEC_PER_USEC)
/* Transmit: extended packet information. */
#define EPIB_COOKIE 0
#define EPIB_FLAGS 1
#define EPIB_FLAG_STAMP BIT(31)
/* What stands for the FCS of a received frame; drivers cut it off. */
#define FCS_STANDIN 0x5cf5cf5c
/* In the data RAM: speed as the driver tells the firmware. */
#define DRAM_LINK_SPEED 0x00a8
#define FW_SPEED_1G 0
#define FW_SPEED_100M 1
#define FW_SPEED_10M 2
#define FW_HALF_DUPLEX BIT(7)

/**
 * icssg_port_kick() - there is something to do for a port
 * @slice: the struct icssg_slice
 *
 * Context: any.
 */
void icssg_port_kick(void *slice)
{
	struct icssg_slice *port = slice;

	if (!test_and_set_bit(0, &port->work))
		wake_up_process(port->thread);
}

/* The link is up, and the MAC and the firmware are set to its speed and duplex. */
static bool line_ok(struct icssg_slice *slice)
{
	u32 rgmii = READ_ONCE(slice->icssg->miig[MIIG_RGMII_CFG / 4]);
	u8 told = readb(icssg_dram(slice) + DRAM_LINK_SPEED);
	bool full = icssg_phy_full_duplex(&slice->phy);
	u32 speed = icssg_phy_speed(&slice->phy);
	u8 expected;

	if (!icssg_phy_link(&slice->phy))
		return false;
	expected = speed == SPEED_1000 ? FW_SPEED_1G : speed == SPEED_100 ? FW_SPEED_100M : FW_SPEED_10M;
	if (!full)
		expected |= FW_HALF_DUPLEX;
	return told == expected && !!(rgmii & MIIG_RGMII_CFG_GIG(slice->id)) == (speed == SPEED_1000) &&
	       !!(rgmii & MIIG_RGMII_CFG_FULL(slice->id)) == full;
}

static bool mac_sends(struct icssg_slice *slice)
{
	const u32 needed = MIIG_ICSSG_CFG_TX_L1_EN | MIIG_ICSSG_CFG_TX_L2_EN | MIIG_ICSSG_CFG_TX_PRU_EN;

	return (READ_ONCE(slice->icssg->miig[MIIG_ICSSG_CFG / 4]) & needed) == needed &&
	       READ_ONCE(slice->icssg->miirt[MIIRT_TXCFG(slice->id) / 4]) & MIIRT_TXCFG_ENABLE;
}

static bool mac_receives(struct icssg_slice *slice)
{
	return READ_ONCE(slice->icssg->miig[MIIG_ICSSG_CFG / 4]) & MIIG_ICSSG_CFG_RX_L2_G_EN;
}

/* Whether the wire is free; *deadline becomes when it is. */
static bool wire_free(struct icssg_slice *slice, ktime_t free, ktime_t *deadline)
{
	if (READ_ONCE(slice->unlimited) || ktime_before(ktime_sub_ns(free, PACE_SLACK_NS), ktime_get()))
		return true;
	*deadline = min(*deadline, free);
	return false;
}

/* A frame of @len bytes takes the wire. */
static void take_wire(struct icssg_slice *slice, ktime_t *free, u32 len)
{
	u32 mbps = READ_ONCE(slice->rate_mbps) ?: icssg_phy_speed(&slice->phy);
	u64 bits = (max_t(u32, len, ETH_ZLEN) + ETH_FCS_LEN + WIRE_OVERHEAD) * 8;

	if (READ_ONCE(slice->unlimited))
		return;
	*free = ktime_add_ns(max(*free, ktime_get()), div_u64(bits * 1000, mbps));
}

/* What the firmware and the MAC do with a frame of the host's. */
static void transmit(struct icssg_slice *slice, struct psil_packet *packet)
{
	struct icssg_port_counts *counts = &slice->counts;
	u32 len = packet->len;

	if (!len || (packet->tag & 0xff) != slice->id + 1) {
		counts->bad_tx++;
		return;
	}
	if (!icssg_fw_tx_open(slice)) {
		counts->port_closed++;
		return;
	}
	if (!icssg_fw_tx_buffer(slice, packet->tag >> 8, len)) {
		counts->no_buffer++;
		return;
	}
	icssg_count_pa(slice, PA_FW_TX);
	take_wire(slice, &slice->tx_free, len);
	if (!mac_sends(slice) || !line_ok(slice)) {
		counts->no_link++;
		return;
	}
	if (len < ETH_ZLEN) {
		memset(packet->data + len, 0, ETH_ZLEN - len);
		len = ETH_ZLEN;
	}
	icssg_count_tx(slice, packet->data, len + ETH_FCS_LEN);
	if (packet->epib[EPIB_FLAGS] & EPIB_FLAG_STAMP)
		icssg_fw_tx_stamp(slice, packet->epib[EPIB_COOKIE]);
	if (sim_wire_send(&slice->wire, packet->data, len))
		counts->to_wire++;
	else
		counts->nobody++;
}

/* The next frame of the host's, of the highest thread that has one. */
static bool transmit_next(struct icssg_slice *slice)
{
	struct psil_packet packet = { .data = slice->buf };
	int i;

	for (i = ICSSG_TX_THREADS - 1; i >= 0; i--) {
		if (!psil_pull(&slice->tx[i], &packet))
			continue;
		transmit(slice, &packet);
		psil_complete(&slice->tx[i], &packet);
		return true;
	}
	return false;
}

/* Return: whether there is more to send at once. */
static bool port_transmit(struct icssg_slice *slice, ktime_t *deadline)
{
	u32 pause_ms = xchg(&slice->faults.pause_ms, 0);
	unsigned int i;

	if (pause_ms)
		slice->tx_free = ktime_add_ms(ktime_get(), pause_ms);
	if (!READ_ONCE(slice->fw.running))
		return false;
	for (i = 0; i < PORT_BUDGET; i++)
		if (!wire_free(slice, slice->tx_free, deadline) || !transmit_next(slice))
			return false;
	return true;
}

/* Whether the MAC and the firmware take a frame in at all; counts why not. @len without FCS. */
static bool admit(struct icssg_slice *slice, const u8 *data, u32 len, u32 *classes)
{
	u32 limit = READ_ONCE(slice->icssg->miirt[MIIRT_RX_FRMS(slice->id) / 4]) >> 16;
	struct icssg_port_counts *counts = &slice->counts;

	if (!line_ok(slice)) {
		counts->no_link++;
	} else if (!mac_receives(slice) || !icssg_fw_rx_open(slice)) {
		counts->port_closed++;
	} else if (psil_take_fault(&slice->faults.crc)) {
		icssg_count(slice, MIIG_RX_CRC_ERRORS);
	} else if (limit && len + ETH_FCS_LEN - 1 > limit) {
		icssg_count(slice, MIIG_RX_MAX_SIZE_ERRORS);
	} else if (!icssg_fw_wants(slice, data, classes)) {
		counts->filtered++;
	} else if (!icssg_fw_rx_buffer(slice)) {
		counts->no_buffer++;
	} else {
		return true;
	}
	return false;
}

/* A frame from the wire. Return: whether it must come again, for want of a descriptor. */
static bool receive(struct icssg_slice *slice, const u8 *data, u32 len)
{
	struct psil_packet packet = { .data = slice->buf, .flow = slice->fw.flow, .tag = slice->id + 1 };
	const __le32 fcs = cpu_to_le32(FCS_STANDIN);
	u32 classes;
	int ret;

	/* A link partner pads what is short. */
	packet.len = max_t(u32, len, ETH_ZLEN);
	if (packet.len > PSIL_MAX_PACKET - ETH_FCS_LEN || !admit(slice, data, packet.len, &classes))
		return false;
	memcpy(slice->buf, data, len);
	memset(slice->buf + len, 0, packet.len - len);
	memcpy(slice->buf + packet.len, &fcs, ETH_FCS_LEN);
	packet.len += ETH_FCS_LEN;
	icssg_fw_rx_stamp(slice, packet.ps);
	ret = psil_deliver(&slice->rx, &packet);
	if (ret == -EAGAIN)
		return true;
	icssg_count_rx(slice, data, packet.len, classes);
	if (ret) {
		slice->counts.dma++;
		return false;
	}
	icssg_count_pa(slice, PA_FW_RX);
	slice->counts.from_wire++;
	return false;
}

/* Return: whether there is more to receive at once. */
static bool port_receive(struct icssg_slice *slice, ktime_t *deadline)
{
	struct sk_buff *skb;
	unsigned int i;

	for (i = 0; i < PORT_BUDGET; i++) {
		if (!wire_free(slice, slice->rx_free, deadline))
			return false;
		skb = sim_wire_take(&slice->wire);
		if (!skb)
			return false;
		if (receive(slice, skb->data, skb->len)) {
			sim_wire_put_back(&slice->wire, skb);
			return false;
		}
		take_wire(slice, &slice->rx_free, skb->len);
		consume_skb(skb);
	}
	return true;
}

/* Return: whether there is more to do at once; *deadline: when there will be. */
static bool port_run(struct icssg_slice *slice, ktime_t *deadline)
{
	unsigned int i;
	bool more;

	*deadline = psil_service(&slice->rx);
	for (i = 0; i < ICSSG_TX_THREADS; i++)
		*deadline = min(*deadline, psil_service(&slice->tx[i]));
	more = port_transmit(slice, deadline);
	return port_receive(slice, deadline) || more;
}

static int port_thread(void *priv)
{
	struct icssg_slice *slice = priv;
	ktime_t deadline;

	while (!kthread_should_stop()) {
		clear_bit(0, &slice->work);
		smp_mb__after_atomic(); /* a kick from here on is seen below */
		if (port_run(slice, &deadline)) {
			cond_resched();
			continue;
		}
		set_current_state(TASK_IDLE);
		if (!test_bit(0, &slice->work) && !kthread_should_stop()) {
			if (deadline == KTIME_MAX)
				schedule();
			else
				schedule_hrtimeout(&deadline, HRTIMER_MODE_ABS);
		}
		__set_current_state(TASK_RUNNING);
		cond_resched();
	}
	return 0;
}

static int register_threads(struct icssg_slice *slice, u32 psil_base)
{
	u32 tx_base = psil_base | PSIL_DST_THREAD;
	unsigned int i;
	int ret;

	for (i = 0; i < ICSSG_TX_THREADS; i++) {
		ret = psil_register(&slice->tx[i], tx_base + slice->id * ICSSG_TX_THREADS + i, icssg_port_kick, slice);
		if (ret)
			goto undo;
	}
	ret = psil_register(&slice->rx, psil_base + slice->id, icssg_port_kick, slice);
	if (!ret)
		return 0;
undo:
	while (i--)
		psil_unregister(&slice->tx[i]);
	return ret;
}

/**
 * icssg_port_start() - make a port and set it to work
 * @slice: its slice
 * @psil_base: the ICSSG's first source thread
 *
 * Context: process.
 * Return: 0, or an error.
 */
int icssg_port_start(struct icssg_slice *slice, u32 psil_base)
{
	char name[IFNAMSIZ];
	int ret;

	slice->buf = kmalloc(PSIL_MAX_PACKET + ETH_FCS_LEN, GFP_KERNEL);
	if (!slice->buf)
		return -ENOMEM;
	slice->thread = kthread_create(port_thread, slice, "hwsim-slice%u", slice->id);
	if (IS_ERR(slice->thread)) {
		ret = PTR_ERR(slice->thread);
		goto free_buf;
	}
	get_task_struct(slice->thread);
	snprintf(name, sizeof(name), "wire%u", slice->id);
	ret = sim_wire_create(&slice->wire, name, slice->icssg->dev, icssg_port_kick, slice);
	if (ret)
		goto stop_thread;
	ret = register_threads(slice, psil_base);
	if (ret)
		goto destroy_wire;
	sim_wire_set_carrier(&slice->wire, icssg_phy_link(&slice->phy));
	wake_up_process(slice->thread);
	return 0;

destroy_wire:
	sim_wire_destroy(&slice->wire);
stop_thread:
	kthread_stop(slice->thread);
	put_task_struct(slice->thread);
free_buf:
	kfree(slice->buf);
	return ret;
}

/**
 * icssg_port_stop() - undo icssg_port_start()
 * @slice: its slice; no driver uses it any more
 *
 * Context: process.
 */
void icssg_port_stop(struct icssg_slice *slice)
{
	unsigned int i;

	kthread_stop(slice->thread);
	for (i = 0; i < ICSSG_TX_THREADS; i++)
		psil_unregister(&slice->tx[i]);
	psil_unregister(&slice->rx);
	sim_wire_destroy(&slice->wire);
	put_task_struct(slice->thread);
	kfree(slice->buf);
}
