"""The lessons hold what they promise: their tables, their headings and their code blocks."""

import ast
import builtins
import math
import re
import shlex
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from warm import python

from checks.contents import COURSE, SOLUTIONS, STAGES, STEPS, Step
from checks.lessons.layout import TABLES
from checks.lessons.notebooks import FOLDER, notebook
from checks.lessons.pictures import PICTURES
from checks.lessons.render import render, svg_files

# A code block that calls Python, with the comment before it if it prints a table of the lesson.
_PYTHON = re.compile(
    r"(?:<!-- prints: (?P<table>\S+) -->\n)?```sh\n(?P<command>python -c .*?)\n```", re.DOTALL
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?!\w)")
_NOT_PROSE = re.compile(
    r"<!--.*?-->|^```.*?^```$|^\|.*?$|^#.*?$|^!\[.*?$", re.DOTALL | re.MULTILINE
)
_TIME = re.compile(
    r"^\*Reading: about (?P<read>\d+) minutes?\. Writing: about (?P<write>\d+) minutes?\. "
    r"Difficulty: (?P<difficulty>[1-5]) of 5\.\*$",
    re.MULTILINE,
)
_NEEDED = re.compile(
    r"^\*\*What you need from PyTorch\*\*\n\n"
    r"\| name \| what it does \| for example \| gives \|\n\|(?:---\|){4}\n(?P<rows>(?:\|.*\n)+)",
    re.MULTILINE,
)
_ROW = re.compile(r"^\| (?P<name>.+) \| .+ \| `(?P<expression>[^`]+)` \| `(?P<value>[^`]+)` \|$")
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


def part(step: Step) -> str:
    """What the lesson says about the step."""
    return lesson(step.stage).split(f"\n## {title(step)}\n")[1].split("\n## ")[0]


def needed(step: Step) -> list[re.Match[str]]:
    """The rows of the step's table "What you need from PyTorch"; none if it has no such table."""
    table = _NEEDED.search(part(step))
    rows = [] if table is None else [_ROW.match(line) for line in table["rows"].splitlines()]
    assert all(rows), f"not | name | what | `expression` | `value` |: {table and table['rows']}"
    return [row for row in rows if row]


def plain(value: object) -> object:
    """The value without PyTorch: a tensor as a list, a shape as a tuple, 4 decimals."""
    if isinstance(value, Tensor):
        return plain(value.tolist())
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    if isinstance(value, tuple):  # torch.Size is one, too.
        return tuple(plain(entry) for entry in value)
    return round(value, 4) if isinstance(value, float) and math.isfinite(value) else value


def expressions(source: str) -> set[str]:
    """Every expression in the code that calls, computes or cuts something, written one way."""
    kinds = (ast.Call, ast.BinOp, ast.Subscript)
    return {ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}


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


@pytest.mark.parametrize("stage", STAGES)
def test_the_notebook_is_made_of_the_lesson_and_the_skeletons(stage: str) -> None:
    written = (FOLDER / f"{stage}.ipynb").read_bytes().decode()
    assert written == notebook(stage), "run: python -m checks.lessons"
    assert len([*FOLDER.iterdir()]) == len(STAGES)


def test_every_table_has_its_place_in_a_lesson() -> None:
    used = re.findall(r"<!-- table: (\S+) -->", "".join(map(lesson, STAGES)))

    assert sorted(used) == sorted(TABLES)


def test_the_pictures_are_those_of_the_equations() -> None:
    """Each is drawn again to the same bytes, and stands in its lesson once. None is left over."""
    files = dict(svg_files())
    for path, content in files.items():
        assert path.read_bytes().decode() == content, "run: python -m checks.lessons"
    assert {*COURSE.glob("s*/pictures/*")} == {*files}
    used = re.findall(r"<!-- picture: (\S+) -->", "".join(map(lesson, STAGES)))
    assert sorted(used) == sorted(PICTURES) and len(used) >= 15


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_read_by_all(name: str) -> None:
    """It says in words what it shows, has colours for light and dark, and loads nothing."""
    drawn = PICTURES[name]
    root = ElementTree.fromstring(drawn.draw().svg(drawn.says))
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and root.get("role") == "img"
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == drawn.says and len(drawn.says.split()) >= 12
    assert "prefers-color-scheme:dark" in str(root.findtext(f"{space}style"))
    assert not any(part.get("href") or "url(http" in str(part.attrib) for part in root.iter())
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for shape in root.iter():
        for key, most in (("x", width), ("y", height)):
            assert 0 <= float(shape.get(key, 0)) <= most, shape.attrib
    texts = [(t.get("y"), t.get("x"), t.text) for t in root.iter(f"{space}text")]
    assert len(set(texts)) == len(texts) > 2


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
    assert f"python run_step.py {step.id}" in part(step)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_each_step_says_how_long_it_takes(step: Step) -> None:
    """150 words per minute, without tables and code."""
    said = _TIME.findall(part(step))

    assert len(said) == 1
    words = len(_NOT_PROSE.sub("", part(step)).split())
    assert abs(int(said[0][0]) - words / 150) <= 1


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_what_a_step_needs_from_pytorch_is_true(step: Step) -> None:
    """Each example gives its value, and none of them is the answer."""
    rows = needed(step)

    assert 3 <= len(rows) <= 14
    answer = expressions((SOLUTIONS / step.path).read_text(encoding="utf-8"))
    for row in rows:
        expression = row["expression"]
        scope = {"torch": torch, "nn": nn, "F": functional, "math": math}
        scope |= {"re": re, "Counter": Counter, "pairwise": pairwise}
        value, written = eval(expression, scope), ast.literal_eval(row["value"])
        if isinstance(value, Tensor) and isinstance(written, tuple):
            value = value.shape
        assert plain(value) == written, expression
        assert type(plain(value)) is type(written), expression
        assert ast.unparse(ast.parse(expression, mode="eval")) not in answer, expression


def test_all_that_the_solutions_call_is_explained_before_it_is_needed() -> None:
    """Each method or function of PyTorch is in the step's table, or in an earlier one."""
    trees = {step: ast.parse((SOLUTIONS / step.path).read_text("utf-8")) for step in STEPS}
    given = {"super", "__init__", "evaluating", "eval", "no_grad", *dir(builtins)} - {"min", "max"}
    for node in (node for tree in trees.values() for node in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            given.add(node.name)
        if isinstance(node, ast.arg):
            given.add(node.arg)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "layer"):
            given.add(node.attr)
    explained = set[str]()
    for step, tree in trees.items():
        explained |= {word for row in needed(step) for word in re.findall(r"\w+", row[0])}
        called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
        names = {f.attr if isinstance(f, ast.Attribute) else ast.unparse(f) for f in called}
        assert names - explained - given == set(), step.id


@pytest.mark.parametrize("stage", STAGES)
def test_no_line_is_too_long(stage: str) -> None:
    lines = lesson(stage).splitlines()

    assert [line for line in lines if len(line) > 100 and not line.startswith(("|", "!["))] == []


@pytest.mark.parametrize(("command", "table"), blocks())
def test_the_code_runs_and_prints_the_table(
    tmp_path: Path, command: str, table: str | None
) -> None:
    """With the solutions: in the folder of the course skeletons would be found first."""
    name, *arguments = shlex.split(command)
    assert name == "python"
    done = python(*arguments, cwd=tmp_path, PYTHONPATH=str(SOLUTIONS))

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
