"""Checks for s3_encoder/pre_norm_encoder.py."""

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
    expect_kept,
    expect_manners,
    expect_one_of,
    expect_sized,
    raises,
    trains,
)
from checks.s3_encoder.encoder.checks import every_word_visible
from checks.s3_encoder.pre_norm_encoder import layer
from checks.s3_encoder.pre_norm_encoder.layer import (
    BATCH_SIZE,
    DIM_HIDDEN,
    DIM_VECTOR,
    MANY,
    MAX_LEN,
    N_HEAD,
    SRC_LEN,
    VOCAB_SIZE,
    a_layer,
    vectors,
)
from checks.scenes import dropout
from checks.truth import models, paper, pre_norm

PARTS = [layer]
IN_STACK = dropped("to the embedding and in every layer")


def a_stack(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    encoder = submission.build(
        "PreNormEncoder",
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
        return pre_norm.encoder(src, weights, N_HEAD, num_layer, *mask)

    shapes = pre_norm.encoder_shapes(VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer)
    words = submission.tokens(VOCAB_SIZE, BATCH_SIZE, SRC_LEN, low=1)  # 0 may be padding.
    encoder.draw(shapes, truth, words)
    return encoder


def tokens(submission: Submission) -> Array:
    return submission.tokens(VOCAB_SIZE, BATCH_SIZE, SRC_LEN)


@check
def layers_follow_one_another_and_a_norm_closes(submission: Submission) -> None:
    """The embedding, num_layer layers with weights of their own, and one norm after the last."""
    for num_layer in (3, 1):
        encoder = a_stack(submission, num_layer, "float64", dropout=0.5)
        whole = tokens(submission)
        for src in [whole, whole[:, :1], whole[:1, :1]] if num_layer == 3 else [whole]:
            out = encoder(src)

            expect(out, pre_norm.encoder(src, encoder.weights, N_HEAD, num_layer))


@check
def the_closing_norm_has_its_eps(submission: Submission) -> None:
    """The closing norm has eps 1e-5, as in step 2.3: this shows if its input is small."""
    encoder = a_stack(submission, 1, "float64", dropout=0.0)
    encoder.assign(dropout.small_sums(encoder.weights, MAX_LEN))
    src = np.arange(MAX_LEN)[None]

    out = encoder(src)

    expect(out, pre_norm.encoder(src, encoder.weights, N_HEAD, 1))


@check
def every_layer_gets_the_mask(submission: Submission) -> None:
    """Every layer hides the words that src_mask hides."""
    encoder = a_stack(submission, 3, "float64")
    src, mask = tokens(submission), submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)

    out = encoder(src, mask)

    truth = pre_norm.encoder(src, encoder.weights, N_HEAD, 3, mask)
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

        expect(out, pre_norm.encoder(src, encoder.weights, N_HEAD, 2, *mask), only=src != 0)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every row of the table, every layer and the closing norm."""
    encoder = a_stack(submission, 3, "float64", dropout=0.0)
    src, mask = every_word_visible(submission)
    expect_gradients(trains(encoder), src, mask, only=mask[:, 0, 0])


@check
def dropout_reaches_the_embedding_and_every_layer(submission: Submission) -> None:
    """In train mode, every part applies dropout once, with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        encoder = a_stack(submission, **kwargs)
        encoder.train()
        drawn = encoder.weights
        closing = paper.part(drawn, "norm")
        for simple, outcomes in (
            (dropout.few_words(drawn), dropout.embedding),
            (dropout.last_network(drawn), dropout.unclosed),
        ):
            encoder.assign(drawn | simple)
            src = tokens(submission)[:, :2]

            out = encoder(src)

            expect_one_of(
                out, paper.layer_norm(outcomes(src, drawn | simple, p), closing), IN_STACK
            )


@check
def the_closing_norm_reads_the_sums(submission: Submission) -> None:
    """In train mode, nothing more is dropped between the last layer and the closing norm."""
    encoder = a_stack(submission, dropout=0.5)
    encoder.train()
    encoder.assign(encoder.weights | dropout.big_words(encoder.weights))

    out = encoder(submission.tokens(VOCAB_SIZE, MANY, MAX_LEN))

    expect_kept(out, (MANY, MAX_LEN, DIM_VECTOR))


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A source of max_len tokens works; one more token raises the ValueError of step 1.2."""
    encoder = a_stack(submission, 1, dropout=0.5)
    src = submission.tokens(VOCAB_SIZE, 2, MAX_LEN + 1)

    out = encoder(src[:, :MAX_LEN])

    expect(out, pre_norm.encoder(src[:, :MAX_LEN], encoder.weights, N_HEAD, 1))
    with raises(ValueError, MAX_LEN + 1, MAX_LEN):
        encoder(src)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size of the layer and of the stack is an argument: other values work too."""
    expect_sized(
        submission,
        "PreNormEncoderLayer",
        pre_norm.encoder_layer_shapes(8, 5),
        lambda weights, x: pre_norm.encoder_layer(x, weights, 4),
        submission.normal(2, 3, 8),
        dim_vector=8,
        n_head=4,
        dim_hidden=5,
    )
    expect_sized(
        submission,
        "PreNormEncoder",
        pre_norm.encoder_shapes(17, 8, 5, 1),
        lambda weights, src: pre_norm.encoder(src, weights, 4, 1),
        submission.tokens(17, 2, 12),
        vocab_size=17,
        dim_vector=8,
        max_len=12,
        n_head=4,
        dim_hidden=5,
        num_layer=1,
    )


@check
def a_stack_works_at_large_sizes(submission: Submission) -> None:
    """The stack works at large sizes: hundreds of tokens and words, 13 layers, few words."""
    for vocab_size, max_len, num_layer in ((600, 600, 1), (3, 4, 13)):
        mask = submission.mask(1, 1, 1, max_len)

        def truth(weights: paper.Weights, *args: Array, num_layer: int = num_layer) -> Array:
            return pre_norm.encoder(args[0], weights, 2, num_layer, args[1])

        expect_sized(
            submission,
            "PreNormEncoder",
            pre_norm.encoder_shapes(vocab_size, 4, 5, num_layer),
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
    expect_manners(a_layer(submission, dropout=0.5), vectors(submission), mask, drops=True)
    expect_manners(a_stack(submission, 1, dropout=0.5), tokens(submission), mask, drops=True)
