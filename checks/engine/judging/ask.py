"""Ask a worker all questions of a plan. What has come back counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from checks.engine.asking.answers import Answers, checked
from checks.engine.asking.conversation import to_load
from checks.engine.asking.learner import Files
from checks.engine.hosting.outcomes import Died
from checks.engine.hosting.process import Worker
from checks.engine.planning.plan import Plan
from checks.engine.planning.planned import Planned

BRIEFLY = 0.5  # Seconds for each check after the first that has ended a worker.
MOST_ENDS = 2  # Checks that end a worker; the second end stands for those that are left.
Done = Callable[[Planned, Answers], bool]


class Workers(Protocol):
    """What starts workers, and ends them."""

    def worker(self, seconds: float) -> Worker:
        """A worker that may compute for so long."""

    def drop(self, worker: Worker) -> None:
        """End a worker whose output nobody will read."""


class Asking:
    """One plan, put to one submission. `choices`: which of several readings is the right one."""

    def __init__(
        self,
        workers: Workers,
        plan: Plan,
        files: Files,
        seconds: float,
        choices: dict[str, int],
        operands: bool = False,
    ):
        """choices: of several readings of the parameters. operands: see Watched."""
        self.workers, self.plan, self.files, self.seconds = workers, plan, files, seconds
        self.choices, self.operands = choices, operands
        self.answers = Answers(plan.questions, files, seconds)

    def ask(self, checks: list[Planned], done: Done = lambda check, answers: False) -> Answers:
        """The answers to the questions of these checks.

        `done` is called for each check when its answers are there; if it says True, no more are
        wanted. If a worker ends, that is the answer to the question that was asked, and a new
        worker goes on with the next check.
        """
        todo = [check for check in checks if not check.is_needless(self.answers)]
        ends, seconds = 0, self.seconds
        while todo:
            worker = self.workers.worker(seconds)
            try:
                if not self._load(worker, todo, seconds):
                    break
                while todo:
                    check = todo.pop(0)
                    death = self._receive(worker, check, seconds)
                    if done(check, self.answers):
                        worker.stop()
                        return self.answers
                    if death is not None:
                        ends, seconds = ends + 1, min(BRIEFLY, seconds)
                        break
            finally:
                self.workers.drop(worker)
            if ends == MOST_ENDS:
                for check in todo:
                    self.answers.found[check.first : check.first + 1] = [death]
                    done(check, self.answers)
                break
        return self.answers

    def live(self, check: Planned, until: int) -> Worker:
        """A worker that has answered the questions of a check up to this one, and can go on."""
        worker = self.workers.worker(self.seconds)
        if self._load(worker, [check], self.seconds, until):
            self._receive(worker, check, self.seconds, until)
        return worker

    def _load(
        self, worker: Worker, checks: list[Planned], seconds: float, until: int | None = None
    ) -> bool:
        """Send the request. Whether the step could be imported."""
        whole = len(checks) == len(self.plan.checks) and until is None and not self.operands
        try:
            loaded = worker.begin(
                "plan",
                1 + sum(check.end - check.first for check in checks),
                load=to_load(self.files, self.plan.step.module, self.plan.seed),
                checks=self.plan.packed if whole else self.plan.part(checks, until, self.operands),
                seconds=seconds,
                choices=self.choices,
            )
            self.answers.loaded = checked(loaded, None)
        except Died as death:
            self.answers.loaded = death
        return self.answers.is_loaded

    def _receive(
        self, worker: Worker, check: Planned, seconds: float, until: int | None = None
    ) -> Died | None:
        """Receive the answers to a check's questions. How the worker ended, if it did."""
        worker.allow(seconds)
        found, questions = self.answers.found, self.plan.questions
        death = None
        for number in range(check.first, check.end if until is None else until + 1):
            try:
                answer = worker.next_answer()
                if not isinstance(answer, dict) or answer.pop("n", None) != number:
                    raise Died("garbled")
                found[number] = checked(answer, questions[number])
                if isinstance(found[number], Died):
                    raise found[number]
            except Died as died:
                found[number] = death = died
                worker.stop()
                break
            if "error" in found[number] and not questions[number].may_fail:
                break  # The worker skips the rest of the check.
        self.answers.printed[check.name] = worker.printed_so_far()
        worker.forget_printed()
        return death
