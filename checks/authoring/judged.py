"""The promises that judging shows: of the solution, its example, known versions and mutants."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from checks.authoring.fault import Fault, line_of, room_of
from checks.contents import STEPS, Step
from checks.engine.asking.learner import Files
from checks.engine.commands.proof import changed
from checks.engine.drawing.example import example_of
from checks.engine.files.source import solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.known import Mistake, Version, known
from checks.engine.naming.properties import PROPERTIES
from checks.engine.tracing.facts import follow
from checks.engine.verdicts import StepResult, Stopped

SEEDS = range(2)  # The solution is judged with these seeds.


def of_verdicts(host: Host, step: Step) -> list[Fault]:
    """The solution and right versions should pass, and mistakes should fail and be named."""
    return list(_of_solution(host, step)) or list(_of_versions(host, step))


def _of_solution(host: Host, step: Step) -> Iterator[Fault]:
    """A check that the solution does not pass, or the example if it does not run to its end."""
    room = room_of(step)
    for seed in SEEDS:
        others = frozenset(other.id for other in STEPS if other is not step)
        judge = Judge(host, solutions(), seed, passed=others)
        (result,) = judge.run([step])
        if result.verdict != "pass" and (failure := result.first_failure) is not None:
            message = failure.message
            if failure.verdict == "infra":  # The traceback of the check itself.
                message = message.strip().splitlines()[-1]
            says = f"The solution does not pass {failure.name} (seed {seed}): {message}"
            yield Fault(f"{room}/checks.py", line_of(f"{room}/checks.py", failure.name), says)
            return
    if says := example_stops(host, step):
        yield Fault(f"{room}/shown.py", line_of(f"{room}/shown.py", "EXAMPLE"), says)


def _of_versions(host: Host, step: Step) -> Iterator[Fault]:
    """Each known version whose verdict is wrong."""
    versions = known(step)

    def judged(version: Version) -> StepResult:
        return changed(host, step, version).run([step])[0]

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(judged, versions.values()))
    for (name, version), result in zip(versions.items(), results):
        if says := _wrong_verdict(version, result):
            kind = "mistakes" if isinstance(version, Mistake) else "rights"
            file = f"{room_of(step)}/{kind}.py"
            constant = name.upper().replace("-", "_")
            yield Fault(file, line_of(file, f"{constant} ="), f"{constant}: {says}")


def example_stops(host: Host, step: Step) -> str:
    """Why the tiny example does not run to its end with the solution; "" if it does."""
    example = example_of(step)
    error: Stopped | None = None
    try:
        if example is not None:
            error = follow(host, step, Files.of(solutions(), step), example, 1).error
    except Stopped as stopped:
        error = stopped
    return f"The EXAMPLE stops with the solution: {error.message}" if error else ""


def of_mutants(host: Host, step: Step) -> list[Fault]:
    """Small changes of the solution that no check notices and no line of the file excuses."""
    from tests.mutation import alive, argued, mutants

    reasons = {key for key, why in argued().items() if why}
    says = (
        "No check notices a change of this line. Write a check; or, if nobody could notice it, "
        "this line in tests/survivors.txt, with the reason:\n{}  # …"
    )
    left = [mutant for mutant in mutants(step) if mutant.key not in reasons]
    return [
        Fault(f"solutions/{step.path}", mutant.line, says.format(mutant.key))
        for mutant in alive(host, left)
    ]


def _wrong_verdict(version: Version, result: StepResult) -> str:
    """What is wrong with the verdict of a known version; "" if nothing is."""
    failure = result.first_failure
    if not isinstance(version, Mistake):
        return "" if failure is None else f"is right, but {failure.name} fails: {failure.message}"
    if failure is None:
        return "passes all checks: write one that it fails, if it is a mistake."
    named = [check.mistake for check in result.checks if check.mistake is not None]
    says = [mistake.says for mistake in named if mistake.name not in PROPERTIES]
    if not says or version.says in says[0]:
        return ""
    return f"is named with another sentence ({says[0]}): a check has to ask more."
