"""Known versions of a step that answer the questions to the learner's version."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from checks.contents import Step
from checks.engine.asking.conversation import Conversation
from checks.engine.asking.learner import Files
from checks.engine.asking.transcript import Event, alike
from checks.engine.files.source import solution
from checks.engine.hosting.host import SIDE_BY_SIDE, Host
from checks.engine.hosting.process import Worker
from checks.engine.known import Mistake
from checks.engine.shared import wire

SECONDS = 60.0  # Computing time for all replays of one step in one worker, on a slow machine.
AT_ONCE = 12  # Versions in one frame.
KEPT = 64  # Replays to remember: many submissions get the same questions and answer alike.
_ANSWERS: dict[bytes, list[list[Any]]] = {}
_CHANGING = threading.Lock()  # Several submissions are judged at once.


class Replays:
    """A few workers that replay questions with known versions of a step."""

    def __init__(self, host: Host, step: Step, files: Files, choices: dict[str, int]):
        """files: the learner's. choices: how parameters are read, where it is open."""
        self.step, self.host, self.learners, self.choices = step, host, files, choices
        others = {m: v for m, v in files.contents.items() if m != step.module}
        self.others = hashlib.sha256(repr(sorted(others.items())).encode()).digest()
        file, path, _ = files.contents[step.module]
        right = {**others, step.module: (file, path, _source(step, None))}
        self.files = Files(files.root, right, step.path)
        self.lanes = ThreadPoolExecutor(SIDE_BY_SIDE)
        self.free: list[Conversation] = []  # Loaded and idle.
        self.workers: list[Worker] = []

    def __enter__(self) -> Replays:
        return self

    def __exit__(self, *error: object) -> None:
        self.lanes.shutdown(cancel_futures=True)
        for worker in self.workers:
            self.host.done(worker)

    def replay(self, versions: list[Mistake | None], events: list[Event]) -> list[list[Any]]:
        """The answers of each version to the questions of these events; None: the solution."""
        requests = [event.request() for event in events]
        sources = [_source(self.step, version) for version in versions]
        whole = hashlib.sha256(
            wire.encode([self.step.module, requests, self.choices]) + self.others
        )
        for source in sources:
            whole.update(hashlib.sha256(source).digest())
        key = whole.digest()
        found = _ANSWERS.get(key)
        if found is None:
            starts = range(0, len(sources), AT_ONCE)
            parts = [sources[start : start + AT_ONCE] for start in starts]
            played = self.lanes.map(lambda part: self.play(part, requests), parts)
            found = [answers for part in played for answers in part]
            with _CHANGING:
                _ANSWERS[key] = found
                if len(_ANSWERS) > KEPT:
                    del _ANSWERS[next(iter(_ANSWERS))]
        return found

    def play(self, sources: list[bytes], requests: list[Any]) -> list[list[Any]]:
        """The answers of each source of the step to these requests."""
        try:
            submission = self.free.pop()
        except IndexError:
            submission = self._loaded()
        answers = submission.ask(
            "replay",
            "in known versions",
            module=self.step.module,
            variants=[wire.Array("bytes", (len(source),), source) for source in sources],
            requests=requests,
            choices=self.choices,
        )
        self.free.append(submission)
        return [answer[1:] for answer in answers]

    def _loaded(self) -> Conversation:
        worker = self.host.worker(SECONDS)
        self.workers.append(worker)
        submission = Conversation(worker, self.files)
        submission.load(self.step.module, 0)
        return submission


def _source(step: Step, version: Mistake | None) -> bytes:
    return (solution(step) if version is None else version.source(step)).encode()


def agree(events: list[Event], theirs: list[Any], right: list[Any], finite: bool) -> bool:
    """Whether two versions agree in all answers. After a timeout, the last may be missing."""
    return len(theirs) >= len(events) and all(
        event.answer is None or alike(event, answer, truth, finite)
        for event, answer, truth in zip(events, theirs, right)
    )
