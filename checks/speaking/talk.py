"""Speaking: tokens become text while they are written."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from checks.engine.commands.screen import clean
from checks.engine.commands.words import Usage
from checks.speaking.model import Loaded
from checks.speaking.vocabulary import whole_characters

PAUSE = 0.1  # Seconds from one look at the text to the next: `decode` takes some of them.


class Said(NamedTuple):
    """What was written, and whether Ctrl-C stopped it."""

    text: str
    tokens: int
    stopped: bool


class Stream:
    """Prints the text of growing tokens. A half character waits for its rest."""

    def __init__(self, decode: Callable[[Sequence[int]], str]):
        self.decode, self.ids = decode, list[int]()
        self.text, self.looked = "", -PAUSE

    def add(self, token: int) -> None:
        self.ids.append(token)
        if time.monotonic() - self.looked >= PAUSE:
            self._show(whole_characters(self.decode(self.ids)))
            self.looked = time.monotonic()

    def end(self) -> None:
        self._show(self.decode(self.ids))

    def _show(self, text: str) -> None:
        sys.stdout.write(clean(text[len(self.text) :]))
        sys.stdout.flush()
        self.text = text


def say(loaded: Loaded, ids: Sequence[int], options: Namespace, generator: torch.Generator) -> Said:
    """Print what the model writes after these tokens, while it writes."""
    room = loaded.max_len - len(ids)
    if room < 1:
        raise Usage(f"The text has {len(ids)} tokens; there is room for {loaded.max_len - 1}.")
    stream, stopped = Stream(loaded.vocabulary.decode), False
    try:
        with torch.inference_mode():  # PyTorch then notes even less than under no_grad.
            _write(loaded, ids, options, generator, stream, room)
    except KeyboardInterrupt:
        stopped = True
    stream.end()
    return Said(stream.text, len(stream.ids), stopped)


def _write(
    loaded: Loaded,
    ids: Sequence[int],
    options: Namespace,
    generator: torch.Generator,
    stream: Stream,
    room: int,
) -> None:
    """Hand the new tokens to the stream. A special one ends the text: it has none."""
    special = set(loaded.vocabulary.special.values())
    for token in loaded.speak.write(
        loaded.model,
        list(ids),
        min(options.most, room),
        loaded.vocabulary.end,
        generator,
        options.temperature,
        options.top_k,
        options.top_p,
        options.min_p,
    ):
        if token in special:
            return
        stream.add(token)
