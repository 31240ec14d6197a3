"""Namespaces (Linux): processes, network, mounts and users of the server's own, without root.

Worker side. They are for grading: the server is the first process inside, and its file system holds
only Python and its libraries. If root started it, closed folders above the needed ones also get a
way in. So learner code needs no right of root's to read the needed ones.
"""

from __future__ import annotations

import ctypes
import os
import platform
import stat
from collections.abc import Callable, Iterable

_NEWNS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 1 << 17, 1 << 27, 1 << 28, 1 << 29, 1 << 30
_OWN = _NEWNS | _NEWPID | _NEWNET | _NEWIPC
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_EXEC, _PRIVATE = 1, 2, 4, 8, 1 << 18 | 1 << 14
_BIND, _AND_BELOW, _AGAIN, _DETACH = 1 << 12, 1 << 14, 1 << 5, 2
_DIES_WITH_PARENT, _KILL = 1, 9
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


def enter(folder: str, size: int) -> bool:
    """Continue in a child, inside the namespaces. True if they work.

    `folder` becomes a file system of `size` bytes. The calling process stays outside, waits for its
    child and exits with its status.
    """
    if not _possible(folder, size):
        return False
    _unshare()
    pid = os.fork()
    if pid:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, ctypes.c_ulong(_KILL), 0, 0, 0)
    _furnish(folder, size)
    return True


def hide(paths: Iterable[str]) -> None:
    """Make these folders look empty."""
    for path in filter(os.path.isdir, paths):
        _mount(path, "tmpfs", _READ_ONLY, "size=4k")


def own_root(folder: str, shown: Iterable[str]) -> bool:
    """Restrict the visible file system to `shown` and `folder`; only `folder` can be changed.

    True if it works; otherwise nothing has changed.
    """
    root = os.path.join(folder, "root")
    os.mkdir(root)
    try:
        _mount(root, "tmpfs", _NO_SUID | _NO_DEVICES, "size=1m,mode=755")
        _show(folder, root + folder, 0)
        for path in sorted(set(shown) - {folder}):
            if os.path.exists(path) and not os.path.exists(root + path):
                _show(path, root + path, _AND_BELOW)
                _mount(root + path, None, _BIND | _AGAIN | _READ_ONLY | _kept(root + path), None)
        os.chdir(root)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.syscall(_PIVOT_ROOT[platform.machine()], b".", b"."):
            raise OSError(ctypes.get_errno(), "pivot_root")
        libc.umount2(b".", _DETACH)
    except (OSError, KeyError):
        ctypes.CDLL(None).umount2(os.fsencode(root), _DETACH)
        os.chdir("/")
        os.rmdir(root)
        return False
    os.chdir("/")
    os.rmdir(root)
    return True


def works(attempt: Callable[[], bool]) -> bool:
    """Whether attempt() gives True, tried in a child with mounts of its own."""
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(0 if ctypes.CDLL(None).unshare(_NEWNS) == 0 and attempt() else 1)
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def open_way(paths: Iterable[str], inside: bool) -> None:
    """Make these folders reachable for every user, in this process and its children alone.

    A closed folder above them is replaced by one that holds nothing else. inside: the process
    already has mounts of its own. For root; raises OSError if it is not allowed.
    """
    closed: dict[str, list[str]] = {}
    for path in filter(os.path.exists, paths):
        if (above := _closed(path)) is not None:
            closed.setdefault(above, []).append(path)
    if closed and not inside:
        if ctypes.CDLL(None).unshare(_NEWNS):
            raise OSError("unshare")
        _mount("/", None, _PRIVATE, None)
    for above, found in closed.items():
        opened = {path: os.open(path, os.O_PATH) for path in sorted(found)}
        _mount(above, "tmpfs", _NO_SUID | _NO_DEVICES, "size=1m,mode=711")
        try:
            for path, fd in opened.items():
                if not os.path.exists(path):
                    _show(f"/proc/self/fd/{fd}", path, _AND_BELOW)
        except OSError:
            ctypes.CDLL(None).umount2(os.fsencode(above), _DETACH)
            raise
        finally:
            for fd in opened.values():
                os.close(fd)


def _closed(path: str) -> str | None:
    """The topmost folder above a path that not every user may enter."""
    above = "/"
    for name in path.split("/")[1:]:
        if not os.stat(above).st_mode & stat.S_IXOTH:
            return above
        above = os.path.join(above, name)
    return None


def _show(path: str, where: str, more: int) -> None:
    """Make a file or folder appear in another place, too."""
    mask = os.umask(0o022)
    if os.path.isdir(path):
        os.makedirs(where, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(where), exist_ok=True)
        os.close(os.open(where, os.O_CREAT, 0o644))
    os.umask(mask)
    _mount(where, None, _BIND | more, None, path)


def _kept(where: str) -> int:
    """The flags of a mount that must stay."""
    return os.statvfs(where).f_flag & (_NO_SUID | _NO_DEVICES | _NO_EXEC)


def _possible(folder: str, size: int) -> bool:
    """Whether namespaces work, tried in a child, because it may fail half way."""
    pid = os.fork()
    if pid == 0:
        try:
            _unshare()
            inside = os.fork()
            if inside == 0:
                _furnish(folder, size)
                os._exit(0)
            os._exit(int(os.waitpid(inside, 0)[1] != 0))
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def _unshare() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(_OWN) == 0:  # Root needs no namespace of users.
        return
    if libc.unshare(_OWN | _NEWUSER):
        raise OSError(ctypes.get_errno(), "unshare")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")


def _furnish(folder: str, size: int) -> None:
    _mount("/", None, _PRIVATE, None)
    _mount("/proc", "proc", _NO_SUID | _NO_DEVICES | _NO_EXEC, None)
    _mount(folder, "tmpfs", _NO_SUID | _NO_DEVICES, f"size={size},mode=711")


def _mount(
    where: str, kind: str | None, flags: int, options: str | None, what: str = "none"
) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    named, told = (None if text is None else text.encode() for text in (kind, options))
    source, place = map(os.fsencode, (what, where))
    if libc.mount(source, place, named, ctypes.c_ulong(flags), told):
        raise OSError(ctypes.get_errno(), "mount", where)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
