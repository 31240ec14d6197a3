"""Checks for s4_decoder/decoder.py."""

import numpy as np

from checks import paper
from checks.machine.language import (
    Array,
    Module,
    Submission,
    all_drops,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_one_of,
    raises,
)
from checks.s3_encoder.encoder import through_norms
from checks.s3_encoder.encoder_layer import flat, silent

HINTS = [
    "How does this stack differ from the encoder's: at its bottom, in its layers, at its top?",
    "Every layer reads the same encoder output and gets both masks.",
    "The scores: (batch_size, trg_len, dim_vector) -> (batch_size, trg_len, vocab_size), plain "
    "numbers of either sign, for the loss does the softmax.",
    "x = layer(x, encoder_output, ____, src_mask)",
]
VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9
BATCH_SIZE, TRG_LEN, SRC_LEN = 2, 4, 7
P = 0.2
PLACE = (
    "In train mode the dropout that was asked for should reach the embedding and every layer:\n"
    "each number dropped with probability dropout, or else divided by 1 - dropout."
)


def a_stack(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: float
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
    trg = submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN, low=1)
    return [trg, submission.normal(BATCH_SIZE, SRC_LEN, DIM_VECTOR)]


def masks(submission: Submission, trg: Array) -> list[Array]:
    return [paper.trg_mask(trg, 0), submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)]


@check
def layers_follow_one_another(submission: Submission) -> None:
    """The embedding, num_layer layers that all read the source, and a score for every word."""
    for num_layer in (2, 1, 3):
        decoder = a_stack(submission, num_layer, dropout=0.5)
        trg, encoder_output = a_question(submission)

        logits = decoder(trg, encoder_output)

        expect(logits, paper.decoder(trg, encoder_output, decoder.weights, N_HEAD, num_layer))


@check
def every_layer_gets_both_masks(submission: Submission) -> None:
    """trg_mask and src_mask act in every layer, each in its place."""
    decoder = a_stack(submission)
    trg, encoder_output = a_question(submission)
    both = masks(submission, trg)
    for pair in (both, [both[0], None], [None, both[1]]):
        logits = decoder(trg, encoder_output, *pair)

        expect(logits, paper.decoder(trg, encoder_output, decoder.weights, N_HEAD, 2, *pair))


@check
def padding_idx_changes_no_real_token(submission: Submission) -> None:
    """With padding_idx and the mask that hides it, real tokens get the scores of the formula."""
    decoder = a_stack(submission, padding_idx=0)
    table = np.array(decoder.weights["embedding.token_embedding.embedding.weight"])
    table[0] = 0
    decoder.assign({"embedding.token_embedding.embedding.weight": table})
    trg, encoder_output = a_question(submission)
    trg[0, 3], trg[1, 1] = 0, 0
    both = masks(submission, trg)

    logits = decoder(trg, encoder_output, *both)

    truth = paper.decoder(trg, encoder_output, decoder.weights, N_HEAD, 2, *both)
    expect(logits, truth, only=trg != 0)


@check
def dropout_reaches_embedding_and_layers(submission: Submission) -> None:
    """In training, the dropout that was asked for acts on the embedding and in every layer."""
    decoder = a_stack(submission, dropout=P)
    decoder.train()
    drawn, (trg, encoder_output) = decoder.weights, a_question(submission)
    drops = all_drops(DIM_VECTOR, P)
    embedded = paper.transformer_embedding(trg, paper.part(drawn, "embedding"))
    scores = paper.part(drawn, "linear")

    decoder.assign(silent(drawn))
    logits = decoder(trg, encoder_output)

    x = through_norms(embedded[..., None, :] * drops, drawn, ("layers.0", "layers.1"))
    expect_one_of(logits, paper.linear(x, scores), PLACE)
    for n in (0, 1):
        brings = silent(drawn, but=f"layers.{n}.feed_forward")
        decoder.assign({**drawn, **brings, **flat(f"layers.{n}.add_norm2")})

        logits = decoder(trg, encoder_output)

        beta = drawn[f"layers.{n}.add_norm2.layer_norm.beta"] + np.zeros((BATCH_SIZE, TRG_LEN, 1, 1))
        widened = drawn[f"layers.{n}.feed_forward.linear2.bias"] * drops
        x = paper.add_norm(beta, widened, paper.part(drawn, f"layers.{n}.add_norm3"))
        later = [f"layers.{m}" for m in range(n + 1, 2)]
        x = through_norms(x, drawn, tuple(later))
        expect_one_of(logits, paper.linear(x, scores), PLACE)


@check
def too_long_a_target_is_refused(submission: Submission) -> None:
    """A target longer than max_len raises the ValueError of the positional embedding."""
    decoder = a_stack(submission, 1)

    with raises(ValueError, 12, MAX_LEN):
        decoder(submission.tokens(VOCAB_SIZE, 2, 12), submission.normal(2, SRC_LEN, DIM_VECTOR))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches the table, every weight of every layer, and the encoder's output."""
    decoder = a_stack(submission, dtype="float64")
    trg, encoder_output = a_question(submission)
    expect_gradients(decoder, trg, encoder_output, *masks(submission, trg))


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its inputs stay; any device will do."""
    decoder = a_stack(submission, dropout=0.5)
    trg, encoder_output = a_question(submission)
    expect_manners(decoder, trg, encoder_output, *masks(submission, trg))
