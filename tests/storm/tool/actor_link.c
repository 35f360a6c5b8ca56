/* SPDX-License-Identifier: BSD-3-Clause */
/* Actors that change what `ip link` changes: MTU, addresses, filters, up and down. */
#include <errno.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <string.h>

#include "actors.h"
#include "netdev.h"

/*
 * ERANGE: the kernel's word for a negative or absurd value. EINVAL: out of the driver's range, or
 * more than attached AF_XDP buffers hold.
 */
static const struct op mtu_op = { "setting the MTU", { EINVAL, ERANGE } };
static const struct op bad_mtu_op = { "setting an impossible MTU", { EINVAL, ERANGE } };
static const struct op mac_op = { "setting the MAC address", { EADDRNOTAVAIL } };
static const struct op bad_mac_op = { "setting an impossible MAC address", { EADDRNOTAVAIL, EINVAL } };
static const struct op flags_op = { "setting the interface's flags", { 0 } };
static const struct op add_op = { "adding a multicast address", { EEXIST } };
/* ENOENT: it went with the netdev. */
static const struct op del_op = { "removing a multicast address", { ENOENT } };

static const int mtus[] = { 68, 576, 1000, 1280, 1400, 1492, 1500, 1500, 1504, 1600, 1900, 2000, 3000, 9000 };
static const int bad_mtus[] = { -1, 0, 67, 65536, 1 << 20, 0x7fffffff };

#define ANY(a, array)	((array)[act_random(a, sizeof(array) / sizeof((array)[0]))])

static int set_mtu(struct act *a, int mtu)
{
	struct ifreq ifr = { .ifr_mtu = mtu };

	return netdev_ioctl(a->o->iface, SIOCSIFMTU, &ifr);
}

void actor_mtu(struct act *a)
{
	while (act_next(a, 10, 400)) {
		if (act_random(a, 5)) {
			ACT(a, &mtu_op, set_mtu(a, ANY(a, mtus)));
		} else {
			int mtu = ANY(a, bad_mtus);

			if (ACT(a, &bad_mtu_op, set_mtu(a, mtu)))
				act_fail(a, "MTU %d was taken", mtu);
		}
	}
}

static int set_mac(struct act *a, const uint8_t mac[6])
{
	struct ifreq ifr = { .ifr_hwaddr.sa_family = ARPHRD_ETHER };

	memcpy(ifr.ifr_hwaddr.sa_data, mac, 6);
	return netdev_ioctl(a->o->iface, SIOCSIFHWADDR, &ifr);
}

void actor_mac(struct act *a)
{
	static const uint8_t none[6], group[6] = { 0x01, 0, 0x5e, 0, 0, 1 };
	struct ifreq ifr = { 0 };
	uint8_t own[6], mac[6];

	if (netdev_ioctl(a->o->iface, SIOCGIFHWADDR, &ifr))
		return act_inapplicable(a, "its address cannot be read");
	memcpy(own, ifr.ifr_hwaddr.sa_data, 6);
	while (act_next(a, 20, 500)) {
		memcpy(mac, own, 6);
		switch (act_random(a, 5)) {
		case 0:
			if (ACT(a, &bad_mac_op, set_mac(a, act_maybe(a) ? none : group)))
				act_fail(a, "an address that no interface can have was taken");
			break;
		case 1:
			mac[3] = (uint8_t)act_random(a, 256);
			mac[5] = (uint8_t)act_random(a, 256);
			/* fall through */
		default:	/* mostly its own, so that frames arrive */
			ACT(a, &mac_op, set_mac(a, mac));
		}
	}
}

void actor_rx_mode(struct act *a)
{
	while (act_next(a, 5, 100)) {
		short bit = act_maybe(a) ? IFF_PROMISC : IFF_ALLMULTI;

		ACT(a, &flags_op, netdev_flags(a->o->iface, act_maybe(a) ? bit : 0, bit));
		ACT(a, &flags_op, netdev_flags(a->o->iface, bit, 0));
	}
}

/* SIOCADDMULTI takes unicast addresses too where the driver filters them. */
static int group(struct act *a, unsigned long request, const uint8_t mac[6])
{
	struct ifreq ifr = { .ifr_hwaddr.sa_family = AF_UNSPEC };

	memcpy(ifr.ifr_hwaddr.sa_data, mac, 6);
	return netdev_ioctl(a->o->iface, request, &ifr);
}

void actor_multicast(struct act *a)
{
	uint8_t mac[16][6];
	unsigned int i, n;

	while (act_next(a, 5, 100)) {
		n = act_range(a, 1, 16);
		for (i = 0; i < n; i++) {
			mac[i][0] = 0x01;
			mac[i][1] = 0x00;
			mac[i][2] = 0x5e;
			mac[i][3] = (uint8_t)i;
			mac[i][4] = (uint8_t)act_random(a, 256);
			mac[i][5] = (uint8_t)act_random(a, 256);
			ACT(a, &add_op, group(a, SIOCADDMULTI, mac[i]));
		}
		act_next(a, 1, 50);
		while (i--)
			ACT(a, &del_op, group(a, SIOCDELMULTI, mac[i]));
	}
}

void actor_updown(struct act *a)
{
	/* Up for longer than a PHY needs to find its link, mostly. */
	while (act_next(a, 50, 3000)) {
		ACT(a, &flags_op, netdev_flags(a->o->iface, 0, IFF_UP));
		act_next(a, 0, 200);
		ACT(a, &flags_op, netdev_flags(a->o->iface, IFF_UP, 0));
	}
}
