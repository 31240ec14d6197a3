"""`taste`: whose parts the model is made of, and what it is like without one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import EVERYTHING, Make, Said, solve

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.commands.screen import WIDTH, Screen
from checks.engine.files.source import Source, solution
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.verdicts import Stopped
from checks.graduation import taste
from checks.graduation.left_out import PARTS, SEEDS, WHOLE, Part
from checks.graduation.live import Silent

pytestmark = pytest.mark.room

MINE = "    raise RuntimeError('this is mine')\n"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taste, "STEPS_OF_TRAINING", 10)
    monkeypatch.setattr(taste, "ASKED", 5)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_is_left_out_of_one_step_of_the_model(part: Part) -> None:
    step = taste.STEP[part.step]
    assert step in taste.parts_of_the_model()
    source = part.without.source(step)
    assert source != solution(step)
    compile(source, step.path, "exec")


def test_the_figures_are_those_of_the_benchmark() -> None:
    text = (COURSE / "benchmarks/README.md").read_text("utf-8").partition("## Taste")[2]
    rows = re.findall(r"^\| ([a-z-]+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    measured = {name: (int(least), int(most)) for name, least, most in rows}
    assert measured == {"nothing": WHOLE, **{part.name: part.right for part in PARTS}}
    assert f"seeds 1 to {SEEDS}" in text


def test_the_model_is_made_of_all_core_steps_but_the_classifier() -> None:
    made = [step.name for step in taste.parts_of_the_model()]
    assert made == [step.name for step in STEPS if not step.bonus and step.name != "classifier"]


def test_what_passes_is_the_learners_and_the_rest_is_ours(
    host: Host, submission: Make, short: None
) -> None:
    """A file that stops with an error of its own is taken only where it is among the passed."""
    step = taste.STEP["calculate_attention"]
    text = solution(step)
    at = text.index("\n    # ") + 1
    root = submission({step.path: text[:at] + MINE + text[at:]})
    judge = Judge(host, Source(root), 7, passed=EVERYTHING)
    answers = taste.lesson(judge, taste.mixed(judge, []), Silent())
    assert len(answers) == 5
    with pytest.raises(Stopped, match="this is mine"):
        taste.lesson(judge, taste.mixed(judge, [step]), Silent())


def test_it_says_whose_parts_these_are() -> None:
    yours = [step for step in STEPS if step.stage == "s1_embedding" and not step.bonus]
    whole = taste._whose(yours, None).splitlines()
    assert whole[0] == "  yours     1.1 1.2 1.3" and whole[1].startswith("  solution  2.1 2.2")
    without = taste._whose(yours, PARTS[0]).splitlines()
    assert without[0] == "  yours     1.1 1.2"
    assert without[-1] == "  solution  1.3 transformer_embedding: whole, and without positions"
    assert "none yet" in taste._whose([], None)


def test_both_trainings_stand_side_by_side(
    host: Host, short: None, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING)
    part = next(part for part in PARTS if part.name == "source")
    taste._beside(judge, taste.mixed(judge, []), part, Screen())
    said = capsys.readouterr().out
    lines = said.splitlines()
    assert "whole" in lines[1] and "without source" in lines[1]
    assert lines[2].split()[0] == "0" and lines[2].count("of 40 right") == 2
    assert lines[3].split()[0] == "end" and lines[3].count("of 5 right") == 2
    assert "never attends to the source" in " ".join(said.split())
    assert "99 to 100 of 100 were right with it, and 0 without it" in " ".join(said.split())
    assert max(map(len, lines)) <= WIDTH


def test_an_error_of_either_ends_both(host: Host, submission: Make, short: None) -> None:
    root = submission({"s2_attention/calculate_attention.py": MINE.strip() + "\n"})
    judge = Judge(host, Source(root), 7, passed=EVERYTHING)
    files = taste.mixed(judge, [taste.STEP["calculate_attention"]])
    with pytest.raises(Stopped, match="this is mine"):
        taste._beside(judge, files, PARTS[0], Screen())


def test_what_cannot_be_left_out_is_said(said: Said, course: Path) -> None:
    wrong = said(course, "taste", "--without", "wings")
    assert wrong.returncode == 2
    assert "'wings'" in wrong.stderr and "positions, scale, shortcut" in wrong.stderr
    assert "positions" in said(course, "taste", "2.1").stderr


def test_the_end_of_a_stage_points_to_it(said: Said, course: Path) -> None:
    names = [step for step in STEPS if step.stage in ("s1_embedding", "s2_attention")]
    solve(course, *(step.id for step in names if not step.bonus))
    said(course, "1")
    assert "python run_step.py taste" in said(course, "2").stdout
