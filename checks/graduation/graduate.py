"""Run a graduation in a worker: train in slices with looks in between, hold an exam, give a
verdict.

The judge's side. Nothing here imports learner code, or torch.
"""

from __future__ import annotations

import math
import re
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from checks.contents import STEPS, Step
from checks.course import GRADUATIONS
from checks.engine.asking.conversation import Conversation
from checks.engine.asking.learner import Files
from checks.engine.hosting.clock import used_by
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.hosting.process import Worker
from checks.engine.judging.judge import Judge
from checks.engine.naming.properties import PROPERTIES
from checks.engine.verdicts import CheckResult, Fail, Named, Place, Stopped
from checks.graduation import kept as kept
from checks.graduation.counting import Counting
from checks.graduation.forms import form_of
from checks.graduation.languages import Languages
from checks.graduation.live import Silent as Silent
from checks.graduation.live import view_on as view_on
from checks.graduation.task import Ask, Sample, Task
from checks.graduation.translation import Translation

TASKS: dict[str, type[Translation] | type[Languages] | type[Counting]] = {
    "translate": Translation,
    "classifier": Languages,
    "speak": Counting,
}
SLICE = 10  # Steps of training for each request.
LOOK = 50  # Steps of training between two looks.
SHOWN = 10  # Answers of the exam that are kept with the model.
REQUEST, WHOLE = 5, 40  # Computing time of a request, and of all, in limits of one check.


Keep = Callable[[dict[str, Any], list[Any]], None]  # Facts about the model, and its weights.


class View(Protocol):
    """An object that shows how a graduation goes."""

    def begin(self, task: Task) -> None:
        """Show the beginning."""

    def trained(self, step: int, losses: list[float]) -> None:
        """Show that `step` steps are done, with these losses so far."""

    def looked(self, step: int, samples: list[Sample]) -> None:
        """Show what the model can do after `step` steps."""

    def end(self, samples: list[Sample]) -> None:
        """Show the exam's answers; without samples, the exam was not reached."""


def graduate(
    judge: Judge, step: Step, view: View, task: Task | None = None, keep: Keep | None = None
) -> CheckResult:
    """The check `graduation` of a step whose other checks have passed.

    `task` replaces the step's own task. `keep` gets the model, if it has passed.
    """
    start, rng = time.perf_counter(), np.random.default_rng([judge.seed, 5])
    task = task or TASKS[step.name](rng)
    stopped: Stopped | None
    printed = ""
    try:
        stopped = judge.blocked(
            step, [earlier for earlier in STEPS if earlier.name in GRADUATIONS[step.name]]
        )
        if stopped is None:
            files = judge.files(step)
            stopped, printed = _in_a_worker(judge, step, files, task, view, keep)
    except NoWorker:
        raise
    except Exception:  # The checker's own fault is never a fail.
        stopped = Stopped("infra", traceback.format_exc(limit=-4))
    result = CheckResult("graduation", task.sentence, "pass", printed=printed)
    if stopped is not None:
        result.verdict, result.kind = stopped.verdict, stopped.kind
        result.message, result.where = stopped.message, stopped.where
        if isinstance(stopped, Fail) and stopped.shows is not None:
            result.mistake = Named(stopped.shows, PROPERTIES[stopped.shows])
    result.seconds = time.perf_counter() - start
    return result


def _in_a_worker(
    judge: Judge, step: Step, files: Files, task: Task, view: View, keep: Keep | None
) -> tuple[Stopped | None, str]:
    """The exception that stopped it, or None after a pass; and the output of the learner's code."""
    worker = judge.host.worker(judge.runner.seconds)
    samples: list[Sample] = []
    stopped: Stopped | None = None
    try:
        learned = learn(worker, judge, step, files, task, view)
        _require_enough(files, task, learned)
        samples = learned.samples
        if keep is not None:
            about = {**task.about(), **_exam(learned)}
            keep(about, learned.ask("keep", "while its weights were read"))
    except Stopped as error:
        stopped = error
    finally:
        view.end(samples)
        printed = judge.host.done(worker)
    return stopped, printed


