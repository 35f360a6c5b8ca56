/* SPDX-License-Identifier: BSD-3-Clause */
/* The DPDK device: probe and remove, and the operations of a port. */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/if_packet.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_malloc.h>
#include <rte_string_fns.h>
#include <bus_vdev_driver.h>
#include <dev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>

#include "port.h"
#include "xdp.h"

/* How long link_update() waits for the link when asked to, as other PMDs do. */
#define LINK_WAIT_MS 9000
#define LINK_POLL_MS 100

#define DEFAULT_BURST 64

pthread_mutex_t ti_control_lock = PTHREAD_MUTEX_INITIALIZER;

static int
log_failure(const struct ti_port *port, int ret, const struct ti_why *why)
{
	if (ret != 0)
		TI_LOG(ERR, port->name, "%s", why->msg);
	return ret;
}

/* --- modes ---------------------------------------------------------------------- */

/* Whether the driver can be in @mode, by the features it reports. */
static int
mode_possible(const struct ti_netdev *nd, enum ti_mode mode, uint64_t features,
	      struct ti_why *why)
{
	const uint64_t native = TI_XDP_ACT_BASIC | TI_XDP_ACT_REDIRECT;
	uint32_t rx, tx;

	if (mode == TI_MODE_SKB)
		return 0;
	if ((features & native) != native) {
		int ret = ti_netdev_queues(nd, &rx, &tx);

		if (ret != 0)
			return ti_fail(why, -ret, "cannot read the queue counts of %s: %s", nd->name,
				       strerror(-ret));
		return ti_fail(why, EOPNOTSUPP,
			"driver %s of %s has no XDP, as it is set up (%u receive, %u transmit queues; veth needs as many receive queues as its peer transmits on): use mode=skb, or mode=auto to fall back by itself",
			nd->drv.name, nd->name, rx, tx);
	}
	if (mode == TI_MODE_ZC && !(features & TI_XDP_ACT_XSK_ZEROCOPY))
		return ti_fail(why, EOPNOTSUPP,
			"driver %s of %s has no AF_XDP zero-copy: use mode=copy (mode=auto falls back by itself), or a netdev whose driver has it",
			nd->drv.name, nd->name);
	return 0;
}

/* Strike out modes that the driver cannot be in; an error when none is left. */
static int
check_modes(struct ti_port *port, struct ti_why *why)
{
	enum ti_mode mode;
	uint64_t features;
	unsigned int left = 0;
	struct ti_why first = { "" };

	if (ti_netdev_features(port->nd, &features) != 0)
		features = UINT64_MAX;	/* the kernel cannot tell: binding will */
	for (mode = TI_MODE_ZC; mode <= TI_MODE_SKB; mode <<= 1) {
		if (!(port->args.modes & mode))
			continue;
		if (mode_possible(port->nd, mode, features, why) == 0)
			left |= mode;
		else if (first.msg[0] == '\0')
			first = *why;
	}
	if (left == 0) {
		*why = first;
		return -EOPNOTSUPP;
	}
	if (first.msg[0] != '\0')
		TI_LOG(NOTICE, port->name, "falling back: %s", first.msg);
	port->args.modes = left;
	return 0;
}

static int
start_in_mode(struct rte_eth_dev *dev, enum ti_mode mode, bool *try_next, struct ti_why *why)
{
	struct ti_port *port = ti_port_of(dev);
	int ret;

	port->mode = mode;
	ret = ti_xdp_attach(port->nd, mode == TI_MODE_SKB, why);
	if (ret != 0) {
		*try_next = ret != -EBUSY && ret != -EPERM && ret != -ENODEV;
		return ret;
	}
	port->attached = true;
	ret = ti_queues_start(dev, why);
	if (ret != 0) {
		*try_next = ret == -EOPNOTSUPP;
		ti_xdp_detach(port->nd);
		port->attached = false;
	}
	return ret;
}

