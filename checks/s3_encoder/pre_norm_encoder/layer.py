"""Checks for PreNormEncoderLayer, in s3_encoder/pre_norm_encoder.py."""

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
    expect_independent,
    expect_one_of,
    expect_sized,
    trains,
)
from checks.scenes import dropout
from checks.truth import paper, pre_norm

VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9


BATCH_SIZE, SRC_LEN = 2, 5


MANY = 40  # Sentences that show how entries are dropped.


IN_LAYER = dropped("to each sublayer's output and inside the feed-forward network")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "PreNormEncoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, x: Array, *mask: Array) -> Array:
        return pre_norm.encoder_layer(x, weights, N_HEAD, *mask)

    layer.draw(pre_norm.encoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN), truth, vectors(submission))
    return layer


def vectors(submission: Submission, src_len: int = SRC_LEN, batch_size: int = BATCH_SIZE) -> Array:
    """Vectors larger than normalised ones, which shows where the norms are."""
    return 3 * submission.normal(batch_size, src_len, DIM_VECTOR) + 1


@check
def each_sublayer_reads_a_norm_and_x_is_added(submission: Submission) -> None:
    """In a layer, each sublayer reads its own norm of x. Its output is added to the x before the
    norm.
    """
    layer = a_layer(submission)
    one_token = vectors(submission, src_len=1)
    for x in (vectors(submission), one_token, one_token[:1]):
        out = layer(x)

        expect(out, pre_norm.encoder_layer(x, layer.weights, N_HEAD))


@check
def the_mask_reaches_the_attention(submission: Submission) -> None:
    """In a layer, no token attends to a key that src_mask hides."""
    layer = a_layer(submission)
    x = vectors(submission)
    for shape in ((BATCH_SIZE, 1, 1, SRC_LEN), (BATCH_SIZE, 1, SRC_LEN, SRC_LEN)):
        mask = submission.mask(*shape)

        out = layer(x, mask)

        expect(out, pre_norm.encoder_layer(x, layer.weights, N_HEAD, mask))

    out = layer(x)  # Those masks must leave nothing behind.

    expect(out, pre_norm.encoder_layer(x, layer.weights, N_HEAD))


@check
def gradients_flow_through_a_layer(submission: Submission) -> None:
    """In a layer, the gradient reaches every weight, and x through the residual connections and the
    norms.
    """
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    layer = trains(a_layer(submission, "float64", dropout=0.0))

    expect_gradients(layer, vectors(submission), mask)


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In a layer in train mode, dropout (default 0.1) is applied to the attention's output, not to
    x.
    """
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        layer.assign(dropout.silent(layer.weights, but="self_attention."))
        weights, x = layer.weights, vectors(submission, src_len=2, batch_size=MANY)

        out = layer(x)

        source = paper.layer_norm(x, paper.part(weights, "norm1"))
        brought = dropout.attention(
            source, source, paper.part(weights, "self_attention"), N_HEAD, p
        )
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
        weights, x = layer.weights, vectors(submission)

        out = layer(x)

        normed = paper.layer_norm(x, paper.part(weights, "norm2"))
        truth = x[..., None, :] + dropout.feed_forward(normed, weights, p)
        found = expect_one_of(out, truth, IN_LAYER)
        if kwargs:
            drops = dropout.all_drops(DIM_VECTOR, p)
            expect_independent(out, drops[found % len(drops)])


@check
def a_layer_works_at_large_sizes(submission: Submission) -> None:
    """One layer works at large sizes: hundreds of tokens, or of features in the middle."""
    for src_len, dim_vector, dim_hidden in ((600, 4, 5), (3, 4, 600)):
        expect_sized(
            submission,
            "PreNormEncoderLayer",
            pre_norm.encoder_layer_shapes(dim_vector, dim_hidden),
            lambda weights, x, mask: pre_norm.encoder_layer(x, weights, 2, mask),
            submission.normal(1, src_len, dim_vector),
            submission.mask(1, 1, 1, src_len),
            dim_vector=dim_vector,
            n_head=2,
            dim_hidden=dim_hidden,
        )
