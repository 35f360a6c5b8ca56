/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues of a port: set-up, start, stop; a socket for each pair. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_malloc.h>

#include "port.h"
#include "xdp.h"

/* How long a stop waits for frames on their way out. */
#define DRAIN_MS 100

static struct ti_rxq *
rxq_of(const struct rte_eth_dev *dev, uint16_t id)
{
	return id < dev->data->nb_rx_queues ? dev->data->rx_queues[id] : NULL;
}

static struct ti_txq *
txq_of(const struct rte_eth_dev *dev, uint16_t id)
{
	return id < dev->data->nb_tx_queues ? dev->data->tx_queues[id] : NULL;
}

static bool
rx_runs(const struct rte_eth_dev *dev, uint16_t id)
{
	return rxq_of(dev, id) != NULL &&
	       dev->data->rx_queue_state[id] == RTE_ETH_QUEUE_STATE_STARTED;
}

static bool
tx_runs(const struct rte_eth_dev *dev, uint16_t id)
{
	return txq_of(dev, id) != NULL &&
	       dev->data->tx_queue_state[id] == RTE_ETH_QUEUE_STATE_STARTED;
}

/* --- set-up -------------------------------------------------------------------- */

static int
check_room(const struct ti_port *port, const struct ti_layout *lay,
	   const struct rte_mempool *pool, uint32_t mtu, struct ti_why *why)
{
	uint32_t need = RTE_ALIGN_CEIL(mtu + TI_FRAME_OVERHEAD, TI_ROOM_ALIGN);

	if (need <= lay->room)
		return 0;
	return ti_fail(why, EINVAL,
		"mbuf pool %s holds frames of %u bytes, MTU %u of %s needs %u: create the pool with a data room of at least %u, or lower the MTU",
		pool->name, lay->room, mtu, port->nd->name, need,
		lay->headroom - lay->buf_off + TI_XDP_HEADROOM + need);
}

/* Whether the pool has mbufs enough for all queues of the port that use it. */
static int
check_count(struct rte_eth_dev *dev, uint16_t id, uint16_t nb_desc,
	    const struct rte_mempool *pool, struct ti_why *why)
{
	const struct ti_port *port = ti_port_of(dev);
	uint32_t need = nb_desc + TI_POOL_SPARE, queues = 1;
	const struct ti_rxq *other;
	uint16_t i;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		other = dev->data->rx_queues[i];
		if (i != id && other != NULL && other->pool == pool) {
			need += other->nb_desc;
			queues++;
		}
	}
	if (pool->populated_size >= need)
		return 0;
	return ti_fail(why, ENOSPC,
		"mbuf pool %s has %u mbufs, %u receive queue%s of %s need%s at least %u: make the pool larger or use fewer descriptors (%u now)",
		pool->name, pool->populated_size, queues, queues > 1 ? "s" : "",
		port->nd->name, queues > 1 ? "" : "s", need, nb_desc);
}

int
ti_rx_queue_setup(struct rte_eth_dev *dev, uint16_t id, uint16_t nb_desc,
		  unsigned int socket, const struct rte_eth_rxconf *conf,
		  struct rte_mempool *pool)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_layout lay;
	struct ti_rxq *q = NULL;
	struct ti_why why;
	int ret;

	ret = ti_layout_init(&lay, pool, &why);
	if (ret == 0)
		ret = check_room(port, &lay, pool, dev->data->mtu, &why);
	if (ret == 0)
		ret = check_count(dev, id, nb_desc, pool, &why);
	if (ret == 0) {
		q = rte_zmalloc_socket("ti_rxq", sizeof(*q), RTE_CACHE_LINE_SIZE, socket);
		if (q == NULL)
			ret = ti_fail(&why, ENOMEM, "no memory for receive queue %u", id);
	}
	if (ret != 0) {
		TI_LOG(ERR, port->name, "%s", why.msg);
		return ret;
	}
	q->pool = pool;
	q->nb_desc = nb_desc;
	q->id = id;
	q->deferred = conf->rx_deferred_start;
	dev->data->rx_queues[id] = q;
	return 0;
}

int
ti_tx_queue_setup(struct rte_eth_dev *dev, uint16_t id, uint16_t nb_desc,
		  unsigned int socket, const struct rte_eth_txconf *conf)
{
	struct ti_txq *q;

	q = rte_zmalloc_socket("ti_txq", sizeof(*q), RTE_CACHE_LINE_SIZE, socket);
	if (q == NULL) {
		TI_LOG(ERR, ti_port_of(dev)->name, "no memory for transmit queue %u", id);
		return -ENOMEM;
	}
	q->nb_desc = nb_desc;
	q->id = id;
	q->deferred = conf->tx_deferred_start;
	dev->data->tx_queues[id] = q;
	return 0;
}

