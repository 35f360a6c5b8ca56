/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns the calls that a MAC of TI's K3 family makes to the hardware under it into calls to the
 * simulation. Forced in with -include when a MAC is built for hwsim; the MAC's sources know
 * nothing of it. Each hwsim_NAME has the prototype and the behaviour of NAME in Linux 6.12.
 *
 * The public headers come first: without CONFIG_TI_PRUSS they hold inline stubs of these names.
 * A source that is built so cannot have a pr_fmt of its own, since printk.h is in already.
 */
#ifndef HWSIM_RENAME_H
#define HWSIM_RENAME_H

/* Before those that rely on their users for it. */
#include <linux/kernel.h>
#include <linux/platform_device.h>

#include <linux/dma/k3-udma-glue.h>
#include <linux/mfd/syscon.h>
#include <linux/pruss_driver.h>
#include <linux/remoteproc.h>
#include <linux/remoteproc/pruss.h>

/* From the private header of the IEP driver, of which only pointers are handed on. */
struct icss_iep;
struct icss_iep_clockops;

/* K3 UDMA, transmit */
struct k3_udma_glue_tx_channel *
hwsim_k3_udma_glue_request_tx_chn(struct device *dev, const char *name, struct k3_udma_glue_tx_channel_cfg *cfg);
struct k3_udma_glue_tx_channel *
hwsim_k3_udma_glue_request_tx_chn_for_thread_id(struct device *dev, struct k3_udma_glue_tx_channel_cfg *cfg,
						struct device_node *udmax_np, u32 thread_id);
void hwsim_k3_udma_glue_release_tx_chn(struct k3_udma_glue_tx_channel *chn);
int hwsim_k3_udma_glue_push_tx_chn(struct k3_udma_glue_tx_channel *chn, struct cppi5_host_desc_t *desc,
				   dma_addr_t desc_dma);
int hwsim_k3_udma_glue_pop_tx_chn(struct k3_udma_glue_tx_channel *chn, dma_addr_t *desc_dma);
int hwsim_k3_udma_glue_enable_tx_chn(struct k3_udma_glue_tx_channel *chn);
void hwsim_k3_udma_glue_disable_tx_chn(struct k3_udma_glue_tx_channel *chn);
void hwsim_k3_udma_glue_tdown_tx_chn(struct k3_udma_glue_tx_channel *chn, bool sync);
void hwsim_k3_udma_glue_reset_tx_chn(struct k3_udma_glue_tx_channel *chn, void *data,
				     void (*cleanup)(void *data, dma_addr_t desc_dma));
u32 hwsim_k3_udma_glue_tx_get_hdesc_size(struct k3_udma_glue_tx_channel *chn);
u32 hwsim_k3_udma_glue_tx_get_txcq_id(struct k3_udma_glue_tx_channel *chn);
int hwsim_k3_udma_glue_tx_get_irq(struct k3_udma_glue_tx_channel *chn);
struct device *hwsim_k3_udma_glue_tx_get_dma_device(struct k3_udma_glue_tx_channel *chn);
void hwsim_k3_udma_glue_tx_dma_to_cppi5_addr(struct k3_udma_glue_tx_channel *chn, dma_addr_t *addr);
void hwsim_k3_udma_glue_tx_cppi5_to_dma_addr(struct k3_udma_glue_tx_channel *chn, dma_addr_t *addr);

/* K3 UDMA, receive */
struct k3_udma_glue_rx_channel *
hwsim_k3_udma_glue_request_rx_chn(struct device *dev, const char *name, struct k3_udma_glue_rx_channel_cfg *cfg);
void hwsim_k3_udma_glue_release_rx_chn(struct k3_udma_glue_rx_channel *chn);
int hwsim_k3_udma_glue_enable_rx_chn(struct k3_udma_glue_rx_channel *chn);
void hwsim_k3_udma_glue_disable_rx_chn(struct k3_udma_glue_rx_channel *chn);
void hwsim_k3_udma_glue_tdown_rx_chn(struct k3_udma_glue_rx_channel *chn, bool sync);
int hwsim_k3_udma_glue_push_rx_chn(struct k3_udma_glue_rx_channel *chn, u32 flow_num,
				   struct cppi5_host_desc_t *desc, dma_addr_t desc_dma);
int hwsim_k3_udma_glue_pop_rx_chn(struct k3_udma_glue_rx_channel *chn, u32 flow_num, dma_addr_t *desc_dma);
int hwsim_k3_udma_glue_rx_flow_init(struct k3_udma_glue_rx_channel *chn, u32 flow_idx,
				    struct k3_udma_glue_rx_flow_cfg *cfg);
