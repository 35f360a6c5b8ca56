/* SPDX-License-Identifier: BSD-3-Clause */
/* The test frame: valid by independent rules, and every single damage is found. */
#include "frame.h"
#include "test.h"

static const uint8_t mac_a[6] = { 2, 0, 0, 0, 0, 1 }, mac_b[6] = { 2, 0, 0, 0, 0, 2 };

static struct frame_spec spec(uint8_t proto, uint16_t len)
{
	struct frame_spec s = {
		.src_ip = 0x0a000001, .dst_ip = 0x0a000002, .proto = proto,
		.src_port = FRAME_UDP_PORT, .dst_port = FRAME_UDP_PORT, .stream = 7, .len = len,
	};

	memcpy(s.dst_mac, mac_b, 6);
	memcpy(s.src_mac, mac_a, 6);
	return s;
}

static void make(uint8_t *buf, uint8_t proto, uint16_t len, uint64_t seq)
{
	struct frame_spec s = spec(proto, len);
	struct frame_template t;

	assert_int_equal(frame_template_init(&t, &s), 0);
	assert_int_equal(frame_fill(buf, &t, seq), len);
}

/* RFC 1071 word by word, sharing nothing with frame.h. */
static unsigned int checksum(const uint8_t *p, size_t len, unsigned int sum)
{
	size_t i;

	for (i = 0; i < len; i++) {
		sum += i & 1 ? p[i] : (unsigned int)p[i] << 8;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return sum;
}

/* What any receiver would check of the headers. */
static void check_headers(const uint8_t *f, uint16_t len, uint8_t proto)
{
	unsigned int l4 = len - 34u, pseudo;

	assert_memory_equal(f, mac_b, 6);
	assert_memory_equal(f + 6, mac_a, 6);
	assert_int_equal(f[12] << 8 | f[13], 0x0800);
	assert_int_equal(f[14], 0x45);
	assert_int_equal(f[16] << 8 | f[17], len - 14);
	assert_int_equal(f[23], proto);
	assert_int_equal(checksum(f + 14, 20, 0), 0xffff);
	if (proto == FRAME_PROTO_ICMP) {
		assert_int_equal(f[34], 8);
		assert_int_equal(checksum(f + 34, l4, 0), 0xffff);
		return;
	}
	assert_int_equal(f[38] << 8 | f[39], l4);
	assert_int_not_equal(f[40] << 8 | f[41], 0);
	pseudo = checksum(f + 26, 8, 17 + l4);
	assert_int_equal(checksum(f + 34, l4, pseudo), 0xffff);
}

static void every_size_is_a_valid_datagram(void **state)
{
	static const uint64_t seqs[] = { 0, 1, 0xffff, 0x10000, 0xffffffff, 0x123456789abcdef0 };
	static uint8_t buf[FRAME_MAX + 1];
	struct frame_info info;
	unsigned int len, i, p;

	(void)state;
	for (len = FRAME_MIN; len <= FRAME_MAX; len += len < 300 ? 1 : 97) {
		for (i = 0; i < sizeof(seqs) / sizeof(seqs[0]); i++) {
			for (p = 0; p < 2; p++) {
				uint8_t proto = p ? FRAME_PROTO_ICMP : FRAME_PROTO_UDP;
				uint8_t *f = buf + (i & 1);	/* any alignment */

				make(f, proto, (uint16_t)len, seqs[i]);
				check_headers(f, (uint16_t)len, proto);
				assert_int_equal(frame_verify(f, len, &info), FRAME_GOOD);
				assert_true(info.seq == seqs[i]);
				assert_int_equal(info.stream, 7);
				assert_int_equal(info.proto, proto);
				assert_int_equal(info.bad, 0);
			}
		}
	}
}

static void checksums_hold_for_many_sequence_numbers(void **state)
{
	uint8_t f[FRAME_MIN];
	struct frame_spec s = spec(FRAME_PROTO_UDP, FRAME_MIN);
	struct frame_template t;
	struct frame_info info;
	uint64_t seq;

	(void)state;
	s.flows = 5;
	assert_int_equal(frame_template_init(&t, &s), 0);
	for (seq = 0; seq < 300000; seq++) {
		frame_fill(f, &t, seq * 0x100000001ULL);
		check_headers(f, FRAME_MIN, FRAME_PROTO_UDP);
		assert_int_equal(frame_verify(f, FRAME_MIN, &info), FRAME_GOOD);
		assert_int_equal(info.src_port, FRAME_UDP_PORT + seq * 0x100000001ULL % 5);
	}
}

/* The layout is a contract with captures and with other programs: one frame, byte by byte. */
static void layout_is_as_documented(void **state)
{
	static const uint8_t want_head[] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00,
		0x45, 0, 0, 50, 0x02, 0x03, 0x40, 0, 64, 17,
	};
	static const uint8_t want_payload[] = {
		0x74, 0x69, 0, 7, 0, 64, 0, 0, 0, 0, 0, 1, 2, 3,
	};
	uint64_t key = frame_key(frame_salt(FRAME_MAGIC, 7, 64), 0x10203);
	uint8_t f[64];
	unsigned int i;

	(void)state;
	make(f, FRAME_PROTO_UDP, 64, 0x10203);
	assert_memory_equal(f, want_head, sizeof(want_head));
	assert_memory_equal(f + 42, want_payload, sizeof(want_payload));
	for (i = 0; i < 4; i++)
		assert_int_equal(f[60 + i], key >> 8 * i & 0xff);
}

