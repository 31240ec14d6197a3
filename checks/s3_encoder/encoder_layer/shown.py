"""Shown to learners of s3_encoder/encoder_layer.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example
from checks.scenes.examples import AXES, SOURCE_MASK, heads, leak

HINTS = [
    "Draw the left half of figure 1. Which two sublayers are there, and what follows each of them?",
    "In self-attention one tensor is query, key and value. Which tensor is it, and where does the "
    "mask go?",
    "Each AddNorm gets the input of its sublayer and the output of its sublayer. The input of the "
    "second sublayer is what comes out of add_norm1.",
    "x = self.add_norm1(x, self.self_attention(____, src_mask))",
]
EXAMPLE = Example(
    AXES,
    f"""\
layer = EncoderLayer(dim_vector=12, n_head=3, dim_hidden=20).eval()
x = torch.randn(2, 7, 12)
{SOURCE_MASK}out = layer(x, src_mask)
""",
)
PICTURES = [
    heads("head {0}, weights in %", "layer.self_attention"),
    leak("input", "lambda x: layer(x, src_mask), x"),
]
