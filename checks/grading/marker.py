"""One process that judges submissions, one after the other: jobs in, results out, as JSON lines.

pool.py starts it. It ends as soon as its stdin does, even in the middle of its work. So no work
goes on after its run, in any case.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from checks.contents import STEPS, Step
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.judging.judge import Judge
from checks.grading.archives import Refused
from checks.grading.handed_in import Submission
from checks.grading.opening import opened

Config = dict[str, Any]


class Marker:
    """Judges with the settings of one run: seed, steps, seconds, borrow, points."""

    def __init__(self, host: Host, config: Config):
        self.host, self.config = host, config
        self.steps: list[Step] = [step for step in STEPS if step.id in config["steps"]]

    def mark(self, submission: Submission) -> dict[str, Any]:
        """The row of a submission: every step's result, or the problem with it as a whole."""
        start = time.perf_counter()
        row: dict[str, Any] = {"name": submission.name, "source": submission.source}
        try:
            with opened(submission, self.host.folder) as (root, shown):
                steps = self._judge(root, shown)
            problem = None
        except Refused as refused:
            kind = "missing" if submission.path is None else "unreadable"
            steps, problem = [], {"verdict": kind, "message": str(refused)}
        except NoWorker:
            raise
        except Exception:
            steps, problem = [], {"verdict": "infra", "message": traceback.format_exc(limit=-4)}
        row["seconds"] = round(time.perf_counter() - start, 3)
        return {**row, "problem": problem, **self._points(steps, problem), "steps": steps}

    def _judge(self, root: Path, shown: Path) -> list[dict[str, Any]]:
        source = Source(root, borrow=self.config["borrow"], inside=True, shown=shown)
        seed, seconds = self.config["seed"], self.config["seconds"]
        results = Judge(self.host, source, seed, seconds).run(self.steps)
        return [result.as_json() for result in results]

    def _points(self, steps: list[dict[str, Any]], problem: Any) -> dict[str, Any]:
        """The points of a submission; None, not 0, if the checker could not judge a step."""
        points = self.config["points"]
        most = sum(points[step.id] for step in self.steps)
        verdicts = [step["verdict"] for step in steps] + ([problem["verdict"]] if problem else [])
        if "infra" in verdicts:
            return {"points": None, "max_points": most}
        got = sum(points[step["step"]] for step in steps if step["verdict"] == "pass")
        return {"points": got, "max_points": most}


def main() -> None:
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is handled by the run as a whole.
    jobs: queue.SimpleQueue[str] = queue.SimpleQueue()
    first = sys.stdin.readline()
    if not first:
        return
    config = json.loads(first)
    with Host(grading=True) as host:
        marker = Marker(host, config)
        threading.Thread(target=_work, args=(marker, jobs), daemon=True).start()
        for line in sys.stdin:
            jobs.put(line)
    os._exit(0)


def _work(marker: Marker, jobs: queue.SimpleQueue[str]) -> None:
    try:
        while True:
            print(json.dumps(_reply(marker, json.loads(jobs.get()))), flush=True)
    except BrokenPipeError:
        pass  # Nobody reads any more: stdin ends, too.
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _reply(marker: Marker, job: dict[str, Any]) -> dict[str, Any]:
    try:
        row = marker.mark(Submission(job["name"], job["path"] and Path(job["path"]), job["why"]))
    except NoWorker as error:
        return {"no_worker": str(error)}
    walls = marker.host.walls  # None: no learner code has run yet.
    return {"row": {**row, "isolation": None if walls is None else marker.host.isolation}}
