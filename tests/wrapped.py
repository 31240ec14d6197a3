"""What tests of the wrappers share: the tools they call, and submissions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import AT_MOST

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.files.source import pristine

WRAPPERS = COURSE / "checks" / "grading" / "wrappers"
FILES = sorted(path for path in WRAPPERS.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.read_bytes()[:2] == b"#!"]
BASH = shutil.which("bash")
NORM, EMBEDDING = "s2_attention/layer_norm.py", "s1_embedding/token_embedding.py"


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
