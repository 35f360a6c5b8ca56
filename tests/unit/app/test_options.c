/* SPDX-License-Identifier: BSD-3-Clause */
/* Options set what they say; any fault is refused, and with one line. */

#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_ethdev.h>

#include "config.h"
#include "forward.h"
#include "measure_options.h"
#include "options.h"

#define ARGUMENTS_MAX 16

static struct config untouched;
static struct measure_options measuring_untouched;
static char said[4096]; /* on stderr */

static int
reset(void **state)
{
	(void)state;
	config = untouched;
	measure_options = measuring_untouched;
	return 0;
}

/* Parses options with blanks between them; stdout is silenced, stderr kept. */
static enum options_result
parse(const char *line)
{
	/* Lives on, as argv does: some options keep pointers into it. */
	static char copy[512];
	char *argv[ARGUMENTS_MAX + 1] = { (char *)(uintptr_t)"ti-testpmd" }, *word;
	char path[] = "/tmp/test_app_options.XXXXXX";
	int argc = 1, out, err, capture, null;
	enum options_result result;
	ssize_t length;

	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok(copy, " "); word != NULL && argc < ARGUMENTS_MAX;
	     word = strtok(NULL, " "))
		argv[argc++] = word;
	capture = mkstemp(path);
	assert_true(capture >= 0);
	unlink(path);
	null = open("/dev/null", O_WRONLY);
	fflush(stdout);
	fflush(stderr);
	out = dup(1);
	err = dup(2);
	dup2(null, 1);
	dup2(capture, 2);
	result = options_parse(argc, argv);
	fflush(stdout);
	fflush(stderr);
	dup2(out, 1);
	dup2(err, 2);
	length = pread(capture, said, sizeof(said) - 1, 0);
	said[length > 0 ? length : 0] = '\0';
	close(capture);
	close(null);
	close(out);
	close(err);
	return result;
}

static void
refused(const char *line, const char *with)
{
	const char *newline;

	assert_int_equal(parse(line), OPTIONS_BAD);
	newline = strchr(said, '\n');
	if (newline == NULL || newline[1] != '\0' || strstr(said, with) == NULL)
		fail_msg("%s: not one line with '%s':\n%s", line, with, said);
	reset(NULL);
}

static void
forwarding(void **state)
{
	(void)state;
	assert_int_equal(parse("-i --auto-start --forward-mode=macswap --burst=64 --rxq=2 "
			       "--txq 2 --rxd=512 --txd=256 --port-topology=chained "
			       "--total-num-mbufs=4096 --mbuf-size=2304"), OPTIONS_RUN);
	assert_true(config.interactive);
	assert_true(config.auto_start);
	assert_ptr_equal(config.engine, &fwd_macswap);
	assert_int_equal(config.burst, 64);
	assert_int_equal(config.rx_queues, 2);
	assert_int_equal(config.tx_queues, 2);
	assert_int_equal(config.rx_descriptors, 512);
	assert_int_equal(config.tx_descriptors, 256);
	assert_int_equal(config.topology, TOPOLOGY_CHAINED);
	assert_int_equal(config.total_mbufs, 4096);
	assert_int_equal(config.mbuf_size, 2304);
}

static void
packets(void **state)
{
	(void)state;
	/* Lengths are held against the mbuf size whichever comes first. */
	assert_int_equal(parse("--txpkts=4000,64 --mbuf-size=4224 --tx-udp=7 "
			       "--tx-ip=10.0.0.1,10.0.0.2 --txonly-multi-flow"), OPTIONS_RUN);
	assert_int_equal(config.tx.segments, 2);
	assert_int_equal(config.tx.length, 4064);
	assert_int_equal(config.tx.udp_source, 7);
	assert_int_equal(config.tx.udp_destination, 7);
	assert_int_equal(config.tx.ip_destination, 0x0a000002);
	assert_true(config.tx.multi_flow);
}

static void
offloads(void **state)
{
	(void)state;
	assert_int_equal(parse("--enable-rx-cksum --enable-scatter --disable-rss "
			       "--tx-offloads=0x8000 --no-lsc-interrupt --max-pkt-len=9000"),
			 OPTIONS_RUN);
	assert_true((config.rx_offloads & RTE_ETH_RX_OFFLOAD_CHECKSUM) ==
		    RTE_ETH_RX_OFFLOAD_CHECKSUM);
	assert_true((config.rx_offloads & RTE_ETH_RX_OFFLOAD_SCATTER) != 0);
	assert_int_equal(config.rss_types, 0);
	assert_int_equal(config.tx_offloads, 0x8000);
	assert_false(config.link_interrupt);
	assert_int_equal(config.max_packet_length, 9000);
}

