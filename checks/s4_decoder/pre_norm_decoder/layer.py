"""Checks for PreNormDecoderLayer, in s4_decoder/pre_norm_decoder.py."""

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
    "PreNormDecoderLayer", pre_norm.decoder_layer, pre_norm.decoder_layer_shapes, 4, 7
)
MANY = 40  # Sentences that show how entries are dropped.
IN_LAYER = dropped("to each sublayer's output and inside the feed-forward network")


@check
def each_sublayer_reads_a_norm_and_x_is_added(submission: Submission) -> None:
    """In a layer, each of the three sublayers reads its own norm of x. Its output is added to the x
    before the norm.
    """
    LAYER.expect_formula(submission)


@check
def each_mask_has_its_place(submission: Submission) -> None:
    """In a layer, the self-attention uses trg_mask, and the cross-attention uses src_mask."""
    LAYER.expect_every_mask(submission)


@check
def gradients_flow_through_a_layer(submission: Submission) -> None:
    """In a layer, the gradient reaches x, the encoder's output and every weight."""
    LAYER.expect_gradients(submission)


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In a layer in train mode, dropout (default 0.1) is applied to each attention's output, not to
    x.
    """
    for kwargs, p in SHARES:
        for norm, name in (("norm1", "self_attention"), ("norm2", "cross_attention")):
            layer = LAYER.build(submission, **kwargs)
            layer.train()
            layer.assign(dropout.silent(layer.weights, but=f"{name}."))
            weights, (x, encoder_output) = (
                layer.weights,
                LAYER.inputs(submission, 2, 2, batch_size=MANY),
            )

            out = layer(x, encoder_output)

            own = paper.layer_norm(x, paper.part(weights, norm))
            source = own if name == "self_attention" else encoder_output
            brought = dropout.attention(own, source, paper.part(weights, name), N_HEAD, p)
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
        weights, (x, encoder_output) = layer.weights, LAYER.inputs(submission)

        out = layer(x, encoder_output)

        normed = paper.layer_norm(x, paper.part(weights, "norm3"))
        truth = x[..., None, :] + dropout.feed_forward(normed, weights, p)
        drops = dropout.all_drops(DIM_VECTOR, p)
        drawn = expect_one_of(out, truth, IN_LAYER, drops)
        if kwargs:
            expect_independent(out, drawn)


@check
def a_layer_works_at_large_sizes(submission: Submission) -> None:
    """One layer works at large sizes: hundreds of tokens in target or source, or of features in the
    middle.
    """
    LAYER.expect_large_sizes(submission)
