"""The time limit of a worker: computing and idle waiting count, waiting for the processor does not.

The computing and the memory of all processes that a worker has started count as well.
"""

from __future__ import annotations

import os
from contextlib import suppress

PATIENCE = 4  # If computing time is unknown: the wall clock may reach so many times the limit.
SLOW_DISK = 10  # Seconds of waiting for a disk that count as one.
OVERLOAD = 20  # If it is known: the same, while other programs use the processor.
OWN_MEMORY = (b"RssAnon:", b"RssShmem:")
GLANCE = 0.5  # Seconds; after a longer gap the machine or the checker stood still.


class Clock:
    """The clock of one worker. `seconds` is its limit, `used` its earlier computing time."""

    def __init__(self, seconds: float, used: float | None):
        self.seconds, self.start, self.last = seconds, used or 0.0, used
        self.wall = self.idle = 0.0
        self.late = False  # Whether a limit of the system may have hit.

    def over(self, passed: float, state: str, used: float | None) -> str | None:
        """The verdict `passed` seconds later: "timeout", "starved" by others, or None."""
        passed = min(passed, GLANCE)
        self.wall += passed
        if used is None:
            self.late = self.wall >= self.seconds
            return "timeout" if self.wall >= PATIENCE * self.seconds else None
        if state != "R" and used == self.last:  # In "D" it may wait for a slow disk.
            self.idle += passed / SLOW_DISK if state == "D" else passed
        self.last = used
        self.late = used - self.start >= self.seconds - 1
        if used - self.start >= self.seconds or self.idle >= self.seconds:
            return "timeout"
        return "starved" if self.wall >= OVERLOAD * self.seconds else None


def used_by(pid: int | None) -> tuple[str, float | None]:
    """The state of a process, and the computing time of it and of all that it has started, in
    seconds; None if that is unknown.
    """
    used, state = _computing(pid)
    if used is None or pid is None:
        return state, used
    others = [_computing(other)[0] for other in descendants(pid)[1:]]
    if state == "D" and others:
        state = "S"  # It may wait for a child that shares its memory (vfork), for no disk.
    return state, used + sum(filter(None, others))


def _computing(pid: int | None) -> tuple[float | None, str]:
    """The computing time of one process and of the children it has waited for; its state."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, *rest = file.read().rpartition(b")")[2].split()
        return sum(map(int, rest[10:14])) / os.sysconf("SC_CLK_TCK"), state.decode()
    except (OSError, ValueError, IndexError):
        return None, ""


def memory_of(pid: int | None) -> int | None:
    """Bytes of memory that a process has for itself; None if that is unknown."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            lines = (line.split() for line in file)
            found = [int(line[1]) for line in lines if line and line[0] in OWN_MEMORY]
    except (OSError, ValueError, IndexError):
        return None
    return 1024 * sum(found) if found else None


def descendants(pid: int) -> list[int]:
    """A process and all running processes that it has started, as far as they can be seen."""
    found = [pid]
    for parent in found:  # The list grows meanwhile.
        with suppress(OSError, ValueError):
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children", "rb") as file:
                    found += map(int, file.read().split())
    return found
