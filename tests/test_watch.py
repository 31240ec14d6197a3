"""`run_step.py watch`, driven as a learner does: in a terminal, with saves as editors make them."""

from __future__ import annotations

import json
import os
import queue
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import AT_MOST, solve, typed, until

from checks.contents import SOLUTIONS, STEPS
from checks.engine.commands.screen import Screen
from checks.engine.hosting.host import Host
from checks.engine.judging import runner
from checks.engine.watching.running import Recording, Run
from checks.engine.watching.saves import HALF_WRITTEN, THOROUGH, Saves
from checks.engine.watching.view import View
from checks.engine.watching.watch import Watch

if os.name != "posix":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import fcntl
import pty
import termios

FIRST, SECOND = STEPS[:2]
RIGHT = (SOLUTIONS / FIRST.path).read_text("utf-8")
WRONG = RIGHT.replace("return self.embedding(x)", "return 2 * self.embedding(x)")
ENDLESS = RIGHT.replace("return self.embedding(x)", "while True: pass")
RULE = r"-- \d\d:\d\d:\d\d -+\n"
SHELL = """if True:  # As much of a shell as Ctrl-Z needs: a job of its own, in front.
    import os, signal, subprocess, sys
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    def in_front():
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
    job = subprocess.Popen(sys.argv[1:], preexec_fn=in_front)
    while os.WIFSTOPPED(status := os.waitpid(job.pid, os.WUNTRACED)[1]):
        os.tcsetpgrp(0, os.getpgrp())
        input("stopped\\n")
        os.tcsetpgrp(0, job.pid)
        os.killpg(job.pid, signal.SIGCONT)
    sys.exit(os.waitstatus_to_exitcode(status))
"""
CLEARS = re.compile(rb"\x1b\[[0-3]?J|\x1b\[[0-9;]*H|\x1bc|\x1b\[\?(1049|1047|47)h")


class Session:
    """The command in a pseudo-terminal or, without one, on pipes; and all that it prints."""

    def __init__(self, course: Path, *words: str, terminal: bool = True, shell: bool = False):
        self.raw, self.seen = b"", 0
        self.read_fd, self.theirs = pty.openpty() if terminal else os.pipe()
        self.write_fd = self.read_fd
        stdin = self.theirs
        if not terminal:
            stdin, self.write_fd = os.pipe()
        self.before = termios.tcgetattr(self.theirs) if terminal else None
        command = [sys.executable, str(course / "run_step.py"), "watch", *words]
        self.process = subprocess.Popen(
            [sys.executable, "-c", SHELL, *command] if shell else command,
            stdin=stdin,
            stdout=self.theirs,
            stderr=self.theirs,
            cwd=course.parent,
            env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
            preexec_fn=_own_terminal if terminal else os.setsid,
        )
        if not terminal:
            os.close(stdin)
            os.close(self.theirs)

    @property
    def text(self) -> str:
        plain = re.sub(rb"\x1b\[[0-9;]*m", b"", self.raw).replace(b"\r", b"")
        return plain.decode("utf-8", "ignore")

    def type(self, text: str) -> None:
        os.write(self.write_fd, text.encode())

    def until(self, pattern: str) -> str:
        """Wait for this in what has not been looked at yet: what came, up to its end."""
        end = time.monotonic() + AT_MOST
        while (found := re.compile(pattern, re.DOTALL).search(self.text, self.seen)) is None:
            assert time.monotonic() < end, f"no {pattern!r} in {self.text[self.seen :]!r}"
            assert self._read(), f"ended without {pattern!r} in {self.text[self.seen :]!r}"
        start, self.seen = self.seen, found.end()
        return self.text[start : self.seen]

    def verdict(self, step: str, words: str) -> str:
        """Wait for the next verdict, which must be this one; all that was said, up to its end."""
        text = self.until(rf"{RULE}.*?\nWatching [^\n]*\n")
        assert re.search(rf"{RULE}{re.escape(step)} \w+ {words}", text), text
        return text

    def end(self) -> int:
        """Its exit status, when it has ended by itself."""
        end = time.monotonic() + AT_MOST
        while self._read():
            assert time.monotonic() < end, f"it goes on: {self.text[self.seen :]!r}"
        return self.process.wait(AT_MOST)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(AT_MOST)
        os.close(self.read_fd)
        os.close(self.theirs if self.before is not None else self.write_fd)
        assert not CLEARS.search(self.raw)
        assert "Traceback" not in self.text
        for line in re.findall(r"^(?:-- |Watching |Checking ).*", self.text, re.MULTILINE):
            assert len(line) <= 80

    def _read(self) -> bool:
        """Read what there is, or wait a little; False: there will be no more."""
        if not select.select([self.read_fd], [], [], 0.1)[0]:
            return self.process.poll() is None
        try:
            part = os.read(self.read_fd, 1 << 16)
        except OSError:
            part = b""
        self.raw += part
        return bool(part)


