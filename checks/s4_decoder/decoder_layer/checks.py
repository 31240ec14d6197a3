"""Checks for s4_decoder/decoder_layer.py."""

from checks.engine.language import SHARES, Submission, check, dropped, expect_one_of
from checks.scenes import dropout
from checks.scenes.blocks import N_HEAD, Layer
from checks.truth import models, paper

LAYER = Layer("DecoderLayer", models.decoder_layer, models.decoder_layer_shapes, 4, 7)
PLACE = dropped("to each sublayer's output and inside the feed-forward network")


@check
def three_sublayers_with_their_norms(submission: Submission) -> None:
    """Self-attention, cross-attention, feed-forward: each with its own add and norm."""
    LAYER.expect_formula(submission)


@check
def each_mask_has_its_place(submission: Submission) -> None:
    """The self-attention uses trg_mask, and the cross-attention uses src_mask."""
    LAYER.expect_every_mask(submission)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x, the encoder's output and every weight."""
    LAYER.expect_gradients(submission)


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.1) is applied to each attention's output, not to x."""
    for kwargs, p in SHARES:
        for n, name in ((1, "self_attention"), (2, "cross_attention")):
            layer = LAYER.build(submission, **kwargs)
            layer.train()
            layer.assign(dropout.silent(layer.weights, but=f"{name}."))
            if n == 2:
                layer.assign(dropout.flat(layer.weights, "add_norm1"))
            weights, (x, encoder_output) = layer.weights, LAYER.inputs(submission, 2, 2)

            out = layer(x, encoder_output)

            start = x if n == 1 else dropout.beta_of(weights, "add_norm1", *x.shape[:2])
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
        layer = LAYER.build(submission, **kwargs)
        layer.train()
        layer.assign(dropout.wide_awake(layer.weights) | dropout.flat(layer.weights, "add_norm2"))
        weights, (x, encoder_output) = layer.weights, LAYER.inputs(submission)

        out = layer(x, encoder_output)

        beta = dropout.beta_of(weights, "add_norm2", *x.shape[:2])
        brought = dropout.feed_forward(beta, weights, p)
        truth = paper.add_norm(beta[..., None, :], brought, paper.part(weights, "add_norm3"))
        expect_one_of(out, truth, PLACE)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector, n_head and dim_hidden are arguments: other values work too."""
    LAYER.expect_sizes(submission)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens in the target or the source, or of features inside
    the feed-forward network.
    """
    LAYER.expect_large_sizes(submission)


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode different ones; the inputs are not
    changed; it works on any device.
    """
    LAYER.expect_manners(submission)
