"""`run_step.py grade`: every submission gets its row, whatever it is and whatever happens."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from a_class import make, right
from conftest import AT_MOST, posix, until
from grading_run import SEED, Grading, grade, lose, rows, verdict
from odd_submissions import ODD, tree

from checks.contents import CORE, COURSE, STEPS
from checks.engine.commands.command import main
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.known import mistakes
from checks.grading.command import weakest
from checks.grading.formats import FORMATS
from checks.grading.pool import usual_jobs

pytestmark = pytest.mark.room
RIGHT = Path(__file__).with_name("right")


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below, with its size and its time."""
    found = (path for path in folder.rglob("*") if not path.is_dir() and path.suffix != ".pyc")
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in found}


# A class


@pytest.fixture(scope="module")
def a_class(tmp_path_factory: pytest.TempPathFactory) -> tuple[Grading, dict[str, str], Any]:
    """A class with one of each kind or more, graded without interruption; its kinds; the run."""
    count = 18 if os.environ.get("CI") else 9
    grading = Grading(tmp_path_factory.mktemp("a class"))
    kinds = make(grading.handed_in, count)
    before = files(grading.folder), files(COURSE / "checks")
    done = grading.run("--format", "json", "--jobs", "2", *SEED)
    assert done.returncode == 1
    after = files(grading.folder), files(COURSE / "checks")
    new = {path for path in after[0] if path not in before[0]}
    assert all(Path(path).parent == grading.results for path in new)
    assert {path: after[0][path] for path in before[0]} == before[0] and before[1] == after[1]
    assert len(done.stderr.splitlines()) == count + 1 and "\x1b" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("Learner code ran behind: process")
    grading.ends()
    return grading, kinds, json.loads(done.stdout)


def test_every_kind_of_submission_has_its_verdict(
    a_class: tuple[Grading, dict[str, str], Any],
) -> None:
    _, kinds, run = a_class
    expected = {
        **{"right": {"pass"}, "zipped": {"pass"}, "begun": {"untouched"}, "hangs": {"timeout"}},
        **{"wrong": {"fail", "error"}, "broken": {"unreadable"}, "bomb": {"unreadable"}},
        **{"escapes": {"unreadable"}, "empty": {"unreadable"}},
    }
    assert set(kinds.values()) == set(expected)
    assert {row["name"] for row in run["submissions"]} == set(kinds)
    for row in run["submissions"]:
        kind = kinds[row["name"]]
        assert verdict(row) in expected[kind], (row["name"], kind, row)
        passed = sum(step["verdict"] == "pass" for step in row["steps"])
        assert row["points"] == passed and row["max_points"] == len(CORE)
        assert len(row["steps"]) == (0 if row["problem"] else len(CORE))


@posix
@pytest.mark.ci
def test_a_run_that_is_killed_goes_on_and_comes_to_the_same(
    a_class: tuple[Grading, dict[str, str], Any], tmp_path: Path
) -> None:
    whole, kinds, run = a_class
    grading = Grading(tmp_path)
    shutil.copytree(whole.handed_in, grading.handed_in, dirs_exist_ok=True)
    killed_and_resumed(grading, kinds, run, kills=3)


def killed_and_resumed(grading: Grading, kinds: dict[str, str], run: Any, kills: int) -> None:
    """At random moments, after which at least one more result is there."""
    rng = random.Random(3)
    kept: dict[str, int] = {}
    words = ("class", "--results", "results", "--resume", "--jobs", "2", *SEED)
    for number in range(kills):
        process = grading.start(*words)
        part = (len(kinds) - len(kept)) // (kills - number + 1)  # There is to be some left at last.
        aim = len(kept) + 1 + rng.randrange(max(1, part))
        until(lambda: len(list(grading.results.glob("*.json"))) > min(aim, len(kinds) - 1))
        time.sleep(rng.random() / 4)
        os.killpg(process.pid, signal.SIGKILL)
        _, err = process.communicate()
        assert "Traceback" not in err
        grading.ends()
        now = grading.kept()
        assert {name: now[name] for name in kept} == kept  # Nothing is judged again.
        assert now and (len(now) < len(kinds) or kept)  # At least the first was in the midst of it.
        kept = now

    done = grading.run("--resume", "--jobs", "2", "--format", "json", *SEED)
    told = done.stderr.splitlines()
    assert sum("(kept)" in line for line in told) == len(kept)
    now = grading.kept()
    assert {name: now[name] for name in kept} == kept and set(now) == set(kinds)
    assert rows(json.loads(done.stdout)) == rows(run)
    grading.ends()


def test_odd_submissions_each_have_a_row_and_harm_no_other(grading: Grading) -> None:
    for odd in ODD.values():
        odd.make(grading.handed_in)
    before = files(grading.handed_in)
    done = grading.run("--steps", "1.1", "--format", "json", "--jobs", "2", *SEED)
    found = rows(json.loads(done.stdout))
    assert done.returncode == 1
    assert files(grading.handed_in) == before and not (grading.folder / "x.py").exists()
    shown = {name.encode("utf-8", "replace").decode(): odd for name, odd in ODD.items()}
    assert set(found) == set(shown)
    for name, odd in shown.items():
        row = found[name]
        assert verdict(row) == odd.verdict, (name, row)
        said = row["problem"] or (row["steps"][0]["checks"])[0]
        assert odd.says in json.dumps(row, ensure_ascii=False), (name, said)
        assert row["points"] == (odd.verdict == "pass")
    told = done.stderr.split("\n")
    assert len(told) == len(ODD) + 2 and all(line.isprintable() for line in told)
    assert grading.kept().keys() == ODD.keys()
    grading.ends()

    again = grading.run("--steps", "1.1", "--resume", "--format", "json", *SEED)
    assert again.stderr.count("(kept)") == len(ODD)
    assert rows(json.loads(again.stdout)) == found
    assert json.loads(again.stdout)["isolation"] == json.loads(done.stdout)["isolation"]
    plain = grading.run("--steps", "1.1", "--resume")
    assert len(plain.stdout.splitlines()) == len(ODD) + 1
    for format in ("csv", "junit", "github"):
        text = grading.run("--steps", "1.1", "--resume", "--format", format).stdout
        assert "\x1b" not in text and "\u202e" not in text


