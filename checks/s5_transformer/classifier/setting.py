"""What the checks of s5_transformer/classifier.py build and ask."""

from typing import Any

from checks.engine.language import (
    Array,
    Module,
    Submission,
    expect,
)
from checks.truth import models, paper

SIZES: dict[str, Any] = {
    "vocab_size": 11,
    "num_class": 4,
    "dim_vector": 6,
    "n_head": 3,
    "max_len": 9,
    "dim_hidden": 10,
}


PAD, N_HEAD, BATCH_SIZE, LENGTH = 5, 3, 3, 7


TABLE = "encoder.embedding.token_embedding.embedding.weight"


def a_classifier(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    kwargs.setdefault("pad_idx", PAD)
    pad = kwargs["pad_idx"]
    model = submission.build("TextClassifier", dtype=dtype, **SIZES, num_layer=num_layer, **kwargs)

    def truth(weights: paper.Weights, tokens: Array) -> Array:
        return models.classifier(tokens, weights, N_HEAD, num_layer, pad)

    shapes = models.classifier_shapes(11, 4, 6, 10, num_layer)
    table = submission.normal(*shapes[TABLE])
    table[pad] = 0
    model.open_rows[TABLE] = pad
    model.draw(
        shapes,
        truth,
        texts(submission, pad=pad, padded=False),
        **{TABLE.replace(".", "__"): table},
    )
    return model


def texts(
    submission: Submission, length: int = LENGTH, pad: int = PAD, padded: bool = True
) -> Array:
    """Token ids; with padding at the end of one text, at the start of another, inside a third."""
    tokens = submission.tokens(11, BATCH_SIZE, length)
    tokens[tokens == pad] = pad + 1
    if padded:
        tokens[0, -3:], tokens[1, :2], tokens[2, 1] = pad, pad, pad
    return tokens


def expect_scores(model: Module, tokens: Array) -> None:
    assert model.truth is not None
    expect(model(tokens), model.truth(model.weights, tokens))
