"""A graduation as it is typed: with its step, alone, in JSON, interrupted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import AT_MOST, EVERYTHING, Said, linux, solve, typed

from checks.contents import SOLUTIONS
from checks.engine.commands.screen import WIDTH

pytestmark = pytest.mark.room


def names(done: subprocess.CompletedProcess[str]) -> list[list[str]]:
    return [
        [check["name"] for check in step["checks"]] for step in json.loads(done.stdout)["steps"]
    ]


def test_it_runs_for_one_step_alone_and_counts(said: Said, course: Path) -> None:
    solve(course, *EVERYTHING)
    together = said(course, "5.5", "5.6", "--json")
    wrong = [check for step in json.loads(together.stdout)["steps"] for check in step["checks"]]
    assert [check for check in wrong if check["verdict"] != "pass"] == []
    assert together.returncode == 0 and "graduation" not in str(names(together))
    begun = {
        s["name"]: s["state"] for s in json.loads(said(course, "list", "--json").stdout)["steps"]
    }
    assert begun["translate"] == begun["classifier"] == "begun"
    assert "run_step.py 5.5" in said(course, "5.5", "5.6").stdout

    alone = said(course, "5.6")
    assert alone.returncode == 0, alone.stdout
    assert "on numbers never seen:" in alone.stdout and "5.6 classifier passes" in alone.stdout
    states = {
        s["name"]: s["state"] for s in json.loads(said(course, "list", "--json").stdout)["steps"]
    }
    assert (states["classifier"], states["translate"]) == ("passed", "begun")

    fell = said(course, "look", "5.6").stdout
    losses = [
        float(number) for number in re.findall(r"^to step +\d+ #* (\S+)$", fell, re.MULTILINE)
    ]
    assert 10 <= len(losses) <= 12 and losses[-1] < 0.5 < losses[0]
    # Of the 800 texts, those that are the same in two languages are left out.
    assert re.search(r"On texts never seen: \d+ of (800|7\d\d) right", fell)
    assert all(len(line) <= WIDTH for line in fell.splitlines())
    assert "has a picture when your model has learned" in said(course, "look", "5.5").stderr

    with (course / "s5_transformer/classifier.py").open("a") as file:
        file.write("# Other files: to be shown again.\n")
    assert said(course, "5.5", "5.6").returncode == 0
    later = {
        s["name"]: s["state"] for s in json.loads(said(course, "list", "--json").stdout)["steps"]
    }
    assert later["classifier"] == "begun"


@pytest.mark.ci
def test_json_has_it_as_a_check() -> None:
    done = typed(SOLUTIONS.parent, "5.6", "--json", "--submission", str(SOLUTIONS), "--borrow")

    (step,) = json.loads(done.stdout)["steps"]
    check = step["checks"][-1]
    assert done.returncode == 0 and step["verdict"] == check["verdict"] == "pass"
    assert check["name"] == "graduation" and "95 of 100" in check["sentence"]
    assert check.keys() == step["checks"][0].keys()


@linux
def test_interrupted_it_leaves_nothing_behind(tmp_path: Path) -> None:
    words = ["5.5", "--submission", str(SOLUTIONS), "--borrow"]
    process = subprocess.Popen(
        [sys.executable, str(SOLUTIONS.parent / "run_step.py"), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    while "step  50" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=AT_MOST)

    assert process.returncode == 130 and "Traceback" not in errors
    assert not list(tmp_path.iterdir())
