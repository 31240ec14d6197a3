"""`hunt --boss`: a mistake somewhere in a whole model. `hunt --sheet`: hunts for a class."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import STEP, Said, solve
from hunts import hunts

from checks.engine.files.progress import Progress
from checks.engine.files.source import solution, solutions
from checks.engine.judging.results import checks_of_step
from checks.engine.known import mistakes
from checks.hunting import sheet
from checks.hunting.boss import in_one_style, outside, parts, whole
from checks.hunting.kept import FILE, FOLDER, KEYS, Hunt, Known, begun_boss, lay_out, load
from checks.hunting.making import Made, text_of

pytestmark = pytest.mark.room

__all__ = ["hunts"]


IDS = ["2.1", "2.2", "2.3", "2.4", "2.5"]
FILES = [STEP[id].path for id in IDS]


class Begun(NamedTuple):
    """A hunt in the files of stage 2."""

    said: str
    hunt: Hunt
    known: Known

    def wrong_answer(self) -> str:
        return next(key for key in self.hunt.sentences() if key != self.hunt.right)


@pytest.fixture
def begun(course: Path, hunts: Said) -> Begun:
    solve(course, *IDS)
    assert hunts(course, "2").returncode == 0
    done = hunts(course, "hunt", "--boss", "2", "--seed", "11")
    assert done.returncode == 0, done.stderr
    present = load(course)
    known = present and present.known()
    assert present is not None and known is not None
    return Begun(done.stdout, present, known)


def test_a_boss_needs_all_steps_of_its_model(course: Path, hunts: Said) -> None:
    solve(course, *IDS[:-1])
    early = hunts(course, "hunt", "--boss", "2")
    assert early.returncode == 2 and "needs all steps of the model. 2.1" in early.stderr


def test_a_mistake_somewhere_in_a_whole_model(course: Path, hunts: Said, begun: Begun) -> None:
    assert all(f"{STEP[id].name}.py" in begun.said for id in IDS)
    changed = [p for p in FILES if (course / p).read_bytes() != (course / FOLDER / p).read_bytes()]
    written = {p.relative_to(course / FOLDER).as_posix() for p in (course / FOLDER).rglob("*.*")}
    assert written == {*FILES, FILE}  # 3.1 is to be written: not shown.
    assert changed == [begun.known.step.path]
    symptom = begun.hunt.symptom
    assert symptom and symptom in " ".join(begun.said.split())
    assert "trace 2.5 --submission" in begun.said
    traced = hunts(course, "trace", "2.5", "--submission", str(course / FOLDER))
    assert traced.returncode == 0 and "FeedForward" in traced.stdout


def test_a_boss_asks_for_the_file(course: Path, hunts: Said, begun: Begun) -> None:
    question = hunts(course, "hunt")
    assert all(path in question.stdout for path in begun.hunt.sentences().values())
    told = hunts(course, "hunt", "--guess", begun.wrong_answer())
    assert "No. That file is right." in told.stdout
    not_yet = hunts(course, "hunt")
    assert not_yet.returncode == 1 and f"fix a file in {FOLDER}/" in not_yet.stdout
    said = told.stdout + not_yet.stdout
    assert not [p for p in FILES if p in said] and begun.known.name not in said + question.stdout


def test_a_boss_is_repaired_and_comes_again(course: Path, hunts: Said, begun: Begun) -> None:
    path = begun.known.step.path
    hunts(course, "hunt", "--guess", begun.wrong_answer())
    (course / FOLDER / path).write_bytes((course / path).read_bytes())
    other = course / FOLDER / next(one for one in FILES if one != path)
    other.write_text(other.read_text("utf-8") + "\nTWO = 2\n", "utf-8")
    found = hunts(course, "hunt")
    assert "Your repair is small: 1 line differs" in found.stdout
    assert found.returncode == 0 and f"The mistake was in {FOLDER}/{path}" in found.stdout
    kept = {begun.known.step.name: [begun.known.name]}
    assert Progress(course / ".progress.json").hunts == kept
    repeats = json.loads(hunts(course, "hunt", "--boss", "2", "--seed", "11", "--json").stdout)
    expected = ("2", 11, begun.hunt.symptom)
    assert (repeats["boss"], repeats["seed"], repeats["fails"]) == expected
    again = load(course)
    assert again is not None
    assert (again.mistake, again.options) == (begun.hunt.mistake, begun.hunt.options)
    right = hunts(course, "hunt", "--guess", again.right)
    assert "Yes. That is the file." in right.stdout and f"repair  {FOLDER}/" in right.stdout


def test_the_question_of_a_boss_is_which_file() -> None:
    """All files are options, in the order of the course: so their order tells nothing."""
    checks = [check.__name__ for check in checks_of_step(STEP["5.2"])]
    made = Made("no-root", "Wrong.\n", True, checks[:3], checks[0], checks[3:])
    for seed in range(20):
        hunt = begun_boss(outside("5"), made, seed, STEP["2.3"], "5")
        assert hunt.options == [step.name for step in parts("5")] and hunt.fails == made.first
        assert hunt.options[KEYS.index(hunt.right)] == "layer_norm"


def test_the_files_of_a_boss_are_in_one_style() -> None:
    """If the mistake does not fit the learner's file, the other files are solutions as well."""
    mine = solutions().with_text(STEP["2.5"], solution(STEP["2.5"]) + "# mine\n")
    for boss in ("2", "4", "5"):
        for own in (True, False):
            made = Made("", "", own, [], "", [])
            text = text_of(whole(in_one_style(mine, made), boss), STEP["2.5"])
            assert text is not None and text.endswith("# mine\n") == own


