// SPDX-License-Identifier: GPL-2.0-only
/*
 * The port as a whole: what the netdev advertises, and how large its receive
 * buffers are. Module.
 */
#include <linux/module.h>
#include <net/xdp_sock_drv.h>

#include "xdp_datapath.h"

/**
 * dp_port_init() - fill the netdev's XDP features
 * @port: the MAC's, with its fields set
 *
 * Zero-copy is advertised where a frame can be sent from any address: it cannot
 * be copied to a better one.
 *
 * Context: probe, before register_netdev().
 */
void dp_port_init(struct dp_port *port)
{
	xdp_features_t features = NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_REDIRECT |
				  NETDEV_XDP_ACT_NDO_XMIT;
	u32 i;

	if (!port->rx_align)
		port->rx_align = 1;
	if (!port->tx_align)
		port->tx_align = 1;
	if (!port->tx_max_len)
		port->tx_max_len = U32_MAX;
	/* A page buffer begins DP_HEADROOM into a page, a bounce at a cache line. */
	WARN_ON(!is_power_of_2(port->rx_align) || port->rx_align > DP_HEADROOM);
	WARN_ON(!is_power_of_2(port->tx_align) || port->tx_align > SMP_CACHE_BYTES);

	for (i = 0; i < port->n_rxq; i++)
		u64_stats_init(&port->rxq[i]->syncp);
	for (i = 0; i < port->n_txq; i++) {
		u64_stats_init(&port->txq[i]->push_sync);
		u64_stats_init(&port->txq[i]->done_sync);
	}

	if (port->tx_align == 1)
		features |= NETDEV_XDP_ACT_XSK_ZEROCOPY;
	port->dev->xdp_zc_max_segs = 1;
	xdp_set_features_flag(port->dev, features);
}
EXPORT_SYMBOL_GPL(dp_port_init);

/**
 * dp_port_set_frame_len() - choose the receive buffers' size
 * @port: port
 * @len: longest frame: Ethernet header, VLAN tags and FCS included, plus what
 *	the MAC puts before the frame
 * @extack: told the reason of a refusal, or NULL
 *
 * As small as can be: the whole of it is cleaned from the cache when a page
 * comes back from the stack.
 *
 * Context: RTNL; all queues are stopped. Those that are open go on only with other memory
 * (dp_rxq_mem_swap()), or once the old length is set again, which cannot fail.
 * Return: 0; -EINVAL when no buffer is that large, or an attached XSK pool's are not.
 */
int dp_port_set_frame_len(struct dp_port *port, u32 len, struct netlink_ext_ack *extack)
{
	u32 buf_len = ALIGN(len, max_t(u32, port->rx_align, SMP_CACHE_BYTES));
	size_t frame_sz = DP_HEADROOM + buf_len +
			  SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	u32 i;

	if (get_order(frame_sz) > PAGE_ALLOC_COSTLY_ORDER) {
		NL_SET_ERR_MSG_FMT(extack, "no receive buffer holds frames of %u bytes", len);
		return -EINVAL;
	}

	for (i = 0; i < port->n_rxq; i++) {
		struct xsk_buff_pool *pool = port->rxq[i]->pool;

		if (pool && xsk_pool_get_rx_frame_size(pool) < buf_len) {
			NL_SET_ERR_MSG_FMT(extack, "queue %u: AF_XDP buffers hold %u bytes, frames need %u",
					   i, xsk_pool_get_rx_frame_size(pool), buf_len);
			return -EINVAL;
		}
	}

	port->rx_buf_len = buf_len;
	return 0;
}
EXPORT_SYMBOL_GPL(dp_port_set_frame_len);

MODULE_DESCRIPTION("XDP and AF_XDP datapath shared by Ethernet MACs");
MODULE_LICENSE("GPL");
