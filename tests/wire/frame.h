/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The test frame: how it is laid out, filled and verified.
 *
 * A valid Ethernet/IPv4 frame that carries UDP, or an ICMP echo request whose
 * payload the peer returns. UDP and ICMP echo headers both have 8 bytes, so
 * the payload always starts at byte 42 and the shortest Ethernet frame (60
 * bytes, 64 with the FCS) holds all of it:
 *
 *   offset  0 ........... 14 ......... 34 ........... 42
 *          | Ethernet 14 | IPv4 20    | UDP/ICMP 8   | payload
 *
 *   42 magic   u16  FRAME_MAGIC
 *   44 stream  u16  which generator
 *   46 len     u16  bytes of the whole frame, FCS not counted
 *   48 seq     u64  sequence number within the stream, from 0
 *   56 sum     u32  checksum of magic, stream, len and seq
 *   60 pattern ...  to the end of the frame, a function of the same fields
 *
 * All fields are big endian. The pattern is a row of little-endian 64-bit words
 * key + i * FRAME_STEP where key depends on every bit of the four fields: two
 * frames share hardly a byte, so a buffer delivered twice, late or in
 * part shows. A verifier computes the whole payload anew and compares each byte.
 *
 * A forwarder on the way may exchange the MAC addresses (macswap), and a stack
 * that answers may exchange IP addresses and UDP ports: the frame stays valid, as
 * one's complement sums do not depend on their order. MAC addresses are in no
 * checksum; who knows the two ends checks them with frame_macs().
 *
 * Nothing but libc headers is needed, and nothing is allocated: the generator,
 * the AF_XDP tool and DPDK programs include this file alike. No state; any thread.
 */
#ifndef TESTS_WIRE_FRAME_H
#define TESTS_WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FRAME_MIN	60	/* IEEE 802.3 minimum without FCS */
#define FRAME_MAX	9600	/* jumbo frames of every MAC here */
#define FRAME_MAGIC	0x7469
#define FRAME_UDP_PORT	21577	/* "TI"; nobody is registered for it */
#define FRAME_ICMP_ID	0x5449
#define FRAME_STEP	0x9e3779b97f4a7c15ULL	/* 2^64 / golden ratio: words spread evenly */

/* Offsets from the frame's first byte. */
#define FRAME_OFF_ETHERTYPE	12
#define FRAME_OFF_IP		14
#define FRAME_OFF_IP_ID		18
#define FRAME_OFF_IP_SUM	24
#define FRAME_OFF_IP_SRC	26
#define FRAME_OFF_IP_DST	30
#define FRAME_OFF_L4		34
#define FRAME_OFF_MAGIC		42
#define FRAME_OFF_STREAM	44
#define FRAME_OFF_LEN		46
#define FRAME_OFF_SEQ		48
#define FRAME_OFF_SUM		56
#define FRAME_OFF_PATTERN	60

#define FRAME_PROTO_ICMP	1
#define FRAME_PROTO_UDP		17

/* What is wrong with a corrupt frame (frame_info.bad). */
#define FRAME_BAD_LENGTH	(1u << 0)	/* cut short, or bytes too many */
#define FRAME_BAD_TYPE		(1u << 1)	/* EtherType, IP version or protocol */
#define FRAME_BAD_IP_SUM	(1u << 2)
#define FRAME_BAD_L4_SUM	(1u << 3)	/* UDP or ICMP checksum, length, port */
#define FRAME_BAD_HEADER	(1u << 4)	/* magic, stream, len, seq or their sum */
#define FRAME_BAD_PATTERN	(1u << 5)

enum frame_verdict {
	FRAME_FOREIGN,	/* not a test frame */
	FRAME_GOOD,	/* a test frame, every byte as it was made (MAC addresses aside) */
	FRAME_CORRUPT,	/* was a test frame once */
};

/* What a generator puts into its frames. Addresses and ports in host order. */
struct frame_spec {
	uint8_t dst_mac[6];
	uint8_t src_mac[6];
	uint32_t src_ip;
	uint32_t dst_ip;
	uint8_t proto;		/* FRAME_PROTO_UDP or FRAME_PROTO_ICMP */
	uint16_t src_port;	/* of flow 0 */
	uint16_t dst_port;
	uint16_t flows;		/* frame seq has source port src_port + seq % flows; 0 is 1 */
	uint16_t stream;
	uint16_t len;		/* FRAME_MIN .. FRAME_MAX */
};

