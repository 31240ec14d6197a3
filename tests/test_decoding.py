"""checks/truth/decoding.py and the solution of 5.4 find what a search through everything finds."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch
from in_torch import SEEDS, solutions_are_importable, tensor
from torch import nn

from checks.scenes.searches import one_has_ended, the_likeliest_has_ended
from checks.scenes.writer import short_sources
from checks.truth.decoding import Found, Next, beam, greedy, together

__all__ = ["solutions_are_importable"]  # It serves all tests of this file.
VOCAB_SIZE, PAD, BOS, EOS = 4, 0, 1, 2
ALL = VOCAB_SIZE**5  # More hypotheses than there can be: nothing is given up.


class Table(nn.Module):
    """For a Transformer: its scores depend on all that is written, and on the source's only id."""

    trg_pad_idx = PAD

    def __init__(self, rng: np.random.Generator):
        super().__init__()
        self.scores = rng.normal(size=(3, 31, VOCAB_SIZE), scale=1.5)

    def next(self, source: int, tokens: Any) -> Any:
        state = 0
        for token in tokens:
            state = (state * 5 + int(token) + 1) % 31
        return self.scores[source, state]

    def encode(self, src: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return src[..., None].double(), torch.ones(len(src), 1, 1, 1, dtype=torch.bool)

    def decode(
        self, trg: torch.Tensor, encoder_output: torch.Tensor, src_mask: torch.Tensor
    ) -> torch.Tensor:
        sources = encoder_output[:, 0, 0].long().tolist()
        rows = [
            [self.next(source, row[: n + 1]) for n in range(len(row))]
            for source, row in zip(sources, trg.tolist(), strict=True)
        ]
        return tensor(np.array(rows))


def log_p(scores: Next, tokens: list[int]) -> float:
    """By the definition: the logarithm of a product of probabilities."""
    product = 1.0
    for n in range(1, len(tokens)):
        odds = np.exp(scores(tokens[:n]))
        product *= odds[tokens[n]] / odds.sum()
    return float(np.log(product))


def best_of_all(scores: Next, max_len: int, penalty: float) -> list[int]:
    """Every translation that ends within max_len tokens is scored."""
    words = [token for token in range(VOCAB_SIZE) if token != EOS]
    everything = [
        [BOS, *between, EOS]
        for length in range(max_len - 1)
        for between in itertools.product(words, repeat=length)
    ]

    def score(tokens: list[int]) -> float:
        return log_p(scores, tokens) / ((5 + len(tokens) - 1) / 6) ** penalty

    return max(everything, key=score)


def scores_of(model: Table, source: int) -> Next:
    return lambda tokens: model.next(source, tokens)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("penalty", [0.0, 0.6, 2.0])
def test_a_beam_as_wide_as_everything_finds_the_best(seed: int, penalty: float) -> None:
    from s5_transformer.decoding import beam_search

    model = Table(np.random.default_rng(seed))
    best = [best_of_all(scores_of(model, source), 5, penalty) for source in range(3)]

    assert [beam(scores_of(model, n), BOS, EOS, 5, ALL, penalty)[0] for n in range(3)] == best
    found = beam_search(model, torch.arange(3)[:, None], BOS, EOS, 5, ALL, penalty)
    assert found.tolist() == together(best, PAD).tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_greedy_is_the_likeliest_step_by_step(seed: int) -> None:
    from s5_transformer.decoding import beam_search, greedy_decode

    model = Table(np.random.default_rng(seed))
    rows = []
    for source in range(3):
        tokens = [BOS]
        while len(tokens) < 7 and tokens[1:].count(EOS) == 0:
            longer = [[*tokens, token] for token in range(VOCAB_SIZE)]
            tokens = max(longer, key=lambda row: log_p(scores_of(model, source), row))
        rows.append(tokens)

    assert [greedy(scores_of(model, n), BOS, EOS, 7)[0] for n in range(3)] == rows
    assert [beam(scores_of(model, n), BOS, EOS, 7, 1)[0] for n in range(3)] == rows
    src = torch.arange(3)[:, None]
    assert greedy_decode(model, src, BOS, EOS, 7).tolist() == together(rows, PAD).tolist()
    assert beam_search(model, src, BOS, EOS, 7, 1).tolist() == together(rows, PAD).tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_narrow_beam_is_that_of_the_solution(seed: int) -> None:
    """And it is narrow: it misses what a wide one finds."""
    from s5_transformer.decoding import beam_search

    model, missed = Table(np.random.default_rng(seed)), 0
    for max_len, beam_size, penalty in itertools.product((1, 2, 6), (1, 2, 3, 9), (0.0, 0.6, 2.0)):
        rows = [
            beam(scores_of(model, n), BOS, EOS, max_len, beam_size, penalty)[0] for n in range(3)
        ]
        src = torch.arange(3)[:, None]
        found = beam_search(model, src, BOS, EOS, max_len, beam_size, penalty)
        assert found.tolist() == together(rows, PAD).tolist()
        if max_len == 6:
            missed += rows != [best_of_all(scores_of(model, n), 6, penalty) for n in range(3)]
    assert missed > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_noise_below_the_margin_changes_nothing(seed: int) -> None:
    """Which is what the margin promises; for a beam it adds up over the steps."""
    rng = np.random.default_rng(seed)
    model = Table(rng)

    def found() -> list[Found]:
        scores = scores_of(model, 0)
        return [greedy(scores, BOS, EOS, 6), beam(scores, BOS, EOS, 6, 3)]

    before = found()
    scores = model.scores
    for number, (tokens, margin) in enumerate(before):
        assert margin > 0
        model.scores = scores + rng.uniform(-1, 1, scores.shape) * margin / 25
        assert found()[number][0] == tokens


def test_the_margin_of_a_tie_is_none() -> None:
    def scores(tokens: list[int]) -> Any:
        return np.array([0.0, 0.0, 1.0, 1.0])

    assert greedy(scores, BOS, EOS, 4)[1] == 0
    assert beam(scores, BOS, EOS, 4, 1)[1] == 0


def test_a_hasty_search_stops_with_the_first_that_ends() -> None:
    """0.1 for eos at once, 0.405 for one word, and then 0.4945 for two: the longest wins."""
    after = {BOS: [0.0, 0.0, 0.1, 0.9], 3: [0.45, 0.0, 0.55, 0.0], 0: [0.0, 0.0, 0.999, 0.001]}

    def scores(tokens: list[int]) -> Any:
        return np.log(np.array(after[tokens[-1]]) + 1e-12)

    assert beam(scores, BOS, EOS, 6, 3, 2.0)[0] == [BOS, 3, 0, EOS]
    assert beam(scores, BOS, EOS, 6, 3, 2.0, one_has_ended)[0] == [BOS, EOS]
    assert beam(scores, BOS, EOS, 6, 3, 2.0, the_likeliest_has_ended)[0] == [BOS, 3, EOS]


def test_short_sources_can_be_told_apart() -> None:
    """Two equal rows could not be translated differently, so no model would be found."""

    class Drawn:
        rng = np.random.default_rng(0)

        def tokens(self, high: int, *shape: int) -> Any:
            return self.rng.integers(0, high, shape)

    for _ in range(3000):
        short = short_sources(Drawn())  # type: ignore[arg-type]
        assert short.shape == (3, 3) and len({*map(tuple, short.tolist())}) == 3
