/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that are made are valid on the wire, however their mbufs are cut. */

#include "test.h"

#include <string.h>

#include "packet.h"

static const struct packet_flow flow = {
	.source = {{ 2, 0, 0, 0, 0, 1 }},
	.destination = {{ 2, 0, 0, 0, 0, 2 }},
	.ip_source = RTE_IPV4(198, 18, 0, 1),
	.ip_destination = RTE_IPV4(198, 18, 0, 2),
	.udp_source = 9,
	.udp_destination = 10,
};

/* The sum over a header with its checksum in it, folded: 0xffff where it is right. */
static uint16_t
sum_of(const void *bytes, size_t length)
{
	const uint8_t *byte = bytes;
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i < length; i += 2)
		sum += (uint32_t)byte[i] << 8 | byte[i + 1];
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

static void
headers(void **state)
{
	static const uint8_t expected[] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00,
		0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0, 198, 18, 0, 1, 198, 18, 0, 2,
		0, 9, 0, 10, 0, 26, 0, 0,
	};
	struct packet_headers headers;
	uint8_t bytes[sizeof(headers)];

	(void)state;
	packet_headers_make(&headers, &flow, 60);
	assert_int_equal(sum_of(&headers.ip, sizeof(headers.ip)), 0xffff);
	headers.ip.hdr_checksum = 0;
	memcpy(bytes, &headers, sizeof(bytes));
	assert_memory_equal(bytes, expected, sizeof(expected));
}

static void
another_length(void **state)
{
	struct packet_headers made, changed;

	(void)state;
	packet_headers_make(&made, &flow, 1500);
	packet_headers_make(&changed, &flow, 60);
	packet_headers_set_length(&changed, 1500);
	assert_memory_equal(&made, &changed, sizeof(made));
}

/* A packet in three segments of 10, 20 and 40 bytes, written at every offset. */
static void
write_across_segments(void **state)
{
	static const uint16_t lengths[] = { 10, 20, 40 };
	uint8_t buffers[3][64], pattern[30], whole[70];
	struct rte_mbuf segments[3];
	uint32_t offset, at;
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(pattern); i++)
		pattern[i] = (uint8_t)(i + 1);
	for (offset = 0; offset + sizeof(pattern) <= sizeof(whole); offset++) {
		memset(segments, 0, sizeof(segments));
		memset(buffers, 0, sizeof(buffers));
		for (i = 0; i < 3; i++) {
			segments[i].buf_addr = buffers[i];
			segments[i].data_len = lengths[i];
			segments[i].next = i < 2 ? &segments[i + 1] : NULL;
		}
		packet_write(&segments[0], offset, pattern, sizeof(pattern));
		for (at = 0, i = 0; i < 3; at += lengths[i], i++) {
			memcpy(whole + at, buffers[i], lengths[i]);
			/* Nothing beyond the segment's own bytes. */
			assert_int_equal(buffers[i][lengths[i]], 0);
		}
		assert_memory_equal(whole + offset, pattern, sizeof(pattern));
		for (at = 0; at < sizeof(whole); at++)
			if (at < offset || at >= offset + sizeof(pattern))
				assert_int_equal(whole[at], 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers),
		cmocka_unit_test(another_length),
		cmocka_unit_test(write_across_segments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
