"""Checks for s4_decoder/decoder.py."""

from typing import Any

import numpy as np

from checks import dropout, paper
from checks.machine.language import (
    SHARES,
    Array,
    Module,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_one_of,
    expect_sized,
    raises,
)
from checks.s3_encoder.encoder import VOICE, dtype_for

HINTS = [
    "How does this stack differ from the encoder's: at its bottom, in its layers, at its top?",
    "Every layer reads the same encoder output and gets both masks.",
    "The scores: (batch_size, trg_len, dim_vector) -> (batch_size, trg_len, vocab_size), plain "
    "numbers of either sign, for the loss does the softmax.",
    "x = layer(x, encoder_output, ____, src_mask)",
]
VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9
BATCH_SIZE, TRG_LEN, SRC_LEN = 2, 4, 7
PLACE = (
    "In train mode the dropout that was asked for should reach the embedding and every layer:\n"
    "each number dropped with probability dropout, or else divided by 1 - dropout."
)


def a_stack(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    decoder = submission.build(
        "Decoder",
        vocab_size=VOCAB_SIZE,
        dim_vector=DIM_VECTOR,
        max_len=MAX_LEN,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        num_layer=num_layer,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, trg: Array, encoder_output: Array, *masks: Array) -> Array:
        return paper.decoder(trg, encoder_output, weights, N_HEAD, num_layer, *masks)

    shapes = paper.decoder_shapes(VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer)
    decoder.draw(shapes, truth, *a_question(submission))
    return decoder


def a_question(submission: Submission) -> list[Array]:
    """trg and encoder_output."""
    trg = submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN)
    return [trg, submission.normal(BATCH_SIZE, SRC_LEN, DIM_VECTOR)]


def masks(submission: Submission, trg: Array, pad: int = -1) -> list[Array]:
    """The causal mask (with padding hidden, if there is any), and a source mask."""
    return [paper.trg_mask(trg, pad), submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)]


@check
def layers_follow_one_another(submission: Submission) -> None:
    """The embedding, num_layer layers that all read the source, and a score for every word."""
    for num_layer in (2, 1, 4):
        decoder = a_stack(submission, num_layer, dtype_for(num_layer), dropout=0.5)
        whole = a_question(submission)
        one_token = [part[:1, :1] for part in whole]
        for trg, encoder_output in [whole, one_token] if num_layer == 2 else [whole]:
            logits = decoder(trg, encoder_output)

            truth = paper.decoder(trg, encoder_output, decoder.weights, N_HEAD, num_layer)
            expect(logits, truth)


@check
def every_layer_gets_both_masks(submission: Submission) -> None:
    """trg_mask and src_mask act in every layer, each in its place."""
    for num_layer in (2, 4):
        decoder = a_stack(submission, num_layer, dtype_for(num_layer))
        trg, encoder_output = a_question(submission)
        both = masks(submission, trg)
        for pair in (both, [both[0], None], [None, both[1]]) if num_layer == 2 else [both]:
            logits = decoder(trg, encoder_output, *pair)

            truth = paper.decoder(trg, encoder_output, decoder.weights, N_HEAD, num_layer, *pair)
            expect(logits, truth)


@check
def padding_idx_changes_no_real_token(submission: Submission) -> None:
    """With padding_idx, with the masks that hide it and without, real tokens get the scores of
    the formula.
    """
    decoder = a_stack(submission, dtype="float64", padding_idx=0)
    table = np.array(decoder.weights["embedding.token_embedding.embedding.weight"])
    table[0] = 0
    decoder.assign({"embedding.token_embedding.embedding.weight": table})
    words = submission.rng.permutation(np.arange(1, VOCAB_SIZE))  # Every real token.
    trg = np.insert(words, [3, 7], 0).reshape(BATCH_SIZE, 7)
    encoder_output = a_question(submission)[1]
    both = masks(submission, trg, pad=0)
    for pair in (both, []):
        logits = decoder(trg, encoder_output, *pair)

        truth = paper.decoder(trg, encoder_output, decoder.weights, N_HEAD, 2, *pair)
        expect(logits, truth, only=trg != 0)


