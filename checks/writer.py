"""A Transformer of the learner's whose weights make it write what we have drawn.

Its last layer is solved for. What leads to it is random: whoever computes anything else on the way,
as with another mask, writes something else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from checks import paper
from checks.machine.language import Array, Module, Submission, tries

SRC_PAD, TRG_PAD, BOS, EOS, NEVER = 4, 5, 1, 2, 3
SRC_VOCAB, TRG_VOCAB, DIM_VECTOR, N_HEAD, DIM_HIDDEN = 11, 13, 36, 3, 10
ROWS, SRC_LEN, MAX_LEN = 3, 8, 9
LARGE = 1000.0  # Weights from which on rounding in single precision may decide what is written.
NEVER_WRITTEN = -40.0  # A score.
LIKELY = 0.3  # How much words that are not to be written may be scored, and those that are, 1.


def a_writer(
    submission: Submission, num_layer: int = 2, marks: bool = True, **kwargs: Any
) -> tuple[Module, Array, Array]:
    """The learner's Transformer, sources, and what it writes for them, where nothing ends it."""
    model = submission.build(
        "Transformer",
        home="s5_transformer.transformer",
        src_pad_idx=SRC_PAD,
        trg_pad_idx=TRG_PAD,
        encoder_vocab_size=SRC_VOCAB,
        decoder_vocab_size=TRG_VOCAB,
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        max_len=MAX_LEN,
        dim_hidden=DIM_HIDDEN,
        num_layer=num_layer,
        **kwargs,
    )
    return taught(submission, model, num_layer, marks=marks)


def taught(
    submission: Submission,
    model: Module,
    num_layer: int,
    given: Array | None = None,
    marks: bool = True,
) -> tuple[Module, Array, Array]:
    """A Transformer with new weights, sources (`given` or drawn), and what it writes for them.

    `marks`: padding among the words that it writes; else this is never likely, nor is bos.
    """

    def truth(weights: paper.Weights, src: Array, trg: Array) -> Array:
        return paper.transformer(src, trg, weights, N_HEAD, num_layer, SRC_PAD, TRG_PAD)

    shapes = paper.transformer_shapes(SRC_VOCAB, TRG_VOCAB, DIM_VECTOR, DIM_HIDDEN, num_layer)
    model.draw(shapes, truth, *(submission.tokens(4, 2, length) for length in (5, 7)))
    weights = {role: np.array(w) for role, w in model.weights.items()}
    for side, pad in (("encoder", SRC_PAD), ("decoder", TRG_PAD)):
        weights[f"{side}.embedding.token_embedding.embedding.weight"][pad] = 0
    for role in weights:
        if role.endswith("attention.linear.weight"):  # Each layer makes the tokens more alike.
            weights[role] /= max(1, num_layer - 1)

    for _ in tries():
        src = sources(submission) if given is None else given
        trg = submission.tokens(TRG_VOCAB, ROWS, MAX_LEN, low=6)
        trg[:, 0] = BOS
        if marks:
            trg[0, 2], trg[1, 4] = TRG_PAD, TRG_PAD  # Written as words are.
        trg[2, 1], trg[0, 1] = SRC_PAD, 0  # Words here.
        trg[0, 4], trg[1, 6], trg[2, 3] = EOS, EOS, EOS

        weights["decoder.linear.weight"] = np.eye(DIM_VECTOR)
        weights["decoder.linear.bias"] = np.zeros(DIM_VECTOR)
        x = truth(weights, src, trg[:, :-1]).reshape(-1, DIM_VECTOR)
        others = LIKELY * submission.rng.random((len(x), TRG_VOCAB))
        wanted = np.maximum(np.eye(TRG_VOCAB)[trg[:, 1:].ravel()], others)
        if not marks:
            wanted[:, [TRG_PAD, BOS]] = NEVER_WRITTEN
        solved = np.linalg.lstsq(np.c_[x, np.ones(len(x))], wanted, rcond=None)[0]
        weights["decoder.linear.weight"], weights["decoder.linear.bias"] = solved[:-1].T, solved[-1]
        if np.abs(solved).max() < LARGE:
            break
    model.assign(weights)
    return model, src, trg


def sources(submission: Submission) -> Array:
    src = submission.tokens(SRC_VOCAB, ROWS, SRC_LEN)
    src[src == SRC_PAD] = TRG_PAD  # The other's padding is a word.
    src[0, -3:], src[1, 1] = SRC_PAD, SRC_PAD
    return src


def ended(trg: Array, eos: int = EOS) -> Array:
    """The same with padding after the first `eos` of every row, as long as the longest row."""
    ends = [[*row.tolist(), eos].index(eos) + 1 for row in trg]
    cut = np.where(np.arange(MAX_LEN) < np.array(ends)[:, None], trg, TRG_PAD)
    return cut[:, : max(ends)]
