"""Notice saved files by looking at them, many times a second.

Looking works everywhere. The system's own reports (inotify and the like) do not. Under WSL and in
containers, they miss a save on the other side of a mount. Times of modification alone are not
enough: some file systems count whole seconds, and caches return old ones. So contents are compared,
too, now and then.
"""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import NamedTuple

from checks.contents import STAGES, STEPS
from checks.engine.files.source import SIZE_LIMIT

INTERVAL = 0.02  # Seconds between two looks at the current file.
QUIET, RARELY = 60.0, 0.045  # Seconds until looks become rare; between two rare looks.
OTHERS = 2  # Every so many looks (every rare one), all other files are checked too,
COMPARE = 5  # the contents of the checked files are compared, too,
THOROUGH = 20  # and new files are found.
SHARE = 5  # On a slow mount, a pause lasts so many times as long as a look,
SLOWEST = 0.2  # but at most so many seconds.
SETTLES = 0.03  # Seconds from a save to its verdict, at least.
HALF_WRITTEN = dict.fromkeys(("untouched", "unreadable", "error"), 0.07) | {"missing": 0.25}
WAITS = {**HALF_WRITTEN, "pass": 0.0}  # A file that passes is complete.
EARLY = 0.002  # Seconds that a look may come early: this saves a second waking up.


class State(NamedTuple):
    """The known state of a file. Another inode alone is no save: some mounts change them."""

    modified: int
    size: int
    inode: int
    content: bytes | None


class Saves:
    """The Python files of the stage folders in a folder. `near` is the current one."""

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
        """Files saved, made or deleted since the last look, as "s2_stage/some_step.py".

        `others`: look at all files and their contents now.
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
        """Modules of the learner's own. The temporary files of editors have other names."""
        found = set()
        for stage in ("", *STAGES):  # Beside the stage folders, and in them.
            try:
                names = os.listdir(self.root / stage)
            except OSError:
                continue
            own = (name for name in names if name.endswith(".py") and name[:-3].isidentifier())
            found |= {f"{stage}/{name}" if stage else name for name in own}
        return found

    def _is_saved(self, path: str, compare: bool) -> bool:
        """Whether a file has changed; its new state is kept."""
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
    """The content of a file; None if it is not a readable one. A pipe is never waited for."""
    if not stat.S_ISREG(found.st_mode) or found.st_size > SIZE_LIMIT:
        return None
    try:
        fd = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(fd, "rb") as opened:
            return opened.read(SIZE_LIMIT)
    except OSError:
        return None
