"""Walls around learner code: as many as the system gives without asking for rights.

On Linux: namespaces (for grading), Landlock, seccomp, and another user if root started this; on
every POSIX system limits of memory, files and processes. What cannot be had is left out, and
`reached` says what stands. Worker side: no torch, nothing of the checker.
"""

import ctypes
import os
import shutil
import stat
import sys
from contextlib import suppress

import landlock
import namespaces
import seccomp

with suppress(ImportError):  # Windows has none.
    import resource

MEMORY = 2 << 30  # Bytes more than the process has when learner code begins.
FILE_SIZE = 64 << 20
DISK = 256 << 20  # Of all private folders together, where there are namespaces.
PROCESSES = 64
ATTEMPTS = 1_000  # To end what a worker has left running.
FIRST_USER, USERS = 1_800_000_000, 10_000  # Far from every real user.
_DUMPABLE, _KEEP_CAPABILITIES, _SUBREAPER = 4, 8, 36
_READS_ALL = (2, 1)  # CAP_DAC_READ_SEARCH, or else CAP_DAC_OVERRIDE.
_CAPSET = {"x86_64": 126, "aarch64": 91}


class Walls:
    """What is put around the server, and around each worker that it forks.

    folder: holds a private folder for each worker. judge: the process that must not be signalled.
    hidden: folders that learner code must not see when it is graded.
    """

    def __init__(self, folder, grading, judge, hidden):
        self.folder, self.grading, self.judge, self.hidden = folder, grading, judge, hidden
        self.reached, self.count, self.threads = [], 0, 0
        self.filter = None

    def around_server(self):
        """Before torch is imported, while this is one small process with one thread."""
        _prctl(_SUBREAPER, 1)  # What a worker leaves behind becomes the server's child.
        if self.grading and sys.platform == "linux" and namespaces.enter(self.folder, DISK):
            self.reached.append("namespaces")
            _prctl(_SUBREAPER, 1)

    def close_server(self):
        """Everything is imported: what is not needed any more goes out of sight."""
        _prctl(_DUMPABLE, 0)  # No other process of this user may read its memory.
        if sys.platform == "linux":
            self.threads = _threads_of(os.geteuid())
            self.filter = self._filter(os.getpid())
        if "namespaces" in self.reached:
            namespaces.hide(self.hidden)

    def private_folder(self):
        """A new folder for one worker, and the user it belongs to (None: as it is)."""
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

    @staticmethod
    def remove(path):
        shutil.rmtree(path, ignore_errors=True)

    def around_worker(self, folder, user):
        """The last thing before learner code: for good."""
        os.chdir(folder)
        os.environ.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder))
        os.environ.update(dict.fromkeys(("LOGNAME", "USER"), "learner"))  # It may have no name.
        if sys.platform == "linux":
            readable = self._needed() if self.grading else None
            devices = ["/dev/null", "/dev/zero"]
            if landlock.restrict([folder, *devices], readable):
                self.reached.append("landlock")
            if user is not None and _become(user):
                self.reached.append("user")
            if seccomp.restrict(self.filter or self._filter(os.getppid())):
                self.reached.append("seccomp")
        if sys.platform != "win32":
            self._limit()

    def _filter(self, parent):
        return seccomp.prepare([1, parent, self.judge], network=not self.grading)

    def _needed(self):
        """What Python and its libraries may have to read later on; nothing above what is hidden."""
        found = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path}
        found |= {"/usr", "/lib", "/lib64", "/bin", "/etc", "/opt", "/nix/store"}
        found |= {"/dev/urandom", "/dev/random"}
        found |= {f"/proc/{os.getpid()}", "/proc/cpuinfo", "/sys/devices/system/cpu"}
        return [p for p in found if p and not any(h.startswith(p + "/") for h in self.hidden)]

    def _limit(self):
        bounds = {
            "RLIMIT_AS": _memory() + MEMORY,
            "RLIMIT_FSIZE": FILE_SIZE,
            "RLIMIT_CORE": 0,
            "RLIMIT_NOFILE": 256,
        }
        if {"user", "namespaces"} & set(self.reached):
            bounds["RLIMIT_NPROC"] = PROCESSES  # Counted for this user, in here, alone.
        elif sys.platform == "linux" and os.geteuid() != 0:
            bounds["RLIMIT_NPROC"] = self.threads + 2 * PROCESSES
        for name, bound in bounds.items():
            try:
                resource.setrlimit(getattr(resource, name), (bound, bound))
            except (ValueError, OSError, AttributeError):
                pass  # A stricter bound is in force already, or the system has none.


def end_strays(mine):
    """End every child of this process that is none of `mine`: what workers have left running."""
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


def _user_of(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Uid:"))


def _end_users(users):
    """Every process of these users at once, if they are some of ours."""
    for user in users:
        if FIRST_USER <= user < FIRST_USER + USERS:
            pid = os.fork()
            if pid == 0:
                try:
                    os.setresuid(user, user, user)
                    os.kill(-1, 9)  # Itself, too, where that is the law.
                finally:
                    os._exit(0)
            os.waitpid(pid, 0)


def _children():
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(pid) for pid in file.read().split()]
    except (OSError, ValueError):
        return []


def _become(user):
    """Another user than root; with root's right to read if Python's own files need it."""
    libraries = (os.__file__, sys.modules["torch"].__file__)
    kept = None
    if not all(map(_readable_to_all, libraries)):
        held = _capabilities()
        kept = next((bit for bit in _READS_ALL if held >> bit & 1), None)
        if kept is None or os.uname().machine not in _CAPSET:
            return False
        _prctl(_KEEP_CAPABILITIES, 1)
    try:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    except OSError:
        return False
    if kept is not None:
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        sets = (ctypes.c_uint32 * 6)(1 << kept, 1 << kept, 0, 0, 0, 0)
        ctypes.CDLL(None).syscall(_CAPSET[os.uname().machine], header, sets)
    return True


def _readable_to_all(path):
    if not os.stat(path).st_mode & stat.S_IROTH:
        return False
    while (path := os.path.dirname(path)) != "/":
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
    return True


def _capabilities():
    with open("/proc/self/status") as file:
        return next((int(line.split()[1], 16) for line in file if line.startswith("CapPrm")), 0)


def _memory():
    """Bytes of address space that this process has now."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 4 << 30


def _threads_of(user):
    count = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            pass
    return count


def _prctl(option, value):
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
