"""Which packages of requirements.txt are installed, and the commands that install what lacks."""

from __future__ import annotations

import importlib
import os
import platform
import re
import shlex
import shutil
import sys
import sysconfig
import warnings
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

COURSE = Path(__file__).resolve().parents[3]
WINDOWS = os.name == "nt"
OK, NOTE, FIX = "ok", "note", "fix"
MODULES = {"pytest-xdist": "xdist"}  # Packages with another name for their import.


class Finding(NamedTuple):
    """A finding: what it is `about`, its state, and the one command that fixes it."""

    about: str
    state: str  # ok, note (worth knowing) or fix
    says: str
    command: str | None = None
    details: dict[str, Any] | None = None


def pins() -> dict[str, str]:
    """The packages of requirements.txt, with their versions for this Python."""
    text = (COURSE / "requirements.txt").read_text("utf-8")
    lines = re.findall(r"^([\w-]+)==([\w.]+); (.+)$", text, re.MULTILINE)
    return {name: pin for name, pin, marker in lines if _holds(marker)}


def _holds(marker: str) -> bool:
    """Whether bounds such as `python_version < "3.14"` hold for this Python."""
    bounds = re.findall(r'(<|>=) "3\.(\d+)"', marker)
    return all((sys.version_info[1] >= int(minor)) == (sign == ">=") for sign, minor in bounds)


def missing() -> list[str]:
    """The packages of requirements.txt that are not installed."""
    return [name for name in pins() if find_spec(MODULES.get(name, name)) is None]


def python() -> Finding:
    found = ".".join(str(number) for number in sys.version_info[:3])
    own = sys.prefix != sys.base_prefix
    details = {"version": found, "place": sys.executable, "environment": own}
    says = f"{found}, {'in' if own else 'no'} virtual environment, {sys.executable}"
    if sys.maxsize < 2**32:
        says += ". It has 32 bits; PyTorch needs 64."
        command = "install a Python of 64 bits from https://www.python.org/downloads/"
        return Finding("Python", FIX, says, command, details)
    return Finding("Python", OK, says, None, details)


def torch_version() -> str | None:
    """The version of the installed torch, which is not imported for it; None without one."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("torch").partition("+")[0]
    except PackageNotFoundError:
        return None


def versions() -> str:
    """A line with the versions of the course, Python and torch."""
    text = (COURSE / "pyproject.toml").read_text("utf-8")
    own = re.findall(r'^version = "(.+)"', text, re.MULTILINE)[0]
    torch = torch_version() or "is not installed"
    return f"course {own}, Python {platform.python_version()}, torch {torch}"


def package(name: str, pin: str) -> Finding:
    """Whether a package can be imported, and whether it has the version of requirements.txt."""
    install = pip("-r requirements.txt")
    spec = find_spec(MODULES.get(name, name))
    if spec is None:
        return Finding(name, FIX, "It is not installed.", install, {"expected": pin})
    details = {"expected": pin, "place": spec.origin}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importlib.import_module(spec.name)
        found = version(name)
    except Exception as error:
        says = f"It cannot be imported: {type(error).__name__}: {error}. It lies in {spec.origin}"
        return Finding(name, FIX, says, pip(f"--force-reinstall --no-deps {name}=={pin}"), details)
    details["version"] = found
    says = f"{found}, {spec.origin}"
    if found.partition("+")[0] != pin:
        return Finding(name, NOTE, f"{says}. The course is tested with {pin}.", install, details)
    return Finding(name, OK, says, None, details)


def pip(what: str) -> str:
    """The command that installs a package for this Python, or activates an existing environment."""
    name = quoted(sys.executable)
    for folder in (".venv", "venv"):
        made = COURSE / folder
        if (made / "pyvenv.cfg").exists() and made != Path(sys.prefix):
            return f"{folder}\\Scripts\\activate" if WINDOWS else f"source {folder}/bin/activate"
    managed = Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
    if sys.prefix == sys.base_prefix and managed.exists():  # Here pip refuses to install.
        return f"{name} -m venv .venv && .venv/bin/python -m pip install -r requirements.txt"
    if find_spec("pip"):
        return f"{name} -m pip install {what}"
    if shutil.which("uv"):  # The environments that it makes have no pip.
        return f"uv pip install --python {name} {what}"
    return f"{name} -m ensurepip && {name} -m pip install {what}"


def quoted(path: str | Path) -> str:
    return f'"{path}"' if WINDOWS else shlex.quote(str(path))
