"""The command from inside Python: a notebook's cell, or the prompt."""

from __future__ import annotations

import os
from argparse import Namespace
from html import escape
from typing import Any

from checks.contents import COURSE, Step
from checks.engine.commands.guarded import main
from checks.engine.commands.words import COMMANDS, INTERRUPTED, PASSED, Usage
from checks.engine.commands.work import Work, one_step
from checks.engine.files.progress import Kept, write_whole
from checks.engine.files.source import pristine
from checks.engine.hosting.host import Host

written: dict[Step, str] = {}  # By the cells of this session.


def check(
    *steps: str | float,
    submission: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    borrow: bool = False,
    time_limit: float | None = None,
) -> bool:
    """Check steps as `python run_step.py STEPS` does and print its report; whether all pass.

        run_step.check("2.1")        a step; also "layer_norm", or a path
        run_step.check("1", "2.1")   a stage, and a step
        run_step.check()             where you are

    The options are those of the command. Files are read again each time, in a process of their own:
    nothing needs to be reloaded, and the kernel never runs them. Raises ValueError for an
    impossible option, and KeyboardInterrupt if it is interrupted, so that later cells wait.
    """
    words = [str(step) for step in steps]
    for word in words:
        if word in COMMANDS or word.startswith("-"):
            raise ValueError(f"check() takes steps. In a terminal: python run_step.py {word}")
    folder = None if submission is None else os.fspath(submission)
    given = {"--submission": folder, "--seed": seed, "--time-limit": time_limit}
    words += [f"{option}={value}" for option, value in given.items() if value is not None]
    if borrow:
        words.append("--borrow")
    try:
        status = main(words)
    except SystemExit:  # argparse has printed the reason.
        raise ValueError(f"run_step.check() does not understand {' '.join(words)}") from None
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    return status == PASSED


def load_ipython_extension(shell: Any) -> None:
    """Make cells that begin with %%step: `%load_ext run_step` calls this in a notebook."""
    shell.register_magic_function(step_cell, "cell", "step")


def step_cell(line: str, cell: str) -> None:
    """Write a cell into the file of its step, check it, and draw what it makes.

    %%step 2.1
    """
    own = Namespace(submission=None, borrow=False)
    try:
        if not line.strip():
            raise Usage("Which step? For example: %%step 2.1")
        step = one_step([line.strip()], own)
        write(step, cell)
    except (Usage, OSError) as error:
        print(error)
        return
    with Host() as host:
        if main([step.id], host=host) == INTERRUPTED:
            raise KeyboardInterrupt
        _draw(host, Work(own), step)


def write(step: Step, text: str) -> None:
    """Put the text into the step's file. What another hand has written there is kept; a skeleton
    does not replace it. Raises OSError.
    """
    file, skeleton = COURSE / step.path, pristine(step)
    text = text.rstrip() + "\n"
    there = file.read_text("utf-8", "replace") if file.exists() else skeleton
    if there == text:
        return
    if text == skeleton:
        print(f"This cell is still the skeleton, but {step.path} is not. The file stays as it is.")
        return
    if there not in (skeleton, written.get(step)):
        copy = Kept(step, COURSE).keep()
        print(f"What {step.path} was before is kept: {copy and copy.relative_to(COURSE)}")
    write_whole(file, text.encode())
    written[step] = text


def _draw(host: Host, work: Work, step: Step) -> None:
    """Show the pictures of `look` below the cell, if the code runs so far."""
    from IPython.display import HTML, display

    from checks.engine.drawing.sketch import inside
    from checks.engine.tracing.look import sketch_of

    sketch = sketch_of(host, work, step)
    if sketch.shapes:
        says = f"What your {step.name} makes on a tiny example"
        display(HTML(f'<img alt="{escape(says)}" src="{inside(sketch.svg(says))}">'))
