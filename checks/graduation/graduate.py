"""Run a graduation in a worker: learn in slices, look now and then, ask the exam, give a verdict.

The judge's side. Nothing here imports learner code, or torch.
"""

from __future__ import annotations

import math
import re
import time
import traceback
from collections.abc import Iterator
from functools import partial
from typing import Any, Protocol

import numpy as np

from checks.contents import STEPS, Step
from checks.graduation import GRADUATIONS
from checks.graduation.languages import Languages
from checks.graduation.task import Sample, Task
from checks.graduation.translation import Translation
from checks.machine.asking.learner import Files
from checks.machine.asking.module import Known
from checks.machine.asking.submission import Submission
from checks.machine.hosting.clock import used_by
from checks.machine.hosting.process import NoWorker, Worker
from checks.machine.judging.judge import Judge
from checks.machine.naming.properties import PROPERTIES
from checks.machine.verdicts import CheckResult, Fail, Named, Place, Stopped

TASKS: dict[str, type[Translation] | type[Languages]] = {
    "translate": Translation,
    "classifier": Languages,
}
SLICE = 10  # Steps of training for each request.
LOOK = 50  # Steps between two looks.
REQUEST, WHOLE = 5, 40  # How many times the limit of a check a request may compute; and all.


class View(Protocol):
    """Who is told how it goes."""

    def begin(self, task: Task) -> None:
        """Now it begins."""

    def trained(self, step: int, losses: list[float]) -> None:
        """So many steps are done, with these losses so far."""

    def looked(self, step: int, samples: list[Sample]) -> None:
        """What it can do after so many steps."""

    def end(self, samples: list[Sample]) -> None:
        """The exam is over; without samples: it was not reached."""


def graduate(judge: Judge, step: Step, view: View, task: Task | None = None) -> CheckResult:
    """The check `graduation` of a step whose other checks have passed.

    `task` stands in for the step's own.
    """
    start, rng = time.perf_counter(), np.random.default_rng([judge.seed, 5])
    task = task or TASKS[step.name](rng)
    result = CheckResult("graduation", task.sentence)
    stopped: Stopped | None
    try:
        stopped = judge.blocked(
            step, [earlier for earlier in STEPS if earlier.name in GRADUATIONS[step.name]]
        )
        if stopped is None:
            files = judge.files(step)
            stopped, result.printed = _in_a_worker(judge, step, files, task, view)
    except NoWorker:
        raise
    except Exception:  # The checker's own fault: never a fail.
        stopped = Stopped("infra", traceback.format_exc(limit=-4))
    if stopped is not None:
        result.verdict, result.kind = stopped.verdict, stopped.kind
        result.message, result.where = stopped.message, stopped.where
        if isinstance(stopped, Fail) and stopped.shows is not None:
            result.mistake = Named(stopped.shows, PROPERTIES[stopped.shows])
    result.seconds = time.perf_counter() - start
    return result


def _in_a_worker(
    judge: Judge, step: Step, files: Files, task: Task, view: View
) -> tuple[Stopped | None, str]:
    """What stopped it, or None if it has passed; and what the learner's code has printed."""
    worker = judge.host.worker(judge.runner.seconds)
    samples: list[Sample] = []
    stopped: Stopped | None = None
    try:
        submission = Submission(worker, files, Known())
        submission.load(step.module, judge.seed)
        view.begin(task)
        samples = _learn(submission, Budget(worker, judge.runner.seconds), task, view, judge.seed)
    except Stopped as error:
        stopped = error
    finally:
        view.end(samples)
        printed = judge.host.done(worker)
    return stopped, printed


class Budget:
    """What learner code may compute, in seconds: in one request, and in all."""

    def __init__(self, worker: Worker, seconds: float):
        self.worker, self.request, self.left = worker, REQUEST * seconds, WHOLE * seconds
        self.whole = self.left

    def ask(self, submission: Submission, lesson: str, doing: str, **arguments: Any) -> Any:
        """One question. Raises Stopped for anything but an answer in time."""
        if self.left <= 0:
            says = f"It is not through after {self.whole:g} s of computing, {doing}."
            raise Stopped("timeout", says)
        self.worker.allow(min(self.request, self.left))
        before = self._now()
        try:
            return submission.ask("attend", doing, lesson=lesson, arguments=arguments)
        finally:
            self.left -= self._now() - before

    def _now(self) -> float:
        used = used_by(self.worker.pid)[1]
        return time.monotonic() if used is None else used


def _learn(
    submission: Submission, budget: Budget, task: Task, view: View, seed: int
) -> list[Sample]:
    """The exam, after all steps of training. Raises Stopped if too little of it is right."""
    ask = partial(budget.ask, submission)
    losses: list[float] = []
    task.enrol(ask, seed)
    view.looked(0, task.look(ask))
    for first in range(1, task.steps + 1, SLICE):
        last = min(first + SLICE - 1, task.steps)
        losses += task.train(ask, first, last - first + 1)
        _require_finite(losses)
        view.trained(last, losses)
        if last % LOOK == 0 and last < task.steps:
            view.looked(last, task.look(ask))
    samples = task.exam(ask)
    right = sum(sample.right for sample in samples)
    share = right / len(samples)
    if share >= task.bar:
        return samples
    reason = task.reason(ask, share, losses)
    says = [
        f"{right} of {len(samples)} are right, {math.ceil(task.bar * len(samples))} are needed."
    ]
    wrong = [sample for sample in samples if not sample.right][:3]
    for sample in wrong:
        says += [f"  {sample.question}", f"    -> {sample.answer or '(nothing)'}"]
        says += [f"    expected {sample.wanted}"]
    where = _line(submission.files, reason.place)
    raise Fail("values", "\n".join([*says, reason.says]), where, shows=reason.mistake)


def _require_finite(losses: list[float]) -> None:
    bad = next((n for n, loss in enumerate(losses, 1) if not math.isfinite(loss)), None)
    if bad is not None:
        says = f"The loss of step {bad} is {losses[bad - 1]}: nothing can be learned from that."
        raise Fail("non_finite", says)


def _line(files: Files, place: tuple[str, str] | None) -> Place | None:
    """The line that begins so, in a file of the submission."""
    for file, _, content in files.contents.values():
        if place is not None and file == place[0]:
            lines: Iterator[tuple[int, str]] = enumerate(
                content.decode("utf-8", "replace").splitlines(), 1
            )
            return next((Place(file, n) for n, text in lines if re.match(place[1], text)), None)
    return None
