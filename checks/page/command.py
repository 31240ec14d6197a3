"""`run_step.py page`: the state of the course as one file, to look at, to print, to hand in."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from checks.engine.commands.checking import again_words, make_judge
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import PASSED, Usage, parser_of
from checks.engine.commands.work import Work, one_step
from checks.engine.files.progress import write_whole
from checks.engine.hosting.host import Host
from checks.page import parts

NAME = "page.html"
OURS = b'<meta name="generator" content="run_step.py page">'
HELP = """\
Write one file for the browser: figure 1 with what you have built, the verdict
of the step, pictures of what your code makes, what your model has learned, and
the lesson. It needs no network. Printed, it is something to hand in.

python run_step.py page              page.html, about the current step
python run_step.py page 2.2          about another one
python run_step.py page --save FILE  as FILE
python run_step.py watch --page      a page in the browser that follows each save
"""


def parser() -> argparse.ArgumentParser:
    made = parser_of("page", "[STEP] [--save FILE]", HELP)
    made.add_argument("words", nargs="+", help=argparse.SUPPRESS)
    made.add_argument("--save", metavar="FILE", help=f"the file to write ({NAME})")
    made.add_argument("--submission", metavar="DIR", help="about the stage folders in DIR")
    made.set_defaults(borrow=False, time_limit=None, seed=None)
    return made


def page(words: list[str], options: Any) -> int:
    """Check the step, and write its page."""
    work, screen = Work(options), Screen()
    step = one_step(words, options)
    folder = work.source.root if work.own else Path()
    file = folder / NAME if options.save is None else Path(options.save)
    _require_replaceable(file)
    with Host() as host:
        judge = make_judge(host, work, options)
        result = judge.run([step])[0]
        work.record(judge.verdicts)
        work.remember(result, judge.seed)
        found = parts.verdict(work, result, judge.seed, again_words(step, False, options))
        found |= parts.others(host, work, step)
    try:
        write_whole(file, parts.page(found).encode())
    except OSError as error:
        raise Usage(f"{file} cannot be written: {error.strerror}.") from None
    screen.say(f"{file} is written. Open it in a browser:")
    screen.say(f"  {file.resolve().as_uri()}")
    return PASSED


def _require_replaceable(file: Path) -> None:
    """Raise Usage if there is another file in this place."""
    try:
        with file.open("rb") as there:
            ours = OURS in there.read(4000)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Usage(f"{file} cannot be written: {error.strerror}.") from None
    if not ours:
        raise Usage(f"{file} is not a page of this command. Give another name: --save FILE")
