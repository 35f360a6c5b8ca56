/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the stack and an XDP program are told of a received frame: skbs out of
 * pages and out of XSK buffers, checksum, VLAN, hash and time.
 */
#ifndef _DP_SKB_H
#define _DP_SKB_H

#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <net/ip.h>

#include "dp_count.h"
#include "dp_slot.h"

/**
 * struct dp_xdp_buff - what a program runs on, seen from the metadata kfuncs
 * @xdp: on the stack for a page; in an XSK pool it is struct xdp_buff_xsk,
 *	whose private area begins where @cqe lies
 * @cqe: what the MAC said of the frame; valid while the program runs
 */
struct dp_xdp_buff {
	struct xdp_buff xdp;
	const struct dp_rx_cqe *cqe;
};

static_assert(offsetof(struct dp_xdp_buff, xdp) == offsetof(struct xdp_buff_xsk, xdp));
static_assert(offsetof(struct dp_xdp_buff, cqe) == offsetof(struct xdp_buff_xsk, cb));
static_assert(sizeof(struct dp_xdp_buff) <= offsetofend(struct xdp_buff_xsk, cb));

/*
 * Whether the hardware can have verified the L4 checksum of a frame: a whole TCP or
 * UDP datagram right behind its IP header. A fragment that is marked
 * CHECKSUM_UNNECESSARY makes a datagram that nobody ever verifies.
 */
static __always_inline bool dp_csum_verified(const struct sk_buff *skb)
{
	const u8 *l3 = skb->data;
	__be16 proto = skb->protocol;
	u32 len = skb->len;
	u8 l4;

	if (proto == htons(ETH_P_8021Q) && len > VLAN_HLEN) {
		proto = ((const struct vlan_hdr *)l3)->h_vlan_encapsulated_proto;
		l3 += VLAN_HLEN;
		len -= VLAN_HLEN;
	}

	if (proto == htons(ETH_P_IP) && len >= sizeof(struct iphdr)) {
		const struct iphdr *ip = (const struct iphdr *)l3;

		if (ip->frag_off & htons(IP_MF | IP_OFFSET))
			return false;
		l4 = ip->protocol;
	} else if (proto == htons(ETH_P_IPV6) && len >= sizeof(struct ipv6hdr)) {
		l4 = ((const struct ipv6hdr *)l3)->nexthdr;
	} else {
		return false;
	}
	return l4 == IPPROTO_TCP || l4 == IPPROTO_UDP;
}

/* Fill in a linear skb that begins with the Ethernet header, and hand it to GRO. */
static __always_inline void dp_skb_receive(struct dp_rxq *rxq, struct sk_buff *skb,
					   const struct dp_rx_cqe *cqe, struct dp_rx_count *cnt)
{
	u32 flags = cqe->flags;

	skb_record_rx_queue(skb, rxq->qid);
	skb->protocol = eth_type_trans(skb, rxq->port->dev);

	if (flags & DP_RX_CSUM_OK && dp_csum_verified(skb)) {
		skb->ip_summed = CHECKSUM_UNNECESSARY;
		cnt->csum_ok++;
	}
	if (unlikely(flags & (DP_RX_TSTAMP | DP_RX_HASH | DP_RX_VLAN))) {
		if (flags & DP_RX_TSTAMP)
			skb_hwtstamps(skb)->hwtstamp = ns_to_ktime(cqe->hwtstamp);
		if (flags & DP_RX_HASH)
			skb_set_hash(skb, cqe->hash, PKT_HASH_TYPE_L3);
		if (flags & DP_RX_VLAN)
			__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), cqe->vlan_tci);
	}
	napi_gro_receive(rxq->napi, skb);
}

/**
 * dp_page_to_stack() - hand a frame in a page to the stack, without a copy
 * @rxq: receive queue
 * @page: owned by the skb, and so by the stack; recycled on failure
 * @data: first byte of the frame
 * @meta: bytes of XDP metadata before it
 * @len: bytes of the frame
 * @dirty: bytes from DP_HEADROOM on that the CPU may have in its cache
 * @cqe: the MAC's
 * @cnt: the poll's counters
 *
 * Context: NAPI.
 */
static __always_inline void dp_page_to_stack(struct dp_rxq *rxq, struct page *page, void *data,
					     u32 meta, u32 len, u32 dirty,
					     const struct dp_rx_cqe *cqe, struct dp_rx_count *cnt)
{
	void *hard_start = page_address(page);
	struct sk_buff *skb;

	skb = napi_build_skb(hard_start, rxq->frame_sz);
	if (unlikely(!skb)) {
		cnt->alloc_fail++;
		cnt->dropped++;
		page_pool_put_page(rxq->page_pool, page, dirty, true);
		return;
	}
	skb_mark_for_recycle(skb);
	skb_reserve(skb, data - hard_start);
	__skb_put(skb, len);
	if (meta)
		skb_metadata_set(skb, meta);
	dp_skb_receive(rxq, skb, cqe, cnt);
}

/**
 * dp_xsk_to_stack() - hand a copy of a frame in an XSK buffer to the stack
 * @rxq: receive queue
 * @xdp: stays the caller's
 * @cqe: the MAC's
 * @cnt: the poll's counters
 *
 * Context: NAPI.
 */
static __always_inline void dp_xsk_to_stack(struct dp_rxq *rxq, const struct xdp_buff *xdp,
					    const struct dp_rx_cqe *cqe, struct dp_rx_count *cnt)
{
	u32 meta = xdp->data - xdp->data_meta;
	u32 len = xdp->data_end - xdp->data_meta;
	struct sk_buff *skb;

	skb = napi_alloc_skb(rxq->napi, len);
	if (unlikely(!skb)) {
		cnt->alloc_fail++;
		cnt->dropped++;
		return;
	}
	skb_put_data(skb, xdp->data_meta, len);
	if (meta) {
		skb_metadata_set(skb, meta);
		__skb_pull(skb, meta);
	}
	dp_skb_receive(rxq, skb, cqe, cnt);
}

#endif /* _DP_SKB_H */
