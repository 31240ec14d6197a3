"""Try the course on a release of Debian, and write its row of docs/systems.md.

    python -m tests.systems sid [--python python3.15] [--folder /var/tmp]

This takes root, debootstrap and about 10 GB, which it frees at the end. It copies what is
committed, and runs README's two commands there. apt and pip get the settings that they have here.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

COURSE = Path(__file__).parents[1]
PAGE = COURSE / "docs/systems.md"
HEAD = """\
| Debian | Python | torch | numpy | set-up | core steps | tests |
|---|---|---|---|---|---|---|
"""
VARIABLES = r"(?i)(PIP|SSL|REQUESTS|OPENBLAS)_.*|.*_proxy"
SETTINGS = (
    *("/etc/apt/apt.conf.d", "/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"),
    *("/etc/pip.conf", "/root/.config/pip/pip.conf", "/root/.pip/pip.conf"),
)
VERSIONS = """\
import numpy, platform, torch
print(platform.python_version(), torch.__version__, numpy.__version__)"""


def set_up(root: Path, release: str, python: str) -> None:
    """A release with this Python, the settings of this machine, and the course."""
    packages = f"--include=ca-certificates,{python},{python}-venv"
    subprocess.run(["debootstrap", "--variant=minbase", packages, release, root], check=True)
    for name in (*SETTINGS, *os.environ.get("PIP_FIND_LINKS", "").split()):
        place = Path(f"{root}{name}")
        if Path(name).is_dir():
            shutil.copytree(name, place, dirs_exist_ok=True)
        elif Path(name).exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, place)
    committed = subprocess.run(["git", "archive", "HEAD"], cwd=COURSE, stdout=subprocess.PIPE)
    (root / "course").mkdir()
    subprocess.run(["tar", "-x", "-C", root / "course"], input=committed.stdout, check=True)


def run(root: Path, command: str) -> str:
    """What a command prints there, in the course's folder and its virtual environment."""
    environment = {name: text for name, text in os.environ.items() if re.fullmatch(VARIABLES, name)}
    environment |= {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
    environment |= {"PIP_NO_CACHE_DIR": "1"}
    there = f"cd /course; if [ -e .venv ]; then . .venv/bin/activate; fi; {command}"
    mounts = f"mount --rbind /dev {root}/dev && mount -t proc proc {root}/proc"
    whole = f"{mounts} && exec chroot {root} sh -c {shlex.quote(there)}"
    words = ["unshare", "--mount", "sh", "-c", whole]  # What is mounted ends with the command.
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, encoding="utf-8")
    print(done.stdout, flush=True)
    return done.stdout


def row_of(root: Path, release: str, python: str) -> str:
    """What README's two commands come to."""
    run(root, f"{python} -m venv .venv")
    start = time.monotonic()
    run(root, "pip install --quiet -r requirements.txt && python run_step.py")
    seconds = time.monotonic() - start
    versions = run(root, f"python -c {shlex.quote(VERSIONS)}").split()
    steps = json.loads(run(root, "python run_step.py all --submission solutions --json"))["steps"]
    passed = sum(step["verdict"] == "pass" for step in steps)
    tests = run(root, "pip install --quiet -r requirements.txt && python -m pytest")
    counts = re.findall(r"\d+ (?:passed|failed|skipped|errors?)", tests.splitlines()[-1])
    cells = [release, *versions, f"{seconds:.0f} s", f"{passed} of {len(steps)}", ", ".join(counts)]
    return f"| {' | '.join(cells)} |\n"


def write(row: str) -> None:
    """Put the row into the table, in place of one with the same release and Python."""
    before, _, after = PAGE.read_text("utf-8").partition(HEAD)
    rows, blank, rest = after.partition("\n\n") if after.startswith("|") else ("", "", after)
    release, version = row.split(" | ")[:2]
    same = f"{release} | {version.rpartition('.')[0]}."
    kept = [f"{line}\n" for line in rows.splitlines() if not line.startswith(same)]
    PAGE.write_text(f"{before}{HEAD}{''.join(sorted([*kept, row]))}{blank[1:]}{rest}", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.systems")
    parser.add_argument("release", help="of Debian, such as trixie")
    parser.add_argument("--python", default="python3", help="its package, such as python3.15")
    parser.add_argument("--folder", type=Path, help="where there is room (the system's own choice)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        root = Path(folder) / options.release  # Every user may enter it.
        set_up(root, options.release, options.python)
        write(row_of(root, options.release, options.python))


if __name__ == "__main__":
    main()
