"""`run_step.py trace`: the learner's code on a tiny example, line by line, with all shapes."""

from __future__ import annotations

import argparse
from typing import Any

from checks.contents import SOLUTIONS
from checks.engine.asking.learner import Files
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import NOT_PASSED, PASSED, Usage, parser_of, print_json
from checks.engine.commands.work import Work, one_step
from checks.engine.drawing.example import example_of
from checks.engine.tracing.facts import facts, follow
from checks.engine.tracing.run import show_run
from checks.engine.tracing.story import Story

DEEPEST = 9
HELP = """\
Run your code on a tiny example, and see what each line makes: the shape of
each tensor, and the smallest and the largest entry. An axis gets its name by
its size, so a shape with the right names can still hold wrong numbers.

python run_step.py trace                 the current step
python run_step.py trace 2.2             another one, also unfinished or wrong
python run_step.py trace 2.2 --values    small tensors with all their entries
python run_step.py trace 5.2 --depth 3   also inside the calls, three deep
"""


def parser() -> argparse.ArgumentParser:
    made = parser_of("trace", "[STEP] [--values] [--depth N]", HELP)
    made.add_argument("words", nargs="+", help=argparse.SUPPRESS)
    made.add_argument("--values", action="store_true", help="show the entries of small tensors")
    made.add_argument(
        "--depth",
        type=_depth,
        default=1,
        metavar="N",
        help="also show the lines inside the calls of your own code, N levels deep (1)",
    )
    made.add_argument("--solution", action="store_true", help="trace the solution (after a pass)")
    made.add_argument("--anyway", action="store_true", help="with --solution: before a pass, too")
    made.add_argument("--json", action="store_true", help="the same facts as one JSON object")
    made.add_argument("--submission", metavar="DIR", help="trace the stage folders in DIR")
    made.add_argument("--borrow", action="store_true", help="other steps come from solutions/")
    return made


def _depth(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= DEEPEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {DEEPEST}")
    return int(text)


def trace(words: list[str], options: Any) -> int:
    """Show the run of a step's example; 1 if it ends in an error."""
    own, screen = Work(options), Screen()
    step = one_step(words, options)
    if options.solution:
        if not (own.has_passed(step) or options.anyway):
            again = f"trace {step.id} --solution --anyway"
            raise Usage(f"This shows the lines of the solution. Before {step.id} passes:  {again}")
        options.submission = str(SOLUTIONS)
    work, example = Work(options), example_of(step)
    if example is None:
        raise Usage(f"{step.id} {step.name} has no example to trace.")

    if options.json:
        found = facts(work.source, step, example, options.depth)
        print_json(found)
        return PASSED if found["error"] is None else NOT_PASSED

    def show(files: Files, found: list[Any]) -> None:
        story = Story(files, example.sizes, screen.width, options.values)
        for line in story.lines(found, options.depth):
            screen.say(line.text, line.style)

    done = show_run(
        screen,
        work.source,
        step,
        example,
        lambda host, files: follow(host, step, files, example, options.depth),
        show,
    )
    if done is None or done.error is not None:
        return NOT_PASSED
    if not options.solution and not work.has_passed(step):
        screen.say("\nIt runs to its end here. The checks use other sizes, too.")
    return PASSED
