"""Shown to learners of s2_attention/calculate_attention.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import SOURCE_WORDS

HINTS = [
    "Take one query. Which number says how well a key fits it? And what turns such numbers into "
    "weights that sum to 1?",
    "Scores are dot products, so they grow with dim_split. Divide them by its square root.",
    "(…, q_len, dim_split) times (…, dim_split, k_len) gives (…, q_len, k_len). So the last two "
    "axes of the keys must be exchanged: transpose(-2, -1).",
    "Mask before the softmax, never after it: masked_fill puts minus infinity where mask == 0. "
    "Without a mask (None), leave this out.",
    "softmax(dim=-1) makes weights over the keys.",
    "score = q @ ____ / math.sqrt(q.size(-1))",
]
EXAMPLE = Example(
    {"batch_size": 2, "n_head": 3, "q_len": 4, "k_len": 7, "dim_split": 5},
    """\
q = torch.randn(2, 3, 4, 5)
k, v = torch.randn(2, 3, 7, 5), torch.randn(2, 3, 7, 5)
mask = torch.ones(2, 1, 1, 7, dtype=torch.bool)
mask[:, :, :, 5:] = False
out, attention = calculate_attention(q, k, v, mask)
""",
)
PICTURES = [
    Picture(
        *("head {0}, weights in %", "attention[0]", "query", "key", "share"),
        *("| on y va", SOURCE_WORDS),
    ),
]
