"""What tests of `train` share: the command, small texts, a small model."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from warm import python

from checks.contents import COURSE

DATA = Path(os.environ.get("COURSE_DATA", "data"))  # With multi30k/ and movie_reviews/ in it.
COMMAND = (sys.executable, str(COURSE / "run_step.py"))
SMALL = [
    *("--solution", "--dim-vector", "16", "--n-head", "2", "--num-layer", "1"),
    *("--dim-hidden", "24", "--vocab-size", "60", "--batch-tokens", "60", "--warmup", "20"),
    *("--threads", "1"),
]
NUMBERS = {"eins": "one", "zwei": "two", "drei": "three", "vier": "four", "acht": "eight"}


def course(
    at: Path, *words: str, root: Path = COURSE, input: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return python(str(root / "run_step.py"), *words, cwd=at, input=input, **environment)


def refused(at: Path, *words: str) -> str:
    done = course(at, *words)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """German numbers and their English, 60 pairs; and texts with labels."""
    rng = random.Random(1)
    rows = [rng.choices(list(NUMBERS), k=rng.randint(1, 5)) for _ in range(60)]
    english = [" ".join(NUMBERS[word] for word in row) for row in rows]
    (tmp_path / "de").write_text("".join(" ".join(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "en").write_text("".join(row + "\n" for row in english), "utf-8")
    for label, words in (("good", "fine great nice"), ("bad", "poor dull bleak")):
        lines = [" ".join(rng.choices(words.split(), k=4)) for _ in range(40)]
        (tmp_path / f"{label}.txt").write_text("\n".join(lines), "utf-8")
    return tmp_path


def log(model: Path) -> list[dict[str, Any]]:
    """The epochs of a training, without the times."""
    rows = [json.loads(line) for line in (model / "log.jsonl").read_text("utf-8").splitlines()]
    return [{k: v for k, v in row.items() if "seconds" not in k} for row in rows]
