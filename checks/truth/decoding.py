"""What decoding should write: greedy and beam search over known scores.

`Next` gives the scores of the token after a beginning of the target, (vocab_size,). A search
returns its tokens and the margin: the smallest lead of a chosen token over one that was not chosen.
With a small margin, rounding may choose another token, so no check uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Next = Callable[[list[int]], NDArray[np.float64]]
Found = tuple[list[int], float]  # The tokens from bos on, and the margin.
Hypotheses = list[tuple[float, list[int]]]  # Their log-probabilities and tokens.
Hasty = Callable[[Hypotheses, Hypotheses], bool]


def greedy(next_scores: Next, bos_idx: int, eos_idx: int, max_len: int) -> Found:
    """Always the best next token, up to eos or max_len tokens."""
    tokens, margin = [bos_idx], np.inf
    while len(tokens) < max_len and (len(tokens) == 1 or tokens[-1] != eos_idx):
        scores = next_scores(tokens)
        second, first = np.sort(scores)[-2:]
        margin = min(margin, first - second)
        tokens.append(int(scores.argmax()))
    return tokens, float(margin)


def beam(
    next_scores: Next,
    bos_idx: int,
    eos_idx: int,
    max_len: int,
    beam_size: int = 4,
    length_penalty: float = 0.6,
    hasty: Hasty | None = None,
    widest: float = np.inf,
    more: int = 0,
) -> Found:
    """The paper's beam search (section 6.1), as step 5.4 defines it.

    There are three ways to go wrong. `hasty` says whether the search stops too early, from the
    live and the finished hypotheses. `widest` is the most that it keeps in one step. `more` is
    added to the number of tokens after bos.
    """
    live: Hypotheses = [(0.0, [bos_idx])]
    finished: Hypotheses = []
    margin = np.inf
    while live and len(live[0][1]) < max_len:
        sums = np.array([log_p + _log_softmax(next_scores(tokens)) for log_p, tokens in live])
        width = int(min(beam_size - len(finished), widest))
        best = np.argsort(-sums, axis=None)[: width + 1]
        longer = [
            (float(sums[row, token]), [*live[row][1], int(token)])
            for row, token in zip(*np.unravel_index(best, sums.shape))
        ]
        margin = min(margin, _gap(longer, width))
        finished += [pair for pair in longer[:width] if pair[1][-1] == eos_idx]
        live = [pair for pair in longer[:width] if pair[1][-1] != eos_idx]
        if hasty and hasty(live, finished):
            break
    ranked = sorted(
        ((score(log_p, len(t) - 1 + more, length_penalty), t) for log_p, t in finished or live),
        reverse=True,
    )
    return ranked[0][1], float(min(margin, _gap(ranked, 1)))


def score(log_p: float, n: int, length_penalty: float) -> float:
    """The score of a hypothesis with n tokens after bos (Wu et al. 2016, equation 14)."""
    return float(log_p / ((5 + n) / 6) ** length_penalty)


def _log_softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    above = scores - scores.max()
    return np.asarray(above - np.log(np.exp(above).sum()))


def _gap(ranked: Sequence[tuple[float, list[int]]], width: int) -> float:
    """The gap between the last beginning that is kept and the first that is not."""
    return ranked[width - 1][0] - ranked[width][0] if len(ranked) > width else np.inf


def together(rows: Sequence[Sequence[int]], pad_idx: int) -> NDArray[np.int64]:
    """Targets as one batch, the shorter ones filled up with padding: (batch_size, length)."""
    batch = np.full((len(rows), max(map(len, rows))), pad_idx)
    for row, tokens in zip(batch, rows):
        row[: len(tokens)] = tokens
    return batch
