/* SPDX-License-Identifier: BSD-3-Clause */
/* Netlink: messages as the kernel expects them; answers that are cut or malformed do no harm. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <net/if.h>
#include <linux/rtnetlink.h>
#include <cmocka.h>

#include "netlink.h"

/* A block of attributes on the heap, exactly as long as told, so that the sanitizer sees a read beyond. */
static void *
block(const void *bytes, size_t len)
{
	void *p = malloc(len ? len : 1);

	assert_non_null(p);
	memcpy(p, bytes, len);
	return p;
}

static void
message_layout(void **state)
{
	const struct ifinfomsg ifi = { .ifi_index = 7 };
	const uint32_t mtu = 1400;
	const char name[] = "ab";
	struct ti_nl_req req;
	const char *attrs;
	size_t len;

	(void)state;
	ti_nl_begin(&req, RTM_NEWLINK, NLM_F_CREATE, &ifi, sizeof(ifi));
	ti_nl_put(&req, IFLA_IFNAME, name, sizeof(name));
	ti_nl_put(&req, IFLA_MTU, &mtu, sizeof(mtu));
	assert_int_equal(req.hdr.nlmsg_type, RTM_NEWLINK);
	assert_int_equal(req.hdr.nlmsg_flags, NLM_F_REQUEST | NLM_F_CREATE);
	/* 3 bytes of name take 4 + 4, the MTU 4 + 4. */
	assert_int_equal(req.hdr.nlmsg_len, NLMSG_LENGTH(sizeof(ifi)) + 16);
	attrs = (const char *)&req + NLMSG_LENGTH(sizeof(ifi));
	len = req.hdr.nlmsg_len - NLMSG_LENGTH(sizeof(ifi));
	assert_string_equal(ti_nl_find(attrs, len, IFLA_IFNAME, sizeof(name)), "ab");
	assert_memory_equal(ti_nl_find(attrs, len, IFLA_MTU, sizeof(mtu)), &mtu, sizeof(mtu));
	assert_null(ti_nl_find(attrs, len, IFLA_MTU, sizeof(mtu) + 1));
	assert_null(ti_nl_find(attrs, len, IFLA_ADDRESS, 0));
}

static void
nested_flag_is_ignored(void **state)
{
	const struct nlattr a = { .nla_len = 4, .nla_type = IFLA_XDP | NLA_F_NESTED };

	(void)state;
	assert_non_null(ti_nl_find(&a, sizeof(a), IFLA_XDP, 0));
}

static void
cut_attributes(void **state)
{
	struct {
		struct nlattr a;
		uint32_t value;
		struct nlattr b;
		uint16_t half;
	} __attribute__((packed)) all = {
		.a = { .nla_len = 8, .nla_type = 1 }, .value = 5,
		.b = { .nla_len = 6, .nla_type = 2 }, .half = 9,
	};
	size_t len;
	void *p;

	(void)state;
	for (len = 0; len <= sizeof(all); len++) {
		p = block(&all, len);
		assert_true((ti_nl_find(p, len, 1, 4) != NULL) == (len >= 8));
		assert_true((ti_nl_find(p, len, 2, 2) != NULL) == (len == sizeof(all)));
		assert_null(ti_nl_find(p, len, 3, 0));
		free(p);
	}
}

static void
malformed_lengths(void **state)
{
	static const uint16_t lens[] = { 0, 1, 3, 9, 0xffff };
	struct nlattr a[2] = { { .nla_type = 1 }, { .nla_type = 2, .nla_len = 4 } };
	size_t i;
	void *p;

	(void)state;
	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		a[0].nla_len = lens[i];
		p = block(a, sizeof(a));
		assert_null(ti_nl_find(p, sizeof(a), 2, 0));
		free(p);
	}
}

static void
random_bytes(void **state)
{
	unsigned char bytes[64];
	size_t len, i;
	int round;
	void *p;

	(void)state;
	srand(1);
	for (round = 0; round < 20000; round++) {
		len = rand() % sizeof(bytes);
		for (i = 0; i < len; i++)
			bytes[i] = rand() % 3 ? rand() % 16 : 0;
		p = block(bytes, len);
		ti_nl_find(p, len, rand() % 16, rand() % 8);
		free(p);
	}
}

static int
count_answer(const void *body, size_t len, void *arg)
{
	const struct ifinfomsg *ifi = body;

	assert_true(len >= sizeof(*ifi));
	assert_int_equal(ifi->ifi_index, 1);
	++*(int *)arg;
	return 0;
}

/* With the kernel: loopback is in every network namespace, and anybody may ask. */
static void
ask_for_loopback(void **state)
{
	const struct ifinfomsg ifi = { .ifi_index = 1 };
	struct ti_nl_req req;
	int answers = 0;

	(void)state;
	ti_nl_begin(&req, RTM_GETLINK, 0, &ifi, sizeof(ifi));
	assert_int_equal(ti_nl_talk(NETLINK_ROUTE, &req, count_answer, &answers, NULL, 0), 0);
	assert_int_equal(answers, 1);
}

static void
refusals_of_the_kernel(void **state)
{
	const struct ifinfomsg none = { .ifi_index = 0x7ffffff0 };
	struct ti_nl_req req;
	char text[100] = "unchanged";

	(void)state;
	ti_nl_begin(&req, RTM_GETLINK, 0, &none, sizeof(none));
	assert_int_equal(ti_nl_talk(NETLINK_ROUTE, &req, NULL, NULL, text, sizeof(text)), -ENODEV);
	assert_string_equal(text, "");
	assert_int_equal(ti_nl_family("no such family"), -ENOENT);
	assert_true(ti_nl_family("nlctrl") > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_layout),
		cmocka_unit_test(nested_flag_is_ignored),
		cmocka_unit_test(cut_attributes),
		cmocka_unit_test(malformed_lengths),
		cmocka_unit_test(random_bytes),
		cmocka_unit_test(ask_for_loopback),
		cmocka_unit_test(refusals_of_the_kernel),
	};

	return cmocka_run_group_tests_name("pmd-netlink", tests, NULL, NULL);
}
