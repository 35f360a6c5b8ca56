/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of actors. */
#include <stddef.h>

#include "actors.h"

const struct actor actors[] = {
	{ "xsk-zc", "sockets", "zero-copy sockets come, work and go on any queue", actor_xsk_zc },
	{ "xsk-copy", "sockets", "the same in copy mode", actor_xsk_copy },
	{ "xsk-shared", "sockets", "two sockets on one UMEM, on one queue or on two", actor_xsk_shared },
	{ "xsk-queues", "sockets", "a socket on each queue at once", actor_xsk_queues },
	{ "xsk-hold", "sockets", "a socket that lends buffers and never looks again", actor_xsk_hold },
	{ "xdp-native", "programs", "XDP programs of every verdict in the driver", actor_xdp_native },
	{ "xdp-generic", "programs", "the same in the stack", actor_xdp_generic },
	{ "xdp-bound", "programs", "programs bound to the device, which read its metadata", actor_xdp_bound },
	{ "mtu", "settings", "MTU, impossible ones among them", actor_mtu },
	{ "rings", "settings", "ring sizes (ethtool -G)", actor_rings },
	{ "channels", "settings", "channels (ethtool -L)", actor_channels },
	{ "coalesce", "settings", "interrupt coalescing (ethtool -C)", actor_coalesce },
	{ "features", "settings", "offloads (ethtool -K)", actor_features },
	{ "pause", "settings", "pause frames (ethtool -A)", actor_pause },
	{ "mac", "addresses", "MAC address", actor_mac },
	{ "rx-mode", "addresses", "promiscuous and all-multicast", actor_rx_mode },
	{ "multicast", "addresses", "multicast and further unicast addresses", actor_multicast },
	{ "read-files", "readers", "/proc and /sys", actor_read_files },
	{ "read-ethtool", "readers", "ethtool statistics, registers and settings", actor_read_ethtool },
	{ "read-link", "readers", "rtnetlink dumps", actor_read_link },
	{ "read-netdev", "readers", "queues, NAPIs, page pools and their statistics", actor_read_netdev },
	{ "updown", "interface", "the interface goes down and comes up", actor_updown },
	{ "driver", "driver", "the driver is unbound from the device, and bound", actor_driver },
	{ "send-udp", "stack", "UDP datagrams to the far end", actor_send_udp },
	{ "send-packet", "stack", "frames over a packet socket", actor_send_packet },
	{ NULL, NULL, NULL, NULL },
};
