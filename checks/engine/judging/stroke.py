"""Ask a submission all recorded questions of a step at once (a stroke)."""

from __future__ import annotations

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.asking.submission import Submission
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.judging.chains import Chains
from checks.engine.judging.rehearsal import Rehearsal
from checks.engine.judging.runner import BRIEFLY, Runner


def repeats(runner: Runner, chains: Chains, step: Step, files: Files, rehearsal: Rehearsal) -> bool:
    """Whether the submission answers all questions as the solution did."""
    repeated = False
    kept, done = chains.take(step, files)
    worker = kept or runner.worker(BRIEFLY)
    try:
        if kept:
            worker.allow(BRIEFLY)
            worker.ask("renew")
        submission = Submission(worker, files, runner.readings)
        submission.load(step.module, runner.seed)
        worker.allow(2 * BRIEFLY)
        doing = "in all checks at once"
        answers = submission.ask("answer_all", doing, requests=rehearsal.packed)
        repeated = rehearsal.is_repeated(answers)
    except NoWorker:
        raise
    except Exception:
        pass  # It comes again when the checks run.
    finally:
        if repeated:
            chains.put(worker, done | {step.id})
        else:
            runner.host.drop(worker)
    return repeated
