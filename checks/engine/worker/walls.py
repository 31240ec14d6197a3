"""Walls around learner code: as many as the system offers without asking for rights.

On Linux: namespaces (for grading), Landlock, seccomp, and another user if root started this; on
every POSIX system limits of memory, files and processes. Unavailable walls are left out, and
`reached` lists the others. Worker side: no torch, nothing of the checker.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Container, Iterable
from contextlib import suppress

import landlock
import namespaces
import removal
import seccomp
import shown

with suppress(ImportError):  # Windows has none.
    import resource

MEMORY = 2 << 30  # Bytes beyond those of the process when learner code begins.
FILE_SIZE = 64 << 20
PROCESSES = 64
ATTEMPTS = 1_000  # Attempts to end what a worker has left running.
FIRST_USER, USERS = 1_800_000_000, 10_000  # Far from every real user.
_DUMPABLE, _SUBREAPER, _NO_NEW_PRIVS = 4, 36, 38
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


class Walls:
    """The walls around the server, and around each worker that it forks.

    folder: holds a private folder for each worker. judge: the process that must not be signalled.
    hidden: folders that learner code must not see during grading. boxed: bubblewrap already
    provides the namespaces.
    """

    def __init__(self, folder: str, grading: bool, judge: int, hidden: list[str], boxed: bool):
        self.folder, self.grading, self.judge, self.hidden = folder, grading, judge, hidden
        self.boxed = boxed
        self.reached: list[str] = []
        self.count = self.threads = 0
        self.filter: seccomp.Filter | None = None
        self.removing: set[int] = set()  # Children that remove folders.

    def around_server(self) -> None:
        """Put up the first walls, before torch is imported: the process is small and has one
        thread.
        """
        _prctl(_SUBREAPER, 1)  # Orphans of a worker become the server's children.
        if self.boxed:
            self.reached.append("bubblewrap")
        elif self.grading and sys.platform == "linux" and namespaces.enter(self.folder, shown.DISK):
            self.reached.append("namespaces")
            _prctl(_SUBREAPER, 1)

    def close_server(self) -> None:
        """Hide all that is not needed any more, after the imports."""
        _prctl(_DUMPABLE, 0)  # No other process of this user may read its memory.
        if sys.platform == "linux":
            self.threads = _threads_of(os.geteuid())
            self.filter = self._filter(os.getpid())
            if os.geteuid() == 0 and not self.boxed:
                with suppress(OSError):  # Otherwise there is no wall "user".
                    namespaces.open_way(
                        [*shown.python(), self.folder], "namespaces" in self.reached
                    )
        if "namespaces" in self.reached:
            if namespaces.works(self._own_root) and self._own_root():
                self.reached.append("own-root")
            else:
                namespaces.hide(self.hidden)

    def _own_root(self) -> bool:
        """Switch to a file system of its own; whether it shows all files that Python has read."""
        needed = [*self._needed(), *_DEVICES, "/proc"]
        read = list(filter(os.path.exists, shown.imported()))
        return namespaces.own_root(self.folder, needed) and all(map(os.path.exists, read))

    def private_folder(self) -> tuple[str, int | None]:
        """A new folder for one worker, and the user that owns it (None: the present user)."""
        self.count += 1
        path = os.path.join(self.folder, f"{os.getpid()}-{self.count}")
        os.mkdir(path, 0o700)
        if sys.platform == "linux" and os.geteuid() == 0:
            user = FIRST_USER + (os.getpid() * PROCESSES + self.count) % USERS
            try:
                os.chown(path, user, user)
                return path, user
            except OSError:
                pass
        return path, None

    def remove(self, path: str) -> None:
        """Remove the folder of a worker that has ended, in a child unless it is empty.

        So the server goes on, even if the removal takes long or fails.
        """
        self.removing = {pid for pid in self.removing if os.waitpid(pid, os.WNOHANG)[0] == 0}
        with suppress(OSError):
            os.rmdir(path)
            return
        pid = os.fork()
        if pid == 0:
            try:
                os.closerange(3, 256)  # The judge's end of the connection must not wait for this.
                removal.remove(path)
            finally:
                os._exit(0)
        self.removing.add(pid)

    def around_worker(self, folder: str, user: int | None) -> None:
        """Put up the last walls, immediately before learner code, permanently."""
        os.chdir(folder)
        os.environ.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder))
        os.environ.update(dict.fromkeys(("LOGNAME", "USER"), "learner"))  # It may have no name.
        if sys.platform == "linux":
            if landlock.restrict([folder, *_DEVICES[:2]], self._needed()):
                self.reached.append("landlock")
            if user is not None:
                self.reached += ["user"] if _become(user) else []
            _drop_capabilities()
            if seccomp.restrict(self.filter or self._filter(os.getppid())):
                self.reached.append("seccomp")
        if sys.platform != "win32":
            self._limit()

    def _filter(self, parent: int) -> seccomp.Filter | None:
        return seccomp.prepare([1, parent, self.judge], network=not self.grading)

    def _needed(self) -> list[str]:
        """What Python and its libraries may have to read later; nothing above a hidden folder."""
        found = {*shown.python(), *shown.system(), *_DEVICES[2:]}
        found |= {f"/proc/{os.getpid()}", "/proc/cpuinfo"}
        return shown.without(self.hidden, found)

    def _limit(self) -> None:
        bounds = {
            "RLIMIT_AS": _memory() + MEMORY,
            "RLIMIT_FSIZE": FILE_SIZE,
            "RLIMIT_CORE": 0,
            "RLIMIT_NOFILE": 256,
        }
        if {"user", "namespaces", "bubblewrap"} & set(self.reached):
            bounds["RLIMIT_NPROC"] = PROCESSES  # Counted for this user, inside the walls.
        elif sys.platform == "linux" and os.geteuid() != 0:
            bounds["RLIMIT_NPROC"] = self.threads + 2 * PROCESSES
        for name, bound in bounds.items():
            try:
                resource.setrlimit(getattr(resource, name), (bound, bound))
            except (ValueError, OSError, AttributeError):
                pass  # A stricter bound exists already, or the system has none.


def end_strays(mine: Container[int]) -> None:
    """End every child of this process that is not in `mine`: what workers have left running."""
    if sys.platform == "linux":
        for attempt in range(ATTEMPTS):
            strays = [pid for pid in _children() if pid not in mine]
            if attempt > 3:  # They fork faster than they are found.
                _end_users({_user_of(pid) for pid in strays})
            for pid in strays:
                os.kill(pid, 9)
            for pid in strays:
                os.waitpid(pid, 0)
            if not strays:
                break


def _user_of(pid: int) -> int:
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Uid:"))


def _end_users(users: Iterable[int]) -> None:
    """End all processes of these users at once, if they are users of workers."""
    for user in users:
        if FIRST_USER <= user < FIRST_USER + USERS:
            pid = os.fork()
            if pid == 0:
                try:
                    os.setresuid(user, user, user)
                    os.kill(-1, 9)  # On some systems this ends the child itself.
                finally:
                    os._exit(0)
            os.waitpid(pid, 0)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(pid) for pid in file.read().split()]
    except (OSError, ValueError):
        return []


def _become(user: int) -> bool:
    """Become another user than root, if that user can read what Python needs. True if it works."""
    if not all(map(_readable_to_all, (os.__file__, str(sys.modules["torch"].__file__)))):
        os.chown(".", 0, 0)
        return False
    try:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    except OSError:
        return False
    return True


def _drop_capabilities() -> None:
    """Drop all rights of root, or of the first user of a namespace; no program can restore them."""
    _prctl(_NO_NEW_PRIVS, 1)
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    ctypes.CDLL(None).capset(header, nothing)


def _readable_to_all(path: str) -> bool:
    if not os.stat(path).st_mode & stat.S_IROTH:
        return False
    while (path := os.path.dirname(path)) != "/":
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
    return True


def _memory() -> int:
    """Bytes of address space of this process."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 4 << 30


def _threads_of(user: int) -> int:
    count = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            pass
    return count


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
