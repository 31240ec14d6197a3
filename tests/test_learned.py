"""`proof --learned`: what a class got wrong, without names of people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Said

from checks.contents import STEPS
from checks.engine.known import mistakes

STEP = next(step for step in STEPS if step.name == "calculate_attention")


def result(verdict: str, mistake: str | None = None) -> dict[str, Any]:
    """A step of a submission, as `grade` writes it."""
    named = mistake and {"name": mistake, "says": mistakes(STEP)[mistake].says}
    check = {"name": "c", "sentence": "s", "verdict": verdict, "mistake": named}
    return {"step": STEP.id, "name": STEP.name, "verdict": verdict, "checks": [check]}


def a_class() -> list[dict[str, Any]]:
    """Seven submissions: two right, two with one mistake, one with another, one without a name, one
    blocked.
    """
    found = [result("pass"), result("fail", "no-scale"), result("fail"), result("blocked")]
    found += [result("fail", "no-scale"), result("error", "softmax-over-heads"), result("pass")]
    return [{"name": f"Ada {n}", "steps": [step]} for n, step in enumerate(found)]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    file = tmp_path / "class.json"
    file.write_text(json.dumps({"version": 1, "submissions": a_class()}), "utf-8")
    return file


def test_mistakes_are_counted_and_nobody_is_named(said: Said, course: Path, results: Path) -> None:
    done = said(course, "proof", "--learned", str(results))
    assert done.returncode == 0
    assert "2 of 6 pass" in done.stdout  # The blocked one has not tried.
    assert done.stdout.index(mistakes(STEP)["no-scale"].says[:30]) < done.stdout.index(
        mistakes(STEP)["softmax-over-heads"].says[:30]
    )
    assert "Mistakes without a name." in done.stdout and "Explain these first" in done.stdout
    assert "Ada" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_json(said: Said, course: Path, results: Path) -> None:
    found = json.loads(said(course, "proof", "--learned", str(results), "--json").stdout)
    assert list(found) == ["version", "submissions", "steps"] and found["submissions"] == 7
    (mine,) = [step for step in found["steps"] if step["step"] == STEP.id]
    assert list(mine) == ["step", "name", "tried", "passed", "unnamed", "mistakes"]
    assert (mine["tried"], mine["passed"], mine["unnamed"]) == (6, 2, 1)
    assert [(one["name"], one["count"]) for one in mine["mistakes"]] == [
        ("no-scale", 2),
        ("softmax-over-heads", 1),
    ]


def test_a_folder_of_results_is_the_same(
    said: Said, course: Path, results: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "grades"
    folder.mkdir()
    (folder / "run.json").write_text("{}", "utf-8")
    for number, row in enumerate(a_class()):
        (folder / f"{number}.json").write_text(json.dumps({"key": "k", "row": row}), "utf-8")
    one, other = (
        said(course, "proof", "--learned", str(given), "--json").stdout
        for given in (results, folder)
    )
    assert one == other


@pytest.mark.parametrize("text", [None, "", "[]", '{"submissions": [1]}', "{}"])
def test_other_files_are_named(said: Said, course: Path, tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "other.json"
    if text is not None:
        file.write_text(text, "utf-8")
    done = said(course, "proof", "--learned", str(file))
    assert done.returncode == 2 and "other.json" in done.stderr and "Traceback" not in done.stderr


def test_the_results_of_grade_can_be_read(said: Said, course: Path, tmp_path: Path) -> None:
    wrong = mistakes(STEP)["no-scale"].source(STEP)
    handed_in = tmp_path / "in" / "somebody"
    for step in STEPS:
        (handed_in / step.path).parent.mkdir(parents=True, exist_ok=True)
    (handed_in / STEP.path).write_text(wrong, "utf-8")
    folder = str(tmp_path / "grades")
    said(course, "grade", str(handed_in), "--steps", STEP.id, "--results", folder)
    found = json.loads(said(course, "proof", STEP.id, "--learned", folder, "--json").stdout)
    assert found["steps"][0]["mistakes"][0]["name"] == "no-scale"


def test_an_empty_folder_is_named(said: Said, course: Path, tmp_path: Path) -> None:
    done = said(course, "proof", "--learned", str(tmp_path))
    assert done.returncode == 2 and "holds no results of grade" in done.stderr


def test_rare_mistakes_of_a_step_are_a_count(said: Said, course: Path, tmp_path: Path) -> None:
    names = list({mistake.says: name for name, mistake in mistakes(STEP).items()}.values())[:5]
    rows = [{"steps": [result("fail", name)]} for name in names]
    file = tmp_path / "class.json"
    file.write_text(json.dumps({"submissions": rows}), "utf-8")
    brief = said(course, "proof", "--learned", str(file)).stdout
    assert "2 more mistakes, in 2 submissions: --full" in brief
    assert "more mistakes" not in said(course, "proof", "--learned", str(file), "--full").stdout
