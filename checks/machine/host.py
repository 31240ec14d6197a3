"""Starts the workers.

Where the system can fork safely (Linux), one warm process imports torch and forks a child for
every piece of work; elsewhere fresh processes do it: slower, but with the same verdicts.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from checks.machine.process import START_LIMIT, Forked, Fresh, NoWorker, Worker, why_not

WORKER = Path(__file__).with_name("worker.py")
ANSWER_LIMIT = 4.0  # Seconds for the server to fork or reap, before another one is started.
KEPT_ENVIRONMENT = {
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "PYTHONPATH", "PYTHONHOME"),
    *("VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("SYSTEMROOT", "WINDIR", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PYTHONUSERBASE"),
}


class Host:
    """Starts workers. `fork=None` decides by the system. Use as a context manager.

    `again`: a worker that has answered well is used again. For known versions only: what one
    submission leaves behind in a process must never meet the next.
    """

    def __init__(self, fork: bool | None = None, again: bool = False):
        self.again = again
        self.fork = sys.platform == "linux" if fork is None else fork
        self.lock = threading.Lock()
        self.folder = tempfile.mkdtemp(prefix="run_step-")
        self.errors = Path(self.folder) / "server-errors"
        self.server: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None
        self.ready = False
        self.idle: list[Worker] = []
        if self.fork:
            self._start_server()

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        for worker in self.idle:
            worker.kill()
        if self.control is not None:
            self.control.close()
        if self.server is not None:
            self.server.kill()
            self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def worker(self, seconds: float) -> Worker:
        """A worker that may compute for `seconds`."""
        if not self.fork:
            return self._idle(seconds) or self._fresh(seconds)
        if self.again and (idle := self._idle(seconds)) is not None:
            return idle
        ours, theirs = socket.socketpair()
        out_read, out_write = os.pipe()
        try:
            pid = int(self._order(b"fork %f" % seconds, [theirs.fileno(), out_write]))
        finally:
            theirs.close()
            os.close(out_write)
        return Forked(self.reap, pid, ours, out_read, seconds, self.idle if self.again else None)

    def reap(self, pid: int) -> int | None:
        """The wait status of a forked worker; None if it is not known."""
        try:
            return int(self._order(b"reap %d" % pid, [], restart=False))
        except (OSError, NoWorker):
            return None

    def _idle(self, seconds: float) -> Worker | None:
        with self.lock:
            for worker in self.idle:
                if worker.seconds == seconds:
                    self.idle.remove(worker)
                    return worker
        return None

    def _fresh(self, seconds: float) -> Worker:
        process = subprocess.Popen(
            [sys.executable, str(WORKER), "once", str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=_environment(),
            start_new_session=os.name == "posix",
        )
        return Fresh(process, self.idle, seconds)

    def _start_server(self) -> None:
        if self.server is not None:
            self.server.kill()
            self.server.wait()
        ours, theirs = socket.socketpair()
        with self.errors.open("wb") as errors:
            self.server = subprocess.Popen(
                [sys.executable, str(WORKER), "serve", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                cwd=self.folder,
                env=_environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        theirs.close()
        ours.settimeout(START_LIMIT)
        self.control, self.ready = ours, False

    def _order(self, order: bytes, fds: list[int], restart: bool = True) -> bytes:
        with self.lock:
            try:
                return self._ask_server(order, fds)
            except OSError:
                if self.server is not None:
                    self.server.kill()  # Stopped, dead or mute: none of them serves.
                if not restart:
                    raise
                self._start_server()  # Learner code has killed it; the next one is as good.
                return self._ask_server(order, fds)

    def _ask_server(self, order: bytes, fds: list[int]) -> bytes:
        assert self.control is not None
        if not self.ready:
            if self.control.recv(1) != b"r":
                raise NoWorker(why_not(self.errors.read_text("utf-8", "replace")))
            self.ready = True
            self.control.settimeout(ANSWER_LIMIT)
        socket.send_fds(self.control, [order], fds)
        answer = self.control.recv(64)
        if not answer:
            raise OSError("the server has ended")
        return answer


def _environment() -> dict[str, str]:
    """A clean environment for the worker: no tokens in it, one thread."""
    kept = {name: value for name, value in os.environ.items() if name.upper() in KEPT_ENVIRONMENT}
    return {**kept, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
