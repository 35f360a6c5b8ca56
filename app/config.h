/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the user asked for: the settings that options and commands change and that
 * ports, forwarding and measuring read. One instance, `config`, of the main lcore alone:
 * what forwarding lcores need of it is copied into their plan when forwarding starts, so
 * a change takes effect with the next start.
 */
#ifndef TI_TESTPMD_CONFIG_H
#define TI_TESTPMD_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_config.h>
#include <rte_ether.h>

/* Limits that dpdk-testpmd has too, so that its command lines carry over. */
#define BURST_MAX		512
#define BURST_DEFAULT		32
#define DESCRIPTORS_MAX		2048
#define TOTAL_MBUFS_MIN		1024
#define MBUF_CACHE_DEFAULT	250
#define TX_SEGMENTS_MAX		64
#define TX_LENGTH_DEFAULT	64

#define THRESHOLD_UNSET		(-1)
#define SOCKET_UNSET		(-1)

struct fwd_engine;

enum port_topology {
	TOPOLOGY_PAIRED,
	TOPOLOGY_CHAINED,
	TOPOLOGY_LOOP,
};

/* Whether a packet of txonly takes all the segments of txpkts, or a random number. */
enum tx_split {
	TX_SPLIT_OFF,
	TX_SPLIT_ON,
	TX_SPLIT_RANDOM,
};

/* Thresholds of a queue; THRESHOLD_UNSET leaves the driver's own. */
struct queue_thresholds {
	int32_t prefetch;
	int32_t host;
	int32_t writeback;
	int32_t free;
	int32_t rs; /* transmit only */
};

/* The packets that txonly and flowgen make. Addresses and ports in host byte order. */
struct tx_packets {
	uint16_t segment[TX_SEGMENTS_MAX];	/* bytes of each segment, see txpkts */
	uint16_t segments;
	uint16_t length;	/* sum of segment[] */
	enum tx_split split;
	bool multi_flow;
	uint32_t ip_source;
	uint32_t ip_destination;
	uint16_t udp_source;
	uint16_t udp_destination;
	uint32_t flows;		/* of flowgen */
	uint32_t clones;	/* of flowgen: copies of each packet */
};

struct config {
	/* The run. */
	bool interactive;
	bool auto_start;
	bool measure;
	bool lock_memory;
	uint32_t tx_first;	/* bursts to send before forwarding */
	uint32_t stats_period;	/* seconds, 0: none */
	const char *cmdline_file;

	/* Forwarding. */
	const struct fwd_engine *engine;
	enum port_topology topology;
	uint16_t burst;
	bool retry;
	uint32_t retry_delay;	/* microseconds */
	uint32_t retry_count;
	bool flush_rx;
	bool record_cycles;
	bool record_bursts;
	uint32_t verbose;
	struct rte_ether_addr peers[RTE_MAX_ETHPORTS];

	struct tx_packets tx;

	/* Ports. */
	uint16_t rx_queues;
	uint16_t tx_queues;
	uint16_t rx_descriptors; /* 0: the driver's default */
	uint16_t tx_descriptors;
	struct queue_thresholds rx_thresholds;
	struct queue_thresholds tx_thresholds;
	bool rx_drop_en;
	uint64_t rx_offloads;
	uint64_t tx_offloads;
	uint64_t rss_types;
	uint32_t rx_mq_mode;
	uint32_t max_packet_length; /* bytes with header and FCS, 0: the device's */
	uint32_t max_lro_size;
	uint32_t link_speeds;
	bool flow_isolate;
	bool link_interrupt;
	bool remove_interrupt;
	bool check_link;
	bool start_ports;
	uint32_t print_events;	/* bit per enum rte_eth_event_type */

	/* Memory. */
	uint32_t mbuf_size;
	uint32_t total_mbufs;	/* 0: enough for the ports that there are */
	uint32_t mbuf_cache;
	bool numa;
	int32_t socket;
};

extern struct config config;

#endif
