# SPDX-License-Identifier: BSD-3-Clause
"""Child processes that never outlive the test that started them."""

import atexit
import ctypes
import os
import signal
import subprocess

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)
_running = set()


def spawn(arguments, **options):
    """Popen in a session of its own; the kernel kills the child when this process dies."""
    parent = os.getpid()

    def in_child():
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    process = subprocess.Popen(arguments, preexec_fn=in_child, start_new_session=True, **options)
    _running.add(process)
    return process


def stop(process, patience=5):
    """Ends a child of spawn: politely, then not, and takes its status."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    _running.discard(process)
    return process.returncode


@atexit.register
def _stop_all():
    for process in list(_running):
        stop(process, 1)
