"""Checks for s3_encoder/encoder_layer.py."""

from typing import Any

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
    "Draw the left half of figure 1: which two sublayers are there, and what follows each?",
    "In self-attention one tensor plays three parts. Which one, and where does the mask go?",
    "What does the second shortcut carry: the input of the layer, or what came out of add_norm1?",
    "x = self.add_norm1(x, self.self_attention(____, src_mask))",
]
DIM_VECTOR, N_HEAD, DIM_HIDDEN = 6, 3, 11
BATCH_SIZE, SRC_LEN = 2, 5
PLACE = (
    "In train mode each sublayer's output, and the middle of the feed-forward network, should\n"
    "be dropped with probability dropout, or else divided by 1 - dropout. Something else came."
)


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
        return paper.encoder_layer(x, weights, N_HEAD, *mask)

    layer.draw(paper.encoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN), truth, an_input(submission))
    return layer


def an_input(submission: Submission, src_len: int = SRC_LEN) -> Array:
    return submission.normal(BATCH_SIZE, src_len, DIM_VECTOR)


@check
def two_sublayers_with_their_norms(submission: Submission) -> None:
    """Self-attention, add and norm, feed-forward, add and norm: each with its own weights."""
    layer = a_layer(submission)
    for x in (an_input(submission), an_input(submission, src_len=1)[:1]):
        out = layer(x)

        expect(out, paper.encoder_layer(x, layer.weights, N_HEAD))


@check
def the_mask_reaches_the_attention(submission: Submission) -> None:
    """What src_mask hides, no token looks at."""
    layer = a_layer(submission)
    x = an_input(submission)
    for shape in ((BATCH_SIZE, 1, 1, SRC_LEN), (BATCH_SIZE, 1, SRC_LEN, SRC_LEN)):
        mask = submission.mask(*shape)

        out = layer(x, mask)

        expect(out, paper.encoder_layer(x, layer.weights, N_HEAD, mask))


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In training, dropout (0.1 unless asked) falls on what the attention brings, not on x."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        layer.assign(dropout.silent(layer.weights, but="self_attention."))
        weights, x = layer.weights, an_input(submission, src_len=1)

        out = layer(x)

        brought = dropout.attention(x, paper.part(weights, "self_attention"), N_HEAD, p)
        sums = paper.add_norm(x[..., None, :], brought, paper.part(weights, "add_norm1"))
        expect_one_of(out, dropout.through_norms(sums, weights, ("add_norm2",)), PLACE)


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In training, dropout falls inside the feed-forward network and on what it brings."""
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
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and every weight of both sublayers and both norms."""
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    expect_gradients(a_layer(submission, "float64"), an_input(submission), mask)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector, n_head and dim_hidden are arguments: other ones fit as well."""
    expect_sized(
        submission,
        "EncoderLayer",
        paper.encoder_layer_shapes(8, 5),
        lambda weights, x: paper.encoder_layer(x, weights, 4),
        submission.normal(2, 3, 8),
        dim_vector=8,
        n_head=4,
        dim_hidden=5,
    )


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its inputs stay; any device will do."""
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    expect_manners(a_layer(submission, dropout=0.5), an_input(submission), mask, drops=True)
