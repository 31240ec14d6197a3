"""`recall` as it is typed."""

from __future__ import annotations

import builtins
import io
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import STEP, Said, solve
from pages import first_names
from recalls import DAY, MEAN, NORM, ONE, WRITTEN, after, seeded

from checks.contents import Step
from checks.engine.commands import work
from checks.engine.commands.screen import WIDTH
from checks.engine.files.progress import Progress, Recall
from checks.engine.files.source import Source, solution
from checks.engine.hosting.host import Host
from checks.recalling import command
from checks.recalling.items import Mixed, mixed
from checks.recalling.schedule import DAYS

Typed = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def passed(course: Path) -> Path:
    """A course in which 2.1 and 2.3 are written, and known to pass."""
    solve(course, "2.1", "2.3")
    source, progress = Source(course), Progress(course / ".progress.json")
    with progress.changing():
        for id in ("2.1", "2.3"):
            progress.passed[STEP[id].name] = source.digest(STEP[id])
    return course


def keep(course: Path, **known: Recall) -> None:
    progress = Progress(course / ".progress.json")
    with progress.changing():
        progress.recalls = known


def kept(course: Path, step: Step = NORM) -> Recall:
    return Progress(course / ".progress.json").recalls[step.name]


@pytest.fixture
def typed(host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """`recall` in this process, with a host that is there already, these answers and this day."""
    monkeypatch.setattr(command, "Host", lambda: nullcontext(host))
    monkeypatch.setenv("NO_COLOR", "1")

    def type(course: Path, *words: str, answers: str | None = "", day: date = DAY) -> Any:
        monkeypatch.setattr(work, "COURSE", course)
        monkeypatch.setattr(sys, "stdin", None if answers is None else io.StringIO(answers))
        options = command.parser().parse_intermixed_args(["recall", *words])
        capsys.readouterr()
        status = command.recall(options.words[1:], options, lambda: day)
        out, err = capsys.readouterr()
        assert max(map(len, out.splitlines())) <= WIDTH
        return subprocess.CompletedProcess(words, status, out, err)

    return type


def test_any_right_line_counts_and_the_file_stays(passed: Path, typed: Typed) -> None:
    keep(passed, layer_norm=Recall(since=str(after(-3)), rounds=1))
    before, (seed, _) = (passed / NORM.path).read_bytes(), seeded(NORM, MEAN)
    done = typed(passed, "--seed", seed, answers="mean = x.sum(-1, keepdim=True) / x.size(-1)\n")
    assert done.returncode == 0 and "2.3 layer_norm passes" in done.stdout
    assert f"in your file: {MEAN}" in done.stdout
    assert f"Next: {after(1)} (tomorrow)" in done.stdout  # 2.1 has its first date now.
    assert kept(passed) == Recall(since=str(DAY), rounds=2)
    assert (passed / NORM.path).read_bytes() == before


def test_a_wrong_line_is_judged_and_then_yours_is_shown(passed: Path, typed: Typed) -> None:
    keep(passed, layer_norm=Recall(since=str(after(-3)), rounds=1))
    before, (seed, _) = (passed / NORM.path).read_bytes(), seeded(NORM, MEAN)
    done = typed(passed, "--seed", seed, answers="mean = 0\nmean = y\n")
    assert done.returncode == 1 and "Mistake: The mean is not" in done.stdout
    assert "name 'y' is not defined" in done.stdout
    assert f"In your file it is:\n    {MEAN}" in done.stdout
    assert kept(passed) == Recall(since=str(DAY), rounds=1, missed=True)
    assert (passed / NORM.path).read_bytes() == before


def first_round(seed: int) -> Mixed:
    one = mixed(NORM, solution(NORM), lambda text: False, Random(f"{seed} layer_norm"))
    assert one is not None
    return one


def test_the_first_round_takes_a_letter(passed: Path, typed: Typed) -> None:
    keep(passed, layer_norm=Recall(since=str(after(-1))))
    one = first_round(4)
    done = typed(passed, "--seed", "4", answers=f"what?\n{one.key.upper()})\n")
    assert done.returncode == 0 and "'what?' is no answer here." in done.stdout
    assert "Yes." in done.stdout and kept(passed).rounds == 1


def test_a_letter_that_belongs_is_a_miss(passed: Path, typed: Typed) -> None:
    keep(passed, layer_norm=Recall(since=str(after(-1))))
    one = first_round(4)
    other = next(key for key in "ab" if key != one.key)
    done = typed(passed, "--seed", "4", answers=f"{other}\n")
    assert done.returncode == 1 and f"The line is {one.key}." in done.stdout
    assert kept(passed).missed


def test_without_an_answer_it_is_printed_and_nothing_is_kept(passed: Path, typed: Typed) -> None:
    keep(passed, layer_norm=Recall(since=str(after(-3)), rounds=1))
    for answers in ("", None):
        done = typed(passed, answers=answers)
        assert done.returncode == 0 and "____" in done.stdout
        assert "In your file" not in done.stdout
    assert kept(passed) == Recall(since=str(after(-3)), rounds=1)


def test_nothing_due(passed: Path, typed: Typed) -> None:
    """A step that passed before there were dates counts as passed on the day of the first call."""
    first = typed(passed)
    assert first.returncode == 0
    due, sooner = first.stdout.splitlines()
    assert due == f"Nothing is due today. Next: {after(1)} (tomorrow)."
    assert sooner.endswith("python run_step.py recall 2.3")
    assert kept(passed) == Recall(since=str(DAY))
    keep(passed, **{name: Recall(str(DAY), len(DAYS)) for name in WRITTEN})
    assert "all passed steps have had their rounds" in typed(passed).stdout


def test_nothing_passed(course: Path, typed: Typed) -> None:
    assert "no step has passed yet" in typed(course).stdout


def test_a_step_that_is_named_is_taken_now(passed: Path, typed: Typed) -> None:
    keep(passed, layer_norm=Recall(since=str(DAY), rounds=1))
    seed, one = seeded(NORM, MEAN)
    done = typed(passed, "2.3", "--seed", seed, answers=f"{one.own}\n")
    assert done.returncode == 0 and "in your file" not in done.stdout
    assert kept(passed) == Recall(since=str(DAY), rounds=1)


def test_a_step_that_has_not_passed_or_has_changed_says_so(passed: Path, said: Said) -> None:
    file = passed / NORM.path
    file.write_text(solution(NORM).replace("mean =", "mean  ="), "utf-8")
    for step in ("2.2", "2.3"):
        done = said(passed, "recall", step)
        assert done.returncode == 2 and "has not passed yet, or has changed since" in done.stderr
    done = said(passed, "recall", "2.1", "--json")
    assert done.returncode == 2 and "takes no step" in done.stderr


def test_what_was_answered_is_kept_when_it_is_left(
    passed: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(
        passed,
        calculate_attention=Recall(since=str(after(-9))),
        layer_norm=Recall(since="2020-01-01"),
    )
    answers = iter([first_round(4).key])

    def read(prompt: str) -> str:
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", read)
    done = typed(passed, "--seed", "4")
    assert done.returncode == 130 and done.stderr == ""
    assert kept(passed).rounds == 1 and kept(passed, STEP["2.1"]).rounds == 0


def test_progress_that_is_deleted_meanwhile_begins_again(
    passed: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(passed, layer_norm=Recall(since=str(after(-1))))

    def read(prompt: str) -> str:
        (passed / ".progress.json").unlink()
        return first_round(4).key

    monkeypatch.setattr(builtins, "input", read)
    assert typed(passed, "--seed", "4").returncode == 0
    assert kept(passed) == Recall(since=str(DAY), rounds=1)


@pytest.mark.parametrize("since", [str(after(99)), "9999-12-31"])
def test_a_pass_in_the_future_counts_as_todays(
    passed: Path, typed: Typed, said: Said, since: str
) -> None:
    keep(passed, layer_norm=Recall(since=since), calculate_attention=Recall(since=since))
    assert said(passed, "list").returncode == 0
    assert "(tomorrow)" in typed(passed).stdout
    assert kept(passed).since == str(DAY)


def test_the_json_of_recall(passed: Path, said: Said) -> None:
    today = date.today()
    missed = Recall(str(today - ONE), 1, True, "no-mean")
    keep(passed, layer_norm=missed, calculate_attention=Recall(str(today)))
    done = json.loads(said(passed, "recall", "--json").stdout)
    lead = "`python run_step.py recall --json` prints what is due"
    assert list(done) == first_names("docs/commands.md", lead)
    (entry,) = done["due"]
    assert list(entry) == first_names("docs/commands.md", "Each entry of `due`:")
    assert (entry["step"], entry["due"], entry["mistake"]) == ("2.3", str(today), "no-mean")
    assert (done["today"], done["next"]) == (str(today), str(today + ONE))


def test_list_says_what_is_due_only_if_something_is(passed: Path, said: Said) -> None:
    before = (passed / ".progress.json").read_bytes()
    assert "recall" not in said(passed, "list").stdout
    assert (passed / ".progress.json").read_bytes() == before
    old = Recall(since=str(date.today() - ONE))
    keep(passed, layer_norm=old, calculate_attention=old)
    line = "2 steps can be recalled today: python run_step.py recall\n"
    assert said(passed, "list").stdout.endswith(f"\n{line}")


def test_ask_reviews_what_is_due(passed: Path, said: Said) -> None:
    assert "Nothing is due" in said(passed, "ask", "--review").stdout
    old = Recall(since=str(date.today() - ONE))
    keep(passed, layer_norm=old, calculate_attention=old)
    before = (passed / ".progress.json").read_bytes()
    done = json.loads(said(passed, "ask", "--review", "--json").stdout)
    assert [one["step"] for one in done["questions"]] == ["2.1", "2.3", "2.1", "2.3"]
    assert done["step"] is None
    shown = said(passed, "ask", "--review", NO_COLOR="1").stdout
    assert "2.3 layer_norm, question 2 of 4" in shown and "Answers" in shown
    assert said(passed, "ask", "2.1", "--review").returncode == 2
    assert (passed / ".progress.json").read_bytes() == before
