/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels we build for, 6.12 (the one written for)
 * to 7.3. The only place where a kernel version is looked at; written as the
 * newer kernel's interface wherever that can be had on the older.
 */
#ifndef _COMPAT_H
#define _COMPAT_H

#include <linux/version.h>
#include <linux/filter.h>
#include <linux/mm.h>
#include <net/page_pool/helpers.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#error "Linux 6.12 or newer is needed: older kernels lack the per-queue statistics and page_pool interfaces used here"
#endif

/**
 * compat_page_pool_of() - the page_pool that a page of it came from
 * @page: head page, owned by the caller
 *
 * struct page lost its page_pool fields to struct netmem_desc in 6.19.
 *
 * Context: any.
 * Return: the pool; it lives as long as it has pages out.
 */
static inline struct page_pool *compat_page_pool_of(struct page *page)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
	return pp_page_to_nmdesc(page)->pp;
#else
	return page->pp;
#endif
}

/**
 * compat_redirects_to_xsk() - whether the redirect just asked for is to an AF_XDP socket
 *
 * Context: NAPI, between a program's XDP_REDIRECT and xdp_do_redirect().
 * Return: true for an XSKMAP.
 */
static inline bool compat_redirects_to_xsk(void)
{
	return bpf_net_ctx_get_ri()->map_type == BPF_MAP_TYPE_XSKMAP;
}

#endif /* _COMPAT_H */