u32 hwsim_k3_udma_glue_rx_flow_get_fdq_id(struct k3_udma_glue_rx_channel *chn, u32 flow_idx);
u32 hwsim_k3_udma_glue_rx_get_flow_id_base(struct k3_udma_glue_rx_channel *chn);
int hwsim_k3_udma_glue_rx_get_irq(struct k3_udma_glue_rx_channel *chn, u32 flow_num);
void hwsim_k3_udma_glue_reset_rx_chn(struct k3_udma_glue_rx_channel *chn, u32 flow_num, void *data,
				     void (*cleanup)(void *data, dma_addr_t desc_dma));
int hwsim_k3_udma_glue_rx_flow_enable(struct k3_udma_glue_rx_channel *chn, u32 flow_idx);
int hwsim_k3_udma_glue_rx_flow_disable(struct k3_udma_glue_rx_channel *chn, u32 flow_idx);
struct device *hwsim_k3_udma_glue_rx_get_dma_device(struct k3_udma_glue_rx_channel *chn);
void hwsim_k3_udma_glue_rx_dma_to_cppi5_addr(struct k3_udma_glue_rx_channel *chn, dma_addr_t *addr);
void hwsim_k3_udma_glue_rx_cppi5_to_dma_addr(struct k3_udma_glue_rx_channel *chn, dma_addr_t *addr);

/* PRUSS and its cores */
struct pruss *hwsim_pruss_get(struct rproc *rproc);
void hwsim_pruss_put(struct pruss *pruss);
int hwsim_pruss_request_mem_region(struct pruss *pruss, enum pruss_mem mem_id, struct pruss_mem_region *region);
int hwsim_pruss_release_mem_region(struct pruss *pruss, struct pruss_mem_region *region);
int hwsim_pruss_cfg_get_gpmux(struct pruss *pruss, enum pruss_pru_id pru_id, u8 *mux);
int hwsim_pruss_cfg_set_gpmux(struct pruss *pruss, enum pruss_pru_id pru_id, u8 mux);
int hwsim_pruss_cfg_gpimode(struct pruss *pruss, enum pruss_pru_id pru_id, enum pruss_gpi_mode mode);
int hwsim_pruss_cfg_miirt_enable(struct pruss *pruss, bool enable);
int hwsim_pruss_cfg_xfr_enable(struct pruss *pruss, enum pru_type pru_type, bool enable);
struct rproc *hwsim_pru_rproc_get(struct device_node *np, int index, enum pruss_pru_id *pru_id);
void hwsim_pru_rproc_put(struct rproc *rproc);
int hwsim_pru_rproc_set_ctable(struct rproc *rproc, enum pru_ctable_idx c, u32 addr);
int hwsim_rproc_set_firmware(struct rproc *rproc, const char *fw_name);
int hwsim_rproc_boot(struct rproc *rproc);
int hwsim_rproc_shutdown(struct rproc *rproc);

/*
 * Register blocks. Renamed at the look-up, and not given to of_syscon_register_regmap(), since the
 * kernel has no call that takes such a registration back, and hwsim can be unloaded.
 */
struct regmap *hwsim_syscon_regmap_lookup_by_phandle(struct device_node *np, const char *property);

/* IEP */
struct icss_iep *hwsim_icss_iep_get(struct device_node *np);
struct icss_iep *hwsim_icss_iep_get_idx(struct device_node *np, int idx);
void hwsim_icss_iep_put(struct icss_iep *iep);
int hwsim_icss_iep_init(struct icss_iep *iep, const struct icss_iep_clockops *clkops, void *clockops_data,
			u32 cycle_time_ns);
int hwsim_icss_iep_exit(struct icss_iep *iep);
int hwsim_icss_iep_get_count_low(struct icss_iep *iep);
int hwsim_icss_iep_get_count_hi(struct icss_iep *iep);
int hwsim_icss_iep_get_ptp_clock_idx(struct icss_iep *iep);
void hwsim_icss_iep_init_fw(struct icss_iep *iep);
void hwsim_icss_iep_exit_fw(struct icss_iep *iep);

