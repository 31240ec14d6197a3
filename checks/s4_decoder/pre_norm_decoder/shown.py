"""Shown to learners of s4_decoder/pre_norm_decoder.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example
from checks.scenes.examples import AXES, SOURCE_MASK, TARGET, TARGET_MASK, leak, of_decoder_layer

HINTS = [
    "Which norms does step 4.1 have? In pre-norm, each comes before a sublayer: which one?",
    "Give the normalised x a name of its own: the sublayer reads it, but the sum starts at the "
    "old x.",
    "The encoder has already normalised the source at its end. So cross-attention normalises only "
    "its queries.",
    "No norm comes after the last sum of a layer. So one LayerNorm stands between the stack "
    "(nn.ModuleList) and the scores (nn.Linear).",
    "x = x + self.dropout(self.cross_attention(____, encoder_output, encoder_output, src_mask))",
]
EXAMPLE = Example(
    AXES,
    f"""\
decoder = PreNormDecoder(
    vocab_size=13, dim_vector=12, max_len=9,
    n_head=3, dim_hidden=20, num_layer=2,
).eval()
{TARGET}encoder_output = torch.randn(2, 7, 12)
{TARGET_MASK}{SOURCE_MASK}logits = decoder(trg, encoder_output, trg_mask, src_mask)
""",
)
PICTURES = [
    *of_decoder_layer("decoder.layers[1]"),
    leak("target", "lambda trg: decoder(trg, encoder_output, trg_mask, src_mask), trg"),
]
