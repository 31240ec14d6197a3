"""`run_step.check(...)` from inside Python, as in a notebook's cell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import AT_MOST, Said, posix, solve, unbiased

from checks.contents import SOLUTIONS

pytestmark = pytest.mark.room


def session(folder: Path, course: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """A Python session in `folder` that has imported run_step from `course`."""
    start = ["import sys", f"sys.path.insert(0, {str(course)!r})", "import run_step"]
    return subprocess.run(
        [sys.executable, "-c", "\n".join([*start, *lines])],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=AT_MOST,
    )


def test_again_and_again_from_another_folder(course: Path, tmp_path: Path) -> None:
    """Files are read anew at each call; the kernel holds neither torch nor learner code."""
    solve(course, "1.1")
    (tmp_path / "my_own_module.py").write_text("", "utf-8")
    file = course / "s1_embedding/token_embedding.py"
    done = session(
        tmp_path,
        course,
        "first = run_step.check('1.1')",
        f"open({str(file)!r}, 'w').write('import sys; sys.exit()')",
        "second = run_step.check(1.1)",
        f"third = run_step.check('1.1', submission={str(SOLUTIONS)!r}, seed=3, time_limit=2)",
        "fourth = run_step.check('1.1', '2.1', borrow=True)",
        "import my_own_module, threading",
        "held = [m for m in sys.modules if m.startswith(('torch', 's1_', 's2_', 'solutions'))]",
        "print('RESULTS', first, second, third, fourth, held)",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "RESULTS True False True False []", done.stdout
    assert "1.1 token_embedding passes" in done.stdout and done.stderr == ""


def test_the_report_is_the_commands(said: Said, course: Path) -> None:
    text = (SOLUTIONS / "s2_attention/layer_norm.py").read_text("utf-8")
    (course / "s2_attention/layer_norm.py").write_text(unbiased(text), "utf-8")
    words = session(course, course, "run_step.check('2.3', seed=7)").stdout
    assert "The variance divides by one less" in words
    assert words == said(course, "2.3", "--seed", "7").stdout


@pytest.mark.parametrize(
    "call, says",
    [
        ("run_step.check('layer_nrom')", "Did you mean layer_norm?"),
        ("run_step.check('1.1', submission='nowhere')", "'nowhere' is not a folder"),
        ("run_step.check('1.1', seed=-1)", "ValueError"),
        ("run_step.check('1.1', time_limit=0)", "ValueError"),
        ("run_step.check('reset')", "python run_step.py reset"),
        ("run_step.check('--help')", "takes steps"),
    ],
)
def test_what_cannot_be_done_never_ends_the_session(fresh: Path, call: str, says: str) -> None:
    lines = ["try:", f"    print('GAVE', {call})", "except ValueError as error:"]
    done = session(fresh, fresh, *lines, "    print('ValueError', error)", "print('ALIVE')")
    assert done.stdout.splitlines()[-1] == "ALIVE"
    assert says in done.stdout + done.stderr
    assert "GAVE True" not in done.stdout and "Traceback" not in done.stderr


@posix
def test_an_interrupt_stops_the_cells_behind_it(course: Path) -> None:
    (course / "s1_embedding/token_embedding.py").write_text("while True: pass\n")
    done = session(
        course,
        course,
        "import os, signal, threading",
        "threading.Timer(4, os.kill, (os.getpid(), signal.SIGINT)).start()",
        "try:",
        "    run_step.check('1.1', time_limit=60)",
        "except KeyboardInterrupt:",
        "    print('INTERRUPTED')",
    )
    assert done.stdout.splitlines()[-1] == "INTERRUPTED" and "Traceback" not in done.stderr