void
ti_rx_queue_release(struct rte_eth_dev *dev, uint16_t id)
{
	rte_free(dev->data->rx_queues[id]);
	dev->data->rx_queues[id] = NULL;
}

void
ti_tx_queue_release(struct rte_eth_dev *dev, uint16_t id)
{
	rte_free(dev->data->tx_queues[id]);
	dev->data->tx_queues[id] = NULL;
}

void
ti_rxq_info(struct rte_eth_dev *dev, uint16_t id, struct rte_eth_rxq_info *info)
{
	const struct ti_rxq *q = dev->data->rx_queues[id];

	info->mp = q->pool;
	info->nb_desc = q->nb_desc;
	info->conf.rx_deferred_start = q->deferred;
}

void
ti_txq_info(struct rte_eth_dev *dev, uint16_t id, struct rte_eth_txq_info *info)
{
	const struct ti_txq *q = dev->data->tx_queues[id];

	info->nb_desc = q->nb_desc;
	info->conf.tx_deferred_start = q->deferred;
}

int
ti_tx_done_cleanup(void *txq, uint32_t n __rte_unused)
{
	return ti_txq_reap(txq);
}

/* --- a pair and its socket --------------------------------------------------------- */

/* The pool of a pair; a pair that cannot receive borrows that of queue 0, to copy into. */
static struct rte_mempool *
pair_pool(const struct rte_eth_dev *dev, uint16_t id)
{
	const struct ti_rxq *q = rxq_of(dev, id);

	if (q == NULL)
		q = rxq_of(dev, 0);
	return q->pool;
}

static int
start_receive(struct rte_eth_dev *dev, uint16_t id, struct ti_why *why)
{
	const struct ti_port *port = ti_port_of(dev);
	struct ti_rxq *q = rxq_of(dev, id);
	uint32_t missing;

	missing = ti_rxq_fill(q);
	if (missing != 0)
		return ti_fail(why, ENOSPC,
			"mbuf pool %s has no %u free mbufs for receive queue %u of %s, %u are missing: make the pool larger or use fewer descriptors",
			q->pool->name, q->nb_desc, id, port->nd->name, missing);
	return 0;
}

/*
 * Interrupts that are deferred for an application which then cannot poll the driver only delay
 * frames: put the deferral back. Not in the burst, but on EAL's alarm thread.
 */
static void
undefer_irqs(void *arg)
{
	struct ti_port *port = ti_port_of(arg);

	pthread_mutex_lock(&ti_control_lock);
	ti_netdev_undefer_irqs(port->nd);
	pthread_mutex_unlock(&ti_control_lock);
	TI_LOG(NOTICE, port->name,
	       "driver %s names no NAPI for its AF_XDP sockets, so they cannot be busy polled: going on by interrupts",
	       port->nd->drv.name);
}

static void
busy_refused(void *arg)
{
	rte_eal_alarm_set(1, undefer_irqs, arg);
}

static void
check_gone(void *arg)
{
	pthread_mutex_lock(&ti_control_lock);
	ti_port_gone(arg);
	pthread_mutex_unlock(&ti_control_lock);
}

static void
unbound(void *arg)
{
	rte_eal_alarm_set(1, check_gone, arg);
}

void
ti_alarms_cancel(struct rte_eth_dev *dev)
{
	rte_eal_alarm_cancel(undefer_irqs, dev);
	rte_eal_alarm_cancel(check_gone, dev);
}

static void
init_queues(struct rte_eth_dev *dev, uint16_t id, uint32_t mtu)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_pair *pair = &port->pair[id];
	struct ti_xsk *xsk = &pair->xsk;
	struct ti_rxq *rxq = rxq_of(dev, id);
	struct ti_txq *txq = txq_of(dev, id);

	port->event = (struct ti_burst_events){
		.busy_refused = busy_refused, .unbound = unbound, .arg = dev,
	};
	if (rxq != NULL) {
		rxq->event = &port->event;
		ti_rxq_init(rxq, &xsk->rx, &xsk->fill, pair->ho, &pair->umem->lay,
			    pair->umem->pool, dev->data->port_id, xsk->fd, xsk->busy);
	}
	if (txq != NULL) {
		txq->event = &port->event;
		ti_txq_init(txq, &xsk->tx, &xsk->comp, pair->ho, &pair->umem->lay,
			    pair->umem->pool, ti_max_len(mtu, &pair->umem->lay), xsk->fd,
			    xsk->conf.zc);
	}
}

