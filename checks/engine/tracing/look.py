"""`run_step.py look`: pictures of what the learner's code makes on a tiny example."""

from __future__ import annotations

import argparse
from typing import Any

from checks.contents import SOLUTIONS, Step
from checks.course import PICTURES
from checks.engine.asking.learner import Files
from checks.engine.commands.checking import make_judge
from checks.engine.commands.screen import Screen, fitted
from checks.engine.commands.words import NOT_PASSED, PASSED, Usage, function_of, parser_of, whole
from checks.engine.commands.work import Work, one_step
from checks.engine.drawing.characters import DARK, GREYS, Cell, Row, drawn
from checks.engine.drawing.example import Example, Picture, example_of, pictures_of
from checks.engine.drawing.failure import failure_of
from checks.engine.drawing.sketch import Sketch
from checks.engine.hosting.host import Host
from checks.engine.tracing.run import numbers_of, pictured, show_run, show_values
from checks.engine.tracing.saved import add, checked, save

NAMES = {"|": "| begins a sentence", ".": ". ends it", "-": "- is padding"}
HELP = f"""\
See what your code makes on a tiny example, in pictures: weights in percent,
masks, vectors, waves. The numbers are those of your own code. After a check
has failed, see its numbers, too: expected, yours, and the difference.
Words are names of tokens: {", ".join(NAMES.values())}.

python run_step.py look              the current step
python run_step.py look 2.2          another one
python run_step.py look 2.2 --solution    the same pictures of the solution
python run_step.py look 2.2 --save heads.svg    as a file to share, too
"""


def parser() -> argparse.ArgumentParser:
    made = parser_of("look", "[STEP]", HELP)
    made.add_argument("words", nargs="+", help=argparse.SUPPRESS)
    made.add_argument("--solution", action="store_true", help="look at the solution")
    made.add_argument("--submission", metavar="DIR", help="look at the stage folders in DIR")
    made.add_argument("--save", metavar="FILE", help="write it as FILE, .svg, .html or .png, too")
    made.add_argument("--text", metavar="TEXT", help="what a trained model reads")
    made.add_argument("--seed", type=whole, metavar="N", help="the check that failed with seed N")
    made.add_argument("--borrow", action="store_true", help="other steps come from solutions/")
    made.set_defaults(time_limit=None)
    return made


def look(words: list[str], options: Any) -> int:
    """Draw the pictures of a step; 1 if its code stops before they are all drawn."""
    if options.solution:
        options.submission = str(SOLUTIONS)
    work, screen = Work(options), Screen()
    step = one_step(words, options)
    example, pictures = example_of(step), pictures_of(step)
    if options.seed is None and work.own:
        options.seed = work.progress.seeds.get(step.name)
    file = None if options.save is None else checked(options.save)
    status, sketch = PASSED, Sketch()
    if example is not None and pictures:
        status = _look_at_the_example(screen, work, step, example, pictures, sketch)
    elif step.name in PICTURES and options.seed is None:
        status = function_of(PICTURES[step.name])(screen, work, options.text, sketch)
    elif options.seed is None:
        raise Usage(f"{step.id} {step.name} has no picture. Try: run_step.py trace {step.id}")
    if options.seed is not None:
        status |= _look_at_the_failure(screen, work, step, options, sketch)
    if file is not None and sketch.shapes:
        save(file, sketch, f"{step.id} {step.name}")
        screen.say(f"\nSaved as {file}.")
    return status


def _look_at_the_example(
    screen: Screen,
    work: Work,
    step: Step,
    example: Example,
    pictures: list[Picture],
    sketch: Sketch,
) -> int:
    wanted = [picture.value for picture in pictures]

    def show(files: Files, found: list[Any]) -> None:
        for picture, array in zip(pictures, found):
            screen.say()
            numbers = numbers_of(array)
            if numbers is None:
                says = f"no picture, because {picture.value} has shape {tuple(array.shape)}"
                screen.sentence(f"{picture.title.format(0)}: {says}.")
            else:
                _draw(screen, drawn(picture, numbers, screen.width))
                add(sketch, picture, numbers)
        shown = pictures[: len(found)]
        for says in dict.fromkeys(_legend(one) for one in shown if NAMES.keys() & _names(one)):
            screen.sentence(says)

    done = show_run(
        screen,
        work.source,
        step,
        example,
        lambda host, files: show_values(host, step, files, example, wanted),
        show,
    )
    if done is None:
        return NOT_PASSED
    if done.error is not None and done.error.type == "AttributeError" and not done.error.calls:
        screen.say("A picture finds attributes by the names that the TODOs give them.")
    return PASSED if done.error is None else NOT_PASSED


def _names(picture: Picture) -> set[str]:
    return {*f"{picture.row_names} {picture.column_names}".split()}


def _legend(picture: Picture) -> str:
    """What the names of rows and columns mean, and a dot in a cell."""
    names = ", ".join(says for name, says in NAMES.items() if name in _names(picture))
    zero = " In a cell, . is a weight of 0." if picture.kind == "share" else ""
    return (
        f"Rows: {picture.rows}. Columns: {picture.columns}. Words are names of tokens: {names}."
        f"{zero}"
    )


def sketch_of(host: Host, work: Work, step: Step) -> Sketch:
    """The pictures of a step; an empty sketch if there are none, or if its code does not run."""
    sketch = Sketch()
    found, _ = pictured(host, work.source, step) or ([], "")
    for picture, numbers in found:
        add(sketch, picture, numbers)
    return sketch


def _look_at_the_failure(
    screen: Screen, work: Work, step: Step, options: Any, sketch: Sketch
) -> int:
    """Run the checks with the seed of the failure, and draw the wrong numbers."""
    with Host() as host:
        judge = make_judge(host, work, options)
        result = judge.run([step])[0]
    cause = result.cause
    if cause is None:
        screen.say(f"{step.id} {step.name} passes: no wrong number is left.", "green")
        return PASSED
    screen.say(f"\nThe check that fails (seed {judge.seed}):", "bold")
    screen.sentence(cause.sentence, "  ")
    failure = failure_of(cause)
    for line in (failure.asked if failure else cause.message).splitlines():
        screen.say(fitted(line, "  "))
    if failure is not None:
        screen.say()
        _draw(screen, failure.rows())
        failure.add_to(sketch)
    if cause.picture:
        screen.say("\n".join(["", *cause.picture]))
    return NOT_PASSED


def _draw(screen: Screen, rows: list[Row]) -> None:
    for row in rows:
        if screen.console is None:
            screen.say("".join(cell.text for cell in row).rstrip())
        else:
            screen.console.print(_coloured(row), soft_wrap=True)


def _coloured(row: list[Cell]) -> Any:
    from rich.text import Text

    text = Text()
    for cell in row:
        if cell.shade is None:
            text.append(cell.text)
        else:
            grey = min(int(cell.shade * len(GREYS)), len(GREYS) - 1)
            colour = "white" if grey >= DARK else "black"
            text.append(cell.text, f"{colour} on color({GREYS[grey]})")
    return text
