"""Unpack a submission without trusting it: only what is judged, and only a limited amount."""

from __future__ import annotations

import errno
import importlib
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from checks.engine.files.names import step_of
from checks.engine.files.source import SIZE_LIMIT

TAKEN = (".tar.gz", ".tar.xz", ".tar.bz2", ".tgz", ".zip", ".tar")
OTHERS = (".rar", ".7z", ".gz", ".xz", ".bz2")  # Archives that are recognised, but refused.
MOST_FILES = 10_000
MOST_BYTES = 200 << 20  # All files of an archive, as its headers say.
MOST_PACKED = 100 << 20  # The archive itself.
MOST_PYTHON = 20 << 20  # The unpacked Python files.
MOST_READ = MOST_PYTHON + MOST_FILES * (4 << 10)  # A tar with all its headers.
DEEPEST = 5  # Names in a path. Files in deeper folders are never judged.
MOST_NOTEBOOK = 8 << 20  # A notebook, with its outputs.
NOTEBOOK = ".ipynb"
JUNK = (
    *("__MACOSX", "__pycache__", ".ipynb_checkpoints"),
    *(".git", "node_modules", "venv", ".venv", "site-packages"),
)
COMPRESSED = {b"\x1f\x8b\x08": "gzip", b"\xfd7zXZ\0": "lzma", b"BZh": "bz2"}
PLAIN_ZIP = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Other methods unpack all at once.
BAD_PATH = (errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.EINVAL)


class Refused(Exception):
    """A file that is not accepted as a submission. The text says why."""


class Member(NamedTuple):
    """A file in an archive: its path, its size by the header, and a function that reads it."""

    path: PurePosixPath
    size: int
    is_plain: bool
    read: Callable[[int], bytes]  # So many bytes of it, at most.


def suffix(path: Path) -> str:
    """The suffix of an archive; "" for any other file."""
    name = path.name.lower()
    return next((end for end in (*TAKEN, *OTHERS) if name.endswith(end)), "")


def ending(path: Path) -> str:
    """The suffix of what can be handed in, an archive or a notebook; "" for any other file."""
    return NOTEBOOK if path.name.lower().endswith(NOTEBOOK) else suffix(path)


def stem(path: Path) -> str:
    """The name of a folder, or the name of a file without the suffix of what can be handed in."""
    return path.name if os.path.isdir(path) else path.name[: len(path.name) - len(ending(path))]


def is_judged(name: str) -> bool:
    """Whether a file of this name is read: Python, a notebook, a step under another name."""
    return name.endswith((".py", NOTEBOOK)) or step_of(name) is not None


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of an archive that are judged below `folder`. Raises Refused."""
    if suffix(archive) not in TAKEN:
        raise Refused(f"{archive.name} is not an archive that can be opened: hand in a zip.")
    try:
        with regular(archive) as file:
            if os.fstat(file.fileno()).st_size > MOST_PACKED:
                raise Refused(f"The archive has more than {MOST_PACKED >> 20} MB.")
            files = _python(file, suffix(archive) == ".zip")
    except Refused:
        raise
    except Exception as error:  # For a broken archive the libraries raise almost any error.
        why = str(error)[:200] or type(error).__name__
        raise Refused(f"The archive is broken: {why}.") from None
    for path, content in files.items():
        _put(folder / path, content)


def regular(path: Path) -> IO[bytes]:
    """A regular file, opened. Raises Refused for anything else, or if it cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise Refused(f"{path.name} cannot be read: {error.strerror}.") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Refused(f"{path.name} is neither a folder nor a file.")
    return os.fdopen(fd, "rb")


def _python(file: IO[bytes], is_zip: bool) -> dict[PurePosixPath, bytes]:
    """The Python files that could be judged. Raises Refused, or any error of the libraries."""
    if is_zip:
        with zipfile.ZipFile(file) as archive:
            return _taken(list(_zipped(archive)))
    start = file.read(10)
    file.seek(0)
    kind = next((kind for magic, kind in COMPRESSED.items() if start.startswith(magic)), None)
    if kind == "bz2" and start[4:] != b"1AY&SY":
        kind = None  # A plain tar whose first name begins like this.
    with importlib.import_module(kind).open(file) if kind else file as plain:
        bounded: Any = Bounded(plain)
        with tarfile.open(fileobj=bounded, mode="r:") as tar:
            return _taken(list(_tarred(tar)))


