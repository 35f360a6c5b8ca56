# SPDX-License-Identifier: BSD-3-Clause
"""QEMU's own monitor, for what happens to the board from outside."""

import json
import socket


def execute(path, command, **arguments):
    """Runs one QMP command over the monitor's socket and returns its result."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as monitor:
        monitor.settimeout(60)
        monitor.connect(str(path))
        stream = monitor.makefile("rw")
        stream.readline()
        for request in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
            stream.write(json.dumps(request) + "\n")
            stream.flush()
            answer = {}
            # Events come in between.
            while "return" not in answer and "error" not in answer:
                answer = json.loads(stream.readline())
            if "error" in answer:
                raise RuntimeError(f"QEMU: {command}: {answer['error']}")
        return answer["return"]
