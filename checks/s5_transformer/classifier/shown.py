"""Shown to learners of s5_transformer/classifier.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example

HINTS = [
    "A sentence of three words is in a batch with one of seven. What should its four places of "
    "padding add to its mean?",
    "Use != with pad_idx to find the real tokens. The method any(dim=1) says whether a row has a "
    "real token. The operator ~ exchanges True and False.",
    "The encoder needs a mask as well (step 5.1). Otherwise words have attended to padding before "
    "the mean is taken.",
    "Set the padding vectors to 0: multiply by the real marks, or use masked_fill. The marks need "
    "one axis more: [..., None] or unsqueeze(-1).",
    "Then sum(dim=1), and divide by the number of real tokens. Summing bools counts them; "
    "keepdim=True gives (batch_size, 1).",
    "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / ____",
]
EXAMPLE = Example(
    {
        "batch_size": 2,
        "length": 7,
        "dim_vector": 12,
        "num_class": 5,
        "n_head": 3,
        "dim_split": 4,
        "dim_hidden": 20,
    },
    """\
classifier = TextClassifier(
    vocab_size=11, num_class=5, dim_vector=12, n_head=3,
    max_len=9, dim_hidden=20, num_layer=1,
).eval()
tokens = torch.tensor([[7, 4, 9, 4, 8, 0, 0], [3, 8, 5, 10, 6, 2, 9]])
scores = classifier(tokens)
""",
)
