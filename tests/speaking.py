"""`speak` and `chat` as they are typed, with a tiny model."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import a_model
import pytest
from warm import python

from checks.contents import COURSE, SOLUTIONS
from checks.speaking import model
from checks.speaking.gguf import Gguf
from checks.training.model import learner_code


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return a_model.a_file(tmp_path / "tiny.gguf")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: Any) -> Iterator[Path]:
    """The folder of models, which nothing has made yet."""
    monkeypatch.setenv("COURSE_MODELS", str(tmp_path / "models"))
    paths = [*sys.path]
    yield tmp_path / "models"
    sys.path[:] = paths  # learner_code has changed it.


def typed(*words: str, input: str | None = None) -> subprocess.CompletedProcess[str]:
    return python(str(COURSE / "run_step.py"), *words, cwd=COURSE, input=input)


def refused(*words: str) -> str:
    done = typed(*words)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert done.stdout == ""
    return done.stderr


def solution(path: Path) -> tuple[Gguf, model.Loaded]:
    learner_code(SOLUTIONS)
    file = Gguf(path)
    return file, model.load(file, exact=True)
