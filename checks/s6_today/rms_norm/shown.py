"""Shown to learners of s6_today/rms_norm.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "Open your layer norm of step 2.3. Which two of its parts go away, and what then takes the "
    "place of the variance?",
    "The vector 1, 1, 5, 5 has the squares 1, 1, 25, 25. What is their mean, and its square root?",
    "x.float() is x in float32. square() squares every entry, and mean(dim=-1, keepdim=True) "
    "takes the mean of each vector.",
    "Add eps to the mean of the squares, then take the square root: torch.sqrt.",
    "x.dtype is the dtype of x, and a tensor's to(…) converts it. A float16 tensor times a float32 "
    "tensor gives float32. So convert last, or just before gamma if gamma has the dtype of x.",
    "mean_square = x.float().____().mean(dim=-1, keepdim=True)",
]
EXAMPLE = Example(
    {"batch_size": 2, "seq_length": 4, "dim_vector": 6},
    """\
layer = RMSNorm(dim_vector=6)
x = 3 + 2 * torch.randn(2, 4, 6)
out = layer(x)
""",
)
PICTURES = [
    Picture("before", "x[0]", "token", "feature"),
    Picture("after: the mean of the squares is 1 in every row", "out[0]", "token", "feature"),
]
