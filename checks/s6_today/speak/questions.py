"""Questions about s6_today/speak.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question, shown
from checks.s6_today.speak.truth import text_loss

READS = """\
class Toy(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.read = nn.Embedding(9, 1), 0
    def forward(self, new, caches=None):
        self.read += new.size(1)
        text = new[0].tolist() if caches is None else [*caches[0], *new[0].tolist()]
        return table[text[-1]].expand(1, new.size(1), -1), [text]
toy = Toy()
"""
WRITES = READS + "answer = torch.tensor(list(write(toy, [3], num_new, 0, temperature=0)))"
COUNTS = READS + "list(write(toy, tokens, num_new, 8, temperature=0))\nanswer = toy.read"


def _logits(chances: Array) -> Array:
    return np.log(chances)[None]


@question(
    "answer = text_loss(lambda tokens: (logits.float(), None), tokens.long())",
    lesson="So the last scores are not used, and the first token has no scores.",
)
def which_scores_count(draw: Draw) -> Case:
    """The scores of a token are about the next one, so two of the three rows count."""
    tokens = draw.random.permutation(3)
    chances = np.array([draw.random.permutation([0.1, 0.3, 0.6]) for _ in range(3)])
    logits, rows = _logits(chances), np.arange(3)
    right = text_loss(logits, tokens[None])

    def loss(scored: Array, wanted: Array) -> Array:
        return np.asarray(-np.log(chances[scored, wanted]).mean())

    return Case(
        f"The vocabulary has tokens 0 to 2, and the text is {_listed(tokens)}. After each of its "
        f"tokens the model gives these probabilities:\n{shown(chances)}\n"
        "-ln 0.1 is 2.30, -ln 0.3 is 1.20, and -ln 0.6 is 0.51. What is the loss of the text?",
        {"tokens": tokens[None].astype(float), "logits": logits},
        right,
        {
            "not-shifted": loss(rows, tokens),
            "shifted-the-other-way": loss(rows[1:], tokens[:-1]),
            "summed": 2 * right,
            "mean-over-all-tokens": right * 2 / 3,
            "last-token-alone": loss(rows[1:2], tokens[2:]),
            "perplexity": np.exp(right),
            "in-bits": right / np.log(2),
        },
    )


def _listed(tokens: Array) -> str:
    return ", ".join(str(int(token)) for token in tokens)


@question(WRITES, lesson="`end` is a sign for the program: it is not yielded.")
def what_is_written(draw: Draw) -> Case:
    """The best tokens follow one by one, and the end token is not among them."""
    order = [int(token) for token in draw.random.permutation([1, 2, 4, 5])]
    table = np.zeros((9, 9))
    for now, then in zip([3, *order, 0], [*order, 0, 3]):
        table[now, then] = 9.0
    best = [*order, 0, 3, *order, 0, 3]
    num_new = draw.one(7, 8)
    told = ", ".join(f"{now} -> {then}" for now, then in zip([3, *order, 0], [*order, 0, 3]))
    return Case(
        f"The best next token depends on the last one: {told}. The text is [3], num_new is "
        f"{num_new}, end is 0, and the temperature is 0. What does write yield?",
        {"table": table, "num_new": num_new},
        np.array(order),
        {
            "end-yielded": np.array([*order, 0]),
            "end-ignored": np.array(best[:num_new]),
            "text-yielded": np.array([3, *order]),
        },
        _listed,
    )


@question(COUNTS, lesson="Then each new token is read alone, with the caches of all before it.")
def how_much_is_read(draw: Draw) -> Case:
    """The text is read once, and each new token once; the last one is not read any more."""
    length, num_new = draw.sizes(2, 3, 7)
    tokens = [int(token) for token in draw.random.integers(0, 8, length)]
    again = sum(length + n for n in range(num_new))
    rounds = max(num_new - length, 0)
    return Case(
        f"The text has {length} tokens, and write makes {num_new} new ones. How many tokens does "
        "the model read in all its calls together?",
        {"table": np.eye(9)[:, [1, 2, 3, 4, 5, 6, 7, 0, 8]], "tokens": tokens, "num_new": num_new},
        length + num_new - 1,
        {
            "whole-text-again": again,
            "one-too-many": length + num_new,
            "text-counted": length + rounds - 1 if rounds else 0,
        },
    )
