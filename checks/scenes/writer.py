"""A Transformer of the learner's whose weights make it write drawn tokens.

Its last layer is solved for. The layers before it are random: a version that computes anything else
there, for example with another mask, writes something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from checks.engine.language import Array, Module, Submission, tries
from checks.truth import models, paper
from checks.truth.decoding import Next

SRC_PAD, TRG_PAD, BOS, EOS, NEVER = 4, 5, 1, 2, 3
SRC_VOCAB, TRG_VOCAB, DIM_VECTOR, N_HEAD, DIM_HIDDEN = 11, 13, 36, 3, 10
ROWS, SRC_LEN, MAX_LEN = 3, 8, 9
LONG, LONG_VOCAB = 520, 40
TOLD, TOLD_BY_BOS, CLEARLY = 14, 30.0, 4.0  # A feature, its value for bos, and its weight.
QUIET = 0.1  # The size of the other sublayers' outputs.
MASKS = ("src_mask", "trg_mask")
LARGE = 1000.0  # From such weights on, single precision may decide what is written.
NEVER_WRITTEN = -40.0  # A score.
LIKELY = 0.3  # The highest score of unwanted words; wanted ones get 1.


def a_writer(
    submission: Submission, num_layer: int = 2, marks: bool = True, **kwargs: Any
) -> tuple[Module, Array, Array]:
    """The learner's Transformer, sources, and what it writes for them if no token ends it."""
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

    `marks`: it also writes padding and bos; otherwise padding and bos are never likely.
    """

    def truth(weights: paper.Weights, src: Array, trg: Array) -> Array:
        return models.transformer(src, trg, weights, N_HEAD, num_layer, SRC_PAD, TRG_PAD)

    shapes = models.transformer_shapes(SRC_VOCAB, TRG_VOCAB, DIM_VECTOR, DIM_HIDDEN, num_layer)
    for _ in tries():  # Some weights make tokens too alike for any last layer.
        model.draw(shapes, truth, *(submission.tokens(4, 2, length) for length in (5, 7)))
        weights = without_padding(model.weights)
        for role in weights:
            if role.endswith("attention.linear.weight"):  # Each layer makes the tokens more alike.
                weights[role] /= max(1, num_layer - 1)

        src = sources(submission) if given is None else given
        trg = submission.tokens(TRG_VOCAB, ROWS, MAX_LEN, low=6)
        trg[:, 0] = BOS
        if marks:
            trg[0, 2], trg[1, 4], trg[1, 2] = TRG_PAD, TRG_PAD, BOS  # It writes them like words.
        trg[2, 1], trg[0, 1] = SRC_PAD, 0  # They are words here.
        trg[0, 4], trg[1, 6], trg[2, 3] = EOS, EOS, EOS

        weights["decoder.linear.weight"] = np.eye(DIM_VECTOR)  # Only the vectors, for now.
        weights["decoder.linear.bias"] = np.zeros(DIM_VECTOR)
        x = truth(weights, src, trg[:, :-1]).reshape(-1, DIM_VECTOR)
        last = last_layer(x, wanted_scores(submission, trg, [] if marks else [TRG_PAD, BOS]))
        weights["decoder.linear.weight"], weights["decoder.linear.bias"] = last
        if max(np.abs(numbers).max() for numbers in last) < LARGE:
            break
    model.assign(weights)
    return model, src, trg


def scores(model: Module, row: Array, without: str = "") -> Next:
    """The scores after each beginning of a target, for one source, in a writer of two layers.

    without: a mask to leave out, one of MASKS.
    """
    weights, src = model.weights, row[None]
    src_mask = None if without == "src_mask" else models.src_mask(src, SRC_PAD)
    encoded = models.encoder(src, paper.part(weights, "encoder"), N_HEAD, 2, src_mask)

    def after(tokens: Sequence[int]) -> Array:
        trg = np.array([tokens])
        trg_mask = None if without == "trg_mask" else models.trg_mask(trg, TRG_PAD)
        own = paper.part(weights, "decoder")
        logits = models.decoder(trg, encoded, own, N_HEAD, 2, trg_mask, src_mask)
        return np.asarray(logits[0, -1])

    return after


def wanted_scores(submission: Submission, trg: Array, never: list[int]) -> Array:
    """1 for each next token of trg, less for all others, (tokens, TRG_VOCAB)."""
    following = trg[:, 1:].ravel()
    others = LIKELY * submission.rng.random((len(following), TRG_VOCAB))
    wanted = np.maximum(np.eye(TRG_VOCAB)[following], others)
    wanted[:, never] = NEVER_WRITTEN
    return np.asarray(wanted)


def last_layer(x: Array, wanted: Array) -> tuple[Array, Array]:
    """The weight and the bias of a linear layer that makes the wanted scores of the vectors x."""
    solved = np.linalg.lstsq(np.c_[x, np.ones(len(x))], wanted, rcond=None)[0]
    return solved[:-1].T, solved[-1]


def long_writer(submission: Submission) -> tuple[Module, Array]:
    """The learner's Transformer for LONG tokens, one layer deep, and a source.

    It writes words of even numbers as long as it sees bos, at any distance, and otherwise words of
    odd numbers.
    """
    dim_vector, n_head = 16, 2
    model = submission.build(
        "Transformer",
        home="s5_transformer.transformer",
        src_pad_idx=SRC_PAD,
        trg_pad_idx=TRG_PAD,
        encoder_vocab_size=SRC_VOCAB,
        decoder_vocab_size=LONG_VOCAB,
        dim_vector=dim_vector,
        n_head=n_head,
        max_len=LONG,
        dim_hidden=DIM_HIDDEN,
        num_layer=1,
    )

    def truth(weights: paper.Weights, src: Array, trg: Array) -> Array:
        return models.transformer(src, trg, weights, n_head, 1, SRC_PAD, TRG_PAD)

    shapes = models.transformer_shapes(SRC_VOCAB, LONG_VOCAB, dim_vector, DIM_HIDDEN, 1)
    model.draw(shapes, truth, *(submission.tokens(4, 2, length) for length in (5, 7)))
    weights = without_padding(model.weights)
    look_for_bos(weights)
    model.assign(weights)
    return model, submission.tokens(4, 1, LONG)


def look_for_bos(weights: dict[str, Array]) -> None:
    """Change the weights: the first head attends to bos alone, and one feature shows whether it is
    there. It decides between even and odd words.
    """
    table = weights["decoder.embedding.token_embedding.embedding.weight"]
    table[:, TOLD], table[BOS, TOLD] = 0, TOLD_BY_BOS
    attention, first = paper.part(weights, "decoder.layers.0.self_attention"), slice(8)
    attention["w_q.weight"][first], attention["w_q.bias"][first] = 0, 1
    for name in ("w_k", "w_v"):
        attention[f"{name}.weight"][first], attention[f"{name}.bias"][first] = 0, 0
        attention[f"{name}.weight"][first, TOLD] = 1
    attention["linear.weight"][:, first] = 0
    attention["linear.weight"][TOLD, first] = 1 / 8
    for n in (1, 2, 3):
        norm = paper.part(weights, f"decoder.layers.0.add_norm{n}.layer_norm")
        norm["gamma"][:], norm["beta"][:] = 1, 0
    for name in ("cross_attention.linear", "feed_forward.linear2"):
        for numbers in paper.part(weights, f"decoder.layers.0.{name}").values():
            numbers *= QUIET
    last, even = weights["decoder.linear.weight"], np.arange(LONG_VOCAB) % 2 == 0
    last[:, TOLD] = np.where(even, CLEARLY, -CLEARLY)
    weights["decoder.linear.bias"] = np.where(even, -1.5 * CLEARLY, 1.5 * CLEARLY)
    weights["decoder.linear.bias"][NEVER] = NEVER_WRITTEN


def without_padding(weights: paper.Weights) -> dict[str, Array]:
    """A copy of a Transformer's weights in which the vectors of both padding ids are zero.

    A right version may store these vectors as zero or replace them in forward: both compute the
    same then.
    """
    copied = {role: np.array(w) for role, w in weights.items()}
    for side, pad in (("encoder", SRC_PAD), ("decoder", TRG_PAD)):
        copied[f"{side}.embedding.token_embedding.embedding.weight"][pad] = 0
    return copied


def sources(submission: Submission) -> Array:
    src = submission.tokens(SRC_VOCAB, ROWS, SRC_LEN)
    src[src == SRC_PAD] = TRG_PAD  # The other's padding is a word.
    src[0, -3:], src[1, 1] = SRC_PAD, SRC_PAD
    return src


def short_sources(submission: Submission) -> Array:
    """Three tokens in each row. No two rows are alike, as they are to be translated differently."""
    for _ in tries():
        src = sources(submission)[:, 1:4]
        if len(np.unique(src, axis=0)) == ROWS:
            break
    return src


def exchanged(model: Module, trg: Array, one: int, other: int) -> Array:
    """Exchange two target tokens in a writer; returns what it writes then."""
    changed = {}
    for role, w in model.weights.items():
        if role.startswith(("decoder.embedding.", "decoder.linear.")):
            changed[role] = w.copy()
            changed[role][[one, other]] = w[[other, one]]
    model.assign(changed)
    return np.select([trg == one, trg == other], [other, one], trg)


def ended(trg: Array, eos: int = EOS) -> Array:
    """The tokens with padding after the first `eos` of every row, as long as the longest row."""
    ends = [[*row.tolist(), eos].index(eos) + 1 for row in trg]
    cut = np.where(np.arange(MAX_LEN) < np.array(ends)[:, None], trg, TRG_PAD)
    return cut[:, : max(ends)]
