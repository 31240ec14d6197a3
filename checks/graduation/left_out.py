"""The parts that `taste --without PART` leaves out: each is an edit of one step's solution."""

from __future__ import annotations

from typing import NamedTuple

from checks.engine.known import Version


class Part(NamedTuple):
    """A part of the model: its name, the step that makes it, and the step without it.

    `right`: how many of 100 numbers are right without it, the fewest and the most of SEEDS seeds.
    `python benchmarks/taste.py` measures them.
    """

    name: str
    step: str
    right: tuple[int, int]
    without: Version


SEEDS = 8
WHOLE = (99, 100)  # The same for the whole model.
PARTS = [
    Part(
        "positions",
        "transformer_embedding",
        (21, 29),
        Version(
            "The embedding does not say where a token stands. Then the encoder sees which letters "
            "a word has, but not their order.",
            {"self.token_embedding(x) + self.positional_embedding(x)": "self.token_embedding(x)"},
        ),
    ),
    Part(
        "scale",
        "calculate_attention",
        (98, 100),
        Version(
            "The scores are not divided by the square root of dim_split. In a model as small as "
            "this one they stay small anyway. The larger dim_split is, the more it matters.",
            {" / math.sqrt(q.size(-1))": ""},
        ),
    ),
    Part(
        "shortcut",
        "add_norm",
        (0, 0),
        Version(
            "Each sublayer's output replaces its input. What a sublayer does not pass on is lost. "
            "The gradient reaches the first layer only through all sublayers after it.",
            {"x + self.dropout(sublayer_output)": "self.dropout(sublayer_output)"},
        ),
    ),
    Part(
        "norm",
        "add_norm",
        (98, 100),
        Version(
            "The sums are not normalised. In two layers the numbers stay small anyway. The more "
            "layers there are, the more they grow.",
            {
                "self.layer_norm(x + self.dropout(sublayer_output))": (
                    "x + self.dropout(sublayer_output)"
                )
            },
        ),
    ),
    Part(
        "feed-forward",
        "feed_forward",
        (100, 100),
        Version(
            "Attention only mixes vectors, so no token works on what it has read. For numbers in "
            "words that is enough. Most parameters of a large model are in these networks.",
            {"return self.linear2": "return 0 * self.linear2"},
        ),
    ),
    Part(
        "source",
        "decoder_layer",
        (0, 0),
        Version(
            "The decoder never attends to the source. It can only write numbers that do not "
            "depend on it.",
            {"x = self.add_norm2(x, attended)": "x = self.add_norm2(x, 0 * attended)"},
        ),
    ),
    Part(
        "mask",
        "masks",
        (0, 0),
        Version(
            "In training each word sees the words after it, which it must predict. The loss falls "
            "fast, because copying is easy. When the model writes, there is nothing to copy.",
            {"return real & past": "return real & torch.ones_like(past)"},
        ),
    ),
]