/* Free what a pair has without a socket; the kernel holds none of its buffers. */
static void
release_pair(struct rte_eth_dev *dev, uint16_t id, bool return_held)
{
	struct ti_pair *pair = &ti_port_of(dev)->pair[id];
	struct ti_held *held[2] = {
		rxq_of(dev, id) != NULL ? &rxq_of(dev, id)->held : NULL,
		txq_of(dev, id) != NULL ? &txq_of(dev, id)->held : NULL,
	};
	unsigned int i;

	if (pair->ho != NULL)
		ti_handover_drain(pair->ho, &pair->umem->lay, pair->umem->pool);
	for (i = 0; i < RTE_DIM(held); i++) {
		if (held[i] == NULL)
			continue;
		if (return_held)
			ti_held_return(held[i], &pair->umem->lay, pair->umem->pool);
		ti_held_free(held[i]);
	}
	rte_free(pair->ho);
	pair->ho = NULL;
	ti_umem_put(pair->umem);
	pair->umem = NULL;
}

static void
close_pair(struct rte_eth_dev *dev, uint16_t id)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_pair *pair = &port->pair[id];
	struct ti_txq *txq = txq_of(dev, id);
	struct ti_why why;
	int ms, ret;

	if (pair->umem == NULL)
		return;
	if (pair->xsk.is_bound) {
		ti_xdp_remove_socket(port->nd, pair->xsk.conf.queue);
		if (txq != NULL) {
			for (ms = 0; ms < DRAIN_MS; ms++) {
				ti_txq_reap(txq);
				if (ti_txq_outstanding(txq) == 0)
					break;
				if (ti_ring_untaken(txq->tx) != 0)
					ti_txq_kick(txq);
				rte_delay_us_sleep(1000);
			}
		}
		ti_stats_keep(pair);
	}
	ret = ti_xsk_close(&pair->xsk, &why);
	if (ret != 0)
		TI_LOG(ERR, port->name, "%s", why.msg);
	release_pair(dev, id, ret == 0);
}

static int
open_pair(struct rte_eth_dev *dev, uint16_t id, bool receive, struct ti_why *why)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_pair *pair = &port->pair[id];
	const struct ti_rxq *rxq = rxq_of(dev, id);
	const struct ti_txq *txq = txq_of(dev, id);
	const bool zc = port->mode == TI_MODE_ZC;
	const struct ti_xsk_conf conf = {
		.ifname = port->nd->name,
		.ifindex = port->nd->ifindex,
		.queue = port->args.start_queue + id,
		.zc = zc,
		.skb = port->mode == TI_MODE_SKB,
		.rx_size = rxq != NULL ? rte_align32pow2(rxq->nb_desc) : 0,
		.fill_size = rte_align32pow2(rxq != NULL ? rxq->nb_desc : TI_DESC_MIN),
		.tx_size = txq != NULL ? rte_align32pow2(txq->nb_desc) : 0,
		.comp_size = rte_align32pow2(txq != NULL ? txq->nb_desc : TI_DESC_MIN),
		.busy_budget = port->args.busy_budget,
	};
	const int node = dev->data->numa_node;
	struct ti_netdev_state st;
	int ret;

	ret = ti_umem_get(&pair->umem, pair_pool(dev, id),
			  port->args.shared_umem ? 0 : port->nd->ifindex, zc, why);
	if (ret != 0)
		return ret;

	ret = ti_netdev_state(port->nd, &st);
	if (ret != 0) {
		ti_fail(why, -ret, "cannot read the state of %s: %s", port->nd->name,
			strerror(-ret));
		goto fail;
	}
	ret = check_room(port, &pair->umem->lay, pair->umem->pool, st.mtu, why);
	if (ret != 0)
		goto fail;

	pair->ho = rte_zmalloc_socket("ti_handover", sizeof(*pair->ho), RTE_CACHE_LINE_SIZE, node);
	if (pair->ho == NULL ||
	    (rxq != NULL && ti_held_init(&rxq_of(dev, id)->held, &pair->umem->lay, node) != 0) ||
	    (txq != NULL && ti_held_init(&txq_of(dev, id)->held, &pair->umem->lay, node) != 0)) {
		ret = ti_fail(why, ENOMEM, "no memory for queue %u of %s", id, port->nd->name);
		goto fail;
	}

	ret = ti_xsk_open(&pair->xsk, pair->umem, &conf, why);
	if (ret != 0)
		goto fail;
	init_queues(dev, id, st.mtu);
	if (!receive)
		pair->ho->want = 0;
	/* A zero-copy driver takes buffers while the socket is bound, so they are there before. */
	ret = receive ? start_receive(dev, id, why) : 0;
	if (ret == 0)
		ret = ti_xsk_bind(&pair->xsk, why);
	if (ret == 0 && receive)
		ret = ti_xdp_add_socket(port->nd, conf.queue, pair->xsk.fd, why);
	if (ret != 0) {
		close_pair(dev, id);
		return ret;
	}
	memset(&pair->base, 0, sizeof(pair->base));
	if (port->args.busy_budget != 0 && !pair->xsk.busy)
		TI_LOG(NOTICE, port->name,
		       "the kernel refuses busy polling on queue %u (it needs Linux 5.11 and CAP_NET_ADMIN): going on without",
		       conf.queue);
	return 0;