def test_right_versions_pass_and_wrong_ones_fail_by_their_mistake(grading: Grading) -> None:
    for version in RIGHT.iterdir():
        shutil.copytree(version, grading.handed_in / version.name)
    wrong = {}
    for id in ("1.2", "2.1"):
        step = next(step for step in STEPS if step.id == id)
        name, mistake = next(iter(mistakes(step).items()))
        wrong[f"wrong in {id}"] = (step.id, name)
        tree(f"wrong in {id}", {**right(), step.path: mistake.source(step).encode()})(
            grading.handed_in
        )
    for row in grading.json("--jobs", "2", "--steps", "1", "2.1", "2.2", "2.3")["submissions"]:
        if row["name"] not in wrong:
            assert verdict(row) == "pass", row
            continue
        id, name = wrong[row["name"]]
        by_step = {step["step"]: step for step in row["steps"]}
        named = {check["mistake"]["name"] for check in by_step[id]["checks"] if check["mistake"]}
        assert named == {name} and by_step[id]["verdict"] == "fail"
        assert all(step["verdict"] == "pass" for step in row["steps"] if step["step"] < id)


def test_bonus_steps_count_only_if_they_are_asked_for(grading: Grading) -> None:
    tree("zoe", right())(grading.handed_in)
    for asked, points in ((["1"], 3), (["1", "1.4"], 4)):
        (row,) = grading.json("--steps", *asked)["submissions"]
        assert row["points"] == row["max_points"] == points
        shutil.rmtree(grading.results)


def test_without_torch_it_says_what_to_install(
    two: Grading, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lose(monkeypatch, NoWorker("PyTorch could not be started"))
    assert grade(two) == 3
    out, err = capfd.readouterr()
    assert out == "" and "pip install" in err


def test_files_beside_the_command_shadow_no_library(fresh: Path, two: Grading) -> None:
    course = Path(shutil.copytree(fresh, two.folder / "course"))
    (course / "queue.py").write_text("raise SystemExit('shadowed')\n")
    done = subprocess.run(
        [sys.executable, str(course / "run_step.py"), "grade", "class", "--steps", "1.1"],
        cwd=two.folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "alice" in done.stdout and "1/1" in done.stdout
    assert not list(course.rglob("__pycache__"))


# What it prints


def test_each_format_alone_is_on_stdout(two: Grading) -> None:
    summary = two.folder / "summary.md"
    words = ("--steps", "1.1", "1.2", "--resume", *SEED)
    table = two.run(*words)
    assert table.returncode == 1
    assert [line.split()[:3] for line in table.stdout.splitlines()[1:]] == [
        ["alice", "2/2", "2/2"],
        ["bob", "0/2", "0/2"],
    ]
    shown = {
        format: two.run(*words, "--format", format, GITHUB_STEP_SUMMARY=str(summary)).stdout
        for format in ("json", "csv", "junit", "github")
    }
    assert len(json.loads(shown["json"])["submissions"]) == 2
    cells = list(csv.DictReader(io.StringIO(shown["csv"])))
    assert [row["status"] for row in cells] == ["pass", "unreadable"]
    assert ElementTree.fromstring(shown["junit"]).tag == "testsuites"
    assert all(line.startswith("::") for line in shown["github"].splitlines())
    assert "alice" in summary.read_text("utf-8")

    page = two.folder / "new" / "grades.csv"
    quiet = two.run(*words, "--format", "csv", "--output", str(page))
    assert quiet.stdout == "" and page.read_text("utf-8") == shown["csv"]
    unwritable = two.run(*words, "--format", "github", GITHUB_STEP_SUMMARY=str(two.folder))
    assert unwritable.returncode == 1 and "cannot be written" in unwritable.stderr
    one = ("class/alice", "--results", "results", "--resume", "--steps", "1.1", "1.2")
    process = two.start(*one, "--format", "gradescope")
    out, _ = process.communicate(timeout=AT_MOST)
    assert process.returncode == 0 and json.loads(out)["tests"]
    assert {*shown, "gradescope"} == set(FORMATS)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "What was handed in?"),
        (("nowhere",), "There is no 'nowhere'"),
        ((".", "--jobs", "0"), "at least one judge"),
        ((".", "--steps", "9.9"), "no step"),
        ((".", "--points", "nowhere"), "points file"),
        ((".", "--shard", "3/2"), "not a part"),
        ((".", "--format", "xml"), "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_said(
    words: tuple[str, ...],
    says: str,
    two: Grading,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(two.handed_in)
    try:
        status = main(["grade", *words])
    except SystemExit as exit:
        status = int(exit.code or 0)
    out, err = capsys.readouterr()
    assert status == 2 and says in err and out == ""
    assert not (two.handed_in / "grades").exists()


def test_the_walls_that_stood_around_all() -> None:
    assert weakest(["a+b+c", None, "a+c", "c+a+b"]) == "a+c"
    assert weakest(["a", "b"]) == "process"
    assert weakest([None]) is None


def test_as_many_judges_as_this_process_has_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {3, 5, 7}, raising=False)
    assert usual_jobs() == 3
    monkeypatch.delattr("os.sched_getaffinity")
    assert usual_jobs() == 64
