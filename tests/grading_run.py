"""`grade` as it is typed, on a folder of submissions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import AT_MOST, until

from checks.contents import COURSE
from checks.engine.commands.command import main
from checks.engine.files.scratch import IN_USE
from checks.grading.pool import Pool

SEED = ("--seed", "5")


class Grading:
    """A folder to grade in: class/ is graded, results/ has the results, tmp/ is for what passes."""

    def __init__(self, folder: Path):
        self.folder, self.handed_in = folder, folder / "class"
        self.tmp, self.results = folder / "tmp", folder / "results"
        self.handed_in.mkdir()
        self.tmp.mkdir()

    def start(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(COURSE / "run_step.py"), "grade", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONIOENCODING": "ascii",
                "TMPDIR": str(self.tmp),
                "GITHUB_STEP_SUMMARY": "",
                **environment,
            },
            start_new_session=True,
        )

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        process = self.start("class", "--results", "results", *words, **environment)
        out, err = process.communicate(timeout=AT_MOST)
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def json(self, *words: str) -> dict[str, Any]:
        run: dict[str, Any] = json.loads(self.run("--format", "json", *words).stdout)
        return run

    def kept(self) -> dict[str, int]:
        """The results that are there, each of which is whole, with what tells two writes apart."""
        found = {}
        for file in self.results.glob("*.json"):
            content = json.loads(file.read_text("utf-8"))
            if file.name != "run.json":
                assert content["row"]["points"] is not None and len(content["key"]) == 32
                found[content["row"]["name"]] = file.stat().st_mtime_ns
        return found

    def processes(self) -> list[str]:
        """The command lines of what runs on behalf of this folder (Linux)."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_bytes()
                mine = command + (process / "environ").read_bytes()
            except OSError:
                continue
            if str(self.folder).encode() in mine and int(process.name) != os.getpid():
                found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
        return found

    def ends(self) -> None:
        """Soon nothing runs any more. A run that was killed leaves a folder with a lock, no more.

        The next command removes it.
        """
        if sys.platform == "linux":
            until(lambda: not self.processes())
            left = [path for path in self.tmp.rglob("*") if path.parent != self.tmp]
            assert [path for path in left if path.name != IN_USE] == []


def rows(run: dict[str, Any]) -> dict[str, Any]:
    """By name, without what differs between two runs."""
    found = {}
    for row in run["submissions"]:
        steps = [{**step, "seconds": 0} for step in row["steps"]]
        found[row["name"]] = {**row, "seconds": 0, "steps": steps}
    return found


def verdict(row: dict[str, Any]) -> str:
    verdicts = [step["verdict"] for step in row["steps"]]
    problem = row["problem"] and row["problem"]["verdict"]
    return problem or next((verdict for verdict in verdicts if verdict != "pass"), "pass")


def grade(grading: Grading, *words: str) -> int:
    """In this process."""
    results = str(grading.results)
    return main(["grade", str(grading.handed_in), "--results", results, "--steps", "1.1", *words])


def lose(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def ask(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(Pool, "_start", lambda self: None)
    monkeypatch.setattr(Pool, "_ask", ask)
