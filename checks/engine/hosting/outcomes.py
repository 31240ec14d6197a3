"""What comes of a worker: what it printed, and how it ended if it gave no answer."""

from __future__ import annotations

import signal
import sys

HEAD, TAIL = 8_000, 4_000  # Characters of printed text that are kept.


class NoWorker(Exception):
    """No worker can be started: torch is missing or broken. The text says what to do."""


class Died(Exception):
    """The worker gave no answer. `how` is a verdict, "starved" or "garbled".

    "garbled": the answer was malformed, or its stream ended while the process went on. `trace`: the
    last lines that ran.
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


def verdict_of(code: int | None, late: bool) -> tuple[str, str]:
    """The verdict and the detail for an exit without an answer."""
    if code is None:
        return "garbled", ""
    if code >= 0:
        return "no_result", f"exit status {code}"
    name = signal.Signals(-code).name if -code in signal.valid_signals() else f"signal {-code}"
    if name == "SIGXCPU" or (name == "SIGKILL" and late):
        return "timeout", name
    if name == "SIGKILL":
        return "memory", "the system stopped the process, usually because there was no memory left"
    return "crash", name


def why_not(errors: str) -> str:
    last = errors.strip().splitlines()[-1:] or ["it ended without a message"]
    return f"PyTorch could not be started with {sys.executable}: {last[0]}"
