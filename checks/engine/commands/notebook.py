"""The command from inside Python: a notebook's cell, or the prompt."""

from __future__ import annotations

import os

from checks.engine.commands.command import main
from checks.engine.commands.words import COMMANDS, INTERRUPTED, PASSED


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
