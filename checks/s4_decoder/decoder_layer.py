"""Checks for s4_decoder/decoder_layer.py."""

from typing import Any

import numpy as np

from checks import dropout, paper
from checks.machine.language import (
    SHARES,
    Array,
    Module,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_one_of,
    expect_sized,
)

HINTS = [
    "Draw the right half of figure 1. Which sublayer is new, and whence come its three inputs?",
    "The target asks and the source answers: which of the two gives the queries?",
    "trg_mask belongs to the target's look at itself, src_mask to its look at the source.",
    "attended = self.cross_attention(x, ____, encoder_output, src_mask)",
]
DIM_VECTOR, N_HEAD, DIM_HIDDEN = 6, 3, 11
BATCH_SIZE, TRG_LEN, SRC_LEN = 2, 4, 7
PLACE = (
    "In train mode the output of each of the three sublayers, and the middle of the feed-forward\n"
    "network, should be dropped with probability dropout, or else divided by 1 - dropout."
)


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
        return paper.decoder_layer(x, encoder_output, weights, N_HEAD, *masks)

    shapes = paper.decoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN)
    layer.draw(shapes, truth, *a_question(submission))
    return layer


def a_question(
    submission: Submission, trg_len: int = TRG_LEN, src_len: int = SRC_LEN
) -> list[Array]:
    """x and encoder_output, with two different lengths unless asked otherwise."""
    return [submission.normal(BATCH_SIZE, length, DIM_VECTOR) for length in (trg_len, src_len)]


def masks(submission: Submission, src_len: int = SRC_LEN) -> list[Array]:
    """A causal target mask with some keys hidden, and a source mask."""
    causal = np.tril(np.ones((TRG_LEN, TRG_LEN), bool))
    hidden = submission.mask(BATCH_SIZE, 1, 1, TRG_LEN)
    hidden[..., 0] = True
    return [causal & hidden, submission.mask(BATCH_SIZE, 1, 1, src_len)]


@check
def three_sublayers_with_their_norms(submission: Submission) -> None:
    """Self-attention, attention on the source, feed-forward: each with its own add and norm."""
    layer = a_layer(submission)
    for lengths in ((TRG_LEN, SRC_LEN), (1, 1)):
        x, encoder_output = a_question(submission, *lengths)
        if lengths == (1, 1):
            x, encoder_output = x[:1], encoder_output[:1]

        out = layer(x, encoder_output)

        expect(out, paper.decoder_layer(x, encoder_output, layer.weights, N_HEAD))


@check
def each_mask_has_its_place(submission: Submission) -> None:
    """trg_mask hides in the target's look at itself, src_mask in its look at the source."""
    layer = a_layer(submission)
    for src_len in (TRG_LEN, SRC_LEN):  # With equal lengths, swapped masks do not even crash.
        x, encoder_output = a_question(submission, src_len=src_len)
        trg_mask, src_mask = masks(submission, src_len)
        for pair in ((trg_mask, src_mask), (trg_mask, None), (None, src_mask)):
            out = layer(x, encoder_output, *pair)

            expect(out, paper.decoder_layer(x, encoder_output, layer.weights, N_HEAD, *pair))


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In training, dropout (0.1 unless asked) falls on what each attention brings, only there."""
    for kwargs, p in SHARES:
        for n, name in ((1, "self_attention"), (2, "cross_attention")):
            layer = a_layer(submission, **kwargs)
            layer.train()
            layer.assign(dropout.silent(layer.weights, but=f"{name}."))
            if n == 2:
                layer.assign(dropout.flat(layer.weights, "add_norm1"))
            weights, (x, encoder_output) = layer.weights, a_question(submission, 1, 1)

            out = layer(x, encoder_output)

            start = x if n == 1 else dropout.beta_of(weights, "add_norm1", BATCH_SIZE, 1)
            source = x if n == 1 else encoder_output
            brought = dropout.attention(source, paper.part(weights, name), N_HEAD, p)
            sums = paper.add_norm(start[..., None, :], brought, paper.part(weights, f"add_norm{n}"))
            truth = dropout.through_norms(sums, weights, dropout.NORMS[n:])
            expect_one_of(out, truth, PLACE)


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In training, dropout falls inside the feed-forward network and on what it brings."""
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
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x, the encoder's output and every weight."""
    layer = a_layer(submission, "float64")
    expect_gradients(layer, *a_question(submission), *masks(submission))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector, n_head and dim_hidden are arguments: other ones fit as well."""
    expect_sized(
        submission,
        "DecoderLayer",
        paper.decoder_layer_shapes(8, 5),
        lambda weights, x, source: paper.decoder_layer(x, source, weights, 4),
        submission.normal(2, 3, 8),
        submission.normal(2, 6, 8),
        dim_vector=8,
        n_head=4,
        dim_hidden=5,
    )


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its inputs stay; any device will do."""
    layer = a_layer(submission, dropout=0.5)
    expect_manners(layer, *a_question(submission), *masks(submission), drops=True)
