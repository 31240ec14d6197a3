"""How odd submissions are made: archives that lie, links, pipes."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from a_class import Files, right

from checks.contents import STEPS

FIRST = STEPS[0].path
STAGE = STEPS[0].stage


class Odd(NamedTuple):
    """`make` writes it below the folder of the class; `verdict` is that of step 1.1 or of the
    problem, `says` is in the message (of the first check, or of the problem).
    """

    make: Callable[[Path], object]
    verdict: str = "pass"
    says: str = ""


def file(name: str, content: bytes | Callable[[], bytes]) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(
        content if isinstance(content, bytes) else content()
    )


def tree(name: str, files: Files) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        (folder / name).mkdir()
        for path, content in files.items():
            (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / path).write_bytes(content)

    return make


def below(top: str, files: Files) -> Files:
    return {f"{top}/{path}": content for path, content in files.items()}


def odd_zip(change: Callable[[zipfile.ZipFile], object], files: Files | None = None) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of the same name twice.
        for path, content in (FIRST_ONLY if files is None else files).items():
            archive.writestr(path, content)
        change(archive)
    return made.getvalue()


def entry(name: str, kind: int = 0, **more: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o644) << 16
    for attribute, value in more.items():
        setattr(info, attribute, value)
    return info


def tarred(change: Callable[[tarfile.TarFile], object], mode: str = "w") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for path, content in FIRST_ONLY.items():
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        change(archive)
    return made.getvalue()


def special(name: str, kind: bytes, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def wrong_crc() -> bytes:
    """One byte of what is stored is another one."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(FIRST, right()[FIRST])
    data = bytearray(made.getvalue())
    data[60 + len(FIRST)] ^= 1
    return bytes(data)


def patched(data: bytes, local: int, central: int, format: str, value: int) -> bytes:
    """A zip with one field of every header set to a value, at these places in the headers."""
    changed = bytearray(data)
    for magic, place in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        at = -1
        while (at := data.find(magic, at + 1)) >= 0:
            struct.pack_into(format, changed, at + place, value)
    return bytes(changed)


def lying(data: bytes, size: int) -> bytes:
    return patched(data, 22, 24, "<I", size)


def packed_bomb(kind: int, megabytes: int = 60) -> bytes:
    """Says that it has 1000 bytes; as its kind of compression goes, it unpacks all at once."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", kind) as archive:
        with archive.open(FIRST, "w") as opened:
            for _ in range(megabytes):
                opened.write(bytes(1 << 20))
    return lying(made.getvalue(), 1000)


def endless_header() -> bytes:
    """A compressed tar with a name of 4 GB: a header that tarfile would read as one."""
    made = io.BytesIO()
    with gzip.GzipFile(fileobj=made, mode="wb") as packed:
        info = tarfile.TarInfo("././@LongLink")
        info.type, info.size = tarfile.GNUTYPE_LONGNAME, 4 << 30
        packed.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(64):
            packed.write(bytes(1 << 20))
    return made.getvalue()


def linked(name: str, at: str, to: str | Path) -> Callable[[Path], object]:
    """The right files, but for a link at one place."""

    def make(folder: Path) -> None:
        tree(name, right())(folder)
        place = folder / name / at
        shutil.rmtree(place) if place.is_dir() else place.unlink()
        place.symlink_to(to)

    return make


def with_fifo(folder: Path) -> None:
    tree("has-a-pipe", right())(folder)
    (folder / "has-a-pipe" / FIRST).unlink()
    os.mkfifo(folder / "has-a-pipe" / FIRST)


def course_clone() -> Files:
    """A whole course, as its own root, with nothing written: solutions/ lies in it."""
    files = {f"solutions/{path}": content for path, content in right().items()}
    return {**files, "run_step.py": b"print('mine')\n", f"{STAGE}/README.md": b"lesson"}


FIRST_ONLY = {FIRST: right()[FIRST]}
WRONG = {FIRST: right()[FIRST].replace(b"self.embedding(x)", b"self.embedding(x) + 1")}
LONG = "long-" + "n" * 190
OUT = "leads out of"
