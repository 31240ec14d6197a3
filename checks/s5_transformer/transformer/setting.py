"""What the checks of s5_transformer/transformer.py build and ask."""

import math
from typing import Any

from checks.engine.language import (
    Array,
    Fail,
    Made,
    Module,
    Place,
    Received,
    Shapes,
    Submission,
    expect,
    expectation,
)
from checks.truth import models, paper

SIZES: dict[str, Any] = {
    "src_pad_idx": 4,
    "trg_pad_idx": 5,
    "encoder_vocab_size": 11,
    "decoder_vocab_size": 13,
    "dim_vector": 6,
    "n_head": 3,
    "max_len": 9,
    "dim_hidden": 10,
}


SRC_PAD, TRG_PAD, DIM_VECTOR, N_HEAD = 4, 5, 6, 3


BATCH_SIZE, SRC_LEN, TRG_LEN = 2, 5, 7


PADDING_ROWS = {  # Their gradient may be zero or not.
    f"{side}.embedding.token_embedding.embedding.weight": pad
    for side, pad in (("encoder", SRC_PAD), ("decoder", TRG_PAD))
}


def a_model(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    model = submission.build("Transformer", dtype=dtype, **SIZES, num_layer=num_layer, **kwargs)

    def truth(weights: paper.Weights, src: Array, trg: Array) -> Array:
        return models.transformer(src, trg, weights, N_HEAD, num_layer, SRC_PAD, TRG_PAD)

    shapes = models.transformer_shapes(11, 13, DIM_VECTOR, 10, num_layer)
    model.open_rows |= PADDING_ROWS
    tables = padded_tables(submission, shapes)
    model.draw(shapes, truth, *sentences(submission, pads=False), **tables)
    return model


def padded_tables(
    submission: Submission, shapes: paper.Shapes, scale: float = 1.0
) -> dict[str, Array]:
    """Both tables of a Transformer as `Module.draw` takes them, with zeros for padding."""
    tables = {}
    for role, pad in PADDING_ROWS.items():
        table = submission.normal(*shapes[role], scale=scale)
        table[pad] = 0
        tables[role.replace(".", "__")] = table
    return tables


def sentences(
    submission: Submission, src_len: int = SRC_LEN, trg_len: int = TRG_LEN, pads: bool = True
) -> list[Array]:
    """src and trg; with padding at the end of one sentence and inside another."""
    src = submission.tokens(11, BATCH_SIZE, src_len)
    trg = submission.tokens(13, BATCH_SIZE, trg_len)
    src[src == SRC_PAD], trg[trg == TRG_PAD] = TRG_PAD, SRC_PAD  # The other's padding is a word.
    if pads:
        src[0, -2:], src[1, 1] = SRC_PAD, SRC_PAD
        trg[0, 2], trg[1, -1] = TRG_PAD, TRG_PAD
    return [src, trg]


def expect_logits(got: Place, model: Module, src: Array, trg: Array, pad: int = TRG_PAD) -> None:
    assert model.truth is not None
    expect(got, model.truth(model.weights, src, trg), only=trg != pad)


@expectation
def expect_count(logits: Received, made: Made, needed: Shapes) -> None:
    """Fail unless there are as many numbers to learn as these shapes have."""
    counts = [sum(map(math.prod, shapes)) for shapes in (needed.values(), made.sizes)]
    if counts[0] != counts[1]:
        rule = f"It has {counts[1]} numbers to learn, expected {counts[0]}."
        rule += " Is a part missing, or shared?" if counts[1] < counts[0] else ""
        raise Fail("params", logits.say(rule), shows="one-object-twice" if made.shares else None)


@expectation
def expect_plain(kept: Received, pad: int) -> None:
    if kept.plain != pad:
        was = kept.plain if kept.plain is not None else kept.describe()
        raise Fail("values", kept.say(f"is {was}, expected {pad}."))
