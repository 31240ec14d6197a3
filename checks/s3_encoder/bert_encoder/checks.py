"""Checks for s3_encoder/bert_encoder.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Function,
    Module,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_sized,
    trains,
)
from checks.s3_encoder.bert_encoder import truth
from checks.truth.paper import Weights

VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN, NUM_SEGMENT = 13, 6, 3, 11, 9, 4
BATCH_SIZE, LENGTH = 3, 5
TINY = 1e-4  # Of vectors so short that eps decides about the result.


def an_encoder(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    kwargs.setdefault("num_segment", NUM_SEGMENT)
    encoder = submission.build(
        "BertEncoder",
        vocab_size=VOCAB_SIZE,
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        num_layer=num_layer,
        max_len=MAX_LEN,
        dtype=dtype,
        **kwargs,
    )
    eps = kwargs.get("eps", truth.BERT_EPS)

    def right(
        weights: Weights, tokens: Array, segments: Array | None = None, mask: Array | None = None
    ) -> Array:
        return truth.bert_encoder(tokens, weights, N_HEAD, num_layer, segments, mask, eps)

    shapes = truth.bert_encoder_shapes(
        VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer, MAX_LEN, kwargs["num_segment"]
    )
    encoder.draw(shapes, right, *inputs(submission)[:2])
    encoder.open_rows["token_embedding.weight"] = 0  # It may be the row of padding.
    return encoder


def inputs(submission: Submission, length: int = LENGTH) -> tuple[Array, Array, Array]:
    """Tokens, segments, and a mask that hides some tokens of every sentence."""
    return (
        submission.tokens(VOCAB_SIZE, BATCH_SIZE, length, low=1),
        submission.tokens(NUM_SEGMENT, BATCH_SIZE, length),
        submission.mask(BATCH_SIZE, length),
    )


def expect_right(encoder: Module, *args: Any, only: Array | None = None) -> None:
    """Fail unless the encoder gives the values of the formula."""
    assert encoder.truth is not None
    expect(encoder(*args), encoder.truth(encoder.weights, *args), only=only)


@check
def three_tables_are_added_and_normalised(submission: Submission) -> None:
    """A row of each of the three tables for each token, and their sum is normalised."""
    encoder = an_encoder(submission, 0, "float64")
    tokens, segments, _ = inputs(submission)

    expect_right(encoder, tokens, segments)


@check
def layers_follow_one_another(submission: Submission) -> None:
    """After the embedding come num_layer layers of step 3.1, each with its own weights."""
    for num_layer in (3, 1):
        encoder = an_encoder(submission, num_layer, "float64")
        tokens, segments, _ = inputs(submission)

        expect_right(encoder, tokens, segments)
    expect_right(an_encoder(submission), tokens[:1, :1], segments[:1, :1])


@check
def without_segments_all_are_in_segment_0(submission: Submission) -> None:
    """Without segments, every token is in segment 0, and row 0 of that table is added."""
    encoder = an_encoder(submission)
    tokens, segments, mask = inputs(submission)
    encoder(tokens, segments)  # Nothing of this call may be left.

    expect_right(encoder, tokens)
    expect_right(encoder, tokens, None, mask, only=mask)


@check
def every_layer_gets_the_mask(submission: Submission) -> None:
    """Every layer hides the tokens where the mask is 0 or False, wherever they stand."""
    encoder = an_encoder(submission, 3, "float64")
    for length in (LENGTH, BATCH_SIZE):  # The mask fits (length, length), too.
        tokens, segments, mask = inputs(submission, length)
        for dtype in ("bool", "int64"):
            given = mask.astype(dtype)

            expect_right(encoder, tokens, segments, given, only=mask)  # At padding all is open.


@check
def the_gelu_is_the_exact_one(submission: Submission) -> None:
    """The feed-forward network has the exact GELU where it had its ReLU."""
    encoder = an_encoder(submission, 1, "float64")
    name = "layers.0.feed_forward.linear2.weight"
    encoder.assign({name: 20 * encoder.weights[name]})  # Small differences become large ones.

    expect_right(encoder, *inputs(submission)[:2])


@check
def every_norm_has_this_eps(submission: Submission) -> None:
    """eps (1e-12 by default) is that of all norms: of the sum, and of both in each layer."""
    for kwargs, size in (({"eps": 0.3}, 1.0), ({}, TINY)):
        encoder = an_encoder(submission, 2, "float64", **kwargs)
        last = "layers.1.add_norm2.layer_norm."
        small = {r: size * w for r, w in encoder.weights.items() if not r.startswith(last)}
        encoder.assign(small)

        expect_right(encoder, *inputs(submission)[:2])


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches all three tables, the norm and every weight of every layer."""
    encoder = trains(an_encoder(submission, 2, "float64"))
    tokens, segments, mask = inputs(submission, MAX_LEN)
    tokens[mask] = np.resize(submission.rng.permutation(np.arange(1, VOCAB_SIZE)), mask.sum())
    segments[mask] = np.resize(np.arange(NUM_SEGMENT), mask.sum())

    expect_gradients(encoder, tokens, segments, mask, only=mask)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """max_len tokens fit. One more raises a ValueError that names both lengths."""
    encoder = an_encoder(submission, 1)
    tokens = submission.tokens(MAX_LEN, 2, MAX_LEN + 1)  # No id is one of the two lengths.

    expect_right(encoder, tokens[:, :MAX_LEN])
    with submission.raises(ValueError, MAX_LEN + 1, MAX_LEN):
        encoder(tokens)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size is an argument, small or large; there are two segments by default."""
    for vocab_size, dim_vector, n_head, dim_hidden, num_layer, max_len, length in (
        (17, 8, 4, 5, 1, 12, 12),
        (600, 4, 2, 5, 1, 620, 600),
        (3, 4, 2, 600, 1, 5, 4),
        (7, 4, 2, 5, 13, 6, 6),
    ):

        def right(
            weights: Weights, *args: Array, n_head: int = n_head, num_layer: int = num_layer
        ) -> Array:
            return truth.bert_encoder(args[0], weights, n_head, num_layer, args[1])

        expect_sized(
            submission,
            "BertEncoder",
            truth.bert_encoder_shapes(vocab_size, dim_vector, dim_hidden, num_layer, max_len),
            right,
            submission.tokens(vocab_size, 2, length),
            submission.tokens(2, 2, length),
            vocab_size=vocab_size,
            dim_vector=dim_vector,
            n_head=n_head,
            dim_hidden=dim_hidden,
            num_layer=num_layer,
            max_len=max_len,
        )


@check
def the_encoder_has_manners(submission: Submission) -> None:
    """Train mode changes nothing; two calls give the same result; the inputs are not changed; it
    works on any device.
    """
    expect_manners(an_encoder(submission, 1), *inputs(submission))
    expect_manners(an_encoder(submission, 1), inputs(submission)[0])  # Tokens alone.


def vectors_of(submission: Submission, dtype: str = "float32") -> Function:
    def right(weights: Weights, out: Array, mask: Array) -> Array:
        return truth.sentence_vectors(out, mask)

    return submission.function("sentence_vectors", right, dtype)


def read(submission: Submission, length: int = LENGTH) -> tuple[Array, Array]:
    """What an encoder may give, with large numbers at padding, and the mask."""
    mask = submission.mask(BATCH_SIZE, length)
    out = 1 + submission.normal(BATCH_SIZE, length, DIM_VECTOR)
    return np.where(mask[..., None], out, 10 * out), mask


@check
def a_sentence_is_the_mean_of_its_real_tokens(submission: Submission) -> None:
    """A sentence's vector has norm 1 and the direction of the mean over its real tokens."""
    function = vectors_of(submission)
    for length in (LENGTH, BATCH_SIZE, DIM_VECTOR, 600):
        out, mask = read(submission, length)
        for dtype in ("bool", "int64"):
            expect(function(out, mask.astype(dtype)), truth.sentence_vectors(out, mask))


@check
def one_token_is_enough(submission: Submission) -> None:
    """A sentence of one real token has the direction of that token, in a batch of one as well."""
    function, mask = vectors_of(submission), np.eye(LENGTH, dtype=bool)[:BATCH_SIZE]
    out = 1 + submission.normal(BATCH_SIZE, LENGTH, DIM_VECTOR)

    expect(function(out, mask), truth.sentence_vectors(out, mask))
    expect(function(1e-5 * out, mask), truth.sentence_vectors(out, mask))  # It has length 1, too.
    expect(function(out[:1, :1], mask[:1, :1]), truth.sentence_vectors(out[:1, :1], mask[:1, :1]))


@check
def gradients_reach_the_tokens(submission: Submission) -> None:
    """The gradient goes back from the sentence's vector to its real tokens."""
    expect_gradients(vectors_of(submission, "float64"), *read(submission))


@check
def sentence_vectors_have_manners(submission: Submission) -> None:
    """Two calls give the same result; the inputs are not changed; it works on any device."""
    expect_manners(vectors_of(submission), *read(submission))