/* Take the netdev and see whether it can be what is asked. On failure nothing stays. */
static int
take_netdev(struct ti_port *port, struct ti_why *why)
{
	struct ti_devargs *args = &port->args;
	int ret;

	ret = ti_netdev_get(&port->nd, args->iface, why);
	if (ret != 0)
		return ret;
	/* First what needs privilege and changes nothing. */
	ret = ti_xdp_get(port->nd, args->xdp_prog, why);
	if (ret != 0)
		goto put_netdev;
	ret = ti_netdev_set_queues(port->nd, args->start_queue, args->queue_count, why);
	if (ret != 0)
		goto put_xdp;
	ret = check_modes(port, why);
	if (ret != 0)
		goto put_xdp;
	return 0;

put_xdp:
	ti_xdp_put(port->nd);
put_netdev:
	ti_netdev_put(port->nd);
	return ret;
}

/* --- a netdev that goes, and comes ------------------------------------------------- */

bool
ti_port_gone(struct rte_eth_dev *dev)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_netdev_state st;

	if (ti_netdev_state(port->nd, &st) != -ENODEV)
		return false;
	if (!port->told_gone)
		TI_LOG(ERR, port->name,
		       "%s is gone (removed, or moved to another network namespace): stop the port; start it again when there is a %s, or close it",
		       port->nd->name, port->nd->name);
	port->told_gone = true;
	return true;
}

/*
 * Another netdev, or the same after it was in another namespace: memberships have ended. ethdev asks for
 * them again when the port is started, and for the MAC address.
 */
static void
came_back(struct ti_port *port)
{
	if (port->member_fd >= 0)
		close(port->member_fd);
	port->member_fd = -1;
	port->promisc = false;
	port->allmulti = false;
	port->told_gone = false;
	TI_LOG(NOTICE, port->name, "there is a %s again (driver %s): taken", port->nd->name,
	       port->nd->drv.name);
}

/* The netdev is gone: take the one that has its name now, and make it what the port was. */
static int
retake_netdev(struct rte_eth_dev *dev, struct ti_why *why)
{
	struct ti_port *port = ti_port_of(dev), fresh = { .name = port->name, .args = port->args };
	int ret;

	ret = take_netdev(&fresh, why);
	if (ret != 0)
		return ret;
	ti_xdp_put(port->nd);
	ti_netdev_put(port->nd);
	port->nd = fresh.nd;
	port->args = fresh.args;
	came_back(port);
	return ti_netdev_set_mtu(port->nd, dev->data->mtu, why);
}

/* --- start, stop, close ------------------------------------------------------------ */

static int
dev_configure(struct rte_eth_dev *dev)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_netdev_state st;
	struct ti_why why;
	int ret;

	if (dev->data->nb_rx_queues == 0)
		return log_failure(port, ti_fail(&why, EINVAL,
			"no receive queue: configure at least one, its mbuf pool is the UMEM"), &why);
	ret = ti_netdev_state(port->nd, &st);
	if (ret != 0)
		return log_failure(port, ti_fail(&why, -ret, "cannot read the state of %s: %s",
						 port->nd->name, strerror(-ret)), &why);
	/* 1500 is also what an application gets that named none: then Linux's own stays. */
	if (dev->data->mtu == RTE_ETHER_MTU || dev->data->mtu == st.mtu) {
		dev->data->mtu = st.mtu;
		return 0;
	}
	pthread_mutex_lock(&ti_control_lock);
	ret = ti_netdev_set_mtu(port->nd, dev->data->mtu, &why);
	pthread_mutex_unlock(&ti_control_lock);
	return log_failure(port, ret, &why);
}

static int
start_locked(struct rte_eth_dev *dev, struct ti_why *why)
{
	struct ti_port *port = ti_port_of(dev);
	bool try_next = true;
	enum ti_mode mode;
	struct ti_why irqs;
	int ret;

	if (ti_port_gone(dev)) {
		ret = retake_netdev(dev, why);
		if (ret != 0)
			return ret;
	} else if (port->told_gone) {
		came_back(port);
	}
	ret = ti_netdev_set_up(port->nd, true, why);
	if (ret != 0)
		return ret;
	if (port->args.busy_budget != 0 && ti_netdev_defer_irqs(port->nd, &irqs) != 0)
		TI_LOG(NOTICE, port->name, "%s", irqs.msg);

	ret = -EOPNOTSUPP;
	for (mode = TI_MODE_ZC; mode <= TI_MODE_SKB && try_next; mode <<= 1) {
		if (!(port->args.modes & mode))
			continue;
		try_next = false;
		ret = start_in_mode(dev, mode, &try_next, why);
		if (ret == 0)
			return 0;
		try_next = try_next && port->args.modes > (unsigned int)mode * 2 - 1;
		if (try_next)
			TI_LOG(NOTICE, port->name, "falling back: %s", why->msg);
	}
	return ret;
}

