/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A symbol to link by. A PMD registers itself in a constructor and nothing in
 * an application refers to it, so a linker run with --as-needed, as DPDK's pkg-config file
 * has it, would leave the shared library out. The object of anchor_ref.c, which
 * libdpdk_net_af_xdp_ti-libs.pc names, refers to this. In a DPDK tree it is not needed,
 * so it is not in the driver's folder.
 */

extern const char rte_net_af_xdp_ti_anchor[];
const char rte_net_af_xdp_ti_anchor[] = "net_af_xdp_ti";
