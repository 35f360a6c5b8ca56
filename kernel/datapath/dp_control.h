/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared between the files of xdp_datapath.ko, not with MACs.
 */
#ifndef _DP_CONTROL_H
#define _DP_CONTROL_H

#include "xdp_datapath.h"

/* Register the buffers of a pool with XDP, as those of @rxq. RTNL. (dp_xdp.c) */
int dp_rxq_register_xsk(struct dp_rxq *rxq, struct xsk_buff_pool *pool);

/* Free the buffers in the slots of a stopped queue. (dp_queue.c) */
void dp_rxq_drain(struct dp_rxq *rxq);

/* Have a queue pair polled. Bottom halves on or off. (dp_xdp.c) */
void dp_queue_kick(struct dp_port *port, u32 qid);

#endif /* _DP_CONTROL_H */
