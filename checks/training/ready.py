"""Whether a model can learn: the steps of a training are checked before it begins."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from checks.contents import STEPS, Step
from checks.engine.commands.words import Usage
from checks.engine.commands.work import Work
from checks.training.kinds import KINDS

NOT_YET = {"untouched": "is not written yet", "missing": "has no file"}


def warn_or_refuse(settings: dict[str, Any], options: Any) -> str:
    """A line about the first step that does not pass; "" if all do, or to train the solution.

    Raises Usage with that line, unless `--anyway` was typed. Passed steps that have not changed are
    not checked again.
    """
    if settings["code"] == "solutions":
        return ""
    kind, submission = KINDS[settings["task"]], settings["code"]
    submission = None if submission == "yours" else submission
    found = first_in_the_way(kind.steps, submission)
    if found is None:
        return ""
    step, verdict = found
    why = NOT_YET.get(verdict, "does not pass")
    told = f"{step.id} {step.name} {why}: {kind.cannot}."
    if options.anyway:
        return told
    where = f" --submission {submission}" if submission else ""
    raise Usage(
        f"{told}\n  look:  python run_step.py {step.id}{where}\n"
        "  train it anyway: --anyway; train the solution: --solution"
    )


def first_in_the_way(names: Sequence[str], submission: str | None) -> tuple[Step, str] | None:
    """The first step that these need or are and that does not pass, with its verdict.

    A step that the checker failed to check blocks nothing.
    """
    from checks.engine.commands.checking import make_judge
    from checks.engine.hosting.host import Host

    options = argparse.Namespace(submission=submission, borrow=False, seed=None, time_limit=None)
    work = Work(options)
    with Host() as host:
        judge = make_judge(host, work, options)
        for name in names:
            step = next(step for step in STEPS if step.name == name)
            if work.has_passed(step):
                continue
            judge.run([step])
            step = judge.first_in_the_way.get(step.id, step)
            verdict = judge.verdicts[step.id]
            if verdict not in ("pass", "infra"):
                work.record(judge.verdicts)
                return step, verdict
        work.record(judge.verdicts)
    return None
