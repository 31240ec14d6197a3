"""Locks between commands. A lock is free as soon as its command has ended."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PATIENCE = 10.0  # Seconds to wait for another command, which needs thousandths of one.
PAUSE = 0.005


class Lock:
    """A lock on a file of its own."""

    def __init__(self, file: Path):
        self.file = file
        self.descriptor: int | None = None

    def take(self) -> bool:
        """Take the lock; False if another command has it. Raises OSError if there are no locks."""
        descriptor = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            os.close(descriptor)
            return False
        except OSError:
            os.close(descriptor)
            raise
        self.descriptor = descriptor
        return True

    def release(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """A block that one command at a time runs. Where there can be no lock, it runs all the same."""
    lock, end = Lock(file), time.monotonic() + PATIENCE
    with suppress(OSError):  # The folder cannot be written, or its file system has no locks.
        while not lock.take() and time.monotonic() < end:
            time.sleep(PAUSE)
    try:
        yield
    finally:
        lock.release()
