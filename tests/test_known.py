"""Every known mistake is rejected and named, every right version passes; nothing is named wrongly.

What is counted here is printed at the end of the run.
"""

from __future__ import annotations

import itertools
import os
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import FIGURES
from kept import keep, to_try
from pages import page

from checks.contents import STEPS, Step
from checks.engine.commands import proof
from checks.engine.commands.command import main
from checks.engine.commands.proof import changed
from checks.engine.commands.words import USAGE
from checks.engine.files.source import solution
from checks.engine.hosting.host import Host
from checks.engine.known import Mistake, Version, known, mistakes, rights, together
from checks.engine.naming.properties import PROPERTIES
from checks.engine.verdicts import CheckResult, StepResult

SEED = 11
UNNAMED = Path(__file__).parent / "unnamed.txt"
NAMED = 2  # Of the wrong versions of a step, where CI is not set; in CI each has to be named.
PAIRS = 12  # Of mistakes made at once, for each step.


def named_in(result: StepResult, name: str = "") -> str | None:
    """The sentence of the known mistake that was named. One of structure, which a check sees and
    names itself, counts for the version with its name only.
    """
    found = [check.mistake for check in result.checks if check.mistake is not None]
    known_ones = (named.says for named in found if named.name not in PROPERTIES)
    return next(known_ones, next((named.says for named in found if named.name == name), None))


def not_to_be_named(step: Step) -> set[str]:
    """Those that are rejected only: `unnamed.txt` has a line for each, its step and its name."""
    lines = (line.split() for line in UNNAMED.read_text("utf-8").splitlines())
    return {name for id, name in lines if id == step.id}


def read_in(result: StepResult) -> list[str]:
    """All that is said of a version, with its numbers."""
    return [check.message for check in result.checks]


def test_there_are_many() -> None:
    for step in STEPS:
        assert len(mistakes(step)) >= 8, step.id
    assert sum(len(mistakes(step)) for step in STEPS) >= 150
    assert sum(len(rights(step)) for step in STEPS) >= 60


def test_the_docs_cite_how_many() -> None:
    """In round numbers, so that one more version changes nothing."""
    path = "docs/how-it-knows.md"
    for kind, said in ((mistakes, "wrong ones"), (rights, "right ones")):
        count = sum(len(kind(step)) for step in STEPS)
        (found,) = re.findall(rf"more\s+than ([\d,]+) {said}", page(path))
        number = int(found.replace(",", ""))
        assert number < count <= 1.1 * number, f"{path}: there are {count} {said}, not {found}"


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


def test_proof_says_which_version_does_not_fit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unfit = {"unfit": Mistake("It is no part of the solution.", {"no such text": ""})}
    monkeypatch.setattr(proof, "known", lambda step: unfit)
    assert main(["proof", "1.1"]) == USAGE
    said = capsys.readouterr().err
    assert "1.1: 'no such text' occurs 0 times" in said and "author check 1.1" in said


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_few_need_no_name(step: Step) -> None:
    assert not_to_be_named(step) <= mistakes(step).keys()
    assert len(not_to_be_named(step)) <= 0.05 * len(mistakes(step))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_mistakes_are_named_and_right_versions_pass(versions_host: Host, step: Step) -> None:
    versions = to_try("known", step, list(known(step).items()))
    wrong = [name for name, version in versions if isinstance(version, Mistake)]
    to_name = wrong if os.environ.get("CI") else wrong[:NAMED]

    def judged(item: tuple[str, Version]) -> tuple[str, str | None, CheckResult | None]:
        name, version = item
        judge = changed(versions_host, step, version)
        if name in wrong and name not in to_name:
            failure = judge.first_failure(step)
            return failure.verdict if failure else "pass", None, failure
        result = judge.run([step])[0]
        return result.verdict, named_in(result, name), result.first_failure

    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(judged, versions))
    wrongly, unnamed = [], []
    for (name, version), (verdict, says, failure) in zip(versions, results):
        assert verdict != "infra", (name, failure)
        if not isinstance(version, Mistake):
            FIGURES["right versions"] += 1
            FIGURES["right versions rejected"] += verdict != "pass"
            assert verdict == "pass", (name, failure)
            continue
        FIGURES["wrong versions"] += 1
        FIGURES["wrong versions accepted"] += verdict == "pass"
        assert verdict != "pass", name
        if name not in to_name:
            continue
        if says is None:
            unnamed.append(name)
        elif version.says not in says:  # Of two that nobody can tell apart, both are named.
            wrongly.append((name, says))
    FIGURES["named rightly"] += len(to_name) - len(unnamed) - len(wrongly)
    FIGURES["named wrongly"] += len(wrongly)
    FIGURES["not named"] += len(unnamed)
    assert wrongly == []
    assert set(unnamed) <= not_to_be_named(step)
    keep("known", step)


@pytest.mark.room
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
        tried = to_try("pairs", step, both[:PAIRS])
        results = list(pool.map(judged, [version for _, version in tried]))
    for (pair, version), result in zip(tried, results):
        says = named_in(result)
        if says is None or any(mistake.says in says for mistake in pair):
            continue
        third = [mistake for mistake in mistakes(step).values() if mistake.says in says]
        same = [read_in(judged(mistake)) == read_in(result) for mistake in third]
        assert any(same), (version.edit, says)  # Else the two together are the third.
    keep("pairs", step)
