"""What the checks of s5_transformer/training.py build and ask."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.engine.language import Array, Fail, Module, Received, Submission, expectation
from checks.s5_transformer.training.rate_and_loss import VOCAB_SIZE
from checks.s5_transformer.transformer.setting import PADDING_ROWS, SRC_PAD, TRG_PAD, padded_tables
from checks.scenes.one_step import Batch, Training
from checks.truth import learning, models, paper


def sentences(submission: Submission, src_len: int = 4, trg_len: int = 6) -> Batch:
    """src and trg: three sentences of different lengths, with the other's padding as a word."""
    src, trg = submission.tokens(9, 3, src_len), submission.tokens(VOCAB_SIZE, 3, trg_len)
    src[src == SRC_PAD], trg[trg == TRG_PAD] = TRG_PAD, SRC_PAD
    src[0, [0, -1]], src[1, 1] = SRC_PAD, SRC_PAD
    trg[0, -2:], trg[2, -3:] = TRG_PAD, TRG_PAD
    trg[1, -2] = SRC_PAD
    return src, trg


def a_training(submission: Submission, **settings: Any) -> Training:
    return Training(submission, VOCAB_SIZE, SRC_PAD, TRG_PAD, **settings)


@expectation
def expect_other_loss(first: Received, second: Received) -> None:
    if first.plain is not None and first.plain == second.plain:
        loss = str(first.plain)[:8]
        sentence = f"With dropout 0.5 and a rate of 0 two steps gave the same loss, {loss}."
        raise Fail("mode", second.say(sentence))


@expectation
def expect_descent(
    model: Module,
    loss: Received,
    after: dict[str, Array],
    before: dict[str, Array],
    directions: dict[str, Array],
    batch: tuple[Array, Array, float],
) -> None:
    """Fail unless the step has moved every weight down the gradient of the loss."""
    src, trg, lr = batch
    moved = {role: (before[role] - w) / lr for role, w in after.items()}

    def slope(roles: list[str], way: float) -> float:
        def loss_there(share: float) -> float:
            moved = {role: before[role] + share * directions[role] for role in roles}
            return loss_at(model, {**before, **moved}, src, trg)

        return (loss_there(way) - loss_there(-way)) / (2 * way)

    def differs_along(roles: list[str], tolerance: float) -> bool:
        got = sum(float((moved[role] * directions[role]).sum()) for role in roles)
        truths = [slope(roles, way) for way in (1e-6, 1e-8)]  # A kink (relu) may spoil one.
        return not any(abs(got - truth) <= tolerance * (1 + abs(truth)) for truth in truths)

    if differs_along(list(moved), 1e-5):
        for role in [role for role in moved if differs_along([role], 1e-4)][:1]:
            sentence = f"The step did not move {role} along the gradient of the loss."
            still = not (moved[role] * (directions[role] != 0)).any()
            sentence += " It did not move at all." if still else ""
            raise Fail("gradient", loss.say(sentence), shows="no-gradient" if still else None)


@expectation
def expect_clipped(
    loss: Received, before: dict[str, Array], after: dict[str, Array], max_norm: float
) -> None:
    norm = float(np.sqrt(sum(((before[role] - w) ** 2).sum() for role, w in after.items())))
    if not abs(norm - max_norm) <= 1e-3 * max_norm:
        sentence = f"The step moved all weights together by {norm:.6f}, expected {max_norm}."
        raise Fail("gradient", loss.say(f"max_norm was {max_norm}. {sentence}"))


def a_transformer(submission: Submission, dropout: float = 0.0) -> tuple[Module, Array, Array]:
    """The learner's Transformer, one layer deep, and a batch as long as it can read: the last token
    of a target is only predicted.
    """
    max_len, dim_vector, n_head, dim_hidden = 6, 6, 3, 10
    model = submission.build(
        "Transformer",
        dtype="float64",
        home="s5_transformer.transformer",
        src_pad_idx=SRC_PAD,
        trg_pad_idx=TRG_PAD,
        encoder_vocab_size=9,
        decoder_vocab_size=VOCAB_SIZE,
        dim_vector=dim_vector,
        n_head=n_head,
        max_len=max_len,
        dim_hidden=dim_hidden,
        num_layer=1,
        dropout=dropout,
    )

    def truth(weights: paper.Weights, src: Array, trg: Array) -> Array:
        return models.transformer(src, trg, weights, n_head, 1, SRC_PAD, TRG_PAD)

    shapes = models.transformer_shapes(9, VOCAB_SIZE, dim_vector, dim_hidden, 1)
    model.open_rows |= PADDING_ROWS
    tables = padded_tables(submission, shapes)
    src, trg = sentences(submission, max_len, max_len + 1)
    model.draw(shapes, truth, src[1:2, :-1], trg[1:2, :4], **tables)
    return model, src, trg


def loss_at(model: Module, weights: dict[str, Array], src: Array, trg: Array) -> float:
    assert model.truth is not None
    logits = model.truth(weights, src, trg[:, :-1])
    return float(learning.sequence_loss(logits, trg[:, 1:], TRG_PAD))
