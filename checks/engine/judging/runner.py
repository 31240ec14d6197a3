"""Run the checks of a step: many in a few processes, or each in a process of its own."""

from __future__ import annotations

import sys
import time
import traceback
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from checks.contents import Step
from checks.engine.asking.conversation import Readings
from checks.engine.asking.learner import Files
from checks.engine.asking.submission import Submission
from checks.engine.asking.transcript import Event
from checks.engine.hosting.host import SIDE_BY_SIDE, Host
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.hosting.process import Worker
from checks.engine.judging.results import at_fault, passing, stopped_by
from checks.engine.language import Check
from checks.engine.naming.diagnosis import Transcripts
from checks.engine.verdicts import CheckResult, Stopped

DRAWS = 3  # Draws of a check that runs alone, with different random numbers: a proof needs them.
BRIEFLY = 0.5  # Seconds for a check that runs again, alone, if it does not pass.
sys.setswitchinterval(0.0005)  # An answer waits less long for another thread.

Results = dict[Check, CheckResult]  # Results of checks that ran to their end.


class Cancelled(Exception):
    """The run was cancelled."""


class Runner:
    """Runs the checks of one submission, with the random numbers of one seed."""

    def __init__(self, host: Host, seed: int, seconds: float):
        """seconds: computing time of each check that runs alone."""
        self.host, self.seed, self.seconds, self.readings = host, seed, seconds, Readings()
        self.pool = ThreadPoolExecutor(max_workers=SIDE_BY_SIDE)
        self.cancelled = False

    def cancel(self) -> None:
        """Cancel the present run, from another thread. It raises Cancelled there, and so do later
        calls.
        """
        self.cancelled = True
        self.host.interrupt()

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown()

    def together(self, step: Step, checks: list[Check], files: Files, draws: int) -> Results:
        """The results of the checks that pass one after the other in a few processes; no others."""
        passed, waiting = Results(), deque(reversed(checks))  # The last ones take longest.

        def work(number: int) -> None:
            self._in_turn(step, files, waiting, draws, passed, BRIEFLY)

        list(self.pool.map(work, range(min(SIDE_BY_SIDE, len(checks)))))
        self.stop_if_cancelled()
        return passed

    def rehearse(self, step: Step, checks: list[Check], files: Files) -> list[Event] | None:
        """All questions of one draw of these checks to one process, and its answers; None if a
        check does not pass.
        """
        passed, asked = Results(), list[Event]()
        self._in_turn(step, files, deque(checks), 1, passed, self.seconds, asked)
        return asked if len(passed) == len(checks) else None

    def _in_turn(
        self,
        step: Step,
        files: Files,
        waiting: deque[Check],
        draws: int,
        passed: Results,
        seconds: float,
        asked: list[Event] | None = None,
    ) -> None:
        """Run the waiting checks in one process, and add those that pass to `passed`; all questions
        are added to `asked`. seconds: computing time for each.
        """
        worker = self.worker(seconds)
        try:
            submission = Submission(worker, files, self.readings, frugal=True)
            submission.load(step.module, self.seed)
            while waiting:
                check, transcript = waiting.popleft(), list[list[Event]]()
                worker.allow(seconds)
                stopped = next(self._draws(step, check, submission, transcript, draws), None)
                if asked is not None:
                    asked.extend(event for events in transcript for event in events)
                if stopped is None:
                    passed[check] = passing(check, worker.printed_so_far())
                    worker.forget_printed()
                elif stopped.verdict not in ("fail", "error"):
                    break  # The process cannot go on.
        except NoWorker:
            raise
        except Exception:
            pass  # The check runs again alone, and reports it then.
        finally:
            self.host.drop(worker)

    def apart(
        self,
        step: Step,
        checks: list[Check],
        files: Files,
        transcripts: Transcripts,
        brief: bool = False,
    ) -> list[CheckResult]:
        """Import the file once; if that works, run the checks side by side, each alone."""
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
            if result.verdict == "infra":  # Once more, while nothing else runs here.
                results[n] = self.ask(step, checks[n], files, transcripts)
        return results

    def _imported(self, step: Step, files: Files) -> tuple[Stopped | None, str]:
        """The error of importing the file (the same for every check) and the output."""
        worker = self.worker(self.seconds)
        problem = None
        try:
            Submission(worker, files, self.readings).load(step.module, self.seed)
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
        closely: Callable[[Stopped], None] | None = None,
        brief: bool = False,
        operands: bool = False,
    ) -> CheckResult:
        """The result of one check, in a worker of its own.

        Questions and answers go to `transcripts`. `closely` looks at the first failure, while its
        worker still runs; then there are no more draws. If `brief`, there is only one draw, and the
        output is not waited for. If `operands`, a call that fails says what it failed with.
        """
        start = time.perf_counter()
        worker = self.worker(self.seconds if seconds is None else seconds)
        try:
            submission = Submission(worker, files, self.readings)
            submission.operands = operands
            submission.load(step.module, self.seed)
            events = transcripts[check.__name__] = []
            failures = self._draws(step, check, submission, events, 1 if brief else DRAWS)
            result = _first_of(failures, check, worker, closely)
        except Stopped as stopped:
            result = stopped_by(check, stopped)
        except NoWorker:
            raise
        except Exception:  # The checker's own fault is never a fail.
            result = at_fault(check, traceback.format_exc(limit=-4))
        finally:
            printed = "" if brief else self.host.done(worker)
            if brief:
                self.host.drop(worker)
        result.printed = result.printed or printed
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
        """Run a check on every draw; yield its failures. If nobody reads its transcript, one draw
        is enough of a check without random numbers, and of one that asks twins of other sizes.
        """
        key = zlib.crc32(f"{step.name}.{check.__name__}".encode())
        for draw in range(draws):
            if draw:  # Only the output of one draw is shown.
                submission.worker.forget_printed()
            submission.begin(np.random.default_rng([self.seed, key, draw]))
            transcript.append(submission.events)
            before = submission.rng.bit_generator.state
            try:
                check(submission)
            except Stopped as stopped:
                yield stopped
            random = submission.rng.bit_generator.state != before
            if submission.frugal and (not random or submission.made_before is not None):
                return

    def worker(self, seconds: float) -> Worker:
        """A worker with a limit of `seconds` for computing. Raises Cancelled."""
        self.stop_if_cancelled()
        worker = self.host.worker(seconds)
        if self.cancelled:  # `cancel` may have come too early for this one.
            self.host.drop(worker)
            raise Cancelled
        return worker

    def stop_if_cancelled(self) -> None:
        if self.cancelled:
            raise Cancelled


def _first_of(
    failures: Iterator[Stopped],
    check: Check,
    worker: Worker,
    closely: Callable[[Stopped], None] | None,
) -> CheckResult:
    """The result of the first failure, if there is one; the other draws are asked as well."""
    result: CheckResult | None = None
    for stopped in failures:
        result = result or stopped_by(check, stopped, worker.printed_so_far())
        if closely is not None:
            closely(stopped)
        if closely is not None or stopped.verdict not in ("fail", "error"):
            break
    return result or passing(check)
