"""`run_step.py recall`: lines of the learner's own passed files, days after."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date
from typing import Any

from checks.contents import STEPS, Step
from checks.engine.commands.checking import draw_seed
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import (
    INTERRUPTED,
    NOT_PASSED,
    PASSED,
    Usage,
    parser_of,
    print_json,
    whole,
)
from checks.engine.commands.work import Work, one_step
from checks.engine.hosting.host import Host
from checks.recalling.asking import Asking
from checks.recalling.schedule import (
    A_DAY,
    Due,
    answered,
    date_passes,
    due,
    next_day,
    nothing_due,
)

HELP = f"""\
A line of your own passed file is missing: type it again. The checks judge the
file with your line in it, so any right line counts. The file itself stays as
it is. The first time, choose the line that does not belong instead.
A step comes 1 day after its pass, then 3, 7 and 21 days later; after a miss,
the next day. At most {A_DAY} steps a day. An empty line shows yours.

python run_step.py recall        what is due today
python run_step.py recall 2.1    this step, due or not
"""


def parser() -> argparse.ArgumentParser:
    made = parser_of("recall", "[STEP] [--seed N] [--json]", HELP)
    made.add_argument("words", nargs="+", help=argparse.SUPPRESS)
    made.add_argument("--seed", type=whole, metavar="N", help="the same lines again")
    made.add_argument("--json", action="store_true", help="print what is due, and ask nothing")
    made.set_defaults(submission=None, borrow=False)
    return made


def recall(words: list[str], options: Any, clock: Callable[[], date] = date.today) -> int:
    """Take the steps that are due, or the one that is named; the exit status."""
    work, today = Work(options), clock()
    date_passes(work, today)
    if words and options.json:
        raise Usage("recall --json prints what is due. It takes no step.")
    ready = due(work, today)
    if options.json:
        print_json(as_json(work, ready, today))
        return PASSED
    screen = Screen()
    steps = [_passed(work, words, options)] if words else [one.step for one in ready]
    if not steps:
        screen.say(nothing_due(work, today))
        passed = [step for step in STEPS if work.has_passed(step)]
        if passed:
            screen.say(f"To practise all the same: python run_step.py recall {passed[-1].id}")
        return PASSED
    seed = draw_seed(options)
    try:
        with Host() as host:
            rights = []
            for number, step in enumerate(steps, 1):
                screen.say(f"{step.id} {step.name}, {number} of {len(steps)}", "cyan")
                right = Asking(screen, host, work, step, seed).ask()
                _keep(work, step, right, today)
                rights.append(right)
                screen.say()
    except (EOFError, KeyboardInterrupt) as end:
        print()
        return PASSED if isinstance(end, EOFError) else INTERRUPTED
    screen.say(nothing_due(work, today))
    return PASSED if all(rights) else NOT_PASSED


def _passed(work: Work, words: list[str], options: Any) -> Step:
    step = one_step(words, options)
    if not work.has_passed(step):
        raise Usage(
            f"{step.id} {step.name} has not passed yet, or has changed since. A step that passes "
            f"can be recalled. To check it: python run_step.py {step.id}"
        )
    return step


def _keep(work: Work, step: Step, right: bool, today: date) -> None:
    asked = work.progress.recalls[step.name]
    with work.progress.changing():
        known = work.progress.recalls.setdefault(step.name, asked)
        known.since = known.since or asked.since
        answered(known, right, today)


def as_json(work: Work, ready: list[Due], today: date) -> dict[str, Any]:
    """What is due today, and the next day on which something is."""
    entries = [
        {
            "step": one.step.id,
            "name": one.step.name,
            "due": str(one.day),
            "since": one.known.since,
            "rounds": one.known.rounds,
            "missed": one.known.missed,
            "mistake": one.known.named or None,
        }
        for one in ready
    ]
    later = next_day(work, today)
    return {
        "version": 1,
        "today": str(today),
        "due": entries,
        "next": None if later is None else str(later),
    }
