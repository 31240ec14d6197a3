"""Which steps are meant, and whose files: the arguments and options of every command."""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
from pathlib import Path
from typing import Any

from checks.contents import BONUS, CORE, COURSE, STAGES, STEPS, Step
from checks.course import COMMANDS as OF_ROOMS
from checks.course import GRADUATIONS
from checks.engine.course.progress import Progress
from checks.engine.course.source import Source
from checks.engine.step import in_order
from checks.engine.verdicts import StepResult

# The function of each command of the engine: a module of checks/, imported when it is needed.
COMMANDS = {
    "list": "engine.commands.around:list_steps",
    "watch": "engine.watching.watch:watch",
    "hint": "engine.commands.hints:hint",
    "compare": "engine.commands.around:compare",
    "proof": "engine.commands.proof:proof",
    "reset": "engine.commands.around:reset",
    "undo": "engine.commands.around:undo",
    "doctor": "engine.commands.doctor:doctor",
    **{name: command.does for name, command in OF_ROOMS.items()},
}
PASSED, NOT_PASSED, USAGE, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130


class Usage(Exception):
    """A command that cannot be carried out. The text says why and what to type instead."""


def function_of(name: str) -> Any:
    """The function of a module of checks/ by its name: "engine.commands.hints:hint"."""
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(f"checks.{module}"), function)


def find_steps(words: list[str]) -> list[Step]:
    """The steps that the words name, each once, in the order of the course.

    A bonus step must be named itself, or by "bonus", or by a stage that has no other steps.
    """
    wanted = [step for word in words for part in word.split(",") if part for step in _named(part)]
    return [step for step in STEPS if step in wanted]


def _named(word: str) -> list[Step]:
    plain = word.strip().replace("\\", "/").rstrip("/").removeprefix("./").lower()
    if plain in ("all", "bonus"):
        return CORE if plain == "all" else BONUS
    tail = "/".join(plain.split("/")[-2:])
    found = [
        step
        for step in STEPS
        if plain in (step.id, step.name)
        or tail in (step.path, step.path.removesuffix(".py"), step.name + ".py")
    ] or [
        step
        for step in STEPS
        if (plain in (step.stage, step.stage.split("_")[0], step.stage[1]) or tail == step.stage)
        and step in in_order(step, STEPS)
    ]
    if not found:
        raise Usage(f"There is no step or command {word!r}.{_nearest(plain)}")
    return found


def _nearest(word: str) -> str:
    known = [*COMMANDS, "all", "bonus", *STAGES, *(name for s in STEPS for name in (s.name, s.id))]
    near = difflib.get_close_matches(word.rpartition("/")[2].removesuffix(".py"), known, 1, 0.4)
    return f" Did you mean {near[0]}?" if near else " Try: python run_step.py list"


def one_step(words: list[str], options: Any) -> Step:
    """The step that a command is about: the one named, or the current one."""
    if not words:
        return Course(options).current() or CORE[-1]
    steps = find_steps(words)
    if len(steps) != 1:
        raise Usage(f"One step at a time, please: {' '.join(words)} are {len(steps)}.")
    return steps[0]


class Course:
    """The files to check, and the progress that goes with them (none with --submission)."""

    def __init__(self, options: Any):
        self.own = options.submission is None
        root = COURSE if self.own else Path(options.submission)
        if not root.is_dir():
            raise Usage(f"--submission {options.submission!r} is not a folder.")
        self.source = Source(root, borrow=options.borrow)
        self.progress = Progress(COURSE / ".progress.json")
        self.keeps = self.own and not options.borrow
        self.just_passed: set[str] = set()
        self.just_graduated: set[str] = set()

    def has_passed(self, step: Step) -> bool:
        """Whether its checks are known to pass; the graduation does not count."""
        known = self.own and self.progress.has_passed(step, self.source.digest(step))
        return known or step.id in self.just_passed

    def has_graduated(self, step: Step) -> bool:
        """Whether its graduation is known to pass; a step without one needs none."""
        known = self.own and self.progress.has_graduated(step, self._trained_with(step))
        return step.name not in GRADUATIONS or known or step.id in self.just_graduated

    def is_done(self, step: Step) -> bool:
        return self.has_passed(step) and self.has_graduated(step)

    def current(self) -> Step | None:
        """The first step that is not known to be done, bonus steps excluded."""
        return next((step for step in CORE if not self.is_done(step)), None)

    def not_passed(self, step: Step) -> list[Step]:
        """The steps that do not pass, of those that are walked in order with this one."""
        return [other for other in in_order(step, STEPS) or CORE if not self.has_passed(other)]

    def after(self, step: Step) -> Step | None:
        """The step to go on with after this one: in a stage of bonus steps, one of its own."""
        own = self.not_passed(step) if step.bonus and in_order(step, STEPS) else []
        return own[0] if own else self.current()

    def record(self, step: Step, passed: bool) -> None:
        if passed:
            self.just_passed.add(step.id)
        if self.keeps:
            self.progress.record(step, self.source.digest(step), passed)
            self.progress.save()

    def graduate(self, step: Step, passed: bool) -> None:
        """Keep the result of its graduation."""
        if passed:
            self.just_graduated.add(step.id)
        if self.keeps:
            self.progress.graduate(step, self._trained_with(step), passed)
            self.progress.save()

    def _trained_with(self, step: Step) -> str:
        """A digest of all files that the graduation of the step needs."""
        names = (step.name, *GRADUATIONS.get(step.name, ()))
        return "+".join(self.source.digest(step) for step in STEPS if step.name in names)

    def remember(self, result: StepResult, seed: int) -> None:
        """Keep how a step failed: the named mistake for the hints, and the seed for `look`."""
        if self.keeps:
            step = next(step for step in STEPS if step.id == result.id)
            named = (check.mistake.name for check in result.checks if check.mistake is not None)
            failed_with = None if result.verdict == "pass" else seed
            self.progress.remember(step, next(named, None), failed_with)
            self.progress.save()


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=1))


def parser_of(command: str, usage: str, text: str) -> argparse.ArgumentParser:
    """A parser for a command with options of its own. The text is shown as it stands."""
    return argparse.ArgumentParser(
        prog=f"run_step.py {command}",
        description=text,
        usage=f"python run_step.py {command} {usage}",
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=80),
    )


def whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number