static enum frame_verdict verdict(const uint8_t *f, size_t len)
{
	struct frame_info info;
	enum frame_verdict v = frame_verify(f, len, &info);

	/* Who knows both ends also checks the addresses. */
	if (v == FRAME_GOOD && !frame_macs(f, mac_a, mac_b))
		return FRAME_CORRUPT;
	return v;
}

static void any_damaged_byte_is_found(void **state)
{
	static const uint16_t lens[] = { 60, 61, 63, 68, 75, 128 };
	unsigned int i, at, x, p;
	uint8_t f[128];

	(void)state;
	for (p = 0; p < 2; p++) {
		for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
			make(f, p ? FRAME_PROTO_ICMP : FRAME_PROTO_UDP, lens[i], 0x0102030405060708 + i);
			for (at = 0; at < lens[i]; at++) {
				for (x = 1; x < 256; x++) {
					f[at] ^= (uint8_t)x;
					if (verdict(f, lens[i]) != FRAME_CORRUPT)
						fail_msg("length %u: byte %u ^ %02x: verdict %d",
							 lens[i], at, x, verdict(f, lens[i]));
					f[at] ^= (uint8_t)x;
				}
			}
			assert_int_equal(verdict(f, lens[i]), FRAME_GOOD);
		}
	}
}

static void bursts_of_damage_are_found(void **state)
{
	uint64_t rnd = 1;
	uint8_t good[1500], f[1500];
	unsigned int i;

	(void)state;
	make(good, FRAME_PROTO_UDP, 1500, 99);
	for (i = 0; i < 200000; i++) {
		uint64_t r = test_random(&rnd);
		size_t from = FRAME_OFF_SEQ + (r >> 8) % (1500 - FRAME_OFF_SEQ);
		size_t n = 1 + (r >> 32) % 64, k;

		if (n > 1500 - from)
			n = 1500 - from;
		memcpy(f, good, 1500);
		for (k = 0; k < n; k++)
			f[from + k] = (uint8_t)test_random(&rnd);
		if (memcmp(f, good, 1500))
			assert_int_equal(verdict(f, 1500), FRAME_CORRUPT);
	}
}

/* What a buffer handled wrongly looks like: the words of it exchanged. UDP's own sum is blind to it. */
static void exchanged_words_are_found(void **state)
{
	uint8_t f[256], tmp[2];
	unsigned int a, b;

	(void)state;
	make(f, FRAME_PROTO_UDP, 256, 5);
	for (a = FRAME_OFF_MAGIC; a < 256; a += 2) {
		for (b = a + 2; b < 256; b += 2) {
			if (!memcmp(f + a, f + b, 2))
				continue;
			memcpy(tmp, f + a, 2);
			memcpy(f + a, f + b, 2);
			memcpy(f + b, tmp, 2);
			assert_int_equal(verdict(f, 256), FRAME_CORRUPT);
			memcpy(tmp, f + a, 2);
			memcpy(f + a, f + b, 2);
			memcpy(f + b, tmp, 2);
		}
	}
}

/* The head of one frame with the rest of another: a buffer overwritten too early. */
static void parts_of_two_frames_are_found(void **state)
{
	uint8_t a[300], b[300], f[300];
	unsigned int cut;

	(void)state;
	make(a, FRAME_PROTO_UDP, 300, 1000);
	make(b, FRAME_PROTO_UDP, 300, 1001);
	/* The heads of a stream's frames differ in nothing but the IP identification. */
	for (cut = FRAME_OFF_MAGIC; cut < 300; cut++) {
		memcpy(f, a, cut);
		memcpy(f + cut, b + cut, 300 - cut);
		if (memcmp(f, a, 300))	/* the last bytes of both may be the same */
			assert_int_equal(verdict(f, 300), FRAME_CORRUPT);
	}
}

static void any_other_length_is_found(void **state)
{
	uint8_t f[400];
	unsigned int len, p;

	(void)state;
	for (p = 0; p < 2; p++) {
		memset(f, 0, sizeof(f));
		make(f, p ? FRAME_PROTO_ICMP : FRAME_PROTO_UDP, 300, 1000);
		for (len = 0; len < 400; len++)
			if (len != 300)
				assert_int_equal(verdict(f, len), FRAME_CORRUPT);
	}
	/* to a port that is not ours as well */
	for (len = 0; len < 300; len++) {
		struct frame_spec s = spec(FRAME_PROTO_UDP, 300);
		struct frame_template t;

		s.src_port = 1;
		s.dst_port = 7;
		assert_int_equal(frame_template_init(&t, &s), 0);
		frame_fill(f, &t, 3);
		assert_int_equal(verdict(f, len), FRAME_CORRUPT);
	}
}

