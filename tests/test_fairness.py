"""A verdict depends on nothing but the code: not on load, on time, or on our own faults."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from conftest import EVERYTHING, Make, Run, linux, posix, unbiased, until
from oddities import NORM, RIGHT, top
from repeat import repeat

from checks.contents import SOLUTIONS, STEPS
from checks.engine.asking.conversation import Conversation
from checks.engine.asking.learner import Files
from checks.engine.files.source import Source, solutions
from checks.engine.hosting.clock import Clock, used_by
from checks.engine.hosting.host import Host
from checks.engine.hosting.outcomes import Died
from checks.engine.hosting.process import Worker
from checks.engine.judging.judge import Judge
from checks.engine.judging.results import checks_of_step

BUSY = """
import time
end = time.process_time() + 0.3
while time.process_time() < end:
    pass
"""


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
@pytest.mark.ci
def test_a_worker_that_is_used_for_long_keeps_its_time(submission: Make) -> None:
    """The system's count of its computing runs ahead of the clock, by more the longer it lives."""
    computes = """
import resource, time
start = time.process_time()
while time.process_time() < start + 0.4: pass
assert resource.getrlimit(resource.RLIMIT_CPU)[0] > 1.5 * time.process_time()"""
    root = Source(submission({NORM: top(computes)}))
    step = next(step for step in STEPS if step.id == "2.3")
    with Host(again=True) as host:
        judge = Judge(host, root, 7, passed=EVERYTHING)
        for _ in range(18):  # Then it has computed for seven seconds.
            found = judge.runner.ask(step, checks_of_step(step)[0], judge.files(step), {})
            assert found.verdict == "pass", found.message


@linux
def test_the_computing_of_its_children_is_its_own() -> None:
    """Else a program that forks without end would be called starved by others."""
    child = "import os, signal\nif os.fork(): signal.pause()\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", child], start_new_session=True) as process:
        try:
            until(lambda: (used_by(process.pid)[1] or 0.0) > 1.0)
        finally:
            os.killpg(process.pid, 9)


@posix
def test_a_worker_gets_all_the_time_it_is_allowed_again_and_again(host: Host) -> None:
    """The limit of the system counts whole seconds, and from its birth: it must not be sooner."""
    step = next(step for step in STEPS if step.path == NORM)
    files = Files("", solutions().with_text(step, BUSY + RIGHT).modules, step.path)
    worker = host.worker(0.5)
    for _ in range(6):
        worker.allow(0.5)
        worker.ask("renew")
        Conversation(worker, files).load(step.module, 7)
    host.done(worker)


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
