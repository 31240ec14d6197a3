"""One worker process as the judge sees it: ask, wait so long, collect what it printed, end it."""

from __future__ import annotations

import os
import secrets
import selectors
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from checks.machine.hosting.clock import Clock, used_by
from checks.machine.worker import wire

START_LIMIT = 120.0  # Seconds for `import torch` on a slow disk.
SLICE = 0.05  # How often a process that has not answered yet is looked at.
LAST_WORDS = 0.5  # Seconds for the lines that ran, when its time is up.
HEAD, TAIL = 8_000, 4_000  # Characters of printed text that are kept.
FLOOD = 1 << 20  # More than this, and no end: the verdict is output_limit.
STRAY = 20_000  # Bytes that are kept of what is no frame.
SCM_CREDENTIALS = 2  # Linux: who has sent a message, by the number that we know it by.


class NoWorker(Exception):
    """No worker can be started: torch is missing or broken. The text says what to do."""


class Died(Exception):
    """The worker gave no answer. `how` is a verdict, or "starved"; `trace` the last lines that
    ran.
    """

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

    It is asked by one thread; nothing here waits for it longer than its clock says. If there is a
    list `idle`, one that has answered well to the end goes there, to be used again.
    """

    pid: int | None = None  # As this process sees it.

    def __init__(self, asks: Any, frames: Any, output: Any, idle: list[Worker] | None):
        """asks, frames, output: what is written to, and the two that are read."""
        self.asks, self.idle, self.seconds = asks, idle, 0.0
        self.answering = 0.0  # Seconds that its answers took, in all.
        self.clock = Clock(0.0, 0.0)
        self.limit: float | None = None  # To be sent with the next request.
        self.printed = Printed()
        self.walls: list[str] = []
        self.data = bytearray()
        self.frames: deque[tuple[bytes, bytes]] = deque()
        self.has_died = self.is_broken = self.ended = False
        self.number = secrets.randbits(48)  # Of the last request: an answer has to name it.
        self.selector = selectors.DefaultSelector()
        self.open = {frames: self._take_frames, output: self.printed.add}
        for stream in self.open:
            self.selector.register(stream, selectors.EVENT_READ)

    def greet(self) -> bool:
        """Wait until it stands ready: False if it has ended instead."""
        end = time.monotonic() + START_LIMIT
        while not self.frames and not self._is_mute() and time.monotonic() < end:
            self._turn(SLICE)
        try:
            self.walls = list(wire.decode(*self.frames.popleft())["walls"])
        except (IndexError, wire.BadFrame, TypeError, KeyError):
            return False
        return True

    def allow(self, seconds: float) -> None:
        """So long it may compute from now on."""
        self.seconds = self.limit = seconds
        self.clock = Clock(seconds, used_by(self.pid)[1])

    def ask(self, do: str, **arguments: Any) -> Any:
        """Send one request; its answer, or Died."""
        self.number += 1
        request = {"do": do, "with": arguments, "number": self.number}
        if self.limit is not None:
            request["seconds"], self.limit = self.limit, None
        start = time.perf_counter()
        frame = self._exchange(wire.encode(request))
        self.answering += time.perf_counter() - start
        try:
            reply = wire.decode(*frame)
            if reply["to"] == self.number:
                return reply["answer"]
        except (wire.BadFrame, TypeError, KeyError):
            pass
        raise Died("no_result", "what came back was not an answer")

    def _exchange(self, request: bytes) -> tuple[bytes, bytes]:
        """The frame that answers a request. Raises Died if none comes in time."""
        rest, looked = memoryview(request), time.monotonic()
        while not self.frames:
            if self._is_mute():
                raise self._died(None)
            if rest:
                rest = rest[self._write(rest) :]
            self._turn(0.001 if rest else SLICE)
            now = time.monotonic()
            if now - looked >= SLICE:
                over = self.clock.over(now - looked, *used_by(self.pid))
                looked = now
                if over is not None and not self.frames:
                    self._interrupt()
                    raise self._died(over)
        return self.frames.popleft()

    def _write(self, data: memoryview) -> int:
        """As much as can be written now; how much that was."""
        try:
            return os.write(self.asks, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # It has ended: that will show.

    def _turn(self, seconds: float) -> bool:
        """Read what comes within so many seconds. False: nothing has."""
        ready = self.selector.select(seconds) if self.open else []
        for key, _ in ready:
            part = self._read(key.fileobj)
            if part:
                self.open[key.fileobj](part)
            elif part is not None:
                self.selector.unregister(key.fileobj)
                del self.open[key.fileobj]
        return bool(ready)

    def _read(self, stream: Any) -> bytes | None:
        """What is there; b"" at the end, None for nothing now."""
        try:
            return os.read(stream, 1 << 16)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _take_frames(self, part: bytes) -> None:
        self.data += part
        while len(self.data) >= wire.LENGTHS.size and not self.is_broken:
            try:
                header, body = wire.lengths(bytes(self.data[: wire.LENGTHS.size]))
            except wire.BadFrame:  # Forged, or the trace that is written when time is up.
                self.is_broken = True
                break
            start = wire.LENGTHS.size
            end = start + header + body
            if len(self.data) < end:
                return
            frame = bytes(self.data[start : start + header]), bytes(self.data[start + header : end])
            self.frames.append(frame)
            del self.data[:end]
            self.is_broken = len(self.frames) > 2  # Nobody has asked for so many.
        if self.is_broken:
            del self.data[STRAY:]

    def _is_mute(self) -> bool:
        """Whether no frame can come any more."""
        return self.is_broken or self._take_frames not in self.open.values()

    def _drain(self, seconds: float = 0.0) -> None:
        """Read what is left: all that is there, and what comes within so many seconds."""
        end = time.monotonic() + seconds
        while self._turn(max(0.0, end - time.monotonic())) and self.printed.size < 4 * FLOOD:
            pass

    def close(self) -> str:
        """End the process, or make it ready for the next piece of work; what it printed."""
        if self.idle is not None and not self.has_died:
            try:
                self.ask("renew")
                self._drain()
                text, self.printed = self.printed.text(), Printed()
                self.idle.append(self)
                return text
            except Died:
                pass
        self.hang_up()
        self._status()
        return self.printed.text()

    def _died(self, how: str | None) -> Died:
        self.has_died = True
        self.hang_up()
        status = self._status()
        detail = ""
        if how is None:
            how, detail = _verdict(status, self.clock.late)
        if how in ("timeout", "no_result") and self.printed.size > FLOOD:
            how = "output_limit"
        return Died(how, detail, self.data.decode("ascii", "replace"))

    def _interrupt(self) -> None:
        """Ask for the lines that run (the worker writes them on SIGXCPU and ends), then kill."""
        numbers = (signal.SIGXCPU, signal.SIGKILL) if os.name == "posix" else (signal.SIGTERM,)
        for number in numbers:
            self.signal(number)
            end = time.monotonic() + LAST_WORDS
            while self._take_frames in self.open.values() and time.monotonic() < end:
                self._turn(0.01)

    def stop(self) -> None:
        """Kill the process, from any thread: whoever waits for its answer goes on at once."""
        self.signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)

    def signal(self, number: int) -> None:
        if self.pid is not None and not self.ended:
            with suppress(OSError):
                os.kill(self.pid, number)

    def hang_up(self) -> None:
        """Nothing more will be asked: an honest worker ends by that."""
        raise NotImplementedError

    def _status(self) -> int | None:
        """The exit code: negative for a signal, None if it is not known."""
        raise NotImplementedError


class Forked(Worker):
    """A child of the server."""

    def __init__(
        self,
        reap: Callable[[int], int | None],
        known_as: int,
        sock: socket.socket,
        output_fd: int,
        idle: list[Worker] | None = None,
    ):
        """known_as: its number for the server, which may live in a namespace of its own."""
        self.reap, self.known_as, self.sock, self.output_fd = reap, known_as, sock, output_fd
        self.status: int | None = None
        sock.setblocking(False)
        os.set_blocking(output_fd, False)
        super().__init__(sock.fileno(), sock.fileno(), output_fd, idle)

    def _read(self, stream: Any) -> bytes | None:
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

    def _status(self) -> int | None:
        if not self.ended:
            raw = self.reap(self.known_as)
            self.ended = True
            self.status = None if raw in (None, -1) else os.waitstatus_to_exitcode(raw or 0)
            self._drain()
            self.selector.close()
            self.open.clear()
            self.sock.close()
            os.close(self.output_fd)
        return self.status


class Fresh(Worker):
    """A process of its own."""

    def __init__(self, process: subprocess.Popen[bytes], idle: list[Worker] | None):
        self.process, self.pid = process, process.pid
        assert process.stdin is not None
        assert process.stdout is not None and process.stderr is not None
        frames, output = _selectable(process.stdout.fileno()), _selectable(process.stderr.fileno())
        if os.name == "posix":
            os.set_blocking(process.stdin.fileno(), False)
        super().__init__(process.stdin.fileno(), frames, output, idle)

    def greet(self) -> bool:
        if not super().greet():
            self.process.kill()
            self._drain(1)
            raise NoWorker(why_not(self.printed.text()))
        return True

    def _read(self, stream: Any) -> bytes | None:
        if isinstance(stream, int):
            return super()._read(stream)
        try:
            return bytes(stream.recv(1 << 16))
        except OSError:
            return b""

    def signal(self, number: int) -> None:
        if not self.ended:
            self.process.send_signal(number)

    def hang_up(self) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()

    def _status(self) -> int | None:
        code: int | None = None
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if not self.ended:
            self.ended = True
            self._drain()
        return code


def _selectable(fd: int) -> Any:
    """Something to wait for: the pipe itself; where that is impossible, a socket it flows into."""
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
