"""Checks for s3_encoder/pre_norm_encoder.py."""

import numpy as np

from checks.engine.language import (
    SHARES,
    Submission,
    check,
    dropped,
    expect,
    expect_kept,
    expect_one_of,
)
from checks.s3_encoder.pre_norm_encoder import layer
from checks.s3_encoder.pre_norm_encoder.layer import LAYER, MANY
from checks.scenes import dropout
from checks.scenes.blocks import DIM_VECTOR, N_HEAD
from checks.scenes.stacks import MAX_LEN, VOCAB_SIZE, Stack
from checks.truth import paper, pre_norm

PARTS = [layer]
IN_STACK = dropped("to the embedding and in every layer")
STACK = Stack("PreNormEncoder", pre_norm.encoder, pre_norm.encoder_shapes, 5)


@check
def layers_follow_one_another_and_a_norm_closes(submission: Submission) -> None:
    """The embedding, num_layer layers with weights of their own, and one norm after the last. It
    also works without layers.
    """
    STACK.expect_formula(submission, 3, 1, 0)


@check
def the_closing_norm_has_its_eps(submission: Submission) -> None:
    """The closing norm has eps 1e-5, as in step 2.3: this shows if its input is small."""
    encoder = STACK.build(submission, 1, "float64", dropout=0.0)
    encoder.assign(dropout.small_sums(encoder.weights, MAX_LEN))
    src = np.arange(MAX_LEN)[None]

    out = encoder(src)

    expect(out, pre_norm.encoder(src, encoder.weights, N_HEAD, 1))


@check
def every_layer_gets_the_mask(submission: Submission) -> None:
    """Every layer hides the words that src_mask hides."""
    STACK.expect_every_mask(submission)


@check
def padding_idx_changes_no_real_token(submission: Submission) -> None:
    """With padding_idx, real tokens get the formula's values, with and without a padding mask."""
    STACK.expect_padding_idx(submission)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every row of the table, every layer and the closing norm."""
    STACK.expect_gradients(submission)


@check
def dropout_reaches_the_embedding_and_every_layer(submission: Submission) -> None:
    """In train mode, every part applies dropout once, with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        encoder = STACK.build(submission, **kwargs)
        encoder.train()
        drawn = encoder.weights
        closing = paper.part(drawn, "norm")
        for simple, outcomes in (
            (dropout.few_words(drawn), dropout.embedding),
            (dropout.last_network(drawn), dropout.unclosed),
        ):
            encoder.assign(drawn | simple)
            src = STACK.tokens(submission)[:, :2]

            out = encoder(src)

            expect_one_of(
                out, paper.layer_norm(outcomes(src, drawn | simple, p), closing), IN_STACK
            )


@check
def the_closing_norm_reads_the_sums(submission: Submission) -> None:
    """In train mode, nothing more is dropped between the last layer and the closing norm."""
    encoder = STACK.build(submission, dropout=0.5)
    encoder.train()
    encoder.assign(encoder.weights | dropout.big_words(encoder.weights))

    out = encoder(submission.tokens(VOCAB_SIZE, MANY, MAX_LEN))

    expect_kept(out, (MANY, MAX_LEN, DIM_VECTOR))


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A source of max_len tokens works; one more token raises the ValueError of step 1.2."""
    STACK.expect_limit(submission)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size of the layer and of the stack is an argument: other values work too."""
    LAYER.expect_sizes(submission)
    STACK.expect_sizes(submission)


@check
def a_stack_works_at_large_sizes(submission: Submission) -> None:
    """The stack works at large sizes: hundreds of tokens and words, 13 layers, few words."""
    STACK.expect_large_sizes(submission)


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the inputs are not
    changed; it works on any device.
    """
    LAYER.expect_manners(submission)
    STACK.expect_manners(submission)
