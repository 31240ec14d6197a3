"""Shown to learners of s1_embedding/transformer_embedding.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import TOKENS

HINTS = [
    "This layer joins two of your own layers. Which two, and what does each of them read?",
    "Both read the token ids. One needs the ids themselves. The other only needs to know how many "
    "ids there are.",
    "The shapes are (batch_size, seq_length, dim_vector) and (seq_length, dim_vector). You can "
    "add them: broadcasting repeats the second one.",
    "nn.Dropout makes the layer that drops. It acts once, on the sum.",
    "return self.dropout(self.token_embedding(x) + ____)",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 5, "dim_vector": 6},
    f"""\
layer = TransformerEmbedding(
    vocab_size=13, dim_vector=6, max_len=11, padding_idx=0
).eval()
{TOKENS}out = layer(tokens)
""",
)
PICTURES = [
    Picture("sentence {0}: token plus position", "out", "token", "feature"),
]
