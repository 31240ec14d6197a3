"""The parts that `taste --without PART` leaves out: each is an edit of one step's solution."""

from __future__ import annotations

from typing import NamedTuple

from checks.engine.known import Version


class Part(NamedTuple):
    """A part of the model: its name, the step that makes it, and the step without it."""

    name: str
    step: str
    without: Version


PARTS = [
    Part(
        "positions",
        "transformer_embedding",
        Version(
            "The embedding does not say where a token stands. Then the encoder sees which letters "
            "a word has, but not their order.",
            {"self.token_embedding(x) + self.positional_embedding(x)": "self.token_embedding(x)"},
        ),
    ),
    Part(
        "scale",
        "calculate_attention",
        Version(
            "The scores are not divided by the square root of dim_split. In so small a model "
            "they stay small anyway: the larger dim_split is, the more it matters.",
            {" / math.sqrt(q.size(-1))": ""},
        ),
    ),
    Part(
        "shortcut",
        "add_norm",
        Version(
            "Each sublayer's output replaces its input. What a sublayer does not pass on is lost, "
            "and the gradient reaches the first layers only through all others.",
            {"x + self.dropout(sublayer_output)": "self.dropout(sublayer_output)"},
        ),
    ),
    Part(
        "norm",
        "add_norm",
        Version(
            "The sums are not normalised. In one layer the numbers stay small all the same: the "
            "more layers there are, the more they grow.",
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
        Version(
            "Attention only mixes vectors; no token works on what it has read. For numbers in "
            "words that is enough. Most parameters of a large model are in these networks.",
            {"return self.linear2": "return 0 * self.linear2"},
        ),
    ),
    Part(
        "source",
        "decoder_layer",
        Version(
            "The decoder never looks at the source. It can only write numbers that sound right.",
            {"x = self.add_norm2(x, attended)": "x = self.add_norm2(x, 0 * attended)"},
        ),
    ),
    Part(
        "mask",
        "masks",
        Version(
            "In training each word sees the words after it, which it must predict. The loss falls "
            "fast, for copying is easy. When it writes, there is nothing to copy.",
            {"return real & past": "return real & torch.ones_like(past)"},
        ),
    ),
]
