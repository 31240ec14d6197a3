"""Figure 1 of the paper as characters, with a cross in each box that the learner has built.

No numpy here: `list` is to answer at once.
"""

from __future__ import annotations

from collections.abc import Callable, Set

VOCAB, WIDTH, HIDDEN, LAYERS = 37_000, 512, 2048, 6  # The paper's base model (table 3).
# The boxes of the picture, and the steps that build each.
BOXES = {
    "[L]": {"decoder"},
    "[F]": {"feed_forward"},
    "[N]": {"add_norm", "layer_norm"},
    "[A]": {"multi_head_attention", "calculate_attention"},
    "[W]": {"transformer_embedding"},
    "[E]": {"encoder_layer", "encoder"},
    "[D]": {"decoder_layer", "decoder"},
    "[M]": {"masks"},
}
PICTURE = """\
                                                  [L] linear
                                                       ^
                                        +- [D] decoder, 6 layers --+
                                        | [F] feed-forward         |
                                        | [N] add & norm           |
   +- [E] encoder, 6 layers --+         | [A] cross-attention      |
   | [F] feed-forward         |-------->| [N] add & norm           |
   | [N] add & norm           |         | [A] self-attention       |
   | [A] self-attention       |         | [N] add & norm           |
   | [N] add & norm           |         +--------------------------+
   +--------------------------+                        ^
                ^                            [W] words + positions
      [W] words + positions                  target  [M] mask
      source  [M] mask"""


def figure(passed: Set[str]) -> list[str]:
    """The lines of the figure, and how many parameters the passed steps hold. `passed`: names."""
    picture = PICTURE
    for box, steps in BOXES.items():
        picture = picture.replace(box, "[x]" if steps <= passed else "[ ]")
    held, whole = held_by(passed), held_by({*PARAMETERS})
    total = f"{held / 1e6:.1f} of {whole / 1e6:.1f} million parameters"
    return [
        *picture.splitlines(),
        "",
        f"With the paper's sizes, your steps have {total}.",
    ]


def _linear(into: int, out: int) -> int:
    return into * out + out


# The parameters that a step brings to the base model, in all the places where it stands.
PARAMETERS: dict[str, Callable[[], int]] = {
    "token_embedding": lambda: 2 * VOCAB * WIDTH,
    "multi_head_attention": lambda: 3 * LAYERS * 4 * _linear(WIDTH, WIDTH),
    "layer_norm": lambda: 5 * LAYERS * 2 * WIDTH,
    "feed_forward": lambda: 2 * LAYERS * (_linear(WIDTH, HIDDEN) + _linear(HIDDEN, WIDTH)),
    "decoder": lambda: _linear(WIDTH, VOCAB),
}


def held_by(passed: Set[str]) -> int:
    """How many parameters of the base model these steps bring."""
    return sum(count() for step, count in PARAMETERS.items() if step in passed)
