"""The wrappers of `grade`, run as those would who run them: Slurm, GitHub, Gradescope."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from a_class import zipped
from conftest import AT_MOST, copy_course
from readers import check_gradescope
from runs import alice, carol, dave, erin, run_of
from workflows import read_yaml

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.course.source import pristine
from checks.grading import bundle
from checks.grading.formats import github_outputs

WRAPPERS = COURSE / "checks" / "grading" / "wrappers"
FILES = sorted(path for path in WRAPPERS.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.read_bytes()[:2] == b"#!"]
BASH = shutil.which("bash")
NORM, EMBEDDING = "s2_attention/layer_norm.py", "s1_embedding/token_embedding.py"

pytestmark = [
    pytest.mark.room,
    pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="they are scripts of bash"),
]


def write(root: Path, **changes: str | None) -> Path:
    """The solutions of the two steps that are asked here, but for `norm` or `embedding`."""
    texts = {NORM: changes.get("norm", ""), EMBEDDING: changes.get("embedding", "")}
    for path, text in texts.items():
        if text is None:
            continue
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(text or (SOLUTIONS / path).read_text("utf-8"), "utf-8")
    return root


def wrong(path: str, old: str, new: str) -> str:
    text = (SOLUTIONS / path).read_text("utf-8")
    assert old in text
    return text.replace(old, new)


NO_MEAN = wrong(NORM, "self.gamma * (x - mean)", "self.gamma * x")
SKELETON = pristine(next(step for step in STEPS if step.path == NORM))


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PATH: this Python by the names python and python3, and what would download or
    install writes down that it was called. `python3 -m venv` makes a folder with the same.
    """
    folder = tmp_path_factory.mktemp("tools")
    log = f'echo "$(basename "$0") $*" >> "{folder}/log"'
    script(folder / "pip", log)
    script(folder / "apt-get", log)
    python = f"""
        if [ "$1 $2" = "-m pip" ]; then shift 2; exec "{folder}/pip" "$@"; fi
        if [ "$1 $2" = "-m venv" ]; then
            mkdir -p "$3/bin"
            cp "$0" "$3/bin/python"
            exit
        fi
        exec "{sys.executable}" "$@"
    """
    script(folder / "python", python)
    script(folder / "python3", python)
    return folder


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/usr/bin/env bash\n{text}\n", "utf-8")
    path.chmod(0o755)


def bash(
    tools: Path, cwd: Path, *words: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "GITHUB_"))}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [str(BASH), *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        env={**inherited, "PATH": path, **environment},
        timeout=AT_MOST,
    )


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


# Gradescope


def options(*words: str) -> Any:
    return bundle.parser().parse_args(["gradescope.zip", *words])


