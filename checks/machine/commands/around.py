"""What goes with the checks: the map, hints, the solution beside your file, reset and undo."""

from __future__ import annotations

import difflib
import importlib
from typing import Any

from checks.contents import CORE, COURSE, STEPS, Step
from checks.machine.commands.checking import check
from checks.machine.commands.report import WIDTH, Screen
from checks.machine.commands.words import (
    NOT_PASSED,
    PASSED,
    Course,
    Usage,
    find_steps,
    one_step,
    print_json,
)
from checks.machine.course.progress import Kept, write_whole
from checks.machine.course.source import pristine, solution
from checks.machine.known import mistakes


def list_steps(words: list[str], options: Any) -> int:
    """The map of the course with progress, the bonus steps apart."""
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
                here = "->" if step is current else "  "
                line = f"{here} {step.id}  {step.name:<22}{states[step.id]:<12}{step.summary}"
                screen.say(line.rstrip(), "green" if states[step.id] == "passed" else "")
    if course.own:
        passed = sum(states[step.id] == "passed" for step in CORE)
        screen.say(f"\n{passed} of {len(CORE)} steps passed. Go on: python run_step.py")
    return PASSED


def _part(step: Step) -> str:
    """Under which heading of the map a step stands."""
    return "★ bonus steps, not needed to finish" if step.bonus else f"{step.stage}/"


def _state(course: Course, step: Step) -> str:
    if course.is_done(step):
        return "passed"
    problem = course.source.problem(step)
    return "begun" if problem is None else problem.verdict


def hint(words: list[str], options: Any) -> int:
    """The next hint of a step, one each time; the first is about the mistake that was named."""
    step = one_step(words, options)
    course, screen = Course(options), Screen()
    hints = _ladder(course, step)
    if options.all:
        if not (course.has_passed(step) or options.anyway):
            raise Usage(f"All hints at once: after a pass, or  hint {step.id} --all --anyway")
        for number, text in enumerate(hints):
            _show_hint(screen, step, text, number, len(hints))
        return PASSED
    shown = course.progress.hints.get(step.name, 0) % len(hints) if course.own else 0
    _show_hint(screen, step, hints[shown], shown, len(hints))
    screen.say()
    if shown + 1 < len(hints):
        screen.say(f"  one more:  python run_step.py hint {step.id}")
    else:
        screen.say(f"  the last.  The solution: python run_step.py compare {step.id} --anyway")
    if course.own:
        course.progress.hints[step.name] = shown + 1
        course.progress.save()
    return PASSED


def _ladder(course: Course, step: Step) -> list[str]:
    """The mistake that was named last, if there is one, then the hints of the step."""
    ladder: list[str] = importlib.import_module(f"checks.{step.module}").HINTS
    named = course.progress.mistakes.get(step.name) if course.own else None
    mistake = mistakes(step).get(named or "")
    if mistake is None:
        return ladder
    task = mistake.task(step)
    where = f' It happened where you were to do this: "{task}"' if task else ""
    return [f"{mistake.says}{where}", *ladder]


def _show_hint(screen: Screen, step: Step, text: str, number: int, count: int) -> None:
    screen.say(f"{step.id} {step.name}, hint {number + 1} of {count}", "cyan")
    if len(text) > WIDTH or "=" not in text:
        screen.sentence(text, "  ")
    else:
        screen.say(f"  {text}")


def compare(words: list[str], options: Any) -> int:
    """The learner's file beside the solution, as a diff."""
    course, screen = Course(options), Screen()
    step = one_step(words, options) if words else _last_passed(course)
    if not options.anyway and not course.has_passed(step):
        if check([step.id], options, graduating=False) != PASSED:
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
    passed = [step for step in CORE if course.has_passed(step)]
    return passed[-1] if passed else CORE[0]


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
    from checks.machine.course.progress import Kept

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