static void exchange(uint8_t *f, unsigned int a, unsigned int b, unsigned int n)
{
	uint8_t tmp[6];

	memcpy(tmp, f + a, n);
	memcpy(f + a, f + b, n);
	memcpy(f + b, tmp, n);
}

static void echoes_are_recognised(void **state)
{
	uint8_t f[200];

	(void)state;
	make(f, FRAME_PROTO_UDP, 200, 4);
	frame_macswap(f);
	assert_int_equal(verdict(f, 200), FRAME_GOOD);
	exchange(f, FRAME_OFF_IP_SRC, FRAME_OFF_IP_DST, 4);
	exchange(f, FRAME_OFF_L4, FRAME_OFF_L4 + 2, 2);
	assert_int_equal(verdict(f, 200), FRAME_GOOD);

	/* a stack's answer to a ping: type 0, checksum and TTL made anew */
	make(f, FRAME_PROTO_ICMP, 200, 4);
	f[FRAME_OFF_L4] = 0;
	frame_put16(f + FRAME_OFF_L4 + 2, 0);
	frame_put16(f + FRAME_OFF_L4 + 2, (uint16_t)~checksum(f + FRAME_OFF_L4, 166, 0));
	f[FRAME_OFF_IP + 8] = 63;
	frame_put16(f + FRAME_OFF_IP_SUM, 0);
	frame_put16(f + FRAME_OFF_IP_SUM, (uint16_t)~checksum(f + FRAME_OFF_IP, 20, 0));
	assert_int_equal(verdict(f, 200), FRAME_GOOD);
}

static void other_traffic_is_foreign(void **state)
{
	static const uint8_t arp[60] = { 255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 2, 8, 6, 0, 1, 8, 0 };
	uint64_t rnd = 3;
	uint8_t f[100];
	unsigned int i, k;

	(void)state;
	assert_int_equal(verdict(arp, 42), FRAME_FOREIGN);
	assert_int_equal(verdict(arp, 60), FRAME_FOREIGN);
	for (i = 0; i < 100000; i++) {
		for (k = 0; k < sizeof(f); k++)
			f[k] = (uint8_t)test_random(&rnd);
		f[12] = i & 1 ? 0x86 : 0x08;	/* IPv6, or ARP */
		f[13] = i & 1 ? 0xdd : 0x06;
		assert_int_equal(verdict(f, 60 + i % 41), FRAME_FOREIGN);
	}
	/* UDP of somebody else */
	make(f, FRAME_PROTO_UDP, 100, 4);
	memset(f + FRAME_OFF_MAGIC, 0, 100 - FRAME_OFF_MAGIC);
	frame_put16(f + FRAME_OFF_L4, 53);
	frame_put16(f + FRAME_OFF_L4 + 2, 53);
	assert_int_equal(verdict(f, 100), FRAME_FOREIGN);
}

/* The pieces of an answer for which the stack's MTU was too small, and what only looks like one. */
static void pieces_of_a_datagram_are_foreign(void **state)
{
	uint8_t f[600];

	(void)state;
	make(f, FRAME_PROTO_ICMP, 600, 4);
	frame_put16(f + FRAME_OFF_IP + 2, 300);
	frame_put16(f + FRAME_OFF_IP + 6, 0x2000);	/* more fragments */
	assert_int_equal(verdict(f, 314), FRAME_CORRUPT);
	frame_put16(f + FRAME_OFF_IP_SUM, 0);
	frame_put16(f + FRAME_OFF_IP_SUM, (uint16_t)~checksum(f + FRAME_OFF_IP, 20, 0));
	assert_int_equal(verdict(f, 314), FRAME_FOREIGN);
}

static void impossible_specs_are_refused(void **state)
{
	struct frame_template t;
	struct frame_spec s = spec(FRAME_PROTO_UDP, FRAME_MIN - 1);

	(void)state;
	assert_int_equal(frame_template_init(&t, &s), -1);
	s.len = FRAME_MAX + 1;
	assert_int_equal(frame_template_init(&t, &s), -1);
	s.len = FRAME_MIN;
	s.proto = 6;
	assert_int_equal(frame_template_init(&t, &s), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_size_is_a_valid_datagram),
		cmocka_unit_test(checksums_hold_for_many_sequence_numbers),
		cmocka_unit_test(layout_is_as_documented),
		cmocka_unit_test(any_damaged_byte_is_found),
		cmocka_unit_test(bursts_of_damage_are_found),
		cmocka_unit_test(exchanged_words_are_found),
		cmocka_unit_test(parts_of_two_frames_are_found),
		cmocka_unit_test(any_other_length_is_found),
		cmocka_unit_test(echoes_are_recognised),
		cmocka_unit_test(other_traffic_is_foreign),
		cmocka_unit_test(pieces_of_a_datagram_are_foreign),
		cmocka_unit_test(impossible_specs_are_refused),
	};

	return cmocka_run_group_tests_name("wire frame", tests, NULL, NULL);
}
