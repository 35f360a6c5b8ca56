/* SPDX-License-Identifier: BSD-3-Clause */
/* What `show port info|summary|macs` and `show config` print, as dpdk-testpmd prints it. */
#ifndef TI_TESTPMD_SHOW_H
#define TI_TESTPMD_SHOW_H

#include <stdint.h>

#include "forward.h"

void show_port_info(uint16_t port);
void show_port_summary_header(void);
void show_port_summary(uint16_t port);
void show_port_macs(uint16_t port);
void show_fwd_config(const struct fwd_plan *plan);
void show_rxtx_config(void);
void show_cores(void);
void show_txpkts(void);

#endif
