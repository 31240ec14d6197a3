"""Run the checks of steps and give their verdicts. Holds neither torch nor learner code."""

from __future__ import annotations

import importlib
import os
import sys
import time
import traceback
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np

from checks.contents import Step
from checks.machine.asking.learner import Files
from checks.machine.asking.module import Known
from checks.machine.asking.submission import Submission
from checks.machine.asking.transcript import Event
from checks.machine.course.source import Source, builds_on, solutions
from checks.machine.hosting.host import Host
from checks.machine.hosting.process import NoWorker, Worker
from checks.machine.judging.rehearsal import Part, Rehearsals
from checks.machine.judging.stroke import BRIEFLY, FIRST, Stroke
from checks.machine.known import Mistake
from checks.machine.language import Check, checks_of
from checks.machine.naming.diagnosis import Transcripts, diagnose
from checks.machine.naming.observe import observe
from checks.machine.naming.properties import name_properties
from checks.machine.verdicts import CheckResult, StepResult, Stopped

DRAWS = 3  # Times each check asks alone, with other random numbers: what a proof needs.
FEWER = 2  # Times it asks together with others, where the next asks the same module again.
SECONDS = 3.0  # Of computing for each check, unless --time-limit says otherwise.
SIDE_BY_SIDE = max(2, min(4, os.cpu_count() or 1))
sys.setswitchinterval(0.0005)  # An answer that has come waits no longer for another thread.


_TOOK: dict[Check, float] = {}  # Seconds of a check when it was last asked together with others.


class Cancelled(Exception):
    """The run was called off."""


