"""The engine knows nothing of this course: it runs another one, of two steps (toy_course/)."""

from __future__ import annotations

import ast
import json
import re
import shutil
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from conftest import typed

from checks.contents import COURSE

ENGINE = COURSE / "checks" / "engine"
TOY = Path(__file__).with_name("toy_course")
TOLD_BY = {
    "checks.contents",
    "checks.course",
    "checks.extensions.layouts",
}  # The modules of a course.
# Words of the Transformer; what PyTorch itself calls so is left out.
FOREIGN = re.compile(
    r"attention|softmax|embedding|decoder|encoder|n_head|transformer|dim_vector|translat|greedy|beam",
    re.IGNORECASE,
)
OF_PYTORCH = {"worker/warm.py", "worker/readout.py", "worker/watchers.py"}


def modules() -> list[Path]:
    return sorted(ENGINE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules of checks/ that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            within = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {
                name for name in within if (COURSE / f"{name.replace('.', '/')}.py").exists()
            }
            found |= modules or {node.module}
    return {name for name in found if name.split(".")[0] == "checks"}


def test_the_engine_imports_nothing_of_the_course_but_what_tells_it() -> None:
    for path in modules():
        ours = imported(path)
        assert all(n in TOLD_BY or n.startswith("checks.engine.") for n in ours), (path, ours)


def test_each_room_of_the_engine_builds_on_those_above_it() -> None:
    """In the list of CONTRIBUTING.md."""
    text = (COURSE / "CONTRIBUTING.md").read_text("utf-8")
    listed = re.findall(
        r"^    (\w+)(?:/|\.py) ", text.partition("checks/engine/ ")[2], re.MULTILINE
    )
    for path in modules():
        room = path.relative_to(ENGINE).with_suffix("").parts[0]
        names = {n.split(".")[2] for n in imported(path) if n.startswith("checks.engine.")}
        assert names <= set(listed[: listed.index(room) + 1]), (path, names)


def test_no_modules_import_each_other() -> None:
    files = sorted((COURSE / "checks").rglob("*.py"))
    named = {".".join(file.relative_to(COURSE).with_suffix("").parts): file for file in files}
    TopologicalSorter({name: imported(file) for name, file in named.items()}).prepare()


def test_no_word_of_the_transformer_stands_in_the_engine() -> None:
    for path in modules():
        if path.relative_to(ENGINE).as_posix() not in OF_PYTORCH:
            assert FOREIGN.findall(path.read_text("utf-8")) == [], path


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine with the toy course in the place of ours, nothing written yet."""
    root = Path(shutil.copytree(TOY, tmp_path_factory.mktemp("toy") / "course"))
    hidden = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ENGINE, root / "checks" / "engine", ignore=hidden)
    shutil.copy(COURSE / "checks" / "__init__.py", root / "checks")
    for name in ("run_step.py", "requirements.txt"):
        shutil.copy(COURSE / name, root)
    for step in ("1.1", "1.2"):
        assert typed(root, "reset", step).returncode == 0
    return root


def test_another_course_runs_from_the_welcome_to_its_end(toy: Path) -> None:
    first = typed(toy)
    assert "You are going to double numbers." in first.stdout
    assert "1.1 double is waiting for you" in first.stdout and first.returncode == 1
    file = toy / "s1_numbers" / "double.py"
    solved = (toy / "solutions/s1_numbers/double.py").read_text("utf-8")

    file.write_text(solved.replace("2 * x", "x + 2"), "utf-8")
    wrong = json.loads(typed(toy, "1.1", "--json").stdout)["steps"][0]["checks"][0]
    assert (wrong["verdict"], wrong["mistake"]["name"]) == ("fail", "adds-two")
    assert "You add 2." in typed(toy, "hint", "1.1").stdout

    file.write_text(solved, "utf-8")
    shutil.copy(toy / "solutions/s1_numbers/scaled.py", toy / "s1_numbers")
    last = typed(toy)
    assert last.returncode == 0 and "You can double numbers." in last.stdout
    assert "2 of 2 steps passed" in typed(toy, "list").stdout
    assert "Numbers hold no secret for you." in typed(toy).stdout


def test_its_known_versions_are_judged(toy: Path) -> None:
    done = typed(toy, "proof")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rejects 3 of 3 wrong versions, accepts 2 of 2 right ones" in done.stdout


LONG_FILE, LONG_FUNCTION = 300, 40  # Lines, at most.


def test_files_and_functions_are_short() -> None:
    """Lists of known versions, and right versions in other styles, may be long."""
    checks, tests = COURSE / "checks", COURSE / "tests"
    for file in sorted([*checks.rglob("*.py"), *tests.rglob("*.py")]):
        name, text = file.relative_to(COURSE).as_posix(), file.read_text("utf-8")
        if file.name in ("mistakes.py", "rights.py") or tests / "right" in file.parents:
            continue
        assert len(text.splitlines()) <= LONG_FILE, name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                assert lines <= LONG_FUNCTION, f"{name}: {node.name}"
