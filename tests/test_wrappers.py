"""The wrappers of `grade`, run as those would who run them: Slurm, GitHub, Gradescope."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from a_class import zipped
from conftest import copy_course
from runs import alice, carol, dave, erin, run_of
from workflows import read_yaml
from wrapped import (
    BASH,
    EMBEDDING,
    NO_MEAN,
    NORM,
    SCRIPTS,
    SKELETON,
    WRAPPERS,
    bash,
    tools,
    write,
)

from checks.contents import COURSE, SOLUTIONS
from checks.grading.formats import github_outputs

__all__ = ["tools"]

pytestmark = [
    pytest.mark.room,
    pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="they are scripts of bash"),
]


def test_every_script_is_one(tmp_path: Path) -> None:
    assert [path.name for path in SCRIPTS] == ["run_autograder", "setup.sh", "slurm.sh"]
    for path in SCRIPTS:
        assert os.access(path, os.X_OK), path
        assert b"\r" not in path.read_bytes()
        subprocess.run([str(BASH), "-n", str(path)], check=True)


# Slurm


def a_class(folder: Path) -> Path:
    """Six: right twice, wrong, begun, handed in as a zip, broken."""
    write(folder / "alice")
    write(folder / "bob", norm=NO_MEAN)
    write(folder / "carol", norm=SKELETON)
    write(folder / "frank")
    files = {f"dave/{path}": (SOLUTIONS / path).read_bytes() for path in (NORM, EMBEDDING)}
    (folder / "dave.zip").write_bytes(zipped(files))
    (folder / "erin.zip").write_bytes(zipped(files)[:400])
    return folder


def without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_seconds(v) for k, v in value.items() if k != "seconds"}
    return [without_seconds(item) for item in value] if isinstance(value, list) else value


def test_a_slurm_array_gives_what_one_machine_gives(tools: Path, tmp_path: Path) -> None:
    submissions = str(a_class(tmp_path / "submissions"))
    words = [submissions, "--steps", "1.1", "2.3", "--results"]
    sent = [*words, str(tmp_path / "shared")]

    def task(id: str) -> subprocess.CompletedProcess[str]:
        array = {"ID": id, "COUNT": "3", "MIN": "1", "MAX": "3"}
        slurm = {f"SLURM_ARRAY_TASK_{name}": value for name, value in array.items()}
        return bash(tools, COURSE, str(WRAPPERS / "slurm.sh"), *sent, **slurm)

    with ThreadPoolExecutor() as machines:
        tasks = list(machines.map(task, "123"))
    for done in tasks:
        assert done.returncode == 0, done.stderr
        assert "[2/2]" in done.stderr and "[3/" not in done.stderr
    collected = grade(tools, *sent, "--resume", "--json")
    assert collected.stderr.count("(kept)") == 6
    run = json.loads(collected.stdout)
    assert all(f"ran behind: {run['isolation']}." in done.stderr for done in tasks)
    alone = [*words, str(tmp_path / "alone"), "--seed", str(run["seed"])]
    whole = json.loads(grade(tools, *alone, "--json").stdout)
    assert without_seconds(run) == without_seconds(whole)
    points = {row["name"]: row["points"] for row in run["submissions"]}
    assert points == {"alice": 2, "bob": 1, "carol": 1, "dave": 2, "erin": 0, "frank": 2}


def grade(tools: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return bash(tools, COURSE, "-c", 'python run_step.py grade "$@"', "grade", *words)


@pytest.mark.parametrize(
    "array, says",
    [
        ({}, "sbatch --array=1-N"),
        ({"ID": "2", "COUNT": "2", "MIN": "2", "MAX": "3"}, "goes from 2 to 3, with 2 tasks"),
        ({"ID": "0", "COUNT": "3", "MIN": "0", "MAX": "2"}, "goes from 0 to 2"),
        ({"ID": "3", "COUNT": "2", "MIN": "1", "MAX": "3"}, "goes from 1 to 3, with 2 tasks"),
    ],
)
def test_an_array_that_would_leave_submissions_out(
    tools: Path, array: dict[str, str], says: str
) -> None:
    slurm = {f"SLURM_ARRAY_TASK_{name}": value for name, value in array.items()}
    done = bash(tools, COURSE, str(WRAPPERS / "slurm.sh"), "submissions", **slurm)
    assert done.returncode != 0 and says in done.stderr
    assert "Learner code" not in done.stderr


def test_a_slurm_task_fails_if_grade_cannot_begin(tools: Path, tmp_path: Path) -> None:
    words = [str(WRAPPERS / "slurm.sh"), str(tmp_path / "nobody")]
    done = bash(tools, COURSE, *words, SLURM_ARRAY_TASK_ID="1")
    assert done.returncode == 2 and "There is no" in done.stderr
    done = bash(tools, tmp_path, *words, SLURM_ARRAY_TASK_ID="1")
    assert done.returncode == 2 and "in the folder of the course" in done.stderr


# GitHub

WORKFLOW = (WRAPPERS / "classroom.yml").read_text("utf-8")


def test_the_workflow_has_what_github_and_classroom_read() -> None:
    workflow = read_yaml(WORKFLOW)
    assert workflow["name"] == "Autograding Tests"  # Classroom asks for these two names.
    assert list(workflow["jobs"]) == ["run-autograding-tests"]
    assert workflow["on"] == ["push", "workflow_dispatch"]
    assert workflow["permissions"] == {"contents": "read"}
    steps = workflow["jobs"]["run-autograding-tests"]["steps"]
    assert all(("uses" in step) != ("run" in step) for step in steps)
    checkouts = [step["with"] for step in steps if step.get("uses") == "actions/checkout@v4"]
    assert [one["path"] for one in checkouts] == ["submission", "course"]
    assert not any(one["persist-credentials"] for one in checkouts)
    assert not any("${{" in step.get("run", "") for step in steps)  # It would be pasted into bash.


def test_the_workflow_is_yaml_to_others() -> None:
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load(WORKFLOW)
    read["on"] = read.pop(True)  # YAML 1.1 takes the word for a truth value; GitHub does not.
    assert read == read_yaml(WORKFLOW)


def run_workflow(tools: Path, root: Path, course: Path) -> tuple[list[str], dict[str, str], str]:
    """Its `run:` steps, as GitHub's runner runs them, over root/submission: what they print, the
    outputs of the step `grade`, the summary. A step that fails ends it, but for what says more.
    """
    (root / "course").symlink_to(course)
    (root / "temp").mkdir()
    workflow = read_yaml(WORKFLOW)
    files = {name: root / "temp" / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    environment = {**workflow["env"], "OPTIONS": "--steps 1.1 2.3", "RUNNER_TEMP": f"{root}/temp"}
    environment |= {name: str(file) for name, file in files.items()}
    printed: list[str] = []
    outputs: dict[str, str] = {}
    for step in workflow["jobs"]["run-autograding-tests"]["steps"]:
        asks = "steps.grade.outputs.points != ''" in step.get("if", "")
        if "run" not in step or (asks and not outputs.get("points")):
            continue
        given = {name: expanded(value, outputs) for name, value in step.get("env", {}).items()}
        (root / "temp" / "step.sh").write_text(step["run"], "utf-8")
        words = ["--noprofile", "--norc", "-eo", "pipefail", str(root / "temp" / "step.sh")]
        done = bash(tools, root, *words, **environment, **given)
        printed += done.stdout.splitlines()
        if step.get("id") == "grade":
            text = files["GITHUB_OUTPUT"].read_text() if files["GITHUB_OUTPUT"].exists() else ""
            outputs = dict(line.split("=") for line in text.splitlines())
            outputs["status"] = str(done.returncode)
        else:
            assert done.returncode == 0, done.stderr
    summary = files["GITHUB_STEP_SUMMARY"]
    return printed, outputs, summary.read_text("utf-8") if summary.exists() else ""


def expanded(text: str, outputs: dict[str, str]) -> str:
    match = re.fullmatch(r"\$\{\{ steps\.grade\.outputs\.(\w+) \}\}", text)
    assert match, text
    return outputs[match[1]]


def test_the_workflow_grades_and_reports_points(tools: Path, tmp_path: Path) -> None:
    write(tmp_path / "submission", norm=NO_MEAN)
    printed, outputs, summary = run_workflow(tools, tmp_path, COURSE)
    assert "pip install -r course/requirements.txt" in (tools / "log").read_text()
    assert outputs == {"points": "1", "max_points": "2", "status": "1"}
    assert any(line.startswith(f"::error file={NORM},") for line in printed)
    assert printed[-2:] == [
        "::notice title=Autograding complete::Points 1/2",
        '::notice title=Autograding report::{"totalPoints":1,"maxPoints":2}',
    ]
    assert summary.startswith("## 1 of 2 points")


def test_the_workflow_with_the_checks_in_the_repository_itself(tools: Path, tmp_path: Path) -> None:
    """A template: the submission is a copy of the course; nothing is in it that is not asked."""
    submission = copy_course(tmp_path / "submission")
    shutil.copy(SOLUTIONS / EMBEDDING, submission / EMBEDDING)
    printed, outputs, _ = run_workflow(tools, tmp_path, submission)
    assert outputs == {"points": "1", "max_points": "2", "status": "1"}
    assert printed[-2] == "::notice title=Autograding complete::Points 1/2"


def test_a_repository_without_the_stage_folders_is_one_submission(
    tools: Path, tmp_path: Path
) -> None:
    for name in ("docs", "work", "old"):
        (tmp_path / "submission" / name).mkdir(parents=True)
    printed, outputs, _ = run_workflow(tools, tmp_path, COURSE)
    assert outputs == {"points": "0", "max_points": "2", "status": "1"}
    assert "It has no stage folder" in "\n".join(printed)


def test_outputs_are_the_points_of_one_submission_that_was_graded() -> None:
    assert github_outputs(run_of(alice())) == "points=3\nmax_points=3\n"
    half = {**alice(), "points": 2.5, "name": "x\npoints=99"}
    assert github_outputs(run_of(half)) == "points=2.5\nmax_points=3\n"
    for submissions in ([dave()], [erin()], [alice(), carol()], []):
        assert github_outputs(run_of(*submissions)) == ""
