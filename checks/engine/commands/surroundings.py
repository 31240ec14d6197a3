"""For the doctor: the course's folder, files that shadow libraries, terminal and system."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from checks.engine.commands.installed import COURSE, FIX, NOTE, OK, WINDOWS, Finding, quoted

PROBE = 1 << 16  # Bytes.
SIGNS = "…·√ü→"  # Characters beyond ASCII that the checker prints.


def folder() -> Iterator[Finding]:
    """Whether the learner's files, the progress and the workers' files can be written."""
    tried = {place: _write(place) for place in (COURSE, *_stages())}
    closed = {place: error for place, error in tried.items() if error is not None}
    if closed:
        names, why = ", ".join(map(str, closed)), next(iter(closed.values()))
        says = f"Nothing can be written in {names} ({why.strerror}): "
        says += "neither steps nor progress can be kept."
        full = why.errno in (errno.ENOSPC, errno.EDQUOT)
        yield Finding("folder", FIX, says, _space() if full else _opened(list(closed)))
    else:
        yield Finding("folder", OK, f"{COURSE} can be written.")
    try:
        tempfile.gettempdir()
    except OSError as error:
        command = "set TMP=%USERPROFILE%" if WINDOWS else 'export TMPDIR="$HOME"'
        yield Finding("temporary files", FIX, f"There is no place for them: {error}", command)


def _stages() -> list[Path]:
    return sorted(place for place in COURSE.glob("s[0-9]_*") if place.is_dir())


def _write(place: Path) -> OSError | None:
    """Write some bytes there; the error, if they cannot be kept. A full disk still makes files."""
    try:
        with tempfile.TemporaryFile(dir=str(place)) as file:
            file.write(bytes(PROBE))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error
    return None


def _space() -> str:
    """The command that says how full the disk is."""
    return f'dir "{COURSE}"' if WINDOWS else f"df -h {quoted(COURSE)}"


def _opened(closed: list[Path]) -> str:
    """The command that opens the folder to its owner, if it is the learner's, or copies it."""
    if sys.platform == "win32":
        return f'attrib -r "{COURSE}\\*" /s /d'
    mounted = os.statvfs(str(COURSE)).f_flag & os.ST_RDONLY
    if mounted or any(place.stat().st_uid != os.getuid() for place in closed):
        return _copied()
    return f"chmod -R u+w {quoted(COURSE)}"


def _copied() -> str:
    return f"cp -r {quoted(COURSE)} ~/{quoted(COURSE.name)}"


def named_like_libraries(root: Path, packages: Iterable[str]) -> list[Path]:
    """Modules in the course's folder or its stage folders that have the name of a library."""
    libraries = {*sys.stdlib_module_names, *packages}
    found: list[Path] = []
    for place in (root, *sorted(root.glob("s[0-9]*_*"))):
        found += [*place.glob("*.py"), *(file.parent for file in place.glob("*/__init__.py"))]
    return sorted(file for file in found if file.stem in libraries)


def shadows(packages: Iterable[str]) -> Iterator[Finding]:
    """Findings about files that shadow a library when a file beside them runs by itself."""
    found = named_like_libraries(COURSE, packages)
    for file in found:
        name, other = file.relative_to(COURSE), f"my_{file.name}"
        says = f"{name} has the name of a library: Python may import it in place of {file.stem}."
        command = f"ren {quoted(name)} {other}"
        if not WINDOWS:
            command = f"mv {quoted(name)} {quoted(name.with_name(other))}"
        yield Finding("file", FIX, says, command)
    if not found:
        yield Finding("files", OK, "No file has the name of a library.")


def progress() -> Finding:
    """Whether the kept progress can be read."""
    from checks.engine.files.progress import Progress

    file = COURSE / ".progress.json"
    kept = len(list((COURSE / ".kept").glob("*/*.py")))
    copies = f"; {kept} kept copies of files that were reset" if kept else ""
    if not file.exists():
        return Finding("progress", OK, f"none kept yet{copies}")
    known = Progress(file)
    if known.damage:
        says = f".progress.json cannot be read ({known.damage}). "
        says += "The next command moves it to .kept/ and begins a new one."
        return Finding("progress", NOTE, says)
    return Finding("progress", OK, f"{len(known.passed)} steps passed{copies}")


def terminal() -> Finding:
    """Whether printed text can be read."""
    encoding, columns = sys.stdout.encoding or "ascii", shutil.get_terminal_size().columns
    is_terminal = sys.stdout.isatty()
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    colours = (
        "no, as asked for" if plain else "yes" if is_terminal else "no, this is not a terminal"
    )
    details = {"terminal": is_terminal, "encoding": encoding, "columns": columns}
    says = f"encoding {encoding}, {columns} columns, colours: {colours}"
    try:
        SIGNS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        says += (
            ". Signs that this encoding does not have, such as √, are printed as question marks."
        )
        variable = "PYTHONIOENCODING=utf-8" if "PYTHONIOENCODING" in os.environ else "PYTHONUTF8=1"
        return Finding(
            "terminal", FIX, says, f"{'set' if WINDOWS else 'export'} {variable}", details
        )
    if is_terminal and columns < 80:
        return Finding("terminal", NOTE, f"{says}. The reports are made for 80.", None, details)
    return Finding("terminal", OK, says, None, details)


def system() -> Finding:
    """The machine: what affects the speed of files and processes."""
    cpus = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    name = f"{platform.system()} {platform.release()} on {platform.machine()}"
    wsl = "microsoft" in platform.release().lower()
    marks = ("/.dockerenv", "/run/.containerenv")
    container = any(map(os.path.exists, marks)) or "CODESPACES" in os.environ
    details = {"system": name, "cpus": cpus, "wsl": wsl, "container": container}
    says = f"{name}{', WSL' * wsl}{', a container' * container}, {cpus} CPUs to use"
    if wsl and COURSE.parts[1:2] == ("mnt",):
        says += ". This folder lies on the Windows side, where every file takes long."
        return Finding("system", NOTE, says, _copied(), details)
    return Finding("system", OK, says, None, details)