/* A spec made ready for filling: all but what depends on the sequence number. */
struct frame_template {
	uint8_t head[FRAME_OFF_SEQ];
	uint32_t ip_sum;	/* of the header without its identification */
	uint32_t l4_sum;	/* of the pseudo header, ports and fixed payload fields */
	uint64_t salt;
	uint16_t src_port;
	uint16_t flows;
	uint16_t len;
	uint8_t proto;
};

struct frame_info {
	uint64_t seq;		/* these five are read from the frame, */
	uint16_t stream;	/* whether or not it is intact */
	uint8_t proto;
	uint16_t src_port;
	uint16_t dst_port;
	unsigned int bad;	/* FRAME_BAD_*, 0 in a good frame */
};

static inline uint16_t frame_get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t frame_get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	return v;
}

static inline uint64_t frame_get64(const uint8_t *p)
{
	return (uint64_t)frame_get32(p) << 32 | frame_get32(p + 4);
}

static inline void frame_put16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void frame_put32(uint8_t *p, uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	memcpy(p, &v, sizeof(v));
}

static inline void frame_put64(uint8_t *p, uint64_t v)
{
	frame_put32(p, (uint32_t)(v >> 32));
	frame_put32(p + 4, (uint32_t)v);
}

static inline uint64_t frame_le64(uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return v;
#else
	return __builtin_bswap64(v);
#endif
}

/* A bijection of 64 bits in which every input bit moves every output bit. */
static inline uint64_t frame_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	return x ^ x >> 32;
}

static inline uint64_t frame_salt(uint16_t magic, uint16_t stream, uint16_t len)
{
	return frame_mix((uint64_t)magic << 32 | (uint32_t)stream << 16 | len);
}

static inline uint64_t frame_key(uint64_t salt, uint64_t seq)
{
	return frame_mix(salt ^ frame_mix(seq + FRAME_STEP));
}

static inline uint32_t frame_sum(uint64_t key)
{
	return (uint32_t)(frame_mix(key) >> 32);
}

/*
 * One's complement sums (RFC 1071) are gathered in 64 bits as the sum of big-endian
 * 16-bit words, or of wider words, which comes to the same modulo 65535.
 */
static inline uint64_t frame_csum_add(uint64_t sum, const uint8_t *p, size_t len)
{
	for (; len >= 4; len -= 4, p += 4)
		sum += frame_get32(p);
	if (len >= 2) {
		sum += frame_get16(p);
		p += 2;
		len -= 2;
	}
	if (len)
		sum += (uint32_t)p[0] << 8;
	return sum;
}

static inline uint16_t frame_csum_fold(uint64_t sum)
{
	sum = (sum >> 32) + (sum & 0xffffffff);
	sum = (sum >> 32) + (sum & 0xffffffff);
	sum = (sum >> 16) + (sum & 0xffff);
	sum = (sum >> 16) + (sum & 0xffff);
	sum = (sum >> 16) + (sum & 0xffff);
	return (uint16_t)sum;
}

/* The same for a sum of little-endian words: one swap at the end does for all of them. */
static inline uint16_t frame_csum_fold_le(uint64_t sum)
{
	return __builtin_bswap16(frame_csum_fold(sum));
}

/**
 * frame_template_init() - make a spec ready for frame_fill().
 * Return: 0, or -1 when spec->len or spec->proto cannot be.
 */
