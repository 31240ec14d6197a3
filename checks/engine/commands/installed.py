"""For the doctor: which Python and which packages are here, and the commands that fix them.

Python 3.7 can read this file, so that an old Python gets a message.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

COURSE = Path(__file__).resolve().parents[3]
WINDOWS = os.name == "nt"
OK, NOTE, FIX = "ok", "note", "fix"
OF_ENVIRONMENT = ".venv\\Scripts\\python" if WINDOWS else ".venv/bin/python"
MODULES = {"pytest-xdist": "xdist"}  # Packages with another name for their import.
PATIENCE = 180  # Seconds for an import on a slow disk.
PROBE = """
import sys
sys.path[:] = [path for path in sys.path if path]
import importlib.util, json, time
found, name = {}, sys.argv[1]
try:
    spec = importlib.util.find_spec(name)
    found["place"] = spec and (spec.origin or list(spec.submodule_search_locations)[0])
    start = time.perf_counter()
    module = __import__(name)
    found["seconds"] = round(time.perf_counter() - start, 3)
    from importlib.metadata import PackageNotFoundError, version
    try:
        found["version"] = version(name)
    except PackageNotFoundError:
        found["version"] = str(getattr(module, "__version__", "of unknown version"))
except BaseException as error:
    found["error"] = type(error).__name__ + ": " + str(error)
print("\\n" + json.dumps(found))
"""


class Finding(NamedTuple):
    """A finding: what it is `about`, its state, and the one command that fixes it."""

    about: str
    state: str  # ok, note (worth knowing) or fix
    says: str
    command: str | None = None
    details: dict[str, Any] | None = None


def pins() -> dict[str, str]:
    """The packages of requirements.txt, with their versions."""
    text = (COURSE / "requirements.txt").read_text("utf-8")
    return dict(re.findall(r"^([\w-]+)==([\w.]+)", text, re.MULTILINE))


def python() -> Finding:
    version = ".".join(str(number) for number in sys.version_info[:3])
    text = (COURSE / "pyproject.toml").read_text("utf-8")
    oldest, beyond = map(int, re.findall(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', text)[0])
    bits, own = 64 if sys.maxsize > 2**32 else 32, sys.prefix != sys.base_prefix
    details = {"version": version, "place": sys.executable, "bits": bits, "environment": own}
    says = f"{version}, {'in' if own else 'no'} virtual environment, {sys.executable}"
    if not (3, oldest) <= sys.version_info[:2] < (3, beyond):
        says += f". The course needs 3.{oldest} to 3.{beyond - 1}."
        return Finding("Python", FIX, says, _another(oldest, beyond), details)
    if bits != 64:
        says += f". It has {bits} bits; PyTorch needs 64."
        return Finding("Python", FIX, says, _another(oldest, beyond), details)
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


def _another(oldest: int, beyond: int) -> str:
    """The command for an environment with a suitable Python, or to get such a Python."""
    for minor in range(beyond - 1, oldest - 1, -1):
        if shutil.which(f"python3.{minor}"):
            return _environment(f"python3.{minor}")
    wanted = f"3.{min(12, beyond - 1)}"
    if WINDOWS:
        return f"winget install Python.Python.{wanted}"
    for tool, command in (
        ("conda", f"conda create -n course python={wanted}"),
        ("brew", f"brew install python@{wanted}"),
        ("apt", f"sudo apt install python{wanted} python{wanted}-venv"),
        ("dnf", f"sudo dnf install python{wanted}"),
    ):
        if shutil.which(tool):
            return command
    return f"install Python {wanted} from https://www.python.org/downloads/"


def _environment(name: str) -> str:
    """The command that makes a virtual environment and installs what the course needs in it."""
    return f"{name} -m venv .venv && {OF_ENVIRONMENT} -m pip install -r requirements.txt"


def pip(what: str) -> str:
    """The command that installs a package for this Python, or activates an existing environment."""
    name = quoted(sys.executable)
    for folder in (".venv", "venv"):
        made = COURSE / folder
        if (made / "pyvenv.cfg").exists() and made != Path(sys.prefix):
            return f"{folder}\\Scripts\\activate" if WINDOWS else f"source {folder}/bin/activate"
    managed = Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
    if sys.prefix == sys.base_prefix and managed.exists():  # Here pip refuses to install.
        lacking = find_spec("ensurepip") is None and shutil.which("apt")
        return ("sudo apt install python3-venv && " if lacking else "") + _environment(name)
    first = "" if find_spec("pip") else f"{name} -m ensurepip && "
    return f"{first}{name} -m pip install {what}"


def quoted(path: str | Path) -> str:
    return f'"{path}"' if WINDOWS else shlex.quote(str(path))


def package(name: str, pin: str) -> Finding:
    """Whether a package can be imported, in a process of its own, and how long that takes."""
    found = _probe(name)
    details = {**found, "expected": pin}
    install = pip("-r requirements.txt")
    if not found.get("place"):
        return Finding(name, FIX, "It is not installed.", install, details)
    if "error" in found:
        says = f"It cannot be imported: {found['error']}. It lies in {found['place']}"
        return Finding(name, FIX, says, _repair(name, pin, found), details)
    says = f"{found['version']}, imported in {found['seconds']:.1f} s, {found['place']}"
    if found["version"].partition("+")[0] != pin:
        says += f". The course is tested with {pin}."
        return Finding(name, NOTE, says, install, details)
    return Finding(name, OK, says, None, details)


def _probe(name: str) -> dict[str, Any]:
    command = [sys.executable, "-c", PROBE, MODULES.get(name, name)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return {"place": "?", "error": f"no end within {PATIENCE} s"}
    try:
        found: dict[str, Any] = json.loads(done.stdout.decode("utf-8", "replace").splitlines()[-1])
    except (ValueError, IndexError):
        return {"place": "?", "error": f"Python ended with status {done.returncode}"}
    return found


def _repair(name: str, pin: str, found: dict[str, Any]) -> str:
    for folder in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        if Path(folder).resolve() in Path(found["place"]).resolve().parents:
            return "set PYTHONPATH=" if WINDOWS else "unset PYTHONPATH"
    if found["error"].startswith("ModuleNotFoundError"):  # A package that it needs is missing.
        return pip("-r requirements.txt")
    return pip(f"--force-reinstall --no-deps {name}=={pin}")
