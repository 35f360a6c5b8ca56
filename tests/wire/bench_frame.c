/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast frames are filled and verified here: frames a second by size. Prints, judges nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "frame.h"

#define ROUND	200000

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

int main(void)
{
	static const uint16_t sizes[] = { 60, 128, 512, 1500, 9000 };
	static uint8_t buf[64][FRAME_MAX];
	struct frame_spec s = { .proto = FRAME_PROTO_UDP, .src_port = FRAME_UDP_PORT,
				.dst_port = FRAME_UDP_PORT };
	struct frame_template t;
	struct frame_info info;
	unsigned int i;
	uint64_t seq;

	printf("%6s %12s %12s   Mpps\n", "bytes", "fill", "verify");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		double start, fill, verify;

		s.len = sizes[i];
		if (frame_template_init(&t, &s))
			return EXIT_FAILURE;
		start = now();
		for (seq = 0; seq < ROUND; seq++)
			frame_fill(buf[seq & 63], &t, seq);
		fill = now() - start;
		start = now();
		for (seq = 0; seq < ROUND; seq++)
			if (frame_verify(buf[seq & 63], s.len, &info) != FRAME_GOOD)
				return EXIT_FAILURE;
		verify = now() - start;
		printf("%6u %12.2f %12.2f\n", s.len, ROUND / fill / 1e6, ROUND / verify / 1e6);
	}
	return EXIT_SUCCESS;
}
