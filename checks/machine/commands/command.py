"""The command line: what is typed, and what it does. See `python run_step.py --help`."""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from checks.machine.commands.checking import check, not_installed
from checks.machine.commands.words import (
    COMMANDS,
    INTERRUPTED,
    OWN_OPTIONS,
    USAGE,
    Usage,
    positive,
    whole,
)

HELP = """\
python run_step.py                  check where you are, and what is next
python run_step.py 2.1              check a step; also layer_norm, or a path
python run_step.py 2 | s2 | all     check a stage, or all; not the bonus steps
python run_step.py bonus            check the bonus steps
python run_step.py watch [STEP]     check again at every save
python run_step.py list             the map of the course, and how far you are
python run_step.py hint [STEP]      the next hint
python run_step.py compare [STEP]   your file beside the solution (after a pass)
python run_step.py proof [STEP]     which wrong versions the checks reject
python run_step.py reset STEP       back to the skeleton; your file is kept
python run_step.py undo STEP        take a reset back; and forth again
python run_step.py doctor           what is installed here, and what mends it
python run_step.py grade PATH ...   many submissions; its options: grade --help
python run_step.py train FILE ...   your model learns real text: train --help
python run_step.py translate [FILE] what it has learnt, line by line
python run_step.py classify [FILE]  the same for texts and labels
"""
WITH_JSON = ("list", "proof", "doctor", "grade")


def main(arguments: list[str]) -> int:
    """Run the command; its exit status."""
    parser = _parser()
    if arguments[:1] and arguments[0] in OWN_OPTIONS:
        module, _, function = OWN_OPTIONS[arguments[0]].partition(":")
        parser = getattr(importlib.import_module(f"checks.{module}"), function)()
    options = parser.parse_intermixed_args(arguments)
    words = options.words
    try:
        if words and words[0] in COMMANDS:
            if getattr(options, "json", False) and words[0] not in WITH_JSON:
                known = "checks, list, proof and doctor"
                raise Usage(f"--json goes with {known}, not with {words[0]}.")
            module, _, function = COMMANDS[words[0]].partition(":")
            does = getattr(importlib.import_module(f"checks.{module}"), function)
            return int(does(words[1:], options))
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
        if error.name not in ("numpy", "rich", "num2words"):
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
    add("--json", action="store_true", help="one JSON object instead of text (checks, list …)")
    add("--seed", type=whole, metavar="N", help="draw the same random numbers again")
    add("--time-limit", type=positive, metavar="S", help="seconds of computing for each check (3)")
    add("--borrow", action="store_true", help="take the earlier steps from solutions/")
    add("--all", action="store_true", help="with hint: all hints of a step that passes")
    add("--anyway", action="store_true", help="with compare, hint --all: also before it passes")
    return parser
