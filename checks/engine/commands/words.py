"""Which command and which steps are meant: the words and options of the command line."""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
from typing import Any

from checks.contents import BONUS, CORE, STAGES, STEPS, Step
from checks.course import COMMANDS as OF_ROOMS
from checks.engine.commands.screen import columns, narrowed
from checks.engine.commands.statuses import INTERRUPTED as INTERRUPTED
from checks.engine.commands.statuses import NOT_PASSED as NOT_PASSED
from checks.engine.commands.statuses import OUR_FAULT as OUR_FAULT
from checks.engine.commands.statuses import PASSED as PASSED
from checks.engine.commands.statuses import USAGE as USAGE
from checks.engine.step import in_order

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


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=1))


def parser_of(command: str, usage: str, text: str) -> argparse.ArgumentParser:
    """A parser for a command with options of its own. The text is shown as it stands."""
    return argparse.ArgumentParser(
        prog=f"run_step.py {command}",
        description=narrowed(text),
        usage=f"python run_step.py {command} {usage}",
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=columns()),
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
