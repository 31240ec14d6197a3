"""Open a submission: find its stage folders, and compute a digest of its files."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from checks.contents import STAGES
from checks.engine.files.names import stage_of, step_of
from checks.engine.files.source import SIZE_LIMIT
from checks.grading.archives import (
    DEEPEST,
    JUNK,
    MOST_PACKED,
    NOTEBOOK,
    Refused,
    ending,
    is_judged,
    regular,
    suffix,
    unpack,
)
from checks.grading.handed_in import Submission
from checks.grading.notebooks import MAGIC, steps_in

DEPTH = 5  # The stage folders may lie so many levels deep.


@contextmanager
def opened(submission: Submission, scratch: Path | None = None) -> Iterator[tuple[Path, Path]]:
    """The folder with the stage folders, and the path to show for it (for an archive, inside it).

    Raises Refused if there is no such folder. Archives are unpacked below `scratch`. Files without
    stage folders, and the cells of notebooks, are put into stage folders there.
    """
    if submission.path is None:
        raise Refused(submission.why)
    own = Path(tempfile.mkdtemp(prefix="submission-", dir=scratch))
    try:
        place = _packed_in(submission.path) if os.path.isdir(submission.path) else submission.path
        folder, sorted_in = submission.path, own / "sorted in"
        if place is not None and ending(place) == NOTEBOOK:
            root = _sorted_in([place], sorted_in)
        else:
            if place is not None:
                folder = own / "unpacked"
                folder.mkdir()
                unpack(place, folder)
            root = _root(folder) or _sorted_in(_files(folder), sorted_in)
        inside = Path() if root == sorted_in else root.relative_to(folder)
        yield root, Path(os.path.realpath(place or submission.path)) / inside
    finally:
        shutil.rmtree(own, ignore_errors=True)


def _root(folder: Path) -> Path | None:
    """The nearest folder at or below this one with stage folders. Without any, folders count whose
    names are almost right. Raises Refused if there are two.
    """
    if not _entries(folder):
        raise Refused("It is empty: there is no Python file in it.")
    return _nearest(folder, lambda path: any(os.path.isdir(path / stage) for stage in STAGES)) or (
        _nearest(folder, lambda path: any(stage_of(below.name) for below in _folders(path)))
    )


def _nearest(folder: Path, is_root: Callable[[Path], bool]) -> Path | None:
    for level in _levels(folder):
        roots = [path for path in level if is_root(path)]
        if len(roots) > 1:
            names = " and ".join(repr(str(root.relative_to(folder))[:100]) for root in roots[:2])
            raise Refused(f"There are two courses in it: {names}. Hand in one.")
        if roots:
            return roots[0]
    return None


def _levels(folder: Path) -> Iterator[list[Path]]:
    """The folder, then the folders in it, and so on."""
    level = [folder]
    for _ in range(DEPTH):
        yield level
        level = [path for parent in level for path in _folders(parent)]


def _files(folder: Path) -> list[Path]:
    """The steps and notebooks at or below this folder; those that are less deep come first."""
    return [
        path
        for level in _levels(folder)
        for parent in level
        for path in _entries(parent)
        if (step_of(path.name) or ending(path) == NOTEBOOK)
        and path.is_file()
        and not path.is_symlink()
    ]


def _packed_in(folder: Path) -> Path | None:
    """The only archive in a folder with nothing else to judge, as learning platforms make it."""
    if _root(folder) or _files(folder):
        return None
    archives = [path for path in _entries(folder) if suffix(path) and path.is_file()]
    if len(archives) > 1:
        names = " and ".join(repr(path.name[:100]) for path in archives[:2])
        raise Refused(f"There are two archives in it: {names}. Hand in one.")
    return archives[0] if archives and not archives[0].is_symlink() else None


def _sorted_in(files: list[Path], target: Path) -> Path:
    """Step files without their stage folders, and the cells of notebooks, put where they belong."""
    notebooks = [path for path in files if ending(path) == NOTEBOOK]
    taken: dict[str, Path] = {}
    for path in files:
        step = None if path in notebooks else step_of(path.name)
        if step is None:
            continue
        earlier = taken.setdefault(path.name, path)
        if earlier is path:
            with regular(path) as file:
                _put(target / step.stage / path.name, file.read(SIZE_LIMIT + 1))
        elif len(earlier.parts) == len(path.parts):
            raise Refused(f"There are two files {path.name} in it. Hand in one.")
    for step, text in steps_in(notebooks).items():
        if not (target / step.path).exists():
            _put(target / step.path, text.encode("utf-8", "surrogatepass"))
    if target.is_dir():
        return target
    if notebooks:
        raise Refused(f"{notebooks[0].name} has no cell that begins with {MAGIC} and a step.")
    raise Refused(f"It has no stage folder: {STAGES[0]}, …")


def _put(place: Path, content: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)


def _entries(parent: Path) -> list[Path]:
    try:
        return sorted(parent.iterdir())
    except OSError as error:
        raise Refused(f"The folder {parent.name!r} cannot be read: {error.strerror}.") from None


def _folders(parent: Path) -> list[Path]:
    return [
        path
        for path in _entries(parent)
        if os.path.isdir(path) and not path.is_symlink() and path.name not in JUNK
    ]


def digest(submission: Submission) -> str:
    """A digest of all files that could be judged."""
    path = submission.path
    if path is None:
        return submission.why
    if not os.path.isdir(path):
        return _digest_of_file(path)
    whole = hashlib.sha256()
    for file in _judged(path):
        name = os.fsencode(file.relative_to(path))
        whole.update(name + b"\0" + _digest_of_file(file).encode())
    return whole.hexdigest()


def _judged(folder: Path) -> Iterator[Path]:
    """What could be judged, folders and archives below; links to folders are not followed."""
    for parent, folders, files in os.walk(folder):
        here = Path(parent)
        folders[:] = sorted(name for name in folders if name not in JUNK)
        yield from (here / name for name in folders)
        yield from (here / n for n in sorted(files) if is_judged(n) or suffix(here / n))
        if len(here.relative_to(folder).parts) >= DEEPEST - 1:
            folders.clear()


def _digest_of_file(path: Path) -> str:
    """A digest of the file's kind, of a link's target, and of the content."""
    whole, size = hashlib.sha256(), 0
    try:
        kind = stat.S_IFMT(path.lstat().st_mode)
        whole.update(f"{kind}\0".encode())
        if stat.S_ISLNK(kind):
            whole.update(os.fsencode(os.readlink(path)) + b"\0")
        if not os.path.isdir(path):
            with regular(path) as file:
                while (part := file.read(1 << 20)) and size <= MOST_PACKED:
                    whole.update(part)
                    size += len(part)
    except (OSError, Refused) as error:
        whole.update(type(error).__name__.encode())
    return whole.hexdigest()
