/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stamped frame: whatever its header says, and however short or long it is, one can
 * tell whether all of it came and nothing else.
 *
 *   6 .. 11   source address: 02 54 49, a key of 8 bits, the frame's length (big endian)
 *   12 ..     anything; from STAMP_SUMMED bytes on, the last four are the CRC-32 (IEEE 802.3,
 *             little endian) of key, length and bytes 12 to there
 *
 * The test frame of the link partner is a valid datagram of 60 bytes and more; this is for what is
 * none: runts, tags, malformed headers. tests/storm makes them. No state; any thread.
 */
#ifndef TESTS_XSK_STAMP_H
#define TESTS_XSK_STAMP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define STAMP_MIN	14	/* an Ethernet header */
#define STAMP_SUMMED	18	/* and the sum */

enum stamp {
	STAMP_NONE,	/* no stamped frame */
	STAMP_GOOD,
	STAMP_LENGTH,	/* cut short, or bytes too many */
	STAMP_CONTENT,	/* other bytes than were sent */
};

static inline uint32_t stamp_crc(uint32_t crc, const uint8_t *p, size_t len)
{
	unsigned int bit;

	crc = ~crc;
	while (len--) {
		crc ^= *p++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
	}
	return ~crc;
}

static inline uint32_t stamp_sum(const uint8_t *f, size_t len)
{
	return stamp_crc(stamp_crc(0, f + 9, 3), f + 12, len - 16);
}

/* Stamp the @len bytes of @f, whose header and payload are there. */
static inline void stamp_put(uint8_t *f, size_t len, uint8_t key)
{
	uint8_t head[6] = { 2, 0x54, 0x49, key, (uint8_t)(len >> 8), (uint8_t)len };
	uint32_t sum;
	int i;

	if (len >= STAMP_MIN)
		memcpy(f + 6, head, sizeof(head));
	if (len < STAMP_SUMMED)
		return;
	sum = stamp_sum(f, len);
	for (i = 0; i < 4; i++)
		f[len - 4 + (size_t)i] = (uint8_t)(sum >> 8 * i);
}

static inline enum stamp stamp_check(const uint8_t *f, size_t len)
{
	uint32_t sum = 0;
	int i;

	if (len < STAMP_MIN || f[6] != 2 || f[7] != 0x54 || f[8] != 0x49)
		return STAMP_NONE;
	if (len != ((size_t)f[10] << 8 | f[11]))
		return STAMP_LENGTH;
	if (len < STAMP_SUMMED)
		return STAMP_GOOD;
	for (i = 3; i >= 0; i--)
		sum = sum << 8 | f[len - 4 + (size_t)i];
	return sum == stamp_sum(f, len) ? STAMP_GOOD : STAMP_CONTENT;
}

#endif /* TESTS_XSK_STAMP_H */
