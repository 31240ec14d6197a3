"""Shown to learners of s5_transformer/masks.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture
from checks.scenes.examples import SOURCE, TARGET

HINTS = [
    "Take the target 5, 0, 7 with padding 0. Which query may attend to which key? Write a square "
    "of ones and zeros.",
    "Padding is masked as a key. Compare the ids with the padding id: != gives True for the real "
    "tokens.",
    "The keys are the last axis. [:, None, None, :], or unsqueeze twice, makes (batch_size, 1, 1, "
    "len) of (batch_size, len).",
    "For the future you need a lower triangle with the diagonal: torch.tril of ones, (len, len). "
    "Make it bool (dtype=torch.bool), on the device of trg (device=).",
    "A key must pass both tests. & combines bool tensors entry by entry; Python's `and` cannot. "
    "(batch_size, 1, 1, len) and (len, len) broadcast to (batch_size, 1, len, len).",
    "return real & ____",
]
EXAMPLE = Example(
    {"batch_size": 2, "src_len": 7, "trg_len": 5},
    f"""\
{SOURCE}src_mask = get_src_mask(src, 0)
{TARGET}trg_mask = get_trg_mask(trg, 0)
""",
)
PICTURES = [
    Picture("source {0}: # is visible", "src_mask[:, 0]", "query", "key", "mask"),
    Picture("target {0}: # is visible", "trg_mask[:, 0]", "query", "key", "mask"),
]
