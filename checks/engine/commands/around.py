"""The commands around the checks: the map, hints, comparing with the solution, reset and undo."""

from __future__ import annotations

import difflib
import re
from itertools import zip_longest
from typing import Any

from checks.contents import CORE, COURSE, STEPS, Step
from checks.course import BELOW_THE_MAP, FIGURE
from checks.engine.commands.checking import check
from checks.engine.commands.screen import Screen, columns
from checks.engine.commands.words import (
    NOT_PASSED,
    PASSED,
    Usage,
    find_steps,
    function_of,
    print_json,
)
from checks.engine.commands.work import Work, one_step
from checks.engine.files.progress import Kept, write_whole
from checks.engine.files.source import below, pristine, solution
from checks.engine.step import in_order

BONUS_STEPS = "★ bonus steps, not needed to finish"
DOCSTRING = re.compile(r'^[ \t]*("""|\'\'\')(?:.|\n)*?\1[ \t]*\n', re.MULTILINE)
WIDE = 140  # Columns of a screen that shows two files side by side.
# The advice below `list`, before the end of the course and after it.
GO_ON = {
    False: "Go on: python run_step.py",
    True: "There is more: python run_step.py bonus",
}


def list_steps(words: list[str], options: Any) -> int:
    """Print the map of the course with the progress; bonus steps stand apart."""
    work = Work(options)
    steps = find_steps(words) if words else STEPS
    states = {step.id: state_of(work, step) for step in STEPS}
    current = work.current() if work.own else None
    if options.json:
        entries = [
            {
                "step": step.id,
                "name": step.name,
                "path": step.path,
                "summary": step.summary,
                "state": states[step.id],
                "current": step is current,
                "bonus": step.bonus,
            }
            for step in steps
        ]
        print_json({"version": 1, "steps": entries})
        return PASSED
    screen = Screen()
    for part in dict.fromkeys(map(_part, steps)):
        screen.say(part, "bold")
        for step in steps:
            if _part(step) == part:
                state = said_of(step, states) if work.own else states[step.id]
                line = line_of(step, state, step is current)
                screen.say(line, "green" if states[step.id] == "passed" else "")
    if work.own:
        passed = sum(states[step.id] == "passed" for step in CORE)
        if FIGURE and not words:
            _show_figure(screen, work)
        now = "" if current is None or current.bonus else f" Now: {current.id} {current.name}."
        screen.say(f"\n{passed} of {len(CORE)} steps passed.{now} {GO_ON[passed == len(CORE)]}")
        if BELOW_THE_MAP and (line := function_of(BELOW_THE_MAP)(work)):
            screen.say(line)
    return PASSED


def _show_figure(screen: Screen, work: Work) -> None:
    """Draw what is built so far, if there is room: a drawing cannot be broken into lines."""
    figure = function_of(FIGURE)({step.name for step in STEPS if work.has_passed(step)})
    if max(map(len, figure)) <= columns():
        screen.say("\n".join(["", *figure]))


def line_of(step: Step, state: str, is_current: bool) -> str:
    """The line of a step in the map."""
    here = "->" if is_current else "  "
    return f"{here} {step.id} {step.name:<22}{state:<13} {step.summary}"


def said_of(step: Step, states: dict[str, str]) -> str:
    """The state of a step in words: a written step may be blocked by an earlier one."""
    first = next((s for s in STEPS if s in below(step) and states[s.id] != "passed"), None)
    return states[step.id] if states[step.id] != "begun" or not first else f"blocked by {first.id}"


def _part(step: Step) -> str:
    """The heading of the map that a step stands under."""
    if not step.bonus:
        return f"{step.stage}/"
    return f"★ {step.stage}/, a stage of bonus steps" if in_order(step, STEPS) else BONUS_STEPS


def state_of(work: Work, step: Step) -> str:
    if work.is_done(step):
        return "passed"
    problem = work.source.problem(step)
    return "begun" if problem is None else problem.verdict


