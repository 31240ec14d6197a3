"""Ask the checks of a step: many in a few processes, or each in a process of its own."""

from __future__ import annotations

import importlib
import sys
import time
import traceback
import zlib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from checks.contents import Step
from checks.machine.asking.learner import Files
from checks.machine.asking.module import Known
from checks.machine.asking.submission import Submission
from checks.machine.asking.transcript import Event
from checks.machine.hosting.host import SIDE_BY_SIDE, Host
from checks.machine.hosting.process import NoWorker, Worker
from checks.machine.judging.rehearsal import Part
from checks.machine.language import Check, checks_of
from checks.machine.naming.diagnosis import Transcripts
from checks.machine.naming.observe import observe
from checks.machine.verdicts import CheckResult, Stopped

DRAWS = 3  # Times each check asks alone, with other random numbers: what a proof needs.
BRIEFLY = 0.5  # Seconds for what will be asked again, alone, if it does not pass.
sys.setswitchinterval(0.0005)  # An answer that has come waits no longer for another thread.

# Seconds that a worker took for a check when it was last asked together with others.
_TOOK: dict[Check, float] = {}


class Cancelled(Exception):
    """The run was called off."""


class Runner:
    """Asks the checks of one submission, with the random numbers of one seed."""

    def __init__(self, host: Host, seed: int, seconds: float):
        """seconds: of computing, for each check that is asked alone."""
        self.host, self.seed, self.seconds, self.known = host, seed, seconds, Known()
        self.pool = ThreadPoolExecutor(max_workers=SIDE_BY_SIDE)
        self.cancelled = False

    def cancel(self) -> None:
        """Call off what runs now, from another thread: there it raises Cancelled, and so does
        whatever is asked later.
        """
        self.cancelled = True
        self.host.interrupt()

    def close(self) -> None:
        """Let go of the threads."""
        self.pool.shutdown()

    def together(
        self,
        step: Step,
        checks: list[Check],
        files: Files,
        draws: int,
        parts: list[Part] | None = None,
        lanes: int = SIDE_BY_SIDE,
    ) -> set[Check]:
        """The checks that pass when they are asked one after the other in a few processes. What
        each process was asked and answered is added to `parts`.
        """
        lanes, passed = min(lanes, len(checks)), set()

        def work(waiting: deque[Check]) -> None:
            worker, part = self.worker(BRIEFLY), Part()
            try:
                submission = Submission(worker, files, self.known, frugal=True)
                submission.load(step.module, self.seed)
                while waiting:
                    check = waiting.popleft()
                    worker.allow(BRIEFLY)
                    asked: list[list[Event]] = []
                    before = worker.answering
                    stopped = next(self._draws(step, check, submission, asked, draws), None)
                    _TOOK[check] = worker.answering - before
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

        list(self.pool.map(work, _dealt(checks, lanes, evenly=parts is not None)))
        self.stop_if_cancelled()
        return passed

    def apart(
        self,
        step: Step,
        checks: list[Check],
        files: Files,
        transcripts: Transcripts,
        brief: bool = False,
    ) -> list[CheckResult]:
        """Import the file once; if that works, ask the checks side by side, each alone."""
        problem, printed = (None, "") if brief else self._imported(step, files)
        if problem is not None and problem.verdict == "infra":
            problem, printed = self._imported(step, files)
        if problem is not None:
            return [stopped_by(check, problem, printed) for check in checks]
        seconds = self.seconds

        def ask(check: Check) -> CheckResult:
            nonlocal seconds
            result = self.ask(step, check, files, transcripts, seconds, brief=brief)
            if result.verdict in ("timeout", "output_limit"):
                seconds = min(BRIEFLY, seconds)  # The step has failed: do not wait so long again.
            return result

        results = list(self.pool.map(ask, checks))
        for n, result in enumerate(results):
            if result.verdict == "infra":  # Once more, while nothing else is going on here.
                results[n] = self.ask(step, checks[n], files, transcripts)
        return results

    def _imported(self, step: Step, files: Files) -> tuple[Stopped | None, str]:
        """What is wrong with importing the file (the same for every check), and its prints."""
        worker = self.worker(self.seconds)
        problem = None
        try:
            Submission(worker, files, self.known).load(step.module, self.seed)
        except Stopped as stopped:
            problem = stopped
        finally:
            printed = self.host.done(worker)
        self.stop_if_cancelled()
        return problem, printed

    def ask(
        self,
        step: Step,
        check: Check,
        files: Files,
        transcripts: Transcripts,
        seconds: float | None = None,
        observed: list[str] | None = None,
        brief: bool = False,
    ) -> CheckResult:
        """One check, in a worker of its own. What was asked and answered goes to `transcripts`;
        what can be said of wrong numbers, if that is wanted, to `observed`. If `brief`, nothing
        more is asked than one draw, and what was printed is not waited for.
        """
        start = time.perf_counter()
        result = passing(check)
        worker = self.worker(self.seconds if seconds is None else seconds)
        try:
            submission = Submission(worker, files, self.known)
            submission.load(step.module, self.seed)
            events = transcripts[result.name] = []
            for stopped in self._draws(step, check, submission, events, 1 if brief else DRAWS):
                if result.verdict == "pass":
                    result = stopped_by(check, stopped)
                if observed is not None:
                    observed += observe(stopped)
                if observed is not None or stopped.verdict not in ("fail", "error"):
                    break
        except Stopped as stopped:
            result = stopped_by(check, stopped)
        except NoWorker:
            raise
        except Exception:  # The checker's own fault: never a fail.
            result.verdict, result.message = "infra", traceback.format_exc(limit=-4)
        finally:
            if brief:
                self.host.drop(worker)
            else:
                result.printed = self.host.done(worker)
        self.stop_if_cancelled()
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

    def worker(self, seconds: float) -> Worker:
        """One that may compute for so many seconds. Raises Cancelled."""
        self.stop_if_cancelled()
        worker = self.host.worker(seconds)
        if self.cancelled:  # Since then: whoever called it off may not have seen this one.
            self.host.drop(worker)
            raise Cancelled
        return worker

    def stop_if_cancelled(self) -> None:
        if self.cancelled:
            raise Cancelled


def _dealt(checks: list[Check], lanes: int, evenly: bool) -> list[deque[Check]]:
    """What each of so many processes is to ask. If `evenly`, they take equally long to answer, as
    far as is known; else all take from one queue, whenever they are done with a check.
    """
    longest_first = sorted(checks, key=lambda check: -_TOOK.get(check, 0.0))
    if not evenly or not all(check in _TOOK for check in checks):
        return [deque(longest_first)] * lanes
    dealt: list[deque[Check]] = [deque() for _ in range(lanes)]
    for check in longest_first:
        min(dealt, key=lambda lane: sum(_TOOK[other] for other in lane)).append(check)
    return dealt


def checks_of_step(step: Step) -> list[Check]:
    return checks_of(importlib.import_module(f"checks.{step.module}"))


def passing(check: Check) -> CheckResult:
    """The result of a check, as long as nothing speaks against it."""
    sentence = " ".join((check.__doc__ or "").split())
    return CheckResult(check.__name__, sentence)


def stopped_by(check: Check, problem: Stopped, printed: str = "") -> CheckResult:
    """The result of a check that came to an end by this."""
    result = passing(check)
    result.verdict, result.kind = problem.verdict, problem.kind
    result.message, result.where, result.printed = problem.message, problem.where, printed
    result.sure, result.shows = getattr(problem, "sure", None), getattr(problem, "shows", None)
    return result