class Judge:
    """Checks steps of one source. `passed` holds the ids that need not be checked again.

    draws: of each check, that suffice where a whole step is answered as it was rehearsed.
    """

    def __init__(
        self,
        host: Host,
        source: Source,
        seed: int,
        seconds: float = SECONDS,
        passed: frozenset[str] = frozenset(),
        draws: int = FEWER,
    ):
        self.host, self.source, self.seed, self.seconds = host, source, seed, seconds
        self.verdicts = dict.fromkeys(passed, "pass")
        self.first_in_the_way: dict[str, Step] = {}  # Of steps that are blocked.
        self.notice: Callable[[Step], None] = lambda step: None  # Told of steps checked on the way.
        self.known = Known()
        self.transcripts: dict[str, Transcripts] = {}  # Of steps that do not pass.
        self.brief: set[str] = set()  # Steps whose results are.
        self.cancelled = False
        self.draws = draws
        self.rehearsals: Rehearsals | None = None  # With the same seed, if there are any.
        self.pool = ThreadPoolExecutor(max_workers=SIDE_BY_SIDE)
        self.stroke = Stroke(host, self.known, self.pool, self._worker)

    def run(self, steps: list[Step], brief: bool = False) -> list[StepResult]:
        """The results of `steps`, in order. If `brief`, after one draw of each check, and without
        its reason if a step fails: `explain` takes the closer look.
        """
        try:
            return [self._step(step, brief) for step in steps]
        finally:
            self.stroke.chains.end()

    def cancel(self) -> None:
        """Call off what runs now, from another thread: there it raises Cancelled, and so does
        whatever is asked later.
        """
        self.cancelled = True
        self.host.interrupt()

    def first_failure(self, step: Step) -> CheckResult | None:
        """Ask one check after the other, up to the first that does not pass. None: all pass."""
        files = self.files(step)
        for check in _checks(step):
            result = self._ask(step, check, files, self.seconds, {})
            if result.verdict != "pass":
                return result
        return None

    def files(self, step: Step) -> Files:
        source = self.source
        return Files(str(source.root), source.files_for(step), step.path, source.helpers)

    def _step(self, step: Step, brief: bool = False) -> StepResult:
        result = StepResult(step.id, step.name, step.path)
        checks = _checks(step)
        problem = self.source.problem(step) or self.blocked(step, builds_on(step))
        start = time.perf_counter()
        if problem is None:
            result.checks = self._ask_all(step, checks, brief)
            if brief:
                self.brief.add(step.id)
            else:
                self._explain(step, result)
        else:
            result.checks = [_stopped(check, problem) for check in checks]
        result.seconds = time.perf_counter() - start
        self.verdicts[step.id] = result.verdict
        return result

    def blocked(self, step: Step, earlier_steps: list[Step]) -> Stopped | None:
        """Why a step has to wait for these, if it has to; they are checked if need be."""
        if self.source.borrow:
            return None
        for earlier in earlier_steps:
            if earlier.id not in self.verdicts:
                self.notice(earlier)
                self._step(earlier)
            verdict = self.verdicts[earlier.id]
            if verdict == "infra":
                return Stopped("infra", f"{earlier.id} {earlier.name} could not be checked.")
            if verdict != "pass":
                first = self.first_in_the_way[step.id] = self.first_in_the_way.get(
                    earlier.id, earlier
                )
                why = f"does not pass ({verdict})"
                if first is not earlier:
                    why = f"waits for {first.id} {first.name} ({self.verdicts[first.id]})"
                sentence = f"This step builds on {earlier.id} {earlier.name}, which {why}."
                return Stopped("blocked", sentence)
        return None

    def _ask_all(self, step: Step, checks: list[Check], brief: bool) -> list[CheckResult]:
        """First all checks in few processes, for speed. Whatever does not pass there is asked
        again alone, in a process of its own, and only that counts against the submission.

        If `brief`, only the first of those are, and one that fails stands for the rest.
        """
        files, draws = self.files(step), 1 if brief else FEWER
        passed, others = self.as_rehearsed(step, files, 1 if brief else self.draws, brief)
        if self.draws < draws and len(passed) < len(checks):
            passed = set()  # So few draws suffice for the step as a whole, not for a part of it.
        found = self._first_of(step, others, files, passed) if brief and others else {}
        left = [check for check in checks if check not in passed]
        if left and not found:
            passed |= self._together(step, left, files, draws)
            found = self._first_of(step, checks, files, passed) if brief else {}
            left = [check for check in checks if check not in passed]
        if left and not found:
            found = dict(zip(left, self._apart(step, left, files)))
        return [found.get(check) or _named(check) for check in checks]

    def _first_of(
        self, step: Step, checks: list[Check], files: Files, passed: set[Check]
    ) -> dict[Check, CheckResult]:
        """Ask the first few of these checks. The result of one that fails, as that of all that
        have not passed; if there is none, they are added to `passed`.
        """
        first = [check for check in checks if check not in passed][:FIRST]
        asked = self._apart(step, first, files, brief=True) if first else []
        wrong = next((result for result in asked if result.verdict != "pass"), None)
        if wrong is not None:
            left = [check for check in _checks(step) if check not in passed]
            return {check: replace(wrong, name=check.__name__) for check in left}
        passed |= set(first)
        return {}

    def rehearse(self, step: Step, draws: int, lanes: int = SIDE_BY_SIDE) -> list[Part]:
        """Ask the checks of a step and keep what came: the source is to be the solutions.

        The fewer lanes, the less work; the more, the sooner it is done.
        """
        parts: list[Part] = []
        self._together(step, _checks(step), self.files(step), draws, parts, lanes)
        return [part for part in parts if part.spans]

    def as_rehearsed(
        self, step: Step, files: Files, draws: int, brief: bool
    ) -> tuple[set[Check], list[Check]]:
        """The checks in which the submission answers as the solution did, if the solution was
        asked for so many draws; and those in which it does not. All are asked at once; if `brief`,
        one after the other, until there are two of the second kind.
        """
        if self.rehearsals is None or self.rehearsals.draws < draws:
            return set(), []
        parts = self.rehearsals.of(step)
        passed, others = self.stroke.ask(step, files, self.seed, parts, brief)
        self._stop_if_cancelled()
        return passed, sorted(others, key=_checks(step).index)

    def close(self) -> None:
        """Let go of the threads."""
        self.pool.shutdown()

    def _together(
        self,
        step: Step,
        checks: list[Check],
        files: Files,
        draws: int = FEWER,
        parts: list[Part] | None = None,
        lanes: int = SIDE_BY_SIDE,
    ) -> set[Check]:
        """The checks that pass when they are asked one after the other in a few processes. What
        each process was asked and answered is added to `parts`.
        """
        longest_first = sorted(checks, key=lambda check: -_TOOK.get(check, 0.0))
        waiting, passed = deque(longest_first), set()

        def work(_: int) -> None:
            worker, part = self._worker(BRIEFLY), Part()
            try:
                submission = Submission(worker, files, self.known, frugal=True)
                submission.load(step.module, self.seed)
                while waiting:
                    check = waiting.popleft()
                    worker.allow(BRIEFLY)
                    asked: list[list[Event]] = []
                    start = time.perf_counter()
                    stopped = next(self._draws(step, check, submission, asked, draws), None)
                    _TOOK[check] = time.perf_counter() - start
                    if parts is not None:
                        part.add(check, asked, stopped is None)
                    if stopped is None:
                        passed.add(check)
                    elif stopped.verdict not in ("fail", "error"):
                        return  # This process is none to go on with.
            except NoWorker:
                raise
            except Exception:
                pass  # Asked alone it will come again, and will be said.
            finally:
                self.host.drop(worker)
            if parts is not None:
                parts.append(part)

        list(self.pool.map(work, range(min(lanes, len(checks)))))
        self._stop_if_cancelled()
        return passed

    def _apart(
        self, step: Step, checks: list[Check], files: Files, brief: bool = False
    ) -> list[CheckResult]:
        """Import the file once; if that works, ask the checks side by side, each alone."""
        problem, printed = (None, "") if brief else self._import(step, files)
        if problem is not None and problem.verdict == "infra":
            problem, printed = self._import(step, files)
        if problem is not None:
            return [_stopped(check, problem, printed) for check in checks]
        seconds = self.seconds
        transcripts = self.transcripts[step.id] = {}

        def ask(check: Check) -> CheckResult:
            nonlocal seconds
            result = self._ask(step, check, files, seconds, transcripts, brief=brief)
            if result.verdict in ("timeout", "output_limit"):
                seconds = min(BRIEFLY, seconds)  # The step has failed: do not wait so long again.
            return result

        results = list(self.pool.map(ask, checks))
        for n, result in enumerate(results):
            if result.verdict == "infra":  # Once more, while nothing else is going on here.
                results[n] = self._ask(step, checks[n], files, self.seconds, transcripts)
        return results

    def explain(self, step: Step, result: StepResult) -> None:
        """After a brief run, the whole of it: the result then holds what counts."""
        if step.id in self.brief:
            self.brief.discard(step.id)
            result.checks = self._ask_all(step, _checks(step), brief=False)
            self.verdicts[step.id] = result.verdict
            self._explain(step, result)

    def _explain(self, step: Step, result: StepResult) -> None:
        """Name the mistake of a step that fails, if it can be proven; else say what is seen."""
        transcripts = self.transcripts.get(step.id)
        if not transcripts or not any(c.verdict in ("fail", "error") for c in result.checks):
            return
        files, checks = self.files(step), {check.__name__: check for check in _checks(step)}

        def evidence(name: str) -> list[list[Event]]:
            if name not in transcripts:
                self._ask(step, checks[name], files, self.seconds, transcripts)
            return transcripts.get(name, [])

        passes = partial(self._passes, step)
        if not diagnose(self.host, step, files, result.checks, evidence, passes):
            self._observe(step, checks, files, result.checks)
            name_properties(result.checks)

    def _passes(self, step: Step, mistake: Mistake, names: list[str]) -> bool:
        """Whether a known version passes these checks."""
        source = solutions().with_text(step, mistake.source(step))
        files = Files(str(source.root), source.modules, step.path)
        asked = [check for check in _checks(step) if check.__name__ in names]
        left = set(asked) - self._together(step, asked, files)
        results = self.pool.map(lambda c: self._ask(step, c, files, SECONDS, {}), left)
        return all(result.verdict == "pass" for result in results)

    def _observe(
        self, step: Step, checks: dict[str, Check], files: Files, results: list[CheckResult]
    ) -> None:
        """No known mistake explains it: ask the first failing check once more, and look closer."""
        result = next(result for result in results if result.verdict in ("fail", "error"))
        observed: list[str] = []
        self._ask(step, checks[result.name], files, self.seconds, {}, observed)
        result.message = "\n".join([result.message, *observed])

    def _import(self, step: Step, files: Files) -> tuple[Stopped | None, str]:
        """What is wrong with importing the file (the same for every check), and its prints."""
        worker = self._worker(self.seconds)
        problem = None
        try:
            Submission(worker, files, self.known).load(step.module, self.seed)
        except Stopped as stopped:
            problem = stopped
        finally:
            printed = self.host.done(worker)
        self._stop_if_cancelled()
        return problem, printed

    def _ask(
        self,
        step: Step,
        check: Check,
        files: Files,
        seconds: float,
        transcripts: Transcripts,
        observed: list[str] | None = None,
        brief: bool = False,
    ) -> CheckResult:
        """One check, in a worker of its own. What was asked and answered goes to `transcripts`;
        what can be said of wrong numbers, if that is wanted, to `observed`. If `brief`, nothing
        more is asked than one draw, and what was printed is not waited for.
        """
        start = time.perf_counter()
        result = _named(check)
        worker = self._worker(seconds)
        try:
            submission = Submission(worker, files, self.known)
            submission.load(step.module, self.seed)
            events = transcripts[result.name] = []
            for stopped in self._draws(step, check, submission, events, 1 if brief else DRAWS):
                if result.verdict == "pass":
                    result = _stopped(check, stopped)
                if observed is not None:
                    observed += observe(stopped)
                if observed is not None or stopped.verdict not in ("fail", "error"):
                    break
        except Stopped as stopped:
            result = _stopped(check, stopped)
        except NoWorker:
            raise
        except Exception:  # The checker's own fault: never a fail.
            result.verdict, result.message = "infra", traceback.format_exc(limit=-4)
        finally:
            if brief:
                self.host.drop(worker)
            else:
                result.printed = self.host.done(worker)
        self._stop_if_cancelled()
        result.seconds = time.perf_counter() - start
        return result

    def _draws(
        self,
        step: Step,
        check: Check,
        submission: Submission,
        transcript: list[list[Event]],
        draws: int,
    ) -> Iterator[Stopped]:
        """Ask a check on every draw; what it did not pass. One that draws nothing is asked once,
        if nobody will read its transcript.
        """
        key = zlib.crc32(f"{step.name}.{check.__name__}".encode())
        for draw in range(draws):
            submission.begin(np.random.default_rng([self.seed, key, draw]))
            transcript.append(submission.events)
            before = submission.rng.bit_generator.state
            try:
                check(submission)
            except Stopped as stopped:
                yield stopped
            if submission.frugal and submission.rng.bit_generator.state == before:
                return

    def _worker(self, seconds: float) -> Worker:
        self._stop_if_cancelled()
        worker = self.host.worker(seconds)
        if self.cancelled:  # Since then: whoever called it off may not have seen this one.
            self.host.drop(worker)
            raise Cancelled
        return worker

    def _stop_if_cancelled(self) -> None:
        if self.cancelled:
            raise Cancelled


def _checks(step: Step) -> list[Check]:
    return checks_of(importlib.import_module(f"checks.{step.module}"))


def _named(check: Check) -> CheckResult:
    sentence = " ".join((check.__doc__ or "").split())
    return CheckResult(check.__name__, sentence)


def _stopped(check: Check, problem: Stopped, printed: str = "") -> CheckResult:
    result = _named(check)
    result.verdict, result.kind = problem.verdict, problem.kind
    result.message, result.where, result.printed = problem.message, problem.where, printed
    result.sure, result.shows = getattr(problem, "sure", None), getattr(problem, "shows", None)
    return result
