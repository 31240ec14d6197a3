"""Systems that cannot be run here, as far as they can be simulated: see docs/systems.md."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import AT_MOST, EVERYTHING, linux, solve, typed
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import parse_wheel_filename

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.commands import installed
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.worker import landlock
from run_step import NEWEST, OLDEST

pytestmark = pytest.mark.room

FILES = sorted(COURSE.glob("requirements*.txt"))
PLATFORMS = {
    "Windows": ["win_amd64"],
    "macOS": ["macosx_11_0_arm64", "macosx_14_0_arm64"],
    "Linux": ["manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"],
}
PYTHONS = [(3, minor) for minor in range(OLDEST[1], NEWEST[1] + 1)]
ELSEWHERE = """\
import runpy, sys
sys.platform = {platform!r}  # Before anything of the course is imported.
sys.argv = ["run_step.py", *{words!r}]
runpy.run_path("run_step.py", run_name="__main__")
"""


def run(course: Path, *words: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    """python WORDS in the folder of the course, on a console of that encoding."""
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        encoding=encoding,
        cwd=course,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=AT_MOST,
    )


# Packages


def pinned(*files: Path, python: tuple[int, int]) -> list[tuple[str, str]]:
    """The packages of these files for a Python, as its markers say."""
    lines = [line for file in files for line in file.read_text().splitlines() if line[:2] != "-r"]
    asked = [Requirement(line) for line in lines]
    here = {"python_version": "{}.{}".format(*python)}
    asked = [one for one in asked if one.marker is None or one.marker.evaluate(here)]
    return [(one.name, str(one.specifier).removeprefix("==")) for one in asked]


@pytest.mark.parametrize("python", PYTHONS)
def test_each_python_has_one_pin_of_each_package(
    python: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first command, too, which reads the markers without a library."""
    found, own = pinned(*FILES, python=python), COURSE / "requirements.txt"
    assert len(dict(found)) == len(found) >= 15
    with monkeypatch.context() as other:
        other.setattr(sys, "version_info", (*python, 0))
        read = installed.pins()
    assert list(read.items()) == pinned(own, python=python)
    assert pinned(own, python=(3, 9)) == []  # So pip goes on to what run_step.py says there.


def test_pyproject_repeats_the_list_for_uv() -> None:
    tomllib = pytest.importorskip("tomllib", reason="comes with Python 3.11")
    project = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["dependencies"] == (COURSE / "requirements.txt").read_text().splitlines()
    assert project["requires-python"] == ">={}.{}".format(*OLDEST)


