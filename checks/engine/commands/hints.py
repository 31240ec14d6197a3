"""`run_step.py hint`: the hints of a step, one per call, from a question to a line with a gap."""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

from checks.contents import Step
from checks.course import AFTER_A_MISTAKE
from checks.engine.commands.puzzle import Puzzle, puzzle
from checks.engine.commands.screen import WIDTH, Screen
from checks.engine.commands.words import PASSED, Usage, function_of, print_json
from checks.engine.commands.work import Work, one_step
from checks.engine.files.source import solution
from checks.engine.known import mistakes
from checks.engine.naming.properties import PROPERTIES


class Hint(NamedTuple):
    """A hint. `spoils`: it shows lines of the solution."""

    text: str
    spoils: bool = False


def hint(words: list[str], options: Any, watched: bool = False) -> int:
    """Print the next hint of a step, one per call. The first is about the last named mistake.

    `watched`: a key asks for this hint and for the next one.
    """
    step = one_step(words, options)
    work, screen = Work(options), Screen()
    hints = ladder(work, step)
    if options.json:
        return _as_json(work, step, hints)
    if options.all:
        if not (work.has_passed(step) or options.anyway):
            raise Usage(f"All hints at once: after a pass, or  hint {step.id} --all --anyway")
        for number, one in enumerate(hints):
            _show(screen, step, one, number, len(hints))
        return PASSED
    shown = work.progress.hints.get(step.name, 0) % len(hints) if work.own else 0
    _show(screen, step, hints[shown], shown, len(hints))
    screen.say()
    named = work.progress.mistakes.get(step.name)
    if AFTER_A_MISTAKE and shown == 0 and named:
        if says := function_of(AFTER_A_MISTAKE)(step, named):
            screen.say(f"  {says}")
    if shown + 1 < len(hints):
        more = "press h" if watched else f"python run_step.py hint {step.id}"
        screen.say(f"  one more:  {more}")
    else:
        screen.say(f"  the last.  The solution: python run_step.py compare {step.id} --anyway")
    if work.own:
        with work.progress.changing():
            work.progress.hints[step.name] = shown + 1
    return PASSED


def ladder(work: Work, step: Step) -> list[Hint]:
    """The last named mistake, if there is one, then the hints of the step. Before the last of them
    stands the puzzle, if there is one.
    """
    *hints, gap = importlib.import_module(f"{step.room}.shown").HINTS
    found = [Hint(text) for text in hints]
    if says := _about_the_mistake(work, step):
        found.insert(0, Hint(says))
    own = work.source.modules.get(step.module, ("", "", b""))[2].decode("utf-8", "replace")
    mixed = puzzle(solution(step), own)
    if mixed is not None:
        found.append(Hint(_in_words(mixed), spoils=True))
    return [*found, Hint(gap, spoils=True)]


def _about_the_mistake(work: Work, step: Step) -> str | None:
    """The sentence of the last named mistake, and the TODO that it belongs to."""
    named = work.progress.mistakes.get(step.name) if work.own else None
    mistake = mistakes(step).get(named or "")
    if mistake is None:
        says = PROPERTIES.get(named or "", "{")  # Sentences with a gap belong to one answer only.
        return None if "{" in says else says
    task = mistake.task(step)
    return (
        f'In your last check: {mistake.says} The mistake is in this TODO: "{task}"'
        if task
        else f"In your last check: {mistake.says}"
    )


def _in_words(mixed: Puzzle) -> str:
    order = (
        "Any order is right. Indent them."
        if mixed.any_order
        else "Put them in order, and indent them."
    )
    says = f"These lines make {mixed.function}. {order}"
    if mixed.spare:
        lines = "One line comes" if mixed.spare == 1 else f"{mixed.spare} lines come"
        they, them = ("It", "it") if mixed.spare == 1 else ("They", "them")
        says = f"{says} {lines} from your file only. {they} may be right, but the solution does "
        says += f"not use {them}."
    return "\n".join([says, *(f"    {line}" for line in mixed.lines)])


def _show(screen: Screen, step: Step, one: Hint, number: int, count: int) -> None:
    screen.say(f"{step.id} {step.name}, hint {number + 1} of {count}", "cyan")
    first, *lines = one.text.splitlines()
    if len(first) > WIDTH or lines or "=" not in first:
        screen.sentence(first, "  ")
    else:
        screen.say(f"  {first}")
    for line in lines:
        screen.say(line)


def _as_json(work: Work, step: Step, hints: list[Hint]) -> int:
    """Print what a tutor may know before the step passes: nothing of the solution."""
    passed = work.has_passed(step)
    print_json(
        {
            "version": 1,
            "step": step.id,
            "passed": passed,
            "mistake": _about_the_mistake(work, step),
            "shown": work.progress.hints.get(step.name, 0) if work.own else 0,
            "hints": [one.text for one in hints if passed or not one.spoils],
        }
    )
    return PASSED
