/* SPDX-License-Identifier: BSD-3-Clause */
/* The actors that there are. A new one is a function here and a line in actors.c. */
#ifndef TESTS_STORM_TOOL_ACTORS_H
#define TESTS_STORM_TOOL_ACTORS_H

#include "act.h"

/* Ends with a name of NULL. */
extern const struct actor actors[];

/* actor_xsk.c */
void actor_xsk_zc(struct act *a);
void actor_xsk_copy(struct act *a);
void actor_xsk_shared(struct act *a);
void actor_xsk_queues(struct act *a);
void actor_xsk_hold(struct act *a);

/* actor_xdp.c */
void actor_xdp_native(struct act *a);
void actor_xdp_generic(struct act *a);
void actor_xdp_bound(struct act *a);

/* actor_link.c */
void actor_mtu(struct act *a);
void actor_mac(struct act *a);
void actor_rx_mode(struct act *a);
void actor_multicast(struct act *a);
void actor_updown(struct act *a);

/* actor_ethtool.c */
void actor_rings(struct act *a);
void actor_channels(struct act *a);
void actor_coalesce(struct act *a);
void actor_features(struct act *a);
void actor_pause(struct act *a);

/* actor_read.c */
void actor_read_files(struct act *a);
void actor_read_ethtool(struct act *a);
void actor_read_link(struct act *a);
void actor_read_netdev(struct act *a);

/* actor_driver.c */
void actor_driver(struct act *a);

/* actor_send.c */
void actor_send_udp(struct act *a);
void actor_send_packet(struct act *a);

#endif /* TESTS_STORM_TOOL_ACTORS_H */
