"""Checks for s3_encoder/encoder.py."""

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
    expect_manners,
    expect_one_of,
    expect_sized,
    raises,
    trains,
)
from checks.scenes import dropout
from checks.truth import models, paper

VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9
BATCH_SIZE, SRC_LEN = 2, 5
PLACE = dropped("to the embedding and in every layer")


def a_stack(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    encoder = submission.build(
        "Encoder",
        vocab_size=VOCAB_SIZE,
        dim_vector=DIM_VECTOR,
        max_len=MAX_LEN,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        num_layer=num_layer,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, src: Array, *mask: Array) -> Array:
        return models.encoder(src, weights, N_HEAD, num_layer, *mask)

    shapes = models.encoder_shapes(VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer)
    words = submission.tokens(VOCAB_SIZE, BATCH_SIZE, SRC_LEN, low=1)  # 0 may be padding.
    encoder.draw(shapes, truth, words)
    return encoder


def tokens(submission: Submission) -> Array:
    return submission.tokens(VOCAB_SIZE, BATCH_SIZE, SRC_LEN)


def every_word_visible(submission: Submission) -> tuple[Array, Array]:
    """Tokens with a mask that hides some of them; every word also stands where it is visible."""
    src = submission.tokens(VOCAB_SIZE, BATCH_SIZE, MAX_LEN)
    mask = np.ones((BATCH_SIZE, 1, 1, MAX_LEN), dtype=bool)
    mask[0, ..., :2], mask[1, ..., -2:] = False, False
    visible = mask[:, 0, 0]
    src[visible] = np.resize(submission.rng.permutation(VOCAB_SIZE), visible.sum())
    return src, mask


@check
def layers_follow_one_another(submission: Submission) -> None:
    """The embedding, then num_layer layers, each with its own weights, and nothing after them. It
    also works without layers.
    """
    for num_layer in (3, 1, 0):
        encoder = a_stack(submission, num_layer, "float64", dropout=0.5)
        whole = tokens(submission)
        for src in [whole, whole[:, :1], whole[:1, :1]] if num_layer == 3 else [whole]:
            out = encoder(src)

            expect(out, models.encoder(src, encoder.weights, N_HEAD, num_layer))

        encoder.assign({role: encoder.drawn(role, w.shape) for role, w in encoder.weights.items()})
        out = encoder(whole)  # With other weights: nothing may be kept.

        expect(out, models.encoder(whole, encoder.weights, N_HEAD, num_layer))


@check
def every_layer_gets_the_mask(submission: Submission) -> None:
    """Every layer hides the words that src_mask hides."""
    encoder = a_stack(submission, 3, "float64")
    src = tokens(submission)
    for dtype, whole in (("bool", None), ("int64", 0), ("bool", 1)):
        mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN, whole=whole)

        out = encoder(src, mask.astype(dtype))

        truth = models.encoder(src, encoder.weights, N_HEAD, 3, mask)
        expect(out, truth, only=mask[:, 0, 0] != 0)  # The values at padding are open.


@check
def padding_idx_changes_no_real_token(submission: Submission) -> None:
    """With padding_idx, real tokens get the formula's values, with and without a padding mask."""
    encoder = a_stack(submission, dtype="float64", padding_idx=0)
    table = np.array(encoder.weights["embedding.token_embedding.embedding.weight"])
    table[0] = 0
    encoder.assign({"embedding.token_embedding.embedding.weight": table})
    words = submission.rng.permutation(np.arange(1, VOCAB_SIZE))  # Every real token.
    src = np.insert(words, [3, 7], 0).reshape(BATCH_SIZE, 7)
    for mask in ([models.src_mask(src, 0)], []):
        out = encoder(src, *mask)

        expect(out, models.encoder(src, encoder.weights, N_HEAD, 2, *mask), only=src != 0)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every row of the table and every weight of every layer."""
    encoder = a_stack(submission, 3, "float64", dropout=0.0)
    src, mask = every_word_visible(submission)
    expect_gradients(trains(encoder), src, mask, only=mask[:, 0, 0])


@check
def dropout_reaches_the_embedding(submission: Submission) -> None:
    """In train mode, dropout is applied once to the embedding, with the given probability (default
    0.1).
    """
    for kwargs, p in SHARES:
        encoder = a_stack(submission, **kwargs)
        encoder.train()
        encoder.assign(dropout.few_words(encoder.weights))
        weights, src = encoder.weights, tokens(submission)[:, :2]

        out = encoder(src)

        expect_one_of(out, dropout.embedding(src, weights, p), PLACE)


@check
def dropout_reaches_every_layer(submission: Submission) -> None:
    """In train mode, every layer applies dropout with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        encoder = a_stack(submission, **kwargs)
        encoder.train()
        drawn = encoder.weights
        for n in (0, 1):
            quiet = dropout.only_bias(drawn, f"layers.{n}.feed_forward.linear2")
            quiet |= dropout.flat(drawn, f"layers.{n}.add_norm1")
            encoder.assign(drawn | quiet)
            weights, src = encoder.weights, tokens(submission)

            out = encoder(src)

            truth = dropout.layer(src, weights, n, ("add_norm1", "add_norm2"), p)
            expect_one_of(out, truth, PLACE)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A source of max_len tokens works; one more token raises the ValueError of step 1.2."""
    encoder = a_stack(submission, 1, dropout=0.5)
    src = submission.tokens(VOCAB_SIZE, 2, MAX_LEN + 1)

    out = encoder(src[:, :MAX_LEN])

    expect(out, models.encoder(src[:, :MAX_LEN], encoder.weights, N_HEAD, 1))
    with raises(ValueError, MAX_LEN + 1, MAX_LEN):
        encoder(src)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size is an argument: vocab_size, dim_vector, max_len, n_head, dim_hidden."""
    expect_sized(
        submission,
        "Encoder",
        models.encoder_shapes(17, 8, 5, 1),
        lambda weights, src: models.encoder(src, weights, 4, 1),
        submission.tokens(17, 2, 12),
        vocab_size=17,
        dim_vector=8,
        max_len=12,
        n_head=4,
        dim_hidden=5,
        num_layer=1,
    )


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens and words, 13 layers, fewer words than features."""
    for vocab_size, max_len, num_layer in ((600, 600, 1), (3, 4, 5), (3, 4, 13)):
        mask = submission.mask(1, 1, 1, max_len)

        def truth(weights: paper.Weights, *args: Array, num_layer: int = num_layer) -> Array:
            return models.encoder(args[0], weights, 2, num_layer, args[1])

        expect_sized(
            submission,
            "Encoder",
            models.encoder_shapes(vocab_size, 4, 5, num_layer),
            truth,
            submission.tokens(vocab_size, 1, max_len),
            mask,
            only=mask[:, 0, 0],
            vocab_size=vocab_size,
            dim_vector=4,
            max_len=max_len,
            n_head=2,
            dim_hidden=5,
            num_layer=num_layer,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the inputs are not
    changed; it works on any device.
    """
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    expect_manners(a_stack(submission, 1, dropout=0.5), tokens(submission), mask, drops=True)
