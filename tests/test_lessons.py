"""The lessons hold what they promise: their tables, their headings and their code blocks."""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator

import pytest
from conftest import Ahead, ahead

from checks.contents import COURSE, SOLUTIONS, STAGES, STEPS, Step
from checks.lessons.layout import TABLES
from checks.lessons.render import render

# A code block that calls Python, with the comment before it if it prints a table of the lesson.
_PYTHON = re.compile(
    r"(?:<!-- prints: (?P<table>\S+) -->\n)?```sh\n(?P<command>python -c .*?)\n```", re.DOTALL
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?!\w)")
_TITLE = re.compile(r'Lesson: README\.md, "(?P<title>[^"]+)"')


def lesson(stage: str) -> str:
    return (COURSE / stage / "README.md").read_text(encoding="utf-8")


def blocks() -> list[object]:
    """Every Python call of every lesson that exists, with the table it prints, if it says so."""
    return [
        pytest.param(found["command"], found["table"], id=f"{stage}-{number}")
        for stage in STAGES
        if (COURSE / stage / "README.md").exists()
        for number, found in enumerate(_PYTHON.finditer(lesson(stage)), start=1)
    ]


def title(step: Step) -> str:
    """The heading that the docstring of the step's file names."""
    docstring = ast.get_docstring(ast.parse((SOLUTIONS / step.path).read_text(encoding="utf-8")))
    named = _TITLE.search(docstring or "")
    assert named, f"{step.path} names no heading of its lesson"
    return named["title"]


def numbers(text: str) -> list[str]:
    """The numbers in the text, "1,234" as "1234"; the 0 of "Backward0" and the like are none."""
    return _NUMBER.findall(re.sub(r"(?<=\d),(?=\d{3})", "", text))


def same(printed: str, written: str) -> bool:
    """Is the printed number the one in the table, which may be rounded to fewer decimals?"""
    decimals = len(written.partition(".")[2])
    rounding = 0.5 * 10**-decimals if decimals else 0.0
    return abs(float(printed) - float(written)) <= rounding + 0.0001


@pytest.mark.parametrize("stage", STAGES)
def test_the_tables_are_those_of_the_paper(stage: str) -> None:
    assert lesson(stage) == render(lesson(stage)), "run: python -m checks.lessons"


def test_every_table_has_its_place_in_a_lesson() -> None:
    used = re.findall(r"<!-- table: (\S+) -->", "".join(map(lesson, STAGES)))

    assert sorted(used) == sorted(TABLES)


@pytest.mark.parametrize("stage", STAGES)
def test_each_step_has_its_heading_in_order(stage: str) -> None:
    steps = [step for step in STEPS if step.stage == stage]
    prose = re.sub(r"^```.*?^```", "", lesson(stage), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (\d.*)$", prose, flags=re.MULTILINE)

    assert headings == [title(step) for step in steps]
    for step in steps:
        assert title(step).split()[0] == step.id


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_each_step_says_how_it_is_run(step: Step) -> None:
    own = lesson(step.stage).split(f"\n## {title(step)}\n")[1].split("\n## ")[0]

    assert f"python run_step.py {step.id}" in own


@pytest.mark.parametrize("stage", STAGES)
def test_no_line_is_too_long(stage: str) -> None:
    lines = lesson(stage).splitlines()

    assert [line for line in lines if len(line) > 100 and not line.startswith("|")] == []


@pytest.fixture(scope="module")
def typed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ahead]:
    """The Python calls of the lessons, run with the solutions."""
    # Copied here: pytest notes each test in its environment, while threads would copy it.
    environment = {**os.environ, "PYTHONPATH": str(SOLUTIONS)}

    def run(command: str, table: str | None) -> subprocess.CompletedProcess[str]:
        python, *arguments = shlex.split(command)
        assert python == "python"
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path_factory.mktemp("lesson"),  # In the course skeletons would be found first.
            env=environment,
            capture_output=True,
            check=False,
            text=True,
            encoding="utf-8",
            timeout=60,
        )

    with ahead(request, test_the_code_runs_and_prints_the_table, run) as results:
        yield results


@pytest.mark.parametrize(("command", "table"), blocks())
def test_the_code_runs_and_prints_the_table(
    request: pytest.FixtureRequest, typed: Ahead, command: str, table: str | None
) -> None:
    done = typed(request)

    assert done.returncode == 0, done.stderr
    if table is not None:
        left = numbers(TABLES[table]())
        printed = numbers(done.stdout)
        assert printed
        for number in printed:
            found = next((written for written in left if same(number, written)), None)
            assert found, f"{number} is printed, but does not stand in the table {table}"
            left.remove(found)


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no table is called 'unheard_of'"):
        render("<!-- table: unheard_of -->\n<!-- end -->\n")


@pytest.mark.parametrize(
    "markdown",
    [
        "<!-- table: layer_norm -->\n",
        "<!-- table: layer_norm -->\n<!-- table: layer_norm -->\n<!-- end -->\n",
        "<!-- table: layer_norm --> <!-- end -->\n",
    ],
)
def test_an_open_table_is_refused(markdown: str) -> None:
    with pytest.raises(ValueError, match="<!-- end -->"):
        render(markdown)


def test_a_table_is_replaced_and_the_rest_is_left_alone() -> None:
    markdown = "before\n<!-- table: layer_norm -->\nstale\n<!-- end -->\nafter\n"

    filled = render(markdown)

    assert filled.startswith("before\n<!-- table: layer_norm -->\n```text\n")
    assert TABLES["layer_norm"]() in filled and "stale" not in filled
    assert filled.endswith("\n```\n<!-- end -->\nafter\n")
    assert render(filled) == filled
