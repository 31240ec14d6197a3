"""Shown to learners of s3_encoder/pre_norm_encoder.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example
from checks.scenes.examples import AXES, SOURCE, SOURCE_MASK, heads, leak, stream

HINTS = [
    "Compare norm(x + f(x)) and x + f(norm(x)). In which of them does x reach the end unchanged?",
    "Which x do you add at the end: the normalised one, or the one that came in?",
    "In self-attention the normalised tokens are queries, keys and values. Give them a name of "
    "their own.",
    "Dropout acts on the output of each sublayer, before the sum.",
    "No norm comes after the last sum of a layer. So one closing norm stands behind the whole "
    "stack (nn.ModuleList).",
    "return x + self.dropout(self.feed_forward(____))",
]
EXAMPLE = Example(
    AXES,
    f"""\
encoder = PreNormEncoder(
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
