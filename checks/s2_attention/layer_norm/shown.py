"""Shown to learners of s2_attention/layer_norm.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "Take the vector 1, 2, 3, 4, 5, 6. What is its mean? What is the average squared distance "
    "from it?",
    "nn.Parameter makes a tensor that learns: gamma of torch.ones, beta of torch.zeros.",
    "Take the mean of each vector over the last axis: mean(dim=-1, keepdim=True). keepdim keeps "
    "an axis of size 1, so that x - mean fits.",
    "The variance is the mean of the squared distances; it divides by n. torch's var divides by n "
    "- 1 unless you write unbiased=False.",
    "Add eps to the variance, then take the square root: torch.sqrt.",
    "variance = x.____(dim=-1, unbiased=False, keepdim=True)",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 4, "dim_vector": 6},
    """\
layer = LayerNorm(dim_vector=6)
x = 3 + 2 * torch.randn(2, 4, 6)
out = layer(x)
""",
)
PICTURES = [
    Picture("before", "x[0]", "token", "feature"),
    Picture("after: mean 0 and variance 1 in every row", "out[0]", "token", "feature"),
]