def test_the_folder_has_the_files_of_the_model(tmp_path: Path) -> None:
    for boss, count in (("2", 5), ("4", 10), ("5", 14)):
        checks = [check.__name__ for check in checks_of_step(outside(boss))]
        made = Made("no-root", "Wrong.\n", True, checks[:1], checks[0], checks[1:])
        shown, root = parts(boss), tmp_path / boss
        hunt = begun_boss(outside(boss), made, 1, STEP["2.3"], boss)
        assert lay_out(root, solutions(), hunt, shown, STEP["2.3"], made.text) is None
        files = {p.relative_to(root / FOLDER).as_posix() for p in (root / FOLDER).rglob("*.py")}
        assert files == {step.path for step in shown} and len(files) == count
        assert (root / FOLDER / STEP["2.3"].path).read_text("utf-8") == made.text


def test_a_sheet_for_a_class_is_judged_by_grade(
    hunts: Said, fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files fail as they are and pass when repaired; the page for the class tells nothing."""
    monkeypatch.setattr(sheet, "COURSE", tmp_path)
    done = json.loads(hunts(fresh, "hunt", "--sheet", "3", "--seed", "5", "--json").stdout)
    assert list(done) == ["version", "seed", "folder", "key", "steps"]
    steps = [STEP[id] for id in done["steps"]]
    folder, key = tmp_path / done["folder"], (tmp_path / done["key"]).read_text("utf-8")
    page = (folder / "README.md").read_text("utf-8")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert len(steps) == 3 and files == {step.path for step in steps}
    for step in steps:
        (says,) = {one.says for one in mistakes(step).values() if one.says in key}
        assert step.path in page and says not in page
    typed = re.findall("`python run_step.py grade FOLDER (.*)`", key)[0].split()
    for results, wanted in (("one", {"fail", "error"}), ("two", {"pass"})):
        words = [str(folder), *typed, "--results", str(tmp_path / results), "--json"]
        (row,) = json.loads(hunts(fresh, "grade", *words).stdout)["submissions"]
        assert {result["verdict"] for result in row["steps"]} <= wanted
        for step in steps:
            (folder / step.path).write_text(solution(step), "utf-8")


def test_a_sheet_overwrites_nothing(
    hunts: Said, fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet, "COURSE", tmp_path)
    (tmp_path / "hunt-sheet-key.md").write_text("mine", "utf-8")
    for words, says in (
        (["1"], "hunt-sheet-key.md exists already"),
        (["0"], "1 to 18 files"),
        (["19"], "1 to 18 files"),
        (["3", "--hard"], "only --seed and --json"),
    ):
        done = hunts(fresh, "hunt", "--sheet", *words)
        assert done.returncode == 2 and says in done.stderr
    assert (tmp_path / "hunt-sheet-key.md").read_text("utf-8") == "mine"
    assert not (tmp_path / "hunt-sheet").exists()