class Bounded:
    """A file for tarfile that ends after a limited number of bytes, regardless of the headers.

    tarfile seeks before each header and each file, and may read a long one in many pieces.
    """

    def __init__(self, file: IO[bytes]):
        self.file, self.left, self.in_a_row = file, MOST_READ, 0

    def read(self, size: int) -> bytes:
        self.left -= size
        self.in_a_row += size
        if self.left < 0 or self.in_a_row > 2 * SIZE_LIMIT:
            raise Refused("The headers of the archive are too large.")
        return self.file.read(size)

    def seek(self, position: int) -> int:
        if position > MOST_BYTES + MOST_READ:
            raise Refused(_too_much(0, position))
        self.in_a_row = 0
        return self.file.seek(position)

    def tell(self) -> int:
        return self.file.tell()


def _zipped(file: zipfile.ZipFile) -> Iterator[Member]:
    for info in file.infolist()[: MOST_FILES + 1]:
        if info.is_dir():
            continue
        kind = stat.S_IFMT(info.external_attr >> 16)

        def read(most: int, info: zipfile.ZipInfo = info) -> bytes:
            if info.flag_bits & 1:
                raise Refused("The archive is encrypted: hand in one without a password.")
            if info.compress_type not in PLAIN_ZIP:
                raise Refused("The archive is compressed in an unusual way: hand in a plain zip.")
            with file.open(info) as opened:
                return opened.read(most)

        yield Member(_path(info.filename), info.file_size, kind in (0, stat.S_IFREG), read)


def _tarred(tar: tarfile.TarFile) -> Iterator[Member]:
    size = 0
    for number, info in enumerate(tar):
        size += info.size
        if number > MOST_FILES or size > MOST_BYTES:  # Nothing more is read.
            raise Refused(_too_much(number, size))

        def read(most: int, info: tarfile.TarInfo = info) -> bytes:
            opened = tar.extractfile(info)
            return b"" if opened is None else opened.read(most)

        if not info.isdir():
            yield Member(_path(info.name), info.size, info.isreg(), read)


def _path(name: str) -> PurePosixPath:
    return PurePosixPath(name.replace("\\", "/"))


def _taken(members: list[Member]) -> dict[PurePosixPath, bytes]:
    """The content of the files to judge. A file that is too large is cut, but still too large."""
    size = sum(member.size for member in members)
    if len(members) > MOST_FILES or size > MOST_BYTES:
        raise Refused(_too_much(len(members), size))
    for member in members:
        if member.path.is_absolute() or ".." in member.path.parts or ":" in str(member.path)[:2]:
            raise Refused(f"The archive has a path that leads out of it: {_said(member.path)}.")
    taken: dict[PurePosixPath, bytes] = {}
    seen, total = set[str](), 0
    for path, _, is_plain, read in members:
        if not is_judged(path.name) or len(path.parts) > DEEPEST or set(path.parts) & set(JUNK):
            continue
        if not is_plain:
            raise Refused(f"The archive has a link in the place of a file: {_said(path)}.")
        if str(path).casefold() in seen:
            raise Refused(f"The archive has {_said(path)} twice.")
        seen.add(str(path).casefold())
        taken[path] = read(1 + (MOST_NOTEBOOK if path.suffix == NOTEBOOK else SIZE_LIMIT))
        total += len(taken[path])
        if total > MOST_PYTHON:
            raise Refused(f"The archive has more than {MOST_PYTHON >> 20} MB of files to judge.")
    inner = next((member.path for member in members if suffix(Path(member.path))), None)
    if inner is not None and not taken:
        raise Refused(f"There is only another archive in it: {_said(inner)}. Hand in that one.")
    return taken


def _put(target: Path, content: bytes) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno not in BAD_PATH:
            raise  # For example, a full disk is no fault of the submission.
        raise Refused(
            f"The archive has a path that cannot be written: {_said(target.name)}."
        ) from None


def _said(path: object) -> str:
    return repr(str(path)[:100])


def _too_much(files: int, size: int) -> str:
    return (
        f"The archive unpacks to {files} files or more, {size / 1e6:.0f} MB or more; "
        f"the limit is {MOST_FILES} files and {MOST_BYTES >> 20} MB."
    )
