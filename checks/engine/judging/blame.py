"""An earlier step that passes may have a mistake that only a later step shows."""

from __future__ import annotations

from checks.contents import STEPS, Step
from checks.engine.asking.learner import Files, LearnerError
from checks.engine.files.source import solution
from checks.engine.judging.runner import Runner
from checks.engine.language import Check
from checks.engine.verdicts import CheckResult, Place


def blames_an_earlier_step(
    runner: Runner, step: Step, check: Check, files: Files, result: CheckResult
) -> bool:
    """Report it if the solution of this step fails in the same way on the learner's earlier steps.

    Then one of those steps has the mistake, although it passes.
    """

    other = Runner(runner.host, runner.seed, runner.seconds)  # It reads other files.

    def with_ours(*steps: Step) -> CheckResult:
        """The result of the same check, with the solutions of these steps."""
        return other.ask(step, check, _instead(files, *steps))

    earlier = [s for s in STEPS if s.module in files.contents and s is not step]
    own = [s for s in earlier if files.contents[s.module][2] != solution(s).encode()]
    if not own:
        return False
    alike = _fail_alike(with_ours(step), result)
    if other.choices:  # Known versions of this step will be read like its solution.
        other.all(step, _instead(files, step))
        runner.choices = {**other.choices, **runner.choices}
    if not alike:
        return False
    says = "The solution of this step fails in the same way on your earlier steps."
    found = (one for one in reversed(own) if with_ours(step, one).verdict == "pass")
    if guilty := next(found, None):
        says = f"{says} It passes with the solution of {guilty.path}: look there."
        if result.where is None or result.where.file != guilty.path:
            result.where = Place(guilty.path, 1)
    result.observed = [says]
    result.message = "\n".join([result.message, says])
    return True


def _instead(files: Files, *steps: Step) -> Files:
    """The same submission with the solutions of these steps."""
    return files.instead({each.module: solution(each).encode() for each in steps})


def _fail_alike(one: CheckResult, two: CheckResult) -> bool:
    """Whether two versions give the same wrong answer, or stop at the same line of a third file."""
    first, second = one.stopped, two.stopped
    if isinstance(first, LearnerError) and isinstance(second, LearnerError):
        return (first.type, first.text, first.calls[-1:]) == (
            second.type,
            second.text,
            second.calls[-1:],
        )
    return one.verdict == two.verdict == "fail" and one.message == two.message