@check
def dropout_reaches_the_embedding(submission: Submission) -> None:
    """In training, the dropout that was asked for (0.1 by default) falls on the embedding, once."""
    for kwargs, p in SHARES:
        decoder = a_stack(submission, **kwargs)
        decoder.train()
        decoder.assign(dropout.few_words(decoder.weights, VOICE))
        weights, (trg, encoder_output) = decoder.weights, a_question(submission)
        trg = trg[:, :2]

        logits = decoder(trg, encoder_output)

        x = dropout.embedding(trg, weights, p)
        expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def dropout_reaches_every_layer(submission: Submission) -> None:
    """In training, the dropout that was asked for (0.1 by default) acts in every layer."""
    for kwargs, p in SHARES:
        decoder = a_stack(submission, **kwargs)
        decoder.train()
        drawn = decoder.weights
        for n in (0, 1):
            quiet = dropout.only_bias(drawn, f"layers.{n}.feed_forward.linear2")
            quiet |= dropout.flat(drawn, f"layers.{n}.add_norm2")
            decoder.assign(drawn | quiet)
            weights, (trg, encoder_output) = decoder.weights, a_question(submission)

            logits = decoder(trg, encoder_output)

            x = dropout.layer(trg, weights, n, ("add_norm2", "add_norm3"), p)
            expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def the_source_is_not_dropped(submission: Submission) -> None:
    """In training, the layers read the encoder's output as it is: nothing of it is dropped."""
    p = 0.2
    decoder = a_stack(submission, dropout=p)
    decoder.train()
    quiet = dropout.silent(decoder.weights, but="layers.0.cross_attention.")
    decoder.assign(quiet | dropout.flat(decoder.weights, "layers.0.add_norm1"))
    weights, trg = decoder.weights, submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN)
    encoder_output = submission.normal(BATCH_SIZE, 1, DIM_VECTOR)

    logits = decoder(trg, encoder_output)

    x = dropout.one_source(trg, encoder_output, weights, N_HEAD, p)
    expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A target of max_len tokens is fine; one more raises the ValueError of step 1.2."""
    decoder = a_stack(submission, 1, dropout=0.5)
    trg = submission.tokens(VOCAB_SIZE, 2, MAX_LEN + 1)
    encoder_output = submission.normal(2, SRC_LEN, DIM_VECTOR)

    logits = decoder(trg[:, :MAX_LEN], encoder_output)

    expect(logits, paper.decoder(trg[:, :MAX_LEN], encoder_output, decoder.weights, N_HEAD, 1))
    with raises(ValueError, MAX_LEN + 1, MAX_LEN):
        decoder(trg, encoder_output)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every row of the table, every weight, and the encoder's output."""
    decoder = a_stack(submission, dtype="float64")
    trg = np.resize(submission.rng.permutation(VOCAB_SIZE), (BATCH_SIZE, 7))  # Every token.
    encoder_output = a_question(submission)[1]
    expect_gradients(decoder, trg, encoder_output, *masks(submission, trg))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size is an argument: vocab_size, dim_vector, max_len, n_head, dim_hidden."""
    expect_sized(
        submission,
        "Decoder",
        paper.decoder_shapes(17, 8, 5, 1),
        lambda weights, trg, source: paper.decoder(trg, source, weights, 4, 1),
        submission.tokens(17, 2, 12),
        submission.normal(2, 3, 8),
        vocab_size=17,
        dim_vector=8,
        max_len=12,
        n_head=4,
        dim_hidden=5,
        num_layer=1,
    )


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its inputs stay; any device will do."""
    decoder = a_stack(submission, 1, dropout=0.5)
    trg, encoder_output = a_question(submission)
    expect_manners(decoder, trg, encoder_output, *masks(submission, trg), drops=True)
