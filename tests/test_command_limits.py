"""The command where something is in its way: no torch, no rights, a trap, a key that stops it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from conftest import AT_MOST, solve, typed

from checks.contents import SOLUTIONS
from checks.engine.commands.command import main
from checks.engine.hosting.outcomes import NoWorker


def test_the_judge_holds_neither_torch_nor_learner_code(course: Path) -> None:
    solve(course, "1.1", "2.1")
    code = (
        "import sys; sys.argv = ['run_step.py']; sys.path.insert(0, '.')\n"
        "from checks.engine.commands.command import main\n"
        "status = main(['1.1', '2.1', '2.2'])\n"
        "ours = ('torch', 's1_', 's2_', 'solutions')\n"
        "held = [name for name in sys.modules if name.startswith(ours)]\n"
        "print(status, held)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=course, capture_output=True, text=True, timeout=AT_MOST
    )
    assert done.stdout.strip().splitlines()[-1] == "1 []", done.stdout + done.stderr


@pytest.mark.skipif(os.name != "posix", reason="about POSIX permissions")
def test_a_read_only_course_works(fresh: Path) -> None:
    """As a user who may write nothing there (nobody, where the tests run as root)."""
    root = Path(tempfile.mkdtemp())
    course = Path(shutil.copytree(fresh, root / "course"))
    solve(course, "1.1")
    for path in [root, *root.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    user = {"user": 65534} if os.getuid() == 0 else {}
    for path in [course, *course.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(course / "run_step.py"), *words]
        return subprocess.run(command, capture_output=True, text=True, cwd="/", **user)  # type: ignore

    try:
        if subprocess.run([sys.executable, "-c", ""], **user).returncode:  # type: ignore
            pytest.skip("nobody may not run this Python")
        assert run().returncode == 0
        assert run("list").returncode == 0
        assert run("hint").returncode == 0
        refused = run("reset", "1.1")
        assert refused.returncode == 2 and "was not reset" in refused.stderr
    except PermissionError:
        pytest.skip("nobody may not run this Python")
    finally:
        for path in [course, *course.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)
        shutil.rmtree(root)


def test_without_torch_it_says_what_to_install(course: Path, tmp_path: Path) -> None:
    solve(course, "1.1")
    (tmp_path / "broken" / "torch").mkdir(parents=True)
    (tmp_path / "broken/torch/__init__.py").write_text("raise ImportError('no torch here')")
    done = typed(course, "1.1", PYTHONPATH=str(tmp_path / "broken"))
    assert done.returncode == 3
    assert "no torch here" in done.stderr and "-m pip install -r requirements.txt" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
@pytest.mark.parametrize("no_colour", [False, True])
def test_on_a_terminal_there_is_colour_and_the_screen_is_never_cleared(
    course: Path, no_colour: bool
) -> None:
    import pty

    solve(course, "1.1")
    script = [sys.executable, str(course / "run_step.py"), "1.1", "1.2"]
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
    environment |= {"NO_COLOR": "1"} if no_colour else {}
    process = subprocess.Popen(script, stdout=slave, stderr=slave, stdin=slave, env=environment)
    os.close(slave)
    shown = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert process.wait() == 1
    text = shown.decode()
    assert "1.1 token_embedding passes" in re.sub(r"\x1b\[[\d;]*m", "", text)
    assert ("\x1b[" in text) != no_colour
    assert not re.search(r"\x1b\[\d*[JHA]", text)
    plain = re.sub(r"\x1b\[[\d;]*m", "", text)
    assert max(map(len, plain.splitlines())) <= 80


def test_a_file_with_the_name_of_a_library_is_no_trap(course: Path) -> None:
    """The verdict is by values; and the learner is told before it becomes a riddle."""
    solve(course, "1.1")
    names = ["torch.py", "s1_embedding/typing.py"]
    names += [f"{name}.py" for name in sys.stdlib_module_names]
    for name in names:
        (course / name).write_text("raise RuntimeError('shadowed')\n", "utf-8")
    done = typed(course, "1.1")
    assert done.returncode == 0, done.stderr
    assert all(f"{name} has the name of a library" in done.stdout for name in names)


def test_another_package_of_the_name_checks_is_no_trap(course: Path, tmp_path: Path) -> None:
    (tmp_path / "site/checks").mkdir(parents=True)
    (tmp_path / "site/checks/__init__.py").write_text("raise RuntimeError('shadowed')\n", "utf-8")
    graded = ("grade", str(SOLUTIONS), "--steps", "1.1", "--results", str(tmp_path / "results"))
    for words in (["list"], graded):
        done = typed(course, *words, PYTHONPATH=str(tmp_path / "site"))
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(
    "command, status, told",
    [
        ("list > /dev/full", 3, "No space left on device"),
        ("list >&-", 3, "it is closed"),
        ("2.1", 3, "'numpy' is not a package"),
        ("list | (read -r line; exit $?)", 0, None),
        ("hint 2.1 <&- 2>&-", 0, None),
    ],
)
def test_a_fault_of_the_checker_is_one_line_and_no_verdict(
    fresh: Path, tmp_path: Path, command: str, status: int, told: str | None
) -> None:
    (tmp_path / "numpy.py").write_text("", "utf-8")
    root = Path(shutil.copytree(fresh, tmp_path / "course"))
    done = subprocess.run(
        ["sh", "-c", f'"$0" run_step.py {command}', sys.executable],
        cwd=root,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=AT_MOST,
    )
    assert done.returncode == status
    assert done.stderr == "" if told is None else told in done.stderr
    assert len(done.stderr.splitlines()) == (told is not None)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_interrupted(course: Path) -> None:
    import signal
    import time

    (course / "s1_embedding/token_embedding.py").write_text("while True: pass\n")
    process = subprocess.Popen(
        [sys.executable, str(course / "run_step.py"), "1.1", "--time-limit", "50"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert "Checking 1.1" in process.stdout.readline()
    time.sleep(2)  # Whether its code runs by now or not.
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=AT_MOST)
    assert process.returncode == 130
    assert "Traceback" not in errors


def test_without_torch_every_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_worker(*words: Any, **options: Any) -> int:
        raise NoWorker("PyTorch could not be started")

    monkeypatch.setattr("checks.engine.commands.command.check", no_worker)
    assert main(["2.1"]) == 3
    told = capsys.readouterr().err
    assert "PyTorch could not be started" in told and "-r requirements.txt" in told