static int
link_update(struct rte_eth_dev *dev, int wait)
{
	struct ti_port *port = ti_port_of(dev);
	struct rte_eth_link link = { .link_status = RTE_ETH_LINK_DOWN };
	struct ti_netdev_state st;
	bool full = true, autoneg = true;
	uint32_t mbps = 0;
	int ms, ret;

	for (ms = 0; ; ms += LINK_POLL_MS) {
		ret = ti_netdev_state(port->nd, &st);
		if (ret != 0 || !st.up || st.carrier || !wait || ms >= LINK_WAIT_MS)
			break;
		rte_delay_us_sleep(LINK_POLL_MS * 1000);
	}
	if (ret == 0 && st.up && st.carrier) {
		link.link_status = RTE_ETH_LINK_UP;
		ti_netdev_link(port->nd, &mbps, &full, &autoneg);
		link.link_speed = mbps != 0 ? mbps : RTE_ETH_SPEED_NUM_UNKNOWN;
	}
	link.link_duplex = full ? RTE_ETH_LINK_FULL_DUPLEX : RTE_ETH_LINK_HALF_DUPLEX;
	link.link_autoneg = autoneg ? RTE_ETH_LINK_AUTONEG : RTE_ETH_LINK_FIXED;
	return rte_eth_linkstatus_set(dev, &link);
}

static int
dev_start(struct rte_eth_dev *dev)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_why why;
	int ret;

	pthread_mutex_lock(&ti_control_lock);
	ret = start_locked(dev, &why);
	pthread_mutex_unlock(&ti_control_lock);
	if (ret != 0)
		return log_failure(port, ret, &why);
	TI_LOG(INFO, port->name, "%s (driver %s), queues %u to %u: %s", port->nd->name,
	       port->nd->drv.name, port->args.start_queue,
	       port->args.start_queue + port->args.queue_count - 1, ti_mode_name(port->mode));
	link_update(dev, 0);
	return 0;
}

static int
dev_stop(struct rte_eth_dev *dev)
{
	struct ti_port *port = ti_port_of(dev);

	ti_alarms_cancel(dev);
	pthread_mutex_lock(&ti_control_lock);
	ti_port_gone(dev);
	ti_queues_stop(dev);
	if (port->attached) {
		ti_xdp_detach(port->nd);
		port->attached = false;
	}
	pthread_mutex_unlock(&ti_control_lock);
	dev->data->dev_link.link_status = RTE_ETH_LINK_DOWN;
	return 0;
}

static int
dev_close(struct rte_eth_dev *dev)
{
	struct ti_port *port = ti_port_of(dev);
	uint16_t i;

	if (port == NULL)
		return 0;
	dev_stop(dev);
	dev->data->dev_started = 0;
	for (i = 0; i < dev->data->nb_rx_queues; i++)
		ti_rx_queue_release(dev, i);
	for (i = 0; i < dev->data->nb_tx_queues; i++)
		ti_tx_queue_release(dev, i);
	if (port->member_fd >= 0)
		close(port->member_fd);

	pthread_mutex_lock(&ti_control_lock);
	ti_xdp_put(port->nd);
	ti_netdev_put(port->nd);
	pthread_mutex_unlock(&ti_control_lock);

	rte_free(port->pair);
	/* Part of the private data, which ethdev frees. */
	dev->data->mac_addrs = NULL;
	return 0;
}

/* --- operations --------------------------------------------------------------------- */

