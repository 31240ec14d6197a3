"""Checks for s4_decoder/pre_norm_decoder.py."""

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
from checks.s4_decoder.pre_norm_decoder import layer
from checks.s4_decoder.pre_norm_decoder.layer import LAYER, MANY
from checks.scenes import dropout
from checks.scenes.blocks import BATCH_SIZE, DIM_VECTOR, N_HEAD
from checks.scenes.stacks import MAX_LEN, VOCAB_SIZE, Stack
from checks.truth import paper, pre_norm

PARTS = [layer]
IN_STACK = dropped("to the embedding and in every layer")
STACK = Stack("PreNormDecoder", pre_norm.decoder, pre_norm.decoder_shapes, 4, 7)


@check
def layers_follow_one_another_and_a_norm_closes(submission: Submission) -> None:
    """The embedding, num_layer layers that all read the source, one norm, a score for each word. It
    also works without layers.
    """
    STACK.expect_formula(submission, 3, 1, 0)


@check
def the_closing_norm_has_its_eps(submission: Submission) -> None:
    """The closing norm has eps 1e-5, as in step 2.3: this shows if its input is small."""
    decoder = STACK.build(submission, 1, "float64", dropout=0.0)
    decoder.assign(dropout.small_sums(decoder.weights, MAX_LEN))
    trg, encoder_output = np.arange(MAX_LEN)[None], STACK.source(submission)[0][:1]

    logits = decoder(trg, encoder_output)

    expect(logits, pre_norm.decoder(trg, encoder_output, decoder.weights, N_HEAD, 1))


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
def dropout_reaches_the_embedding_and_every_layer(submission: Submission) -> None:
    """In train mode, every part applies dropout once, with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        decoder = STACK.build(submission, **kwargs)
        decoder.train()
        drawn = decoder.weights
        for simple, outcomes in (
            (dropout.few_words(drawn), dropout.embedding),
            (dropout.last_network(drawn), dropout.unclosed),
        ):
            decoder.assign(drawn | simple)
            trg, encoder_output = STACK.inputs(submission)
            trg = trg[:, :2]

            logits = decoder(trg, encoder_output)

            sums = outcomes(trg, drawn | simple, p)
            closed = paper.layer_norm(sums, paper.part(drawn, "norm"))
            expect_one_of(logits, paper.linear(closed, paper.part(drawn, "linear")), IN_STACK)


@check
def the_closing_norm_reads_the_sums(submission: Submission) -> None:
    """In train mode, nothing more is dropped between the last layer and the closing norm."""
    decoder = STACK.build(submission, dropout=0.5)
    decoder.train()
    drawn = decoder.weights
    # The first scores are then the output of the closing norm.
    plain = {role: np.zeros_like(drawn[role]) for role in ("linear.weight", "linear.bias")}
    np.fill_diagonal(plain["linear.weight"], 1)
    decoder.assign(drawn | dropout.big_words(drawn) | plain)
    trg = submission.tokens(VOCAB_SIZE, MANY, MAX_LEN)

    logits = decoder(trg, submission.normal(MANY, 7, DIM_VECTOR))

    expect_kept(logits, (MANY, MAX_LEN, VOCAB_SIZE), DIM_VECTOR)


@check
def the_source_is_not_dropped(submission: Submission) -> None:
    """In train mode, the layers read the encoder's output as it is: no dropout is applied to it."""
    p = 0.2
    decoder = STACK.build(submission, dropout=p)
    decoder.train()
    drawn = decoder.weights
    decoder.assign(dropout.silent(drawn, but="layers.0.cross_attention."))
    decoder.assign(dropout.reserved(drawn, "layers.0.cross_attention.linear"))
    weights, trg = decoder.weights, STACK.tokens(submission, 2)
    encoder_output = submission.normal(BATCH_SIZE, 1, DIM_VECTOR)

    logits = decoder(trg, encoder_output)

    embedded = paper.transformer_embedding(trg, paper.part(weights, "embedding"))
    own = paper.part(weights, "layers.0.cross_attention")
    brought = dropout.attention(embedded, encoder_output, own, N_HEAD, p)
    sums = dropout.added(embedded, dropout.all_drops(DIM_VECTOR, p), brought)
    closed = paper.layer_norm(sums, paper.part(weights, "norm"))
    expect_one_of(logits, paper.linear(closed, paper.part(weights, "linear")), IN_STACK)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A target of max_len tokens works; one more token raises the ValueError of step 1.2."""
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
