/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As much of a host as a ping needs: ARP and ICMP echo for one IPv4 address.
 * Frames in, frames out; no state.
 */
#ifndef TESTS_WIRE_ANSWER_H
#define TESTS_WIRE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct answer {
	uint32_t ip;		/* host order */
	uint8_t mac[6];
};

/*
 * If @in is an ARP or ICMP echo request to us, write the answer to @out, which
 * has room for @len bytes and for FRAME_MIN. Return: its length, or 0.
 */
size_t answer_frame(const struct answer *a, const uint8_t *in, size_t len, uint8_t *out);

/* Write an ARP request for @ip to @out (FRAME_MIN bytes). Return: its length. */
size_t answer_arp_request(const struct answer *a, uint32_t ip, uint8_t *out);

/* Does @in, an ARP frame, tell the MAC address of @ip? */
bool answer_arp_learn(const uint8_t *in, size_t len, uint32_t ip, uint8_t mac[6]);

#endif /* TESTS_WIRE_ANSWER_H */
