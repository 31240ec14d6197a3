"""The loss of a held text: the learner's model against the reference, and what a wrong loss means.

versions.json holds what right and wrong versions give; `python -m checks.speaking.versions` computes
it with the real weights.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.nn import functional as F

from checks.speaking.gguf import Gguf
from checks.speaking.model import Loaded

TEXT = (
    "In the spring the river rises until it covers the lower meadow. The farmers know this, and "
    "they keep their cows on the hill until May. Then the water falls, the grass grows quickly, "
    "and the animals come down again. Nobody has ever built a house on the meadow. Last year a "
    "man from the city bought a piece of it, because it was cheap and had a beautiful view. His "
    "neighbours told him about the river. He laughed, and began to build in August."
)
QUESTION = "The capital of France is"
NEAR = 0.002  # Two losses that differ by less are the same.
VERSIONS = Path(__file__).parent / "versions.json"


class Losses(NamedTuple):
    """The loss of the held text: read at once, and read token by token with caches."""

    at_once: float
    one_by_one: float


def losses(loaded: Loaded, text: str = TEXT) -> Losses:
    """Both losses of a text with this model."""
    tokens = torch.tensor([loaded.vocabulary.encode(text)])
    at_once = float(loaded.speak.text_loss(loaded.model, tokens))
    caches, total = None, 0.0
    with torch.no_grad():
        for at in range(tokens.size(1) - 1):
            logits, caches = loaded.model(tokens[:, at : at + 1], caches)
            total += float(F.cross_entropy(logits[:, -1].float(), tokens[:, at + 1]))
    return Losses(at_once, total / (tokens.size(1) - 1))


def known() -> list[dict[str, Any]]:
    """What right and wrong versions give with the real weights, the right one first."""
    found: list[dict[str, Any]] = json.loads(VERSIONS.read_text("utf-8"))["versions"]
    return found


def verdict(found: Losses) -> tuple[bool, list[str]]:
    """Whether the losses are those of the reference, and what is to be said of them."""
    right, *wrong = known()
    told = [
        f"The loss of the held text is {found.at_once:.3f}, that of the reference {right['loss']:.3f}."
    ]
    if abs(found.at_once - right["loss"]) > NEAR:
        same = [one for one in wrong if abs(found.at_once - one["loss"]) <= NEAR]
        if same:
            names = " or ".join(f"{one['says']} ({one['step']})" for one in same)
            return False, [*told, f"Exactly so it is with this mistake: {names}."]
        return False, [*told, "No mistake known here gives this loss. Check the steps 6.1 to 6.8."]
    if abs(found.one_by_one - right["loss"]) > NEAR:
        told.append(
            f"Read token by token, with caches, it is {found.one_by_one:.3f}. So the caches are wrong: "
            "what is kept (6.4), or the positions and the mask of a later token (6.5)."
        )
        return False, told
    return True, told


def is_the_known_one(file: Gguf) -> bool:
    """Whether the file holds the model that the reference was computed with."""
    with_hash: dict[str, Any] = json.loads(VERSIONS.read_text("utf-8"))
    return file.sha256() == with_hash["sha256"]
