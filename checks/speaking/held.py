"""The loss of a held text: the learner's model beside the reference, and what a wrong loss means.

versions.json has the losses of right and wrong versions. `python -m checks.speaking.versions`
computes it with the real weights.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch.nn import functional as F

from checks.contents import STEPS
from checks.speaking.model import Loaded
from checks.speaking.table import known

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


def verdict(found: Losses) -> tuple[bool, list[str]]:
    """Whether the losses are those of the reference, and what is to be said of them."""
    right, *wrong = known()
    told = [f"The loss of a held text is {found.at_once:.3f}; it should be {right['loss']:.3f}."]
    if not _same(found.at_once, right["loss"]):
        same = [one for one in wrong if _same(found.at_once, one["loss"])]
        return False, [*told, _named(same) or "No known mistake gives this loss. Check all steps."]
    if not _same(found.in_pieces, right["loss"]):
        told.append(f"Read in pieces of {PIECE} tokens, with caches, it is {found.in_pieces:.3f}.")
        same = [one for one in wrong if _same(found.in_pieces, one["in_pieces"])]
        otherwise = (
            "What is kept is wrong (6.4), or the positions or the mask of later tokens are (6.5)."
        )
        return False, [*told, _named(same) or otherwise]
    return True, told


def _same(one: float, other: float) -> bool:
    """Whether two losses are the same: large ones differ more from machine to machine."""
    return math.isclose(one, other, rel_tol=1e-4, abs_tol=NEAR)


def _named(same: list[dict[str, Any]]) -> str:
    names = " or ".join(f"“{one['says']}” ({_id(one['step'])})" for one in same)
    return f"A known mistake gives exactly this loss: {names}." if same else ""


def _id(step: str) -> str:
    return next(one.id for one in STEPS if one.name == step)
