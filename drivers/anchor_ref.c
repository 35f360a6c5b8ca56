/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into applications by pkg-config, to need the PMD; see anchor.c. */

extern const char rte_net_af_xdp_ti_anchor[];
extern const char *const rte_net_af_xdp_ti_anchor_ref;
const char *const rte_net_af_xdp_ti_anchor_ref = rte_net_af_xdp_ti_anchor;
