# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the VM tests."""

import pytest

from lib.machine import Vm


@pytest.fixture(scope="module")
def module_vm(request):
    """One board for all tests of a module that do not disturb each other.

    A module chooses its board with VM_OPTIONS = {...}, the arguments of Vm.
    """
    vm = Vm(**getattr(request.module, "VM_OPTIONS", {})).start()
    try:
        yield vm
    finally:
        vm.stop(check=True)
