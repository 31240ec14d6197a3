"""`grade` that is interrupted, resumed, divided: nothing is lost or judged twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from a_class import right
from conftest import AT_MOST, posix, until
from grading_run import SEED, Grading, grade, lose, rows, verdict
from odd_submissions import tree

from checks.contents import STEPS
from checks.engine.commands.words import Usage
from checks.grading.handed_in import Submission
from checks.grading.pool import Pool
from checks.grading.results import Results

pytestmark = pytest.mark.room


# Interruptions and faults


@posix
def test_ctrl_c_keeps_what_is_judged(two: Grading) -> None:
    tree("zoe", {**right(), STEPS[0].path: b"while True: pass\n"})(two.handed_in)
    words = ("class", "--results", "results", "--jobs", "2", "--time-limit", "60")
    process = two.start(*words, "--steps", "1.1", *SEED)
    until(lambda: len(two.kept()) == 2)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=AT_MOST)
    assert process.returncode == 130 and out == ""
    assert "--resume" in err and "Traceback" not in err
    assert len(two.kept()) == 2
    two.ends()


@posix
def test_what_is_for_one_submission_is_there_from_the_beginning(grading: Grading) -> None:
    tree("zoe", {**right(), STEPS[0].path: b"while True: pass\n"})(grading.handed_in)
    page = grading.folder / "out" / "results.json"
    words = ("class/zoe", "--format", "gradescope", "--output", str(page), "--time-limit", "60")
    process = grading.start(*words, "--steps", "1.1")
    until(page.exists)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    text = page.read_text("utf-8")
    assert "not graded" in text.lower() and "score" not in json.loads(text)
    grading.ends()


CONFIG = {"seed": 5, "steps": ["1.1"], "seconds": 3.0, "borrow": False, "points": {"1.1": 2.0}}


@pytest.mark.parametrize(("deaths", "points"), [(1, 2.0), (2, None)])
def test_a_judge_that_dies_is_followed_by_another_one(
    two: Grading, deaths: int, points: float | None
) -> None:
    with Pool(CONFIG, 1) as pool:
        tries: list[int] = []
        ask = pool._ask

        def dying(process: subprocess.Popen[str], submission: Submission) -> Any:
            tries.append(process.pid)
            if submission.name == "alice" and len(tries) <= deaths:
                threading.Timer(0.5, process.kill).start()
            return ask(process, submission)

        pool._ask = dying  # type: ignore[method-assign]
        found = [
            Submission("alice", two.handed_in / "alice"),
            Submission("bob", two.handed_in / "alice"),
        ]
        marked = {submission.name: row for submission, row in pool.mark(found)}
    assert len(tries) == min(deaths, 1) + 2 and len(set(tries[:2])) == 2
    assert marked["alice"]["points"] == points and marked["bob"]["points"] == 2.0
    if points is None:
        assert marked["alice"]["problem"]["verdict"] == "infra"


def test_our_fault_is_no_zero_and_is_not_kept(
    two: Grading, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lose(monkeypatch, OSError(12, "Cannot allocate memory"))
    assert grade(two, "--format", "json") == 3
    run = json.loads(capfd.readouterr().out)
    assert all(verdict(row) == "infra" and row["points"] is None for row in run["submissions"])
    assert run["isolation"] == "process"
    monkeypatch.undo()
    assert grade(two, "--resume", "--format", "json") == 1
    assert [row["points"] for row in json.loads(capfd.readouterr().out)["submissions"]] == [1, 0]


# Resuming


def kept_lines(capfd: pytest.CaptureFixture[str]) -> int:
    return capfd.readouterr().err.count("(kept)")


def test_what_has_changed_is_judged_again(
    two: Grading, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert grade(two, *SEED) == 1
    assert grade(two, "--resume") == 1 and kept_lines(capfd) == 2
    file = two.handed_in / "alice" / STEPS[0].path
    file.write_bytes(file.read_bytes() + b"# more\n")
    assert grade(two, "--resume") == 1 and kept_lines(capfd) == 1
    for damage in (b"", b"{}", b"[1, 2]", b"\xff", None):
        (kept,) = two.results.glob("alice-*.json")
        whole = kept.read_bytes()
        kept.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
        results = Results(two.results, settings(two), resume=True)
        assert results.get(Submission("alice", two.handed_in / "alice")) is None
        kept.write_bytes(whole)
    monkeypatch.setattr("checks.grading.results.checker", lambda: "another")
    (two.handed_in / "alice").rename(two.handed_in / "carol")
    assert grade(two, "--resume") == 1 and kept_lines(capfd) == 0


def settings(grading: Grading) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((grading.results / "run.json").read_text("utf-8"))
    return {**found, "given": False}


def begin(folder: Path, resume: bool = False, **changes: Any) -> Results:
    return Results(folder, {**CONFIG, "given": True, **changes}, resume)


def test_another_run_is_not_mixed_with_the_first(tmp_path: Path) -> None:
    assert begin(tmp_path / "new").settings["seed"] == 5
    assert (tmp_path / "new" / ".gitignore").read_text() == "*\n"
    with pytest.raises(Usage, match="--resume"):
        begin(tmp_path / "new")
    assert begin(tmp_path / "new", True, seed=9, given=False).settings["seed"] == 5
    for name, other in {"seed": 6, "steps": ["1.2"], "seconds": 4.0, "borrow": True}.items():
        with pytest.raises(Usage, match=f"{name}.*--results"):
            begin(tmp_path / "new", True, **{name: other})
    with pytest.raises(Usage, match=r"points was \{'1.1': 2.0\} and is \{'1.1': 3.0\}"):
        begin(tmp_path / "new", True, points={"1.1": 3.0})


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"seed": 5}', b"\xff\xfe"])
def test_settings_that_are_none_of_ours(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(Usage, match=r"run.json is not of a run"):
        begin(tmp_path, True)
    assert (tmp_path / "run.json").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_results_that_cannot_be_kept(two: Grading, capfd: pytest.CaptureFixture[str]) -> None:
    two.results.write_text("a file")
    assert grade(two) == 2
    assert "cannot be kept" in capfd.readouterr().err
    two.results.unlink()
    bob = str(two.handed_in / "bob.zip")
    assert grade(two, bob, "--format", "gradescope") == 2  # Two submissions: nothing is begun.
    assert not two.results.exists()


def test_a_disk_that_is_full_is_said(two: Grading, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("checks.grading.results.write_whole", full)
    results = begin(two.results)
    with pytest.raises(Usage, match="No space left"):
        results.put(Submission("alice", two.handed_in / "alice"), "key", {})


def test_a_folder_of_ones_own_keeps_its_gitignore(two: Grading) -> None:
    (two.handed_in / ".gitignore").write_text("mine")
    begin(two.handed_in)
    assert (two.handed_in / ".gitignore").read_text() == "mine"


def test_two_shards_at_once_share_a_folder_and_a_seed(grading: Grading) -> None:
    for name in ("alice", "bob", "carol"):
        tree(name, right())(grading.handed_in)
    words = ("class", "--results", "results", "--steps", "1.1", "--format", "json")
    shards = [grading.start(*words, "--shard", f"{part}/2") for part in (1, 2)]
    runs = [json.loads(shard.communicate(timeout=AT_MOST)[0]) for shard in shards]
    parts = [[row["name"] for row in run["submissions"]] for run in runs]
    assert parts == [["alice", "carol"], ["bob"]] and runs[0]["seed"] == runs[1]["seed"]
    whole = grading.run("--steps", "1.1", "--resume", "--format", "json")
    assert whole.stderr.count("(kept)") == 3
    assert rows(json.loads(whole.stdout)) == {**rows(runs[0]), **rows(runs[1])}
