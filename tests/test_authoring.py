"""`author new` writes a step's files; `author check` names every omission, its file and line."""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import STEP, copy_course, typed

from checks.authoring import judged, lesson, promises
from checks.authoring.asked import faults_of_questions
from checks.authoring.fault import Fault
from checks.authoring.promises import of_files
from checks.authoring.tested import faults_in
from checks.contents import STAGES, STEPS, Step
from checks.engine.drawing.example import Example
from checks.engine.hosting.host import Host
from checks.engine.tracing import run
from checks.questions import drawing

room = pytest.mark.room
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


@room
def test_a_new_step_has_all_its_files(begun: Begun) -> None:
    root, done = begun
    assert done.returncode == 0, done.stderr
    written = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")][:12]
    assert len(written) == 12 and all((root / file).exists() for file in written)
    assert f"{NEXT} toy_norm" in typed(root, "list", "bonus").stdout
    assert "waiting for you" in typed(root, NEXT).stdout


@room
def test_what_is_not_written_yet_is_named_with_its_line(begun: Begun) -> None:
    root, _ = begun
    said = typed(root, "author", "check", NEXT).stdout
    for file in ("solutions/s2_attention/toy_norm.py:", "checks/contents.py:"):
        assert f"\n{file}" in f"\n{said}"
    for name in ("truth", "checks", "mistakes", "questions"):
        assert f"checks/s2_attention/toy_norm/{name}.py:" in said
    assert "8 mistakes at least are needed; declared so far: 1." in said


@room
@pytest.mark.ci  # With all its known versions and mutants.
def test_a_step_beside_a_new_one_is_as_it_was(begun: Begun) -> None:
    assert "toy_norm" not in typed(begun[0], "author", "check", "2.3").stdout


@room
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


ROOM = "checks/s2_attention/layer_norm"
LESSON = "s2_attention/README.md"
SOLUTION = "solutions/s2_attention/layer_norm.py"
# In a step that was whole: a file, a text in it, what stands there instead, and what is said.
OMISSIONS = [
    (f"{ROOM}/rights.py", None, "", "There is no such file"),
    (f"{ROOM}/questions.py", None, "", "There is no such file"),
    (f"{ROOM}/shown.py", None, "", "There is no such file"),
    (SOLUTION, '"2.3', '"2.4', "The docstring lacks"),
    (LESSON, "## 2.3 ", "## 2.33 ", "There is no heading: ## 2.3"),
    (LESSON, "about 4 minutes. Writing: about 10 minutes. D", "about 9 minutes. D", "of this form"),
    (LESSON, "about 4 minutes. W", "about 9 minutes. W", "words: write"),
    (LESSON, "| `[2.0, 3.0]` |", "| `[2.0, 4.0]` |", "gives [2.0, 3.0], not [2.0, 4.0]"),
    (LESSON, "torch.sqrt(torch.tensor([4", "torch.sqrt(torch.tensr([4", "This example stops"),
    (LESSON, "python run_step.py 2.3", "python run_step.py 2.2", "lacks `python run_step.py 2.3`"),
    ("README.md", "| 2.3 |", "| 2.2 |", "older than what it is made of"),
    (f"{ROOM}/checks.py", "any device.", "any device", "is a sentence for the learner, with a dot"),
    (f"{ROOM}/shown.py", "EXAMPLE =", "AN_EXAMPLE =", "EXAMPLE is missing"),
    (f"{ROOM}/mistakes.py", '"self.eps = eps"', '"eps"', "'eps' stands"),
    (f"{ROOM}/mistakes.py", "NO_MEAN = Mistake(", "NO_MEAN = Mistke(", "It stops here: NameError"),
    (f"{ROOM}/mistakes.py", "NO_MEAN = Mistake(", "NO_MEAN = = (", "It stops here: SyntaxError"),
    (f"{ROOM}/questions.py", "lesson=", 'lesson="" and ', "and it is empty"),
    (f"{ROOM}/questions.py", '"no-mean"', '"no-meen"', "there is no known mistake 'no-meen'"),
    ("notebooks/s2_attention.ipynb", "Layer norm", "A norm", "older than what it is made of"),
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course."""
    return copy_course(tmp_path_factory.mktemp("whole") / "course")


@room
@pytest.mark.parametrize(("file", "find", "replacement", "says"), OMISSIONS)
def test_every_omission_is_named(
    whole: Path, file: str, find: str | None, replacement: str, says: str
) -> None:
    path = whole / file
    before = path.read_bytes()
    if find is None:
        path.unlink()
    else:
        assert find in before.decode()
        path.write_bytes(before.decode().replace(find, replacement).encode())
    said = typed(whole, "author", "check", "2.3")
    path.write_bytes(before)
    assert said.returncode == 1 and said.stdout.startswith(file), said.stdout + said.stderr
    assert says in " ".join(said.stdout.split()), said.stdout


def test_a_function_that_no_lesson_explains_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "_called", lambda step: {"sqrt", "var", "nan_to_num"})
    assert "explains nan_to_num." in next(lesson.faults_of_lesson(STEP["2.3"])).says


def test_a_question_whose_answers_are_too_few_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "texts", lambda case: ("1", {"2": "no-mean", "3": "no-eps"}))
    assert "never 3 wrong answers" in next(faults_of_questions(STEP["2.3"], 3))[1]


def test_what_a_failing_test_says_is_shown_with_its_place() -> None:
    report = """<testsuites><testsuite>
    <testcase name="test_no_line_is_long[a]" file="tests/test_x.py" line="9">
    <failure message="…">x = 1
E   AssertionError: cut line 7
E   assert [] == [1]</failure></testcase>
    <testcase name="test_it_holds" file="tests/test_x.py" line="1"/></testsuite></testsuites>"""
    faults = list(faults_in(ElementTree.fromstring(report)))
    assert faults == [Fault("tests/test_x.py", 10, "no line is long[a]:\ncut line 7")]


def test_an_example_that_is_missing_or_stops_is_named(
    versions_host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged.example_stops(versions_host, STEPS[0]) == ""
    monkeypatch.setattr(run, "SECONDS", 1.0)
    for code, says in (("1 / 0", "ZeroDivisionError"), ("while True: pass", "1 s")):
        monkeypatch.setattr(judged, "example_of", lambda step, code=code: Example({}, code))
        assert says in judged.example_stops(versions_host, STEPS[0])
    monkeypatch.setattr(promises, "example_of", lambda step: None)
    assert [fault.says[:19] for fault in of_files(STEPS[0])] == ["EXAMPLE is missing:"]
