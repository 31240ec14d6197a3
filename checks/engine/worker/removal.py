"""Remove a folder with anything that learner code left: endless folders, or ones without rights."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress


def remove(path: str) -> None:
    """Remove the folder as far as the system allows. Never raises an OSError.

    Deep folders are first moved to its top, step by step: so no path gets long, and there is no
    recursion.
    """
    moved, count, goes_on = secrets.token_hex(8), 0, True
    while goes_on:
        goes_on = False
        for name in _names(path):
            whole = os.path.join(path, name)
            try:
                if stat.S_ISDIR(os.lstat(whole).st_mode):
                    os.chmod(whole, 0o700)
                    for inner in _names(whole):
                        count += 1
                        _move(os.path.join(whole, inner), os.path.join(path, f"{moved}-{count}"))
                    os.rmdir(whole)
                else:
                    os.unlink(whole)
                goes_on = True
            except FileNotFoundError:
                goes_on = True  # Another process removes it as well: see what is left.
            except OSError:
                pass
    with suppress(OSError):
        os.rmdir(path)


def _names(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []


def _move(old: str, new: str) -> None:
    if stat.S_ISDIR(os.lstat(old).st_mode):
        os.chmod(old, 0o700)  # A folder without the right to write cannot be moved.
    os.rename(old, new)