fail:
	release_pair(dev, id, true);
	return ret;
}

static int
start_pair(struct rte_eth_dev *dev, uint16_t id, bool receive, struct ti_why *why)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_pair *pair = &port->pair[id];
	int ret;

	if (pair->umem == NULL)
		return open_pair(dev, id, receive, why);
	if (!receive)
		return 0;
	pair->ho->want = rxq_of(dev, id)->lack;
	ret = start_receive(dev, id, why);
	if (ret == 0)
		ret = ti_xdp_add_socket(port->nd, pair->xsk.conf.queue, pair->xsk.fd, why);
	return ret;
}

/* --- start and stop of one queue ------------------------------------------------------ */

int
ti_rx_queue_start(struct rte_eth_dev *dev, uint16_t id)
{
	struct ti_why why;
	int ret;

	pthread_mutex_lock(&ti_control_lock);
	ret = start_pair(dev, id, true, &why);
	pthread_mutex_unlock(&ti_control_lock);
	if (ret != 0) {
		TI_LOG(ERR, ti_port_of(dev)->name, "%s", why.msg);
		return ret;
	}
	dev->data->rx_queue_state[id] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

int
ti_tx_queue_start(struct rte_eth_dev *dev, uint16_t id)
{
	struct ti_why why;
	int ret;

	pthread_mutex_lock(&ti_control_lock);
	ret = start_pair(dev, id, false, &why);
	pthread_mutex_unlock(&ti_control_lock);
	if (ret != 0) {
		TI_LOG(ERR, ti_port_of(dev)->name, "%s", why.msg);
		return ret;
	}
	dev->data->tx_queue_state[id] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

int
ti_rx_queue_stop(struct rte_eth_dev *dev, uint16_t id)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_pair *pair = &port->pair[id];

	dev->data->rx_queue_state[id] = RTE_ETH_QUEUE_STATE_STOPPED;
	pthread_mutex_lock(&ti_control_lock);
	if (!tx_runs(dev, id)) {
		close_pair(dev, id);
	} else if (pair->umem != NULL) {
		ti_xdp_remove_socket(port->nd, pair->xsk.conf.queue);
		pair->ho->want = 0;
	}
	pthread_mutex_unlock(&ti_control_lock);
	return 0;
}

int
ti_tx_queue_stop(struct rte_eth_dev *dev, uint16_t id)
{
	dev->data->tx_queue_state[id] = RTE_ETH_QUEUE_STATE_STOPPED;
	pthread_mutex_lock(&ti_control_lock);
	if (!rx_runs(dev, id))
		close_pair(dev, id);
	pthread_mutex_unlock(&ti_control_lock);
	return 0;
}

/* --- start and stop of all -------------------------------------------------------------- */

int
ti_queues_start(struct rte_eth_dev *dev, struct ti_why *why)
{
	const uint16_t n = RTE_MAX(dev->data->nb_rx_queues, dev->data->nb_tx_queues);
	const struct ti_rxq *rxq;
	const struct ti_txq *txq;
	bool rx, tx;
	uint16_t id;
	int ret;

	for (id = 0; id < n; id++) {
		rxq = rxq_of(dev, id);
		txq = txq_of(dev, id);
		rx = rxq != NULL && !rxq->deferred;
		tx = txq != NULL && !txq->deferred;
		if (!rx && !tx)
			continue;
		ret = start_pair(dev, id, rx, why);
		if (ret != 0) {
			ti_queues_stop(dev);
			return ret;
		}
		if (rx)
			dev->data->rx_queue_state[id] = RTE_ETH_QUEUE_STATE_STARTED;
		if (tx)
			dev->data->tx_queue_state[id] = RTE_ETH_QUEUE_STATE_STARTED;
	}
	return 0;
}

void
ti_queues_stop(struct rte_eth_dev *dev)
{
	const uint16_t n = RTE_MAX(dev->data->nb_rx_queues, dev->data->nb_tx_queues);
	uint16_t id;

	for (id = 0; id < n; id++) {
		if (rxq_of(dev, id) != NULL)
			dev->data->rx_queue_state[id] = RTE_ETH_QUEUE_STATE_STOPPED;
		if (txq_of(dev, id) != NULL)
			dev->data->tx_queue_state[id] = RTE_ETH_QUEUE_STATE_STOPPED;
		close_pair(dev, id);
	}
}
