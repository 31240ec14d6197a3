"""Checks for PreNormEncoderLayer, in s3_encoder/pre_norm_encoder.py."""

from checks.engine.language import (
    SHARES,
    Submission,
    check,
    dropped,
    expect_independent,
    expect_one_of,
)
from checks.scenes import dropout
from checks.scenes.blocks import DIM_VECTOR, N_HEAD, PreNormLayer
from checks.truth import paper, pre_norm

LAYER = PreNormLayer(
    "PreNormEncoderLayer", pre_norm.encoder_layer, pre_norm.encoder_layer_shapes, 5
)
MANY = 40  # Sentences that show how entries are dropped.
IN_LAYER = dropped("to each sublayer's output and inside the feed-forward network")


@check
def each_sublayer_reads_a_norm_and_x_is_added(submission: Submission) -> None:
    """In a layer, each sublayer reads its own norm of x. Its output is added to the x before the
    norm.
    """
    LAYER.expect_formula(submission)


@check
def the_mask_reaches_the_attention(submission: Submission) -> None:
    """In a layer, no token attends to a key that src_mask hides."""
    LAYER.expect_every_mask(submission)


@check
def gradients_flow_through_a_layer(submission: Submission) -> None:
    """In a layer, the gradient reaches every weight, and x through the residual connections and the
    norms.
    """
    LAYER.expect_gradients(submission)


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In a layer in train mode, dropout (default 0.1) is applied to the attention's output, not to
    x.
    """
    for kwargs, p in SHARES:
        layer = LAYER.build(submission, **kwargs)
        layer.train()
        layer.assign(dropout.silent(layer.weights, but="self_attention."))
        weights, (x,) = layer.weights, LAYER.inputs(submission, 2, batch_size=MANY)

        out = layer(x)

        source = paper.layer_norm(x, paper.part(weights, "norm1"))
        brought = dropout.attention(
            source, source, paper.part(weights, "self_attention"), N_HEAD, p
        )
        drops = dropout.all_drops(DIM_VECTOR, p)
        drawn = expect_one_of(out, x[..., None, :] + brought, IN_LAYER, drops)
        if kwargs:
            expect_independent(out, drawn)


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In a layer in train mode, dropout is applied once inside the feed-forward network and once to
    its output.
    """
    for kwargs, p in SHARES:
        layer = LAYER.build(submission, **kwargs)
        layer.train()
        awake = dropout.wide_awake(layer.weights)
        quiet = dropout.silent(awake, but="feed_forward.")
        layer.assign(awake | quiet)
        weights, (x,) = layer.weights, LAYER.inputs(submission)

        out = layer(x)

        normed = paper.layer_norm(x, paper.part(weights, "norm2"))
        truth = x[..., None, :] + dropout.feed_forward(normed, weights, p)
        drops = dropout.all_drops(DIM_VECTOR, p)
        drawn = expect_one_of(out, truth, IN_LAYER, drops)
        if kwargs:
            expect_independent(out, drawn)


@check
def a_layer_works_at_large_sizes(submission: Submission) -> None:
    """One layer works at large sizes: hundreds of tokens, or of features in the middle."""
    LAYER.expect_large_sizes(submission)
