"""Every receipt gives its number to whoever works it out again from what is printed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from checks.truth import paper
from checks.truth.receipts import WRITERS, receipt, value_of

RNG = np.random.default_rng(5)
D = 6
TOKENS = RNG.integers(0, 9, (2, 4))
X, Y = RNG.normal(size=(2, 2, 4, D))
NEARLY_EQUAL = 1 + 0.01 * RNG.normal(size=(2, 4, D))
Q, K, V = RNG.normal(size=(2, 3, 4, 2)), *RNG.normal(size=(2, 2, 3, 5, 2))
MASK = np.array([1, 1, 0, 1, 1], bool)


def drawn(shapes: paper.Shapes) -> dict[str, Any]:
    sizes = {"n_head": np.asarray(3), "dim_vector": np.asarray(D)}
    return {role: RNG.normal(size=shape) for role, shape in shapes.items()} | sizes


Case = tuple[str, str, dict[str, Any], list[Any], Callable[[dict[str, Any]], Any]]
CASES: list[Case] = [
    ("TokenEmbedding", "the output", drawn(paper.token_embedding_shapes(9, D)), [TOKENS],
     lambda w: paper.token_embedding(TOKENS, w)),
    ("PositionalEmbedding", "the output", drawn({}), [TOKENS],
     lambda w: paper.positional_embedding(300, D)),
    ("TransformerEmbedding", "the output", drawn(paper.transformer_embedding_shapes(9, D)),
     [TOKENS], lambda w: paper.transformer_embedding(TOKENS, w)),
    ("calculate_attention", "attention", drawn({}), [Q, K, V, MASK],
     lambda w: paper.calculate_attention(Q, K, V, MASK)[1]),
    ("calculate_attention", "out", drawn({}), [Q, K, V, MASK],
     lambda w: paper.calculate_attention(Q, K, V, MASK)[0]),
    ("MultiHeadAttention", "the output", drawn(paper.multi_head_attention_shapes(D)), [X, Y, Y],
     lambda w: paper.multi_head_attention(X, Y, Y, w, 3)),
    ("LayerNorm", "the output", drawn(paper.layer_norm_shapes(D)), [X],
     lambda w: paper.layer_norm(X, w)),
    ("LayerNorm", "the output", drawn(paper.layer_norm_shapes(D)), [NEARLY_EQUAL],
     lambda w: paper.layer_norm(NEARLY_EQUAL, w)),
    ("AddNorm", "the output", drawn(paper.add_norm_shapes(D)), [X, NEARLY_EQUAL - X],
     lambda w: paper.add_norm(X, NEARLY_EQUAL - X, w)),
    ("FeedForward", "the output", drawn(paper.feed_forward_shapes(D, 11)), [X],
     lambda w: paper.feed_forward(X, w)),
]  # fmt: skip


def test_every_writer_is_tried() -> None:
    assert {made for made, *_ in CASES} == set(WRITERS)


@pytest.mark.parametrize("case", CASES, ids=[f"{c[0]} {n}" for n, c in enumerate(CASES)])
@pytest.mark.parametrize("digits", (3, 5))
def test_what_is_printed_gives_the_number(case: Case, digits: int) -> None:
    made, name, weights, args, truth = case
    numbers = truth(weights)
    for at in np.ndindex(numbers.shape):
        right = f"{numbers[at]:.{digits}f}"
        written = receipt(made, name, weights, args, at, right)
        assert written, at
        came = value_of(written, weights)
        words = made == "TokenEmbedding" or "hidden" in written
        assert (came is None) == words
        assert came is None or abs(came - float(right)) <= 0.5001 * 10**-digits, written


def test_a_norm_worked_out_by_hand() -> None:
    """The same without the receipts' own reader: the numbers are taken from the sentence."""
    weights, truth = drawn(paper.layer_norm_shapes(D)), paper.layer_norm
    for row in range(4):
        right = f"{truth(NEARLY_EQUAL, weights)[0, row, 2]:.3f}"
        written = receipt("LayerNorm", "the output", weights, [NEARLY_EQUAL], (0, row, 2), right)
        gamma, x, mean, variance, beta = map(
            float, re.findall(r"-?[\d.]+", written.rpartition(": ")[2].replace("- ", ""))
        )
        assert round(gamma * (x - mean) / math.sqrt(variance + 1e-5) + beta, 3) == float(right)


def test_a_sum_is_that_of_its_printed_parts() -> None:
    weights = drawn(paper.add_norm_shapes(D))
    truth = paper.add_norm(X, Y, weights)
    for at in np.ndindex(truth.shape):
        written = receipt("AddNorm", "the output", weights, [X, Y], at, f"{truth[at]:.3f}")
        one, two, total = map(float, re.findall(r"-?[\d.]+", written.partition(";")[0]))
        assert math.isclose(one + two, total, abs_tol=1e-9)


def test_a_number_that_its_arithmetic_does_not_give_has_none() -> None:
    weights = drawn(paper.layer_norm_shapes(D))
    assert receipt("LayerNorm", "the output", weights, [X], (0, 0, 0), "123.456") == ""


def test_powers_too_small_for_a_computer_have_none() -> None:
    q, k, v = 60 * np.ones((1, 1, 1, 1)), -60 * np.ones((1, 1, 2, 1)), np.ones((1, 1, 2, 1))
    assert receipt("calculate_attention", "attention", drawn({}), [q, k, v], (0,) * 4, "0.5") == ""
