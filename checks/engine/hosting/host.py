"""Starts the workers.

If the system can fork safely (Linux), one warm process imports torch and forks a child for every
piece of work. Otherwise new processes do it: slower, but with the same verdicts.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path

from checks.contents import COURSE
from checks.course import EXTENSIONS
from checks.engine.files.scratch import Scratch
from checks.engine.hosting.box import box
from checks.engine.hosting.outcomes import NoWorker, why_not
from checks.engine.hosting.process import START_LIMIT, Worker
from checks.engine.hosting.started import Forked, Fresh, clean_environment
from checks.engine.shared import wire

ENGINE = Path(__file__).parents[1]
WORKER = ENGINE / "worker" / "main.py"
# What the worker imports of the checker beside its own files, with the names that the judge uses.
OURS = [
    ("checks.engine.asking.layout", ENGINE / "asking" / "layout.py"),
    *((f"checks.extensions.{file.stem}", file) for file in EXTENSIONS),
    ("checks.engine.asking.roles", ENGINE / "asking" / "roles.py"),
]
SIDE_BY_SIDE = max(2, min(4, os.cpu_count() or 1))  # Workers that one submission keeps at work.
SPARE = 4  # Workers that wait for work.
MOST_FAILED = 20  # Workers that may end before they are ready: a killed server ends some.
SPARE_FRESH = 2  # The same, if each has to import torch.
ANSWER_LIMIT = 60.0  # Seconds for an answer of the server; a dead one shows at once.
HIDDEN = ("solutions", "checks", "tests", ".git", ".kept")  # Folders that graded code cannot see.


class Host:
    """Starts workers. `fork=None` decides by the system. Use as a context manager.

    `grading`: the code is other people's, and the system isolates it as far as possible.
    """

    def __init__(self, fork: bool | None = None, grading: bool = False):
        self.grading = grading
        self.fork = sys.platform == "linux" if fork is None else fork
        self.lock = threading.Lock()
        self.scratch = Scratch()
        self.folder = self.scratch.folder
        self.folder.chmod(0o711)  # Workers may be other users, each with a folder inside.
        self.private = self.folder / "private"
        self.private.mkdir(0o711)
        self.errors = self.folder / "server-errors"
        self.server: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None
        self.ready = self.closed = False
        self.failed = 0  # Workers in a row that ended before the first request.
        self.walls: list[str] | None = None
        self.live: set[Worker] = set()
        self.dropped: deque[Worker] = deque()
        self.spare: deque[Worker | Exception] = deque()
        self.wanted = threading.Condition()  # Guards `spare` and `waiting`.
        self.waiting = 0
        self.hidden = [str(COURSE / name) for name in HIDDEN]
        own = [WORKER.parent, *(file.parent for _, file in OURS)]
        shown = sorted({str(folder) for folder in own})
        self.box = box(self.private, self.hidden, shown) if self.fork and grading else []
        if self.fork:
            self._start_server()
        self.keeper = threading.Thread(target=self._keep_spare, daemon=True)
        self.keeper.start()

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process that was started."""
        self.closed = True
        self.interrupt()
        if self.server is not None and self.control is not None:
            if self.ready:
                self.control.shutdown(socket.SHUT_RDWR)  # It ends what is left, then itself.
            else:
                self.server.kill()
            self._wait_for_server()
        with self.wanted:
            self.wanted.notify_all()
        self.keeper.join()
        if self.control is not None:
            self.control.close()
        for worker in [*self.dropped, *self.spare]:
            self._end(worker)
        self.scratch.close()

    def _wait_for_server(self) -> None:
        assert self.server is not None
        try:
            self.server.wait(2)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()

    def _end(self, worker: Worker | Exception) -> None:
        if isinstance(worker, Worker):
            worker.stop()
            worker.close()

    def interrupt(self) -> None:
        """Kill the workers that are at work: threads that wait for their answers go on at once."""
        for worker in list(self.live):
            worker.stop()

    @property
    def isolation(self) -> str:
        """How learner code is isolated, in words: known after the first worker."""
        return "+".join(["process", *(self.walls or [])])

    def worker(self, seconds: float) -> Worker:
        """A worker that may compute for `seconds`."""
        worker = self._spare()
        if self.walls is None:
            self.walls = worker.walls
        self.live.add(worker)
        worker.allow(seconds)
        return worker

    def done(self, worker: Worker) -> str:
        """End the worker; what it has printed."""
        self._has_ended(worker)
        return worker.close()

    def drop(self, worker: Worker) -> None:
        """End a worker whose output nobody will read, without waiting for its end."""
        if not self.fork:
            worker.close()
        else:
            worker.hang_up()
            self.dropped.append(worker)
        self._has_ended(worker)

    def reap(self, pid: int, kill: bool = False) -> int:
        """The wait status of a forked worker; or wire.RUNS; or wire.UNKNOWN."""
        try:
            order = b"kill %d" if kill else b"reap %d"
            return int(self._order(order % pid, [], restart=False))
        except (OSError, NoWorker, ValueError):
            return wire.UNKNOWN

    def _spare(self) -> Worker:
        """A worker that was started in advance."""
        while True:
            with self.wanted:
                self.waiting += 1
                self.wanted.notify_all()
                self.wanted.wait_for(lambda: self.spare or self.closed)
                self.waiting -= 1
                if self.closed:
                    raise NoWorker("The run has ended.")
                found = self.spare.popleft()
            if isinstance(found, Exception):
                raise found
            if found.greet():
                self.failed = 0
                return found
            self.failed += 1
            if self.failed > MOST_FAILED:
                raise NoWorker(why_not(found.printed.text()))

    def _keep_spare(self) -> None:
        """The loop of a thread: start workers in advance, while none is at work.

        It also waits for dropped workers, until they and their processes have ended.
        """
        while not self.closed:
            with self.wanted:
                self.wanted.wait_for(lambda: self._has_time() or self._falls_short() or self.closed)
            while self.dropped and not self.waiting:
                self.dropped.popleft().close()
            if not self._falls_short():
                continue
            try:
                found: Worker | Exception = self._forked() if self.fork else self._fresh()
            except Exception as error:
                found = error
            with self.wanted:
                self.spare.append(found)
                self.wanted.notify_all()

    def _has_time(self) -> bool:
        return bool(self.dropped) and not self.live and not self.waiting

    def _falls_short(self) -> bool:
        spare = SPARE if self.fork else SPARE_FRESH
        return self.waiting > len(self.spare) or (not self.live and len(self.spare) < spare)

    def _has_ended(self, worker: Worker) -> None:
        self.live.discard(worker)
        with self.wanted:
            self.wanted.notify_all()

    def _forked(self) -> Worker:
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        out_read, out_write = os.pipe()
        try:
            pid = int(self._order(b"fork", [theirs.fileno(), out_write]))
        finally:
            theirs.close()
            os.close(out_write)
        assert self.server is not None
        return Forked(self.reap, pid, ours, out_read, self.server.pid)

    def _fresh(self) -> Worker:
        process = subprocess.Popen(
            [sys.executable, str(WORKER), "once", self._options(None)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=clean_environment(),
            start_new_session=os.name == "posix",
        )
        return Fresh(process)

    def _options(self, control: int | None) -> str:
        options = {
            "control": control,
            "folder": str(self.private),
            "grading": self.grading,
            "judge": os.getpid(),
            "boxed": bool(self.box),
            "hidden": self.hidden,
            "extensions": [[name, str(file)] for name, file in OURS],
        }
        return json.dumps(options)

    def _start_server(self) -> None:
        if self.server is not None:
            self.server.kill()
            self.server.wait()
        ours, theirs = socket.socketpair()
        with self.errors.open("wb") as errors:
            self.server = subprocess.Popen(
                [*self.box, sys.executable, str(WORKER), "serve", self._options(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                cwd=self.folder,
                env=clean_environment(),
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
                    self.server.kill()  # Stopped, dead or mute: it cannot serve.
                if self.closed or not restart:
                    raise
                self._start_server()  # Learner code may have killed it; a new one serves as well.
                return self._ask_server(order, fds)

    def _ask_server(self, order: bytes, fds: list[int]) -> bytes:
        assert self.control is not None
        if not self.ready:
            if self.control.recv(1) != b"r":
                if self.box:  # The box may hide a file that Python needs.
                    self.box = []
                    self._start_server()
                    return self._ask_server(order, fds)
                raise NoWorker(why_not(self.errors.read_text("utf-8", "replace")))
            self.ready = True
            self.control.settimeout(ANSWER_LIMIT)
        socket.send_fds(self.control, [order], fds)
        answer = self.control.recv(64)
        if not answer:
            raise OSError("the server has ended")
        return answer
