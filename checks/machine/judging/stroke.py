"""All that our solution was asked of a step, asked of a submission at one stroke."""

from __future__ import annotations

from dataclasses import dataclass

from checks.contents import Step
from checks.machine.asking.learner import Files
from checks.machine.asking.submission import Submission
from checks.machine.hosting.process import NoWorker
from checks.machine.judging.chains import Chains
from checks.machine.judging.rehearsal import Part
from checks.machine.judging.runner import BRIEFLY, Runner
from checks.machine.language import Check

FIRST = 2  # Checks that are asked side by side, alone, for a verdict at first sight.


@dataclass
class Stroke:
    """Of one submission."""

    runner: Runner

    def __post_init__(self) -> None:
        self.chains = Chains(self.runner.host)

    def ask(
        self, step: Step, files: Files, parts: list[Part], brief: bool
    ) -> tuple[set[Check], list[Check]]:
        """The checks in which it answers as the solution did, and those in which it does not. If
        `brief`, one check after the other, until there are enough of the second kind.
        """
        runner, passed = self.runner, set[Check]()
        others: list[Check] = []

        def ask(submission: Submission, part: Part) -> None:
            checks = [check for check, _, _ in part.spans]
            try:
                submission.worker.allow(2 * BRIEFLY)
                doing = "in all checks at once"
                same = part.passed(submission.ask("rehearse", doing, requests=part.packed))
            except Exception:
                others.extend(checks)
                raise
            passed.update(same)
            others.extend(check for check in checks if check not in same)

        def work(whole: Part) -> None:
            goes_on = len(parts) == 1 and not brief
            kept, done = self.chains.take(step, files) if goes_on else (None, set())
            worker = kept or runner.worker(BRIEFLY)
            try:
                if kept:
                    worker.allow(BRIEFLY)
                    worker.ask("renew")
                submission = Submission(worker, files, runner.known)
                submission.load(step.module, runner.seed)
                for part in whole.pieces() if brief else [whole]:
                    if not brief or len(others) < FIRST:
                        ask(submission, part)
                goes_on = goes_on and not others
            except NoWorker:
                raise
            except Exception:  # Whatever it is, it will come again when the checks are asked.
                goes_on = False
            finally:
                if goes_on:
                    self.chains.put(worker, done | {step.id})
                else:
                    runner.host.drop(worker)

        list(runner.pool.map(work, parts))
        return passed, others
