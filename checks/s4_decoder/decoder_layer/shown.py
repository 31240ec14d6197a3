"""Shown to learners of s4_decoder/decoder_layer.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example
from checks.scenes.examples import AXES, SOURCE_MASK, TARGET_MASK, leak, of_decoder_layer

HINTS = [
    "Draw the right half of figure 1. Which sublayer is new, and where do its three inputs come "
    "from?",
    "The target asks and the source answers. Which of the two gives the queries, and which the "
    "keys and values?",
    "trg_mask is for self-attention, because the keys are target tokens. src_mask is for "
    "cross-attention, because the keys are source tokens.",
    "Each AddNorm gets the input of its sublayer and the output of its sublayer. There are three "
    "of them.",
    "attended = self.cross_attention(x, ____, encoder_output, src_mask)",
]
EXAMPLE = Example(
    AXES,
    f"""\
layer = DecoderLayer(dim_vector=12, n_head=3, dim_hidden=20).eval()
x, encoder_output = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
{TARGET_MASK}{SOURCE_MASK}out = layer(x, encoder_output, trg_mask, src_mask)
""",
)
PICTURES = [
    *of_decoder_layer("layer"),
    leak("target", "lambda x: layer(x, encoder_output, trg_mask, src_mask), x"),
    leak("source", "lambda e: layer(x, e, trg_mask, src_mask), encoder_output"),
]
