"""Where a mistake is that no known version has: the line is said, and never what belongs there."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Any

import pytest
from causes import cause
from conftest import Run
from kept import part
from mutation import mutants

from checks.contents import STEPS, Step
from checks.engine.asking.learner import Files
from checks.engine.files.skeleton import functions
from checks.engine.files.source import solution, solutions
from checks.engine.judging import search
from checks.engine.known import known, mistakes, rights
from checks.engine.locating.differences import differences
from checks.engine.locating.places import Found, find_places
from checks.engine.locating.small_edits import small_edits
from checks.engine.locating.text import Text

# A step, edits of its solution that no known version has, and what is said.
MISTAKES = [
    (
        "2.1",
        [
            (
                "    score = q",
                "    if mask is None:\n        k = k.abs()\n    score = q",
            )
        ],
        "It is in lines 32 and 33. With nothing in place of `if mask is None: …`, all checks pass.",
    ),
    (
        "3.2",
        [("in self.layers:", "in self.layers[::2]:")],
        "It is in line 41. With only a part of `self.layers[::2]`, all checks pass. The TODO: "
        '"Embed the tokens, then pass them through the layers. Each layer gets the mask."',
    ),
    (  # The same in a learner's own words.
        "3.2",
        [
            ("self.embedding = ", "self.words = "),
            ("x = self.embedding(src)", "out = self.words(src)"),
            ("self.layers = ", "self.stack = "),
            ("for layer in self.layers:", "for block in self.stack[::2]:"),
            ("x = layer(x, src_mask)", "out = block(out, src_mask)"),
            ("return x", "return out"),
        ],
        "It is in line 41. With only a part of `self.stack[::2]`, all checks pass.",
    ),
    (
        "2.3",
        [
            ("x.mean(dim=-1, keepdim=True)", "x.mean(dim=(-2, -1), keepdim=True)"),
            ("self.eps)", "self.eps).detach()"),
        ],
        "It is in lines 31 and 34. With only a part of `(-2, -1)` and only a part of",
    ),
]


def without_pass(source: str) -> dict[str, str]:
    """The bodies of the functions of a source, without statements that do nothing."""

    class Cleaned(ast.NodeTransformer):
        def visit_Pass(self, node: ast.Pass) -> None:
            return None

    found = functions(Cleaned().visit(ast.parse(source)))
    return {name: "\n".join(map(ast.unparse, function.body)) for name, function in found}


@pytest.mark.room
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_all_differences_together_are_the_other_version(step: Step) -> None:
    theirs = without_pass(solution(step))
    for name, version in part([*known(step).items()], 12):
        text = Text(version.source(step))
        mine = without_pass(text.changed(differences(text, ast.parse(solution(step)))))
        both = mine.keys() & theirs.keys()
        assert {n: mine[n] for n in both} == {n: theirs[n] for n in both}, name


@pytest.mark.parametrize(("id", "edits", "says"), MISTAKES)
def test_it_is_said_where_an_unknown_mistake_is(
    run: Run, submission: Any, id: str, edits: list[tuple[str, str]], says: str
) -> None:
    failing = cause(run, submission, id, *edits)
    assert failing.mistake is not None
    assert failing.mistake.name == "one-place"
    assert failing.mistake.says.startswith(says)
    assert failing.where is not None
    assert f" {failing.where.line}" in says


def found(step: Step, source: str) -> Found | None:
    """What is found in a source, if the step passes only as one of the known right versions."""
    files = Files.of(solutions().with_text(step, source), step)
    return find_places(step, files, lambda text, _: without_pass(text) in right_ones(step))


@cache
def right_ones(step: Step) -> list[dict[str, str]]:
    sources = [solution(step), *(right.source(step) for right in rights(step).values())]
    return [without_pass(source) for source in sources]


@pytest.mark.room
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_small_mistake_is_found_in_its_line(step: Step) -> None:
    right = right_ones(step)  # A change of an argument's default is none of a function's body.
    inside = [mutant for mutant in mutants(step) if without_pass(mutant.text) not in right]
    for mutant in part(inside, max(1, len(inside) // 3)):
        place = found(step, mutant.text)
        assert place is not None, mutant.key
        assert abs(place.line - mutant.line) <= 1, (mutant.key, place)


@pytest.mark.room
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_what_belongs_there_is_not_said(step: Step) -> None:
    """Only the learner's own code is cited, and the TODO."""
    for name, mistake in part([*mistakes(step).items()], 40):
        source = mistake.source(step)
        if place := found(step, source):
            for cited in re.findall(r"`([^`]*)`", place.says.partition(" The TODO: ")[0]):
                assert cited.removesuffix(" …") in source, (name, place)


def test_a_search_that_takes_long_ends_without_a_place(
    run: Run, submission: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "LONGEST", -1)
    assert cause(run, submission, MISTAKES[1][0], *MISTAKES[1][1]).mistake is None


def test_a_file_of_thousands_of_lines_is_not_searched() -> None:
    text = solution(STEPS[0]) + "# A remark.\n" * 5_000
    files = Files.of(solutions().with_text(STEPS[0], text), STEPS[0])
    assert find_places(STEPS[0], files, lambda source, _: True) is None


def test_a_line_is_moved_into_a_loop_and_out_of_it() -> None:
    code = "def f(x):\n    for y in x:\n        a = y\n        b = a\n    return b\n"
    moved = {Text(code).changed([edit]) for edit in small_edits(Text(code))}
    assert code.replace("    return", "        return") in moved
    assert code.replace("        b = a", "    b = a") in moved
    short = Text(
        "def f(x):\n    if x: a = 1; b = 2\n    elif x > 1:\n        b = 3\n    return b\n"
    )
    assert not [e for e in small_edits(short) if not (e.new + short.old(e)).strip(" ")]


def test_a_change_that_only_the_failing_check_passes_is_no_place() -> None:
    for name, mistake in part([*mistakes(STEPS[4]).items()], 60):
        files = Files.of(solutions().with_text(STEPS[4], mistake.source(STEPS[4])), STEPS[4])
        assert find_places(STEPS[4], files, lambda source, everything: not everything) is None, name
