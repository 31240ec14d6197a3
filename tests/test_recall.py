"""`recall`: lines of passed files, days after, judged by the checks."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import STEP
from recalls import DAY, NORM, after, seeded

from checks.contents import CORE, Step
from checks.engine.files.progress import Progress, Recall
from checks.engine.files.source import solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS, Judge
from checks.recalling.items import gap, mixed
from checks.recalling.schedule import A_DAY, DAYS, answered, due, due_day, next_day

SEEDS = range(2 if os.environ.get("CI") else 1)


def test_the_days_of_somebody_who_is_always_right() -> None:
    known, taken = Recall(since=str(DAY)), []
    for day in map(after, range(100)):
        ready = due_day(known, day)
        if ready is not None and ready <= day:
            answered(known, True, day)
            taken.append(day)
    assert DAYS == (1, 3, 7, 21)
    assert taken == [after(1), after(1 + 3), after(1 + 3 + 7), after(1 + 3 + 7 + 21)]


def test_a_miss_comes_back_the_next_day_in_the_same_round() -> None:
    known = Recall(since=str(DAY), rounds=2)
    assert due_day(known, after(9)) == after(7)
    answered(known, False, after(9))
    assert (due_day(known, after(9)), known.rounds) == (after(10), 2)
    answered(known, False, after(10))
    answered(known, True, after(11))
    assert (due_day(known, after(11)), known.rounds) == (after(11 + 21), 3)


def test_an_answer_before_its_day_counts_only_if_it_is_wrong() -> None:
    known = Recall(since=str(DAY), rounds=1)
    answered(known, True, after(1))
    assert known == Recall(since=str(DAY), rounds=1)
    answered(known, False, after(1))
    assert due_day(known, after(1)) == after(2)


def course_of(tmp_path: Path, recalls: dict[str, Recall]) -> Any:
    progress = Progress(tmp_path / ".progress.json", lambda: DAY)
    progress.recalls = recalls
    return SimpleNamespace(progress=progress, has_passed=lambda step: True)


def test_mistakes_come_first_and_five_steps_a_day_at_most(tmp_path: Path) -> None:
    recalls = {step.name: Recall(since=str(after(-9))) for step in CORE[:8]}
    recalls[CORE[6].name].missed = True
    recalls[CORE[7].name].named = "no-scale"
    recalls[CORE[2].name].since = str(after(-20))
    course = course_of(tmp_path, recalls)
    first = [one.step for one in due(course, DAY)]
    assert first == [CORE[6], CORE[7], CORE[2], CORE[0], CORE[1]] and A_DAY == 5
    for step in first[:3]:
        answered(recalls[step.name], True, DAY)
    assert [one.step for one in due(course, DAY)] == [CORE[0], CORE[1]]
    answered(recalls[CORE[0].name], False, DAY)
    answered(recalls[CORE[1].name], True, DAY)
    assert due(course, DAY) == [] and next_day(course, DAY) == after(1)
    left = [one.step for one in due(course, after(1))]
    assert left[0] == CORE[0] and set(left[1:]) == {CORE[3], CORE[4], CORE[5]}


# The progress


def test_a_pass_and_a_named_mistake_are_kept(tmp_path: Path) -> None:
    file = tmp_path / ".progress.json"
    progress = Progress(file, lambda: DAY)
    with progress.changing():
        progress.remember(NORM, "no-mean", 7)
        progress.remember(NORM, None, None)
        progress.record(NORM, "digest", True)
    later = Progress(file, lambda: after(5))
    assert later.recalls == {"layer_norm": Recall(since=str(DAY), named="no-mean")}
    later.record(NORM, "another digest", True)
    assert later.recalls["layer_norm"].since == str(DAY)


@pytest.mark.parametrize(
    "entry",
    [None, 3, {"since": "yesterday"}, {"since": 4}, {"rounds": "2"}, {"rounds": -1}, {"day": 1}],
)
def test_what_another_program_wrote_is_left_out(tmp_path: Path, entry: Any) -> None:
    file = tmp_path / ".progress.json"
    right = {"since": str(DAY), "rounds": 1, "missed": False, "named": ""}
    recalls = {"layer_norm": entry, "masks": right, "no_step": right}
    file.write_text(json.dumps({"passed": {}, "hints": {}, "recalls": recalls}), "utf-8")
    assert Progress(file).recalls == {"masks": Recall(since=str(DAY), rounds=1)}


# The lines


@pytest.fixture(scope="module")
def passes(versions_host: Host) -> Iterator[Callable[[Step], Callable[[str], bool]]]:
    """Whether no check of a step fails with a text."""

    def of(step: Step) -> Callable[[str], bool]:
        def judged(text: str) -> bool:
            source = solutions().with_text(step, text)
            judge = Judge(versions_host, source, 7, SECONDS, frozenset(STEP) - {step.id})
            return judge.first_failure(step) is None

        return judged

    yield of


@pytest.mark.parametrize("step", CORE, ids=lambda step: step.name)
def test_each_step_has_a_line_that_the_checks_see(passes: Any, step: Step) -> None:
    text = solution(step)
    for seed in SEEDS:
        one = gap(step, text, passes(step), Random(seed))
        assert one is not None and one.with_line(one.own) == text
        shown = one.shown()
        assert sum("____" in row for row in shown) == 1 and one.own not in map(str.strip, shown)
        assert len(shown) <= 16 and not one.own.startswith(("super()", "raise", "self.eps"))


def test_names_of_other_functions_are_given() -> None:
    _, one = seeded(NORM, "self.gamma = nn.Parameter(torch.ones(dim_vector))")
    assert one.names == ["self.gamma"]
    _, one = seeded(STEP["1.2"], 'self.register_buffer("pe", table)')
    assert one.names == ["self.pe"]
    _, one = seeded(STEP["5.1"], "return (src != src_pad_idx)[:, None, None, :]")
    assert one.names == []


@pytest.mark.parametrize("step", [STEP["2.1"], STEP["5.1"]], ids=lambda step: step.name)
def test_one_line_does_not_belong(passes: Any, step: Step) -> None:
    one = mixed(step, solution(step), passes(step), Random(3))
    assert one is not None and not passes(step)(one.instead)
    here, right = (map(str.strip, text.splitlines()) for text in (one.instead, solution(step)))
    assert one.wrong in here and one.wrong not in right
    assert all(line in solution(step) for line in one.lines if line != one.wrong)
    assert "abcdefghijklmno".index(one.key) == one.lines.index(one.wrong)


def test_the_learners_own_mistake_is_taken_first() -> None:
    one = mixed(NORM, solution(NORM), lambda text: False, Random(1), "no-mean")
    assert one is not None and one.mistake == "no-mean"


def test_a_file_that_no_mistake_fits_has_no_mixed_lines() -> None:
    own = "class LayerNorm:\n    def forward(self, x):\n        y = x\n        return y\n"
    assert mixed(NORM, own, lambda text: False, Random(1)) is None
