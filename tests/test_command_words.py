"""What can be typed: spellings of a step, help, JSON, and what cannot be done."""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import get_args

import pytest
from conftest import Said, solve, typed, unbiased
from pages import first_names, page

from checks.contents import BONUS, CORE, COURSE, SOLUTIONS, STEPS
from checks.engine.verdicts import Kind, Verdict


@pytest.mark.parametrize(
    "words, ids",
    [
        (["2.1"], ["2.1"]),
        (["layer_norm"], ["2.3"]),
        (["LAYER_NORM"], ["2.3"]),
        (["s2_attention/layer_norm.py"], ["2.3"]),
        (["./s2_attention/layer_norm.py"], ["2.3"]),
        (["s2_attention\\layer_norm.py"], ["2.3"]),
        ([str(COURSE / "s5_transformer" / "masks.py")], ["5.1"]),
        (["1"], ["1.1", "1.2", "1.3"]),
        (["s3"], ["3.1", "3.2"]),
        (["s4_decoder/"], ["4.1", "4.2"]),
        (["masks", "1.1", "5.1"], ["1.1", "5.1"]),
        (["all"], [step.id for step in CORE]),
        (["bonus"], [step.id for step in BONUS]),
        (["1.4"], ["1.4"]),
        (["scaled_embedding"], ["1.4"]),
        (["s1_embedding/scaled_embedding.py"], ["1.4"]),
        (["bonus", "all"], [step.id for step in STEPS]),
    ],
)
def test_spellings_of_a_step(said: Said, fresh: Path, words: list[str], ids: list[str]) -> None:
    done = said(fresh, "list", *words, "--json")
    assert done.returncode == 0, done.stderr
    assert [step["step"] for step in json.loads(done.stdout)["steps"]] == ids


@pytest.mark.parametrize(
    "words, says",
    [
        (["layer_nrom"], "layer_norm"),
        (["hintt"], "hint"),
        (["9.9"], "9.9"),
        (["2.1", "--seed", "x"], "'x'"),
        (["2.1", "--time-limit", "0"], "'0'"),
        (["--submission", "nowhere"], "nowhere"),
        (["--nonsense"], "--nonsense"),
        (["reset"], "Which step?"),
        (["reset", "2.1", "--submission", "."], "nothing is written"),
        (["hint", "2"], "One step at a time"),
        (["--borrow", "trace", "2.1"], "Write trace first"),
    ],
)
def test_what_cannot_be_done_is_said(said: Said, fresh: Path, words: list[str], says: str) -> None:
    done = said(fresh, *words)
    assert done.returncode == 2
    assert says in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == ""


def test_help_names_every_command_and_option(fresh: Path) -> None:
    done = typed(fresh, "--help")
    assert done.returncode == 0
    for word in ("list", "hint", "compare", "reset", "undo", "--submission", "--json", "--seed"):
        assert word in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_versions_are_said_without_torch(said: Said, fresh: Path) -> None:
    (line,) = said(fresh, "--version").stdout.splitlines()
    torch = version("torch").partition("+")[0]
    assert line == f"course 0.1.0, Python {platform.python_version()}, torch {torch}"


DOCUMENTED = "docs/commands.md"


def test_json_is_one_object_as_documented(said: Said, course: Path) -> None:
    """Its fields, and only those, stand in docs/; verdicts and kinds are closed sets."""
    solve(course, "1.1")
    loud = (SOLUTIONS / "s2_attention/layer_norm.py").read_text("utf-8")
    loud = unbiased(loud).replace("mean = ", "print('{'); mean = ")
    (course / "s2_attention/layer_norm.py").write_text(loud, "utf-8")
    done = said(course, "1.1", "1.2", "2.3", "--json", "--seed", "5")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert {"version": data["version"], "seed": data["seed"]} == {"version": 1, "seed": 5}
    walls = set(first_names("docs/walls.md", "## The names of the walls"))
    assert data["isolation"].startswith("process")
    assert set(data["isolation"].split("+")) <= walls
    assert list(data) == ["version", "torch", "seed", "isolation", "seconds", "steps"]
    assert list(data) == first_names(DOCUMENTED, "## What --json prints for a check")
    assert [step["verdict"] for step in data["steps"]] == ["pass", "untouched", "fail"]
    for step in data["steps"]:
        assert list(step) == ["step", "name", "path", "verdict", "seconds", "checks"]
        for check in step["checks"]:
            fields = [
                "name",
                "sentence",
                "verdict",
                "kind",
                "message",
                "mistake",
                "where",
                "printed",
            ]
            assert list(check) == fields
            assert check["verdict"] in get_args(Verdict)
            kinds = get_args(Kind) if check["verdict"] == "fail" else (None,)
            assert check["kind"] in kinds
    assert any("{" in check["printed"] for check in data["steps"][2]["checks"])
    step = data["steps"][0]
    assert list(step) == first_names(DOCUMENTED, "Each entry of `steps`:")
    assert list(step["checks"][0]) == first_names(DOCUMENTED, "Each entry of `checks`:")


def test_public_words_are_the_readmes(fresh: Path) -> None:
    """The two commands of the README."""
    readme = page("README.md")
    assert "```sh\npip install -r requirements.txt && python run_step.py\n```" in readme
    assert "```sh\npip install -r requirements.txt && python -m pytest\n```" in readme
