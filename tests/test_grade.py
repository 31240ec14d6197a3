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
import threading
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from a_class import make, right, zipped
from conftest import AT_MOST, until
from odd_submissions import ODD, tree

from checks.contents import CORE, COURSE, STEPS
from checks.engine.commands.command import main
from checks.engine.commands.words import Usage
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.known import mistakes
from checks.grading.command import weakest
from checks.grading.formats import FORMATS
from checks.grading.handed_in import Submission
from checks.grading.pool import Pool, usual_jobs
from checks.grading.results import Results

pytestmark = pytest.mark.room
RIGHT = Path(__file__).with_name("right")
SEED = ("--seed", "5")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and groups of processes")


class Grading:
    """A folder to grade in: class/ is graded, results/ has the results, tmp/ is for what passes."""

    def __init__(self, folder: Path):
        self.folder, self.handed_in = folder, folder / "class"
        self.tmp, self.results = folder / "tmp", folder / "results"
        self.handed_in.mkdir()
        self.tmp.mkdir()

    def start(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(COURSE / "run_step.py"), "grade", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONIOENCODING": "ascii",
                "TMPDIR": str(self.tmp),
                "GITHUB_STEP_SUMMARY": "",
                **environment,
            },
            start_new_session=True,
        )

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        process = self.start("class", "--results", "results", *words, **environment)
        out, err = process.communicate(timeout=AT_MOST)
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def json(self, *words: str) -> dict[str, Any]:
        run: dict[str, Any] = json.loads(self.run("--format", "json", *words).stdout)
        return run

    def kept(self) -> dict[str, int]:
        """The results that are there, each of which is whole, with what tells two writes apart."""
        found = {}
        for file in self.results.glob("*.json"):
            content = json.loads(file.read_text("utf-8"))
            if file.name != "run.json":
                assert content["row"]["points"] is not None and len(content["key"]) == 32
                found[content["row"]["name"]] = file.stat().st_mtime_ns
        return found

    def processes(self) -> list[str]:
        """The command lines of what runs on behalf of this folder (Linux)."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_bytes()
                mine = command + (process / "environ").read_bytes()
            except OSError:
                continue
            if str(self.folder).encode() in mine and int(process.name) != os.getpid():
                found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
        return found

    def ends(self) -> None:
        """Soon nothing runs any more, and nothing is left of it."""
        if sys.platform == "linux":
            until(lambda: not self.processes())
            left = [path for path in self.tmp.rglob("*") if path.parent != self.tmp]
            assert left == []  # The folder of a run that was killed at its very start is empty.


def rows(run: dict[str, Any]) -> dict[str, Any]:
    """By name, without what differs between two runs."""
    found = {}
    for row in run["submissions"]:
        steps = [{**step, "seconds": 0} for step in row["steps"]]
        found[row["name"]] = {**row, "seconds": 0, "steps": steps}
    return found


def verdict(row: dict[str, Any]) -> str:
    verdicts = [step["verdict"] for step in row["steps"]]
    problem = row["problem"] and row["problem"]["verdict"]
    return problem or next((verdict for verdict in verdicts if verdict != "pass"), "pass")


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below, with its size and its time."""
    found = (path for path in folder.rglob("*") if not path.is_dir() and path.suffix != ".pyc")
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in found}


@pytest.fixture
def grading(tmp_path: Path) -> Grading:
    return Grading(tmp_path)


@pytest.fixture
def two(grading: Grading) -> Grading:
    """One right, one wrong and broken."""
    tree("alice", right())(grading.handed_in)
    (grading.handed_in / "bob.zip").write_bytes(zipped(right())[:1000])
    return grading


# A class


@pytest.fixture(scope="module")
def a_class(tmp_path_factory: pytest.TempPathFactory) -> tuple[Grading, dict[str, str], Any]:
    """A class with one of each kind or more, graded without interruption; its kinds; the run."""
    count = 40 if os.environ.get("CI") else 9
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
    killed_and_resumed(grading, kinds, run, kills=5)


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
@pytest.mark.parametrize("format", ["gradescope", "exercism"])
def test_what_is_for_one_submission_is_there_from_the_beginning(
    grading: Grading, format: str
) -> None:
    tree("zoe", {**right(), STEPS[0].path: b"while True: pass\n"})(grading.handed_in)
    page = grading.folder / "out" / "results.json"
    words = ("class/zoe", "--format", format, "--output", str(page), "--time-limit", "60")
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


def grade(grading: Grading, *words: str) -> int:
    """In this process."""
    results = str(grading.results)
    return main(["grade", str(grading.handed_in), "--results", results, "--steps", "1.1", *words])


def lose(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def ask(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(Pool, "_start", lambda self: None)
    monkeypatch.setattr(Pool, "_ask", ask)


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
    for format in ("gradescope", "exercism"):
        process = two.start(*one, "--format", format)
        out, _ = process.communicate(timeout=AT_MOST)
        assert process.returncode == 0 and json.loads(out)["tests"]
    assert {*shown, "gradescope", "exercism"} == set(FORMATS)


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
