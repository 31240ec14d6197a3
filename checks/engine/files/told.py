"""Sentences about files that cannot be kept: a command says each of them once, at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_said: dict[str, bool] = {}  # The sentences, each with whether it was said.


def say_once(sentence: str) -> None:
    _said.setdefault(sentence, False)


def unsaid() -> list[str]:
    """The sentences that were not said yet. The caller says them."""
    found = [sentence for sentence, said in _said.items() if not said]
    _said.update(dict.fromkeys(found, True))
    return found


def last_words() -> list[str]:
    """The same at the end of a command. The next one may say them again."""
    found = unsaid()
    _said.clear()
    return found


@contextmanager
def said_if_not_kept(what: str, file: Path) -> Iterator[None]:
    """A block that writes the file. If that fails, a sentence says so, and the command goes on."""
    try:
        yield
    except OSError as error:
        why = f"{file.name} cannot be written ({error.strerror or error})"
        say_once(f"{what} not kept: {why}. What helps: python run_step.py doctor")