static inline int frame_template_init(struct frame_template *t, const struct frame_spec *s)
{
	uint8_t *h = t->head;
	uint16_t ip_len = (uint16_t)(s->len - FRAME_OFF_IP);
	uint16_t l4_len = (uint16_t)(s->len - FRAME_OFF_L4);

	if (s->len < FRAME_MIN || s->len > FRAME_MAX ||
	    (s->proto != FRAME_PROTO_UDP && s->proto != FRAME_PROTO_ICMP))
		return -1;

	memset(t, 0, sizeof(*t));
	memcpy(h, s->dst_mac, 6);
	memcpy(h + 6, s->src_mac, 6);
	frame_put16(h + FRAME_OFF_ETHERTYPE, 0x0800);
	h[FRAME_OFF_IP] = 0x45;			/* IPv4, 5 words */
	frame_put16(h + FRAME_OFF_IP + 2, ip_len);
	frame_put16(h + FRAME_OFF_IP + 6, 0x4000);	/* do not fragment */
	h[FRAME_OFF_IP + 8] = 64;			/* time to live */
	h[FRAME_OFF_IP + 9] = s->proto;
	frame_put32(h + FRAME_OFF_IP_SRC, s->src_ip);
	frame_put32(h + FRAME_OFF_IP_DST, s->dst_ip);
	if (s->proto == FRAME_PROTO_UDP) {
		frame_put16(h + FRAME_OFF_L4 + 2, s->dst_port);
		frame_put16(h + FRAME_OFF_L4 + 4, l4_len);
	} else {
		h[FRAME_OFF_L4] = 8;			/* echo request */
		frame_put16(h + FRAME_OFF_L4 + 4, FRAME_ICMP_ID);
	}
	frame_put16(h + FRAME_OFF_MAGIC, FRAME_MAGIC);
	frame_put16(h + FRAME_OFF_STREAM, s->stream);
	frame_put16(h + FRAME_OFF_LEN, s->len);

	t->ip_sum = frame_csum_fold(frame_csum_add(0, h + FRAME_OFF_IP, 20));
	t->l4_sum = (uint32_t)frame_csum_fold(frame_csum_add(0, h + FRAME_OFF_L4,
						FRAME_OFF_SEQ - FRAME_OFF_L4));
	if (s->proto == FRAME_PROTO_UDP)
		t->l4_sum += frame_csum_fold(frame_csum_add(FRAME_PROTO_UDP + l4_len,
						h + FRAME_OFF_IP_SRC, 8));
	t->salt = frame_salt(FRAME_MAGIC, s->stream, s->len);
	t->src_port = s->src_port;
	t->flows = s->flows ? s->flows : 1;
	t->len = s->len;
	t->proto = s->proto;
	return 0;
}

/* Write the pattern; returns its sum for frame_csum_fold_le(). */
static inline uint64_t frame_pattern_fill(uint8_t *p, size_t len, uint64_t key)
{
	uint64_t w = key, sum = 0, le;

	for (; len >= 8; len -= 8, p += 8, w += FRAME_STEP) {
		le = frame_le64(w);
		memcpy(p, &le, 8);
		sum += (w & 0xffffffff) + (w >> 32);
	}
	if (len) {
		le = frame_le64(w);
		memcpy(p, &le, len);
		w &= (1ULL << 8 * len) - 1;
		sum += (w & 0xffffffff) + (w >> 32);
	}
	return sum;
}

/* Compare the pattern; returns true when it holds. *@sum gets the sum of what is there. */
static inline bool frame_pattern_check(const uint8_t *p, size_t len, uint64_t key, uint64_t *sum)
{
	uint64_t w = key, diff = 0, s = 0, v;

	for (; len >= 8; len -= 8, p += 8, w += FRAME_STEP) {
		memcpy(&v, p, 8);
		v = frame_le64(v);
		diff |= v ^ w;
		s += (v & 0xffffffff) + (v >> 32);
	}
	if (len) {
		v = 0;
		memcpy(&v, p, len);
		v = frame_le64(v);
		diff |= v ^ (w & ((1ULL << 8 * len) - 1));
		s += (v & 0xffffffff) + (v >> 32);
	}
	*sum = s;
	return !diff;
}

/**
 * frame_fill() - write frame @seq of a template.
 * @buf: at least t->len bytes, any alignment
 * Return: the frame's length in bytes, t->len.
 */
