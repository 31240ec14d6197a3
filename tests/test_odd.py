"""Odd submissions: each gets its verdict, in self-study and graded."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Make, Run, linux, posix
from kept import part
from oddities import NORM, ODD, Odd, verdict_of

from checks.contents import SOLUTIONS
from checks.engine.hosting.host import Host


def one_of_each_number() -> Iterator[Any]:
    """One number in four; of the rest one in six, where CI is set."""
    met: set[str] = set()
    some = {odd.name for odd in part(ODD, 6)}
    for odd in ODD:
        number = odd.name.split()[0]
        if number not in met and len(met) % 4 == 2:
            yield pytest.param(odd, id=odd.name)
        elif odd.name in some:
            yield pytest.param(odd, id=odd.name, marks=[pytest.mark.ci])
        met.add(number)


@posix
@pytest.mark.parametrize("odd", list(one_of_each_number()))
def test_odd_submissions_get_their_verdict(host: Host, submission: Make, odd: Odd) -> None:
    result = verdict_of(odd, host, submission(odd.files))

    assert result.verdict in odd.verdicts, result.first_failure
    message = result.first_failure.message if result.first_failure else ""
    assert odd.says in message and len(message) < 20_000
    assert odd.kind is None or odd.kind in {check.kind for check in result.checks}


@linux
def test_the_solution_cannot_be_read_by_another_way(host: Host, submission: Make) -> None:
    """Two slashes get past the message, but not past Landlock."""
    odd = Odd("", {NORM: f"exec(open('/' + {str(SOLUTIONS / NORM)!r}).read())"}, ("error",))
    result = verdict_of(odd, host, submission(odd.files))
    if "landlock" not in host.isolation:
        pytest.skip("Landlock is missing here")
    assert result.verdict == "error" and "PermissionError" in result.checks[0].message


def graded_now() -> list[Odd]:
    """One in ten, and all that get another verdict there."""
    some = part(ODD, 10)
    return [odd for odd in ODD if odd in some or odd.graded is not None]


@linux
@pytest.mark.parametrize("odd", graded_now(), ids=lambda o: o.name)
def test_odd_submissions_are_graded(grading_host: Host, submission: Make, odd: Odd) -> None:
    """Behind all walls: the same verdicts, but for what is out of sight or out of reach."""
    if odd.graded is None and not os.environ.get("CI"):
        pytest.skip("the same as in self-study: runs where CI is set")
    result = verdict_of(odd, grading_host, submission(odd.files))
    assert result.verdict in (odd.graded or odd.verdicts), result.first_failure


def test_the_catalogue_is_covered() -> None:
    """Numbers 1 to 87; what is not a submission has a test of its own, named here."""
    elsewhere = {
        15: "test_command_limits.py: test_interrupted",
        24: "test_fairness.py: test_a_starved_worker_is_nobodys_fault",
        80: "below: test_odd_files_are_named",
        81: "conftest.py: the course lies under a name with spaces and other letters",
        69: "here, with 68",
    }
    found = {int(odd.name.split()[0]) for odd in ODD}
    assert found | elsewhere.keys() == set(range(1, 88))
    assert not found & elsewhere.keys()
    assert len(ODD) >= 90


@posix
def test_odd_files_are_named(tmp_path: Path, run: Run, submission: Make) -> None:
    root = submission({})
    file = root / NORM
    makes: list[tuple[Callable[[], Any], str]] = [
        (lambda: file.mkdir(), "a folder"),
        (lambda: file.symlink_to(tmp_path / "nowhere"), "a link to nothing"),
        (lambda: file.symlink_to(file), "cannot be read"),
        (lambda: os.mkfifo(file), "a pipe"),
        (lambda: file.symlink_to("/dev/zero"), "a device"),
        (lambda: a_socket(file), "cannot be read"),
        (lambda: None, "There is no file"),
    ]
    for make, says in makes:
        if file.is_dir() and not file.is_symlink():
            file.rmdir()
        else:
            file.unlink(missing_ok=True)
        make()
        result = run(root, "2.3", alone=True)[0]
        assert result.verdict in ("unreadable", "missing")
        assert says in result.checks[0].message


def a_socket(path: Path) -> None:
    """Bound by its name alone: the whole path may be too long for one."""
    here = os.getcwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(path.name)
    os.chdir(here)
