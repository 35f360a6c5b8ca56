/* SPDX-License-Identifier: GPL-2.0-only */
/* The far end of a port's cable: a netdev, so that any Linux tool can be the link partner. */
#ifndef HWSIM_WIRE_H
#define HWSIM_WIRE_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>

/**
 * struct sim_wire - the far end
 * @ndev: its netdev
 * @queue: frames from there that the port has not received yet
 * @kick: tells the port of one; any context
 * @priv: for @kick
 */
struct sim_wire {
	struct net_device *ndev;
	struct sk_buff_head queue;
	void (*kick)(void *priv);
	void *priv;
};

int sim_wire_create(struct sim_wire *wire, const char *name, struct device *parent, void (*kick)(void *priv),
		    void *priv);
void sim_wire_destroy(struct sim_wire *wire);
struct sk_buff *sim_wire_take(struct sim_wire *wire);
void sim_wire_put_back(struct sim_wire *wire, struct sk_buff *skb);
bool sim_wire_send(struct sim_wire *wire, const void *data, unsigned int len);
void sim_wire_set_carrier(struct sim_wire *wire, bool up);

#endif /* HWSIM_WIRE_H */
