# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the PMD's tests on veth."""

import os

import pytest

from pmdbench import Pair, TESTPMD


def unable():
    """Why the PMD's tests cannot run here, or None."""
    if os.geteuid() != 0:
        return "network namespaces and AF_XDP need root"
    if TESTPMD is None:
        return "there is no dpdk-testpmd (Debian package dpdk-dev)"
    return None


@pytest.fixture
def make_pair():
    """Makes veth pairs, which are removed when the test ends."""
    reason = unable()
    if reason:
        pytest.skip(reason)
    pairs = []

    def make(**options):
        pairs.append(Pair(**options))
        return pairs[-1]

    yield make
    for pair in pairs:
        pair.remove()


@pytest.fixture
def pair(make_pair):
    """A veth pair of one queue."""
    return make_pair()
