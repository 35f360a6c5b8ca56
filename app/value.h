/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text to values: what options and commands take. Pure functions; each refuses text
 * that is not wholly the value (dpdk-testpmd's atoi() takes "8x" for 8).
 */
#ifndef TI_TESTPMD_VALUE_H
#define TI_TESTPMD_VALUE_H

#include <stdint.h>

#include <rte_ether.h>

/**
 * A whole number in base 10 (or 16, where base says so; "0x" may lead it then).
 *
 * Return: 0, or -EINVAL where the text is none, -ERANGE where it is outside min..max.
 */
int value_number(const char *text, int base, uint64_t min, uint64_t max, uint64_t *number);

/**
 * Numbers with commas between them, each within 0..max.
 *
 * Return: how many (at least 1), or -EINVAL for what is no list, -E2BIG for more than
 * capacity, -ERANGE for a number above max.
 */
int value_list(const char *text, uint64_t max, uint32_t *numbers, unsigned int capacity);

/**
 * "PORT,MAC": the argument of --eth-peer.
 *
 * Return: 0 or -EINVAL.
 */
int value_peer(const char *text, uint16_t *port, struct rte_ether_addr *address);

/**
 * Names with commas between them, each one of names[] (NULL at the end).
 *
 * order[]: the index of each name, in the order given; capacity bounds it.
 * Return: how many, or -EINVAL for an unknown, repeated or empty name.
 */
int value_names(const char *text, const char *const *names, unsigned int *order,
		unsigned int capacity);

#endif
