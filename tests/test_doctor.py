"""`run_step.py doctor`, and what the command says at first, on systems that lack something."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest
from conftest import AT_MOST, posix, typed

from checks.contents import COURSE

pytestmark = pytest.mark.room

Findings = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with nothing installed: its examination takes no time."""
    return environment(tmp_path_factory.mktemp("bare"))


def environment(folder: Path, *lacking: str) -> Path:
    """The Python of a virtual environment with what is installed here, but for what is lacking;
    with nothing, if that is not said.
    """
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    inside = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    for file in Path(sysconfig.get_path("purelib")).iterdir() if lacking else ():
        if not file.name.startswith(lacking):
            (inside / file.name).symlink_to(file)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def asked(python: Path | str, course: Path, *words: str, **variables: str) -> Any:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "NO_COLOR")}
    done = subprocess.run(
        [str(python), str(course / "run_step.py"), *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=course.parent,
        env={**environment, "PYTHONIOENCODING": "utf-8", **variables},
        timeout=AT_MOST,
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done


def findings(python: Path | str, course: Path, **variables: str) -> Findings:
    done = asked(python, course, "doctor", "--json", **variables)
    data = json.loads(done.stdout)
    assert list(data) == ["version", "well", "findings"] and data["version"] == 1
    for finding in data["findings"]:
        assert list(finding) == ["about", "state", "says", "command", "details"]
        assert (finding["command"] is not None) or finding["state"] != "fix"
    ill = any(finding["state"] == "fix" for finding in data["findings"])
    assert (data["well"], done.returncode) == (not ill, 1 if ill else 0)
    return {finding["about"]: finding for finding in data["findings"]}


def typed_in_a_shell(course: Path, command: str) -> None:
    subprocess.run(command, shell=True, cwd=course, check=True)


def test_what_it_sees_where_all_is_well(fresh: Path) -> None:
    found = findings(sys.executable, fresh)
    assert not [f for f in found.values() if f["state"] == "fix"]
    torch = found["torch"]["details"]
    assert torch["version"].partition("+")[0] == torch["expected"]


def test_with_nothing_installed(bare: Path, fresh: Path) -> None:
    """Every command but the doctor says so at first, and which packages."""
    for words in (["2.1", "--json"], ["ask"], ["grade", "solutions"], ["look"]):
        done = asked(bare, fresh, *words)
        assert done.returncode == 3 and done.stdout == ""
        assert done.stderr.startswith("Not installed: torch, numpy, rich, pytest, pytest-xdist, ")
        assert done.stderr.endswith(" -r requirements.txt\n")
    done = asked(bare, fresh, "doctor")
    assert done.returncode == 1 and done.stderr == ""
    lines = done.stdout.splitlines()
    for name in ("torch", "numpy", "rich", "pytest"):
        assert f"fix   {name}: It is not installed." in lines
    end = done.stdout.partition("To fix it")[2].splitlines()
    assert len(end) == 3 and end[1].endswith(" -r requirements.txt")
    assert "doctor" in end[-1]


@posix
def test_an_environment_of_uv_has_no_pip(bare: Path, fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "uv").touch(mode=0o755)
    done = asked(bare, fresh, "list", PATH=str(tmp_path))
    assert f"uv pip install --python {bare} -r requirements.txt" in done.stderr


@posix
def test_with_one_package_missing(fresh: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "site", "numpy")
    found = findings(python, fresh)
    ill = [about for about, finding in found.items() if finding["state"] == "fix"]
    assert ill == ["numpy"] and "requirements.txt" in found["numpy"]["command"]
    assert asked(python, fresh, "2.1").stderr.startswith("Not installed: numpy.\n")


@posix
def test_a_torch_that_cannot_be_imported(fresh: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "site", "torch")
    inside = Path(sysconfig.get_path("purelib", vars={"base": str(tmp_path / "site")})) / "torch"
    inside.mkdir()
    (inside / "__init__.py").write_text("raise OSError('libtorch.so: no such file')")
    found = findings(python, fresh)["torch"]
    assert "OSError: libtorch.so: no such file" in found["says"] and str(inside) in found["says"]
    pin = found["details"]["expected"]
    assert found["command"].endswith(f"--force-reinstall --no-deps torch=={pin}")


def test_an_environment_that_was_not_entered(bare: Path, course: Path) -> None:
    venv.create(course / ".venv", with_pip=False)
    assert "activate" in findings(bare, course)["torch"]["command"]


@pytest.mark.parametrize(
    ("version", "status", "says"),
    [
        ((3, 6, 15), 3, "This is Python 3.6.15. The course needs Python 3.10 or newer.\nOne way "),
        ((3, 9, 2), 3, "This is Python 3.9.2. The course needs Python 3.10 or newer.\nOne way "),
        (
            (3, 16, 0),
            0,
            "Python 3.16.0 is new: the course was tried with 3.10 to 3.15.\n",
        ),
    ],
)
def test_the_first_words_to_another_python(
    fresh: Path, version: tuple[int, ...], status: int, says: str
) -> None:
    """Whatever is typed; and an old Python can read the file that says them."""
    other = f"import runpy, sys; sys.version_info = {version}; sys.argv = ['run_step.py', 'list']; "
    other += "runpy.run_path('run_step.py', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", other], cwd=fresh, capture_output=True, text=True)
    assert done.returncode == status and done.stderr.startswith(says)
    assert bool(done.stdout) == (status == 0)
    ast.parse((COURSE / "run_step.py").read_text("utf-8"), feature_version=(3, 6))


