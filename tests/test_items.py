"""`python -m pytest checks`: the checks of a learner's files as pytest items."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from conftest import AT_MOST, Said, solve, unbiased

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.language import checks_of

pytestmark = pytest.mark.room

NAMES = {"2.1": "s2_attention/calculate_attention.py", "2.3": "s2_attention/layer_norm.py"}
Cases = dict[str, ElementTree.Element]


def pytest_on(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
        timeout=AT_MOST,
    )


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2.1 stops in a line, 2.3 has a known mistake, 2.4 builds on it, 2.5 is not begun."""
    from checks.engine.files.source import pristine

    root = tmp_path_factory.mktemp("learner")
    for step in STEPS:
        text = (SOLUTIONS / step.path).read_text("utf-8")
        if step.id == "2.1":
            text = "import sys\nprint('with pytest:', 'pytest' in sys.modules)\n" + text.replace(
                "score.softmax", "score.sofTmax"
            )
            assert "sofTmax" in text
        if step.id == "2.3":
            text = unbiased(text)
        (root / step.path).parent.mkdir(exist_ok=True)
        (root / step.path).write_text(pristine(step) if step.id == "2.5" else text, "utf-8")
    return root


@pytest.fixture(scope="module")
def done(
    learner: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[subprocess.CompletedProcess[str], Cases]:
    """All items of stages 1 and 2, and what the JUnit file says of each."""
    file = tmp_path_factory.mktemp("junit") / "junit.xml"
    stages = ["checks/s1_embedding", "checks/s2_attention"]
    run = pytest_on(COURSE, *stages, "--submission", str(learner), "-rs", "--junitxml", str(file))
    cases = ElementTree.parse(file).getroot().iter("testcase")
    return run, {f"{case.get('classname')}.{case.get('name')}": case for case in cases}


def test_the_items_are_the_checks_in_the_order_of_the_course() -> None:
    import importlib

    listed = pytest_on(COURSE, "checks", "--collect-only", "-vv")
    expected = [
        check.__name__
        for step in STEPS
        for check in checks_of(importlib.import_module(f"{step.room}.checks"))
    ]
    assert re.findall(r"<CheckItem (\w+)>", listed.stdout) == expected
    assert "Mean 0 and variance 1 over the last axis" in listed.stdout
    assert "torch" not in listed.stderr


def test_pytest_alone_does_not_collect_them() -> None:
    assert "CheckItem" not in pytest_on(COURSE, "--collect-only", "-v").stdout


def test_each_verdict_has_its_outcome(
    done: tuple[subprocess.CompletedProcess[str], Cases],
) -> None:
    run, cases = done
    assert run.returncode == 1, run.stdout + run.stderr
    assert cases["checks.s1_embedding.token_embedding.checks.every_row_learns"].find("*") is None
    for step, outcome in (("add_norm", "skipped"), ("feed_forward", "skipped")):
        found = [case for name, case in cases.items() if f".{step}." in name]
        assert found and all(case.find(outcome) is not None for case in found)
    assert "This step builds on 2.3 layer_norm, which does not pass (fail)." in run.stdout
    assert "This step is not begun" in run.stdout
    assert "Traceback" not in run.stdout and "checks/engine" not in run.stdout


def test_a_failure_says_what_run_step_says(
    said: Said, learner: Path, done: tuple[subprocess.CompletedProcess[str], Cases]
) -> None:
    run, cases = done
    seed = re.findall(r"--seed (\d+)", run.stdout)[0]
    for id, first in (("2.1", "queries_mix_the_values"), ("2.3", "each_vector_is_normalised")):
        module = f"checks.{NAMES[id].replace('/', '.')[:-3]}.checks"
        case = next(case for n, case in cases.items() if n.startswith(f"{module}.{first}"))
        failure = case.find("failure")
        assert failure is not None and failure.text is not None
        command = said(COURSE, id, "--submission", str(learner), "--seed", seed, "--full")
        assert failure.text == command.stdout.partition("\n")[2].strip()
    others = [c for n, c in cases.items() if "layer_norm" in n and c.find("failure") is not None]
    assert len(others) > 1
    assert sum("Mistake:" in str(c.findtext("failure")) for c in others) == 1
    assert all("Expected:" in str(c.findtext("failure")) for c in others)


def test_junit_names_the_learners_line_and_the_mistake(
    learner: Path, done: tuple[subprocess.CompletedProcess[str], Cases]
) -> None:
    _, cases = done
    case = cases["checks.s2_attention.calculate_attention.checks.queries_mix_the_values"]
    text = (learner / NAMES["2.1"]).read_text("utf-8").splitlines()
    assert Path(str(case.get("file"))) == learner / NAMES["2.1"]
    assert "sofTmax" in text[int(str(case.get("line"))) - 1]
    normal = cases["checks.s2_attention.layer_norm.checks.each_vector_is_normalised_on_its_own"]
    failure = normal.find("failure")
    assert failure is not None
    assert str(failure.get("message")).startswith("The variance divides by one less")


def test_learner_code_runs_in_workers_only(
    done: tuple[subprocess.CompletedProcess[str], Cases],
) -> None:
    assert "with pytest: False" in done[0].stdout and "with pytest: True" not in done[0].stdout


def test_by_node_id_and_a_fault_of_ours(course: Path) -> None:
    """One item alone; with its own files it names hint, and nothing is written."""
    solve(course, "1.1")
    (course / "numpy.py").write_text("raise SystemExit('shadowed')\n", "utf-8")
    before = sorted(str(path) for path in course.rglob("*") if "__pycache__" not in str(path))
    node = "checks/s1_embedding/token_embedding/checks.py::every_row_learns"
    assert "1 passed" in pytest_on(course, node).stdout
    found = sorted(str(path) for path in course.rglob("*") if "__pycache__" not in str(path))
    assert found == before
    with (course / "checks/s1_embedding/token_embedding/checks.py").open(
        "a", encoding="utf-8"
    ) as file:
        file.write("\n\n@check\ndef ours(submission):\n    '''It is ours.'''\n    1 / 0\n")
    broken = pytest_on(course, "checks", "-k", "1.1")
    passed = len(checks_of(importlib.import_module("checks.s1_embedding.token_embedding.checks")))
    assert "1 error" in broken.stdout and f"{passed} passed" in broken.stdout, broken.stdout
    assert "This is not your fault" in broken.stdout and "failed" not in broken.stdout.split()[-6:]


def test_without_torch_it_is_an_error_of_nobody(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch/__init__.py").write_text("raise ImportError('no torch here')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = ["checks/s1_embedding/token_embedding/checks.py", "--submission", str(SOLUTIONS)]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=COURSE,
        env=environment,
        capture_output=True,
        text=True,
        timeout=AT_MOST,
    )
    every = len(checks_of(importlib.import_module("checks.s1_embedding.token_embedding.checks")))
    assert f"{every} errors" in run.stdout and "no torch here" in run.stdout
    assert "run_step.py doctor" in run.stdout and "Traceback" not in run.stdout


def test_a_submission_that_is_no_folder(tmp_path: Path) -> None:
    run = pytest_on(COURSE, "checks", "--submission", str(tmp_path / "nowhere"))
    assert run.returncode == 4 and "nowhere" in run.stderr and "Traceback" not in run.stderr