def uv(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """uv, without settings of this machine, and with the environment of the tests."""
    program = shutil.which("uv") or pytest.skip("needs uv: requirements-dev.txt")
    environment = {**os.environ, "UV_NO_CONFIG": "1", "UV_PROJECT_ENVIRONMENT": sys.prefix}
    return subprocess.run(
        [program, *words], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.ci
def test_each_system_and_python_has_ready_made_packages(tmp_path: Path) -> None:
    """Of all pins, by the files that uv's lock names: it asks the registry for all of them."""
    tomllib = pytest.importorskip("tomllib", reason="comes with Python 3.11")
    text = (COURSE / "pyproject.toml").read_text("utf-8")
    more = [line for file in FILES for line in file.read_text().splitlines() if line[:2] != "-r"]
    (tmp_path / "pyproject.toml").write_text(f"{text}\n[dependency-groups]\nmore = {more!r}\n")
    done = uv(tmp_path, "lock")
    if "error sending request" in done.stderr:
        pytest.skip(f"the registry cannot be asked: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    wheels: dict[tuple[str, str], set[Tag]] = {}
    for package in tomllib.loads((tmp_path / "uv.lock").read_text("utf-8"))["package"]:
        names = [url["url"].rpartition("/")[2] for url in package.get("wheels", ())]
        tags = [parse_wheel_filename(name)[3] for name in names]
        wheels[package["name"], package.get("version", "")] = set().union(*tags)
    for python, (system, platforms) in itertools.product(PYTHONS, PLATFORMS.items()):
        fits = {*cpython_tags(python, platforms=platforms)}
        fits |= {*compatible_tags(python, "cp{}{}".format(*python), platforms)}
        for package in pinned(*FILES, python=python):
            assert wheels[package] & fits, (package, python, system)


@pytest.mark.ci
def test_uv_runs_the_course_and_its_tests(fresh: Path) -> None:
    listed = uv(fresh, "run", "--no-sync", "run_step.py", "list")
    assert listed.returncode == 0 and "Go on: python run_step.py" in listed.stdout, listed.stderr
    tests = uv(fresh, "run", "--no-sync", "pytest", "--version")
    assert tests.returncode == 0 and "pytest" in tests.stdout, tests.stderr


# Systems


@pytest.mark.ci
def test_without_forking_the_command_says_the_same(course: Path) -> None:
    """As on macOS: every worker is a new process."""
    solve(course, "2.3")
    file = course / "s2_attention/layer_norm.py"
    right = file.read_text("utf-8")
    file.write_text(right.replace("unbiased=False", "unbiased=True"), "utf-8")
    answers = []
    for platform in ("darwin", sys.platform):
        code = ELSEWHERE.format(platform=platform, words=["2.3", "--seed", "7"])
        done = run(course, "-c", code)
        lines = done.stdout.splitlines()
        answers.append((done.returncode, [line for line in lines if " s)" not in line]))
    assert answers[0] == answers[1]
    assert answers[0][0] == 1 and any("Mistake:" in line for line in answers[0][1])


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "cp932"])
def test_a_console_without_all_signs_gets_every_answer(course: Path, encoding: str) -> None:
    """Windows consoles: what they cannot show is replaced, and nothing stops."""
    solve(course, "1.1")
    wrong = (SOLUTIONS / "s1_embedding/positional_embedding.py").read_text("utf-8")
    wrong = wrong.replace("torch.cos(angle)", "torch.sin(angle)") + "print('→ √ ü')\n"
    (course / "s1_embedding/positional_embedding.py").write_text(wrong, "utf-8")
    for words, status in (
        (["1"], 1),
        (["list"], 0),
        (["hint", "1.2"], 0),
        (["compare", "1.2", "--anyway"], 0),
        (["--help"], 0),
        (["doctor"], 1),  # It says how to get the signs.
    ):
        done = run(course, "run_step.py", *words, encoding=encoding)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr and done.stdout


def test_no_file_is_read_in_the_systems_own_encoding(course: Path) -> None:
    """Where that is not UTF-8, as on many Windows computers, our signs would be spoiled."""
    solve(course, "1.1")
    strict = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    for words in (["1.1"], ["list"], ["hint", "1.2"], ["compare", "1.1"], ["reset", "1.1"]):
        done = run(course, *strict, "run_step.py", *words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)


def test_a_checkout_with_the_line_ends_of_windows(course: Path) -> None:
    """As git makes it there: skeletons are untouched, a right file passes, a reset works."""
    for file in [*course.rglob("*.py"), *course.rglob("*.md")]:
        text = file.read_bytes()
        file.write_bytes(text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert "waiting for you" in typed(course, "1.1").stdout
    right = (course / "solutions/s1_embedding/token_embedding.py").read_bytes()
    (course / "s1_embedding/token_embedding.py").write_bytes(right)
    assert b"\r\n" in right
    passed = typed(course, "1.1")
    assert passed.returncode == 0, passed.stdout
    assert "letter by letter" in typed(course, "compare", "1.1").stdout
    assert "is the skeleton again" in typed(course, "reset", "1.1").stdout
    assert "waiting for you" in typed(course, "1.1").stdout
    assert "as it was" in typed(course, "undo", "1.1").stdout
    assert typed(course, "1.1").returncode == 0


def test_paths_as_windows_writes_them(course: Path) -> None:
    solve(course, "1.1")
    for path in (
        "s1_embedding\\token_embedding.py",
        ".\\s1_embedding\\token_embedding.py",
        "C:\\Users\\Ada\\course\\s1_embedding\\token_embedding.py",
        "S1_Embedding/Token_Embedding.py",
    ):
        done = typed(course, path)
        assert done.returncode == 0 and "1.1 token_embedding passes" in done.stdout, path


@pytest.mark.parametrize("blind", [False, True], ids=["sees-case", "blind-to-case"])
def test_a_file_whose_name_has_capitals(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blind: bool
) -> None:
    """Windows and macOS find it by the right name. Elsewhere the message says what to rename."""
    shutil.copytree(SOLUTIONS / "s1_embedding", tmp_path / "s1_embedding")
    file = tmp_path / "s1_embedding/token_embedding.py"
    file.rename(file.with_name("Token_Embedding.py"))
    if blind:
        opened = os.open

        def open_any(path: Any, *flags: int) -> int:
            names = {other.name.lower(): other for other in Path(path).parent.iterdir()}
            return opened(names.get(Path(path).name.lower(), path), *flags)

        monkeypatch.setattr("checks.engine.files.source.os.open", open_any)
    step = [step for step in STEPS if step.id == "1.1"]
    result = Judge(host, Source(tmp_path), 7).run(step)[0]
    assert result.verdict == ("pass" if blind else "missing")
    if not blind:
        assert "Rename s1_embedding/Token_Embedding.py" in result.first_failure.message


@linux
def test_without_landlock_it_says_that_it_does_not_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    class Kernel:
        """One that knows no such call."""

        def syscall(self, *arguments: Any) -> int:
            return -1

    monkeypatch.setattr(landlock.ctypes, "CDLL", lambda *_, **__: Kernel())
    assert landlock.restrict(["/tmp"], []) is False


def test_grading_goes_on_where_no_wall_can_be_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS and Windows: it says that only processes stand between the code and the rest."""
    with Host(fork=False, grading=True) as host:
        step = [step for step in STEPS if step.id == "1.1"]
        result = Judge(host, Source(SOLUTIONS), 7, passed=EVERYTHING).run(step)[0]
        assert result.verdict == "pass", result.first_failure
        assert host.isolation.startswith("process")
