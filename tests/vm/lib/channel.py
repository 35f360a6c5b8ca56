# SPDX-License-Identifier: BSD-3-Clause
"""The host's end of the command channel; the guest's is tests/vm/agent, the protocol agent.h."""

import re
import socket
import struct
import threading
import time

HEADER = struct.Struct("<BBHI")
MAGIC = 0xA5


class ChannelError(Exception):
    """The guest is gone, or does not answer within the time allowed."""


class Command:
    """A command that runs, or ran, in the guest."""

    def __init__(self, channel, ident, script):
        self.channel = channel
        self.ident = ident
        self.script = script
        self.rc = None
        self._output = bytearray()
        self._seen = 0

    @property
    def output(self):
        """What it has written so far, standard output and error as one text."""
        with self.channel.changed:
            return self._output.decode(errors="replace")

    @property
    def running(self):
        """Whether it has not ended yet."""
        return self.rc is None

    def wait(self, timeout):
        """Waits for the end of the command and returns its exit code (128 + N after signal N)."""
        if not self.channel.until(lambda: self.rc is not None, timeout):
            raise ChannelError(f"still running after {timeout} s: {self.script}\n{self.output[-2000:]}")
        return self.rc

    def expect(self, pattern, timeout):
        """Waits for a match of the pattern in output not yet expected; returns the match.

        What lies before the match's end is then done with. Raises where the command ends, or the
        time is up, without a match.
        """
        expression = re.compile(pattern, re.MULTILINE)
        found = None

        def matches():
            nonlocal found
            found = expression.search(self._output.decode(errors="replace"), self._seen)
            return found or self.rc is not None

        self.channel.until(matches, timeout)
        if not found:
            state = "still running" if self.running else f"ended with {self.rc}"
            raise ChannelError(f"no {pattern!r} within {timeout} s ({state}): {self.script}\n"
                               f"{self.output[-4000:]}")
        self._seen = found.end()
        return found

    def send(self, text):
        """Writes to the command's standard input."""
        data = text.encode()
        for start in range(0, len(data), 16384):
            self.channel.send(b"I", self.ident, data[start:start + 16384])

    def close_stdin(self):
        """Closes the command's standard input."""
        self.channel.send(b"C", self.ident)

    def kill(self, signal):
        """Sends a signal to the command's process group."""
        self.channel.send(b"S", self.ident, bytes([signal]))


class Channel:
    """Commands over a unix socket that QEMU ties to a serial line of the guest."""

    def __init__(self, path, alive, patience=1):
        """Connects to the socket at path; alive() tells whether QEMU still runs.

        A guest on a slow kernel is given `patience` times as long as each call says.
        """
        self.alive = alive
        self.patience = patience
        self.changed = threading.Condition(threading.RLock())
        self.ready = False
        self.closed = False
        self.commands = {}
        self.next_ident = 1
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        deadline = time.monotonic() + 60
        while True:
            try:
                self.socket.connect(str(path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                if not alive():
                    raise ChannelError("QEMU ended before its command channel was there") from None
                if time.monotonic() > deadline:
                    raise ChannelError("QEMU did not open its command channel") from None
                time.sleep(0.02)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def close(self):
        """Ends the channel; commands that still run will never end."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.reader.join(timeout=10)
        self.socket.close()

    def until(self, condition, timeout):
        """Waits for a condition on what the reader changes; its value, false when time is up."""
        deadline = time.monotonic() + timeout * self.patience
        with self.changed:
            while True:
                value = condition()
                if value:
                    return value
                left = deadline - time.monotonic()
                if left <= 0:
                    return value
                if self.closed or not self.alive():
                    raise ChannelError("the guest is gone")
                self.changed.wait(min(left, 1.0))

    def wait_ready(self, timeout):
        """Waits until the guest's agent is there."""
        if not self.until(lambda: self.ready, timeout):
            raise ChannelError(f"the guest was not ready after {timeout} s")

    def send(self, kind, ident, payload=b""):
        """Sends one frame."""
        try:
            self.socket.sendall(HEADER.pack(MAGIC, kind[0], ident, len(payload)) + payload)
        except OSError as error:
            raise ChannelError(f"the guest is gone: {error}") from error

    def start(self, script):
        """Starts a shell command in the guest."""
        with self.changed:
            ident = self.next_ident
            self.next_ident = ident % 0xFFFF + 1
            command = Command(self, ident, script)
            self.commands[ident] = command
        self.send(b"R", ident, script.encode())
        return command

    def _read(self):
        """Reader thread: sorts frames to the commands they belong to."""
        buffered = bytearray()
        while True:
            try:
                data = self.socket.recv(65536)
            except OSError:
                data = b""
            with self.changed:
                if not data:
                    self.closed = True
                    self.changed.notify_all()
                    return
                buffered += data
                while self._take_frame(buffered):
                    pass
                self.changed.notify_all()

    def _take_frame(self, buffered):
        """Handles the first frame of the buffer and removes it; false when it is not whole."""
        while buffered and buffered[0] != MAGIC:
            del buffered[0]
        if len(buffered) < HEADER.size:
            return False
        _, kind, ident, length = HEADER.unpack_from(buffered)
        if len(buffered) < HEADER.size + length:
            return False
        payload = bytes(buffered[HEADER.size:HEADER.size + length])
        del buffered[:HEADER.size + length]
        command = self.commands.get(ident)
        if kind == ord("H"):
            self.ready = True
        elif kind == ord("O") and command:
            command._output += payload
        elif kind == ord("X") and command:
            status = struct.unpack("<I", payload)[0]
            command.rc = 128 + (status & 0x7F) if status & 0x7F else status >> 8 & 0xFF
            del self.commands[ident]
        return True
