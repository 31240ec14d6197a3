"""Landlock (Linux 5.13 and later): which files a process may change or read, without root.

Worker side. https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # System calls: the same on all architectures.
_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE, _READ, _LIST, _REFER, _TRUNCATE = 1, 2, 4, 8, 1 << 13, 1 << 14
_CHANGING = _WRITE | sum(1 << bit for bit in range(4, 13))  # Make and remove files of every kind.
_OF_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE
_NO_NEW_PRIVS = 38
READING = _EXECUTE | _READ | _LIST


def restrict(changeable: Iterable[str], readable: Iterable[str]) -> bool:
    """Restrict this process, permanently. True if it works.

    It can then change files only below `changeable`, and read only below that and `readable`.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)
    if version < 1:
        return False
    newer = (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    handled = READING | _CHANGING | newer
    scoped = 3  # No abstract sockets and no signals to other processes; since version 6.
    attributes = (ctypes.c_uint64 * 3)(handled, 0, scoped)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = libc.syscall(_CREATE, attributes, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return False
    rules = [(path, handled) for path in changeable] + [(path, READING) for path in readable]
    for path, rights in rules:
        _allow(libc, ruleset, path, rights & handled)
    libc.prctl(_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0)
    done = libc.syscall(_RESTRICT, ruleset, 0) == 0
    os.close(ruleset)
    return done


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # It does not exist: nothing to allow.
    if not stat.S_ISDIR(os.fstat(fd).st_mode):
        rights &= _OF_FILES
    rule = rights.to_bytes(8, sys.byteorder) + fd.to_bytes(4, sys.byteorder)
    libc.syscall(_ADD, ruleset, _PATH_BENEATH, rule, 0)
    os.close(fd)
