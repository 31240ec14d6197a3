"""Shown to learners of s6_today/gated_feed_forward.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "Two layers read x, and one writes the result. How many inputs and outputs does each have?",
    "nn.Linear has a bias unless you write bias=False.",
    "F.silu(z) is z times its sigmoid. Which of the two wide vectors goes through it?",
    "The two wide vectors are multiplied entry by entry: * does that.",
    "return self.down(F.silu(____) * ____)",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 4, "dim_vector": 6, "dim_hidden": 11},
    """\
layer = GatedFeedForward(dim_vector=6, dim_hidden=11)
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
