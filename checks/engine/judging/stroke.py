"""Ask a submission all recorded questions of a step at once (a stroke)."""

from __future__ import annotations

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.asking.submission import Submission
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.judging.chains import Chains
from checks.engine.judging.rehearsal import Part
from checks.engine.judging.results import passing
from checks.engine.judging.runner import BRIEFLY, Results, Runner
from checks.engine.language import Check

FIRST = 2  # Checks that run side by side, alone, for a first verdict.


class Stroke:
    """The strokes of one submission."""

    def __init__(self, runner: Runner):
        self.runner, self.chains = runner, Chains(runner.host)

    def ask(
        self, step: Step, files: Files, parts: list[Part], brief: bool
    ) -> tuple[Results, list[Check]]:
        """The checks that the submission answers as the solution did, with results, and the others.

        If `brief`, one check after the other is asked, until there are enough of the second kind.
        """
        runner, passed = self.runner, Results()
        others: list[Check] = []

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
                        _ask(submission, part, passed, others)
                goes_on = goes_on and not others
            except NoWorker:
                raise
            except Exception:  # It comes again when the checks run.
                goes_on = False
            finally:
                if goes_on:
                    self.chains.put(worker, done | {step.id})
                else:
                    runner.host.drop(worker)

        list(runner.pool.map(work, parts))
        return passed, others


def _ask(submission: Submission, part: Part, passed: Results, others: list[Check]) -> None:
    """Ask all questions of a part, and add its checks to `passed` or to `others`."""
    checks = [check for check, _, _ in part.spans]
    try:
        submission.worker.allow(2 * BRIEFLY)
        doing = "in all checks at once"
        same = part.passed(submission.ask("rehearse", doing, requests=part.packed))
    except Exception:
        others.extend(checks)
        raise
    passed.update((check, passing(check)) for check in same)
    others.extend(check for check in checks if check not in same)
