"""The lessons hold what they promise: their tables, their headings and their code blocks."""

import ast
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
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

    said = (
        "The headings of the lesson are those that the docstrings of the solutions name, in order."
    )
    assert headings == [title(step) for step in steps], said
    for step in steps:
        assert title(step).split()[0] == step.id


@pytest.mark.parametrize("stage", STAGES)
def test_no_line_is_too_long(stage: str) -> None:
    lines = enumerate(lesson(stage).splitlines(), 1)
    long = [n for n, line in lines if len(line) > 100 and not line.startswith(("|", "!["))]
    assert not long, f"{stage}/README.md: more than 100 characters in the lines {long}"


@pytest.mark.parametrize(("command", "table"), blocks())
def test_the_code_runs_and_prints_the_table(
    tmp_path: Path, command: str, table: str | None
) -> None:
    """With the solutions: in the folder of the course skeletons would be found first."""
    name, *arguments = shlex.split(command)
    assert name == "python"
    done = python(*arguments, cwd=tmp_path, PYTHONPATH=str(SOLUTIONS))

    assert done.returncode == 0, f"{command}\n{done.stderr}"
    if table is not None:
        left = numbers(TABLES[table]())
        printed = numbers(done.stdout)
        assert printed
        for number in printed:
            found = next((written for written in left if same(number, written)), None)
            assert found, f"{command}\nprints {number}, which does not stand in the table {table}"
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
