"""Shown to learners of s4_decoder/decoder.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example
from checks.scenes.examples import AXES, SOURCE_MASK, TARGET, TARGET_MASK, leak, of_decoder_layer

HINTS = [
    "Compare this stack with the encoder's. What is different at its start, in its layers and at "
    "its end?",
    "nn.ModuleList keeps the layers, as in step 3.2. Each is a new DecoderLayer.",
    "Each layer reads the result of the layer before it. All layers get the same encoder output "
    "and both masks.",
    "nn.Linear gives the scores: (batch_size, trg_len, dim_vector) -> (batch_size, trg_len, "
    "vocab_size). No softmax follows: the loss contains it.",
    "x = layer(x, encoder_output, ____, src_mask)",
]
EXAMPLE = Example(
    AXES,
    f"""\
decoder = Decoder(
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
