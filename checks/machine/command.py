"""The command line: what is typed, and what it does. See `python run_step.py --help`."""

from __future__ import annotations

import argparse
import os
import sys

from checks.machine import around
from checks.machine.checking import check, not_installed
from checks.machine.proof import proof
from checks.machine.words import COMMANDS as NAMES
from checks.machine.words import INTERRUPTED, USAGE, Usage

HELP = """\
python run_step.py                  check where you are, and what is next
python run_step.py 2.1              check a step; also layer_norm, or a path
python run_step.py 2 | s2 | all     check a stage, or everything
python run_step.py list             the map of the course, and how far you are
python run_step.py hint [STEP]      the next hint
python run_step.py compare [STEP]   your file beside the solution (after a pass)
python run_step.py proof [STEP]     which wrong versions the checks reject
python run_step.py reset STEP       back to the skeleton; your file is kept
python run_step.py undo STEP        take a reset back; and forth again
"""
DOES = (around.list_steps, around.hint, around.compare, proof, around.reset, around.undo)
COMMANDS = dict(zip(NAMES, DOES, strict=True))


def main(arguments: list[str]) -> int:
    """Run the command; its exit status."""
    options = _parser().parse_intermixed_args(arguments)
    words = options.words
    try:
        if words and words[0] in COMMANDS:
            if options.json and words[0] not in ("list", "proof"):
                raise Usage(f"--json goes with checks, list and proof, not with {words[0]}.")
            return COMMANDS[words[0]](words[1:], options)
        return check(words, options)
    except Usage as error:
        print(f"run_step.py: {error}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:  # As in `run_step.py list | head -1`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED
    except KeyboardInterrupt:
        print("\nStopped. What was said so far holds.", file=sys.stderr)
        return INTERRUPTED
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "rich"):
            raise
        return not_installed(f"{error.name} is not installed.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run_step.py",
        description=HELP,
        usage="python run_step.py [STEP ... | COMMAND [STEP ...]] [options]",
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=80),
    )
    add = parser.add_argument
    add("words", nargs="*", metavar="STEP or COMMAND", help="see above")
    add("--submission", metavar="DIR", help="check the stage folders in DIR; nothing is written")
    add("--json", action="store_true", help="one JSON object instead of text (checks, list, proof)")
    add("--seed", type=_whole, metavar="N", help="draw the same random numbers again")
    add("--time-limit", type=_positive, metavar="S", help="seconds of computing for each check (3)")
    add("--borrow", action="store_true", help="take the earlier steps from solutions/")
    add("--all", action="store_true", help="with hint: all hints of a step that passes")
    add("--anyway", action="store_true", help="with compare, hint --all: also before it passes")
    return parser


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def _positive(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds
