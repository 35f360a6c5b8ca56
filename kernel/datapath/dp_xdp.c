// SPDX-License-Identifier: GPL-2.0-only
/*
 * XDP and AF_XDP, control path: programs and pools coming and going on a
 * running interface, wakeups, and what a program can ask of a frame.
 */
#include <linux/bpf.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/xdp_sock_drv.h>

#include "dp_control.h"
#include "dp_skb.h"

/* Swap the program. Buffers fit any, so nothing is stopped. */
static void dp_set_prog(struct dp_port *port, struct bpf_prog *prog)
{
	struct bpf_prog *old;

	old = rcu_replace_pointer(port->prog, prog, lockdep_rtnl_is_held());
	/* Freed after a grace period: a poll may be running it. */
	if (old)
		bpf_prog_put(old);
}

int dp_rxq_register_xsk(struct dp_rxq *rxq, struct xsk_buff_pool *pool)
{
	int err;

	err = xdp_rxq_info_reg(&rxq->xsk_rxq, rxq->port->dev, rxq->qid, rxq->napi->napi_id);
	if (err)
		return err;
	err = xdp_rxq_info_reg_mem_model(&rxq->xsk_rxq, MEM_TYPE_XSK_BUFF_POOL, NULL);
	if (err) {
		xdp_rxq_info_unreg(&rxq->xsk_rxq);
		return err;
	}
	xsk_pool_set_rxq_info(pool, &rxq->xsk_rxq);
	return 0;
}

/* Whether the queue pair can work with the pool. Says why not: bind() has no extack. */
static int dp_check_pool(struct dp_port *port, struct xsk_buff_pool *pool, u32 qid)
{
	struct net_device *dev = port->dev;
	u32 align = port->rx_align;

	if (port->tx_align > 1) {
		netdev_info(dev, "no AF_XDP zero-copy: this MAC sends only from addresses that are multiples of %u; bind with XDP_COPY\n",
			    port->tx_align);
		return -EOPNOTSUPP;
	}
	if (qid >= min(port->n_rxq, port->n_txq)) {
		netdev_info(dev, "no AF_XDP zero-copy on queue %u: only queues 0 to %u both receive and transmit\n",
			    qid, min(port->n_rxq, port->n_txq) - 1);
		return -EOPNOTSUPP;
	}
	if (port->rxq[qid]->pool)
		return -EBUSY;
	/* In unaligned chunk mode each address is looked at as it comes. */
	if (!pool->unaligned && (xsk_pool_get_headroom(pool) & (align - 1) ||
				 xsk_pool_get_chunk_size(pool) & (align - 1))) {
		netdev_info(dev, "no AF_XDP zero-copy on queue %u: UMEM headroom %u and frame size %u must be multiples of %u\n",
			    qid, pool->headroom, xsk_pool_get_chunk_size(pool), align);
		return -EINVAL;
	}
	if (xsk_pool_get_rx_frame_size(pool) < port->rx_buf_len) {
		netdev_info(dev, "no AF_XDP zero-copy on queue %u: UMEM frames have room for %u bytes, MTU %u needs %u; use larger frames or less headroom\n",
			    qid, xsk_pool_get_rx_frame_size(pool), dev->mtu, port->rx_buf_len);
		return -EINVAL;
	}
	return 0;
}

static bool dp_queue_is_open(const struct dp_port *port, u32 qid)
{
	return port->rxq[qid]->buf && port->txq[qid]->buf;
}

/* Give a stopped queue pair, whose receive slots are empty, a pool, or none. */
static void dp_set_pool(struct dp_port *port, struct xsk_buff_pool *pool, u32 qid)
{
	struct dp_rxq *rxq = port->rxq[qid];
	struct dp_txq *txq = port->txq[qid];

	rxq->pool = pool;
	txq->pool = pool;
	rxq->check_align = pool && pool->unaligned && port->rx_align > 1;
}

/*
 * Stop a queue pair, change its pool, start it again. What takes long (mapping and
 * unmapping the UMEM, registration) is done before and after by the callers.
 */
static int dp_change_pool(struct dp_port *port, struct xsk_buff_pool *pool, u32 qid)
{
	int err;

	port->mac->queue_stop(port, qid);
	dp_rxq_drain(port->rxq[qid]);
	dp_set_pool(port, pool, qid);
	err = port->mac->queue_start(port, qid);
	if (err)	/* stopped, perhaps with the ring filled already */
		dp_rxq_drain(port->rxq[qid]);
	return err;
}

static void dp_pool_detach(struct dp_port *port, u32 qid)
{
	struct dp_rxq *rxq = port->rxq[qid];
	struct xsk_buff_pool *pool = rxq->pool;
	int err;

	if (dp_queue_is_open(port, qid)) {
		/* The pool is gone in any case: its owner is. */
		err = dp_change_pool(port, NULL, qid);
		if (err)
			netdev_err(port->dev, "queue %u does not start again after AF_XDP: %pe; set the interface down and up\n",
				   qid, ERR_PTR(err));
		xdp_rxq_info_unreg(&rxq->xsk_rxq);
	} else {
		dp_set_pool(port, NULL, qid);
	}
	xsk_pool_dma_unmap(pool, DMA_ATTR_SKIP_CPU_SYNC);
}

