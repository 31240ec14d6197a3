"""A sheet of hunts for a class: one mistake in each of several steps, and a key for the teacher."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from checks.contents import CORE, COURSE, SOLUTIONS, Step
from checks.engine.commands.checking import draw_seed
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import PASSED, Usage, print_json
from checks.engine.files.progress import write_whole
from checks.engine.files.source import Source, solution
from checks.engine.hosting.host import Host
from checks.engine.judging.results import checks_of_step
from checks.engine.known import mistakes
from checks.hunting.making import Made, Maker, repeated

SHEET, KEY = "hunt-sheet", "hunt-sheet-key.md"
GRADE = "python run_step.py grade FOLDER --borrow --steps"


class Entry(NamedTuple):
    """One hunt of a sheet: the file of this step with a mistake."""

    step: Step
    made: Made


def sheet(screen: Screen, options: Any) -> int:
    """Write the sheet that the options ask for, and its key; the exit status."""
    if not 1 <= options.sheet <= len(CORE):
        raise Usage(f"--sheet {options.sheet}: a sheet has 1 to {len(CORE)} files, one a step.")
    for name in (SHEET, KEY):
        if (COURSE / name).exists():
            raise Usage(f"{name} exists already. Move it away, and type the same again.")
    seed = draw_seed(options)

    def on_the_way(step: Step) -> None:
        if not options.json:
            screen.on_the_way(f" {step.id}")

    if not options.json:
        screen.say(f"Choosing mistakes for {options.sheet} files …")
    with Host() as host:
        hunts = entries(host, options.sheet, seed, on_the_way)
    write_sheet(COURSE, hunts, seed)
    ids = [step.id for step, _ in hunts]
    if options.json:
        print_json({"version": 1, "seed": seed, "folder": SHEET, "key": KEY, "steps": ids})
        return PASSED
    screen.say(f"  for the class  {SHEET}/  ({len(hunts)} files)")
    screen.say(f"  for you        {KEY}")
    screen.sentence("The key says what each mistake is, and how to judge what comes back.", "  ")
    return PASSED


def entries(host: Host, count: int, seed: int, on_the_way: Callable[[Step], None]) -> list[Entry]:
    """So many hunts, each in another step, in the order of the course; the same for a seed."""
    random, found = np.random.default_rng(seed), list[Entry]()
    order = [CORE[n] for n in random.permutation(len(CORE))]
    source = Source(SOLUTIONS)
    for step in order:
        if len(found) == count:
            break
        on_the_way(step)
        maker = Maker(host, source, step)
        made = repeated(maker, int(random.integers(1 << 20)))
        if made is not None:
            found.append(Entry(step, made))
    return sorted(found, key=lambda entry: CORE.index(entry.step))


def write_sheet(root: Path, hunts: list[Entry], seed: int) -> None:
    """Write the folder for the class and, beside it, the key."""
    try:
        for step, made in hunts:
            write_whole(root / SHEET / step.path, made.text.encode())
        write_whole(root / SHEET / "README.md", for_the_class(hunts).encode())
        write_whole(root / KEY, for_the_teacher(hunts, seed).encode())
    except OSError as error:
        raise Usage(f"The sheet cannot be written: {error}") from None


def for_the_class(hunts: list[Entry]) -> str:
    """The page that lies in the folder: which files, and what to do with them."""
    files = "\n".join(f"- `{step.path}`: {step.summary}" for step, _ in hunts)
    return f"""\
# {len(hunts)} files, one mistake in each

Each of these files runs, but it is not right. Find the mistake and repair it. Any right repair
counts.

{files}

1. Read the file, and say what each line should do.
2. Look at its shapes and numbers. If this folder lies in the course's folder, type there, for
   example: `python run_step.py trace {hunts[0].step.id} --borrow --submission {SHEET}`
3. Write down what is wrong and why, in one sentence. Then repair the file.
4. Hand in this folder.
"""


def for_the_teacher(hunts: list[Entry], seed: int) -> str:
    """The key: for each file the mistake, the changed lines, and which checks see it."""
    parts = [
        f"# The key to {SHEET}/",
        f"The same sheet again: `python run_step.py hunt --sheet {len(hunts)} --seed {seed}`",
        "To judge what the class hands in. FOLDER holds a folder or an archive for each student:",
        f"`{GRADE} {' '.join(step.id for step, _ in hunts)}`",
    ]
    for step, made in hunts:
        mistake = mistakes(step)[made.mistake]
        lines = difflib.unified_diff(
            solution(step).splitlines(), made.text.splitlines(), lineterm="", n=0
        )
        changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
        parts += [
            f"## {step.id} {step.name}",
            mistake.says,
            "\n".join(["```diff", *changed, "```"]),
            f"{len(made.seen)} of {len(checks_of_step(step))} checks see it.",
        ]
        parts += [f"The same mistake was in: {mistake.seen}"] if mistake.seen else []
    return "\n\n".join(parts) + "\n"
