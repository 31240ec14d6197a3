"""`run_step.py watch`, driven as a learner does: in a terminal, with saves as editors make them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import AT_MOST, solve, typed, until
from session import ENDLESS, FIRST, RIGHT, RULE, SECOND, WRONG, Session, modes, save

from checks.contents import SOLUTIONS, STEPS
from checks.engine.watching.saves import HALF_WRITTEN


@pytest.fixture
def begin(course: Path) -> Iterator[Callable[..., Session]]:
    sessions: list[Session] = []

    def start(*words: str, **how: Any) -> Session:
        sessions.append(Session(course, *words, **how))
        return sessions[-1]

    yield start
    for session in sessions:
        session.close()


@pytest.fixture(scope="module")
def watched(
    fresh: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Session, Path]]:
    """A session that watches 1.1, and its file: each test begins with a save of its own."""
    course = Path(shutil.copytree(fresh, tmp_path_factory.mktemp("watched") / "course"))
    session = Session(course, "1.1", "--time-limit", "60")
    session.verdict("1.1", "is waiting for you")
    yield session, course / FIRST.path
    session.close()


# Saves


def test_a_verdict_at_every_save(watched: tuple[Session, Path]) -> None:
    session, file = watched
    save(file, WRONG)
    said = session.verdict("1.1", "is not right yet")
    assert f"Next: fix {FIRST.path}" in said and "check again   save the file" in said
    save(file, RIGHT)
    session.verdict("1.1", "passes")
    file.write_text(WRONG, "utf-8")  # In place.
    session.verdict("1.1", "is not right yet")
    os.utime(file)  # Saved without a change.
    session.verdict("1.1", "is not right yet")


def test_a_save_in_two_halves_is_one_save(watched: tuple[Session, Path]) -> None:
    session, file = watched
    save(file, WRONG)
    session.verdict("1.1", "is not right yet")
    for first in ("", RIGHT[: len(RIGHT) // 2]):
        took = AT_MOST
        while took > min(HALF_WRITTEN.values()) / 2:  # Else the machine was too slow to tell.
            start = time.monotonic()
            file.write_text(first, "utf-8")
            time.sleep(0.02)
            file.write_text(RIGHT, "utf-8")
            took = time.monotonic() - start
            if took > min(HALF_WRITTEN.values()) / 2:
                session.until(rf"{RULE}1.1 \w+ passes.*?\nWatching [^\n]*\n")
        said = session.until(r"1.1 \w+ passes.*?\nWatching [^\n]*\n")
        assert len(re.findall(RULE, said)) == 1, said


def test_a_broken_and_a_deleted_file(watched: tuple[Session, Path]) -> None:
    session, file = watched
    save(file, "def broken(\n")
    assert f"{FIRST.path}:1" in session.verdict("1.1", "stops with an error")
    save(file, "\0")
    session.verdict("1.1", "cannot be read")
    file.unlink()
    session.verdict("1.1", "lacks something")
    file.mkdir()
    session.verdict("1.1", "cannot be read")
    file.rmdir()
    session.verdict("1.1", "lacks something")
    save(file, RIGHT)
    session.verdict("1.1", "passes")
    away = file.parent.rename(file.parent.with_name("away"))
    session.verdict("1.1", "lacks something")
    away.rename(file.parent)
    session.verdict("1.1", "passes")


def test_a_key_and_a_save_during_a_hang(watched: tuple[Session, Path]) -> None:
    session, file = watched
    save(file, ENDLESS)
    said = session.until("Checking 1.1")  # It takes long by now.
    session.type("h")
    said += session.until(r"1.1 token_embedding, hint 1 of \d.*?one more")
    session.type("l")
    said += session.until("steps passed")
    save(file, RIGHT)
    said += session.verdict("1.1", "passes")
    assert "does not finish" not in said


def test_keys(watched: tuple[Session, Path]) -> None:
    session, file = watched
    save(file, WRONG)
    session.verdict("1.1", "is not right yet")
    session.type("c")
    session.until("can wait until it passes")
    session.type("\x1b[A\x1bOP\n")  # Arrows and function keys are none of ours.
    session.verdict("1.1", "is not right yet")
    save(file, RIGHT + "MINE = 1  # mine\n")
    session.verdict("1.1", "passes")
    session.type("c")
    session.until("\n-MINE = 1  # mine")
    session.type("x")
    session.until("There is no key 'x'.*?Watching")
    session.type("hint\n")  # A whole word does, too.
    session.until(r"hint \d of")


# Steps


def test_it_goes_where_the_learner_goes(begin: Callable[..., Session], course: Path) -> None:
    solve(course, "1.2")
    session = begin()
    assert "Welcome" in session.until("Checking 1.1")
    session.verdict("1.1", "is waiting for you")
    save(course / FIRST.path, RIGHT)
    said = session.until(r"Watching 1.2 [^\n]*\n")  # 1.2 was begun: no need to ask.
    assert re.findall(rf"{RULE}(1.\d) \w+ passes", said) == ["1.1", "1.2"]
    assert "next:  1.3" in said
    save(course / SECOND.path, "nothing = 0\n")
    session.verdict("1.2", "lacks something")
    session.type("n")
    session.verdict("1.3", "is waiting for you")
    save(course / FIRST.path, WRONG)
    session.verdict("1.1", "is not right yet")
    session.type("q")
    assert session.end() == 0
    listed = json.loads(typed(course, "list", "1", "--json").stdout)["steps"]
    assert [step["state"] for step in listed] == ["begun", "begun", "untouched"]


@pytest.mark.room
def test_a_bonus_step_is_watched_where_it_is_named_or_saved(
    begin: Callable[..., Session], course: Path
) -> None:
    solve(course, "1.1", "1.2", "1.3")
    session = begin("1.4", terminal=False)
    session.verdict("1.4", "is waiting for you")
    bonus = next(step for step in STEPS if step.id == "1.4")
    save(course / bonus.path, (SOLUTIONS / bonus.path).read_text("utf-8"))
    assert "next:  1.3" in session.verdict("1.4", "passes")
    session.type("next\n")
    session.verdict("1.3", "passes")
    session.type("quit\n")
    assert session.end() == 0
    session = begin()
    session.verdict("2.1", "is waiting for you")
    save(course / bonus.path, "nothing = 0\n")
    session.verdict("1.4", "lacks something")


def test_a_named_step_stays(begin: Callable[..., Session], course: Path) -> None:
    solve(course, "1.1", "1.2", "1.3")
    session = begin("1.3", terminal=False)
    session.verdict("1.3", "passes")
    save(course / STEPS[3].path, "not_needed = 0\n")
    save(course / FIRST.path, WRONG)  # It builds on this one.
    assert "1.1" in session.verdict("1.3", "is blocked")
    helped = RIGHT.replace("nn.Embedding(", "table(").replace(
        "from torch import", "from s1_embedding.help import table\nfrom torch import"
    )
    save(course / FIRST.path, helped)
    session.verdict("1.3", "is blocked")
    save(course / "s1_embedding" / "help.py", "from torch import nn\n\ntable = nn.Embedding\n")
    session.verdict("1.3", "passes")


# Without a terminal, and the end


def test_lines_without_a_terminal(begin: Callable[..., Session], course: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in sorted(course.rglob("*"))}
    session = begin("2.3", "--submission", str(course / "solutions"), "--borrow", terminal=False)
    session.verdict("2.3", "passes")
    session.type("hint\n")
    session.until("2.3 layer_norm, hint 1 of")
    session.type("L\ncompare\n")
    session.until("s5_transformer/.*letter by letter")
    session.type("nothing like it\n\n")
    session.until("There is no key 'nothing like it'")
    session.verdict("2.3", "passes")
    session.type("next\n")
    session.until(r"Watching (?!2.3)")
    session.type("qui")
    session.type("t\n")
    assert session.end() == 0
    assert b"\x1b" not in session.raw
    assert {path: path.stat().st_mtime_ns for path in sorted(course.rglob("*"))} == before


@pytest.mark.parametrize("text, status", [(WRONG, 1), (RIGHT, 0)])
def test_the_end_of_the_input_is_the_end(course: Path, text: str, status: int) -> None:
    save(course / FIRST.path, text)
    done = typed(course, "watch", "1.1")
    assert done.returncode == status
    assert len(re.findall(RULE, done.stdout)) == 1 and done.stderr == ""


@pytest.mark.parametrize(
    "leave, status",
    [
        ("q", 0),
        ("quit\n", 0),
        ("\x04", 0),
        ("\x03", 130),
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
    ],
)
def test_the_terminal_is_left_as_it_was(
    begin: Callable[..., Session], course: Path, leave: str | signal.Signals, status: int
) -> None:
    session = begin()
    session.until("Checking 1.1")
    until(lambda: not modes(session) & termios.ICANON)
    if isinstance(leave, str):
        session.type(leave)
    else:
        session.process.send_signal(leave)
    assert session.end() == status
    assert termios.tcgetattr(session.theirs) == session.before


def test_ctrl_z_and_on_again(begin: Callable[..., Session], course: Path) -> None:
    session = begin(shell=True)
    session.verdict("1.1", "is waiting for you")
    time.sleep(1)  # By now it only waits for a save.
    session.type("\x1a")
    session.until("stopped\n")
    assert termios.tcgetattr(session.theirs) == session.before
    time.sleep(0.5)  # Longer than it would have waited until its next look.
    session.type("\n")  # To the shell, which goes on with it.
    until(lambda: not modes(session) & termios.ICANON)
    save(course / FIRST.path, WRONG)
    session.verdict("1.1", "is not right yet")
    session.type("q")
    assert session.end() == 0
    assert termios.tcgetattr(session.theirs) == session.before


def test_several_steps_or_none_cannot_be_watched(fresh: Path) -> None:
    for words in (["2"], ["layer_nrom"], ["2.1", "--json"], ["--submission", "nowhere"]):
        done = typed(fresh, "watch", *words)
        assert done.returncode == 2 and done.stdout == "" and "Traceback" not in done.stderr
