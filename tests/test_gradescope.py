"""The wrapper for Gradescope: its bundle, and what it says of a submission."""

from __future__ import annotations

import io
import json
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from readers import check_gradescope
from runs import dave, run_of
from wrapped import BASH, NO_MEAN, bash, tools, write

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.grading import bundle

__all__ = ["tools"]

pytestmark = [
    pytest.mark.room,
    pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="they are scripts of bash"),
]


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
    assert "bubblewrap" in done.stdout and "1/1" in done.stdout  # The doctor; our own solution.
    calls = (tools / "log").read_text().removeprefix(before).splitlines()
    lines = (COURSE / "requirements.txt").read_text().splitlines()
    torch = [line for line in lines if line.startswith("torch==")]
    assert (root / "source/torch.txt").read_text().splitlines() == torch
    assert calls == [
        "apt-get update",
        "apt-get install -y python3 python3-venv bubblewrap",
        "pip install --no-cache-dir --index-url https://torch.example/cpu -r torch.txt",
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
