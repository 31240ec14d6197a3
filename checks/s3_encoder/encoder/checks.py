"""Checks for s3_encoder/encoder.py."""

from checks.engine.language import SHARES, Submission, check, dropped, expect_one_of
from checks.scenes import dropout
from checks.scenes.stacks import Stack
from checks.truth import models

PLACE = dropped("to the embedding and in every layer")
STACK = Stack("Encoder", models.encoder, models.encoder_shapes, 5)


@check
def layers_follow_one_another(submission: Submission) -> None:
    """The embedding, then num_layer layers, each with its own weights, and nothing after them. It
    also works without layers.
    """
    STACK.expect_formula(submission, 3, 1, 0)


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
    """The gradient reaches every row of the table and every weight of every layer."""
    STACK.expect_gradients(submission)


@check
def dropout_reaches_the_embedding(submission: Submission) -> None:
    """In train mode, dropout is applied once to the embedding, with the given probability (default
    0.1).
    """
    for kwargs, p in SHARES:
        encoder = STACK.build(submission, **kwargs)
        encoder.train()
        encoder.assign(dropout.few_words(encoder.weights))
        weights, src = encoder.weights, STACK.tokens(submission)[:, :2]

        out = encoder(src)

        expect_one_of(out, dropout.embedding(src, weights, p), PLACE)


@check
def dropout_reaches_every_layer(submission: Submission) -> None:
    """In train mode, every layer applies dropout with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        encoder = STACK.build(submission, **kwargs)
        encoder.train()
        drawn = encoder.weights
        for n in (0, 1):
            quiet = dropout.only_bias(drawn, f"layers.{n}.feed_forward.linear2")
            quiet |= dropout.flat(drawn, f"layers.{n}.add_norm1")
            encoder.assign(drawn | quiet)
            weights, src = encoder.weights, STACK.tokens(submission)

            out = encoder(src)

            truth = dropout.layer(src, weights, n, ("add_norm1", "add_norm2"), p)
            expect_one_of(out, truth, PLACE)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A source of max_len tokens works; one more token raises the ValueError of step 1.2."""
    STACK.expect_limit(submission)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size is an argument: vocab_size, dim_vector, max_len, n_head, dim_hidden."""
    STACK.expect_sizes(submission)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens and words, 13 layers, fewer words than features."""
    STACK.expect_large_sizes(submission)


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the inputs are not
    changed; it works on any device.
    """
    STACK.expect_manners(submission)
