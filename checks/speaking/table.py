"""The table of right and wrong versions with real weights, from versions.json. Needs no torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from checks.engine.commands.screen import Screen

VERSIONS = Path(__file__).parent / "versions.json"
ANSWER = 20  # Characters of an answer that are shown.
MOST = 1e6  # No perplexity above this one is written out.
ABOVE = "With the weights of a real model: the loss of a held text, read at once and in pieces with\
 caches, and the answer to “The capital of France is”."


def measured() -> dict[str, Any]:
    """All that was measured: the file, the tokens of the held text, the reference, the versions."""
    found: dict[str, Any] = json.loads(VERSIONS.read_text("utf-8"))
    return found


def known() -> list[dict[str, Any]]:
    """What right and wrong versions give with the real weights, the right one first."""
    found: list[dict[str, Any]] = measured()["versions"]
    return found


def as_text() -> str:
    """The table: a line for each version, of at most 80 columns."""
    rows = [("", "at once", "in pieces", "perplexity", "answer")]
    for one in known():
        high = one["perplexity"] > MOST
        rows.append(
            (
                one["says"],
                f"{one['loss']:.3f}",
                f"{one['in_pieces']:.3f}",
                f"> {MOST:,.0f}" if high else f"{one['perplexity']:,.0f}",
                " ".join(one["answer"].split())[:ANSWER].strip(),
            )
        )
    return "\n".join(
        f"{name:29}{loss:>8}{pieces:>10}{perplexity:>12} {answer}".rstrip()
        for name, loss, pieces, perplexity, answer in rows
    )


def show(screen: Screen) -> None:
    """Print it, with a sentence that says what is to be seen."""
    screen.say()
    screen.sentence(ABOVE, "  ")
    screen.say(as_text())
