"""The proof that the checks find what they should: every known version of a step is judged now."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from checks.contents import STEPS, Step
from checks.course import AFTER_PROOF, LEARNED
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import (
    NOT_PASSED,
    PASSED,
    Usage,
    find_steps,
    function_of,
    print_json,
)
from checks.engine.files.source import solutions
from checks.engine.hosting.host import Host
from checks.engine.known import Mistake, Version, known

if TYPE_CHECKING:  # The import at run time comes later, while the workers start.
    from checks.engine.judging.judge import Judge

SEED = 7
AT_ONCE = 2  # Versions that are judged at the same time.


@dataclass
class Judged:
    """A known version and its results."""

    name: str
    version: Version
    verdict: str
    check: str | None  # The first check that it fails.

    @property
    def is_wrong(self) -> bool:
        return isinstance(self.version, Mistake)

    @property
    def as_it_should(self) -> bool:
        return (self.verdict not in ("pass", "infra")) if self.is_wrong else self.verdict == "pass"


def judge_known(host: Host, step: Step, seed: int = SEED) -> list[Judged]:
    """All known versions of a step, each judged up to its first failing check."""

    def judged(item: tuple[str, Version]) -> Judged:
        failure = changed(host, step, item[1], seed).first_failure(step)
        if failure is None:
            return Judged(*item, "pass", None)
        return Judged(*item, failure.verdict, failure.name)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(judged, known(step).items()))


def changed(host: Host, step: Step, version: Version, seed: int = SEED) -> Judge:
    """A judge of the solutions, with this version in place of one step's solution."""
    from checks.engine.judging.judge import Judge

    source = solutions().with_text(step, version.source(step))
    return Judge(host, source, seed, passed=frozenset(s.id for s in STEPS if s is not step))


def proof(words: list[str], options: Any) -> int:
    """Judge the known versions of some steps (or of all), and print the results."""
    if LEARNED and options.learned:
        return int(function_of(LEARNED)(words, options))
    steps = find_steps(words) if words else STEPS
    seed = SEED if options.seed is None else options.seed
    screen = Screen()
    found: dict[str, list[Judged]] = {}
    for step in steps:
        try:
            for version in known(step).values():
                version.source(step)
        except ValueError as error:
            raise Usage(f"{error}.\nWhere: python run_step.py author check {step.id}") from None
    with Host() as host:
        for step in steps:
            found[step.id] = judge_known(host, step, seed)
            if not options.json:
                _show(screen, step, found[step.id], len(steps) == 1)
    everything = [judged for several in found.values() for judged in several]
    if options.json:
        print_json(
            {
                "version": 1,
                "seed": seed,
                **_counts(everything),
                "steps": [_as_json(step, found[step.id]) for step in steps],
            }
        )
    elif len(steps) > 1:
        screen.say(f"\nTogether: {_sentence(everything)}.")
    return PASSED if all(judged.as_it_should for judged in everything) else NOT_PASSED


def _show(screen: Screen, step: Step, versions: list[Judged], in_full: bool) -> None:
    screen.say(f"{step.id} {step.name}: {_sentence(versions)}")
    for judged in versions:
        if in_full or not judged.as_it_should:
            word = (
                ("rejects" if judged.is_wrong else "accepts") if judged.as_it_should else "MISSED"
            )
            screen.say(f"  {word}  {judged.name}", "" if judged.as_it_should else "red")
            screen.sentence(judged.version.says, " " * 11)
    if in_full and step.name in AFTER_PROOF:
        function_of(AFTER_PROOF[step.name])(screen)


def _sentence(versions: list[Judged]) -> str:
    counts = _counts(versions)
    return (
        f"rejects {counts['wrong_rejected']} of {counts['wrong']} wrong versions, "
        f"accepts {counts['right_accepted']} of {counts['right']} right ones"
    )


def _counts(versions: list[Judged]) -> dict[str, int]:
    wrong = [judged for judged in versions if judged.is_wrong]
    right = [judged for judged in versions if not judged.is_wrong]
    return {
        "wrong": len(wrong),
        "wrong_rejected": sum(judged.as_it_should for judged in wrong),
        "right": len(right),
        "right_accepted": sum(judged.as_it_should for judged in right),
    }


def _as_json(step: Step, versions: list[Judged]) -> dict[str, Any]:
    return {
        "step": step.id,
        "name": step.name,
        **_counts(versions),
        "versions": [
            {
                "name": judged.name,
                "kind": "wrong" if judged.is_wrong else "right",
                "says": judged.version.says,
                "seen": judged.version.seen,
                "verdict": judged.verdict,
                "check": judged.check,
            }
            for judged in versions
        ],
    }
