"""Checks for s3_encoder/encoder_layer.py."""

from typing import Any

from checks.engine.language import (
    SHARES,
    Array,
    Module,
    Submission,
    check,
    dropped,
    expect,
    expect_gradients,
    expect_manners,
    expect_one_of,
    expect_sized,
    trains,
)
from checks.scenes import dropout
from checks.truth import models, paper

DIM_VECTOR, N_HEAD, DIM_HIDDEN = 6, 3, 11
BATCH_SIZE, SRC_LEN = 2, 5
PLACE = dropped("to each sublayer's output and inside the feed-forward network")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "EncoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, x: Array, *mask: Array) -> Array:
        return models.encoder_layer(x, weights, N_HEAD, *mask)

    layer.draw(models.encoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN), truth, an_input(submission))
    return layer


def an_input(submission: Submission, src_len: int = SRC_LEN) -> Array:
    return submission.normal(BATCH_SIZE, src_len, DIM_VECTOR)


@check
def two_sublayers_with_their_norms(submission: Submission) -> None:
    """Self-attention, add and norm, feed-forward, add and norm: each with its own weights."""
    layer = a_layer(submission)
    one_token = an_input(submission, src_len=1)
    for x in (an_input(submission), one_token, one_token[:1]):
        out = layer(x)

        expect(out, models.encoder_layer(x, layer.weights, N_HEAD))


@check
def the_mask_reaches_the_attention(submission: Submission) -> None:
    """No token attends to a key that src_mask hides."""
    layer = a_layer(submission)
    x = an_input(submission)
    one_row, rows = (BATCH_SIZE, 1, 1, SRC_LEN), (BATCH_SIZE, 1, SRC_LEN, SRC_LEN)
    for shape, whole in ((one_row, None), (rows, None), (one_row, 0), (one_row, 1)):
        mask = submission.mask(*shape, whole=whole)

        out = layer(x, mask)

        expect(out, models.encoder_layer(x, layer.weights, N_HEAD, mask))

        out = layer(x, mask.astype("int64"))  # The same in zeros and ones.

        expect(out, models.encoder_layer(x, layer.weights, N_HEAD, mask))

    out = layer(x)  # Those masks must leave nothing behind.

    expect(out, models.encoder_layer(x, layer.weights, N_HEAD))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and every weight of both sublayers and both norms."""
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    layer = trains(a_layer(submission, "float64", dropout=0.0))

    expect_gradients(layer, an_input(submission), mask)
    expect_gradients(layer, an_input(submission))


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.1) is applied to the attention's output, not to x."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        layer.assign(dropout.silent(layer.weights, but="self_attention."))
        weights, x = layer.weights, an_input(submission, src_len=2)

        out = layer(x)

        brought = dropout.attention(x, x, paper.part(weights, "self_attention"), N_HEAD, p)
        sums = paper.add_norm(x[..., None, :], brought, paper.part(weights, "add_norm1"))
        expect_one_of(out, dropout.through_norms(sums, weights, ("add_norm2",)), PLACE)


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout is applied once inside the feed-forward network and once to its
    output.
    """
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        layer.assign(dropout.wide_awake(layer.weights) | dropout.flat(layer.weights, "add_norm1"))
        weights, x = layer.weights, an_input(submission)

        out = layer(x)

        beta = dropout.beta_of(weights, "add_norm1", BATCH_SIZE, SRC_LEN)
        brought = dropout.feed_forward(beta, weights, p)
        truth = paper.add_norm(beta[..., None, :], brought, paper.part(weights, "add_norm2"))
        expect_one_of(out, truth, PLACE)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector, n_head and dim_hidden are arguments: other values work too."""
    expect_sized(
        submission,
        "EncoderLayer",
        models.encoder_layer_shapes(8, 5),
        lambda weights, x: models.encoder_layer(x, weights, 4),
        submission.normal(2, 3, 8),
        dim_vector=8,
        n_head=4,
        dim_hidden=5,
    )


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens, or of features inside the feed-forward network."""
    for src_len, dim_vector, dim_hidden in ((600, 4, 5), (3, 4, 600)):
        expect_sized(
            submission,
            "EncoderLayer",
            models.encoder_layer_shapes(dim_vector, dim_hidden),
            lambda weights, x, mask: models.encoder_layer(x, weights, 2, mask),
            submission.normal(1, src_len, dim_vector),
            submission.mask(1, 1, 1, src_len),
            dim_vector=dim_vector,
            n_head=2,
            dim_hidden=dim_hidden,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the inputs are not
    changed; it works on any device.
    """
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    expect_manners(a_layer(submission, dropout=0.5), an_input(submission), mask, drops=True)
