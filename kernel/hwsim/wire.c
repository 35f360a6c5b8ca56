// SPDX-License-Identifier: GPL-2.0-only
/* The far end of a port's cable. */

#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>

#include "wire.h"

/*
 * Frames that may wait to be received. Beyond, the sender is held back, which no real cable does:
 * a frame that is lost here would be the simulation's loss, not the driver's.
 */
#define WIRE_QUEUE_MAX 256
#define WIRE_QUEUE_LOW (WIRE_QUEUE_MAX / 2)
#define WIRE_MAX_MTU 9216

struct wire_priv {
	struct sim_wire *wire;
};

static struct sim_wire *to_wire(struct net_device *ndev)
{
	return ((struct wire_priv *)netdev_priv(ndev))->wire;
}

static netdev_tx_t wire_start_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	struct sim_wire *wire = to_wire(ndev);
	unsigned int len = skb->len;

	if (skb_linearize(skb)) {
		dev_kfree_skb_any(skb);
		ndev->stats.tx_dropped++;
		return NETDEV_TX_OK;
	}
	skb_tx_timestamp(skb);
	/* As long as it waits it must not hold its socket up, nor outlive it. */
	skb_orphan(skb);
	nf_reset_ct(skb);
	skb_queue_tail(&wire->queue, skb);
	dev_sw_netstats_tx_add(ndev, 1, len);
	if (skb_queue_len(&wire->queue) >= WIRE_QUEUE_MAX) {
		netif_stop_queue(ndev);
		smp_mb__after_atomic(); /* against the port's look at the queue after it took a frame */
		if (skb_queue_len(&wire->queue) < WIRE_QUEUE_LOW)
			netif_wake_queue(ndev);
	}
	wire->kick(wire->priv);
	return NETDEV_TX_OK;
}

static int wire_open(struct net_device *ndev)
{
	netif_start_queue(ndev);
	return 0;
}

static int wire_stop(struct net_device *ndev)
{
	netif_stop_queue(ndev);
	skb_queue_purge(&to_wire(ndev)->queue);
	return 0;
}

static const struct net_device_ops wire_ops = {
	.ndo_open = wire_open,
	.ndo_stop = wire_stop,
	.ndo_start_xmit = wire_start_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static const struct ethtool_ops wire_ethtool_ops = {
	.get_link = ethtool_op_get_link,
};

/**
 * sim_wire_create() - make a far end
 * @wire: the far end
 * @name: name of its netdev
 * @parent: the simulated hardware
 * @kick: called when it has sent a frame; any context
 * @priv: argument for @kick
 *
 * Context: process.
 * Return: 0, or an error.
 */
int sim_wire_create(struct sim_wire *wire, const char *name, struct device *parent, void (*kick)(void *priv),
		    void *priv)
{
	struct net_device *ndev;
	struct wire_priv *wire_priv;
	int ret;

	ndev = alloc_etherdev(sizeof(*wire_priv));
	if (!ndev)
		return -ENOMEM;
	wire_priv = netdev_priv(ndev);
	wire_priv->wire = wire;
	skb_queue_head_init(&wire->queue);
	wire->kick = kick;
	wire->priv = priv;
	strscpy(ndev->name, name, sizeof(ndev->name));
	SET_NETDEV_DEV(ndev, parent);
	ndev->netdev_ops = &wire_ops;
	ndev->ethtool_ops = &wire_ethtool_ops;
	ndev->max_mtu = WIRE_MAX_MTU;
	ndev->pcpu_stat_type = NETDEV_PCPU_STAT_TSTATS;
	eth_hw_addr_random(ndev);
	netif_carrier_off(ndev);
	ret = register_netdev(ndev);
	if (ret) {
		free_netdev(ndev);
		return ret;
	}
	wire->ndev = ndev;
	return 0;
}

/**
 * sim_wire_destroy() - take a far end away
 * @wire: the far end; the port no longer uses it
 *
 * Context: process.
 */
void sim_wire_destroy(struct sim_wire *wire)
{
	unregister_netdev(wire->ndev);
	skb_queue_purge(&wire->queue);
	free_netdev(wire->ndev);
	wire->ndev = NULL;
}

/**
 * sim_wire_take() - receive a frame that the far end has sent
 * @wire: the far end
 *
 * Return: the frame, linear, or NULL.
 */
struct sk_buff *sim_wire_take(struct sim_wire *wire)
{
	struct sk_buff *skb = skb_dequeue(&wire->queue);

	if (skb && netif_queue_stopped(wire->ndev) && skb_queue_len(&wire->queue) < WIRE_QUEUE_LOW &&
	    netif_running(wire->ndev))
		netif_wake_queue(wire->ndev);
	return skb;
}

/**
 * sim_wire_put_back() - undo sim_wire_take()
 * @wire: the far end
 * @skb: the frame
 */
void sim_wire_put_back(struct sim_wire *wire, struct sk_buff *skb)
{
	skb_queue_head(&wire->queue, skb);
}

/**
 * sim_wire_send() - hand a frame to the far end
 * @wire: the far end
 * @data: the frame, without FCS
 * @len: its bytes
 *
 * The stack takes it at once, in the caller's context: no queue on the way can overflow.
 *
 * Context: process.
 * Return: whether somebody is there.
 */
bool sim_wire_send(struct sim_wire *wire, const void *data, unsigned int len)
{
	struct net_device *ndev = wire->ndev;
	struct sk_buff *skb;

	if (!netif_running(ndev))
		return false;
	skb = netdev_alloc_skb_ip_align(ndev, len);
	if (!skb) {
		ndev->stats.rx_dropped++;
		return false;
	}
	skb_put_data(skb, data, len);
	skb->protocol = eth_type_trans(skb, ndev);
	local_bh_disable();
	dev_sw_netstats_rx_add(ndev, len);
	netif_receive_skb(skb);
	local_bh_enable();
	return true;
}

/**
 * sim_wire_set_carrier() - the link comes or goes
 * @wire: the far end
 * @up: whether there is a link
 */
void sim_wire_set_carrier(struct sim_wire *wire, bool up)
{
	if (up)
		netif_carrier_on(wire->ndev);
	else
		netif_carrier_off(wire->ndev);
}
