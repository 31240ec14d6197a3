"""The submissions: one per student, from the paths on the command line."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from checks.engine.commands.words import Usage
from checks.engine.files.names import stage_of
from checks.grading.archives import JUNK, NOTEBOOK, ending, stem
from checks.grading.lists import read_list

LISTS = (".txt", ".csv", ".tsv")  # Files of names.
SETTINGS = "run.json"  # It is in every folder of results.


@dataclass(frozen=True)
class Submission:
    """One student's submission. `path` is a folder, an archive or a notebook. Without one it is
    None, and `why` is the reason.
    """

    name: str
    path: Path | None
    why: str = "Nothing was handed in under this name."

    @property
    def source(self) -> str:
        return "" if self.path is None else str(self.path)


def find(
    paths: list[str], one: bool = False, results: Path | None = None
) -> tuple[list[Submission], list[Path]]:
    """All submissions in these paths, with unique names, and the paths that were left out.

    A path is a submission, a folder of submissions, or a list of names (see lists.py). `one`: a
    folder is one submission, regardless of its content. `results` is no submission.
    """
    found: list[Submission] = []
    left_out: list[Path] = []
    for text in paths:
        path = Path(text)
        if os.path.isdir(path):
            entries = _entries(path, results)
            if one or any(_is_stage(entry) for entry in entries):
                found.append(Submission(path.resolve().name, path))
            else:
                found += [Submission(stem(entry), entry) for entry in entries if _is_one(entry)]
                left_out += [entry for entry in entries if not _is_one(entry)]
        elif os.path.isfile(path) and ending(path):
            found.append(Submission(stem(path), path))
        elif os.path.isfile(path) and path.suffix.lower() in LISTS:
            beside = [entry for entry in _entries(path.parent, results) if _is_one(entry)]
            students = read_list(path, beside)
            found += [Submission(each.name, each.found, each.why) for each in students]
        elif os.path.exists(path):
            kinds = f"a folder, an archive, a notebook or a list of names ({', '.join(LISTS)})"
            raise Usage(f"{text!r} is not {kinds}. Save the table of a spreadsheet as CSV.")
        else:
            raise Usage(f"There is no {text!r}.")
    if not found:
        raise Usage(f"There are no submissions in {' '.join(paths)}.")
    return _with_names_of_their_own(found), left_out


def _entries(folder: Path, results: Path | None) -> list[Path]:
    """What lies in a folder, without hidden files, junk, and the results of this or another run."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise Usage(f"The folder {folder} cannot be read: {error.strerror}.") from None
    return [
        entry
        for entry in entries
        if not entry.name.startswith(".")
        and entry.name not in JUNK
        and not (results is not None and os.path.realpath(entry) == os.path.realpath(results))
        and not _holds_results(entry)
    ]


def _holds_results(path: Path) -> bool:
    """Whether it is a folder with the results of a run and nothing else, or a folder of those."""
    try:
        inside = [] if path.is_symlink() else [e for e in path.iterdir() if e.name[0] != "."]
    except OSError:
        return False
    if (path / SETTINGS).is_file():
        return all(entry.suffix == ".json" for entry in inside)
    return bool(inside) and all(map(_holds_results, inside))


def _is_one(path: Path) -> bool:
    return os.path.isdir(path) or bool(ending(path))


def _is_stage(path: Path) -> bool:
    """Whether it is the folder of a stage, or its notebook, perhaps with a wrong name."""
    is_kind = os.path.isdir(path) or ending(path) == NOTEBOOK
    return is_kind and stage_of(path.name) is not None


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
