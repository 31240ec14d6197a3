"""Shown to learners of s1_embedding/scaled_embedding.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import TOKENS

HINTS = [
    "How long is a row of 512 small entries, beside a row of positions, whose length is 16? The "
    "length (norm) of a vector is the square root of the sum of its squares.",
    "What does the paper multiply: words or positions? And by the square root of which size?",
    "The factor is one number. math.sqrt gives it as soon as the layer is made; it is not learned.",
    "return self.dropout(self.token_embedding(x) * ____ + self.positional_embedding(x))",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 5, "dim_vector": 6},
    f"""\
layer = ScaledEmbedding(
    vocab_size=13, dim_vector=6, max_len=11, padding_idx=0
).eval()
{TOKENS}out = layer(tokens)
""",
)
PICTURES = [
    Picture("sentence {0}: scaled token plus position", "out", "token", "feature"),
]
