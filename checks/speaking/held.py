"""The loss of a held text: the learner's model beside the reference, and what a wrong loss means.

versions.json has the losses of right and wrong versions. `python -m checks.speaking.versions`
computes it with the real weights.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.nn import functional as F

from checks.contents import STEPS
from checks.speaking.model import Loaded

TEXT = (
    "In the spring the river rises until it covers the lower meadow. The farmers know this, and "
    "they keep their cows on the hill until May. Then the water falls, the grass grows quickly, "
    "and the animals come down again. Nobody has ever built a house on the meadow. Last year a "
    "man from the city bought a piece of it, because it was cheap and had a beautiful view. His "
    "neighbours told him about the river. He laughed, and began to build in August."
)
QUESTION = "The capital of France is"
PIECE = 8  # Tokens of a piece.
NEAR = 0.002  # Two losses that differ by less are the same.
VERSIONS = Path(__file__).parent / "versions.json"


class Losses(NamedTuple):
    """The loss of a text: read at once, and read in pieces with the caches of those before."""

    at_once: float
    in_pieces: float


def losses(loaded: Loaded, text: str = TEXT) -> Losses:
    """Both losses of a text with this model."""
    tokens = torch.tensor([loaded.vocabulary.encode(text)])
    at_once = float(loaded.speak.text_loss(loaded.model, tokens))
    caches, scores = None, []
    with torch.no_grad():
        for piece in tokens[:, :-1].split(PIECE, dim=1):
            logits, caches = loaded.model(piece, caches)
            scores.append(logits[0].float())
    return Losses(at_once, float(F.cross_entropy(torch.cat(scores), tokens[0, 1:])))


def known() -> list[dict[str, Any]]:
    """What right and wrong versions give with the real weights, the right one first."""
    found: list[dict[str, Any]] = json.loads(VERSIONS.read_text("utf-8"))["versions"]
    return found


def verdict(found: Losses) -> tuple[bool, list[str]]:
    """Whether the losses are those of the reference, and what is to be said of them."""
    right, *wrong = known()
    told = [f"The loss of a held text is {found.at_once:.3f}; it should be {right['loss']:.3f}."]
    if abs(found.at_once - right["loss"]) > NEAR:
        same = [one for one in wrong if abs(found.at_once - one["loss"]) <= NEAR]
        names = " or ".join(f"{one['says']} ({_id(one['step'])})" for one in same)
        more = f"One mistake gives exactly this loss: {names}." if same else ""
        return False, [*told, more or "No mistake that is known here gives it. Check all steps."]
    if abs(found.in_pieces - right["loss"]) > NEAR:
        told.append(
            f"Read in pieces of {PIECE} tokens, with caches, it is {found.in_pieces:.3f}. So what "
            "is kept is wrong (6.4), or the positions or the mask of later tokens are (6.5)."
        )
        return False, told
    return True, told


def _id(step: str) -> str:
    return next(one.id for one in STEPS if one.name == step)