static inline uint16_t frame_fill(void *buf, const struct frame_template *t, uint64_t seq)
{
	uint8_t *f = buf;
	uint64_t key = frame_key(t->salt, seq);
	uint32_t sum = frame_sum(key);
	uint64_t l4 = t->l4_sum;
	uint16_t csum;

	memcpy(f, t->head, sizeof(t->head));
	frame_put16(f + FRAME_OFF_IP_ID, (uint16_t)seq);
	frame_put16(f + FRAME_OFF_IP_SUM, (uint16_t)~frame_csum_fold(t->ip_sum + (seq & 0xffff)));
	frame_put64(f + FRAME_OFF_SEQ, seq);
	frame_put32(f + FRAME_OFF_SUM, sum);
	l4 += (seq >> 32) + (seq & 0xffffffff) + sum;
	l4 += frame_csum_fold_le(frame_pattern_fill(f + FRAME_OFF_PATTERN,
						    t->len - FRAME_OFF_PATTERN, key));
	if (t->proto == FRAME_PROTO_UDP) {
		uint16_t port = t->src_port;

		if (t->flows > 1)
			port = (uint16_t)(port + seq % t->flows);
		frame_put16(f + FRAME_OFF_L4, port);
		csum = (uint16_t)~frame_csum_fold(l4 + port);
		/* 0 says "no checksum" (RFC 768) */
		frame_put16(f + FRAME_OFF_L4 + 6, csum ? csum : 0xffff);
	} else {
		frame_put16(f + FRAME_OFF_L4 + 6, (uint16_t)seq);
		csum = (uint16_t)~frame_csum_fold(l4 + (seq & 0xffff));
		frame_put16(f + FRAME_OFF_L4 + 2, csum);
	}
	return t->len;
}

/*
 * A piece of an IPv4 datagram, cut by a stack whose MTU is smaller, as nobody sends test frames. Its
 * header has a sum of its own, so damage does not make a piece of what was a whole.
 */
static inline bool frame_is_fragment(const uint8_t *f, size_t len)
{
	const uint8_t *ip = f + FRAME_OFF_IP;

	return len >= FRAME_OFF_L4 && frame_get16(f + FRAME_OFF_ETHERTYPE) == 0x0800 && ip[0] == 0x45 &&
	       frame_get16(ip + 6) & 0x3fff && frame_csum_fold(frame_csum_add(0, ip, 20)) == 0xffff;
}

/* Whose frame is it, once something in it is wrong? See frame_verify(). */
static inline enum frame_verdict frame_blame(const uint8_t *f, size_t len, unsigned int bad)
{
	if (frame_is_fragment(f, len))
		return FRAME_FOREIGN;
	if (len < FRAME_OFF_L4)
		return len < FRAME_OFF_IP || frame_get16(f + FRAME_OFF_ETHERTYPE) == 0x0800 ?
			FRAME_CORRUPT : FRAME_FOREIGN;
	if (!(bad & FRAME_BAD_TYPE)) {
		const uint8_t *l4 = f + FRAME_OFF_L4;

		if (len < FRAME_OFF_MAGIC ||
		    len < (size_t)FRAME_OFF_IP + frame_get16(f + FRAME_OFF_IP + 2))
			return FRAME_CORRUPT;
		if (f[FRAME_OFF_IP + 9] == FRAME_PROTO_UDP &&
		    (frame_get16(l4) == FRAME_UDP_PORT || frame_get16(l4 + 2) == FRAME_UDP_PORT))
			return FRAME_CORRUPT;
		if (f[FRAME_OFF_IP + 9] == FRAME_PROTO_ICMP &&
		    frame_get16(l4 + 4) == FRAME_ICMP_ID)
			return FRAME_CORRUPT;
	}
	return bad & FRAME_BAD_HEADER ? FRAME_FOREIGN : FRAME_CORRUPT;
}

/**
 * frame_verify() - is this a test frame, and intact?
 * @buf: the frame, any alignment
 * @len: bytes received, FCS not counted
 * @info: filled always; seq, stream and the ports are 0 when the frame is too short
 *
 * A damaged frame is told from a foreign one by what is left of it: it has our UDP
 * port or ICMP identifier, or a payload header with a valid sum, or it is cut
 * where no IPv4 datagram ends. So no damage of a single place makes
 * a test frame look foreign. (UDP streams to another port than FRAME_UDP_PORT lose
 * the first of these; their frames may, when the payload header is hit, count as foreign.)
 */