def _own_terminal() -> None:
    """In the child: its standard input is the terminal of a session of its own, as in a shell."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


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


def save(file: Path, text: str) -> None:
    """As many editors do: a new file takes the place of the old one."""
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(text, "utf-8")
    os.replace(beside, file)


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
    session.type("\x1a")
    session.until("stopped\n")
    assert termios.tcgetattr(session.theirs) == session.before
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


def modes(session: Session) -> int:
    return int(termios.tcgetattr(session.theirs)[3])


# Its parts


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

    def explain(self, step: object, result: object) -> None:
        assert self.may_explain.wait(AT_MOST)

    def cancel(self) -> None:
        self.cancelled.set()

    def close(self) -> None:
        pass


def a_run(make: Callable[[object], Any], wake: Any = lambda: None, after: Any = ()) -> Run:
    return Run(FIRST, None, make, wake, after)  # type: ignore[arg-type]


def test_a_run_begins_when_the_one_before_has_ended() -> None:
    """What is cancelled may take the workers of others along."""
    first, second = Judged(), Judged()
    before = a_run(lambda course: first)
    assert first.begun.wait(AT_MOST)
    before.cancel()
    run = a_run(lambda course: second, after=[before])
    assert second.begun.wait(AT_MOST)
    assert not before.thread.is_alive() and before.result is None
    run.cancel()
    run.thread.join(AT_MOST)
    assert not run.thread.is_alive() and run.result is None


def test_a_run_is_cancelled_before_it_begins() -> None:
    judge, made = Judged(), threading.Event()

    def make(course: object) -> Judged:
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
    run = a_run(lambda course: judge, told.set)
    assert told.wait(AT_MOST)
    assert run.brief == "fail" and not run.explained
    judge.may_explain.set()
    run.thread.join(AT_MOST)
    assert run.explained


# Rehearsals: what the next run will ask is asked of our solution, while nothing else goes on


@pytest.fixture
def watching(
    host: Host, submission: Callable[[dict[str, str | bytes]], Path]
) -> Iterator[Callable[..., Watch]]:
    """Watch 1.1, step by step; it has passed once, and the next run is prepared."""
    begun: list[Watch] = []

    def begin(seed: int | None = None) -> Watch:
        words = {"submission": str(submission({})), "borrow": False, "time_limit": None}
        options, keys = SimpleNamespace(seed=seed, **words), SimpleNamespace(single=False)
        events: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        view = View(Screen(), keys, options)  # type: ignore[arg-type]
        watch = Watch(host, options, FIRST, False, view, events)
        begun.append(watch)
        assert checked(watch).brief == "pass"
        assert recorded(watch).rehearsals is not None
        return watch

    yield begin
    for watch in begun:
        for going_on in watch._cancel():
            going_on.thread.join(AT_MOST)


def checked(watch: Watch) -> Run:
    """The run that a save begins, or nothing but the wish to see it again; when all is said."""
    if not watch._look(others=True):
        watch._begin()
    return told(watch)


def told(watch: Watch) -> Run:
    until(lambda: watch._advance() or (watch.run is not None and watch.run.told))
    assert watch.run is not None and watch.run.error is None
    return watch.run


def recorded(watch: Watch) -> Recording:
    assert watch.recording is not None
    watch.recording.thread.join(AT_MOST)
    return watch.recording


def test_each_run_has_a_seed_of_its_own(watching: Callable[..., Watch]) -> None:
    watch = watching()
    seeds = [watch.run.judge.seed] if watch.run else []
    for _ in range(2):
        recording = recorded(watch)
        run = checked(watch)
        assert run.brief == "pass" and run.judge.rehearsals is recording.rehearsals
        assert run.judge.seed == recording.judge.seed
        seeds.append(run.judge.seed)
    assert recorded(watch).judge.seed not in seeds
    assert len(set(seeds)) == 3


def test_a_seed_that_is_given_stays(watching: Callable[..., Watch]) -> None:
    watch = watching(seed=5)
    recording = recorded(watch)
    for _ in range(2):
        run = checked(watch)
        assert run.judge.seed == 5 and run.judge.rehearsals is recording.rehearsals


def test_a_rehearsal_passes_nothing_wrong(watching: Callable[..., Watch]) -> None:
    watch = watching()
    file = watch.saves.root / FIRST.path
    broken = RIGHT.replace("return self.embedding(x)", "return self.embedding(y)")
    for text, verdict in [(WRONG, "fail"), (RIGHT, "pass"), (broken, "error"), (WRONG, "fail")]:
        assert recorded(watch).rehearsals is not None
        save(file, text)
        run = checked(watch)
        assert run.judge.rehearsals is not None
        assert (run.brief, run.result and run.result.verdict) == (verdict, verdict)


def test_what_is_recorded_is_dealt_so_that_all_answer_equally_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As long as nothing is known of how long they take, whoever is done takes the next."""
    checks: list[Any] = [f"check {n}" for n in range(6)]
    one, other = runner._dealt(checks, 2, evenly=True)
    assert one is other and list(one) == checks
    monkeypatch.setattr(runner, "_TOOK", dict(zip(checks, (9.0, 1.0, 5.0, 4.0, 2.0, 3.0))))
    assert [list(lane) for lane in runner._dealt(checks, 2, evenly=True)] == [
        ["check 0", "check 5"],
        ["check 2", "check 3", "check 4", "check 1"],
    ]