@posix
def test_files_with_the_names_of_libraries(bare: Path, course: Path) -> None:
    (course / "torch.py").write_text("", "utf-8")
    (course / "s2_attention/random.py").write_text("", "utf-8")
    (course / "numpy").mkdir()
    (course / "numpy/__init__.py").write_text("", "utf-8")
    done = asked(bare, course, "doctor", "--json")
    told = [f for f in json.loads(done.stdout)["findings"] if f["about"] == "file"]
    assert [f["command"] for f in told] == [
        "mv numpy my_numpy",
        "mv s2_attention/random.py s2_attention/my_random.py",
        "mv torch.py my_torch.py",
    ]
    for finding in told:
        typed_in_a_shell(course, finding["command"])
    assert "file" not in findings(bare, course)


def test_an_encoding_that_lacks_signs(bare: Path, fresh: Path) -> None:
    found = findings(bare, fresh, PYTHONIOENCODING="ascii")["terminal"]
    assert found["state"] == "fix" and found["command"].endswith("PYTHONIOENCODING=utf-8")


def run_by_nobody() -> str:
    """A Python that another user may run: the doctor is content with the standard library."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        try:
            if subprocess.run([python, "-c", ""], user=65534).returncode == 0:
                return python
        except (OSError, subprocess.SubprocessError):
            continue
    pytest.skip("nobody may run a Python here")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="becomes another user")
@pytest.mark.parametrize("owner, starts", [(0, "cp -r '"), (65534, "chmod -R u+w '")])
def test_a_folder_that_cannot_be_written(fresh: Path, owner: int, starts: str) -> None:
    """One's own is opened, another one's is copied."""
    import tempfile

    python, root = run_by_nobody(), Path(tempfile.mkdtemp())
    try:
        shutil.copytree(fresh, root / "the course")
        for path in [root, *root.rglob("*")]:
            os.chown(path, owner, owner)
            path.chmod(0o555 if path.is_dir() else 0o444)
        done = subprocess.run(
            [python, str(root / "the course/run_step.py"), "doctor", "--json"],
            capture_output=True,
            text=True,
            cwd="/",
            user=65534,
        )
        assert done.stderr == "" and done.returncode == 1
        found = {f["about"]: f for f in json.loads(done.stdout)["findings"]}["folder"]
        assert found["state"] == "fix" and found["command"].startswith(starts)
    finally:
        shutil.rmtree(root)


def test_it_takes_no_step(fresh: Path) -> None:
    done = typed(fresh, "doctor", "2.1")
    assert done.returncode == 2 and "no step" in done.stderr
