# SPDX-License-Identifier: BSD-3-Clause
"""Where things are."""

import itertools
import os
import shutil
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
BUILD = TOP / "build"
NATIVE = BUILD / "native"
# Logs of earlier runs that are kept.
KEEP_RUNS = 5
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
    if not path.parent.exists():
        _forget_old_runs()
    path.mkdir(parents=True)
    relative = Path(os.path.relpath(path))
    return min(path, relative, key=lambda p: len(str(p)))


def _forget_old_runs():
    """Removes the run directories of processes that are gone, but for the youngest few."""
    runs = sorted((BUILD / "vm").glob("run-*"), key=lambda path: path.stat().st_mtime)
    for path in runs[:-KEEP_RUNS]:
        if not Path("/proc", path.name.removeprefix("run-")).exists():
            shutil.rmtree(path, ignore_errors=True)
