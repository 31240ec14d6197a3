"""Every known mistake is rejected and named, every right version passes; nothing is named wrongly.

What is counted here is printed at the end of the run.
"""

from __future__ import annotations

import importlib
import itertools
import os
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import FIGURES

from checks.contents import COURSE, STEPS, Step
from checks.grading.marker import DRAWS
from checks.machine.commands.proof import changed
from checks.machine.course.source import solution, solutions
from checks.machine.hosting.host import Host
from checks.machine.judging.judge import Judge
from checks.machine.judging.rehearsal import Rehearsals
from checks.machine.known import Mistake, Right, Version, known, mistakes, rights, together
from checks.machine.language import Check, checks_of
from checks.machine.naming.properties import PROPERTIES
from checks.machine.verdicts import StepResult

ALL = bool(os.environ.get("CI"))
SEED = 11
PAIRS = 12 if ALL else 1  # Of mistakes made at once, for each step.


def chosen(versions: dict[str, Version]) -> list[tuple[str, Version]]:
    """All where CI is set, else every twentieth."""
    return list(versions.items())[:: 1 if ALL else 20]


def named_in(result: StepResult) -> str | None:
    """The sentence of the known mistake that was named (one of structure is seen, not named)."""
    names = [check.mistake for check in result.checks if check.mistake is not None]
    return next((named.says for named in names if named.name not in PROPERTIES), None)


def read_in(result: StepResult) -> list[str]:
    """All that is said of a version, with its numbers."""
    return [check.message for check in result.checks]


def test_there_are_many() -> None:
    for step in STEPS:
        assert len(mistakes(step)) >= 8, step.id
    assert sum(len(mistakes(step)) for step in STEPS) >= 150
    assert sum(len(rights(step)) for step in STEPS) >= 60


def test_the_readme_cites_how_many() -> None:
    readme = (COURSE / "README.md").read_text("utf-8")
    wrong, right = (sum(len(kind(step)) for step in STEPS) for kind in (mistakes, rights))
    assert f"{wrong} wrong ones" in readme and f"{right} right ones" in readme


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_each_is_an_edit_of_the_solution_and_a_sentence(step: Step) -> None:
    assert mistakes(step).keys().isdisjoint(rights(step))
    sources = {solution(step): "the solution"}
    for name, version in known(step).items():
        source = version.source(step)
        assert source not in sources, f"{name} is {sources[source]}"
        sources[source] = name
        compile(source, name, "exec")
        assert version.says.endswith("."), name
        assert len(version.says) <= 240, name


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_mistakes_are_named_and_right_versions_pass(versions_host: Host, step: Step) -> None:
    def named(item: tuple[str, Version]) -> tuple[StepResult, str | None]:
        result = changed(versions_host, step, item[1]).run([step])[0]
        assert result.verdict != "infra", (item[0], result.first_failure)
        return result, named_in(result)

    versions = chosen(known(step))
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(named, versions))
    wrongly, unnamed = [], []
    for (name, version), (result, says) in zip(versions, results):
        verdict = result.verdict
        if not isinstance(version, Mistake):
            FIGURES["right versions"] += 1
            FIGURES["right versions rejected"] += verdict != "pass"
            assert verdict == "pass", (name, result.first_failure)
            continue
        FIGURES["wrong versions"] += 1
        FIGURES["wrong versions accepted"] += verdict == "pass"
        assert verdict != "pass", name
        if says is None:
            unnamed.append(name)
        elif says != version.says:
            wrongly.append((name, says))
    wrong = sum(isinstance(version, Mistake) for _, version in versions)
    FIGURES["named rightly"] += wrong - len(unnamed) - len(wrongly)
    FIGURES["named wrongly"] += len(wrongly)
    FIGURES["not named"] += len(unnamed)
    assert wrongly == []
    assert len(unnamed) <= max(0.05 * wrong, 0 if ALL else 1), unnamed  # Of a few, one is much.


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_no_mistake_passes_what_is_rehearsed_once(versions_host: Host, step: Step) -> None:
    """One draw, as `grade` asks at first: whoever answers all of it as the solution is right."""
    recorder = Judge(versions_host, solutions(), SEED)
    rehearsals = Rehearsals(recorder.rehearse, draws=DRAWS)

    def passed(version: Version) -> set[Check]:
        judge = changed(versions_host, step, version, SEED)
        judge.rehearsals = rehearsals
        found, _ = judge.as_rehearsed(step, judge.files(step), DRAWS, False)
        judge.close()
        return set(found)

    everything = set(checks_of(importlib.import_module(f"checks.{step.module}")))
    asked = {check for part in rehearsals.of(step) for check, _, _ in part.spans}
    assert passed(Right("The solution.", {})) == asked <= everything and asked
    for name, version in chosen(mistakes(step)):
        assert passed(version) < everything, name
    recorder.close()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_two_mistakes_at_once_are_never_given_a_third_name(versions_host: Host, step: Step) -> None:
    pairs = list(itertools.combinations(mistakes(step).values(), 2))
    random.Random(step.name).shuffle(pairs)
    both = [
        (pair, made)
        for pair in pairs[:400]
        for made in together(step, pair[0], {"": pair[1]}).values()
    ]

    def judged(version: Version) -> StepResult:
        return changed(versions_host, step, version).run([step])[0]

    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(judged, [version for _, version in both[:PAIRS]]))
    for (pair, version), result in zip(both, results):
        says = named_in(result)
        if says is None or says in [mistake.says for mistake in pair]:
            continue
        third = [mistake for mistake in mistakes(step).values() if mistake.says == says]
        same = [read_in(judged(mistake)) == read_in(result) for mistake in third]
        assert any(same), (version.edit, says)  # Else the two together are the third.
