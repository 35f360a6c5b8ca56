# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the tests of ti-testpmd."""

import pytest

from testpmd import STOCK, TI


def pytest_collection_modifyitems(items):
    """Tests that need what is not there say so."""
    if not TI.exists():
        pytest.exit(f"no {TI}: run `make native`, or set TI_TESTPMD", 3)
    for item in items:
        if "stock" in getattr(item, "fixturenames", ()) and STOCK is None:
            item.add_marker(pytest.mark.skip(reason="no dpdk-testpmd on PATH (package dpdk-dev)"))


@pytest.fixture
def stock():
    """The stock dpdk-testpmd."""
    return STOCK


@pytest.fixture(params=["ti", "stock"])
def either(request):
    """Each of the two programs in turn: the test holds for both, or it is not compatible."""
    if request.param == "stock" and STOCK is None:
        pytest.skip("no dpdk-testpmd on PATH (package dpdk-dev)")
    return TI if request.param == "ti" else STOCK
