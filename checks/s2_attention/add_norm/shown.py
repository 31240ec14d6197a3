"""Shown to learners of s2_attention/add_norm.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "One of the two inputs is the shortcut. Which one, and which one passes through dropout?",
    "The paper writes LayerNorm(x + Sublayer(x)). Which of the operations comes last?",
    "There are three operations, in this order: nn.Dropout, addition, your LayerNorm.",
    "return self.layer_norm(x + ____)",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 4, "dim_vector": 6},
    """\
layer = AddNorm(dim_vector=6).eval()
x, sublayer_output = torch.randn(2, 4, 6), torch.randn(2, 4, 6)
out = layer(x, sublayer_output)
""",
)
PICTURES = [
    Picture("x", "x[0]", "token", "feature"),
    Picture("the sublayer's output", "sublayer_output[0]", "token", "feature"),
    Picture("the sum, normalised", "out[0]", "token", "feature"),
]
