"""Checks for s4_decoder/decoder.py."""

from checks.engine.language import SHARES, Submission, check, dropped, expect_one_of
from checks.scenes import dropout
from checks.scenes.blocks import BATCH_SIZE, DIM_VECTOR, N_HEAD
from checks.scenes.stacks import Stack
from checks.truth import models, paper

PLACE = dropped("to the embedding and in every layer")
STACK = Stack("Decoder", models.decoder, models.decoder_shapes, 4, 7)


@check
def layers_follow_one_another(submission: Submission) -> None:
    """The embedding, num_layer layers that all read the source, and a score for every word. It also
    works without layers.
    """
    STACK.expect_formula(submission, 3, 1, 0)


@check
def every_layer_gets_both_masks(submission: Submission) -> None:
    """Every layer uses both masks: trg_mask for the target, src_mask for the source."""
    STACK.expect_every_mask(submission)


@check
def padding_idx_changes_no_real_token(submission: Submission) -> None:
    """With padding_idx, real tokens get the formula's scores, with and without padding masks."""
    STACK.expect_padding_idx(submission)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every row of the table, every weight, and the encoder's output."""
    STACK.expect_gradients(submission)


@check
def dropout_reaches_the_embedding(submission: Submission) -> None:
    """In train mode, dropout is applied once to the embedding, with the given probability (default
    0.1).
    """
    for kwargs, p in SHARES:
        decoder = STACK.build(submission, **kwargs)
        decoder.train()
        decoder.assign(dropout.few_words(decoder.weights))
        weights, (trg, encoder_output) = decoder.weights, STACK.inputs(submission)
        trg = trg[:, :2]

        logits = decoder(trg, encoder_output)

        x = dropout.embedding(trg, weights, p)
        expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def dropout_reaches_every_layer(submission: Submission) -> None:
    """In train mode, every layer applies dropout with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        decoder = STACK.build(submission, **kwargs)
        decoder.train()
        drawn = decoder.weights
        for n in (0, 1):
            quiet = dropout.only_bias(drawn, f"layers.{n}.feed_forward.linear2")
            quiet |= dropout.flat(drawn, f"layers.{n}.add_norm2")
            decoder.assign(drawn | quiet)
            weights, (trg, encoder_output) = decoder.weights, STACK.inputs(submission)

            logits = decoder(trg, encoder_output)

            x = dropout.layer(trg, weights, n, ("add_norm2", "add_norm3"), p)
            expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def the_source_is_not_dropped(submission: Submission) -> None:
    """In train mode, the layers read the encoder's output as it is: no dropout is applied to it."""
    p = 0.2
    decoder = STACK.build(submission, dropout=p)
    decoder.train()
    quiet = dropout.silent(decoder.weights, but="layers.0.cross_attention.")
    decoder.assign(quiet | dropout.flat(decoder.weights, "layers.0.add_norm1"))
    weights, trg = decoder.weights, STACK.tokens(submission)
    encoder_output = submission.normal(BATCH_SIZE, 1, DIM_VECTOR)

    logits = decoder(trg, encoder_output)

    x = dropout.one_source(trg, encoder_output, weights, N_HEAD, p)
    expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A target of max_len tokens works; one more token raises the ValueError of step 1.2."""
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