static inline enum frame_verdict frame_verify(const void *buf, size_t len, struct frame_info *info)
{
	const uint8_t *f = buf, *ip = f + FRAME_OFF_IP, *l4 = f + FRAME_OFF_L4;
	uint16_t said, l4_len;
	unsigned int bad = 0;
	uint64_t key, sum, l4_sum;

	memset(info, 0, sizeof(*info));
	if (len < FRAME_MIN) {
		bad = FRAME_BAD_LENGTH | FRAME_BAD_HEADER;
		if (len >= FRAME_OFF_L4) {
			info->proto = ip[9];
			if (frame_get16(f + FRAME_OFF_ETHERTYPE) != 0x0800 || ip[0] != 0x45 ||
			    (ip[9] != FRAME_PROTO_UDP && ip[9] != FRAME_PROTO_ICMP))
				bad |= FRAME_BAD_TYPE;
		}
		info->bad = bad;
		return frame_blame(f, len, bad);
	}

	info->proto = ip[9];
	info->src_port = frame_get16(l4);
	info->dst_port = frame_get16(l4 + 2);
	info->stream = frame_get16(f + FRAME_OFF_STREAM);
	info->seq = frame_get64(f + FRAME_OFF_SEQ);
	said = frame_get16(f + FRAME_OFF_LEN);

	if (frame_get16(f + FRAME_OFF_ETHERTYPE) != 0x0800 || ip[0] != 0x45 ||
	    (ip[9] != FRAME_PROTO_UDP && ip[9] != FRAME_PROTO_ICMP))
		bad |= FRAME_BAD_TYPE;
	if (said != len || frame_get16(ip + 2) != len - FRAME_OFF_IP)
		bad |= FRAME_BAD_LENGTH;
	if (frame_csum_fold(frame_csum_add(0, ip, 20)) != 0xffff)
		bad |= FRAME_BAD_IP_SUM;
	key = frame_key(frame_salt(frame_get16(f + FRAME_OFF_MAGIC), info->stream, said), info->seq);
	if (frame_get16(f + FRAME_OFF_MAGIC) != FRAME_MAGIC ||
	    frame_get32(f + FRAME_OFF_SUM) != frame_sum(key))
		bad |= FRAME_BAD_HEADER;
	if (!frame_pattern_check(f + FRAME_OFF_PATTERN, len - FRAME_OFF_PATTERN, key, &sum))
		bad |= FRAME_BAD_PATTERN;

	l4_len = (uint16_t)(len - FRAME_OFF_L4);
	l4_sum = frame_csum_add(frame_csum_fold_le(sum), l4, FRAME_OFF_PATTERN - FRAME_OFF_L4);
	if (ip[9] == FRAME_PROTO_UDP) {
		l4_sum = frame_csum_add(l4_sum + FRAME_PROTO_UDP + l4_len, ip + 12, 8);
		/* a frame of ours always has a checksum, and its UDP length is the whole rest */
		if (!frame_get16(l4 + 6) || frame_get16(l4 + 4) != l4_len)
			bad |= FRAME_BAD_L4_SUM;
	} else if (l4[0] != 8 && l4[0] != 0) {
		bad |= FRAME_BAD_L4_SUM;
	}
	if (frame_csum_fold(l4_sum) != 0xffff)
		bad |= FRAME_BAD_L4_SUM;

	info->bad = bad;
	return bad ? frame_blame(f, len, bad) : FRAME_GOOD;
}

/* True when the frame runs between @a and @b, in whichever direction. */
static inline bool frame_macs(const void *buf, const uint8_t a[6], const uint8_t b[6])
{
	const uint8_t *f = buf;

	return (!memcmp(f, a, 6) && !memcmp(f + 6, b, 6)) ||
	       (!memcmp(f, b, 6) && !memcmp(f + 6, a, 6));
}

/* Exchange destination and source MAC address in place. */
static inline void frame_macswap(void *buf)
{
	uint8_t *f = buf, tmp[6];

	memcpy(tmp, f, 6);
	memcpy(f, f + 6, 6);
	memcpy(f + 6, tmp, 6);
}

#endif /* TESTS_WIRE_FRAME_H */
