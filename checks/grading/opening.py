"""Open a submission: find its stage folders, and compute a digest of its files."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checks.contents import STAGES, STEPS
from checks.engine.files.source import SIZE_LIMIT
from checks.grading.archives import DEEPEST, JUNK, MOST_PACKED, Refused, regular, suffix, unpack
from checks.grading.handed_in import Submission

DEPTH = 5  # The stage folders may lie so many levels deep.


@contextmanager
def opened(submission: Submission, scratch: Path | None = None) -> Iterator[tuple[Path, Path]]:
    """The folder with the stage folders, and the path to show for it (for an archive, inside it).

    Raises Refused if there is no such folder. Archives are unpacked below `scratch`.
    """
    if submission.path is None:
        raise Refused("Nothing was handed in under this name.")
    own = Path(tempfile.mkdtemp(prefix="submission-", dir=scratch))
    try:
        place = _packed_in(submission.path) if os.path.isdir(submission.path) else submission.path
        folder, sorted_in = submission.path, own / "sorted in"
        if place is not None:
            folder = own / "unpacked"
            folder.mkdir()
            unpack(place, folder)
        root = _root(folder) or _sorted_in(folder, sorted_in)
        inside = Path() if root == sorted_in else root.relative_to(folder)
        yield root, Path(os.path.realpath(place or submission.path)) / inside
    finally:
        shutil.rmtree(own, ignore_errors=True)


def _root(folder: Path) -> Path | None:
    """The nearest folder at or below this one with stage folders."""
    level = [folder]
    for _ in range(DEPTH):
        roots = [path for path in level if any(os.path.isdir(path / stage) for stage in STAGES)]
        if len(roots) > 1:
            names = " and ".join(repr(str(root.relative_to(folder))[:100]) for root in roots[:2])
            raise Refused(f"There are two courses in it: {names}. Hand in one.")
        if roots:
            return roots[0]
        level = [path for parent in level for path in _folders(parent)]
    return None


def _packed_in(folder: Path) -> Path | None:
    """The only archive in a folder with nothing else to judge, as learning platforms make it."""
    if _root(folder) or any((folder / Path(step.path).name).is_file() for step in STEPS):
        return None
    archives = [path for path in _entries(folder) if suffix(path) and path.is_file()]
    if len(archives) > 1:
        names = " and ".join(repr(path.name[:100]) for path in archives[:2])
        raise Refused(f"There are two archives in it: {names}. Hand in one.")
    return archives[0] if archives and not archives[0].is_symlink() else None


def _sorted_in(folder: Path, target: Path) -> Path:
    """Step files without their stage folders, copied to where they belong."""
    for step in STEPS:
        loose = folder / Path(step.path).name
        if loose.is_file() and not loose.is_symlink():
            (target / step.stage).mkdir(parents=True, exist_ok=True)
            with regular(loose) as file:
                (target / step.path).write_bytes(file.read(SIZE_LIMIT + 1))
    if target.is_dir():
        return target
    if not any(os.scandir(folder)):
        raise Refused("It is empty: there is no Python file in it.")
    raise Refused(f"It has no stage folder: {STAGES[0]}, …")


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
        return ""
    if not os.path.isdir(path):
        return _digest_of_file(path)
    whole = hashlib.sha256()
    for file in _judged(path):
        name = os.fsencode(file.relative_to(path))
        whole.update(name + b"\0" + _digest_of_file(file).encode())
    return whole.hexdigest()


def _judged(folder: Path) -> Iterator[Path]:
    """The Python files, folders and archives below; links to folders are not followed."""
    for parent, folders, files in os.walk(folder):
        here = Path(parent)
        folders[:] = sorted(name for name in folders if name not in JUNK)
        yield from (here / name for name in folders)
        yield from (here / n for n in sorted(files) if n.endswith(".py") or suffix(here / n))
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
