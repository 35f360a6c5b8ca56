# SPDX-License-Identifier: BSD-3-Clause
"""Where things are."""

import itertools
import os
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
BUILD = TOP / "build"
NATIVE = BUILD / "native"
_serial = itertools.count(1)


def kernel_dir(series):
    """build/kernel/SERIES, made by devtools/kernel-tree and devtools/modules."""
    return BUILD / "kernel" / series


def run_dir():
    """A fresh directory for one VM's sockets and logs.

    Relative to the working directory where that is shorter, since a socket's path has room
    for 107 bytes.
    """
    path = BUILD / "vm" / f"run-{os.getpid()}" / str(next(_serial))
    path.mkdir(parents=True)
    relative = Path(os.path.relpath(path))
    return min(path, relative, key=lambda p: len(str(p)))
