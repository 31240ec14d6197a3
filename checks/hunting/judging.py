"""How the repaired file of a hunt does."""

from __future__ import annotations

from checks.contents import STEPS, Step
from checks.engine.commands.work import Work
from checks.engine.files.source import Source, builds_on, solution
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS, Judge
from checks.engine.verdicts import StepResult
from checks.hunting.boss import judged_boss
from checks.hunting.kept import Hunt
from checks.hunting.making import all_stopped, judged, text_of


def result_of(work: Work, source: Source, present: Hunt, seed: int) -> StepResult:
    """The results of the checks of the hunted file; of a boss, the whole first, then its parts.

    Earlier steps are checked only if they differ from those that have passed.
    """
    step, has_passed = present.of, work.progress.has_passed
    passed = frozenset(s.id for s in STEPS if s != step and has_passed(s, source.digest(s)))
    with Host() as host:
        judge = Judge(host, source, seed, SECONDS, passed)
        if present.boss:
            return judged_boss(judge.runner, source, present.boss, passed)
        problem = source.problem(step) or judge.blocked(step, builds_on(step))
        if problem is None:
            return judged(judge.runner, step, judge.files(step))
    return all_stopped(step, problem)


def both(work: Work, source: Source, present: Hunt, step: Step) -> tuple[str, str]:
    """The repaired file, and the right one that the mistake was made in."""
    own = text_of(work.source, step) if present.own else None
    return text_of(source, step) or "", own or solution(step)
