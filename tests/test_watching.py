"""The parts of `watch`: what a save is, when a run begins, what it says."""

from __future__ import annotations

import os
import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import AT_MOST, until
from session import FIRST, RIGHT, SECOND, WRONG, save

from checks.engine.commands.screen import Screen
from checks.engine.hosting.host import Host
from checks.engine.watching.running import Run
from checks.engine.watching.saves import THOROUGH, Saves
from checks.engine.watching.view import View
from checks.engine.watching.watch import Watch


@pytest.fixture
def saves(submission: Callable[[dict[str, str | bytes]], Path]) -> Saves:
    found = Saves(submission({}))
    found.near = FIRST.path
    return found


def looks(saves: Saves) -> set[str]:
    """As many as it takes until every content was compared."""
    return set().union(*(saves.look() for _ in range(THOROUGH)))


def test_what_is_a_save(saves: Saves) -> None:
    file, other = saves.root / FIRST.path, saves.root / SECOND.path
    assert looks(saves) == set()
    os.utime(file)
    assert saves.look() == {FIRST.path}
    os.utime(other)
    assert saves.look() | saves.look() == {SECOND.path}
    shutil.copystat(file, copy := shutil.copy(file, file.with_name("copy")))
    os.replace(copy, file)
    assert looks(saves) == set()  # Another inode, and nothing else.
    frozen = file.stat().st_mtime_ns
    file.write_bytes(file.read_bytes().replace(b"a", b"b"))
    os.utime(file, ns=(frozen, frozen))
    assert looks(saves) == {FIRST.path}  # As long as before, and at the same time.
    frozen = other.stat().st_mtime_ns
    other.write_bytes(other.read_bytes().replace(b"a", b"b"))
    os.utime(other, ns=(frozen, frozen))
    assert looks(saves) == {SECOND.path}


def test_what_is_no_save(saves: Saves) -> None:
    stage = saves.root / FIRST.path.split("/")[0]
    for name in (".#token_embedding.py", ".token_embedding.py.swp", "token_embedding.py~", "4913"):
        (stage / name).symlink_to("nowhere") if "#" in name else (stage / name).write_text("x = 0")
    (saves.root / FIRST.path).unlink()
    assert saves.look() == {FIRST.path}
    os.mkfifo(saves.root / FIRST.path)
    assert looks(saves) == {FIRST.path}
    (stage / "own.py").write_text("x = 0")
    assert looks(saves) == {f"{stage.name}/own.py"}
    (stage / "own.py").write_text("x = 1  # longer")
    assert looks(saves) == {f"{stage.name}/own.py"}


def test_looking_slows_down_where_it_costs(saves: Saves, monkeypatch: pytest.MonkeyPatch) -> None:
    now = saves.last

    def pause(at: float, a_look: float) -> float:
        clock = iter([at, at + a_look, at + a_look])
        fake = SimpleNamespace(monotonic=lambda: next(clock))
        monkeypatch.setattr("checks.engine.watching.saves.time", fake)
        saves.look()
        return saves.patience()

    assert pause(now + 1, 0.0) == pytest.approx(0.02)
    assert pause(now + 2, 0.03) == pytest.approx(0.15)
    assert pause(now + 3, 1.0) == pytest.approx(0.2)
    assert pause(now + 90, 0.0) == pytest.approx(0.045)  # Nobody saves: that may cost less.
    os.utime(saves.root / FIRST.path)
    pause(now + 91, 0.0)
    assert pause(now + 92, 0.0) == pytest.approx(0.02)


class Judged:
    """A judge whose run lasts until it is cancelled, and whose reason until it may come."""

    def __init__(self) -> None:
        self.begun, self.cancelled, self.may_explain = (threading.Event() for _ in range(3))
        self.may_run = threading.Event()

    def run(self, steps: object, brief: bool = False) -> list[SimpleNamespace]:
        assert brief  # The verdict comes first.
        self.begun.set()
        while not self.may_run.wait(0.01):
            if self.cancelled.is_set():
                raise RuntimeError("Cancelled")
        return [SimpleNamespace(verdict="fail")]

    def complete(self, step: object, result: object) -> None:
        assert self.may_explain.wait(AT_MOST)

    def cancel(self) -> None:
        self.cancelled.set()

    def close(self) -> None:
        pass


def a_run(make: Callable[[object], Any], wake: Any = lambda: None, before: Any = None) -> Run:
    return Run(FIRST, None, make, wake, before)  # type: ignore[arg-type]


