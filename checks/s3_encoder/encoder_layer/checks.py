"""Checks for s3_encoder/encoder_layer.py."""

from checks.engine.language import SHARES, Submission, check, dropped, expect_one_of
from checks.scenes import dropout
from checks.scenes.blocks import N_HEAD, Layer
from checks.truth import models, paper

LAYER = Layer("EncoderLayer", models.encoder_layer, models.encoder_layer_shapes, 5)
PLACE = dropped("to each sublayer's output and inside the feed-forward network")


@check
def two_sublayers_with_their_norms(submission: Submission) -> None:
    """Self-attention, add and norm, feed-forward, add and norm: each with its own weights."""
    LAYER.expect_formula(submission)


@check
def the_mask_reaches_the_attention(submission: Submission) -> None:
    """No token attends to a key that src_mask hides."""
    LAYER.expect_every_mask(submission)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and every weight of both sublayers and both norms."""
    LAYER.expect_gradients(submission)


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.1) is applied to the attention's output, not to x."""
    for kwargs, p in SHARES:
        layer = LAYER.build(submission, **kwargs)
        layer.train()
        layer.assign(dropout.silent(layer.weights, but="self_attention."))
        weights, (x,) = layer.weights, LAYER.inputs(submission, 2)

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
        layer = LAYER.build(submission, **kwargs)
        layer.train()
        layer.assign(dropout.wide_awake(layer.weights) | dropout.flat(layer.weights, "add_norm1"))
        weights, (x,) = layer.weights, LAYER.inputs(submission)

        out = layer(x)

        beta = dropout.beta_of(weights, "add_norm1", *x.shape[:2])
        brought = dropout.feed_forward(beta, weights, p)
        truth = paper.add_norm(beta[..., None, :], brought, paper.part(weights, "add_norm2"))
        expect_one_of(out, truth, PLACE)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector, n_head and dim_hidden are arguments: other values work too."""
    LAYER.expect_sizes(submission)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens, or of features inside the feed-forward network."""
    LAYER.expect_large_sizes(submission)


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the inputs are not
    changed; it works on any device.
    """
    LAYER.expect_manners(submission)
