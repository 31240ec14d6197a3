"""`author new` writes a step's files; `author check` names every omission, its file and line."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import copy_course, typed

from checks.authoring import promises
from checks.authoring.promises import of_files
from checks.contents import STAGES, STEPS, Step
from checks.engine.hosting.host import Host
from checks.engine.tracing.example import Example

pytestmark = pytest.mark.room

NEXT = f"2.{1 + sum(step.stage == STAGES[1] for step in STEPS)}"
Begun = tuple[Path, subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    """A copy of the course in which a step was begun, and what was said."""
    root = copy_course(tmp_path_factory.mktemp("author") / "course")
    return root, typed(root, "author", "new", NEXT, "toy_norm")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_the_files_of_every_step_hold_their_promises(step: Step) -> None:
    assert of_files(step) == []


def test_a_new_step_has_all_its_files(begun: Begun) -> None:
    root, done = begun
    assert done.returncode == 0, done.stderr
    written = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")][:11]
    assert len(written) == 11 and all((root / file).exists() for file in written)
    assert f"{NEXT} toy_norm" in typed(root, "list", "bonus").stdout
    assert "waiting for you" in typed(root, NEXT).stdout


def test_what_is_not_written_yet_is_named_with_its_line(begun: Begun) -> None:
    root, _ = begun
    said = typed(root, "author", "check", NEXT).stdout
    for file in ("solutions/s2_attention/toy_norm.py:", "checks/contents.py:", "README.md:"):
        assert f"\n{file}" in f"\n{said}"
    for name in ("truth", "checks", "mistakes", "questions"):
        assert f"checks/s2_attention/toy_norm/{name}.py:" in said
    assert "8 mistakes at least are needed; declared so far: 1." in said


@pytest.mark.ci  # With all its known versions and mutants.
def test_a_step_beside_a_new_one_is_as_it_was(begun: Begun) -> None:
    assert "toy_norm" not in typed(begun[0], "author", "check", "2.3").stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("new", "2.99", "swish"), "The next step of s2_attention is"),
        (("new", "9.1", "toy_norm"), "'9.1' is no id of a step here"),
        (("new", "3.4", "Rms-Norm"), "'Rms-Norm' cannot be the name of a step"),
        (("new", "3.4", "layer_norm"), "There is a step layer_norm already."),
        (("check",), "author wants one of these"),
        (("check", "2.99"), "There is no step"),
    ],
)
def test_what_cannot_be_done_is_refused(begun: Begun, words: tuple[str, ...], says: str) -> None:
    done = typed(begun[0], "author", *words)
    assert done.returncode == 2 and says in done.stderr


# What is left out of a step that was whole, and what is said of it.
OMISSIONS = {
    "checks/s2_attention/layer_norm/rights.py": (None, "", "There is no such file"),
    "checks/s2_attention/layer_norm/questions.py": (None, "", "There is no such file"),
    "solutions/s2_attention/layer_norm.py": (
        'Lesson: README.md, "2.3',
        'Lesson: README.md, "2.4',
        "The docstring lacks",
    ),
    "s2_attention/README.md": ("## 2.3 ", "## 2.33 ", "There is no heading: ## 2.3"),
    "README.md": ("| 2.3 |", "| 2.2 |", "The map has no row"),
    "checks/s2_attention/layer_norm/checks.py": (
        "any device.",
        "any device",
        "is a sentence for the learner, with a dot",
    ),
    "checks/s2_attention/layer_norm/shown.py": ("EXAMPLE =", "AN_EXAMPLE =", "EXAMPLE is missing"),
    "checks/s2_attention/layer_norm/mistakes.py": (
        '"self.eps = eps"',
        '"eps"',
        "'eps' stands",
    ),
}


@pytest.mark.parametrize("file", OMISSIONS)
def test_every_omission_is_named(tmp_path: Path, file: str) -> None:
    root = copy_course(tmp_path / "course")
    find, replacement, says = OMISSIONS[file]
    text = (root / file).read_text("utf-8")
    if find is None:
        (root / file).unlink()
    else:
        assert find in text
        (root / file).write_text(text.replace(find, replacement), "utf-8")
    said = typed(root, "author", "check", "2.3")
    assert said.returncode == 1 and f"{file}" in said.stdout
    assert says in " ".join(said.stdout.split()), said.stdout
    shutil.rmtree(root)


def test_an_example_that_is_missing_or_stops_is_named(
    versions_host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert promises._example_stops(versions_host, STEPS[0]) == ""
    for code, says in (("1 / 0", "ZeroDivisionError"), ("while True: pass", "5 s")):
        monkeypatch.setattr(promises, "example_of", lambda step, code=code: Example({}, code))
        assert says in promises._example_stops(versions_host, STEPS[0])
    monkeypatch.setattr(promises, "example_of", lambda step: None)
    assert [fault.says[:19] for fault in of_files(STEPS[0])] == ["EXAMPLE is missing:"]
