/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * XDP programs of every verdict. What sends a frame out again exchanges its MAC addresses, as
 * the far end expects, and leaves all else as it was: a frame may be lost here, never damaged.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u32);
} sockets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} devices SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CPUMAP);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, struct bpf_cpumap_val);
} cpus SEC(".maps");

static __always_inline int macswap(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	__u8 mac[ETH_ALEN];

	if ((void *)(eth + 1) > end)
		return -1;
	__builtin_memcpy(mac, eth->h_dest, ETH_ALEN);
	__builtin_memcpy(eth->h_dest, eth->h_source, ETH_ALEN);
	__builtin_memcpy(eth->h_source, mac, ETH_ALEN);
	return 0;
}

SEC("xdp")
int pass(struct xdp_md *ctx)
{
	return XDP_PASS;
}

SEC("xdp")
int drop(struct xdp_md *ctx)
{
	return XDP_DROP;
}

SEC("xdp")
int aborted(struct xdp_md *ctx)
{
	return XDP_ABORTED;
}

SEC("xdp")
int tx(struct xdp_md *ctx)
{
	return macswap(ctx) ? XDP_DROP : XDP_TX;
}

SEC("xdp")
int to_socket(struct xdp_md *ctx)
{
	return bpf_redirect_map(&sockets, ctx->rx_queue_index, XDP_PASS);
}

SEC("xdp")
int to_device(struct xdp_md *ctx)
{
	return macswap(ctx) ? XDP_DROP : (int)bpf_redirect_map(&devices, 0, XDP_DROP);
}

SEC("xdp")
int to_cpu(struct xdp_md *ctx)
{
	return bpf_redirect_map(&cpus, 0, XDP_PASS);
}

/* Moves both ends of the frame and back, and leaves metadata before it. */
SEC("xdp")
int adjust(struct xdp_md *ctx)
{
	if (!bpf_xdp_adjust_head(ctx, -16) && bpf_xdp_adjust_head(ctx, 16))
		return XDP_DROP;
	if (!bpf_xdp_adjust_tail(ctx, 32) && bpf_xdp_adjust_tail(ctx, -32))
		return XDP_DROP;
	bpf_xdp_adjust_meta(ctx, -8);
	return ctx->rx_queue_index & 1 ? XDP_PASS : macswap(ctx) ? XDP_DROP : XDP_TX;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
