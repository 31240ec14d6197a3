"""Shown to learners of s3_encoder/encoder.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example
from checks.scenes.examples import AXES, SOURCE, SOURCE_MASK, heads, leak, stream

HINTS = [
    "What goes in: token ids or vectors? Which of your layers turns ids into vectors?",
    "A plain Python list hides its layers from PyTorch. nn.ModuleList shows them, so that they "
    "learn.",
    "Make a new layer for each place in the list. One layer repeated num_layer times is not "
    "enough.",
    "In forward, loop over the list: each layer reads the result of the one before it, with the "
    "same mask.",
    "self.layers = nn.ModuleList(____ for _ in range(num_layer))",
]
EXAMPLE = Example(
    AXES,
    f"""\
encoder = Encoder(
    vocab_size=13, dim_vector=12, max_len=9,
    n_head=3, dim_hidden=20, num_layer=2,
).eval()
{SOURCE}{SOURCE_MASK}out = encoder(src, src_mask)
""",
)
PICTURES = [
    heads("layer 0, head {0}, in %", "encoder.layers[0].self_attention"),
    heads("layer 1, head {0}, in %", "encoder.layers[1].self_attention"),
    stream("encoder"),
    leak("word", "lambda src: encoder(src, src_mask), src"),
]
