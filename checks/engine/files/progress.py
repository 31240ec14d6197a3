"""What the learner has passed, and the kept copies of files that were reset.

Progress is one git-ignored file, written whole or not at all; deleting it loses nothing that
checking again does not restore. Kept copies are ordinary files: .kept/s2_stage/some_step.1.py
What cannot be kept is said once, and the command goes on.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from checks.contents import STEPS, Step
from checks.engine.files.locks import locked
from checks.engine.files.told import said_if_not_kept, say_once

VERSION = 1
KINDS = {"passed": str, "graduated": str, "hints": int, "mistakes": str, "seeds": int}  # By step.


@dataclass
class Recall:
    """What `recall` knows of a step. `since`: the date of the pass or of the last answer, "" before
    them. `rounds`: how often it was recalled when it was due. `missed`: whether the last answer was
    wrong. `named`: the mistake that was named last.
    """

    since: str = ""
    rounds: int = 0
    missed: bool = False
    named: str = ""


class Progress:
    """Passed steps and graduations, with the digest they passed with. Hints that were shown, and
    of steps that failed: the last named mistake, and the seed. Mistakes that were found in hunts.
    """

    def __init__(self, file: Path, today: Callable[[], date] = date.today):
        self.file, self.today = file, today
        self.passed: dict[str, str] = {}
        self.graduated: dict[str, str] = {}
        self.hints: dict[str, int] = {}
        self.mistakes: dict[str, str] = {}
        self.seeds: dict[str, int] = {}
        self.hunts: dict[str, list[str]] = {}
        self.recalls: dict[str, Recall] = {}
        self.is_new = not file.exists()
        self._read()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A block that changes what the file holds now, and is short; then the file is written.

        So two commands at once lose nothing, if the block says no more than what was learned.
        """
        with locked(self.file.with_suffix(".lock")):
            self._read()
            yield
            self._write()

    def has_passed(self, step: Step, digest: str) -> bool:
        """Whether the step passed with exactly these files."""
        return self.passed.get(step.name) == digest

    def record(self, step: Step, digest: str, passed: bool) -> None:
        if passed:
            self.passed[step.name] = digest
            known = self.recalls.setdefault(step.name, Recall())
            known.since = known.since or self.today().isoformat()
        elif self.has_passed(step, digest):
            del self.passed[step.name]

    def has_graduated(self, step: Step, digest: str) -> bool:
        """Whether its graduation passed with exactly these files."""
        return self.graduated.get(step.name) == digest

    def graduate(self, step: Step, digest: str, passed: bool) -> None:
        if passed:
            self.graduated[step.name] = digest
        elif self.has_graduated(step, digest):
            del self.graduated[step.name]

    def remember(self, step: Step, mistake: str | None, seed: int | None) -> None:
        """Keep how a step failed (no seed: it passed). Hints begin with the last named mistake, and
        begin again after another one.
        """
        if seed is None:
            self.seeds.pop(step.name, None)
        else:
            self.seeds[step.name] = seed
        before = self.mistakes.pop(step.name, None)
        if mistake is not None:
            self.mistakes[step.name] = mistake  # The latest is the last.
        if mistake not in (None, before):
            self.hints[step.name] = 0
            self.recalls.setdefault(step.name, Recall()).named = mistake

    def found(self, step: Step, mistake: str) -> None:
        """Keep that this mistake was found in a hunt."""
        found = self.hunts.setdefault(step.name, [])
        if mistake not in found:
            found.append(mistake)

    def _write(self) -> None:
        data = {
            "version": VERSION,
            **{part: getattr(self, part) for part in KINDS},
            "recalls": {name: asdict(known) for name, known in self.recalls.items()},
            "hunts": self.hunts,
        }
        content = (json.dumps(data, indent=1) + "\n").encode()
        if content == self.content:
            return
        with said_if_not_kept("Your progress is", self.file):
            if self.damage:
                aside = moved_aside(self.file).relative_to(self.file.parent)
                why = f"{self.file.name} cannot be read ({self.damage})"
                say_once(f"{why}. It is kept as {aside}, and a new one begins.")
            write_whole(self.file, content)

    def _read(self) -> None:
        """Read the file. Its `damage` is "" if it can be read, or if there is none."""
        data: Any = {}
        self.content, self.damage = b"", ""
        try:
            self.content = self.file.read_bytes()
            data = json.loads(self.content)
            if not isinstance(data, dict):
                raise ValueError("it holds no progress")
        except FileNotFoundError:
            pass
        except (OSError, ValueError, RecursionError) as error:
            data, self.damage = {}, str(error)
        names = {step.name for step in STEPS}

        def kept(part: str) -> dict[str, Any]:
            found = data.get(part)
            held = found.items() if isinstance(found, dict) else ()
            return {name: value for name, value in held if name in names}

        for part, kind in KINDS.items():
            setattr(self, part, {n: v for n, v in kept(part).items() if type(v) is kind})
        read = {name: _recall(known) for name, known in kept("recalls").items()}
        self.recalls = {name: known for name, known in read.items() if known is not None}
        self.hunts = {
            name: [mistake for mistake in found if isinstance(mistake, str)]
            for name, found in kept("hunts").items()
            if isinstance(found, list)
        }


def _recall(data: Any) -> Recall | None:
    """The entry of a step as it was kept; None if something else stands there."""
    try:
        known = Recall(**data)
        if known.since:
            date.fromisoformat(known.since)
    except (TypeError, ValueError):
        return None
    kinds = [type(value) for value in asdict(known).values()]
    return known if kinds == [str, int, bool, str] and known.rounds >= 0 else None


def write_whole(path: Path, content: bytes) -> None:
    """Put content at path, complete or not at all; a link stays a link. Raises OSError."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    fd, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def moved_aside(path: Path) -> Path:
    """Move a file or folder into the folder .kept beside it; its path there. Raises OSError."""
    kept, name, number = path.parent / ".kept", path.name.lstrip("."), 1
    while (aside := kept / f"{name}.{number}").exists():
        number += 1
    kept.mkdir(exist_ok=True)
    os.rename(path, aside)
    return aside


class Kept:
    """The kept copies of one step's file, oldest first."""

    def __init__(self, step: Step, course: Path):
        self.file = course / step.path
        self.folder = course / ".kept" / step.stage
        self.name = step.name

    def copies(self) -> list[Path]:
        found = self.folder.glob(f"{self.name}.*.py") if self.folder.is_dir() else []
        copies = [p for p in found if re.fullmatch(rf"{self.name}\.\d+\.py", p.name)]
        return sorted(copies, key=lambda path: int(path.name.split(".")[1]))

    def keep(self) -> Path | None:
        """Copy the file as it is; the path of the copy, or None if there is no file."""
        try:
            content = self.file.read_bytes()
        except FileNotFoundError:
            return None
        last = self.copies()[-1:]
        if last and last[0].read_bytes() == content:
            return last[0]
        number = int(last[0].name.split(".")[1]) + 1 if last else 1
        copy = self.folder / f"{self.name}.{number}.py"
        write_whole(copy, content)
        return copy

    def swap(self) -> Path | None:
        """Exchange the file with its newest kept copy; the path of that copy, or None without a
        copy.
        """
        copies = self.copies()
        if not copies:
            return None
        newest = copies[-1]
        wanted = newest.read_bytes()
        present = self.file.read_bytes() if self.file.exists() else None
        if present == wanted:
            return newest
        if present is not None:
            write_whole(newest.with_name(newest.name + ".new"), present)
        write_whole(self.file, wanted)
        if present is not None:
            os.replace(newest.with_name(newest.name + ".new"), newest)
        return newest
