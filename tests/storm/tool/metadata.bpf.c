/* SPDX-License-Identifier: BSD-3-Clause */
/* An XDP program that asks the device for a frame's metadata, and so has to be bound to it. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

/* As the kernel names the type; its values do not matter here. */
enum xdp_rss_hash_type {
	XDP_RSS_TYPE_NONE = 0,
};

/* Linux 6.3 and later. */
extern int bpf_xdp_metadata_rx_timestamp(const struct xdp_md *ctx, __u64 *timestamp) __ksym;
extern int bpf_xdp_metadata_rx_hash(const struct xdp_md *ctx, __u32 *hash,
				    enum xdp_rss_hash_type *rss_type) __ksym;

SEC("xdp")
int metadata(struct xdp_md *ctx)
{
	enum xdp_rss_hash_type type = XDP_RSS_TYPE_NONE;
	__u64 when = 0;
	__u32 hash = 0;

	bpf_xdp_metadata_rx_timestamp(ctx, &when);
	bpf_xdp_metadata_rx_hash(ctx, &hash, &type);
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
