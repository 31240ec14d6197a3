"""Run the checks of steps and give their verdicts. Holds neither torch nor learner code."""

from __future__ import annotations

import importlib
import os
import time
import traceback
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from checks.contents import Step
from checks.machine.diagnosis import Transcripts, diagnose
from checks.machine.host import Host
from checks.machine.known import Mistake
from checks.machine.language import Check, checks_of
from checks.machine.learner import Files
from checks.machine.module import Known
from checks.machine.observe import observe
from checks.machine.process import NoWorker
from checks.machine.properties import name_properties
from checks.machine.source import Source, builds_on, solutions
from checks.machine.submission import Submission
from checks.machine.verdicts import CheckResult, StepResult, Stopped

DRAWS = 3  # Times each check asks, with other random numbers.
SECONDS = 3.0  # Of computing for each check, unless --time-limit says otherwise.


class Judge:
    """Checks steps of one source. `passed` holds the ids that need not be checked again."""

    def __init__(
        self,
        host: Host,
        source: Source,
        seed: int,
        seconds: float = SECONDS,
        passed: frozenset[str] = frozenset(),
    ):
        self.host, self.source, self.seed, self.seconds = host, source, seed, seconds
        self.verdicts = dict.fromkeys(passed, "pass")
        self.notice: Callable[[Step], None] = lambda step: None  # Told of steps checked on the way.
        self.known = Known()
        self.pool = ThreadPoolExecutor(max_workers=max(2, min(4, os.cpu_count() or 1)))

    def run(self, steps: list[Step]) -> list[StepResult]:
        """The results of `steps`, in order."""
        return [self._step(step) for step in steps]

    def first_failure(self, step: Step) -> CheckResult | None:
        """Ask one check after the other, up to the first that does not pass. None: all pass."""
        files = Files(str(self.source.root), self.source.files_for(step), step.path)
        for check in checks_of(importlib.import_module(f"checks.{step.module}")):
            result = self._ask(step, check, files, self.seconds, {})
            if result.verdict != "pass":
                return result
        return None

    def _step(self, step: Step) -> StepResult:
        result = StepResult(step.id, step.name, step.path)
        checks = checks_of(importlib.import_module(f"checks.{step.module}"))
        problem = self.source.problem(step) or self._blocked(step)
        start = time.perf_counter()
        if problem is None:
            result.checks = self._ask_all(step, checks)
        else:
            result.checks = [_stopped(check, problem) for check in checks]
        result.seconds = time.perf_counter() - start
        self.verdicts[step.id] = result.verdict
        return result

    def _blocked(self, step: Step) -> Stopped | None:
        """The earlier step that must pass first, if there is one; it is checked if need be."""
        if self.source.borrow:
            return None
        for earlier in builds_on(step):
            if earlier.id not in self.verdicts:
                self.notice(earlier)
                self._step(earlier)
            verdict = self.verdicts[earlier.id]
            if verdict != "pass":
                sentence = f"This step builds on {earlier.id} {earlier.name}, which does not pass"
                return Stopped("blocked", f"{sentence} ({verdict}).")
        return None

    def _ask_all(self, step: Step, checks: list[Check]) -> list[CheckResult]:
        """Import the file once; if that works, ask the checks side by side."""
        files = Files(str(self.source.root), self.source.files_for(step), step.path)
        problem, printed = self._import(step, files)
        if problem is not None:
            return [_stopped(check, problem, printed) for check in checks]
        seconds = self.seconds
        transcripts: Transcripts = {}

        def ask(check: Check) -> CheckResult:
            nonlocal seconds
            result = self._ask(step, check, files, seconds, transcripts)
            if result.verdict in ("timeout", "output_limit"):
                seconds = min(0.5, seconds)  # The step has failed: do not wait so long again.
            return result

        results = list(self.pool.map(ask, checks))
        if any(result.verdict in ("fail", "error") for result in results):
            passes = partial(self._passes, step)
            if not diagnose(self.host, step, files, results, transcripts, passes):
                self._observe(step, checks, files, results)
                name_properties(results)
        return results

    def _passes(self, step: Step, mistake: Mistake, names: list[str]) -> bool:
        """Whether a known version passes these checks."""
        source = solutions().with_text(step, mistake.source(step))
        files = Files(str(source.root), source.modules, step.path)
        checks = checks_of(importlib.import_module(f"checks.{step.module}"))
        asked = [check for check in checks if check.__name__ in names]
        results = self.pool.map(lambda c: self._ask(step, c, files, SECONDS, {}), asked)
        return all(result.verdict == "pass" for result in results)

    def _observe(
        self, step: Step, checks: list[Check], files: Files, results: list[CheckResult]
    ) -> None:
        """No known mistake explains it: ask the first failing check once more, and look closer."""
        for check, result in zip(checks, results):
            if result.verdict in ("fail", "error"):
                observed: list[str] = []
                self._ask(step, check, files, self.seconds, {}, observed)
                result.message = "\n".join([result.message, *observed])
                return

    def _import(self, step: Step, files: Files) -> tuple[Stopped | None, str]:
        """What is wrong with importing the file (the same for every check), and its prints."""
        worker = self.host.worker(self.seconds)
        problem = None
        try:
            submission = Submission(worker, files, np.random.default_rng(0), self.known)
            submission.load(step.module, self.seed)
        except Stopped as stopped:
            problem = stopped
        finally:
            printed = worker.close()
        return problem, printed

    def _ask(
        self,
        step: Step,
        check: Check,
        files: Files,
        seconds: float,
        transcripts: Transcripts,
        observed: list[str] | None = None,
    ) -> CheckResult:
        """One check, in a worker of its own. What was asked and answered goes to `transcripts`;
        what can be said of wrong numbers, if that is wanted, to `observed`.
        """
        start = time.perf_counter()
        result = _named(check)
        worker = self.host.worker(seconds)
        try:
            submission = Submission(worker, files, np.random.default_rng(0), self.known)
            submission.load(step.module, self.seed)
            draws = transcripts[result.name] = []
            for draw in range(DRAWS):
                key = zlib.crc32(f"{step.name}.{result.name}".encode())
                submission.begin(np.random.default_rng([self.seed, key, draw]))
                draws.append(submission.events)
                try:
                    check(submission)
                except Stopped as stopped:
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
            result.printed = worker.close()
        result.seconds = time.perf_counter() - start
        return result


def _named(check: Check) -> CheckResult:
    sentence = " ".join((check.__doc__ or "").split())
    return CheckResult(check.__name__, sentence)


def _stopped(check: Check, problem: Stopped, printed: str = "") -> CheckResult:
    result = _named(check)
    result.verdict, result.kind = problem.verdict, problem.kind
    result.message, result.where, result.printed = problem.message, problem.where, printed
    result.sure, result.shows = getattr(problem, "sure", None), getattr(problem, "shows", None)
    return result
