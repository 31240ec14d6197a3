"""Checks for s4_decoder/decoder_layer.py."""

import numpy as np

from checks import paper
from checks.machine.language import (
    Array,
    Module,
    Submission,
    all_drops,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_one_of,
)
from checks.s3_encoder.encoder_layer import flat, silent

HINTS = [
    "Draw the right half of figure 1. Which sublayer is new, and where do its three inputs come from?",
    "The target asks and the source answers: which of the two gives the queries?",
    "trg_mask belongs to the target's look at itself, src_mask to its look at the source.",
    "attended = self.cross_attention(x, ____, encoder_output, src_mask)",
]
DIM_VECTOR, N_HEAD, DIM_HIDDEN = 6, 3, 11
BATCH_SIZE, TRG_LEN, SRC_LEN = 2, 4, 7
P = 0.2
PLACE = (
    "In train mode the output of each of the three sublayers, and the middle of the feed-forward\n"
    "network, should be dropped with probability dropout, or else divided by 1 - dropout."
)


def a_layer(submission: Submission, dtype: str = "float32", dropout: float = 0.5) -> Module:
    layer = submission.build(
        "DecoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dropout=dropout,
        dtype=dtype,
    )

    def truth(weights: paper.Weights, x: Array, encoder_output: Array, *masks: Array) -> Array:
        return paper.decoder_layer(x, encoder_output, weights, N_HEAD, *masks)

    shapes = paper.decoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN)
    layer.draw(shapes, truth, *a_question(submission))
    return layer


def a_question(submission: Submission, src_len: int = SRC_LEN) -> list[Array]:
    """x and encoder_output, with two different lengths unless asked otherwise."""
    return [submission.normal(BATCH_SIZE, length, DIM_VECTOR) for length in (TRG_LEN, src_len)]


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
    x, encoder_output = a_question(submission)

    out = layer(x, encoder_output)

    expect(out, paper.decoder_layer(x, encoder_output, layer.weights, N_HEAD))


@check
def each_mask_has_its_place(submission: Submission) -> None:
    """trg_mask hides in the target's look at itself, src_mask in its look at the source."""
    layer = a_layer(submission)
    for src_len in (SRC_LEN, TRG_LEN):  # With equal lengths, swapped masks would not even crash.
        x, encoder_output = a_question(submission, src_len)
        trg_mask, src_mask = masks(submission, src_len)
        for pair in ((trg_mask, src_mask), (trg_mask, None), (None, src_mask)):
            out = layer(x, encoder_output, *pair)

            expect(out, paper.decoder_layer(x, encoder_output, layer.weights, N_HEAD, *pair))


@check
def sublayers_are_dropped_in_training(submission: Submission) -> None:
    """In training, the dropout that was asked for falls on the output of all three sublayers."""
    layer = a_layer(submission, dropout=P)
    layer.train()
    drawn, (x, encoder_output) = layer.weights, a_question(submission)
    drops = all_drops(DIM_VECTOR, P)
    norms = [paper.part(drawn, f"add_norm{n}") for n in (1, 2, 3)]
    ends = ["self_attention.linear.bias", "cross_attention.linear.bias", "feed_forward.linear2.bias"]
    for n, end in enumerate(ends):
        earlier = flat(f"add_norm{n}") if n else {}
        layer.assign({**drawn, **silent(drawn, but=end), **earlier})

        out = layer(x, encoder_output)

        start = x if n == 0 else np.zeros_like(x) + norms[n - 1]["layer_norm.beta"]
        sums = paper.add_norm(start[..., None, :], drawn[end] * drops, norms[n])
        for norm in norms[n + 1 :]:
            sums = paper.add_norm(sums, np.zeros_like(sums), norm)
        expect_one_of(out, sums, PLACE)


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In training, the dropout that was asked for also falls inside the feed-forward network."""
    layer = a_layer(submission, dropout=P)
    layer.train()
    drawn = layer.weights
    bias = np.where(np.arange(DIM_HIDDEN) < 4, 1 + np.abs(drawn["feed_forward.linear1.bias"]), -1)
    layer.assign(
        {
            "feed_forward.linear1.weight": np.zeros((DIM_HIDDEN, DIM_VECTOR)),
            "feed_forward.linear1.bias": bias,
            **flat("add_norm2"),
        }
    )

    out = layer(*a_question(submission))

    hidden = np.zeros((2**4, DIM_HIDDEN))
    hidden[:, :4] = bias[:4] * all_drops(4, P)
    widened = paper.linear(hidden, paper.part(layer.weights, "feed_forward.linear2"))
    dropped = (widened[:, None] * all_drops(DIM_VECTOR, P)).reshape(-1, DIM_VECTOR)
    beta = drawn["add_norm2.layer_norm.beta"] + np.zeros((BATCH_SIZE, TRG_LEN, 1, DIM_VECTOR))
    truth = paper.add_norm(beta, dropped, paper.part(layer.weights, "add_norm3"))
    expect_one_of(out, truth, PLACE)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x, the encoder's output and every weight."""
    layer = a_layer(submission, "float64")
    expect_gradients(layer, *a_question(submission), *masks(submission))


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its inputs stay; any device will do."""
    expect_manners(a_layer(submission), *a_question(submission), *masks(submission))
