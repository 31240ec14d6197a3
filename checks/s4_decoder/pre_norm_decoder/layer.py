"""Checks for PreNormDecoderLayer, in s4_decoder/pre_norm_decoder.py."""

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
    expect_independent,
    expect_one_of,
    expect_sized,
    trains,
)
from checks.scenes import dropout
from checks.truth import paper, pre_norm

VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9


BATCH_SIZE, TRG_LEN, SRC_LEN = 2, 4, 7


MANY = 40  # Sentences that show how entries are dropped.


IN_LAYER = dropped("to each sublayer's output and inside the feed-forward network")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "PreNormDecoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, x: Array, encoder_output: Array, *masks: Array) -> Array:
        return pre_norm.decoder_layer(x, encoder_output, weights, N_HEAD, *masks)

    shapes = pre_norm.decoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN)
    layer.draw(shapes, truth, *vectors(submission))
    return layer


def vectors(
    submission: Submission,
    trg_len: int = TRG_LEN,
    src_len: int = SRC_LEN,
    batch_size: int = BATCH_SIZE,
) -> tuple[Array, Array]:
    """x and encoder_output, larger than normalised ones, which shows where the norms are."""
    x, source = (submission.normal(batch_size, n, DIM_VECTOR) for n in (trg_len, src_len))
    return 3 * x + 1, 2 * source - 1


def a_question(submission: Submission) -> list[Array]:
    """trg and encoder_output."""
    trg = submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN)
    return [trg, vectors(submission)[1]]


def masks(submission: Submission, trg_len: int = TRG_LEN, src_len: int = SRC_LEN) -> list[Array]:
    """A causal target mask with some keys masked, and a source mask."""
    causal = np.tril(np.ones((trg_len, trg_len), bool))
    hidden = submission.mask(BATCH_SIZE, 1, 1, trg_len)
    hidden[..., 0] = True
    return [causal & hidden, submission.mask(BATCH_SIZE, 1, 1, src_len)]


@check
def each_sublayer_reads_a_norm_and_x_is_added(submission: Submission) -> None:
    """In a layer, each of the three sublayers reads its own norm of x. Its output is added to the x
    before the norm.
    """
    layer = a_layer(submission)
    for lengths in ((TRG_LEN, SRC_LEN), (1, SRC_LEN), (1, 1)):
        x, encoder_output = vectors(submission, *lengths)
        if lengths == (1, 1):
            x, encoder_output = x[:1], encoder_output[:1]

        out = layer(x, encoder_output)

        expect(out, pre_norm.decoder_layer(x, encoder_output, layer.weights, N_HEAD))


@check
def each_mask_has_its_place(submission: Submission) -> None:
    """In a layer, the self-attention uses trg_mask, and the cross-attention uses src_mask."""
    layer = a_layer(submission)
    for src_len in (TRG_LEN, SRC_LEN):  # With equal lengths, swapped masks do not even crash.
        x, encoder_output = vectors(submission, src_len=src_len)
        trg_mask, src_mask = masks(submission, src_len=src_len)
        asked = [(x, (trg_mask, src_mask)), (x, (trg_mask, None)), (x, (None, src_mask))]
        asked += [(x[:, :1], (None, src_mask))]  # One token, as decoding begins.
        for x, pair in asked:
            out = layer(x, encoder_output, *pair)

            truth = pre_norm.decoder_layer(x, encoder_output, layer.weights, N_HEAD, *pair)
            expect(out, truth)


@check
def gradients_flow_through_a_layer(submission: Submission) -> None:
    """In a layer, the gradient reaches x, the encoder's output and every weight."""
    layer = trains(a_layer(submission, "float64", dropout=0.0))
    expect_gradients(layer, *vectors(submission), *masks(submission))


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In a layer in train mode, dropout (default 0.1) is applied to each attention's output, not to
    x.
    """
    for kwargs, p in SHARES:
        for norm, name in (("norm1", "self_attention"), ("norm2", "cross_attention")):
            layer = a_layer(submission, **kwargs)
            layer.train()
            layer.assign(dropout.silent(layer.weights, but=f"{name}."))
            weights, (x, encoder_output) = layer.weights, vectors(submission, 2, 2, MANY)

            out = layer(x, encoder_output)

            own = paper.layer_norm(x, paper.part(weights, norm))
            source = own if name == "self_attention" else encoder_output
            brought = dropout.attention(own, source, paper.part(weights, name), N_HEAD, p)
            found = expect_one_of(out, x[..., None, :] + brought, IN_LAYER)
            if kwargs:
                drops = dropout.all_drops(DIM_VECTOR, p)
                expect_independent(out, drops[found % len(drops)])


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In a layer in train mode, dropout is applied once inside the feed-forward network and once to
    its output.
    """
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        awake = dropout.wide_awake(layer.weights)
        quiet = dropout.silent(awake, but="feed_forward.")
        layer.assign(awake | quiet)
        weights, (x, encoder_output) = layer.weights, vectors(submission)

        out = layer(x, encoder_output)

        normed = paper.layer_norm(x, paper.part(weights, "norm3"))
        truth = x[..., None, :] + dropout.feed_forward(normed, weights, p)
        found = expect_one_of(out, truth, IN_LAYER)
        if kwargs:
            drops = dropout.all_drops(DIM_VECTOR, p)
            expect_independent(out, drops[found % len(drops)])


@check
def a_layer_works_at_large_sizes(submission: Submission) -> None:
    """One layer works at large sizes: hundreds of tokens in target or source, or of features in the
    middle.
    """
    for trg_len, src_len, dim_hidden in ((600, 3, 5), (3, 600, 5), (3, 2, 600)):
        expect_sized(
            submission,
            "PreNormDecoderLayer",
            pre_norm.decoder_layer_shapes(4, dim_hidden),
            lambda weights, x, source, *masks: pre_norm.decoder_layer(
                x, source, weights, 2, *masks
            ),
            submission.normal(1, trg_len, 4),
            submission.normal(1, src_len, 4),
            np.tril(np.ones((trg_len, trg_len), bool)),
            submission.mask(1, 1, 1, src_len),
            dim_vector=4,
            n_head=2,
            dim_hidden=dim_hidden,
        )
