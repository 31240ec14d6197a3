"""The stages as notebooks, made of their lessons and skeletons: `python -m checks.lessons`.

The first cell finds the course and installs it. Then each step has its part of the lesson, and a
cell with its skeleton. The pictures are inside, so a notebook can stand alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checks.contents import COURSE, STAGES, STEPS
from checks.engine.drawing.sketch import inside as address
from checks.engine.files.source import pristine

FOLDER = COURSE / "notebooks"
COMMENT = re.compile(r"<!-- .*? -->\n?", re.DOTALL)
PICTURE = re.compile(r"\]\((pictures/[^)]+)\)")
BEGIN = """\
*This notebook is stage {number} of the course, with the lesson of each step above its cell. Run the
first cell once. Then fill the TODOs in the cell of a step and run it. The cell writes your file,
checks it, and draws what your code makes. `python run_step.py` in a terminal reads the same files.*
"""
SET_UP = """\
# Run this cell first. It finds the course and installs what is missing.
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

ADDRESS = ""  # On Colab and the like: the address of the course's repository, for git clone.

folders = [Path.cwd(), *Path.cwd().parents, Path.cwd() / "course"]
course = next((folder for folder in folders if (folder / "run_step.py").exists()), None)
if course is None and ADDRESS:
    subprocess.run(["git", "clone", "--depth", "1", ADDRESS, "course"], check=True)
    course = Path.cwd() / "course"
if course is None:
    raise FileNotFoundError("The course is not here. Write the address of its repository above.")
if any(importlib.util.find_spec(name) is None for name in ("torch", "numpy", "rich", "num2words")):
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "-r", "requirements.txt"]
    subprocess.run(pip, check=True, cwd=course)
os.chdir(course)
sys.path.insert(0, str(course))
%load_ext run_step
"""


def notebooks() -> Iterator[tuple[Path, str]]:
    """Every notebook: its file, and its content."""
    for stage in STAGES:
        yield FOLDER / f"{stage}.ipynb", notebook(stage)


def notebook(stage: str) -> str:
    """The notebook of a stage, as JSON of the format 4.5."""
    lesson = (COURSE / stage / "README.md").read_text("utf-8")
    first, *parts = re.split(r"^(?=## )", COMMENT.sub("", lesson), flags=re.MULTILINE)
    text = [first, BEGIN.format(number=stage[1])]
    cells = [_text(stage, "\n".join(text)), _code(SET_UP)]
    for part in parts:
        cells.append(_text(stage, part))
        step = next((step for step in STEPS if part.startswith(f"## {step.id} ")), None)
        if step is not None:
            cells.append(_code(f"%%step {step.id}\n{pristine(step)}"))
    for number, cell in enumerate(cells):
        cell["id"] = f"{stage}-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _text(stage: str, markdown: str) -> dict[str, Any]:
    def inside(picture: re.Match[str]) -> str:
        return f"]({address((COURSE / stage / picture[1]).read_text('utf-8'))})"

    lines = PICTURE.sub(inside, markdown).strip().splitlines(keepends=True)
    return {"cell_type": "markdown", "metadata": {}, "source": lines}


def _code(text: str) -> dict[str, Any]:
    lines = text.rstrip().splitlines(keepends=True)
    return {
        **{"cell_type": "code", "metadata": {}, "source": lines},
        **{"execution_count": None, "outputs": []},
    }
