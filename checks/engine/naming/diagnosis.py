"""Which known mistake is it? The known wrong versions that may be it get the learner's questions.

A mistake is named only if it is proven. On all draws of the first failing check, the version with
the mistake must give the learner's own answers. No version with another sentence may do so. It must
pass what the learner passes. It must explain most other failures, or all of them together with a
second mistake. After a crash, it must explain all by itself, and it must crash with the same
numbers. If two mistakes do so, both are named. Otherwise no mistake is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Protocol

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.asking.transcript import Event
from checks.engine.files.syntax import parsed, tree_of
from checks.engine.known import Mistake, dressed, mistakes, mixing, together
from checks.engine.naming.replays import Replays, agree
from checks.engine.naming.slips_of_arguments import unread
from checks.engine.verdicts import CheckResult, Named, Stopped

Passes = Callable[[Mistake, list[str]], bool]  # Whether a version passes these checks.
DRAWS = 3  # The answers must agree on at least so many draws.


class Evidence(Protocol):
    """The transcript of a check. It is made if necessary, and again for the operands."""

    def __call__(self, name: str, operands: bool = False) -> list[list[Event]]: ...


def diagnose(
    known_versions: Replays, results: list[CheckResult], evidence: Evidence, passes: Passes
) -> bool:
    """Name the mistake of the first failing check, if it can be proven. False: it cannot.

    The known versions build on the learner's own earlier steps.
    """
    failing = next(result for result in results if result.verdict != "pass")
    draws = evidence(failing.name)
    if failing.verdict not in ("fail", "error") or len(draws) < DRAWS:
        return False
    others = [r for r in results if r is not failing]
    passed = [r.name for r in others if r.verdict == "pass"]
    wrong = [evidence(r.name) for r in others if _tells(r, failing)]
    in_order = sorted(others, key=lambda r: r.verdict == "pass")  # The failing ones first.
    two: Named | None = None  # The name of two mistakes that cannot be distinguished, if any.
    try:
        with known_versions as replays:
            step, files = replays.step, replays.learners
            for dress in (None, *mixing(step)):
                known = _possible(step, dressed(step, dress) if dress else mistakes(step), files)
                found = _matching(replays, known, _telling_first(replays, draws))
                found = _narrowed(replays, found, (evidence(r.name) for r in in_order))
                found = {name: m for name, m in found.items() if passes(m, passed)}
                named = _explaining(replays, found, known, wrong, failing.verdict == "error")
                if _sentences(found) > 1:
                    two = two or _just_two(found, named)
                elif name := next(named, None):
                    if _fails_alike(replays, failing, evidence, found[name]):
                        failing.prove(Named(name, found[name].says))
                        return True
    except (Stopped, TypeError, ValueError, KeyError, AttributeError, IndexError):
        pass  # The learner's earlier steps stop here, or the transcript holds forged answers.
    if two is not None:
        failing.prove(two)
    return two is not None


def _possible(step: Step, known: dict[str, Mistake], files: Files) -> dict[str, Mistake]:
    """The mistakes without those that are made with an argument which the learner never uses."""
    pairs = unread(tree_of(files.text(files.step)))

    def needs(mistake: Mistake, name: str, function: str) -> bool:
        is_made_with = re.search(rf"\b{name}\b", " ".join(mistake.edit.values()))
        return bool(is_made_with) and (name, function) not in unread(parsed(mistake.source(step)))

    return {
        name: mistake
        for name, mistake in known.items()
        if not any(needs(mistake, *pair) for pair in pairs)
    }


def _tells(other: CheckResult, failing: CheckResult) -> bool:
    """Whether another failing check shows which mistake it is. Many crash alike: after a crash,
    only a wrong answer does. A check that had no time left does not.
    """
    return other.verdict in ("fail", "error") and "fail" in (other.verdict, failing.verdict)


def _just_two(found: dict[str, Mistake], named: Iterator[str]) -> Named | None:
    """One name for two mistakes that cannot be distinguished, if there are just two sentences."""
    if _sentences(found) != 2:
        return None
    both: dict[str, str] = {}
    while len(both) < 2:
        name = next(named, None)
        if name is None:
            return None
        both.setdefault(found[name].says, name)
    (first, one), (second, other) = both.items()
    says = f"It is one of these two. 1. {first} 2. {second}"
    return Named(f"{one} or {other}", says, is_one_of_two=True)


def _narrowed(
    replays: Replays, found: dict[str, Mistake], others: Iterator[list[list[Event]]]
) -> dict[str, Mistake]:
    """The versions that agree in other checks as well, as long as several sentences remain.

    A second mistake may show in a check. So a check may choose between versions, but not reject
    all.
    """
    while _sentences(found) > 1:
        draws = next(others, None)
        if draws is None:
            break
        found = _matching(replays, found, draws) or found
    return found


def _explaining(
    replays: Replays,
    found: dict[str, Mistake],
    known: dict[str, Mistake],
    wrong: list[list[list[Event]]],
    crashed: bool,
) -> Iterator[str]:
    """The names of the versions that explain the other failing checks.

    First come those that agree in most of them: in some, open details may differ. Then come those
    that agree in all, together with a second mistake. After a crash, a version must agree in all,
    alone.
    """
    for name, mistake in found.items():
        agree = [_agrees(replays, {name: mistake}, draws) for draws in wrong]
        if all(agree) or (not crashed and 2 * sum(agree) > len(agree)):
            yield name
    for name, mistake in [] if crashed else found.items():
        both = together(replays.step, mistake, known)
        for draws in wrong:
            both = _matching(replays, both, draws, True)
        if both:
            yield name


def _fails_alike(
    replays: Replays, failing: CheckResult, evidence: Evidence, mistake: Mistake
) -> bool:
    """Whether the version crashes with the learner's numbers, if there was a crash."""
    draws = evidence(failing.name, operands=True) if failing.verdict == "error" else []
    return bool(_matching(replays, {"": mistake}, draws))


def _agrees(replays: Replays, candidate: dict[str, Mistake], draws: list[list[Event]]) -> bool:
    """Whether the version answers as the learner's did. A version that takes too long does not."""
    try:
        return bool(_matching(replays, candidate, draws, True))
    except Stopped:
        return False


def _sentences(found: dict[str, Mistake]) -> int:
    return len({mistake.says for mistake in found.values()})


def _telling_first(replays: Replays, draws: list[list[Event]]) -> list[list[Event]]:
    """The draws, those that the learner's version fails first: they leave few known versions."""

    def right(events: list[Event]) -> bool:
        (truth,) = replays.replay([None], events)
        return agree(events, truth, truth, False)

    return sorted(draws, key=right)


def _matching(
    replays: Replays, candidates: dict[str, Mistake], draws: list[list[Event]], finite: bool = False
) -> dict[str, Mistake]:
    """The versions that answer on every draw as the learner's version did.

    All are asked up to the first wrong answer. Those that give it, too, are asked to the end.
    """
    for events in draws:
        if not candidates:
            break
        (right,) = replays.replay([None], events)
        ends = range(1, len(events) + 1)
        wrong = next((n for n in ends if not agree(events[:n], right, right, False)), len(events))
        for end in sorted({wrong, len(events)}):
            answers = replays.replay([*candidates.values()], events[:end])
            candidates = {
                name: mistake
                for (name, mistake), theirs in zip(candidates.items(), answers)
                if agree(events[:end], theirs, right, finite)
            }
    return candidates
