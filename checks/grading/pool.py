"""Several judges that work side by side, each in a process of its own."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from checks.contents import COURSE
from checks.engine.files.scratch import Scratch
from checks.engine.hosting.outcomes import NoWorker
from checks.grading.handed_in import Submission

LONGEST = 1800.0  # Seconds for one submission: far more than all its time limits together.
TRIES = 2
PATIENCE = 3.0  # Seconds for all judges to end, before they are killed.
START = """
import sys
sys.path.insert(0, sys.argv[1])
import run_step  # From here on no file beside it shadows a library.
from checks.grading.marker import main
main()
"""
Row = dict[str, Any]


def usual_jobs() -> int:
    """The number of cores for this process."""
    if hasattr(os, "sched_getaffinity"):  # On a shared machine, often fewer than it has.
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool:
    """Marks submissions in `jobs` processes. Use as a context manager."""

    def __init__(self, config: dict[str, Any], jobs: int):
        self.config, self.jobs = config, jobs
        self.waiting: queue.SimpleQueue[Submission] = queue.SimpleQueue()
        self.done: queue.SimpleQueue[tuple[Submission, Row | NoWorker]] = queue.SimpleQueue()
        self.processes: set[subprocess.Popen[str]] = set()
        self.closed = False
        self.scratch = Scratch()
        self.scratch.folder.chmod(0o711)  # Learner code may run as other users.

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        """End all judges: they have no work left, or nobody waits for it."""
        self.closed = True
        end = time.monotonic() + PATIENCE
        try:
            for process in list(self.processes):
                self._hang_up(process)
            for process in list(self.processes):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.0, end - time.monotonic()))
        finally:
            for process in list(self.processes):
                process.kill()
            self.scratch.close()

    def mark(self, submissions: list[Submission]) -> Iterator[tuple[Submission, Row]]:
        """Each submission with its row, as soon as it is ready. NoWorker: torch is missing."""
        for submission in submissions:
            self.waiting.put(submission)
        for _ in range(min(self.jobs, len(submissions))):
            threading.Thread(target=self._work, daemon=True).start()
        for _ in submissions:
            submission, row = self.done.get()
            if isinstance(row, NoWorker):
                raise row
            yield submission, row

    def _work(self) -> None:
        """Keep one judge busy until all submissions are judged."""
        process: subprocess.Popen[str] | None = None
        while not self.closed:
            try:
                submission = self.waiting.get_nowait()
            except queue.Empty:
                break
            process, row = self._marked(process, submission)
            self.done.put((submission, row))
        if process is not None:
            self._hang_up(process)

    def _marked(
        self, process: subprocess.Popen[str] | None, submission: Submission
    ) -> tuple[subprocess.Popen[str] | None, Row | NoWorker]:
        """The row of a submission, and the judge for the next one.

        If the judge fails or ends without a row, another judge tries once more.
        """
        row = self._lost(submission, "Its judge has ended twice, with no result.")
        for _ in range(TRIES):
            if self.closed:
                break
            try:
                process = process or self._start()
                row = self._ask(process, submission)
            except NoWorker as error:
                return process, error
            except OSError as error:
                row = self._lost(submission, f"No judge could be started: {error.strerror}.")
            except (ValueError, KeyError, TypeError):
                pass  # The judge has ended.
            if row["points"] is not None:
                break
            if process is not None:
                self._end(process)
                process = None
        return process, row

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-B", "-c", START, str(COURSE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=COURSE,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "TMPDIR": str(self.scratch.folder)},
            start_new_session=True,
        )
        self.processes.add(process)
        self._write(process, self.config)
        return process

    def _ask(self, process: subprocess.Popen[str], submission: Submission) -> Row:
        """The row of one judge. Raises ValueError, KeyError or TypeError if the answer is
        malformed.
        """
        path = submission.path and os.path.abspath(submission.path)
        assert process.stdout is not None
        guard = threading.Timer(LONGEST, process.kill)
        guard.start()
        try:
            self._write(process, {"name": submission.name, "path": path, "why": submission.why})
            reply = json.loads(process.stdout.readline())
        finally:
            guard.cancel()
        if "no_worker" in reply:
            raise NoWorker(reply["no_worker"])
        return {**reply["row"], "source": submission.source}

    def _write(self, process: subprocess.Popen[str], message: Any) -> None:
        assert process.stdin is not None
        with suppress(OSError):  # It has ended, so its answer will be missing.
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()

    def _hang_up(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        with suppress(OSError, ValueError):
            process.stdin.close()

    def _end(self, process: subprocess.Popen[str]) -> None:
        process.kill()
        process.wait()
        self.processes.discard(process)

    def _lost(self, submission: Submission, why: str) -> Row:
        most = sum(self.config["points"][id] for id in self.config["steps"])
        return {
            "name": submission.name,
            "source": submission.source,
            "seconds": 0.0,
            "isolation": None,
            "problem": {"verdict": "infra", "message": why},
            "points": None,
            "max_points": most,
            "steps": [],
        }
