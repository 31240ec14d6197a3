"""The terminal, and text within its columns, 80 at most."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # The import at run time needs a terminal.
    from rich.console import Console

WIDTH = 80
LEAST = 20  # Columns of a very narrow terminal: its own line breaks do the rest.
# Everything but tab, newline and printable characters.
CONTROL = re.compile(
    "[^\n\t -~\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
SHAPE = re.compile(r"\((?:\d+, )+\d*\)")
HELD = "\x00"  # For a blank at which no line may be broken.


def columns() -> int:
    """The columns of a line: 80, or those of a narrower terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDTH
    return max(LEAST, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


class Screen:
    """Text for a terminal (with colour, if wanted) or for a pipe (plain)."""

    full = False  # Whether an answer may be longer than the screen.
    column = 0  # Its column in the line of `on_the_way`, if one is open.

    def __init__(self) -> None:
        self.console: Console | None = None
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        if sys.stdout.isatty() and not plain:
            from rich.console import Console

            self.console = Console(highlight=False)

    @property
    def width(self) -> int:
        """The columns of the terminal; without a terminal, the columns of a message."""
        return WIDTH if self.console is None else self.console.size.width

    def on_the_way(self, text: str) -> None:
        """Print a word of a line that grows while time passes; the next `say` ends the line."""
        if self.column + len(text) > columns():
            print("\n   ", end="")
            self.column = 4
        print(text, end="", flush=True)
        self.column += len(text)

    def say(self, text: str = "", style: str = "") -> None:
        """Print one line or several, unchanged, unless the terminal is narrower than 80 columns.
        `style` is a colour of rich.
        """
        text = narrowed(clean(text))
        if self.column:
            print(flush=True)
            self.column = 0
        if self.console is None:
            print(text, flush=True)
        else:
            self.console.print(text, style=style or None, markup=False, soft_wrap=True)

    def clear(self) -> None:
        """Clear the terminal: earlier text is moved up and can be scrolled to."""
        if self.console is not None:
            print("\n" * (self.console.size.height - 1), flush=True)

    def sentence(self, text: str, indent: str = "", style: str = "") -> None:
        """Print prose in lines."""
        self.say("\n".join(wrapped(text, indent)), style)


class Recorder(Screen):
    """A screen that keeps its lines, with their styles. No terminal is asked how wide it is."""

    def __init__(self) -> None:
        self.console = None
        self.lines: list[tuple[str, str]] = []

    def say(self, text: str = "", style: str = "") -> None:
        self.lines += [(line, style) for line in clean(text).split("\n")]


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """Prose in lines of the terminal."""
    return textwrap.wrap(clean(text), columns(), initial_indent=indent, subsequent_indent=indent)


def narrowed(text: str) -> str:
    """The text as it is, but on a terminal of less than 80 columns its long lines are broken."""
    width = columns()
    if width == WIDTH:
        return text
    lines = text.split("\n")
    return "\n".join(fitted(line, "", width) if len(line) > width else line for line in lines)


def clean(text: str) -> str:
    """The text without control characters: a learner's print must not move the cursor."""
    return CONTROL.sub("?", text)


def fitted(line: str, indent: str, width: int | None = None) -> str:
    """A line of a message within the width, that of the terminal if none is given, with later lines
    indented. A shape stays whole.
    """
    own = indent + line[: len(line) - len(line.lstrip())]
    whole = SHAPE.sub(lambda shape: shape[0].replace(" ", HELD), clean(line))
    own += "  "
    lines = textwrap.wrap(
        whole,
        width or columns(),
        initial_indent=indent,
        subsequent_indent=own,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace(HELD, " ")
