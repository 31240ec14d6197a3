"""Shown to learners of s6_today/sampling.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "The probabilities are 0.5, 0.25, 0.15 and 0.1. Which tokens does top_p = 0.6 keep, and which "
    "token reaches top_p?",
    "masked_fill makes a new tensor with minus infinity where a token is cut. The tensor of the "
    "caller stays as it is.",
    "Temperature 0: argmax finds the first of the best. torch.full_like makes rows in which all is "
    "cut, and scatter puts one logit back.",
    "top_k: the values of topk come in order. The last of them is the smallest that "
    "stays, a limit for each row: keep its axis.",
    "top_p: sort the logits, with the best first. cumsum of the probabilities, minus each "
    "probability itself, is what the better ones have together. The best "
    "token stays even if top_p is 0.",
    "top_p, back in the order of the vocabulary: sort gives the place that each one came from. Its "
    "argsort is the way back, for gather.",
    "min_p: compare with the largest probability of the row, times min_p. keepdim keeps the axis.",
    "sample: torch.multinomial takes probabilities, and gives a column of draws.",
    "before = share.cumsum(dim=-1) - ____",
]
EXAMPLE = Example(
    {"batch_size": 2, "vocab_size": 7},
    """\
sure = [2.0, -1.0, 1.2, 0.3, 1.6, -0.5, 0.0]
unsure = [0.0, 1.2, 0.5, 1.0, -1.0, 0.2, 0.9]
logits = torch.tensor([sure, unsure])
kept = filtered(logits, temperature=0.8, top_k=5, top_p=0.8, min_p=0.1)
token = sample(kept, torch.Generator().manual_seed(3))
""",
)
PICTURES = [
    Picture("before, in %", "logits.softmax(-1)", "row", "token", "share"),
    Picture("after the filters, in %", "kept.softmax(-1)", "row", "token", "share"),
]