def _exam(learned: Learned) -> dict[str, Any]:
    """The score and some answers, and the loss of each step: kept to be looked at."""
    samples = learned.samples
    right = sum(sample.right for sample in samples)
    answers = [(one.question, one.answer, one.right) for one in samples[:SHOWN]]
    losses = [round(loss, 4) for loss in learned.losses]
    return {"score": f"{right} of {len(samples)} right", "exam": answers, "losses": losses}


class Budget:
    """Limits the computing time of learner code, in seconds: in one request, and in all."""

    def __init__(self, worker: Worker, seconds: float):
        self.worker, self.request, self.left = worker, REQUEST * seconds, WHOLE * seconds
        self.whole = self.left

    def ask(self, talk: Conversation, lesson: str, doing: str, **arguments: Any) -> Any:
        """Ask one question. Raises Stopped for anything but an answer in time."""
        if self.left <= 0:
            says = f"It has not finished after {self.whole:g} s of computing, {doing}."
            raise Stopped("timeout", says)
        self.worker.allow(min(self.request, self.left))
        before = self._now()
        try:
            form = form_of(lesson, arguments)
            return talk.ask(
                "extension", doing, form=form, name="school", what=lesson, arguments=arguments
            )
        finally:
            self.left -= self._now() - before

    def _now(self) -> float:
        used = used_by(self.worker.pid)[1]
        return time.monotonic() if used is None else used


class Learned(NamedTuple):
    """The result of a training: the exam's answers, the losses, and a way to ask more."""

    samples: list[Sample]
    losses: list[float]
    ask: Ask


def learn(
    worker: Worker, judge: Judge, step: Step, files: Files, task: Task, view: View
) -> Learned:
    """Train in this worker, and hold the exam. Raises Stopped if learner code fails."""
    talk = Conversation(worker, files)
    talk.load(step.module, judge.seed)
    view.begin(task)
    ask = partial(Budget(worker, judge.runner.seconds).ask, talk)
    losses: list[float] = []
    task.enrol(ask, judge.seed)
    view.looked(0, task.look(ask))
    for first in range(1, task.steps + 1, SLICE):
        last = min(first + SLICE - 1, task.steps)
        losses += task.train(ask, first, last - first + 1)
        _require_finite(losses)
        view.trained(last, losses)
        if last % LOOK == 0 and last < task.steps:
            view.looked(last, task.look(ask))
    return Learned(task.exam(ask), losses, ask)


def _require_enough(files: Files, task: Task, learned: Learned) -> None:
    """Raise Fail, with the reason, if too little of the exam is right."""
    samples = learned.samples
    right = sum(sample.right for sample in samples)
    share = right / len(samples)
    if share >= task.bar:
        return
    reason = task.reason(learned.ask, share, learned.losses)
    says = [
        f"{right} of {len(samples)} are right, {math.ceil(task.bar * len(samples))} are needed."
    ]
    wrong = [sample for sample in samples if not sample.right][:3]
    for sample in wrong:
        says += [f"  {sample.question}", f"    -> {sample.answer or '(nothing)'}"]
        says += [f"    expected {sample.wanted}"]
    where = _line(files, reason.place)
    raise Fail("values", "\n".join([*says, reason.says]), where, shows=reason.mistake)


def _require_finite(losses: list[float]) -> None:
    bad = next((n for n, loss in enumerate(losses, 1) if not math.isfinite(loss)), None)
    if bad is not None:
        says = f"The loss of step {bad} is {losses[bad - 1]}: nothing can be learned from that."
        raise Fail("non_finite", says)


def _line(files: Files, place: tuple[str, str] | None) -> Place | None:
    """The first line with this beginning, in a file of the submission."""
    for file, _, content in files.contents.values():
        if place is not None and file == place[0]:
            lines: Iterator[tuple[int, str]] = enumerate(
                content.decode("utf-8", "replace").splitlines(), 1
            )
            return next((Place(file, n) for n, text in lines if re.match(place[1], text)), None)
    return None