def test_a_file_that_is_asked_nothing_costs_no_rehearsal(watching: Callable[..., Watch]) -> None:
    watch = watching()
    recording = recorded(watch)
    save(watch.saves.root / FIRST.path, "")
    assert checked(watch).brief == "untouched"
    save(watch.saves.root / FIRST.path, RIGHT)
    assert checked(watch).judge.rehearsals is recording.rehearsals


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
    assert right.brief == "pass" and "passes" not in capsys.readouterr().out


def test_a_save_does_not_wait_for_a_rehearsal(watching: Callable[..., Watch]) -> None:
    watch = watching()
    judge = Judged()
    judge.rehearse = judge.run  # type: ignore[attr-defined]
    recording = watch.recording = Recording(FIRST, judge)
    assert judge.begun.wait(AT_MOST)
    save(watch.saves.root / FIRST.path, WRONG)
    run = checked(watch)
    assert run.brief == "fail" and run.judge.rehearsals is None
    assert not recording.thread.is_alive() and recording.rehearsals is None
    assert recorded(watch).rehearsals is not None  # For the run after it.


def test_another_step_needs_another_rehearsal(watching: Callable[..., Watch]) -> None:
    watch = watching()
    watch.step = SECOND
    assert checked(watch).judge.rehearsals is None
    assert recorded(watch).step is SECOND
    assert checked(watch).judge.rehearsals is not None
