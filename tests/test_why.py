"""`why`: what a mistake does to a model that learns, beside the right version."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest
from conftest import STEP, Said

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.known import mistakes
from checks.graduation.backwards import Backwards
from checks.graduation.why import SEED, measured, seen_by, shows, train

pytestmark = pytest.mark.room


def test_the_task_asks_what_was_not_learned() -> None:
    task = Backwards(SEED)
    assert len(task.asked) == 100 and not {*task.asked} & {*task.learned}
    assert all(text.split()[::-1] == answer.split() for text, answer in task.asked)
    assert Backwards(SEED).asked == task.asked != Backwards(SEED + 1).asked


def test_a_leak_looks_learned_and_cannot_write(host: Host) -> None:
    """The same figures every time; the right version learns the task."""
    judge = Judge(host, Source(SOLUTIONS), SEED)
    step = STEP["4.1"]
    mistake = mistakes(step)["no-mask-on-target"]
    right, wrong, again = train(judge), train(judge, step, mistake), train(judge, step, mistake)
    assert right.alone == right.told == 1.0
    assert wrong.told == 1.0 and wrong.alone < 0.5 and shows(right, wrong)
    assert wrong == again
    found = seen_by(judge, step, mistake)
    assert found is not None and re.match(
        r"There \d+ of \d+ numbers differ, by up to", measured(found)
    )
    stops = train(judge, STEP["2.1"], mistakes(STEP["2.1"])["not-transposed"])
    assert stops.stopped and shows(right, stops)


def test_the_last_named_mistake_is_meant(said: Said, course: Path) -> None:
    nothing = said(course, "why")
    assert nothing.returncode == 2 and "No step has a named mistake now" in nothing.stderr
    file = course / ".progress.json"
    said(course, "2.5")
    progress = json.loads(file.read_text("utf-8"))
    progress["mistakes"] = {"feed_forward": "nothing-returned"}
    file.write_text(json.dumps(progress), "utf-8")
    told = said(course, "why")
    assert told.returncode == 0 and "2.5 feed_forward: nothing-returned" in told.stdout
    assert "there is none to train" in told.stdout


@pytest.mark.parametrize(
    ("name", "mistake", "offered"),
    [
        *(("layer_norm", "", True), ("rms_norm", "", False), ("bert_encoder", "", False)),
        ("feed_forward", "nothing-returned", False),
    ],
)
def test_a_hint_offers_it_where_there_is_something_to_train(
    said: Said, course: Path, name: str, mistake: str, offered: bool
) -> None:
    """The model has the step, and the mistake is an edit of the solution."""
    file, step = course / ".progress.json", next(s for s in STEPS if s.name == name)
    said(course, "2.5")
    progress = json.loads(file.read_text("utf-8"))
    progress["mistakes"] = {name: mistake or next(iter(mistakes(step)))}
    file.write_text(json.dumps(progress), "utf-8")
    told = " ".join(said(course, "hint", step.id).stdout.split())
    assert ("The mistake is in this TODO" in told) == (not mistake)
    assert "one more:" in told and ("run_step.py why" in told) == offered


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["2.1", "scale-without-rot"], "Did you mean scale-without-root?"),
        (["python-list"], "have a mistake of this name. Say which: why 1.1 python-list"),
        (
            ["1.2"],
            "Type a step and a mistake. for example: python run_step.py why 1.2 exponent-doubled",
        ),
        (["1.2"], "The mistakes of 1.2: exponent-doubled, exponent-halved"),
        (["2.1", "python-list"], "There is no known mistake 'python-list' in 2.1."),
    ],
)
def test_what_is_not_one_mistake_is_asked_back(
    said: Said, course: Path, words: list[str], says: str
) -> None:
    done = said(course, "why", *words)
    assert done.returncode == 2 and says in " ".join(done.stderr.split())


def test_a_step_outside_the_model_is_said_so(said: Said, course: Path) -> None:
    name = next(iter(mistakes(STEP["5.7"])))
    done = said(course, "why", "5.7", name)
    assert done.returncode == 0, done.stderr
    assert "has no cached_decoding" in done.stdout and "The check that sees it" in done.stdout


def test_the_page_is_made_of_the_figures() -> None:
    """Its mistakes are known ones. Trained again: python benchmarks/why.py [STEP …]"""
    spec = importlib.util.spec_from_file_location("why_benchmark", COURSE / "benchmarks/why.py")
    assert spec is not None and spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    figures = json.loads(benchmark.FIGURES.read_text("utf-8"))
    assert benchmark.PAGE.read_text("utf-8") == benchmark.page(figures)
    for step in STEPS:
        assert figures.get(step.name, {}).keys() <= mistakes(step).keys()
