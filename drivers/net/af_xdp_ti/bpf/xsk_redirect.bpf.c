/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The XDP program of the PMD: frames of a queue that has an AF_XDP socket go to
 * the socket, all others to the Linux stack. Queues are put into the map when
 * their socket can receive and taken out before it is closed, so no frame is
 * ever sent to a socket that is not served.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, 1);		/* set to the netdev's queues before loading */
	__type(key, __u32);
	__type(value, __u32);
} xsks_map SEC(".maps");

SEC("xdp")
int xsk_redirect(struct xdp_md *ctx)
{
	/* The low bits of the flags are what is returned for a queue not in the map. */
	return bpf_redirect_map(&xsks_map, ctx->rx_queue_index, XDP_PASS);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
