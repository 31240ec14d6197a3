"""Checks for s4_decoder/decoder_layer.py."""

from typing import Any

import numpy as np

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
BATCH_SIZE, TRG_LEN, SRC_LEN = 2, 4, 7
PLACE = dropped("to each sublayer's output and inside the feed-forward network")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "DecoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, x: Array, encoder_output: Array, *masks: Array) -> Array:
        return models.decoder_layer(x, encoder_output, weights, N_HEAD, *masks)

    shapes = models.decoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN)
    layer.draw(shapes, truth, *a_question(submission))
    return layer


def a_question(
    submission: Submission, trg_len: int = TRG_LEN, src_len: int = SRC_LEN
) -> list[Array]:
    """x and encoder_output, with two different lengths by default."""
    return [submission.normal(BATCH_SIZE, length, DIM_VECTOR) for length in (trg_len, src_len)]


def masks(submission: Submission, src_len: int = SRC_LEN, whole: int | None = None) -> list[Array]:
    """A causal target mask with some keys masked, and a source mask. `whole`: a sentence in which
    no key is masked.
    """
    causal = np.tril(np.ones((TRG_LEN, TRG_LEN), bool))
    mask = causal & submission.mask(BATCH_SIZE, 1, 1, TRG_LEN, whole=whole)
    queries = np.arange(TRG_LEN)
    mask[..., queries, queries] = True  # A row that sees nothing has no right value.
    return [mask, submission.mask(BATCH_SIZE, 1, 1, src_len, whole=whole)]


@check
def three_sublayers_with_their_norms(submission: Submission) -> None:
    """Self-attention, cross-attention, feed-forward: each with its own add and norm."""
    layer = a_layer(submission)
    for lengths in ((TRG_LEN, SRC_LEN), (1, SRC_LEN), (1, 1)):
        x, encoder_output = a_question(submission, *lengths)
        if lengths == (1, 1):
            x, encoder_output = x[:1], encoder_output[:1]

        out = layer(x, encoder_output)

        expect(out, models.decoder_layer(x, encoder_output, layer.weights, N_HEAD))
    out = layer(x, x)  # The same tensor in both places.

    expect(out, models.decoder_layer(x, x, layer.weights, N_HEAD))


@check
def each_mask_has_its_place(submission: Submission) -> None:
    """The self-attention uses trg_mask, and the cross-attention uses src_mask."""
    layer = a_layer(submission)
    # With equal lengths, swapped masks do not even crash.
    for src_len, whole in ((TRG_LEN, None), (SRC_LEN, None), (SRC_LEN, 0), (SRC_LEN, 1)):
        x, encoder_output = a_question(submission, src_len=src_len)
        trg_mask, src_mask = masks(submission, src_len, whole)
        asked = [(x, (trg_mask, src_mask)), (x, (trg_mask, None)), (x, (None, src_mask))]
        asked += [(x[:, :1], (None, src_mask))]  # One token, as decoding begins.
        for x, pair in asked:
            out = layer(x, encoder_output, *pair)

            expect(out, models.decoder_layer(x, encoder_output, layer.weights, N_HEAD, *pair))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x, the encoder's output and every weight."""
    layer = trains(a_layer(submission, "float64", dropout=0.0))
    expect_gradients(layer, *a_question(submission), *masks(submission))


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.1) is applied to each attention's output, not to x."""
    for kwargs, p in SHARES:
        for n, name in ((1, "self_attention"), (2, "cross_attention")):
            layer = a_layer(submission, **kwargs)
            layer.train()
            layer.assign(dropout.silent(layer.weights, but=f"{name}."))
            if n == 2:
                layer.assign(dropout.flat(layer.weights, "add_norm1"))
            weights, (x, encoder_output) = layer.weights, a_question(submission, 2, 2)

            out = layer(x, encoder_output)

            start = x if n == 1 else dropout.beta_of(weights, "add_norm1", BATCH_SIZE, 2)
            source = x if n == 1 else encoder_output
            brought = dropout.attention(start, source, paper.part(weights, name), N_HEAD, p)
            sums = paper.add_norm(start[..., None, :], brought, paper.part(weights, f"add_norm{n}"))
            truth = dropout.through_norms(sums, weights, dropout.NORMS[n:])
            expect_one_of(out, truth, PLACE)


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout is applied once inside the feed-forward network and once to its
    output.
    """
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        layer.assign(dropout.wide_awake(layer.weights) | dropout.flat(layer.weights, "add_norm2"))
        weights, (x, encoder_output) = layer.weights, a_question(submission)

        out = layer(x, encoder_output)

        beta = dropout.beta_of(weights, "add_norm2", BATCH_SIZE, TRG_LEN)
        brought = dropout.feed_forward(beta, weights, p)
        truth = paper.add_norm(beta[..., None, :], brought, paper.part(weights, "add_norm3"))
        expect_one_of(out, truth, PLACE)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector, n_head and dim_hidden are arguments: other values work too."""
    expect_sized(
        submission,
        "DecoderLayer",
        models.decoder_layer_shapes(8, 5),
        lambda weights, x, source: models.decoder_layer(x, source, weights, 4),
        submission.normal(2, 3, 8),
        submission.normal(2, 6, 8),
        dim_vector=8,
        n_head=4,
        dim_hidden=5,
    )


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens in the target or the source, or of features inside
    the feed-forward network.
    """
    for trg_len, src_len, dim_hidden in ((600, 3, 5), (3, 600, 5), (3, 2, 600)):
        expect_sized(
            submission,
            "DecoderLayer",
            models.decoder_layer_shapes(4, dim_hidden),
            lambda weights, x, source, *masks: models.decoder_layer(x, source, weights, 2, *masks),
            submission.normal(1, trg_len, 4),
            submission.normal(1, src_len, 4),
            np.tril(np.ones((trg_len, trg_len), bool)),
            submission.mask(1, 1, 1, src_len),
            dim_vector=4,
            n_head=2,
            dim_hidden=dim_hidden,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode different ones; the inputs are not
    changed; it works on any device.
    """
    layer = a_layer(submission, dropout=0.5)
    expect_manners(layer, *a_question(submission), *masks(submission), drops=True)
