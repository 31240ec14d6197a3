"""A verdict depends on nothing but the code: not on load, on time, or on our own faults."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import EVERYTHING, Make, Run, linux, typed, unbiased, until
from oddities import NORM, RIGHT
from repeat import repeat

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.files.source import Source
from checks.engine.hosting.clock import Clock, used_by
from checks.engine.hosting.host import Host
from checks.engine.hosting.outcomes import Died
from checks.engine.hosting.process import Worker
from checks.engine.judging.judge import Judge

BUSY = """
        import time
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass"""


def test_a_starved_worker_is_nobodys_fault() -> None:
    """Ready to run, but given no time: neither a timeout nor a pass, but infra."""
    clock = Clock(seconds=1.0, used=0.0)
    found = [clock.over(0.5, "R", 0.1) for _ in range(50)]
    assert set(found) == {None, "starved"} and found.index("starved") >= 30

    clock = Clock(seconds=1.0, used=5.0)
    assert [clock.over(0.5, "R", 5.0 + n) for n in (0.5, 1.0)] == [None, "timeout"]
    clock = Clock(seconds=1.0, used=0.0)  # Asleep: nobody keeps it from going on.
    assert [clock.over(0.5, "S", 0.0) for _ in range(2)] == [None, "timeout"]
    for state, times in (("Z", 2), ("D", 20)):  # Its first thread has ended; a disk, or vfork.
        clock = Clock(seconds=1.0, used=0.0)
        found = [clock.over(0.5, state, 0.0) for _ in range(times)]
        assert found == [None] * (times - 1) + ["timeout"]
    clock = Clock(seconds=1.0, used=None)  # Where no clock can be read.
    assert [clock.over(0.5, "", None) for _ in range(8)] == [None] * 7 + ["timeout"]
    for used in (0.0, None):  # The lid was closed for a minute: nobody looked, and nobody slept.
        assert Clock(seconds=1.0, used=used).over(60.0, "S", used) is None


@linux
def test_the_computing_of_its_children_is_its_own() -> None:
    """Else a program that forks without end would be called starved by others."""
    child = "import os, signal\nif os.fork(): signal.pause()\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", child], start_new_session=True) as process:
        try:
            until(lambda: (used_by(process.pid)[1] or 0.0) > 1.0)
        finally:
            os.killpg(process.pid, 9)


def test_each_check_has_all_the_time(host: Host, submission: Make) -> None:
    """All checks together may take longer than the limit of one, though one worker answers all."""
    slow = RIGHT.replace("def forward(self, x: Tensor) -> Tensor:", f"def forward(self, x):{BUSY}")
    root = Source(submission({NORM: slow}))
    step = [step for step in STEPS if step.id == "2.3"]
    assert Judge(host, root, 7, 1.0, EVERYTHING).run(step)[0].verdict == "pass"


@linux
def test_the_name_of_the_folder_does_not_count(tmp_path: Path) -> None:
    """PyTorch takes no name that is not UTF-8: so it must not be told where our files lie."""
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/latin\xe9"))
    for name in ("checks", "solutions"):
        shutil.copytree(COURSE / name, root / name)
    for name in ("run_step.py", "requirements.txt"):
        shutil.copy(COURSE / name, root)
    done = typed(root, "2.3", "--submission", str(root / "solutions"), "--borrow")
    assert done.returncode == 0, done.stdout + done.stderr


def test_our_own_fault_is_asked_again_and_never_a_fail(
    monkeypatch: pytest.MonkeyPatch, host: Host
) -> None:
    asked = Counter[str]()
    next_answer = Worker.next_answer

    def starved(self: Worker, *request: bytes) -> Any:
        asked["answers"] += 1
        if asked["answers"] in never:
            raise Died("starved")
        return next_answer(self, *request)

    monkeypatch.setattr(Worker, "next_answer", starved)
    step = [step for step in STEPS if step.id == "2.3"]
    never: Any = range(1, 2)  # The first time that all are asked.
    assert Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING).run(step)[0].verdict == "pass"
    never = range(10**6)
    assert Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING).run(step)[0].verdict == "infra"


def test_a_seed_gives_the_same_numbers_again(run: Run, submission: Make) -> None:
    root = submission({NORM: unbiased(RIGHT)})
    first, again = (run(root, "2.3", alone=True, seed=5)[0] for _ in range(2))
    other = run(root, "2.3", alone=True, seed=6)[0]
    assert [c.message for c in first.checks] == [c.message for c in again.checks]
    assert [c.message for c in first.checks] != [c.message for c in other.checks]


@pytest.mark.ci
def test_nothing_but_pass_on_a_busy_machine() -> None:
    """Two stages here; `python -m tests.repeat` does it 200 times with all."""
    found = repeat(8, "1", "2", first_seed=1000)
    assert set(found) == {"pass"}, found
