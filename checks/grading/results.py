"""The folder with the results of a run: one file per submission, each written completely or not."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from checks.contents import COURSE, SOLUTIONS
from checks.engine.commands.words import Usage
from checks.engine.files.progress import write_whole
from checks.grading.handed_in import SETTINGS, Submission
from checks.grading.opening import digest

ELSEWHERE = "Keep new results elsewhere: --results FOLDER."


class Results:
    """A folder of results. `settings` are those of the run: seed, steps, seconds, borrow."""

    def __init__(self, folder: Path, settings: dict[str, Any], resume: bool):
        """With `resume`, an earlier run in the folder continues, with its seed. Raises Usage if
        there is an earlier run without `resume`, or if its settings differ.
        """
        self.folder = folder
        try:
            if _made(folder):
                (folder / ".gitignore").write_text("*\n")
            self.settings = self._begin(settings, resume)
        except OSError as error:
            raise Usage(f"The results cannot be kept in {folder}: {error.strerror}.") from None
        self.version = checker()

    def _begin(self, settings: dict[str, Any], resume: bool) -> dict[str, Any]:
        file = self.folder / SETTINGS
        if self._is_first(file, settings):
            return settings
        if not resume:
            raise Usage(
                f"{self.folder} has the results of an earlier run. Go on with it: --resume. "
                f"Or: {ELSEWHERE}"
            )
        earlier = self._earlier(file)
        for name in ("steps", "seconds", "borrow", "points"):
            if earlier[name] != settings[name]:
                was, now = _difference(earlier[name], settings[name])
                said = f"{name} was {was} and is {now} now"
                raise Usage(f"The run in {self.folder} was another one: {said}. {ELSEWHERE}")
        if settings["given"] and earlier["seed"] != settings["seed"]:
            raise Usage(f"The run in {self.folder} has the seed {earlier['seed']}. {ELSEWHERE}")
        return earlier

    def _is_first(self, file: Path, settings: dict[str, Any]) -> bool:
        """Write the settings, unless another shard was faster; whether this one was first."""
        fd, mine = tempfile.mkstemp(dir=self.folder, prefix=f".{file.name}.")
        with os.fdopen(fd, "w", encoding="utf-8") as written:
            json.dump(settings, written)
        try:
            os.chmod(mine, 0o644)
            os.link(mine, file)
            return True
        except FileExistsError:
            return False
        except OSError:  # A file system without links.
            if file.exists():
                return False
            os.replace(mine, file)
            return True
        finally:
            Path(mine).unlink(missing_ok=True)

    def _earlier(self, file: Path) -> dict[str, Any]:
        try:
            earlier: dict[str, Any] = json.loads(file.read_text("utf-8"))
            if {"seed", "steps", "seconds", "borrow", "points"} <= earlier.keys():
                return earlier
        except (ValueError, AttributeError):
            pass
        raise Usage(f"{file} is not of a run of grade, or is damaged. {ELSEWHERE}")

    def key(self, submission: Submission) -> str:
        """A digest of everything that a result depends on: the files, the settings, the checker."""
        parts = [digest(submission), self.version, json.dumps(self.settings, sort_keys=True)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]

    def get(self, submission: Submission) -> dict[str, Any] | None:
        """The row of an earlier run, if it is still valid and the checker did not fail."""
        try:
            kept = json.loads(self._file(submission).read_text("utf-8"))
            row: dict[str, Any] = kept["row"]
            if kept["key"] != self.key(submission) or row["points"] is None:
                return None
            return {**row, "source": submission.source}
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, submission: Submission, key: str, row: dict[str, Any]) -> None:
        try:
            write_whole(self._file(submission), json.dumps({"key": key, "row": row}).encode())
        except OSError as error:
            why = f"The results cannot be kept in {self.folder}: {error.strerror}."
            raise Usage(f"{why} What is there holds. Fix it, then --resume.") from None

    def _file(self, submission: Submission) -> Path:
        plain = re.sub(r"[^\w.-]", "_", submission.name, flags=re.ASCII)[:60]
        named = hashlib.sha256(submission.name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return self.folder / f"{plain}-{named}.json"


def _made(folder: Path) -> bool:
    """Make the folder; False if it exists. Another shard may make it at the same moment."""
    try:
        folder.mkdir(parents=True)
        return True
    except FileExistsError:
        return False


def _difference(was: Any, now: Any) -> tuple[Any, Any]:
    """The entries in which two tables differ."""
    if not (isinstance(was, dict) and isinstance(now, dict)):
        return was, now
    differ = [key for key in {**was, **now} if was.get(key) != now.get(key)]
    return {key: was.get(key) for key in differ}, {key: now.get(key) for key in differ}


def checker() -> str:
    """A digest of the checks, the solutions and torch's version."""
    whole = hashlib.sha256(torch_version().encode())
    folders = (COURSE / "checks", SOLUTIONS)
    for file in sorted(path for folder in folders for path in folder.rglob("*.py")):
        whole.update(str(file.relative_to(COURSE)).encode() + file.read_bytes())
    return whole.hexdigest()[:16]


def add_outputs(text: str) -> None:
    """Add outputs to a step of a GitHub workflow, if this is one."""
    outputs = os.environ.get("GITHUB_OUTPUT")
    if outputs:
        with open(outputs, "a", encoding="utf-8") as file:
            file.write(text)


def torch_version() -> str:
    try:
        return version("torch").partition("+")[0]
    except PackageNotFoundError:
        return "none"


def write_output(text: str, file: str | None) -> None:
    """Write to a file, completely or not at all; or to stdout."""
    data = text if text.endswith("\n") else text + "\n"
    if file is None:
        sys.stdout.flush()  # As bytes: a format is UTF-8 on every terminal.
        sys.stdout.buffer.write(data.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
        return
    try:
        target = Path(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, data.encode("utf-8", "replace"))
    except OSError as error:
        raise Usage(f"{file} cannot be written: {error.strerror}.") from None


def add_summary(text: str) -> None:
    """Add text to the page of a GitHub workflow's run, if this is one."""
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if page:
        try:
            with open(page, "a", encoding="utf-8", errors="replace") as file:
                file.write(text + "\n")
        except OSError as error:
            print(f"{page} cannot be written: {error.strerror}.", file=sys.stderr)