/* Room of the largest buffers that can be registered: a page. */
static uint32_t
largest_room(void)
{
	uint32_t used = RTE_ALIGN_CEIL(RTE_ALIGN_CEIL(sizeof(struct rte_mempool_objhdr),
		RTE_MEMPOOL_ALIGN) + sizeof(struct rte_mbuf), TI_FRAME_ALIGN) + TI_XDP_HEADROOM;

	return RTE_ALIGN_FLOOR((uint32_t)sysconf(_SC_PAGESIZE) - used, TI_ROOM_ALIGN);
}

static int
dev_infos_get(struct rte_eth_dev *dev, struct rte_eth_dev_info *info)
{
	const struct ti_port *port = ti_port_of(dev);
	const struct rte_eth_desc_lim lim = {
		.nb_min = TI_DESC_MIN, .nb_max = TI_DESC_MAX, .nb_align = 1,
	};
	struct ti_netdev_state st;

	info->if_index = port->nd->ifindex;
	info->max_mac_addrs = 1;
	info->max_rx_queues = port->args.queue_count;
	info->max_tx_queues = port->args.queue_count;

	info->min_mtu = RTE_ETHER_MIN_MTU;
	info->max_mtu = largest_room() - TI_FRAME_OVERHEAD;
	if (ti_netdev_state(port->nd, &st) == 0) {
		info->min_mtu = RTE_MAX(info->min_mtu, st.min_mtu);
		if (st.max_mtu != 0)
			info->max_mtu = RTE_MIN(info->max_mtu, st.max_mtu);
	}
	info->max_rx_pktlen = info->max_mtu + TI_FRAME_OVERHEAD;

	info->rx_desc_lim = lim;
	info->tx_desc_lim = lim;
	info->tx_desc_lim.nb_seg_max = UINT16_MAX;
	info->tx_desc_lim.nb_mtu_seg_max = UINT16_MAX;
	info->tx_offload_capa = RTE_ETH_TX_OFFLOAD_MULTI_SEGS;

	info->default_rxportconf.burst_size = DEFAULT_BURST;
	info->default_rxportconf.nb_queues = 1;
	info->default_rxportconf.ring_size = TI_DESC_DEFAULT;
	info->default_txportconf = info->default_rxportconf;
	return 0;
}

static int
fw_version_get(struct rte_eth_dev *dev, char *text, size_t size)
{
	const struct ti_driver *drv = &ti_port_of(dev)->nd->drv;
	int len = snprintf(text, size, "%s %s%s%s", drv->name, drv->version,
			   drv->firmware[0] ? ", firmware " : "", drv->firmware);

	return len >= 0 && (size_t)len < size ? 0 : len + 1;
}

static int
burst_mode_get(struct rte_eth_dev *dev, uint16_t queue __rte_unused,
	       struct rte_eth_burst_mode *mode)
{
	snprintf(mode->info, sizeof(mode->info), "AF_XDP %s",
		 ti_mode_name(ti_port_of(dev)->mode));
	return 0;
}

static int
mtu_set(struct rte_eth_dev *dev, uint16_t mtu)
{
	struct ti_port *port = ti_port_of(dev);
	const uint32_t need = RTE_ALIGN_CEIL(mtu + TI_FRAME_OVERHEAD, TI_ROOM_ALIGN);
	struct ti_layout lay;
	struct ti_why why;
	uint16_t i;
	int ret = 0;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		const struct ti_rxq *q = dev->data->rx_queues[i];

		if (q == NULL)
			continue;
		ret = ti_layout_init(&lay, q->pool, &why);
		if (ret == 0 && lay.room < need)
			ret = ti_fail(&why, EINVAL,
				"MTU %u needs buffers for %u bytes, mbuf pool %s of queue %u holds %u: use a pool with a larger data room",
				mtu, need, q->pool->name, i, lay.room);
		if (ret != 0)
			return log_failure(port, ret, &why);
	}
	pthread_mutex_lock(&ti_control_lock);
	ret = ti_netdev_set_mtu(port->nd, mtu, &why);
	if (ret == 0) {
		for (i = 0; i < dev->data->nb_tx_queues; i++) {
			struct ti_txq *q = dev->data->tx_queues[i];

			if (q != NULL && port->pair[i].umem != NULL)
				__atomic_store_n(&q->max_len,
						 ti_max_len(mtu, &port->pair[i].umem->lay),
						 __ATOMIC_RELAXED);
		}
	}
	pthread_mutex_unlock(&ti_control_lock);
	return log_failure(port, ret, &why);
}

