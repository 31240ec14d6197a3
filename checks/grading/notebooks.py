"""A notebook that was handed in: the cells that begin with %%step are the files of their steps."""

from __future__ import annotations

import json
from pathlib import Path

from checks.contents import Step
from checks.engine.commands.words import Usage, find_steps
from checks.engine.files.source import pristine
from checks.grading.archives import MOST_NOTEBOOK, Refused, regular

MAGIC = "%%step"


def steps_in(notebooks: list[Path]) -> dict[Step, str]:
    """The text of each step that has a cell. Raises Refused if a notebook cannot be read, or if two
    notebooks differ in a step.

    As where the cells run, the last cell of a step counts, and no skeleton replaces a text.
    """
    found: dict[Step, tuple[str, str]] = {}
    for notebook in notebooks:
        for step, text in _texts(notebook).items():
            earlier, place = found.get(step, (text, notebook.name))
            if text != earlier and pristine(step) not in (text, earlier):
                names = f"{place!r} and {notebook.name!r}"
                raise Refused(f"Step {step.id} is in two notebooks: {names}. Hand in one.")
            if earlier in (text, pristine(step)):
                found[step] = text, notebook.name
    return {step: text for step, (text, _) in found.items()}


def _texts(notebook: Path) -> dict[Step, str]:
    texts: dict[Step, str] = {}
    for source in _sources(notebook):
        first, _, text = source.lstrip().partition("\n")
        magic, _, word = first.partition(" ")
        step = _step(word) if magic == MAGIC else None
        text = text.rstrip() + "\n"
        if step is not None and (step not in texts or text != pristine(step)):
            texts[step] = text
    return texts


def _step(word: str) -> Step | None:
    """The step of a cell; None for a word that is none."""
    try:
        steps = find_steps([word.strip()])
    except Usage:
        return None
    return steps[0] if len(steps) == 1 else None


def _sources(notebook: Path) -> list[str]:
    with regular(notebook) as file:
        content = file.read(MOST_NOTEBOOK + 1)
    if len(content) > MOST_NOTEBOOK:
        most = f"{MOST_NOTEBOOK >> 20} MB"
        raise Refused(f"{notebook.name} has more than {most}. Clear its outputs, and hand it in.")
    try:
        cells = json.loads(content)["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Refused(f"{notebook.name} is not a notebook that can be read.") from None
