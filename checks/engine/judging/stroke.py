"""Ask a submission all recorded questions of a step at once (a stroke)."""

from __future__ import annotations

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.asking.submission import Submission
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.judging.chains import Chains
from checks.engine.judging.rehearsal import Rehearsal
from checks.engine.judging.runner import BRIEFLY, Runner


class Stroke:
    """The strokes of one submission."""

    def __init__(self, runner: Runner):
        self.runner, self.chains = runner, Chains(runner.host)

    def repeats(self, step: Step, files: Files, rehearsal: Rehearsal) -> bool:
        """Whether the submission answers all questions as the solution did."""
        runner, repeated = self.runner, False
        kept, done = self.chains.take(step, files)
        worker = kept or runner.worker(BRIEFLY)
        try:
            if kept:
                worker.allow(BRIEFLY)
                worker.ask("renew")
            submission = Submission(worker, files, runner.known)
            submission.load(step.module, runner.seed)
            worker.allow(2 * BRIEFLY)
            doing = "in all checks at once"
            answers = submission.ask("rehearse", doing, requests=rehearsal.packed)
            repeated = rehearsal.is_repeated(answers)
        except NoWorker:
            raise
        except Exception:
            pass  # It comes again when the checks run.
        finally:
            if repeated:
                self.chains.put(worker, done | {step.id})
            else:
                runner.host.drop(worker)
        return repeated
