"""The options of a command, as its own parser has them."""

from __future__ import annotations

from typing import Any

from checks import course as of_the_course
from checks.engine.commands import command
from checks.engine.commands.words import function_of


def parser_of(name: str) -> Any:
    """The parser that reads a command's options."""
    own = of_the_course.COMMANDS.get(name)
    return function_of(own.parser)() if own else command._parser()


def options_of(parser: Any) -> set[str]:
    return {name for name in parser._option_string_actions if name.startswith("--")}
