"""What goes with the checks: the map, hints, the solution beside your file, reset and undo."""

from __future__ import annotations

import difflib
import importlib
from typing import Any

from checks.contents import COURSE, STEPS, Step
from checks.machine.checking import check
from checks.machine.progress import Kept, write_whole
from checks.machine.report import WIDTH, Screen
from checks.machine.source import pristine, solution
from checks.machine.words import NOT_PASSED, PASSED, Course, Usage, find_steps, one_step, print_json


def list_steps(words: list[str], options: Any) -> int:
    """The map of the course with progress."""
    course = Course(options)
    steps = find_steps(words) if words else STEPS
    states = {step.id: _state(course, step) for step in STEPS}
    current = course.current() if course.own else None
    if options.json:
        entries = [
            {
                "step": step.id,
                "name": step.name,
                "path": step.path,
                "summary": step.summary,
                "state": states[step.id],
                "current": step is current,
            }
            for step in steps
        ]
        print_json({"version": 1, "steps": entries})
        return PASSED
    screen = Screen()
    for stage in dict.fromkeys(step.stage for step in steps):
        screen.say(f"{stage}/", "bold")
        for step in steps:
            if step.stage == stage:
                here = "->" if step is current else "  "
                line = f"{here} {step.id}  {step.name:<22}{states[step.id]:<12}{step.summary}"
                screen.say(line.rstrip(), "green" if states[step.id] == "passed" else "")
    if course.own:
        passed = sum(state == "passed" for state in states.values())
        screen.say(f"\n{passed} of {len(STEPS)} steps passed. Go on: python run_step.py")
    return PASSED


def _state(course: Course, step: Step) -> str:
    if course.has_passed(step):
        return "passed"
    problem = course.source.problem(step)
    return "begun" if problem is None else problem.verdict


def hint(words: list[str], options: Any) -> int:
    """The next hint of a step, one each time."""
    step = one_step(words, options)
    course, screen = Course(options), Screen()
    hints = importlib.import_module(f"checks.{step.module}").HINTS
    shown = course.progress.hints.get(step.name, 0) % len(hints) if course.own else 0
    screen.say(f"{step.id} {step.name}, hint {shown + 1} of {len(hints)}", "cyan")
    if len(hints[shown]) > WIDTH or "=" not in hints[shown]:
        screen.sentence(hints[shown], "  ")
    else:
        screen.say(f"  {hints[shown]}")
    screen.say()
    if shown + 1 < len(hints):
        screen.say(f"  one more:  python run_step.py hint {step.id}")
    else:
        screen.say(f"  the last.  The solution: python run_step.py compare {step.id} --anyway")
    if course.own:
        course.progress.hints[step.name] = shown + 1
        course.progress.save()
    return PASSED


def compare(words: list[str], options: Any) -> int:
    """The learner's file beside the solution, as a diff."""
    course, screen = Course(options), Screen()
    step = one_step(words, options) if words else _last_passed(course)
    if not options.anyway and not course.has_passed(step):
        if check([step.id], options) != PASSED:
            screen.say("\nThe solution can wait until it passes. To see it all the same:")
            screen.say(f"  python run_step.py compare {step.id} --anyway")
            return NOT_PASSED
        screen.say()
    problem = course.source.problem(step)
    if problem is not None and problem.verdict != "untouched":
        screen.say(problem.message)
        return NOT_PASSED
    yours = course.source.modules[step.module][2].decode("utf-8", "replace")
    lines = difflib.unified_diff(
        yours.splitlines(),
        solution(step).splitlines(),
        f"yours:    {step.path}",
        f"solution: solutions/{step.path}",
        lineterm="",
    )
    shown = False
    for line in lines:
        shown = True
        screen.say(line, {"-": "red", "+": "green", "@": "cyan"}.get(line[:1], ""))
    if not shown:
        screen.say(f"Your {step.name} is our solution, letter by letter.")
    return PASSED


def _last_passed(course: Course) -> Step:
    """Without a name, compare is about what was done last."""
    passed = [step for step in STEPS if course.has_passed(step)]
    return passed[-1] if passed else STEPS[0]


def reset(words: list[str], options: Any) -> int:
    """Back to the skeleton; the file as it was is kept."""
    screen = Screen()
    for step in _steps_to_write(words, options, "reset"):
        file = COURSE / step.path
        try:
            text = file.read_text("utf-8", "replace") if file.exists() else None
            if text == pristine(step):
                screen.say(f"{step.path} is the skeleton already. Nothing was changed.")
                continue
            copy = Kept(step).keep()
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
    from checks.machine.progress import Kept

    screen, status = Screen(), PASSED
    for step in _steps_to_write(words, options, "undo"):
        try:
            copy = Kept(step).swap()
        except OSError as error:
            raise Usage(f"{step.path} was not changed: {error}") from None
        if copy is None:
            screen.say(f"{step.path} was never reset: there is nothing to bring back.")
            status = NOT_PASSED
            continue
        screen.say(f"{step.path} is as it was before the last reset or undo.")
        screen.say(f"  forth again:  python run_step.py undo {step.id}")
    return status


def _steps_to_write(words: list[str], options: Any, command: str) -> list[Step]:
    if not words:
        raise Usage(f"Which step? For example: python run_step.py {command} 2.1")
    if options.submission is not None:
        raise Usage(f"{command} changes your own files; with --submission nothing is written.")
    return find_steps(words)
