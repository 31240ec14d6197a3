"""The command line: what is typed, and what it does. See `python run_step.py --help`."""

from __future__ import annotations

import argparse
import sys

from checks import course
from checks.engine.commands.checking import check, not_installed
from checks.engine.commands.installed import missing, versions
from checks.engine.commands.screen import columns, fitted, narrowed
from checks.engine.commands.words import (
    COMMANDS,
    PASSED,
    USAGE,
    Usage,
    function_of,
    positive,
    whole,
)
from checks.engine.files.told import last_words
from checks.engine.hosting.host import Host
from checks.engine.hosting.outcomes import NoWorker

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
python run_step.py undo STEP        take a reset back, or switch again
python run_step.py doctor           what is installed here, and what fixes it
"""
WITH_JSON = "list proof doctor grade ask hint trace hunt recall similar".split()


def main(arguments: list[str], host: Host | None = None) -> int:
    """Run the command; its exit status. `host`: an existing host to use instead of a new one."""
    for stream in (sys.stdout, sys.stderr):  # A console without a character shows a replacement.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    lacking = missing()
    if lacking and arguments[:1] != ["doctor"]:
        return not_installed(f"Not installed: {', '.join(lacking)}.")
    parser = _parser()
    if arguments[:1] and arguments[0] in course.COMMANDS:
        parser = function_of(course.COMMANDS[arguments[0]].parser)()
    options = parser.parse_intermixed_args(arguments)
    words = options.words
    try:
        if getattr(options, "version", False):
            print(versions())
            return PASSED
        if words and words[0] in course.COMMANDS and words[0] != arguments[0]:
            raise Usage(f"Write {words[0]} first: python run_step.py {words[0]} ...")
        if words and words[0] in COMMANDS:
            if getattr(options, "json", False) and words[0] not in WITH_JSON:
                known = ", ".join(WITH_JSON)
                raise Usage(f"--json goes with checks, {known}, not with {words[0]}.")
            return int(function_of(COMMANDS[words[0]])(words[1:], options))
        return check(words, options, host=host)
    except Usage as error:
        _complain(f"run_step.py: {error}")
        return USAGE
    except NoWorker as error:
        return not_installed(str(error))
    finally:
        for sentence in last_words():
            _complain(sentence)


def _complain(text: str) -> None:
    lines = text.splitlines()
    if sys.stderr.isatty():  # A pipe gets each line as it is.
        lines = [fitted(line, "") for line in lines]
    print("\n".join(lines), file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    own = [f"python run_step.py {c.typed:<16} {c.help}\n" for c in course.COMMANDS.values()]
    parser = argparse.ArgumentParser(
        prog="run_step.py",
        description=narrowed(HELP + "".join(own)),
        usage="python run_step.py [STEP ... | COMMAND [STEP ...]] [options]",
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=columns()),
    )
    add = parser.add_argument
    add("words", nargs="*", metavar="STEP or COMMAND", help="see above")
    add("--submission", metavar="DIR", help="check the stage folders in DIR; nothing is written")
    add("--json", action="store_true", help="one JSON object instead of text (checks, list …)")
    add("--seed", type=whole, metavar="N", help="draw the same random numbers again")
    add("--time-limit", type=positive, metavar="S", help="seconds of computing for each check (3)")
    add("--borrow", action="store_true", help="take the earlier steps from solutions/")
    add("--version", action="store_true", help="the versions of the course, Python and torch")
    add("--full", action="store_true", help="a failure with all its numbers and checks")
    add("--all", action="store_true", help="with hint: all hints of a step that passes")
    add("--anyway", action="store_true", help="with compare, hint --all: also before it passes")
    if course.LEARNED:
        add("--learned", nargs="+", metavar="FILE", help="with proof: what a class got wrong")
    if course.PAGE:
        add("--page", action="store_true", help="with watch: a page in the browser follows")
    return parser
