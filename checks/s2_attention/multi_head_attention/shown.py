"""Shown to learners of s2_attention/multi_head_attention.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example
from checks.scenes.examples import SOURCE_WORDS, heads

HINTS = [
    "Take six features and three heads. Which features of the projected vector belong to the "
    "second head?",
    "Project first, with the nn.Linear layers; split afterwards.",
    "Splitting takes two calls. view cuts the last axis into (n_head, dim_split). transpose(1, 2) "
    "moves the head axis before the tokens. Neither of them can do both.",
    "The shapes are (batch_size, length, dim_vector), then (batch_size, length, n_head, "
    "dim_split), then (batch_size, n_head, length, dim_split).",
    "Merging goes the same way back: transpose(1, 2) first, then flatten(2) joins the last two "
    "axes. (view needs contiguous() before it.)",
    "q_len and k_len may differ, so take each tensor's own length. detach() separates the kept "
    "weights from the gradient.",
    "return x.view(batch_size, length, self.n_head, ____).transpose(1, 2)",
]
EXAMPLE = Example(
    {"batch_size": 5, "q_len": 4, "k_len": 7, "n_head": 3, "dim_split": 2, "dim_vector": 6},
    """\
attention = MultiHeadAttention(dim_vector=6, n_head=3).eval()
q, k = torch.randn(5, 4, 6), torch.randn(5, 7, 6)
mask = torch.ones(5, 1, 1, 7, dtype=torch.bool)
mask[:, :, :, 5:] = False
out = attention(q, k, k, mask)
""",
)
PICTURES = [
    heads("head {0}, weights in %", "attention", ("| on y va", SOURCE_WORDS)),
]
