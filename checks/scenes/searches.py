"""Expected results of searches: models with known scores, sources, and what a search should write.

Rounding may decide unclear choices, so models are drawn again until all choices are clear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from checks.engine.language import Array, Fail, Received, Submission, expect, expectation, tries
from checks.scenes import writer
from checks.scenes.stand_ins import ToyModel
from checks.truth.decoding import Found, Hasty, Hypotheses, Next, beam, greedy, score, together

SRC_PAD, TRG_PAD, BOS, EOS = 4, 5, 3, 6
VOCAB_SIZE = 8
MARGIN = 1e-3  # Every choice must be clear by this: ties are open.
ROUNDING = 3e-5  # In a score, at most, for each 1 of the last layer's largest weight.
Truth = Callable[[Next], Found]


def greedily(max_len: int, bos: int = BOS, eos: int = EOS) -> Truth:
    return lambda scores: greedy(scores, bos, eos, max_len)


def by_beam(max_len: int, *how: Any, bos: int = BOS, eos: int = EOS) -> Truth:
    return lambda scores: beam(scores, bos, eos, max_len, *how)


# When a search that is too hasty stops: see `hasty` in checks/truth/decoding.py.


def one_has_ended(live: Hypotheses, finished: Hypotheses) -> bool:
    return bool(finished)


def the_likeliest_has_ended(live: Hypotheses, finished: Hypotheses) -> bool:
    """Of all that are as long as the live ones, the likeliest has ended."""
    return any(
        log_p > live[0][0] and len(tokens) == len(live[0][1])
        for log_p, tokens in (finished if live else [])
    )


def no_next_token_helps(penalty: float) -> Hasty:
    """No live one could have the best score with one more token. With two more it could."""

    def stop(live: Hypotheses, finished: Hypotheses) -> bool:
        best = max((score(p, len(tokens) - 1, penalty) for p, tokens in finished), default=-np.inf)
        return all(score(log_p, len(tokens), penalty) < best for log_p, tokens in live)

    return stop


def lengths(rows: list[list[int]]) -> set[int]:
    return set(map(len, rows))


def end(rows: list[list[int]]) -> list[bool]:
    return [row[-1] == EOS for row in rows]


def sources(submission: Submission, batch_size: int = 3, src_len: int = 5) -> Array:
    """Source sentences: one is padded at the end, the second before and after, others inside."""
    src = submission.tokens(9, batch_size, src_len)
    src[src == SRC_PAD] = TRG_PAD
    src[0, -1], src[1:2, [0, -1]], src[2:, 1] = SRC_PAD, SRC_PAD, SRC_PAD
    return src


def scripted(
    submission: Submission,
    truth: Truth,
    wanted: Callable[[list[list[int]]], bool] = lambda rows: True,
    batch_size: int = 3,
    ending: float = 0.0,
    padding: float = 0.0,
    also: Sequence[Truth] = (),
    given: Array | None = None,
    vocab_size: int = VOCAB_SIZE,
    rare: tuple[int, int] = (TRG_PAD, BOS),
    **settings: Any,
) -> tuple[ToyModel, Array, list[list[int]]]:
    """A model with known scores, sources, and what should be written, with clear choices.

    `wanted`: a condition on the rows. `ending` makes eos more likely, and `padding` makes padding
    more likely. `also`: other searches whose choices should be clear as well. `given`: sources to
    use instead of drawn ones. In a large vocabulary many words are about equally likely. `rare`:
    the ids of padding and bos.
    """
    for _ in tries():
        model = ToyModel(submission, vocab_size, SRC_PAD, rare[0], rare, **settings)
        if vocab_size > VOCAB_SIZE:
            model.scores /= 8
            model.bonus[model.bonus > -40] /= 8
        model.bonus[:, EOS] += ending
        model.bonus[:, rare[0]] += padding
        src = sources(submission, batch_size) if given is None else given
        if given is None and len({model.source(row) for row in src}) < batch_size:
            continue  # Two of them look the same to it.
        found = [truth(model.reading(row)) for row in src]
        more = [other(model.reading(row)) for row in src for other in also]
        rows = [tokens for tokens, _ in found]
        if min(margin for _, margin in found + more) > MARGIN and wanted(rows):
            break
    return model, src, rows


def differing(
    submission: Submission, truth: Truth, other: Truth, least: int = 2, batch_size: int = 3
) -> tuple[ToyModel, Array, list[list[int]]]:
    """Like `scripted`, but the other search finds a different result in several rows."""
    for _ in tries():
        model, src, rows = scripted(submission, truth, batch_size=batch_size)
        others = [other(model.reading(row))[0] for row in src]
        if sum(one != two for one, two in zip(rows, others)) >= least:
            break
    return model, src, rows


def with_a_tie(submission: Submission) -> tuple[ToyModel, Array, list[list[int]]]:
    """A model, sources, and the best result. Two other results, equally likely, end before it."""
    words = [word for word in range(VOCAB_SIZE) if word not in (BOS, EOS, TRG_PAD)]
    while True:
        model = ToyModel(submission, VOCAB_SIZE, SRC_PAD, TRG_PAD, (TRG_PAD, BOS))
        best, after, one, two = map(int, submission.rng.permutation(words)[:4])
        model.bonus[model.bonus > -40] = 0
        model.scores[:] = 0
        model.scores[..., EOS] = 3
        for written, likely in (([BOS], {best: 3, one: 2, two: 2}), ([BOS, best], {after: 6})):
            at = model.states(written)[-1]
            model.scores[:, :, at] = 0
            model.scores[:, :, at, EOS] = -9
            for word, how_likely in likely.items():
                model.scores[:, :, at, word] = how_likely
        src = sources(submission, 2)
        found = [beam(model.reading(row), BOS, EOS, 6, 3) for row in src]
        rows = [tokens for tokens, _ in found]
        if rows == [[BOS, best, after, EOS]] * 2 and min(margin for _, margin in found) > MARGIN:
            return model, src, rows


def won_by_the_last(
    submission: Submission, beam_size: int, vocab_size: int, eos: int
) -> tuple[ToyModel, Array, list[list[int]]]:
    """A model, a source, and the best result: the last of the beginnings that are kept at first. No
    other one can end well.
    """
    model = ToyModel(submission, vocab_size, SRC_PAD, TRG_PAD)
    model.bonus[:], model.scores[:] = 0, submission.normal(*model.scores.shape, scale=0.01)
    words = [int(word) for word in submission.rng.permutation(vocab_size)]
    first, after = model.states([BOS])[-1], {w: model.states([BOS, w])[-1] for w in words}
    words = [word for word in words if word not in (BOS, eos, TRG_PAD)]
    last = next(word for word in words if after[word] != first)
    words.sort(key=lambda word: after[word] == after[last])  # Equal states come last.
    words.remove(last)
    words.insert(beam_size - 1, last)
    model.scores[:, :, first] = -40
    model.scores[:, :, first, words] = -0.02 * np.arange(len(words))
    model.scores[..., eos] = -40
    model.scores[:, :, after[last], eos] = 20
    return model, sources(submission, 1), [[BOS, last, eos]]


def searched(submission: Submission, max_len: int, beam_size: int) -> tuple[Any, ...]:
    """A Transformer, sources, and what beam search should find, with clear choices. Without one of
    the masks it would find something else.
    """
    model, src, _ = writer.a_writer(submission, marks=False, dropout=0.5)
    how = (writer.BOS, writer.EOS, max_len, beam_size)
    while True:
        src = src[:2]
        found = [beam(writer.scores(model, row), *how) for row in src]
        rows = [tokens for tokens, _ in found]
        rounding = ROUNDING * np.abs(model.weights["decoder.linear.weight"]).max()
        if min(margin for _, margin in found) > max(MARGIN, rounding) and all(
            rows != [beam(writer.scores(model, row, mask), *how)[0] for row in src]
            for mask in writer.MASKS
        ):
            return model, src, rows
        model, src, _ = writer.taught(submission, model, 2, marks=False)


MOST_TOKENS = 20  # Shown of a row.


@expectation
def expect_tokens(got: Received, rows: list[list[int]], pad: int = TRG_PAD) -> None:
    """Fail unless `got` has these rows. If the lengths differ, the first rows of both are shown."""
    truth = together(rows, pad)
    try:
        expect(got, truth, dtype="int64")
    except Fail as fail:
        if fail.kind == "shape" and got.array is not None and got.array.ndim == 2:
            both = [("expected", truth), ("got", got.array)]
            first, *fewer = (
                "\n".join([fail.message, *(line for who in both for line in shown(*who, most))])
                for most in (5, 3, 2, 1)
            )
            fail.message, fail.shorter = first, tuple(fewer)
        raise


def shown(who: str, tokens: Array, most: int) -> list[str]:
    """The first rows of tokens, in one line each. Of a long row only the first tokens."""
    rows = [" ".join(map(str, row[:MOST_TOKENS])) for row in tokens[:most]]
    more = f" … ({tokens.shape[1]} tokens)" if tokens.shape[1] > MOST_TOKENS else ""
    return [f"{who:<8} row {n}  {row}{more}" for n, row in enumerate(rows)]


def padded(rows: list[list[int]]) -> bool:
    """Whether padding stands inside a row, but not in all of the longest rows. So a version may
    measure rows by their words.
    """
    longest = [row for row in rows if len(row) == max(lengths(rows))]
    return any(TRG_PAD in row[1:-1] for row in rows) and any(TRG_PAD not in row for row in longest)


def begun_again(rows: list[list[int]]) -> bool:
    """Whether bos stands inside a row."""
    return any(BOS in row[1:-1] for row in rows)


# Conditions and settings for `scripted`: padding is written, and bos is.
MARKED: list[tuple[Callable[[list[list[int]]], bool], dict[str, Any]]] = [
    (padded, {"padding": 41.0}),
    (begun_again, {"rare": (TRG_PAD, TRG_PAD)}),
]
