"""Shown to learners of s2_attention/feed_forward.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "How many inputs and outputs does each of the two layers have?",
    "Without something between them, two linear layers are no more than one. What does the paper "
    "put there?",
    "Make the layers with nn.Linear, nn.ReLU() (with parentheses) and nn.Dropout.",
    "(…, dim_vector) -> (…, dim_hidden) -> (…, dim_vector). The ReLU and the dropout act in the "
    "middle.",
    "return self.linear2(self.dropout(____))",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 4, "dim_vector": 6, "dim_hidden": 11},
    """\
layer = FeedForward(dim_vector=6, dim_hidden=11).eval()
x = torch.randn(2, 4, 6)
out = layer(x)
""",
)
PICTURES = [
    Picture("in", "x[0]", "token", "feature"),
    Picture("out", "out[0]", "token", "feature"),
    Picture(
        "# the output (row) moves when the input (column) changes",
        "moves(layer, x)",
        "output",
        "input",
        "mask",
    ),
]