static int dp_pool_attach(struct dp_port *port, struct xsk_buff_pool *pool, u32 qid)
{
	int err;

	err = dp_check_pool(port, pool, qid);
	if (err)
		return err;
	err = xsk_pool_dma_map(pool, port->dma_dev, DMA_ATTR_SKIP_CPU_SYNC);
	if (err) {
		netdev_err(port->dev, "queue %u: cannot map the UMEM for DMA: %pe\n",
			   qid, ERR_PTR(err));
		return err;
	}
	if (!dp_queue_is_open(port, qid)) {
		dp_set_pool(port, pool, qid);
		return 0;
	}

	err = dp_rxq_register_xsk(port->rxq[qid], pool);
	if (err)
		goto err_unmap;
	err = dp_change_pool(port, pool, qid);
	if (err)
		goto err_restart;
	return 0;

err_restart:	/* back to copy mode, as it was */
	netdev_err(port->dev, "queue %u does not start with AF_XDP: %pe\n", qid, ERR_PTR(err));
	dp_set_pool(port, NULL, qid);
	if (port->mac->queue_start(port, qid))
		netdev_err(port->dev, "queue %u does not start again; set the interface down and up\n",
			   qid);
	xdp_rxq_info_unreg(&port->rxq[qid]->xsk_rxq);
err_unmap:
	xsk_pool_dma_unmap(pool, DMA_ATTR_SKIP_CPU_SYNC);
	return err;
}

/**
 * dp_bpf() - ndo_bpf
 * @dev: the netdev
 * @port: its port
 * @bpf: command
 *
 * Context: RTNL.
 * Return: 0 or -errno, with the interface as it was.
 */
int dp_bpf(struct net_device *dev, struct dp_port *port, struct netdev_bpf *bpf)
{
	u32 qid;

	switch (bpf->command) {
	case XDP_SETUP_PROG:
		dp_set_prog(port, bpf->prog);
		return 0;
	case XDP_SETUP_XSK_POOL:
		qid = bpf->xsk.queue_id;
		if (bpf->xsk.pool)
			return dp_pool_attach(port, bpf->xsk.pool, qid);
		if (qid >= min(port->n_rxq, port->n_txq) || !port->rxq[qid]->pool)
			return -EINVAL;
		dp_pool_detach(port, qid);
		return 0;
	default:
		return -EINVAL;
	}
}
EXPORT_SYMBOL_GPL(dp_bpf);

static void dp_napi_kick(struct napi_struct *napi)
{
	/* A poll that is running, or about to, is told to run once more. */
	if (napi_if_scheduled_mark_missed(napi))
		return;
	/* Softirqs run when bottom halves come on: here, if they were on. */
	local_bh_disable();
	napi_schedule(napi);
	local_bh_enable();
}

void dp_queue_kick(struct dp_port *port, u32 qid)
{
	struct napi_struct *rx = qid < port->n_rxq ? port->rxq[qid]->napi : NULL;
	struct napi_struct *tx = port->txq[qid]->napi;

	dp_napi_kick(tx);
	if (rx && rx != tx)
		dp_napi_kick(rx);
}

/**
 * dp_xsk_wakeup() - ndo_xsk_wakeup
 * @port: port
 * @qid: queue
 * @flags: XDP_WAKEUP_RX, XDP_WAKEUP_TX
 *
 * Context: process or bottom half, in an RCU read-side section.
 * Return: 0; -ENETDOWN while the queue is not running, -EINVAL without a pool.
 */
int dp_xsk_wakeup(struct dp_port *port, u32 qid, u32 flags)
{
	struct dp_rxq *rxq;
	struct dp_txq *txq;

	if (qid >= min(port->n_rxq, port->n_txq))
		return -EINVAL;
	rxq = port->rxq[qid];
	txq = port->txq[qid];
	/* Nothing is lost: dp_txq_start() polls. */
	if (!READ_ONCE(txq->live))
		return -ENETDOWN;
	if (!READ_ONCE(rxq->pool))
		return -EINVAL;

	if (flags & XDP_WAKEUP_TX)
		dp_napi_kick(txq->napi);
	if (flags & XDP_WAKEUP_RX && (rxq->napi != txq->napi || !(flags & XDP_WAKEUP_TX)))
		dp_napi_kick(rxq->napi);
	return 0;
}
EXPORT_SYMBOL_GPL(dp_xsk_wakeup);

/* --- XDP metadata: the kfuncs' arguments are struct dp_xdp_buff, page or XSK alike --- */

static const struct dp_rx_cqe *dp_md_cqe(const struct xdp_md *ctx)
{
	return ((const struct dp_xdp_buff *)ctx)->cqe;
}

static int dp_rx_timestamp(const struct xdp_md *ctx, u64 *timestamp)
{
	const struct dp_rx_cqe *cqe = dp_md_cqe(ctx);

	if (!(cqe->flags & DP_RX_TSTAMP))
		return -ENODATA;
	*timestamp = cqe->hwtstamp;
	return 0;
}

static int dp_rx_hash(const struct xdp_md *ctx, u32 *hash, enum xdp_rss_hash_type *rss_type)
{
	const struct dp_rx_cqe *cqe = dp_md_cqe(ctx);

	if (!(cqe->flags & DP_RX_HASH))
		return -ENODATA;
	*hash = cqe->hash;
	*rss_type = XDP_RSS_TYPE_NONE;
	return 0;
}

static int dp_rx_vlan_tag(const struct xdp_md *ctx, __be16 *proto, u16 *tci)
{
	const struct dp_rx_cqe *cqe = dp_md_cqe(ctx);

	if (!(cqe->flags & DP_RX_VLAN))
		return -ENODATA;
	*proto = htons(ETH_P_8021Q);
	*tci = cqe->vlan_tci;
	return 0;
}

const struct xdp_metadata_ops dp_xdp_metadata_ops = {
	.xmo_rx_timestamp	= dp_rx_timestamp,
	.xmo_rx_hash		= dp_rx_hash,
	.xmo_rx_vlan_tag	= dp_rx_vlan_tag,
};
EXPORT_SYMBOL_GPL(dp_xdp_metadata_ops);
