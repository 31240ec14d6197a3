"""For the doctor: the course's folder, files that shadow libraries, the terminal, and walls."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from checks.engine.commands.installed import COURSE, FIX, NOTE, OK, WINDOWS, Finding, quoted

PROBE = 1 << 16  # Bytes.
SIGNS = "…·√ü→"  # Characters beyond ASCII that the checker prints.


def folder() -> Finding:
    """Whether the learner's files and the progress can be written."""
    for place in (COURSE, *sorted(COURSE.glob("s[0-9]_*"))):
        try:
            with tempfile.TemporaryFile(dir=place) as file:
                file.write(bytes(PROBE))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            says = f"Nothing can be written in {place}: {error.strerror}."
            return Finding("folder", FIX, says, _opened(place, error))
    return Finding("folder", OK, f"{COURSE} can be written.")


def _opened(place: Path, error: OSError) -> str:
    """The command that opens the folder, copies that of another user, or shows what is full."""
    if error.errno == errno.ENOSPC:
        return "cleanmgr" if WINDOWS else f"df -h {quoted(place)}"
    if sys.platform == "win32":
        return f'attrib -r "{COURSE}\\*" /s /d'
    if error.errno == errno.EROFS or place.stat().st_uid != os.getuid():
        return f"cp -r {quoted(COURSE)} ~/{quoted(COURSE.name)}"
    return f"chmod -R u+w {quoted(COURSE)}"


def named_like_libraries(root: Path, packages: Iterable[str]) -> list[Path]:
    """Modules in the course's folder or its stage folders that have the name of a library."""
    libraries = {*sys.stdlib_module_names, *packages}
    found: list[Path] = []
    for place in (root, *sorted(root.glob("s[0-9]*_*"))):
        found += [*place.glob("*.py"), *(file.parent for file in place.glob("*/__init__.py"))]
    return sorted(file for file in found if file.stem in libraries)


def shadows(packages: Iterable[str]) -> Iterator[Finding]:
    """Findings about files that shadow a library when a file beside them runs by itself."""
    for file in named_like_libraries(COURSE, packages):
        name, other = file.relative_to(COURSE), f"my_{file.name}"
        says = f"{name} has the name of a library: Python may import it in place of {file.stem}."
        command = f"ren {quoted(name)} {other}"
        if not WINDOWS:
            command = f"mv {quoted(name)} {quoted(name.with_name(other))}"
        yield Finding("file", FIX, says, command)


def terminal() -> Finding:
    """Whether printed text can be read."""
    encoding, columns = sys.stdout.encoding or "ascii", shutil.get_terminal_size().columns
    says = f"encoding {encoding}, {columns} columns"
    try:
        SIGNS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        says += ". Signs that it does not have, such as √, are printed as question marks."
        variable = "PYTHONIOENCODING=utf-8" if "PYTHONIOENCODING" in os.environ else "PYTHONUTF8=1"
        return Finding("terminal", FIX, says, f"{'set' if WINDOWS else 'export'} {variable}")
    if sys.stdout.isatty() and columns < 80:
        return Finding("terminal", NOTE, f"{says}. The reports are made for 80.")
    return Finding("terminal", OK, says)


def walls() -> Iterator[Finding]:
    """Whether `grade` has bubblewrap, which Linux alone offers."""
    if shutil.which("bwrap"):
        says = "It is installed. `grade` uses it where the system allows that."
        yield Finding("bubblewrap", OK, says)
    elif sys.platform == "linux":
        says = "It is not installed. `grade` has more walls with it."
        yield Finding("bubblewrap", NOTE, says, "sudo apt-get install bubblewrap")