static int
mac_addr_set(struct rte_eth_dev *dev, struct rte_ether_addr *mac)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_why why;
	int ret;

	pthread_mutex_lock(&ti_control_lock);
	ret = ti_netdev_set_mac(port->nd, mac, &why);
	pthread_mutex_unlock(&ti_control_lock);
	return log_failure(port, ret, &why);
}

/* ethdev replays these at each start, while a packet socket counts: act on changes only. */
static int
set_membership(struct rte_eth_dev *dev, int type, bool *held, bool on)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_why why;
	int ret;

	if (*held == on)
		return 0;
	ret = ti_netdev_membership(port->nd, &port->member_fd, type, on, &why);
	if (ret == 0)
		*held = on;
	return log_failure(port, ret, &why);
}

static int
promiscuous_enable(struct rte_eth_dev *dev)
{
	return set_membership(dev, PACKET_MR_PROMISC, &ti_port_of(dev)->promisc, true);
}

static int
promiscuous_disable(struct rte_eth_dev *dev)
{
	return set_membership(dev, PACKET_MR_PROMISC, &ti_port_of(dev)->promisc, false);
}

static int
allmulticast_enable(struct rte_eth_dev *dev)
{
	return set_membership(dev, PACKET_MR_ALLMULTI, &ti_port_of(dev)->allmulti, true);
}

static int
allmulticast_disable(struct rte_eth_dev *dev)
{
	return set_membership(dev, PACKET_MR_ALLMULTI, &ti_port_of(dev)->allmulti, false);
}

static int
set_link(struct rte_eth_dev *dev, bool up)
{
	struct ti_port *port = ti_port_of(dev);
	struct ti_why why;
	int ret;

	pthread_mutex_lock(&ti_control_lock);
	ret = ti_netdev_set_up(port->nd, up, &why);
	pthread_mutex_unlock(&ti_control_lock);
	if (ret == 0)
		link_update(dev, 0);
	return log_failure(port, ret, &why);
}

static int
set_link_up(struct rte_eth_dev *dev)
{
	return set_link(dev, true);
}

static int
set_link_down(struct rte_eth_dev *dev)
{
	return set_link(dev, false);
}

static int
is_removed(struct rte_eth_dev *dev)
{
	struct ti_netdev_state st;

	return ti_netdev_state(ti_port_of(dev)->nd, &st) == -ENODEV;
}

static const struct eth_dev_ops ops = {
	.dev_configure = dev_configure,
	.dev_start = dev_start,
	.dev_stop = dev_stop,
	.dev_close = dev_close,
	.dev_set_link_up = set_link_up,
	.dev_set_link_down = set_link_down,
	.is_removed = is_removed,
	.link_update = link_update,
	.dev_infos_get = dev_infos_get,
	.fw_version_get = fw_version_get,
	.rx_burst_mode_get = burst_mode_get,
	.tx_burst_mode_get = burst_mode_get,
	.mtu_set = mtu_set,
	.mac_addr_set = mac_addr_set,
	.promiscuous_enable = promiscuous_enable,
	.promiscuous_disable = promiscuous_disable,
	.allmulticast_enable = allmulticast_enable,
	.allmulticast_disable = allmulticast_disable,
	.stats_get = ti_stats_get,
	.stats_reset = ti_stats_reset,
	.xstats_get = ti_xstats_get,
	.xstats_get_names = ti_xstats_get_names,
	.xstats_reset = ti_xstats_reset,
	.rx_queue_setup = ti_rx_queue_setup,
	.tx_queue_setup = ti_tx_queue_setup,
	.rx_queue_release = ti_rx_queue_release,
	.tx_queue_release = ti_tx_queue_release,
	.rx_queue_start = ti_rx_queue_start,
	.rx_queue_stop = ti_rx_queue_stop,
	.tx_queue_start = ti_tx_queue_start,
	.tx_queue_stop = ti_tx_queue_stop,
	.tx_done_cleanup = ti_tx_done_cleanup,
	.rxq_info_get = ti_rxq_info,
	.txq_info_get = ti_txq_info,
};

