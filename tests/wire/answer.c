/* SPDX-License-Identifier: BSD-3-Clause */
/* ARP (RFC 826) and ICMP echo (RFC 792), see answer.h. */
#include <string.h>

#include "answer.h"
#include "frame.h"

#define ETHERTYPE_ARP	0x0806
#define ETHERTYPE_IPV4	0x0800
#define ARP_LEN		28
#define ARP_REQUEST	1
#define ARP_REPLY	2
#define ICMP_ECHO_REPLY	0
#define ICMP_ECHO	8

/* ARP for Ethernet and IPv4: offsets from the frame's first byte. */
enum {
	ARP_OP = 20,
	ARP_SENDER_MAC = 22,
	ARP_SENDER_IP = 28,
	ARP_TARGET_MAC = 32,
	ARP_TARGET_IP = 38,
};

static const uint8_t arp_fixed[6] = { 0, 1, 8, 0, 6, 4 };	/* Ethernet, IPv4, their lengths */

static bool is_arp(const uint8_t *f, size_t len)
{
	return len >= FRAME_OFF_IP + ARP_LEN &&
	       frame_get16(f + FRAME_OFF_ETHERTYPE) == ETHERTYPE_ARP &&
	       !memcmp(f + FRAME_OFF_IP, arp_fixed, sizeof(arp_fixed));
}

static size_t arp_write(const struct answer *a, uint16_t op, const uint8_t dst[6],
			const uint8_t target_mac[6], uint32_t target_ip, uint8_t *out)
{
	memset(out, 0, FRAME_MIN);
	memcpy(out, dst, 6);
	memcpy(out + 6, a->mac, 6);
	frame_put16(out + FRAME_OFF_ETHERTYPE, ETHERTYPE_ARP);
	memcpy(out + FRAME_OFF_IP, arp_fixed, sizeof(arp_fixed));
	frame_put16(out + ARP_OP, op);
	memcpy(out + ARP_SENDER_MAC, a->mac, 6);
	frame_put32(out + ARP_SENDER_IP, a->ip);
	memcpy(out + ARP_TARGET_MAC, target_mac, 6);
	frame_put32(out + ARP_TARGET_IP, target_ip);
	return FRAME_MIN;
}

size_t answer_arp_request(const struct answer *a, uint32_t ip, uint8_t *out)
{
	static const uint8_t all[6] = { 255, 255, 255, 255, 255, 255 }, unknown[6];

	return arp_write(a, ARP_REQUEST, all, unknown, ip, out);
}

bool answer_arp_learn(const uint8_t *in, size_t len, uint32_t ip, uint8_t mac[6])
{
	if (!is_arp(in, len) || frame_get32(in + ARP_SENDER_IP) != ip)
		return false;
	memcpy(mac, in + ARP_SENDER_MAC, 6);
	return true;
}

static size_t answer_icmp(const struct answer *a, const uint8_t *in, size_t len, uint8_t *out)
{
	const uint8_t *ip = in + FRAME_OFF_IP;
	size_t head = (size_t)(ip[0] & 15) * 4, total, icmp;

	if (len < FRAME_OFF_L4 || ip[0] >> 4 != 4 || head < 20 || ip[9] != FRAME_PROTO_ICMP ||
	    frame_get32(ip + 16) != a->ip || frame_get16(ip + 6) & 0x3fff)
		return 0;	/* not for us, or a fragment */
	total = frame_get16(ip + 2);
	if (total < head + 8 || FRAME_OFF_IP + total > len || ip[head] != ICMP_ECHO || ip[head + 1])
		return 0;
	/* Like any host, we are silent to what arrives damaged. */
	if (frame_csum_fold(frame_csum_add(0, ip, head)) != 0xffff ||
	    frame_csum_fold(frame_csum_add(0, ip + head, total - head)) != 0xffff)
		return 0;

	icmp = FRAME_OFF_IP + head;
	memcpy(out, in, len);
	memcpy(out, in + 6, 6);
	memcpy(out + 6, a->mac, 6);
	memcpy(out + FRAME_OFF_IP_SRC, ip + 16, 4);
	memcpy(out + FRAME_OFF_IP_DST, ip + 12, 4);
	out[icmp] = ICMP_ECHO_REPLY;
	frame_put16(out + icmp + 2, 0);
	frame_put16(out + icmp + 2,
		    (uint16_t)~frame_csum_fold(frame_csum_add(0, out + icmp, total - head)));
	if (len < FRAME_MIN) {
		memset(out + len, 0, FRAME_MIN - len);
		len = FRAME_MIN;
	}
	return len;
}

size_t answer_frame(const struct answer *a, const uint8_t *in, size_t len, uint8_t *out)
{
	if (is_arp(in, len)) {
		if (frame_get16(in + ARP_OP) != ARP_REQUEST || frame_get32(in + ARP_TARGET_IP) != a->ip)
			return 0;
		return arp_write(a, ARP_REPLY, in + ARP_SENDER_MAC, in + ARP_SENDER_MAC,
				 frame_get32(in + ARP_SENDER_IP), out);
	}
	if (len >= FRAME_OFF_L4 && frame_get16(in + FRAME_OFF_ETHERTYPE) == ETHERTYPE_IPV4)
		return answer_icmp(a, in, len, out);
	return 0;
}
