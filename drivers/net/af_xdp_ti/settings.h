/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings of a netdev that the PMD makes, and puts back: on close, and, when the
 * program that made them was killed, at the next start on the same netdev.
 *
 * While it is in use each netdev has a record, /run/net_af_xdp_ti/<netns cookie>-<ifindex>,
 * to which each change is appended before it is made:
 *
 *     af_xdp_ti 1 <boot id> <pid> <start time of the process> <netdev>
 *     mtu 1500 1400
 *     channels 4/4/0 1/1/0
 *
 * (setting, value before, value made). The owner holds the file with flock(2) for
 * as long as it lives, and the kernel drops that however it dies. So whoever can lock a record
 * with changes in it finds what a dead owner left, and whoever
 * cannot must leave the netdev alone. Pid and start time name the owner in messages.
 *
 * A setting is put back only while it has the value that was made: what somebody
 * else has changed since is his. What cannot be put back now stays in the record, for
 * the next owner to put back.
 *
 * Control path; the caller serialises. Privilege: write access to /run, else
 * settings are made all the same and put back on close, and a warning says what a crash would cost.
 */
#ifndef AF_XDP_TI_SETTINGS_H
#define AF_XDP_TI_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "log.h"

#define TI_SETTINGS_DIR "/run/net_af_xdp_ti"

/* Longest value of a setting, with its final NUL. No spaces in values. */
#define TI_SETTING_LEN 48

/* One kind of setting, as text. @ctx is the one given to ti_settings_open(). */
struct ti_setting {
	const char *key;
	/* Read the value now in force. Return 0 or -errno. */
	int (*get)(void *ctx, char value[TI_SETTING_LEN]);
	/* Put @value in force. Return 0 or -errno with the reason. */
	int (*set)(void *ctx, const char *value, struct ti_why *why);
};

struct ti_settings;

/**
 * Take the record of a netdev; first put back what a dead owner left changed.
 *
 * @param dir      directory of the records, made if missing (TI_SETTINGS_DIR)
 * @param ifname   for messages
 * @param kinds    table of @n kinds; stays the caller's
 * @return         0; -EBUSY when a live process owns the netdev, after the while that one
 *                 which was just killed may take to end; else what opening failed with
 */
int ti_settings_open(struct ti_settings **s, const char *dir, const char *ifname,
		     uint32_t ifindex, const struct ti_setting *kinds, unsigned int n,
		     void *ctx, struct ti_why *why);

/**
 * Make a setting. Nothing happens when it has that value already.
 *
 * @param key  of the table
 * @return     0 or -errno with the reason
 */
int ti_settings_set(struct ti_settings *s, const char *key, const char *value,
		    struct ti_why *why);

/** Put one setting back now; nothing happens when it was not made. */
void ti_settings_put_back(struct ti_settings *s, const char *key);

/** Put everything back, last change first, and give up the record. */
void ti_settings_close(struct ti_settings *s);

#endif /* AF_XDP_TI_SETTINGS_H */