/* --- probe and remove ----------------------------------------------------------------- */

static int
create_port(struct rte_vdev_device *vdev, const struct ti_port *from, struct ti_why *why)
{
	struct ti_netdev_state st;
	struct rte_eth_dev *dev;
	struct ti_port *port;
	uint32_t i;
	int ret;

	ret = ti_netdev_state(from->nd, &st);
	if (ret != 0)
		return ti_fail(why, -ret, "cannot read the state of %s: %s", from->nd->name,
			       strerror(-ret));
	if (vdev->device.numa_node == SOCKET_ID_ANY)
		vdev->device.numa_node = from->nd->numa_node >= 0 ?
			from->nd->numa_node : (int)rte_socket_id();

	dev = rte_eth_vdev_allocate(vdev, sizeof(*port));
	if (dev == NULL)
		return ti_fail(why, ENOMEM, "cannot create a port: too many of them, or no memory");
	port = ti_port_of(dev);
	*port = *from;
	port->name = dev->data->name;
	port->member_fd = -1;
	port->mac = st.mac;
	port->mode = 1u << __builtin_ctz(port->args.modes);
	port->pair = rte_zmalloc_socket("ti_pair", sizeof(*port->pair) * port->args.queue_count,
					RTE_CACHE_LINE_SIZE, dev->data->numa_node);
	if (port->pair == NULL) {
		rte_eth_dev_release_port(dev);
		/* The port's private data has gone with it. */
		return ti_fail(why, ENOMEM, "no memory for the %u queues of %s",
			       from->args.queue_count, from->nd->name);
	}
	for (i = 0; i < port->args.queue_count; i++)
		port->pair[i].xsk.fd = -1;

	dev->data->mac_addrs = &port->mac;
	dev->data->mtu = st.mtu;
	dev->data->dev_flags |= RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS;
	dev->dev_ops = &ops;
	dev->rx_pkt_burst = ti_rx_burst;
	dev->tx_pkt_burst = ti_tx_burst;
	link_update(dev, 0);
	rte_eth_dev_probing_finish(dev);
	return 0;
}

static int
probe(struct rte_vdev_device *vdev)
{
	struct ti_port port = { .name = rte_vdev_device_name(vdev) };
	const char *text = rte_vdev_device_args(vdev);
	struct ti_why why;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return log_failure(&port, ti_fail(&why, ENOTSUP,
			"AF_XDP rings are mapped in one process only: probe %s in the primary process",
			port.name), &why);

	ret = ti_devargs_parse(&port.args, text != NULL ? text : "", &why);
	if (ret != 0)
		return log_failure(&port, ret, &why);

	pthread_mutex_lock(&ti_control_lock);
	ret = take_netdev(&port, &why);
	if (ret == 0) {
		ret = create_port(vdev, &port, &why);
		if (ret != 0) {
			ti_xdp_put(port.nd);
			ti_netdev_put(port.nd);
		}
	}
	pthread_mutex_unlock(&ti_control_lock);
	return log_failure(&port, ret, &why);
}

static int
remove_port(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	if (dev == NULL)
		return 0;
	dev_close(dev);
	return rte_eth_dev_release_port(dev);
}

static struct rte_vdev_driver driver = {
	.probe = probe,
	.remove = remove_port,
};

RTE_PMD_REGISTER_VDEV(net_af_xdp_ti, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_af_xdp_ti,
	"iface=<string> "
	"start_queue=<int> "
	"queue_count=<int> "
	"shared_umem=<0|1> "
	"xdp_prog=<string> "
	"busy_budget=<int> "
	"force_copy=<0|1> "
	"mode=<zc|copy|skb|auto>");
