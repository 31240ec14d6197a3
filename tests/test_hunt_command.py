"""`hunt` as it is typed: the file, the question, the repair."""

from __future__ import annotations

import builtins
import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import STEP, Said, full_disk, posix, solve
from hunts import hunts
from pages import first_names

from checks.engine.commands.screen import WIDTH
from checks.engine.files.progress import Progress
from checks.engine.files.source import solution
from checks.engine.known import Mistake
from checks.hunting import command
from checks.hunting.kept import FILE, FOLDER, KEYS, load
from checks.hunting.telling import about_the_repair, lines_apart, place_of

pytestmark = pytest.mark.room

__all__ = ["hunts"]

OLD = {"version": 1, "passed": {"masks": "x"}, "hints": {"masks": 2}, "seeds": {"masks": 5}}


@pytest.fixture
def passed(course: Path, hunts: Said) -> Path:
    """A course in which 2.3 and 2.4 have passed."""
    solve(course, "2.3", "2.4")
    assert hunts(course, "2.4").returncode == 0
    return course


class Begun(NamedTuple):
    """A hunt in 2.4: the learner's own file, the one that is hunted in, and what is wrong there."""

    said: str
    own: Path
    hunted: Path
    name: str
    mistake: Mistake


@pytest.fixture
def begun(passed: Path, hunts: Said) -> Begun:
    done = hunts(passed, "hunt", "2.4", "--seed", "3")
    assert done.returncode == 0, done.stderr
    present = load(passed)
    known = present and present.known()
    assert known is not None and known.step is STEP["2.4"]
    path = known.step.path
    return Begun(done.stdout, passed / path, passed / FOLDER / path, known.name, known.mistake)


def test_a_hunt_lies_in_a_folder_of_its_own(passed: Path, begun: Begun) -> None:
    assert f"{FOLDER}/{STEP['2.4'].path}" in begun.said and "AddNorm(" in begun.said
    assert "trace 2.4 --submission hunt" in begun.said
    written = {p.relative_to(passed / FOLDER).as_posix() for p in (passed / FOLDER).rglob("*.*")}
    assert written == {STEP["2.3"].path, STEP["2.4"].path, FILE}
    assert begun.own.read_text("utf-8") == solution(STEP["2.4"])
    assert begun.hunted.read_bytes() != begun.own.read_bytes()


def test_the_question_comes_first(passed: Path, hunts: Said, begun: Begun) -> None:
    present = load(passed)
    assert present is not None
    early = hunts(passed, "hunt", "--check")
    assert early.returncode == 1 and "is not right yet. The question comes first" in " ".join(
        early.stdout.split()
    )
    assert "Expected" not in early.stdout and present.stage == "observe"
    assert json.loads(hunts(passed, "hunt", "--check", "--json").stdout)["failed"] == []
    question = hunts(passed, "hunt", NO_COLOR="1")
    assert all(f"\n  {key}  " in question.stdout for key in KEYS[: len(present.options)])
    assert "hunt --guess LETTER  (a, b" in question.stdout
    assert "answer is" not in question.stdout
    wrong = next(key for key in present.sentences() if key != present.right)
    bad = hunts(passed, "hunt", "--guess", "x")
    assert bad.returncode == 2 and "'x' is no answer here. Type a, b" in bad.stderr
    told = hunts(passed, "hunt", "--guess", wrong)
    assert f"No. The answer is {present.right}." in told.stdout
    twice = hunts(passed, "hunt", "--guess", wrong)
    assert twice.returncode == 2 and "answered already" in twice.stderr
    not_yet = hunts(passed, "hunt")
    assert not_yet.returncode == 1 and "is not right yet" in not_yet.stdout
    assert f"fix {FOLDER}/{STEP['2.4'].path}" in not_yet.stdout
    for done in (question, told, not_yet):
        assert done.stderr == "" and max(map(len, done.stdout.splitlines())) <= WIDTH
    said = " ".join((begun.said + question.stdout + told.stdout + not_yet.stdout).split())
    assert begun.name not in said and begun.mistake.says not in said and "Mistake:" not in said


def test_a_hunted_file_that_is_gone_or_stops(passed: Path, hunts: Said, begun: Begun) -> None:
    several = hunts(passed, "hunt", "2")
    assert several.returncode == 2 and "2 means 5 steps. For example: 2.5" in several.stderr
    hunts(passed, "hunt", "--guess", "a")
    begun.hunted.unlink()
    gone = hunts(passed, "hunt")
    again = "begin again:  python run_step.py hunt 2.4 --seed 3"
    assert gone.returncode == 2 and again in gone.stderr
    right = begun.own.read_text("utf-8")
    begun.hunted.write_text(right.replace("super().__init__()", "undefined()"), "utf-8")
    stops = hunts(passed, "hunt").stdout
    assert f"{FOLDER}/{STEP['2.4'].path}:" in stops
    assert not re.search(rf"(?<!{FOLDER}/){STEP['2.4'].path}", stops)


def test_the_repair_tells_the_mistake(passed: Path, hunts: Said, begun: Begun) -> None:
    before, wrong = begun.own.read_text("utf-8"), begun.hunted.read_text("utf-8")
    begun.hunted.write_text(before, "utf-8")
    found = hunts(passed, "hunt", "--check")
    assert found.returncode == 0 and begun.mistake.says in " ".join(found.stdout.split())
    assert "Your repair is exact" in found.stdout
    (place,) = place_of(begun.mistake, before)[1:]
    assert place in found.stdout and place.strip(" …") in wrong + before
    assert Progress(passed / ".progress.json").hunts == {"add_norm": [begun.name]}
    listed = hunts(passed, "hunt", "--list").stdout
    assert "2.4 add_norm: 1 found" in listed and begun.mistake.says in " ".join(listed.split())
    assert begun.own.read_text("utf-8") == before
    for text in (begun.said, found.stdout):
        assert max(map(len, text.splitlines())) <= WIDTH


