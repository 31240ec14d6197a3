"""What long tests have shown is kept, so that CI tries again only what may have changed.

`kept.txt` has a line for each long test and step that has passed with all known versions, or all
mutants: with the hash of what is judged, and of the engine that judges. Where the first is another
one by now, CI tries one in 24 again; where only the second is, one in 48; where neither is, one.
Which ones follows from both hashes, so after another change it is others. All are tried by hand:
before a release, and after a change of how mistakes are named.

    CI=1 ALL=1 KEEP=1 python -m pytest tests/test_known.py tests/test_mutation.py …

tries all, and writes down what has passed.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import torch

from checks.contents import COURSE, SOLUTIONS, STEPS, Step
from checks.engine.files.source import below

Item = TypeVar("Item")
CHECKS, TESTS = COURSE / "checks", COURSE / "tests"
KEPT = TESTS / "kept.txt"
FAST, CHANGED, OTHER_ENGINE = 200, 24, 48  # Every so many-th is tried.
# What gives a verdict, whatever it is about: all files of these folders of checks/.
ENGINE = (
    *("engine", "engine/asking", "engine/files", "engine/hosting", "engine/planning"),
    *("engine/judging", "engine/locating", "engine/naming", "engine/worker"),
)
# Rooms whose files count for a step if its own files import them.
ROOMS = r"checks\.(s\d|truth|scenes)"
KINDS = ("checks", "mistakes", "rights")
# Of each long test: its own files, and which files of a step it depends on.
LONG = {
    "known": (("test_known.py",), KINDS),
    "pairs": (("test_known.py",), KINDS),
    "styles": (("test_styles.py",), KINDS),
    "sizes": (("test_checks.py",), ("checks",)),
    "mutation": (("test_mutation.py", "mutation.py"), ("checks",)),
}
in_full: set[tuple[str, Step]] = set()  # The tests that try all.


def to_try(test: str, step: Step, items: list[Item]) -> list[Item]:
    """Those of all the items that the test is to try now."""
    if not os.environ.get("CI"):
        return items[::FAST]
    if os.environ.get("ALL"):
        in_full.add((test, step))
        return items
    now = of_the_step(test, step), of_the_engine()
    own, engine = lines().get((test, step.name), ("", ""))
    every = CHANGED if own != now[0] else OTHER_ENGINE if engine != now[1] else len(items)
    every = max(1, min(every, len(items)))
    return items[int("".join(now), 16) % every :: every]


def part(items: list[Item], every: int, of: str = "") -> list[Item]:
    """Every so many-th, all with ALL: after a change of the engine it is others."""
    first = crc32(f"{of_the_engine()} {of}".encode()) % every
    return items if os.environ.get("ALL") else items[first::every]


def keep(test: str, step: Step) -> None:
    """Write down that it has passed, if all was tried and KEEP is set."""
    if os.environ.get("KEEP") and (test, step) in in_full:
        line = f"{test} {step.name} {of_the_step(test, step)} {of_the_engine()}\n"
        with KEPT.open("a", encoding="utf-8") as file:  # As one piece, whoever else writes.
            file.write(line)


def tidy() -> None:
    """When all have written: the last line of each test and step, in order."""
    KEPT.write_text("".join(sorted(f"{' '.join([*k, *v])}\n" for k, v in lines().items())), "utf-8")


def lines() -> dict[tuple[str, str], tuple[str, str]]:
    found = (line.split() for line in KEPT.read_text("utf-8").splitlines())
    return {(test, step): (own, engine) for test, step, own, engine in found}


@cache
def of_the_step(test: str, step: Step) -> str:
    """Changes with whatever is judged, what it is compared with, and the test."""
    asking, kinds = LONG[test]
    below = with_what_it_builds_on(step)
    own = [CHECKS / step.stage / step.name / f"{kind}.py" for kind in kinds]
    survivors = (TESTS / "survivors.txt").read_text("utf-8").splitlines()
    return digest(
        {
            *(
                root / other.path
                for root in (SOLUTIONS, *TESTS.glob("right/*"))
                for other in below
                if (root / other.path).exists()  # A style need not have every step.
            ),
            CHECKS / "extensions/layouts.py",
            *(path for start in own for path in with_what_it_imports(start)),
            *(TESTS / name for name in asking),
        },
        *(line for line in survivors if line.startswith(f"{step.id} ") and test == "mutation"),
    )


@cache
def of_the_engine() -> str:
    files = {path for folder in ENGINE for path in (CHECKS / folder).glob("*.py")}
    return digest(files, str(sys.version_info[:2]), torch.__version__)


def digest(files: set[Path], *more: str) -> str:
    whole = hashlib.sha256("\n".join(more).encode())
    for path in sorted(files):
        whole.update(path.relative_to(COURSE).as_posix().encode() + code_of(path).encode())
    return whole.hexdigest()[:16]


@cache
def code_of(path: Path) -> str:
    """A file without what changes no verdict: comments and docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            node.body[0] = ast.Pass()
    return ast.unparse(tree)


def with_what_it_builds_on(step: Step) -> list[Step]:
    return [one for one in STEPS if one == step or one in below(step)]


@cache
def with_what_it_imports(path: Path) -> set[Path]:
    """The file, and those of these rooms from which it takes anything."""
    found = {path}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and re.match(ROOMS, node.module or ""):
            module = COURSE.joinpath(*str(node.module).split("."))
            names = [module / f"{alias.name}.py" for alias in node.names]
            for file in (module.with_suffix(".py"), *names):
                found |= with_what_it_imports(file) if file.is_file() else set()
    return found
