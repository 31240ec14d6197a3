"""Questions about s5_transformer/classifier.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, among, differ, question, which
from checks.truth.models import classifier, classifier_shapes, encoder
from checks.truth.paper import linear, part

MODEL = "model = load(TextClassifier(10, {}, 4, 2, 9, 6, {}), weights)\n"


@question(
    "model = TextClassifier(vocab_size, num_class, dim_vector, 2, 20, 6, 1)\n"
    "answer = tuple(model(tokens).shape)",
    lesson="A classifier needs *one* vector for each text, long or short.",
    typed=True,
)
def shape_of_the_scores(draw: Draw) -> Case:
    """Every text gets one score for each class."""
    batch_size, seq_length, num_class = draw.sizes(3)
    vocab_size, dim_vector = draw.one(20, 30), draw.one(8, 12)
    tokens = np.ones((batch_size, seq_length), int)
    weights = draw.weights(classifier_shapes(vocab_size, num_class, dim_vector, 6, 1))
    return Case(
        f"{batch_size} texts of {seq_length} tokens, {num_class} classes. dim_vector is "
        f"{dim_vector}, vocab_size is {vocab_size}. Which shape do the scores have?",
        dict(tokens=tokens, vocab_size=vocab_size, num_class=num_class, dim_vector=dim_vector),
        classifier(tokens, weights, 2, 1, 0).shape,
        {
            "no-mean": (batch_size, seq_length, num_class),
            "mean-over-batch": (seq_length, num_class),
            "one-score-for-two": (batch_size, num_class - 1),
        },
    )


@question(
    "model = load(TextClassifier(10, 1, 1, 1, 9, 6, 0), weights)\nanswer = model(tokens)[0, 0]",
    lesson="mean[b] = sum of x[b, j] over all j with a real token / how many there are",
)
def the_mean(draw: Draw) -> Case:
    """Padding is left out of the sum and of the count."""
    waves = np.sin(np.arange(4))
    values = draw.random.permutation(np.arange(1.0, 9) * 2)[:3]
    tokens = np.array([[1, 2, 0, 0]])
    table = np.zeros((10, 1))
    table[1, 0], table[2, 0] = values[:2] - waves[:2]
    weights = {
        "encoder.embedding.token_embedding.embedding.weight": table,
        "linear.weight": np.ones((1, 1)),
        "linear.bias": np.zeros(1),
    }
    x = np.array([*values[:2], *(waves[2:])])
    return Case(
        f"dim_vector is 1. The encoder makes {x[0]:g} and {x[1]:g} of the two words of a text, and "
        f"{x[2]:.2f} and {x[3]:.2f} of its two paddings. What is the mean that is scored?",
        {"tokens": tokens, "weights": weights},
        float(classifier(tokens, weights, 1, 0, 0)[0, 0]),
        {
            "mean-over-all": x.mean(),
            "divided-by-length": x[:2].sum() / 4,
            "padding-summed": x.sum() / 2,
            "sum": x[:2].sum(),
            "first-token": x[0],
            "last-token": x[3],
            "maximum": x[:2].max(),
            "fill-inverted": x[2:].sum() / 2,
        },
    )


@question(
    MODEL.format(3, 1) + "def of(tokens):\n    return model(tokens)[1]\n"
    "answer = differ(of, (tokens,), *((other,) for other in others))",
    lesson="If both are done, a text gets the same scores alone and in a batch with a longer text.",
)
def what_has_an_effect(draw: Draw) -> Case:
    """The words and their places count, but padding behind them and other texts do not."""
    a, b, c, d = draw.sizes(4, 1, 9)
    tokens, text = np.array([[d, d, 0], [a, b, c]]), [a, b, c]
    others = [
        np.array(rows)
        for rows in (
            [[d, d, 0], [a, c, b]],
            [[d, d, 0, 0], [*text, 0]],
            [[0, d, d, 0], [0, *text]],
            [[d, 0, 0], text],
        )
    ]
    weights = draw.weights(classifier_shapes(10, 3, 4, 6, 1))

    def effects(hidden: bool = True, of_first: bool = False, num_layer: int = 1) -> Array:
        def of(tokens: Array) -> Array:
            real = tokens != 0
            mask = real[:, None, None] if hidden else None
            x = encoder(tokens, part(weights, "encoder"), 2, num_layer, mask)
            counts = real[:1] if of_first else real
            mean = (x * real[..., None]).sum(1) / counts.sum(1, keepdims=True)
            return linear(mean, part(weights, "linear"))[1]

        return differ(of, (tokens,), *((other,) for other in others))

    return Case(
        f"A batch has two texts, and 0 is padding. The second text is [{a}, {b}, {c}]. What "
        f"changes its scores?\n  swap: {b} and {c} change places\n  behind: a padding behind it\n"
        "  front: a padding in front of it\n  other: the first text becomes shorter",
        {"tokens": tokens, "others": others, "weights": weights},
        differ(lambda t: classifier(t, weights, 2, 1, 0)[1], (tokens,), *((o,) for o in others)),
        {
            "no-mask": effects(hidden=False),
            "embedding-only": effects(num_layer=0),
            "count-of-first": effects(of_first=True),
        },
        among("swap", "behind", "front", "other"),
    )


@question(
    MODEL.format(3, 1) + "def of(x):\n"
    "    model.encoder.forward = lambda tokens, mask=None: x\n    return model(tokens)\n"
    "answer = reached(of, x)[0].any(-1)[0]",
    lesson="The second is the mean: otherwise padding vectors are averaged with the words.",
)
def vectors_with_a_gradient(draw: Draw) -> Case:
    """Only vectors of real tokens are in the mean, so only they get a gradient from it."""
    real = draw.one(2, 3)
    tokens = draw.random.integers(1, 9, (1, 5))
    tokens[0, real:] = 0
    x, weights = draw.normal(1, 5, 4), draw.weights(classifier_shapes(10, 3, 4, 6, 1))
    place = np.arange(5)
    return Case(
        f"The text is [{', '.join(map(str, tokens[0]))}], and 0 is padding. To which of the "
        "vectors that the encoder returns does a gradient go back?",
        {"tokens": tokens, "x": x, "weights": weights},
        place < real,
        {
            "mean-over-all": place < 5,
            "first-token": place == 0,
            "last-token": place == 4,
            "last-real-token": place == real - 1,
            "fill-inverted": place >= real,
        },
        which("vector"),
    )