def test_nothing_is_thrown_away(passed: Path, hunts: Said) -> None:
    assert hunts(passed, "hunt", "2.3").returncode == 0
    mine = passed / FOLDER / STEP["2.3"].path
    mine.write_text("# my work\n", "utf-8")
    for words in (["2.4"], ["--hard"], ["--seed", "5"]):
        other = hunts(passed, "hunt", *words)
        assert other.returncode == 2 and "is not finished" in other.stderr
    assert mine.read_text("utf-8") == "# my work\n"
    left = hunts(passed, "hunt", "2.4", "--new")
    assert left.returncode == 0 and "are kept in .kept/hunt.1/" in left.stdout
    kept = passed / ".kept" / "hunt.1" / STEP["2.3"].path
    assert kept.read_text("utf-8") == "# my work\n"
    (passed / FOLDER / FILE).write_text("{", "utf-8")  # Another program wrote it.
    assert "are kept in .kept/hunt.2/" in hunts(passed, "hunt", "2.3").stdout


def test_a_terminal_asks_once(passed: Path, hunts: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hunts(passed, "hunt", "2.3").returncode == 0
    present = load(passed)
    assert present is not None
    typed = iter(["", "z", present.right.upper()])
    monkeypatch.setattr(command, "in_a_terminal", lambda: True)
    monkeypatch.setattr(builtins, "input", lambda prompt: next(typed))
    told = hunts(passed, "hunt").stdout
    assert "'z' is no answer here." in told and f"Yes, {present.right} is right" in told
    after = load(passed)
    assert after is not None and (after.stage, after.guess) == ("repair", present.right)


def test_the_json_of_hunt(passed: Path, hunts: Said) -> None:
    fields = first_names("docs/commands.md", "`python run_step.py hunt --json` begins a hunt")
    stages = []
    for words in (["2.4", "--seed", "3"], [], ["--guess", "a"], []):  # Some stop with an error.
        done = json.loads(hunts(passed, "hunt", *words, "--json").stdout)
        assert list(done) == fields
        assert done["mistake"] is done["seen_by"] is done["lines"] is None
        stages.append(done["stage"])
    assert stages == ["observe", "predict", "repair", "repair"]
    assert done["verdict"] == "fail" and done["failed"][0]["mistake"] is None
    assert done["right"] in [option["key"] for option in done["options"]]
    path = STEP["2.4"].path
    (passed / FOLDER / path).write_bytes((passed / path).read_bytes())
    done = json.loads(hunts(passed, "hunt", "--json").stdout)
    assert (done["stage"], done["verdict"], done["lines"]) == ("found", "pass", 0)
    assert list(done["mistake"]) == ["name", "says", "seen", "path"]
    listed = json.loads(hunts(passed, "hunt", "--list", "--json").stdout)
    assert list(listed) == ["version", "found", "open"] and listed["open"] is None
    assert listed["found"][0]["mistakes"] == [done["mistake"]["name"]]


def test_a_step_that_has_not_passed_is_not_hunted_in(fresh: Path, hunts: Said) -> None:
    for words, says in (
        (["2.3"], "2.3 layer_norm has not passed yet"),
        ([], "No step has passed yet"),
        (["2"], "One step at a time"),
        (["--check"], "There is no hunt to go on with."),
    ):
        done = hunts(fresh, "hunt", *words)
        assert done.returncode == 2 and says in done.stderr
    assert not (fresh / FOLDER).exists()
    assert "No hunt has been finished yet." in hunts(fresh, "hunt", "--list").stdout


@posix
def test_where_nothing_can_be_written_the_hunt_stays(
    passed: Path, begun: Begun, hunts: Said
) -> None:
    """It goes on, and of a new one no half folder stays."""
    before = (passed / FOLDER / FILE).read_bytes(), begun.hunted.read_bytes()
    with full_disk():
        for words in (("--guess", "a"), ("--guess", "b")):
            assert "The hunt is not kept" in hunts(passed, "hunt", *words).stderr
        refused = hunts(passed, "hunt", "2.4", "--new")
    assert refused.returncode == 2 and "hunt/ cannot be written" in refused.stderr
    assert ((passed / FOLDER / FILE).read_bytes(), begun.hunted.read_bytes()) == before


def test_old_progress_is_read(tmp_path: Path) -> None:
    file = tmp_path / ".progress.json"
    for kept, read in (
        ({}, {}),
        ({"hunts": 3}, {}),
        ({"hunts": {"masks": ["a", 1]}}, {"masks": ["a"]}),
    ):
        file.write_text(json.dumps({**OLD, **kept}), "utf-8")
        progress = Progress(file)
        assert (progress.hints, progress.seeds) == ({"masks": 2}, {"masks": 5})
        assert progress.hunts == read
        with progress.changing():
            pass
        assert Progress(file).hunts == read


def test_small_repairs_are_praised() -> None:
    right = "a = 1\nb = 2\nc = 3\n"
    assert lines_apart("# said\n" + right, right) == 0
    assert lines_apart(right.replace("2", "1 + 1"), right) == 1
    assert lines_apart("", right) == 3
    long = "import torch\n\n\nclass A:\n    def f(self):\n        self.w: int = g(1, 2)\n"
    assert (
        lines_apart(
            long, "class A:\n    def f(self):\n        self.w = g(\n            1, 2\n        )\n"
        )
        == 0
    )
    assert [about_the_repair(n).split()[3] for n in (0, 1, 3)] == ["exact:", "small:", "another"]
