"""Notice saved files by looking at them, many times a second.

Looking works everywhere. What the system itself reports (inotify and its kin) does not: under WSL
and in containers, a save on the other side of a mount raises nothing. Times of modification alone
do not do either: some file systems count them in whole seconds, and caches hand out old ones. So
contents are compared, too, now and then.
"""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import NamedTuple

from checks.contents import STAGES, STEPS
from checks.machine.course.source import SIZE_LIMIT

INTERVAL = 0.02  # Seconds between two looks at the file that is worked on.
QUIET, RARELY = 60.0, 0.045  # After so long without a save, so many seconds between two looks.
OTHERS = 2  # Every so many looks (rarely: at each), all other files are looked at,
COMPARE = 5  # contents are compared, too, of those that are looked at,
THOROUGH = 20  # and new files are found.
SHARE = 5  # On a slow mount a pause is so many times as long as a look,
SLOWEST = 0.2  # up to so many seconds between two looks.
EARLY = 0.002  # A look may come so many seconds early: that saves waking up twice.


class State(NamedTuple):
    """What is known of a file. Another inode alone is no save: some mounts make them up."""

    modified: int
    size: int
    inode: int
    content: bytes | None


class Saves:
    """The Python files of the stage folders under a root. `near` is the one worked on."""

    def __init__(self, root: Path):
        self.root, self.near = root, ""
        self.known = {step.path for step in STEPS}
        self.count, self.due, self.last = -1, 0.0, time.monotonic()
        self.states: dict[str, State] = {}
        self.look()

    def patience(self) -> float:
        """Seconds until the next look; 0 if it is due."""
        left = self.due - time.monotonic()
        return left if left > EARLY else 0.0

    def look(self, others: bool = False) -> set[str]:
        """What was saved, made or deleted since the last look, as "s2_attention/layer_norm.py".

        `others`: all files are looked at, and their contents, although it may not be their turn.
        """
        start, self.count = time.monotonic(), self.count + 1
        compare = others or self.count % COMPARE == 0
        paths = {self.near} if self.near else set()
        quiet = start - self.last > QUIET
        if others or quiet or self.count % OTHERS == 0:
            paths |= self.known | self.states.keys()
        if self.count % THOROUGH == 0:
            paths |= self._helpers()
        saved = {path for path in paths if self._is_saved(path, compare)}
        end = time.monotonic()
        self.last = end if saved else self.last
        pause = RARELY if quiet else INTERVAL
        self.due = end + max(pause, min(SHARE * (end - start), SLOWEST))
        return saved

    def _helpers(self) -> set[str]:
        """Modules of the learner's own; what editors leave beside a file has other names."""
        found = set()
        for stage in STAGES:
            try:
                names = os.listdir(self.root / stage)
            except OSError:
                continue
            own = (name for name in names if name.endswith(".py") and name[:-3].isidentifier())
            found |= {f"{stage}/{name}" for name in own}
        return found

    def _is_saved(self, path: str, compare: bool) -> bool:
        """Whether a file is not as it was; from now on this is how it was."""
        file = f"{self.root}{os.sep}{path}"
        old = self.states.get(path)
        try:
            found = os.stat(file)
        except OSError:
            self.states.pop(path, None)
            return old is not None
        known = (found.st_mtime_ns, found.st_size, found.st_ino)
        if old is not None and old[:3] == known and not compare:
            return False
        new = self.states[path] = State(*known, _content(file, found))
        return old is None or old._replace(inode=new.inode) != new


def _content(file: str, found: os.stat_result) -> bytes | None:
    """What is in a file; None if it is not one that is read. Never waits for a pipe."""
    if not stat.S_ISREG(found.st_mode) or found.st_size > SIZE_LIMIT:
        return None
    try:
        fd = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(fd, "rb") as opened:
            return opened.read(SIZE_LIMIT)
    except OSError:
        return None
