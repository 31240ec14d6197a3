"""What was kept stays: two commands at once, a full disk, a damaged file, a killed command."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import STEP, Said, full_disk, posix, solve

from checks.contents import COURSE
from checks.engine.commands import surroundings, work
from checks.engine.commands.work import Work
from checks.engine.files.progress import Progress
from checks.engine.files.scratch import Scratch

NORM = STEP["2.3"]
KILLED = """
from checks.engine.files.scratch import Scratch
print(Scratch().folder, flush=True)
input()
"""


def test_commands_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each has read the file before the others wrote to it."""
    file = tmp_path / ".progress.json"
    commands = [Progress(file) for _ in range(8)]

    def learn(number: int) -> None:
        for count in range(20):
            with commands[number].changing():
                commands[number].hunts.setdefault(NORM.name, []).append(f"{number}-{count}")

    with ThreadPoolExecutor(len(commands)) as pool:
        list(pool.map(learn, range(len(commands))))
    assert len(Progress(file).hunts[NORM.name]) == 8 * 20


def test_a_verdict_takes_back_only_what_it_is_about(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pass of other files stays, and a fault of the checker says nothing about the learner."""
    monkeypatch.setattr(work, "COURSE", course)
    before = Work(own := Namespace(submission=None, borrow=False))
    solve(course, "2.3")
    Work(own).record({"2.3": "pass"})
    for learned, verdict, passes in (
        (before, "fail", True),
        (Work(own), "infra", True),
        (Work(own), "fail", False),
    ):
        learned.record({"2.3": verdict})
        assert Work(own).has_passed(NORM) == passes


@posix
def test_what_cannot_be_written_is_said_once(said: Said, course: Path) -> None:
    said(course, "hint", "2.3")
    before = (course / ".progress.json").read_bytes()
    with full_disk():
        for words in (("hint", "2.3"), ("hint", "2.3"), ("1.1", "2.3")):
            done = said(course, *words)
            (line,) = done.stderr.splitlines()
            assert line.startswith("Your progress is not kept: .progress.json cannot be written")
        assert surroundings.folder().state == "fix"
    assert (course / ".progress.json").read_bytes() == before
    assert surroundings.folder().state == "ok"
    assert said(course, "hint", "2.3").stderr == ""


@posix
def test_a_damaged_file_is_moved_aside(said: Said, course: Path) -> None:
    file = course / ".progress.json"
    for number, content in enumerate(('{"passed": [', "[]", "[" * 100_000, None), 1):
        if content is None:
            file.unlink(missing_ok=True)
            file.mkdir()
        else:
            file.write_text(content, "utf-8")
        (line,) = said(course, "list").stderr.splitlines()
        kept = course / f".kept/progress.json.{number}"
        assert line.startswith(".progress.json cannot be read") and kept.name in line
        assert kept.is_dir() if content is None else kept.read_text("utf-8") == content


@posix
def test_what_a_killed_command_left_is_removed_by_a_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "in-use").touch()
    (tmp_path / "run_step-link").symlink_to(elsewhere)
    command = [sys.executable, "-c", KILLED]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(
        command, cwd=COURSE, env={"TMPDIR": str(tmp_path)}, text=True, **pipes
    ) as killed:
        left = Path(killed.stdout.readline().strip())
        Scratch().close()
        assert left.is_dir()  # It is in use.
        killed.kill()
    Scratch().close()
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", "run_step-link"}
    assert (elsewhere / "in-use").exists()
