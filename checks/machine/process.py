"""One worker process as the judge sees it: ask, wait so long, collect what it printed, end it."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from checks.machine import wire

START_LIMIT = 120.0  # Seconds for `import torch` on a slow disk.
PATIENCE = 4  # A wall clock limit is this many times the limit of computing time.
HEAD, TAIL = 8_000, 4_000  # Characters of printed text that are kept.
FLOOD = 1 << 20  # More than this, and no end: the verdict is output_limit.


class NoWorker(Exception):
    """No worker can be started: torch is missing or broken. The text says what to do."""


class Died(Exception):
    """The worker gave no answer. `how` is a verdict; `trace` the last lines that ran."""

    def __init__(self, how: str, detail: str = "", trace: str = ""):
        super().__init__(how)
        self.how, self.detail, self.trace = how, detail, trace


class Printed:
    """What a worker printed: its beginning, its end, and how much was dropped between."""

    def __init__(self) -> None:
        self.head, self.tail, self.size = b"", b"", 0

    def add(self, data: bytes) -> None:
        self.size += len(data)
        room = HEAD - len(self.head)
        self.head += data[:room]
        self.tail = (self.tail + data[max(room, 0) :])[-TAIL:]

    def text(self) -> str:
        dropped = self.size - len(self.head) - len(self.tail)
        middle = f"\n[… {dropped} bytes left out …]\n".encode() if dropped else b""
        return (self.head + middle + self.tail).decode("utf-8", "backslashreplace")


class Worker:
    """One process doing one piece of work. Subclasses know how it was started and how it ends.

    If there is a list `idle`, one that has answered well to the end goes there, to be used again.
    """

    def __init__(
        self, frames_fd: int, output_fd: int, seconds: float, idle: list[Worker] | None = None
    ):
        self.seconds, self.idle = seconds, idle
        self.patience = seconds * PATIENCE  # What is left of it: only waiting counts.
        self.printed = Printed()
        self.frames: queue.SimpleQueue[tuple[bytes, bytes] | None] = queue.SimpleQueue()
        self.stray, self.has_died = b"", False
        self.readers = [
            threading.Thread(target=self._read_frames, args=(frames_fd,), daemon=True),
            threading.Thread(target=self._read_output, args=(output_fd,), daemon=True),
        ]
        for reader in self.readers:
            reader.start()

    def ask(self, do: str, **arguments: Any) -> Any:
        """Send one request; its answer, or Died."""
        try:
            self._write(wire.encode({"do": do, "with": arguments}))
            start = time.monotonic()
            frame = self.frames.get(timeout=max(0.0, self.patience))
            self.patience -= time.monotonic() - start
        except queue.Empty:
            self._interrupt()
            raise self._died("timeout") from None
        except OSError:
            frame = None
        if frame is None:
            raise self._died(None)
        try:
            return wire.decode(*frame)
        except wire.BadFrame:
            raise Died("no_result", "what came back was not an answer") from None

    def close(self) -> str:
        """End the process, or make it ready for the next piece of work; what it printed."""
        if self.idle is not None and not self.has_died:
            try:
                self.ask("renew", seconds=self.seconds)
            except Died:
                return self.printed.text()
            time.sleep(0.005)  # For the reader of what was printed.
            text, self.printed = self.printed.text(), Printed()
            self.patience = self.seconds * PATIENCE
            self.idle.append(self)
            return text
        self._hang_up()
        self._status()
        self.readers[1].join(0.2)  # A process left behind may hold the pipe: do not wait for it.
        return self.printed.text()

    def _died(self, how: str | None) -> Died:
        self.has_died = True
        self._hang_up()
        status = self._status()
        self.readers[0].join(0.3)
        trace = self.stray.decode("ascii", "replace")
        late = self.patience <= self.seconds * (PATIENCE - 1)
        if how is None:
            how, detail = _verdict(status, late)
        else:
            detail = ""
        if how == "timeout" and self.printed.size > FLOOD:
            how = "output_limit"
        return Died(how, detail, trace)

    def _read_frames(self, fd: int) -> None:
        data = b""
        try:
            while part := _read(fd):
                data += part
                while len(data) >= wire.LENGTHS.size:
                    header, body = wire.lengths(data[: wire.LENGTHS.size])
                    start = wire.LENGTHS.size
                    end = start + header + body
                    if len(data) < end:
                        break
                    self.frames.put((data[start : start + header], data[start + header : end]))
                    data = data[end:]
        except wire.BadFrame:  # Forged, or the trace that a worker writes when its time is up.
            self.frames.put(None)
            while len(data) < 20_000 and (part := _read(fd)):
                data += part
        self.stray = data[:20_000]
        self.frames.put(None)

    def _read_output(self, fd: int) -> None:
        while part := _read(fd):
            self.printed.add(part)

    def kill(self) -> None:
        raise NotImplementedError

    def _write(self, data: bytes) -> None:
        raise NotImplementedError

    def _interrupt(self) -> None:
        raise NotImplementedError

    def _hang_up(self) -> None:
        raise NotImplementedError

    def _status(self) -> int | None:
        """The exit code: negative for a signal, None if it is not known."""
        raise NotImplementedError


class Forked(Worker):
    """A child of the server."""

    def __init__(
        self,
        reap: Callable[[int], int | None],
        pid: int,
        sock: socket.socket,
        output_fd: int,
        seconds: float,
        idle: list[Worker] | None = None,
    ):
        self.reap, self.pid, self.sock, self.output_fd = reap, pid, sock, output_fd
        self.status: int | None = None
        self.ended = False
        super().__init__(sock.fileno(), output_fd, seconds, idle)

    def kill(self) -> None:
        self._hang_up()
        self._status()

    def _write(self, data: bytes) -> None:
        self.sock.sendall(data)

    def _interrupt(self) -> None:
        _dump_and_kill(self.pid, self.readers[0])

    def _hang_up(self) -> None:
        try:
            self.sock.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def _status(self) -> int | None:
        if not self.ended:
            self.ended = True
            raw = self.reap(self.pid)
            self.status = None if raw in (None, -1) else os.waitstatus_to_exitcode(raw or 0)
            self.readers[0].join(0.3)
            if not self.readers[0].is_alive():
                self.sock.close()
            self.readers[1].join(0.2)
            if not self.readers[1].is_alive():
                os.close(self.output_fd)
        return self.status


class Fresh(Worker):
    """A process of its own."""

    def __init__(self, process: subprocess.Popen[bytes], idle: list[Worker], seconds: float):
        self.process = process
        assert self.process.stdout is not None and self.process.stderr is not None
        out, errors = self.process.stdout.fileno(), self.process.stderr.fileno()
        super().__init__(out, errors, seconds, idle)
        try:
            ready = self.frames.get(timeout=START_LIMIT)
        except queue.Empty:
            ready = None
        if ready is None:
            self.process.kill()
            self.readers[1].join(1)
            raise NoWorker(why_not(self.printed.text()))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _interrupt(self) -> None:
        if os.name == "posix":
            _dump_and_kill(self.process.pid, self.readers[0])
        else:
            self.process.kill()

    def _hang_up(self) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except OSError:
            pass

    def _status(self) -> int | None:
        try:
            return self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.kill()
            return None


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 1 << 16)
    except OSError:
        return b""


def _dump_and_kill(pid: int, reader: threading.Thread) -> None:
    """Ask for the lines that run (the worker writes them on SIGXCPU and ends), then kill."""
    for number, wait in ((signal.SIGXCPU, 0.5), (signal.SIGKILL, 0.0)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        reader.join(wait)
        if not reader.is_alive():
            return


def _verdict(code: int | None, late: bool) -> tuple[str, str]:
    """What an exit without an answer means: a verdict and a detail."""
    if code is None or code >= 0:
        return "no_result", "" if code is None else f"exit status {code}"
    name = signal.Signals(-code).name if -code in signal.valid_signals() else f"signal {-code}"
    if name == "SIGXCPU" or (name == "SIGKILL" and late):
        return "timeout", name
    if name == "SIGKILL":
        return "memory", "the system stopped the process, most often for want of memory"
    return "crash", name


def why_not(errors: str) -> str:
    last = errors.strip().splitlines()[-1:] or ["it ended without a word"]
    return f"PyTorch could not be started with {sys.executable}: {last[0]}"
