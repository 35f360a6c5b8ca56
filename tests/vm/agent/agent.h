/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The protocol between the VM harness (tests/vm/vm/channel.py) and the agent in the guest: frames
 * over a serial line, in both directions, little endian.
 *
 *   offset 0  u8   magic 0xa5
 *          1  u8   type, below
 *          2  u16  id of the command, chosen by the host
 *          4  u32  length of the payload in bytes, at most AGENT_MAX_PAYLOAD
 *          8       payload
 *
 * Host to guest:
 *   R  run the payload with /bin/sh -c, in a process group of its own
 *   I  write the payload to the command's standard input
 *   C  close the command's standard input
 *   S  send the signal whose number is the payload's first byte to the command's process group
 * Guest to host:
 *   H  the agent is ready (id 0)
 *   O  output of the command, standard output and error as one stream
 *   X  the command ended; payload is its wait status as a u32
 */

#ifndef AGENT_H
#define AGENT_H

#include <stdint.h>

#define AGENT_MAGIC 0xa5
#define AGENT_MAX_PAYLOAD 65536u

enum agent_type {
	AGENT_RUN = 'R',
	AGENT_INPUT = 'I',
	AGENT_CLOSE = 'C',
	AGENT_SIGNAL = 'S',
	AGENT_HELLO = 'H',
	AGENT_OUTPUT = 'O',
	AGENT_EXIT = 'X',
};

struct agent_header {
	uint8_t magic;
	uint8_t type;
	uint16_t id;
	uint32_t length;
};

_Static_assert(sizeof(struct agent_header) == 8, "the header is read from the line as it lies");

#endif
