"""Questions about s5_transformer/training.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question, which
from checks.truth.learning import noam_learning_rate, sequence_loss, sequence_loss_gradient
from checks.truth.paper import softmax

LOSS = "answer = sequence_loss(logits, targets, 0)"


@question(
    LOSS,
    lesson="The loss begins at about 2 to 3 (a guess has `log(10)`, that is 2.3) and should "
    "come close to 0:",
    typed=True,
)
def loss_of_a_guess(draw: Draw) -> Case:
    """Each word has the probability 1 / vocab_size, and -log of that is ln(vocab_size)."""
    vocab_size, length = draw.one(4, 6, 8, 10, 20), draw.one(2, 3)
    logits, targets = np.zeros((1, length, vocab_size)), np.ones((1, length), int)
    loss = float(sequence_loss(logits, targets, 0))
    return Case(
        f"A model knows nothing: it gives all {vocab_size} words of the vocabulary the same score. "
        f"What is the loss of a sentence of {length} tokens, none of them padding? (Two decimals.)",
        {"logits": logits, "targets": targets},
        loss,
        {
            "sum": length * loss,
            "bits": loss / np.log(2),
            "perplexity": np.exp(loss),
            "no-logarithm": -1 / vocab_size,
            "no-softmax": 0.0,
            "sign": -loss,
            "squared-error": 1 - 1 / vocab_size,
        },
    )


@question(LOSS, lesson="Positions where padding is wanted do not count.")
def padding_among_the_targets(draw: Draw) -> Case:
    """The mean is over the real words only: padding is left out of the sum and of the count."""
    p = draw.one((0.5, 0.25, 0.9), (0.25, 0.1, 0.9), (0.5, 0.1, 0.8))
    targets, vocab_size = np.array([[5, 8, 0]]), 10
    chances = np.array(
        [np.where(np.arange(10) == t, c, (1 - c) / 9) for t, c in zip(targets[0], p)]
    )
    logits, each = np.log(chances)[None], -np.log(p)
    told = f"{p[0]}, {p[1]} and {p[2]}"
    logs = f"{each[0]:.2f}, {each[1]:.2f} and {each[2]:.2f}"
    return Case(
        f"5, 8 and 0 are wanted, and 0 is padding. The model gives them the probabilities {told}; "
        f"-log of these is {logs}. What is the loss?",
        {"logits": logits, "targets": targets},
        float(sequence_loss(logits, targets, 0)),
        {
            "padding-counted": each.mean(),
            "sum": each[:2].sum(),
            "mean-over-all-places": each[:2].sum() / 3,
            "no-logarithm": -np.mean(p[:2]),
            "softmax-before": float(sequence_loss(softmax(logits), targets, 0)),
            "logits-zeroed": (each[:2].sum() + np.log(vocab_size)) / 3,
        },
    )


@question(
    "def of(logits):\n    return sequence_loss(logits, targets, 0)\n"
    "answer = reached(of, logits)[0].any(-1)[0]",
    lesson="Positions where padding is wanted do not count.",
)
def positions_that_learn(draw: Draw) -> Case:
    """Only positions where a real word is wanted have a loss, so only they get a gradient."""
    real = draw.one(2, 3)
    targets = np.array([[7, 4, 9, 5]]) * (np.arange(4) < real)
    logits = draw.normal(1, 4, 10)
    wanted = targets[0] != 0
    return Case(
        f"{', '.join(map(str, targets[0]))} are wanted, and 0 is padding. The logits of which "
        "positions get a gradient?",
        {"logits": logits, "targets": targets},
        (sequence_loss_gradient(logits, targets, 0) != 0).any(-1)[0],
        {
            "padding-counted": wanted | True,
            "only-padding": ~wanted,
            "loss-detached": wanted & False,
            "shifted-in-the-loss": np.arange(4) < real - 1,
        },
        which("position"),
    )


@question(
    "answer = noam_learning_rate(step, dim_vector, warmup_steps)",
    lesson="The rate is the smaller of two curves: one rises linearly, one falls like 1 / √step.",
)
def the_rate(draw: Draw) -> Case:
    """The rate is the smaller of the two curves, divided by √dim_vector."""
    warmup, dim_vector = 4, draw.one(4, 16)
    step = draw.one(1, 2, 16, 64)
    width, falls, rises = dim_vector**-0.5, step**-0.5, step * warmup**-1.5
    return Case(
        f"dim_vector is {dim_vector}, warmup_steps is 4. What is the learning rate in step {step}? "
        f"step^(-1/2) is {falls:.3g}, and step · warmup_steps^(-3/2) is {rises:g}.",
        {"step": step, "dim_vector": dim_vector, "warmup_steps": warmup},
        noam_learning_rate(step, dim_vector, warmup),
        {
            "max-for-min": width * max(falls, rises),
            "no-width": min(falls, rises),
            "width-root-not-inverted": min(falls, rises) / width,
            "width-without-root": width**2 * min(falls, rises),
            "plateau": width * min(warmup**-0.5, rises),
        },
        "{:.4g}".format,
    )


SPY = """\
class Spy(nn.Module):
    trg_pad_idx = 0
    def __init__(self):
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(trg.size(1), 10))
    def forward(self, src, trg):
        self.read = trg
        return self.scores[: trg.size(1)].expand(len(trg), -1, -1)
model = Spy()
train_step(model, torch.optim.SGD(model.parameters(), lr=0.1), trg, trg)
read = model.read[0]  # The gradient is lowest at the word that is wanted.
answer = torch.stack([read, model.scores.grad[: len(read)].argmin(-1)])
"""


def _two_rows(rows: Array) -> str:
    read, wanted = (" ".join(map(str, row)) for row in rows)
    return f"reads {read}, must predict {wanted}"


@question(SPY, lesson="What the decoder *reads* is the target without its last token.")
def read_and_wanted(draw: Draw) -> Case:
    """At each position the decoder must predict the token that comes next."""
    words = draw.sizes(3, 3, 9)
    trg = np.array([[1, *words, 2]])
    whole, start, end = trg[0], trg[0, :-1], trg[0, 1:]
    return Case(
        f"A target is {', '.join(map(str, whole))}: 1 begins it, 2 ends it. What does the decoder "
        "read in a training step, and what must it predict?",
        {"trg": trg},
        np.stack([start, end]),
        {
            "no-shift": np.stack([whole, whole]),
            "shifted-backwards": np.stack([end, start]),
            "both-without-start": np.stack([end, end]),
            "both-without-end": np.stack([start, start]),
            "rolled": np.stack([whole, np.roll(whole, -1)]),
            "shifted-by-two": np.stack([start, [*whole[2:], 0]]),
        },
        _two_rows,
    )
