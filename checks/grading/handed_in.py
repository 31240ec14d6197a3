"""The submissions: folders and archives, one per student, from the paths on the command line."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from checks.contents import STAGES
from checks.engine.commands.words import Usage
from checks.grading.archives import JUNK, suffix

LISTS = (".txt", ".csv")  # Files of names.


@dataclass(frozen=True)
class Submission:
    """One student's submission. `path` is a folder or an archive, or None without one."""

    name: str
    path: Path | None

    @property
    def source(self) -> str:
        return "" if self.path is None else str(self.path)


def find(
    paths: list[str], one: bool = False, results: Path | None = None
) -> tuple[list[Submission], list[Path]]:
    """All submissions in these paths, with unique names, and the paths that were left out.

    A path is a submission, a folder of submissions, or a file of names. That file has a line for
    each student, `name` or `name,path`. Without a path, it means a folder or archive of that name
    beside the file, with or without its suffix. `one`: a folder is one submission, regardless of
    its content. `results` is no submission.
    """
    found: list[Submission] = []
    left_out: list[Path] = []
    for text in paths:
        path = Path(text)
        if os.path.isdir(path):
            if one or any(os.path.isdir(path / stage) for stage in STAGES):
                found.append(Submission(path.resolve().name, path))
            else:
                _in_folder(path, results, found, left_out)
        elif os.path.isfile(path) and suffix(path):
            found.append(Submission(_stem(path), path))
        elif os.path.isfile(path) and path.suffix.lower() in LISTS:
            found += _listed(path)
        elif os.path.exists(path):
            raise Usage(f"{text!r} is not a folder, an archive or a file of names (.txt, .csv).")
        else:
            raise Usage(f"There is no {text!r}.")
    if not found:
        raise Usage(f"There are no submissions in {' '.join(paths)}.")
    return _with_names_of_their_own(found), left_out


def _in_folder(
    folder: Path, results: Path | None, found: list[Submission], left_out: list[Path]
) -> None:
    for path in _entries(folder):
        if path.name.startswith(".") or path.name in JUNK:
            continue
        if results is not None and os.path.realpath(path) == os.path.realpath(results):
            continue
        if _is_handed_in(path):
            found.append(Submission(_stem(path), path))
        else:
            left_out.append(path)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise Usage(f"The folder {folder} cannot be read: {error.strerror}.") from None


def _is_handed_in(path: Path) -> bool:
    return os.path.isdir(path) or bool(suffix(path))


def _listed(file: Path) -> Iterator[Submission]:
    try:
        lines = file.read_text("utf-8-sig").splitlines()
        lines = [line for line in lines if not line.lstrip().startswith("#")]
        comma = ";" if lines and ";" in lines[0] and "," not in lines[0] else ","
        rows = [_cells(line, comma) for line in lines]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Usage(f"The file of names {file} cannot be read: {error}.") from None
    rows = _two_columns([row for row in rows if any(row)], file)
    beside = [path for path in _entries(file.parent) if _is_handed_in(path)]
    for name, *rest in rows:
        if not name:
            raise Usage(f"A line of {file} has no name: {','.join(['', *rest])!r}.")
        if rest and rest[0]:
            path = file.parent / rest[0]
            yield Submission(name, path if os.path.lexists(path) else None)
        else:
            named = (path for path in beside if name in (path.name, _stem(path)))
            yield Submission(name, next(named, None))


def _two_columns(rows: list[list[str]], file: Path) -> list[list[str]]:
    """name and path, or only name: by the header, if there is one. Other columns are left out."""
    header = [cell.lower() for cell in rows[0]] if rows else []
    if "name" in header:
        columns = [header.index(word) for word in ("name", "path") if word in header]
        return [[row[n] if n < len(row) else "" for n in columns] for row in rows[1:]]
    long = next((row for row in rows if len(row) > 2), None)
    if long is not None:
        raise Usage(
            f"A line of {file} has {len(long)} cells: {','.join(long)!r}. It takes name or "
            "name,path; or a first line that says which column is the name and which the path."
        )
    return rows


def _cells(line: str, comma: str) -> list[str]:
    return [cell.strip() for row in csv.reader([line], delimiter=comma) for cell in row]


def _stem(path: Path) -> str:
    """The name without the suffix of an archive."""
    return path.name if os.path.isdir(path) else path.name[: len(path.name) - len(suffix(path))]


def _with_names_of_their_own(found: list[Submission]) -> list[Submission]:
    """Submissions, with repeated names numbered: alice, alice (2). A repeated one counts once."""
    named: dict[str, Submission] = {}
    seen = set[tuple[str, str]]()
    for submission in found:
        place = "" if submission.path is None else os.path.abspath(submission.path)
        if (submission.name, place) in seen:
            continue
        seen.add((submission.name, place))
        name, number = submission.name, 1
        while name in named:
            number += 1
            name = f"{submission.name} ({number})"
        named[name] = replace(submission, name=name)
    return sorted(named.values(), key=lambda submission: submission.name)