def compare(words: list[str], options: Any) -> int:
    """Show the learner's file beside the solution: in two columns if they fit, else as a diff."""
    work, screen = Work(options), Screen()
    step = one_step(words, options) if words else _last_passed(work)
    if not options.anyway and not work.has_passed(step):
        if check([step.id], options, graduating=False) != PASSED:
            screen.say("\nThe solution can wait until it passes. To see it all the same:")
            screen.say(f"  python run_step.py compare {step.id} --anyway")
            return NOT_PASSED
        screen.say()
    problem = work.source.problem(step)
    if problem is not None and problem.verdict != "untouched":
        screen.say(problem.message)
        return NOT_PASSED
    yours = work.source.modules[step.module][2].decode("utf-8", "replace")
    ours = solution(step).splitlines()
    lines = without_todos(yours.splitlines())
    if lines == ours:
        screen.say(f"Your {step.name} is the solution, letter by letter.")
    elif screen.width >= WIDE:
        _show_columns(screen, step, lines, ours)
    elif of_code(lines) == of_code(ours):
        screen.say(f"Your {step.name} is the same as the solution. Only comments differ.")
    else:
        _show_diff(screen, step, of_code(lines), of_code(ours))
    return PASSED


def without_todos(lines: list[str]) -> list[str]:
    """The lines of a step's file, with its TODOs turned into the solution's comments."""
    found, goes_on = [], False
    for line in lines:
        todo = re.sub(r"^( *)# TODO: ", r"\1# ", line)
        more = re.sub(r"^( *)#       (?=\S)", r"\1# ", line) if goes_on else line
        goes_on = todo != line or more != line
        found.append(todo if todo != line else more)
    return found


def of_code(lines: list[str]) -> list[str]:
    """The lines that are no comments or docstrings: beside those nobody finds what differs."""
    code = [line for line in lines if not line.lstrip().startswith("#")]
    return DOCSTRING.sub("", "\n".join([*code, ""])).splitlines()


def _show_diff(screen: Screen, step: Step, yours: list[str], ours: list[str]) -> None:
    names = f"yours:    {step.path}", f"solution: solutions/{step.path}"
    for line in difflib.unified_diff(yours, ours, *names, lineterm=""):
        screen.say(line, {"-": "red", "+": "green", "@": "cyan"}.get(line[:1], ""))
    screen.say("\nA line with - is yours, a line with + is the solution's.")


def _show_columns(screen: Screen, step: Step, yours: list[str], ours: list[str]) -> None:
    """Print both files side by side, with a mark between lines that differ."""
    width = (screen.width - 3) // 2
    screen.say(f"{'yours: ' + step.path:<{width}} | solution: solutions/{step.path}", "cyan")
    for _, start, end, from_, to in difflib.SequenceMatcher(None, yours, ours, False).get_opcodes():
        left, right = yours[start:end], ours[from_:to]
        for one, other in zip_longest(left, right, fillvalue=""):
            mark = " " if one == other else "|"
            line = f"{one[:width]:<{width}} {mark} {other[:width]}"
            screen.say(line.rstrip(), "" if mark == " " else "yellow")


def _last_passed(work: Work) -> Step:
    """The step that passed last: `compare` without a name shows it."""
    passed = [step for step in CORE if work.has_passed(step)]
    return passed[-1] if passed else CORE[0]


def reset(words: list[str], options: Any) -> int:
    """Put the skeleton back and keep a copy of the file."""
    screen = Screen()
    for step in _steps_to_write(words, options, "reset"):
        file = COURSE / step.path
        try:
            text = file.read_text("utf-8", "replace") if file.exists() else None
            if text == pristine(step):
                screen.say(f"{step.path} is the skeleton already. Nothing was changed.")
                continue
            copy = Kept(step, COURSE).keep()
            write_whole(file, pristine(step).encode())
        except OSError as error:
            raise Usage(f"{step.path} was not reset: {error}") from None
        screen.say(f"{step.path} is the skeleton again.")
        if copy is not None:
            screen.say(f"  yours is kept:  {copy.relative_to(COURSE)}")
            screen.say(f"  bring it back:  python run_step.py undo {step.id}")
    return PASSED


def undo(words: list[str], options: Any) -> int:
    """Exchange a step's file with its newest kept copy."""
    screen, status = Screen(), PASSED
    for step in _steps_to_write(words, options, "undo"):
        try:
            copy = Kept(step, COURSE).swap()
        except OSError as error:
            raise Usage(f"{step.path} was not changed: {error}") from None
        if copy is None:
            screen.say(f"{step.path} was never reset: there is nothing to bring back.")
            status = NOT_PASSED
            continue
        screen.say(f"{step.path} is as it was before the last reset or undo.")
        screen.say(f"  to switch back:  python run_step.py undo {step.id}")
    return status


def _steps_to_write(words: list[str], options: Any, command: str) -> list[Step]:
    if not words:
        raise Usage(f"Which step? For example: python run_step.py {command} 2.1")
    if options.submission is not None:
        raise Usage(f"{command} changes your own files; with --submission nothing is written.")
    return find_steps(words)