@pytest.fixture(scope="module")
def image(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Gradescope makes of the bundle: its folder /autograder, when setup.sh has run."""
    root = tmp_path_factory.mktemp("Gradescope") / "autograder"
    file = root.parent / "gradescope.zip"
    words = ["--steps", "1.1", "2.3", "--torch-index", "https://torch.example/cpu"]
    assert bundle.main([str(file), *words]) == 0
    with zipfile.ZipFile(file) as archive:
        archive.extractall(root / "source")
    before = (tools / "log").read_text() if (tools / "log").exists() else ""
    setup = str(root / "source" / "setup.sh")
    done = bash(tools, root.parent, setup, AUTOGRADER=str(root))
    assert done.returncode == 0, done.stderr
    assert "isolation" in done.stdout and "1/1" in done.stdout  # The doctor; our own solution.
    calls = (tools / "log").read_text().removeprefix(before).splitlines()
    lines = (COURSE / "requirements.txt").read_text().splitlines()
    (torch,) = (line for line in lines if line.startswith("torch=="))
    assert calls == [
        "apt-get update",
        "apt-get install -y python3 python3-venv bubblewrap",
        f"pip install --no-cache-dir --index-url https://torch.example/cpu {torch}",
        "pip install --no-cache-dir -r requirements.txt",
    ]
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
    return root


def autograde(tools: Path, image: Path) -> dict[str, Any]:
    """Gradescope runs run_autograder in its folder and reads results.json."""
    done = bash(tools, image, "./run_autograder", AUTOGRADER=str(image))
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (image / "results").iterdir()] == ["results.json"]
    return json.loads((image / "results" / "results.json").read_text("utf-8"))


@pytest.fixture
def submitted(image: Path) -> Path:
    """An empty folder for what a student uploads."""
    for name in ("submission", "results"):
        shutil.rmtree(image / name, ignore_errors=True)
    (image / "submission").mkdir()
    return image / "submission"


def test_gradescope_grades_a_right_submission(tools: Path, image: Path, submitted: Path) -> None:
    write(submitted / "my work")
    found = autograde(tools, image)
    assert found["score"] == 2 and found["extra_data"]["isolation"]
    assert [(t["number"], t["score"], t["status"]) for t in found["tests"]] == [
        ("1.1", 1, "passed"),
        ("2.3", 1, "passed"),
    ]


def test_gradescope_grades_a_wrong_one(tools: Path, image: Path, submitted: Path) -> None:
    write(submitted, norm=NO_MEAN)
    found = autograde(tools, image)
    assert found["score"] == 1
    assert [test["score"] for test in found["tests"]] == [1, 0]
    assert "Mistake: The mean is not removed" in found["tests"][1]["output"]


def test_gradescope_takes_loose_files(tools: Path, image: Path, submitted: Path) -> None:
    """Without their folders, as they come when they are dragged there one by one."""
    for step in STEPS[:3]:
        shutil.copy(SOLUTIONS / step.path, submitted)
    found = autograde(tools, image)
    assert found["score"] == 1
    assert [test["score"] for test in found["tests"]] == [1, 0]


def test_gradescope_says_what_is_wrong_with_a_broken_one(
    tools: Path, image: Path, submitted: Path
) -> None:
    (submitted / "notes").mkdir()
    (submitted / "pictures").mkdir()
    found = autograde(tools, image)
    assert found["score"] == 0
    assert "It has no stage folder" in found["tests"][0]["output"]
    assert found["tests"][0]["visibility"] == "visible"


def test_gradescope_gives_no_score_if_grading_did_not_begin(
    tools: Path, image: Path, submitted: Path, tmp_path: Path
) -> None:
    broken = Path(shutil.copytree(image, tmp_path / "autograder", symlinks=True))
    (broken / "source" / "checks" / "grading" / "command.py").write_text("import nothing_known\n")
    write(broken / "submission")
    found = autograde(tools, broken)
    assert "score" not in found and not any("score" in test for test in found["tests"])
    assert found["tests"][0]["name"] == "Not graded"
    assert found["tests"][0]["visibility"] == "visible"


def contents(*words: str) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(bundle.bundle(options(*words)))) as archive:
        assert archive.testzip() is None
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
        assert {name for name, mode in modes.items() if mode & 0o111} == set(bundle.SCRIPTS)
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}


def test_the_bundle_has_what_is_asked_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("layer_norm,5\n")
    words = ["--steps", "2.3", "1.1", "--points", str(tmp_path / "points.csv"), "--seed", "7"]
    found = contents(*words, "--time-limit", "10", "--borrow")
    asked = ["--steps", "1.1", "2.3", "--seed", "7", "--time-limit", "10.0", "--borrow"]
    assert found["options.txt"].splitlines() == asked
    assert found["checks/grading/points.csv"] == "layer_norm,5\n"
    assert "torch_index.txt" not in found
    assert found["requirements.txt"] == (COURSE / "requirements.txt").read_text("utf-8")
    tops = {name.split("/")[0] for name in found if "/" in name}
    assert tops == {"checks", "solutions"}
    assert not [name for name in found if name.endswith(".pyc") or "/." in name]
    assert bundle.bundle(options(*words)) == bundle.bundle(options(*words))


def test_what_is_read_if_grading_does_not_begin_is_a_result() -> None:
    run = run_of(dave(), ids=("2.3",))
    check_gradescope(contents("--steps", "2.3")["not_graded.json"], run)


@pytest.mark.parametrize(
    "words, says",
    [
        (["--steps", "layer_nrm"], "Did you mean layer_norm?"),
        (["--points", "no/such.csv"], "no/such.csv cannot be read"),
    ],
)
def test_a_bundle_that_could_not_grade_is_not_built(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bundle.main([str(tmp_path / "gradescope.zip"), *words]) == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_that_cannot_be_written_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert bundle.main([str(tmp_path / "file" / "gradescope.zip")]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err
