"""Folders in the system's temporary folder. What a killed command has left, a later one removes."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from checks.engine.files.locks import Lock
from checks.engine.shared import removal

PREFIX = "run_step-"
IN_USE = "in-use"


class Scratch:
    """A folder for this command alone, until it is closed. A lock in it says that it is in use."""

    def __init__(self) -> None:
        _remove_what_is_left()
        while True:
            self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            self.lock = Lock(self.folder / IN_USE)
            with suppress(OSError):  # A file system without locks: nobody removes it but this one.
                if not self.lock.take() or not self.lock.file.exists():
                    continue  # Another command took it for one that is left.
            break

    def close(self) -> None:
        self.lock.release()
        removal.remove(str(self.folder))


def _remove_what_is_left() -> None:
    """Remove this user's folders whose commands have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        lock = Lock(folder / IN_USE)
        with suppress(OSError):
            if _is_own(folder) and lock.file.exists() and lock.take():
                lock.release()  # Windows removes no open file.
                removal.remove(str(folder))


def _is_own(folder: Path) -> bool:
    """Whether it is a folder of this user, and not a link that another one has laid there."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and (os.name == "nt" or found.st_uid == os.getuid())
