"""How a worker starts and ends: as a fork of the warm server, or as a process of its own."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

from checks.engine.hosting.clock import memory_of
from checks.engine.hosting.outcomes import NoWorker, why_not
from checks.engine.hosting.process import Stream, Worker
from checks.engine.shared import wire

KEPT_ENVIRONMENT = {
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "PYTHONPATH", "PYTHONHOME"),
    *("VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("SYSTEMROOT", "WINDIR", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PYTHONUSERBASE"),
}
SCM_CREDENTIALS = 2  # Linux: a message with its sender's process id, as seen from here.


def clean_environment() -> dict[str, str]:
    """A clean environment for the worker: without tokens, with one thread."""
    kept = {name: os.environ[name] for name in os.environ if name.upper() in KEPT_ENVIRONMENT}
    return {**kept, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}


class Forked(Worker):
    """A child of the server."""

    def __init__(
        self,
        reap: Callable[[int, bool], int],
        known_as: int,
        sock: socket.socket,
        output_fd: int,
        server: int,
    ):
        """known_as: its process id for the server, which may live in a namespace of its own."""
        self.reap, self.known_as, self.sock, self.output_fd = reap, known_as, sock, output_fd
        sock.setblocking(False)
        os.set_blocking(output_fd, False)
        super().__init__(sock.fileno(), sock.fileno(), output_fd)
        self.family = server

    def greet(self) -> bool:
        stands = super().greet()
        self.born_with = memory_of(self.pid) or 0
        return stands

    def _read(self, stream: Stream) -> bytes | None:
        if stream == self.output_fd or self.pid is not None:
            return super()._read(stream)
        try:
            data, notes, _, _ = self.sock.recvmsg(1 << 16, socket.CMSG_SPACE(12))
        except OSError:
            return b""
        for level, kind, content in notes:
            if (level, kind) == (socket.SOL_SOCKET, SCM_CREDENTIALS):
                self.pid = struct.unpack("iII", content[:12])[0]
        return data

    def hang_up(self) -> None:
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_WR)

    def _has_ended(self, kill: bool = False) -> bool:
        raw = self.reap(self.known_as, kill)
        if raw >= 0:
            self.status = os.waitstatus_to_exitcode(raw)
        return raw != wire.RUNS

    def _shut(self) -> None:
        super()._shut()
        self.sock.close()
        os.close(self.output_fd)


class Fresh(Worker):
    """A process of its own."""

    def __init__(self, process: subprocess.Popen[bytes]):
        self.process, self.pid = process, process.pid
        assert process.stdin is not None
        assert process.stdout is not None and process.stderr is not None
        frames, output = _selectable(process.stdout.fileno()), _selectable(process.stderr.fileno())
        if os.name == "posix":
            os.set_blocking(process.stdin.fileno(), False)
        super().__init__(process.stdin.fileno(), frames, output)

    def greet(self) -> bool:
        if not super().greet():
            self.process.kill()
            self._drain(1)
            raise NoWorker(why_not(self.printed.text()))
        return True

    def _read(self, stream: Stream) -> bytes | None:
        if isinstance(stream, int):
            return super()._read(stream)
        try:
            return stream.recv(1 << 16)
        except OSError:
            return b""

    def signal(self, number: int) -> None:
        if not self.ended:
            self.process.send_signal(number)

    def hang_up(self) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()

    def _has_ended(self, kill: bool = False) -> bool:
        if kill:
            self.process.kill()
        self.status = self.process.poll()
        return self.status is not None


def _selectable(fd: int) -> Stream:
    """Something to wait for: the pipe itself or, on Windows, a socket that copies it."""
    if os.name == "posix":
        os.set_blocking(fd, False)
        return fd
    ours, theirs = socket.socketpair()

    def copy() -> None:
        while part := _read_blocking(fd):
            theirs.sendall(part)
        theirs.close()

    threading.Thread(target=copy, daemon=True).start()
    return ours


def _read_blocking(fd: int) -> bytes:
    try:
        return os.read(fd, 1 << 16)
    except OSError:
        return b""
