"""Shown to learners of s1_embedding/positional_embedding.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import TOKENS

HINTS = [
    "What is row 0 of the table? Write down sin(0) and cos(0) for six columns before you run "
    "anything.",
    "Columns 2i and 2i + 1 share one wavelength, 10000^(2i / dim_vector). Six columns have three "
    "wavelengths.",
    "torch.arange counts. unsqueeze(1) makes a column (max_len, 1) of the positions.",
    "Divide the column by the row of wavelengths: broadcasting gives all angles, (max_len, pairs).",
    "table[:, 0::2] are the even columns, table[:, 1::2] the odd ones. torch.sin and torch.cos "
    "fill them. With five columns there are three sines but only two cosines.",
    "register_buffer keeps a table that moves with the module and never learns.",
    "wavelength = 10000.0 ** (torch.arange(0, ____, 2) / dim_vector)",
]
EXAMPLE = Example(
    {"batch_size": 2, "max_len": 11, "seq_length": 5, "pairs": 3, "dim_vector": 6},
    f"""\
layer = PositionalEmbedding(dim_vector=6, max_len=11)
{TOKENS}out = layer(tokens)
""",
)
PICTURES = [
    Picture("the table pe: each column is a wave", "layer.pe", "position", "feature"),
    Picture(
        "likeness of positions (product of two rows)",
        "layer.pe @ layer.pe.T",
        "position",
        "position",
    ),
]
