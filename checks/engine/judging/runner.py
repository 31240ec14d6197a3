"""Put the plan of a step to a submission: all of its checks at once, or one of them alone."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache

from checks.contents import Step
from checks.engine.asking.answers import Answers
from checks.engine.asking.conversation import Conversation
from checks.engine.asking.learner import Files
from checks.engine.asking.received import WrongNumbers
from checks.engine.asking.transcript import Event
from checks.engine.hosting.host import Host
from checks.engine.hosting.process import Worker
from checks.engine.judging.ask import Asking
from checks.engine.judging.readings import Choices, answers_to
from checks.engine.judging.results import checks_of_step, result_of
from checks.engine.language import Check
from checks.engine.planning.plan import Plan
from checks.engine.planning.planned import Planned
from checks.engine.verdicts import CheckResult, Stopped

ENDLESS = ("timeout", "output_limit")  # Verdicts that take long to find.

log = logging.getLogger(__name__)
_PLANNER = ThreadPoolExecutor(1)

Results = dict[Check, CheckResult]


class Cancelled(Exception):
    """The run was cancelled."""


@lru_cache(maxsize=64)
def _planned(step: Step, seed: int, check: Check | None, draws: int) -> Future[Plan]:
    checks = checks_of_step(step) if check is None else [check]
    return _PLANNER.submit(Plan, step, checks, seed, draws)


def plan_of(step: Step, seed: int, check: Check | None = None, draws: int = 1) -> Plan:
    """The plan of a step, or of one of its checks. Every submission gets the same."""
    return _planned(step, seed, check, draws).result()


def plan_ahead(step: Step, seed: int) -> None:
    """Make the plan of a step while another one is asked."""
    _planned(step, seed, None, 1)


class Runner:
    """Puts the questions of one seed to submissions."""

    def __init__(self, host: Host, seed: int, seconds: float):
        """seconds: computing time of each check that runs alone."""
        self.host, self.seed, self.seconds = host, seed, seconds
        self.choices: Choices = {}
        self.cancelled = False

    def cancel(self) -> None:
        """Cancel the present run, from another thread. It raises Cancelled there, and so do later
        calls.
        """
        self.cancelled = True
        self.host.interrupt()

    def all(
        self, step: Step, files: Files, checks: Iterable[Check] | None = None, until: bool = False
    ) -> Results:
        """The results of these checks (or of all), asked once, one after the other.

        until: none are asked after the first that does not pass.
        """
        plan = plan_of(step, self.seed)
        wanted = [one for one in plan.checks if checks is None or one.check in set(checks)]
        found = Results()

        def done(planned: Planned, answers: Answers) -> bool:
            return until and result_of(planned, answers).verdict != "pass"

        answers = self._answers(plan, files, wanted, done)
        for planned in wanted:
            if planned.was_asked(answers):
                found[planned.check] = result_of(planned, answers)
                if until and found[planned.check].verdict != "pass":
                    break
        return found

    def confirmed(self, step: Step, files: Files, results: Results) -> list[CheckResult]:
        """The results of a step. Each check that did not pass is asked once more, alone, in a new
        worker: that answer counts.
        """
        found, endless = [], None
        for check, result in results.items():
            if result.verdict in ENDLESS and endless is not None:
                result = endless.of(result)  # The step has failed: do not wait so long again.
            elif result.verdict not in ("pass", "untouched", "missing"):
                first, result = result, self.ask(step, check, files)
                if first.verdict != result.verdict:
                    seeds = f"{step.id} {check.__name__}, seed {self.seed}"
                    log.info("%s: first %s, then %s", seeds, first.verdict, result.verdict)
                endless = result if result.verdict in ENDLESS else endless
            found.append(result)
        return found

    def passes(self, step: Step, files: Files, names: Iterable[str] | None = None) -> bool:
        """Whether all checks pass, or all with these names."""
        checks = [c for c in checks_of_step(step) if names is None or c.__name__ in names]
        results = self.all(step, files, checks, until=True)
        return all(result.verdict == "pass" for result in results.values())

    def ask(self, step: Step, check: Check, files: Files) -> CheckResult:
        """The result of one check, in a worker of its own."""
        start = time.perf_counter()
        plan = plan_of(step, self.seed, check)
        answers = self._answers(plan, files, plan.checks)
        result = result_of(plan.checks[0], answers)
        result.seconds = time.perf_counter() - start
        return result

    def transcript(
        self, step: Step, check: Check, files: Files, draws: int, operands: bool = False
    ) -> list[list[Event]]:
        """The questions of one check and the answers, draw by draw.

        operands: a call that fails says what it failed with.
        """
        plan = plan_of(step, self.seed, check, draws)
        if operands:
            asking = Asking(self, plan, files, self.seconds, self.choices, operands)
            answers = asking.ask(plan.checks)
        else:
            answers = self._answers(plan, files, plan.checks)
        return [_events(plan, planned, answers, operands) for planned in plan.checks]

    def closely(
        self, step: Step, check: Check, files: Files, look: Callable[[Stopped], None]
    ) -> None:
        """Let `look` see the failure of a check while the worker still runs that gave it."""
        plan = plan_of(step, self.seed, check)
        (planned,) = plan.checks
        answers = self._answers(plan, files, plan.checks)
        stopped = result_of(planned, answers).stopped
        if not isinstance(stopped, WrongNumbers) or stopped.got.function is None:
            return
        asking = Asking(self, plan, files, self.seconds, self.choices)
        worker = asking.live(planned, stopped.got.function.number)
        answers.live = Conversation(worker, files)
        try:
            look(stopped)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            pass  # It would only add to what is said already.
        finally:
            self.host.drop(worker)

    def _answers(
        self,
        plan: Plan,
        files: Files,
        checks: list[Planned],
        done: Callable[[Planned, Answers], bool] = lambda planned, answers: False,
    ) -> Answers:
        found = answers_to(self, plan, files, self.seconds, self.choices, checks, done)
        self._stop_if_cancelled()
        return found

    def worker(self, seconds: float) -> Worker:
        """A worker with a limit of `seconds` for computing. Raises Cancelled."""
        self._stop_if_cancelled()
        worker = self.host.worker(seconds)
        if self.cancelled:  # `cancel` may have come too early for this one.
            self.host.drop(worker)
            raise Cancelled
        return worker

    def drop(self, worker: Worker) -> None:
        self.host.drop(worker)

    def _stop_if_cancelled(self) -> None:
        if self.cancelled:
            raise Cancelled


def _events(plan: Plan, planned: Planned, answers: Answers, operands: bool) -> list[Event]:
    """The questions of a check that have answers, with them."""
    found = {n: answers.found[n] for n in planned.told_by(answers)}
    questions = [plan.question(number, operands) for number in range(len(plan.questions))]
    fitting = {
        questions[number].arguments["handle"]
        for number, answer in found.items()
        if questions[number].do == "weigh" and _ways(answer)
    }
    events = []
    for number, answer in found.items():
        if not isinstance(answer, dict):
            break
        question = questions[number]
        fits = question.do == "build" and question.arguments["handle"] in fitting
        events.append(Event(number, question, answer, question.roles if fits else None))
    return events


def _ways(answer: object) -> int:
    return answer["ok"]["ways"] if isinstance(answer, dict) and "ok" in answer else 0
