"""Hints, the puzzle of lines, and the facts for a tutor: AGENTS.md keeps its word."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Said
from pages import names, table

from checks.contents import COURSE, STEPS, Step
from checks.engine.commands.puzzle import FEWEST, MOST, puzzle
from checks.engine.files.source import code_lines, pristine, solution

WHOLE_LINE = 15  # Characters from which a line of a solution is an answer.


def keys(found: Any) -> set[str]:
    """All names of fields in a JSON value."""
    if isinstance(found, dict):
        return set(found).union(*map(keys, found.values()))
    return set().union(*map(keys, found)) if isinstance(found, list) else set()


def answers(step: Step) -> list[str]:
    """The lines of a solution that its skeleton does not have."""
    given = {line.strip() for line in code_lines(pristine(step))}
    lines = {line.strip() for line in code_lines(solution(step))} - given
    return [line for line in lines if len(line) >= WHOLE_LINE]


def test_the_facts_of_agents_md_exist(said: Said, course: Path) -> None:
    rows = table("AGENTS.md", "Each command prints one JSON object")
    assert len(rows) == 5
    for command, use in rows:
        words = command.strip("`").removeprefix("python run_step.py ").split()
        fields = keys(json.loads(said(course, *words).stdout))
        missing = [name for name in names(use) if name not in fields]
        assert missing == [], f"{command} has no {missing}"


def test_the_commands_of_agents_md_exist(said: Said, course: Path) -> None:
    help = said(course, "--help").stdout
    text = (COURSE / "AGENTS.md").read_text("utf-8")
    for word in re.findall(r"python run_step\.py ([a-z]+)", text):
        assert f"run_step.py {word}" in help


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_no_fact_holds_a_line_of_the_solution(said: Said, course: Path, step: Step) -> None:
    for command in ("hint", "ask"):
        facts = said(course, command, step.id, "--json")
        assert facts.returncode == 0
        text = json.dumps(json.loads(facts.stdout), ensure_ascii=False)
        assert [line for line in answers(step) if line in text] == [], command


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_the_puzzle_holds_the_lines_of_a_function(step: Step) -> None:
    found = puzzle(solution(step), pristine(step))
    if found is None:
        return  # All its functions are too short for a puzzle, or too long.
    assert FEWEST <= len(found.lines) <= MOST and found.spare == 0
    text = solution(step)
    in_order = sorted(found.lines, key=lambda line: text.find(line))
    assert found.lines != in_order
    assert puzzle(text, text) is None


@pytest.mark.parametrize(
    ("name", "any_order"),
    [
        *((name, True) for name in ("transformer_embedding", "scaled_embedding", "layer_norm")),
        *((name, False) for name in ("calculate_attention", "multi_head_attention", "masks")),
        *(("feed_forward", True), ("positional_embedding", False)),
    ],
)
def test_a_puzzle_says_where_the_order_does_not_matter(name: str, any_order: bool) -> None:
    step = next(step for step in STEPS if step.name == name)
    found = puzzle(solution(step), pristine(step))
    assert found is not None and found.any_order == any_order


def test_lines_that_only_the_learner_has_are_counted() -> None:
    step = next(step for step in STEPS if step.name == "calculate_attention")
    own = solution(step).replace("mask == 0", "mask").replace("dim=-1", "dim=1")
    found = puzzle(solution(step), own)
    assert found is not None and found.spare == 2
    assert 'score = score.masked_fill(mask, float("-inf"))' in found.lines
    assert 'score = score.masked_fill(mask == 0, float("-inf"))' in found.lines


def test_a_file_that_python_cannot_read_has_its_puzzle() -> None:
    step = next(step for step in STEPS if step.name == "masks")
    found = puzzle(solution(step), "def get_src_mask(:\n")
    assert found is not None and found.function == "get_trg_mask"


def test_the_puzzle_comes_before_the_gap(said: Said, course: Path) -> None:
    shown = [said(course, "hint", "2.1").stdout for _ in range(7)]
    assert "Put them in order" in shown[5] and "____" in shown[6]
    assert max(len(line) for text in shown for line in text.splitlines()) <= 80
    facts = json.loads(said(course, "hint", "2.1", "--json").stdout)
    assert facts["shown"] == 7 and len(facts["hints"]) == 5


def test_trace_tells_programs_where_it_stops(said: Said, course: Path) -> None:
    step = next(step for step in STEPS if step.name == "calculate_attention")
    wrong = solution(step).replace("k.transpose(-2, -1)", "k")
    (course / step.path).write_text(wrong, "utf-8")
    found = json.loads(said(course, "trace", step.id, "--json").stdout)
    line = 1 + next(n for n, text in enumerate(wrong.splitlines()) if "q @ k" in text)
    assert found["error"]["type"] == "RuntimeError" and found["error"]["line"] == line
    first = found["lines"][0]["values"][0]
    assert first["name"] == "q" and first["axes"] == ["batch_size", "n_head", "q_len", "dim_split"]


def test_trace_tells_programs_that_no_answer_came(said: Said, course: Path) -> None:
    step = next(step for step in STEPS if step.name == "calculate_attention")
    ends = solution(step).replace(
        "    score = q @", "    __import__('os')._exit(3)\n    score = q @"
    )
    (course / step.path).write_text(ends, "utf-8")
    found = json.loads(said(course, "trace", step.id, "--json").stdout)
    assert found["lines"] == [] and found["error"]["verdict"] == "no_result"
