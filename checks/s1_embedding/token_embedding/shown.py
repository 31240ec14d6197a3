"""Shown to learners of s1_embedding/token_embedding.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import TOKENS

HINTS = [
    "How many rows does the table need, and how long is each row?",
    "The layer of torch.nn that looks up rows by their number is nn.Embedding. Its argument "
    "padding_idx names the padding token.",
    "Token ids (batch_size, seq_length) go in. One row for each id comes out: (batch_size, "
    "seq_length, dim_vector).",
    "self.embedding = nn.Embedding(____, dim_vector, padding_idx=padding_idx)",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 5, "dim_vector": 6, "vocab_size": 13},
    f"""\
layer = TokenEmbedding(vocab_size=13, dim_vector=6, padding_idx=0)
{TOKENS}out = layer(tokens)
""",
)
PICTURES = [
    Picture("sentence {0}: a vector per token", "out", "token", "feature"),
]