static void
abbreviated(void **state)
{
	(void)state;
	/* getopt_long() takes what is unambiguous, and scripts make use of it. */
	assert_int_equal(parse("--forward=rxonly"), OPTIONS_RUN);
	assert_ptr_equal(config.engine, &fwd_rxonly);
}

static void
measuring(void **state)
{
	(void)state;
	assert_int_equal(parse("--measure=l2fwd,rxdrop --sizes=64,128,1500 --modes=zc,skb "
			       "--duration=0.5 --iface=eth0 --output=x.json --strict"),
			 OPTIONS_RUN);
	assert_true(config.measure);
	assert_int_equal(measure_options.works, 2);
	assert_int_equal(measure_options.work[0], MEASURE_L2FWD);
	assert_int_equal(measure_options.sizes, 3);
	assert_int_equal(measure_options.size[1], 128);
	assert_int_equal(measure_options.modes, 2);
	assert_int_equal(measure_options.mode[0], MEASURE_ZC);
	assert_true(measure_options.duration == 0.5);
	assert_string_equal(measure_options.iface, "eth0");
	assert_int_equal(measure_options.format, MEASURE_JSON);
	assert_true(measure_options.strict);
}

static void
measuring_by_default(void **state)
{
	(void)state;
	assert_int_equal(parse("--measure --iface=eth0"), OPTIONS_RUN);
	assert_int_equal(measure_options.works, 3);
	assert_int_equal(measure_options.sizes, 2);
	assert_int_equal(measure_options.modes, 3);
	reset(NULL);
	assert_int_equal(parse("--measure"), OPTIONS_RUN);
	assert_int_equal(measure_options.modes, 1);
	assert_int_equal(measure_options.mode[0], MEASURE_PORT);
}

static void
help(void **state)
{
	(void)state;
	assert_int_equal(parse("--help"), OPTIONS_DONE);
	assert_string_equal(said, "");
}

static void
faults(void **state)
{
	(void)state;
	refused("--no-such-option", "--no-such-option");
	refused("-x", "-x");
	refused("stray", "stray");
	refused("--rxq", "needs a value");
	refused("--interactive=1", "takes no value");
	refused("--rxq=-1", "'-1'");
	refused("--rxq=2x", "'2x'");
	refused("--rxq=65536", "'65536'");
	refused("--rxq=0 --txq=0", "no receive and no transmit queues");
	refused("--rxd=0", "'0'");
	refused("--burst=513", "'513'");
	refused("--burst=0", "recommends no burst");
	refused("--forward-mode=foo", "'foo'");
	refused("--port-topology=ring", "'ring'");
	refused("--stats-period=1s", "'1s'");
	refused("--total-num-mbufs=1024", "'1024'");
	refused("--mbuf-size=100", "'100'");
	refused("--eth-peer=1", "'1'");
	refused("--eth-peers-configfile=/nonexistent", "/nonexistent");
	refused("--tx-ip=1.2.3.4", "1.2.3.4");
	refused("--tx-udp=70000", "70000");
	refused("--txpkts=41", "41");
	refused("--txpkts=64,x", "64,x");
	refused("--txpkts=2049", "2049");
	refused("--eth-link-speed=3", "no such speed");
	refused("--print-event=foo", "foo");
	refused("--coremask=0", "mask of cores");
	refused("--portmask=1", "mask of ports");
	refused("--portlist=0", "Invalid port 0");
	refused("--rxfreet=64 --rxd=32", "rxfreet");
	refused("-i --tx-first", "interactive");
	refused("-i --measure", "interactive");
	refused("--hairpinq=1", "dpdk-testpmd");
	refused("--num-procs=2", "only '1'");
}

static void
measuring_faults(void **state)
{
	(void)state;
	refused("--measure=foo", "rxdrop");
	refused("--measure --sizes=63", "sizes");
	refused("--measure --sizes=9601", "sizes");
	refused("--measure --sizes=64,", "sizes");
	refused("--measure --iface=eth0 --modes=fast", "skb");
	refused("--measure --duration=0", "seconds");
	refused("--measure --duration=nan", "seconds");
	refused("--measure --format=xml", "json");
	refused("--measure --iface=eth0 --measure-port=0", "--measure-port");
	refused("--measure --modes=zc", "--iface");
	refused("--sizes=64", "only with --measure");
}

#define TEST(name) cmocka_unit_test_setup(name, reset)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(forwarding),
		TEST(packets),
		TEST(offloads),
		TEST(abbreviated),
		TEST(measuring),
		TEST(measuring_by_default),
		TEST(help),
		TEST(faults),
		TEST(measuring_faults),
	};

	untouched = config;
	measuring_untouched = measure_options;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
