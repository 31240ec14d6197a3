"""The notebooks: complete, safe for a learner's file, and right from the first cell to the last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import AT_MOST, solve
from kept import part

from checks.contents import SOLUTIONS, STAGES, STEPS
from checks.engine.drawing.example import pictures_of
from checks.engine.files.source import pristine, solution
from checks.engine.watching import notebook as cells
from checks.lessons.notebooks import FOLDER

pytestmark = pytest.mark.room

FIRST = STEPS[0]


def read(stage: str) -> Any:
    return json.loads((FOLDER / f"{stage}.ipynb").read_text("utf-8"))


def text(cell: Any) -> str:
    return "".join(cell["source"])


def test_each_step_has_its_lesson_and_below_it_its_skeleton() -> None:
    for step in STEPS:
        all_cells = read(step.stage)["cells"]
        number = next(
            n for n, c in enumerate(all_cells) if text(c).startswith(f"%%step {step.id}\n")
        )
        assert text(all_cells[number]) == f"%%step {step.id}\n{pristine(step)}".rstrip()
        assert text(all_cells[number - 1]).startswith(f"## {step.id} ")


@pytest.mark.parametrize(
    "stage",
    [STAGES[0], *(pytest.param(stage, marks=pytest.mark.ci) for stage in part(STAGES[1:], 3))],
)
def test_solved_every_cell_runs(course: Path, stage: str) -> None:
    """In a real kernel, with the solutions written into the cells; 5.5 and 5.6 graduate, too."""
    client = pytest.importorskip("nbclient", reason="needs nbclient: requirements-dev.txt")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel", reason="needs ipykernel: requirements-dev.txt")
    solve(course, *(step.id for step in STEPS if step.stage < stage))
    own = [step for step in STEPS if step.stage == stage]
    book = nbformat.reads(json.dumps(read(stage)), as_version=4)
    for cell in book.cells:
        for step in own:
            if cell.source.startswith(f"%%step {step.id}\n"):
                cell.source = f"%%step {step.id}\n{solution(step)}"
    place = course / "notebooks"

    here = {"metadata": {"path": str(place)}}
    limits = {"timeout": int(AT_MOST), "startup_timeout": int(AT_MOST)}
    client.NotebookClient(book, resources=here, **limits).execute()

    nbformat.validate(book)
    for step in own:
        cell = next(c for c in book.cells if c.source.startswith(f"%%step {step.id}\n"))
        said = "".join(out.get("text", "") for out in cell.outputs)
        assert f"{step.id} {step.name} passes" in said
        assert (course / step.path).read_text("utf-8") == solution(step)
        drawn = [out for out in cell.outputs if "text/html" in out.get("data", {})]
        assert len(drawn) == bool(pictures_of(step))


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cells, "COURSE", tmp_path)
    monkeypatch.setattr(cells, "written", {})
    (tmp_path / FIRST.path).parent.mkdir()
    (tmp_path / FIRST.path).write_text(pristine(FIRST), "utf-8")
    return tmp_path


def test_a_cell_writes_the_file(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for body in ("one = 1\n", "two = 2"):
        cells.write(FIRST, body)
        assert (own_folder / FIRST.path).read_text("utf-8") == body.rstrip() + "\n"
    assert capsys.readouterr().out == "" and not (own_folder / ".kept").exists()


def test_what_another_hand_wrote_is_kept(
    own_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_folder / FIRST.path).write_text("mine = 1\n", "utf-8")

    cells.write(FIRST, pristine(FIRST))
    assert "stays as it is" in capsys.readouterr().out
    assert (own_folder / FIRST.path).read_text("utf-8") == "mine = 1\n"

    cells.write(FIRST, "of_the_cell = 1\n")
    name = f".kept/{FIRST.stage}/{FIRST.name}.1.py"
    assert name in capsys.readouterr().out
    assert (own_folder / name).read_text("utf-8") == "mine = 1\n"


@pytest.mark.parametrize("line", ["9.9", "1.1 1.2", ""])
def test_a_cell_of_no_step_says_so(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = (SOLUTIONS.parent / FIRST.path).read_text("utf-8")
    cells.step_cell(line, "x = 1\n")
    assert capsys.readouterr().out.strip()
    assert (SOLUTIONS.parent / FIRST.path).read_text("utf-8") == before
