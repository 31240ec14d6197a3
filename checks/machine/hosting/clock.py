"""When the time of a worker is up: computing counts, and waiting for nothing; not being starved."""

from __future__ import annotations

import os

PATIENCE = 4  # Where computing cannot be seen: so many times its limit may pass on the wall.
OVERLOAD = 20  # Where it can: so many times, while other programs have the processor.
GLANCE = 0.5  # Seconds: if more lie between two looks, the machine or the checker stood still.


class Clock:
    """Measures one worker. `seconds` is its limit, `used` what it had computed before."""

    def __init__(self, seconds: float, used: float | None):
        self.seconds, self.start, self.last = seconds, used or 0.0, used
        self.wall = self.idle = 0.0
        self.late = False  # Whether it has taken so long that a limit of the system may have hit.

    def over(self, passed: float, state: str, used: float | None) -> str | None:
        """Whether it is up, `passed` seconds later: "timeout"; "starved" by others; or None."""
        passed = min(passed, GLANCE)
        self.wall += passed
        if used is None:
            self.late = self.wall >= self.seconds
            return "timeout" if self.wall >= PATIENCE * self.seconds else None
        if state != "R" and used == self.last:  # In "D" it may wait for a slow disk.
            self.idle += passed / PATIENCE if state == "D" else passed
        self.last = used
        self.late = used - self.start >= self.seconds - 1
        if used - self.start >= self.seconds or self.idle >= self.seconds:
            return "timeout"
        return "starved" if self.wall >= OVERLOAD * self.seconds else None


def used_by(pid: int | None) -> tuple[str, float | None]:
    """The state of a process, and the seconds that it has computed; None where that is hidden."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, *rest = file.read().rpartition(b")")[2].split()
        return state.decode(), (int(rest[10]) + int(rest[11])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return "", None