/* hwsim itself calls the kernel. */
#ifndef HWSIM_ITSELF
#define k3_udma_glue_request_tx_chn hwsim_k3_udma_glue_request_tx_chn
#define k3_udma_glue_request_tx_chn_for_thread_id hwsim_k3_udma_glue_request_tx_chn_for_thread_id
#define k3_udma_glue_release_tx_chn hwsim_k3_udma_glue_release_tx_chn
#define k3_udma_glue_push_tx_chn hwsim_k3_udma_glue_push_tx_chn
#define k3_udma_glue_pop_tx_chn hwsim_k3_udma_glue_pop_tx_chn
#define k3_udma_glue_enable_tx_chn hwsim_k3_udma_glue_enable_tx_chn
#define k3_udma_glue_disable_tx_chn hwsim_k3_udma_glue_disable_tx_chn
#define k3_udma_glue_tdown_tx_chn hwsim_k3_udma_glue_tdown_tx_chn
#define k3_udma_glue_reset_tx_chn hwsim_k3_udma_glue_reset_tx_chn
#define k3_udma_glue_tx_get_hdesc_size hwsim_k3_udma_glue_tx_get_hdesc_size
#define k3_udma_glue_tx_get_txcq_id hwsim_k3_udma_glue_tx_get_txcq_id
#define k3_udma_glue_tx_get_irq hwsim_k3_udma_glue_tx_get_irq
#define k3_udma_glue_tx_get_dma_device hwsim_k3_udma_glue_tx_get_dma_device
#define k3_udma_glue_tx_dma_to_cppi5_addr hwsim_k3_udma_glue_tx_dma_to_cppi5_addr
#define k3_udma_glue_tx_cppi5_to_dma_addr hwsim_k3_udma_glue_tx_cppi5_to_dma_addr
#define k3_udma_glue_request_rx_chn hwsim_k3_udma_glue_request_rx_chn
#define k3_udma_glue_release_rx_chn hwsim_k3_udma_glue_release_rx_chn
#define k3_udma_glue_enable_rx_chn hwsim_k3_udma_glue_enable_rx_chn
#define k3_udma_glue_disable_rx_chn hwsim_k3_udma_glue_disable_rx_chn
#define k3_udma_glue_tdown_rx_chn hwsim_k3_udma_glue_tdown_rx_chn
#define k3_udma_glue_push_rx_chn hwsim_k3_udma_glue_push_rx_chn
#define k3_udma_glue_pop_rx_chn hwsim_k3_udma_glue_pop_rx_chn
#define k3_udma_glue_rx_flow_init hwsim_k3_udma_glue_rx_flow_init
#define k3_udma_glue_rx_flow_get_fdq_id hwsim_k3_udma_glue_rx_flow_get_fdq_id
#define k3_udma_glue_rx_get_flow_id_base hwsim_k3_udma_glue_rx_get_flow_id_base
#define k3_udma_glue_rx_get_irq hwsim_k3_udma_glue_rx_get_irq
#define k3_udma_glue_reset_rx_chn hwsim_k3_udma_glue_reset_rx_chn
#define k3_udma_glue_rx_flow_enable hwsim_k3_udma_glue_rx_flow_enable
#define k3_udma_glue_rx_flow_disable hwsim_k3_udma_glue_rx_flow_disable
#define k3_udma_glue_rx_get_dma_device hwsim_k3_udma_glue_rx_get_dma_device
#define k3_udma_glue_rx_dma_to_cppi5_addr hwsim_k3_udma_glue_rx_dma_to_cppi5_addr
#define k3_udma_glue_rx_cppi5_to_dma_addr hwsim_k3_udma_glue_rx_cppi5_to_dma_addr
#define pruss_get hwsim_pruss_get
#define pruss_put hwsim_pruss_put
#define pruss_request_mem_region hwsim_pruss_request_mem_region
#define pruss_release_mem_region hwsim_pruss_release_mem_region
#define pruss_cfg_get_gpmux hwsim_pruss_cfg_get_gpmux
#define pruss_cfg_set_gpmux hwsim_pruss_cfg_set_gpmux
#define pruss_cfg_gpimode hwsim_pruss_cfg_gpimode
#define pruss_cfg_miirt_enable hwsim_pruss_cfg_miirt_enable
#define pruss_cfg_xfr_enable hwsim_pruss_cfg_xfr_enable
#define pru_rproc_get hwsim_pru_rproc_get
#define pru_rproc_put hwsim_pru_rproc_put
#define pru_rproc_set_ctable hwsim_pru_rproc_set_ctable
#define rproc_set_firmware hwsim_rproc_set_firmware
#define rproc_boot hwsim_rproc_boot
#define rproc_shutdown hwsim_rproc_shutdown
#define syscon_regmap_lookup_by_phandle hwsim_syscon_regmap_lookup_by_phandle
#define icss_iep_get hwsim_icss_iep_get
#define icss_iep_get_idx hwsim_icss_iep_get_idx
#define icss_iep_put hwsim_icss_iep_put
#define icss_iep_init hwsim_icss_iep_init
#define icss_iep_exit hwsim_icss_iep_exit
#define icss_iep_get_count_low hwsim_icss_iep_get_count_low
#define icss_iep_get_count_hi hwsim_icss_iep_get_count_hi
#define icss_iep_get_ptp_clock_idx hwsim_icss_iep_get_ptp_clock_idx
#define icss_iep_init_fw hwsim_icss_iep_init_fw
#define icss_iep_exit_fw hwsim_icss_iep_exit_fw
#endif

#endif /* HWSIM_RENAME_H */
