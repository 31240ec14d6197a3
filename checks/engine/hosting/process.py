"""One worker process as the judge sees it: ask, wait, collect what it printed, end it."""

from __future__ import annotations

import os
import secrets
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from checks.engine.hosting.clock import Clock, descendants, memory_of, used_by
from checks.engine.hosting.outcomes import Died, Printed, verdict_of
from checks.engine.shared import wire

Stream = int | socket.socket  # A file descriptor to read; or a socket if that is impossible.
START_LIMIT = 120.0  # Seconds for `import torch` on a slow disk.
SLICE = 0.05  # Seconds between two looks at a process that has not answered yet.
LAST_WORDS = 0.5  # Seconds to report the running lines after the time limit.
TO_END = 0.5  # Seconds to end after the last request; an honest worker needs less.
MEMORY = 2 << 30  # Bytes for all processes of a submission together.
FLOOD = 1 << 20  # More bytes of output than this without an end: the verdict is output_limit.
STRAY = 20_000  # Bytes to keep of a stream that is no frame.


class Worker:
    """One process for one piece of work. Subclasses know how it starts and how it ends.

    One thread asks it, and no request waits longer than its clock says.
    """

    pid: int | None = None  # Its id for this process.

    def __init__(self, asks: int, frames: Stream, output: Stream):
        """asks: the stream to write to. frames, output: the streams to read."""
        self.asks, self.seconds = asks, 0.0
        self.clock = Clock(0.0, 0.0)
        self.limit: float | None = None  # It goes with the next request.
        self.printed = Printed()
        self.walls: list[str] = []
        self.data, self.most = bytearray(), 0  # Largest body of an answer, in bytes.
        self.frames: deque[tuple[bytes, bytes]] = deque()
        self.awaited = 1  # So many answers may come at most.
        self.has_died = self.is_broken = self.ended = False
        self.status: int | None = None
        self.family: int | None = None  # The process that this one and its children descend from.
        self.born_with, self.weighed = 0, 0.0  # Bytes; time of the last look at memory.
        self.number = secrets.randbits(48)  # The last request's number; an answer repeats it.
        self.selector = selectors.DefaultSelector()
        self.open: dict[Stream, Callable[[bytes], None]] = {frames: self._take_frames}
        self.open[output] = self._take_printed
        for stream in self.open:
            self.selector.register(stream, selectors.EVENT_READ, data=stream)

    def greet(self) -> bool:
        """Wait until the worker is ready. False if it has ended instead."""
        end = time.monotonic() + START_LIMIT
        while not self.frames and not self._is_mute() and time.monotonic() < end:
            self._turn(SLICE)
        try:
            self.walls = list(wire.decode(*self.frames.popleft())["walls"])
        except (IndexError, wire.BadFrame, TypeError, KeyError):
            return False
        return True

    def allow(self, seconds: float) -> None:
        """Start its time limit again: `seconds` of computing from now on."""
        self.seconds = self.limit = seconds
        self.clock = Clock(seconds, used_by(self.pid)[1])

    def ask(self, do: str, **arguments: Any) -> Any:
        """Send one request and return its answer. Raises Died."""
        self.most = wire.BODY_LIMIT if do == "replay" else wire.ANSWER_LIMIT
        return self.next_answer(self._request(do, 1, arguments))

    def begin(self, do: str, answers: int, **arguments: Any) -> Any:
        """Send a request with several answers and return the first; `next_answer` gives the others.

        answers: so many will come at most. Raises Died.
        """
        self.most = wire.ANSWER_LIMIT
        return self.next_answer(self._request(do, answers, arguments))

    def _request(self, do: str, answers: int, arguments: dict[str, Any]) -> bytes:
        self.number += 1
        self.awaited = answers
        request = {"do": do, "with": arguments, "number": self.number}
        if self.limit is not None:
            request["seconds"], self.limit = self.limit, None
        return wire.encode(request)

    def next_answer(self, request: bytes = b"") -> Any:
        """The next answer to the last request. Raises Died."""
        frame = self._exchange(request)
        try:
            reply = wire.decode(*frame)
            if reply["to"] == self.number:
                return reply["answer"]
        except (wire.BadFrame, TypeError, KeyError):
            pass
        raise Died("garbled")

    def _exchange(self, request: bytes) -> tuple[bytes, bytes]:
        """The frame that answers a request. Raises Died if none comes in time."""
        rest, looked = memoryview(request), time.monotonic()
        self._require_memory()
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
                self._require_memory()
                if over is not None and not self.frames:
                    self._interrupt()
                    raise self._died(over)
        return self.frames.popleft()

    def _require_memory(self) -> None:
        """Raises Died if the worker and its processes use too much memory."""
        now = time.monotonic()
        if self.family is None or now - self.weighed < SLICE:
            return
        self.weighed = now
        held = (memory_of(pid) or 0 for pid in descendants(self.family))
        if sum(max(0, own - self.born_with) for own in held) > MEMORY:
            self.stop()
            raise self._died("memory")

    def _write(self, data: memoryview) -> int:
        """Write as much as possible now; the number of bytes."""
        try:
            return os.write(self.asks, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # It has ended, as the next read shows.

    def _turn(self, seconds: float) -> bool:
        """Read what comes within `seconds`. False if nothing came."""
        ready = self.selector.select(seconds) if self.open else []
        for key, _ in ready:
            stream: Stream = key.data
            part = self._read(stream)
            if part:
                self.open[stream](part)
            elif part is not None:
                self.selector.unregister(stream)
                del self.open[stream]
        return bool(ready)

    def _read(self, stream: Stream) -> bytes | None:
        """The available bytes; b"" at the end, None if there are no bytes now."""
        assert isinstance(stream, int)
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
                header, body = wire.lengths(bytes(self.data[: wire.LENGTHS.size]), self.most)
            except wire.BadFrame:  # Forged, or the trace that is written after the time limit.
                self.is_broken = True
                break
            start = wire.LENGTHS.size
            end = start + header + body
            if len(self.data) < end:
                return
            with memoryview(self.data) as data:
                frame = bytes(data[start : start + header]), bytes(data[start + header : end])
            self.frames.append(frame)
            del self.data[:end]
            self.is_broken = len(self.frames) > self.awaited
        if self.is_broken:
            del self.data[STRAY:]

    def _take_printed(self, part: bytes) -> None:
        self.printed.add(part)

    def _is_mute(self) -> bool:
        """Whether no frame can come any more."""
        return self.is_broken or self._take_frames not in self.open.values()

    def _drain(self, seconds: float = 0.0) -> None:
        """Read the available bytes, and those that come within `seconds`."""
        end = time.monotonic() + seconds
        while self._turn(max(0.0, end - time.monotonic())) and self.printed.size < 4 * FLOOD:
            pass

    def printed_so_far(self) -> str:
        """The output since the start, or since `forget_printed`."""
        self._drain()
        return self.printed.text()

    def forget_printed(self) -> None:
        self._drain()
        self.printed = Printed()

    def close(self) -> str:
        """End the process; its output."""
        self.hang_up()
        self._status()
        return self.printed.text()

    def _died(self, how: str | None) -> Died:
        self.has_died = True
        self.hang_up()
        status = self._status()
        detail = ""
        if how == "memory":
            detail = f"its processes took more than {MEMORY >> 30} GB together"
        if how is None:
            ended = status is not None and (status < 0 or not self.is_broken)
            how, detail = verdict_of(status if ended else None, self.clock.late)
        if how in ("timeout", "no_result", "garbled") and self.printed.size > FLOOD:
            how = "output_limit"
        return Died(how, detail, self.data.decode("ascii", "replace"))

    def _interrupt(self) -> None:
        """Ask for the running lines (the worker writes them on SIGXCPU and ends), then kill it."""
        if os.name == "posix":
            self.signal(signal.SIGXCPU)
            self._waits(lambda: self._take_frames not in self.open.values(), LAST_WORDS)
        self.stop()

    def _waits(self, done: Callable[[], bool], seconds: float) -> bool:
        """Read until `done`. False if the worker has used `seconds` without reaching it.

        Its computing and sleeping count, but not the time that other programs take from it.
        """
        clock, looked, pause = Clock(seconds, used_by(self.pid)[1]), time.monotonic(), 0.001
        while not done():
            self._turn(pause)
            if not self.open:
                time.sleep(pause)
            pause = min(2 * pause, SLICE)
            now = time.monotonic()
            if now - looked >= SLICE:
                if clock.over(now - looked, *used_by(self.pid)) is not None:
                    return done()
                looked = now
        return True

    def stop(self) -> None:
        """Kill the process, from any thread: a thread that waits for its answer goes on."""
        self.signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)

    def signal(self, number: int) -> None:
        if self.pid is not None and not self.ended:
            with suppress(OSError):
                os.kill(self.pid, number)

    def hang_up(self) -> None:
        """End the requests: then an honest worker ends."""
        raise NotImplementedError

    def _status(self) -> int | None:
        """The exit code, negative for a signal; None if it is unknown, or if the process was
        killed.
        """
        if not self.ended:
            by_itself = self._waits(self._has_ended, TO_END)
            if not by_itself:
                self.stop()
                self._waits(lambda: self._has_ended(kill=True), TO_END)
            self.ended = True
            self.status = self.status if by_itself else None
            self._drain()
            self._shut()
        return self.status

    def _has_ended(self, kill: bool = False) -> bool:
        """Whether the worker has ended. If the exit code is known, `status` has it.

        `kill`: end it now.
        """
        raise NotImplementedError

    def _shut(self) -> None:
        """Close all open streams."""
        self.selector.close()
        self.open.clear()