def test_a_run_begins_when_the_one_before_has_ended() -> None:
    """What is cancelled may take the workers of others along."""
    first, second = Judged(), Judged()
    before = a_run(lambda work: first)
    assert first.begun.wait(AT_MOST)
    before.cancel()
    run = a_run(lambda work: second, before=before)
    assert second.begun.wait(AT_MOST)
    assert not before.thread.is_alive() and before.result is None
    run.cancel()
    run.thread.join(AT_MOST)
    assert not run.thread.is_alive() and run.result is None


def test_a_run_is_cancelled_before_it_begins() -> None:
    judge, made = Judged(), threading.Event()

    def make(work: object) -> Judged:
        assert made.wait(AT_MOST)
        return judge

    run = a_run(make)
    run.cancel()
    made.set()
    run.thread.join(AT_MOST)
    assert not run.thread.is_alive() and not judge.begun.is_set()


def test_the_verdict_comes_before_its_reason() -> None:
    judge, told = Judged(), threading.Event()
    judge.may_run.set()
    run = a_run(lambda work: judge, told.set)
    assert told.wait(AT_MOST)
    assert run.first_verdict == "fail" and not run.explained
    judge.may_explain.set()
    run.thread.join(AT_MOST)
    assert run.explained


# The whole watch, without a terminal


@pytest.fixture
def watching(
    host: Host, submission: Callable[[dict[str, str | bytes]], Path]
) -> Iterator[Callable[..., Watch]]:
    """Watch 1.1, step by step; it has passed once."""
    begun: list[Watch] = []

    def begin(seed: int | None = None) -> Watch:
        words = {"submission": str(submission({})), "borrow": False, "time_limit": None}
        options, keys = SimpleNamespace(seed=seed, **words), SimpleNamespace(single=False)
        events: queue.Queue[str | None] = queue.Queue()
        view = View(Screen(), keys, options)  # type: ignore[arg-type]
        watch = Watch(host, options, FIRST, False, view, events)
        begun.append(watch)
        assert checked(watch).first_verdict == "pass"
        return watch

    yield begin
    for watch in begun:
        if watch.run is not None:
            watch.run.cancel()
            watch.run.thread.join(AT_MOST)


def checked(watch: Watch) -> Run:
    """The run that a save begins, or nothing but the wish to see it again; when all is said."""
    if not watch._look(others=True):
        watch._begin()
    return told(watch)


def told(watch: Watch) -> Run:
    until(lambda: watch._advance() or (watch.run is not None and watch.run.told))
    assert watch.run is not None and watch.run.error is None
    return watch.run


def test_each_run_has_a_seed_of_its_own(watching: Callable[..., Watch]) -> None:
    watch = watching()
    assert len({checked(watch).judge.seed for _ in range(3)}) == 3


def test_a_seed_that_is_given_stays(watching: Callable[..., Watch]) -> None:
    watch = watching(seed=5)
    assert {checked(watch).judge.seed for _ in range(2)} == {5}


def test_the_first_verdict_is_the_last(watching: Callable[..., Watch]) -> None:
    watch = watching()
    file = watch.saves.root / FIRST.path
    broken = RIGHT.replace("return self.embedding(x)", "return self.embedding(y)")
    for text, verdict in [(WRONG, "fail"), (RIGHT, "pass"), (broken, "error"), ("", "untouched")]:
        save(file, text)
        run = checked(watch)
        assert (run.first_verdict, run.result and run.result.verdict) == (verdict, verdict)


def test_a_module_beside_the_stage_folders_is_seen(watching: Callable[..., Watch]) -> None:
    watch = watching()
    save(watch.saves.root / "my_helper.py", "x = 1\n")
    until(lambda: watch._look())


def test_a_verdict_is_not_said_of_another_file(
    watching: Callable[..., Watch], capsys: pytest.CaptureFixture[str]
) -> None:
    """It was right when it was checked, and is wrong now: as long as before, at the same time."""
    watch = watching()
    file = watch.saves.root / FIRST.path
    file.write_text(RIGHT + "# 1\n", "utf-8")
    frozen = file.stat().st_mtime_ns
    assert watch._look() and watch.run is not None
    right = watch.run
    until(lambda: right.result is not None)
    capsys.readouterr()
    file.write_text(WRONG, "utf-8")
    os.utime(file, ns=(frozen, frozen))
    assert told(watch) is not right
    assert right.first_verdict == "pass" and "passes" not in capsys.readouterr().out
