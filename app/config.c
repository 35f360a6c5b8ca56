/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings as they are when no option says otherwise: those of dpdk-testpmd. */

#include <rte_ethdev.h>
#include <rte_ip.h>
#include <rte_mbuf.h>

#include "config.h"
#include "forward.h"

/* RFC 863: the discard protocol. */
#define UDP_PORT_DISCARD 9

#define EVENT(name) (UINT32_C(1) << RTE_ETH_EVENT_##name)

struct config config = {
	.lock_memory = true,
	.engine = &fwd_io,
	.burst = BURST_DEFAULT,
	.retry_delay = 1,
	.retry_count = 64,
	.flush_rx = true,
	.tx = {
		.segment = { TX_LENGTH_DEFAULT },
		.segments = 1,
		.length = TX_LENGTH_DEFAULT,
		/* RFC 2544: the networks kept for benchmarks. */
		.ip_source = RTE_IPV4(198, 18, 0, 1),
		.ip_destination = RTE_IPV4(198, 18, 0, 2),
		.udp_source = UDP_PORT_DISCARD,
		.udp_destination = UDP_PORT_DISCARD,
		.flows = 1024,
	},
	.rx_queues = 1,
	.tx_queues = 1,
	.rx_thresholds = { THRESHOLD_UNSET, THRESHOLD_UNSET, THRESHOLD_UNSET,
			   THRESHOLD_UNSET, THRESHOLD_UNSET },
	.tx_thresholds = { THRESHOLD_UNSET, THRESHOLD_UNSET, THRESHOLD_UNSET,
			   THRESHOLD_UNSET, THRESHOLD_UNSET },
	.tx_offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE,
	.rss_types = RTE_ETH_RSS_IP,
	.rx_mq_mode = RTE_ETH_MQ_RX_VMDQ_DCB_RSS,
	.link_interrupt = true,
	.remove_interrupt = true,
	.check_link = true,
	.start_ports = true,
	.print_events = EVENT(UNKNOWN) | EVENT(INTR_LSC) | EVENT(QUEUE_STATE) |
			EVENT(INTR_RESET) | EVENT(IPSEC) | EVENT(MACSEC) |
			EVENT(INTR_RMV) | EVENT(FLOW_AGED) | EVENT(ERR_RECOVERING) |
			EVENT(RECOVERY_SUCCESS) | EVENT(RECOVERY_FAILED),
	.mbuf_size = RTE_MBUF_DEFAULT_BUF_SIZE,
	.mbuf_cache = MBUF_CACHE_DEFAULT,
	.numa = true,
	.socket = SOCKET_UNSET,
};
