"""Speaking: tokens become text while they are written."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import NamedTuple

import torch

from checks.speaking.model import Loaded

PATIENCE = 6  # Tokens that may wait for the rest of a character: none is longer.
UNKNOWN = "�"


class Said(NamedTuple):
    """What was written, and whether it came to its end: not if it was stopped by Ctrl-C."""

    text: str
    tokens: int
    stopped: bool


def say(loaded: Loaded, ids: Sequence[int], options: Namespace, generator: torch.Generator) -> Said:
    """Print what the model writes after these tokens, character by character."""
    new = loaded.speak.write(
        loaded.model,
        list(ids),
        min(options.most, loaded.max_len - len(ids)),
        loaded.vocabulary.end,
        generator,
        options.temperature,
        options.top_k,
        options.top_p,
        options.min_p,
    )
    text, waiting, count = "", list[int](), 0
    try:
        for token in new:
            count += 1
            waiting.append(token)
            part = loaded.vocabulary.decode(waiting)
            if part.endswith(UNKNOWN) and len(waiting) < PATIENCE:
                continue
            text, waiting = text + part, []
            _show(part)
        if waiting:
            part = loaded.vocabulary.decode(waiting)
            text += part
            _show(part)
    except KeyboardInterrupt:
        return Said(text, count, True)
    return Said(text, count, False)


def _show(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()
