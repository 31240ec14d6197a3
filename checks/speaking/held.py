"""The loss of a held text: the learner's model beside the reference, and what a wrong loss means.

versions.json has the losses of right and wrong versions with the weights of `speak --get`. For
another file the reference is computed now.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch.nn import functional as F

from checks.contents import STEPS
from checks.speaking import reference
from checks.speaking.gguf import Gguf
from checks.speaking.model import Loaded, sizes_of
from checks.speaking.table import measured

TEXT = (
    "In the spring the river rises until it covers the lower meadow. The farmers know this, and "
    "they keep their cows on the hill until May. Then the water falls, the grass grows quickly, "
    "and the animals come down again. Nobody has ever built a house on the meadow. Last year a "
    "man from the city bought a piece of it, because it was cheap and had a beautiful view. His "
    "neighbours told him about the river. He laughed, and began to build in August."
)
QUESTION = "The capital of France is"
PIECE, ALONE = 8, 8  # Tokens of a piece, and tokens at the end that are read one by one.
NEAR = 0.002  # Two losses that differ by less are the same.


class Losses(NamedTuple):
    """The loss of a text: read at once, and read in pieces with the caches of those before."""

    at_once: float
    in_pieces: float


def losses(loaded: Loaded, ids: list[int]) -> Losses:
    """Both losses of a text with this model."""
    tokens = torch.tensor([ids])
    at_once = float(loaded.speak.text_loss(loaded.model, tokens))
    caches, scores = None, []
    read = tokens[:, :-1]
    pieces = [*read[:, :-ALONE].split(PIECE, dim=1), *read[:, -ALONE:].split(1, dim=1)]
    with torch.no_grad():
        for piece in pieces:
            logits, caches = loaded.model(piece, caches)
            scores.append(logits[0].float())
    return Losses(at_once, float(F.cross_entropy(torch.cat(scores), tokens[0, 1:])))


def compared(loaded: Loaded, file: Gguf, digest: str) -> tuple[bool, list[str]]:
    """Whether the model and its tokens are right with these weights, and what is to be said."""
    whole = measured()
    known = whole if whole["sha256"] == digest else None
    ids = loaded.vocabulary.encode(TEXT)
    if known is not None and ids != known["tokens"]:
        return False, [
            f"The held text becomes {len(ids)} tokens, not the {len(known['tokens'])} that it "
            "should: encode of 6.7 merges in another way."
        ]
    if loaded.vocabulary.decode(ids) != TEXT:
        return False, ["decode of 6.7 does not give back the held text."]
    right = known["reference"] if known else reference.loss(file, sizes_of(file), ids)
    return verdict(losses(loaded, ids), right, known["versions"] if known else [])


def verdict(found: Losses, right: float, versions: list[dict[str, Any]]) -> tuple[bool, list[str]]:
    """Whether the losses are that of the reference, and what is to be said of them."""
    told = f"The loss of a held text is {found.at_once:.4f}; the reference has {right:.4f}."
    if abs(found.at_once - right) <= NEAR and abs(found.in_pieces - right) <= NEAR:
        return True, [told]
    same = [one for one in versions if _alike(found, one)]
    names = " or ".join(f'"{one["says"]}" ({_id(one["step"])})' for one in same)
    if abs(found.at_once - right) <= NEAR:
        told += f" Read in pieces, with caches, it is {found.in_pieces:.4f}."
        part = "What is cached is wrong (6.4), or the positions or the mask behind a cache (6.5)."
    else:
        part = "No known mistake gives this loss. Check all steps: python run_step.py bonus"
    return False, [told, f"This is what {names} gives." if same else part]


def _alike(found: Losses, one: dict[str, Any]) -> bool:
    """Whether these are the losses of the version. Large ones differ a little among computers."""
    pairs = zip(found, (one["loss"], one["in_pieces"]))
    return all(math.isclose(a, b, rel_tol=5e-4, abs_tol=NEAR) for a, b in pairs)


def _id(step: str) -> str:
    return next((one.id for one in STEPS if one.name == step), "right")
