"""One number written out as arithmetic that can be repeated by hand: steps 1.1 to 2.5.

Each function below gets the weights (by role), the arguments of the call and the place of a number
in the output. It returns the arithmetic whose result is the right number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from checks.engine.notes import notes
from checks.truth import paper

Place = tuple[int, ...]
TERMS = 12  # More products are too much to compute by hand.
DIGITS = range(3, 13)
WORDS = ("row ", "the weight of a hidden key")
PYTHON = {"·": "*", "√": "sqrt", "^": "**", " of the token": "", " of the position": ""}


def receipt(
    made: str, name: str, weights: paper.Weights, args: Sequence[Any], at: Place, right: str
) -> str:
    """The arithmetic of number `at` of the output `name` of the call `made`; or "".

    It has as many digits as are needed for the printed numbers to give `right`.
    """
    write = WRITERS.get(made)
    if write is None:
        return ""
    for digits in DIGITS:
        try:
            written = write(weights, args, name, at, digits)
            came = value_of(written, weights)
        except (IndexError, KeyError, TypeError, ValueError, ArithmeticError, SyntaxError):
            return ""  # An unusual call, or a place out of range.
        if came is None or round(came, len(right.partition(".")[2])) == float(right):
            return written
    return ""


def value_of(written: str, weights: paper.Weights) -> float | None:
    """The value of a receipt, by the digits that it shows; None if it is words alone."""
    arithmetic = re.split("[:;] ", written)[-1]
    if arithmetic.startswith(WORDS):
        return None
    for said, python in PYTHON.items():
        arithmetic = arithmetic.replace(said, python)
    known: dict[str, Any] = {"eps": paper.EPS, "dim_vector": int(weights.get("dim_vector", 0))}
    known |= {"e": math.e, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos}
    return float(eval(arithmetic, {"__builtins__": {}}, known))


def _n(value: Any, digits: int) -> str:
    return f"{float(value):.{digits}f}"


def _signed(value: Any, digits: int) -> str:
    return f"({_n(value, digits)})" if value < 0 else _n(value, digits)


def _products(one: Any, two: Any, digits: int) -> str:
    """The terms of a dot product, without those that are 0."""
    terms = [
        f"{_signed(a, digits)}·{_signed(b, digits)}" for a, b in zip(one, two) if a != 0 and b != 0
    ]
    if len(terms) > TERMS:
        raise ValueError(f"{len(terms)} products")
    return " + ".join(terms) or "0"


def token_embedding(
    weights: paper.Weights, args: Sequence[Any], name: str, at: Place, digits: int
) -> str:
    token = args[0][at[:-1]]
    return f"token {token}: row {token} of the table, column {at[-1]}"


def positional_embedding(
    weights: paper.Weights, args: Sequence[Any], name: str, at: Place, digits: int
) -> str:
    position, column = at
    wave, two_i = ("cos", column - 1) if column % 2 else ("sin", column)
    return f"{wave}({position} / 10000^({two_i} / dim_vector))"


def transformer_embedding(
    weights: paper.Weights, args: Sequence[Any], name: str, at: Place, digits: int
) -> str:
    words = paper.token_embedding(args[0], paper.part(weights, "token_embedding"))
    places = paper.positional_embedding(*words.shape[-2:])
    return (
        f"{_n(words[at], digits)} of the token + {_signed(places[at[1:]], digits)} of the position"
    )


def attention(
    weights: paper.Weights, args: Sequence[Any], name: str, at: Place, digits: int
) -> str:
    q, k, v, *rest = args
    with notes() as found:
        paper.calculate_attention(q, k, v, rest[0] if rest else None)
    return _attention({key: value for _, key, value in found}, v, name, at, digits)


def _attention(notes: dict[str, Any], v: Any, name: str, at: Place, digits: int) -> str:
    scores = notes.get("masked_scores", notes["scores"])[at[:-1]]
    if name in ("attention", "attention_weights"):
        if np.isneginf(scores[at[-1]]):
            return "the weight of a hidden key"
        powers = " + ".join(f"e^{_signed(s, digits)}" for s in scores if not np.isneginf(s))
        return f"e^{_signed(scores[at[-1]], digits)} / ({powers})"
    return _products(notes["weights"][at[:-1]], v[at[:-2]][:, at[-1]], digits)


def multi_head_attention(
    weights: paper.Weights, args: Sequence[Any], name: str, at: Place, digits: int
) -> str:
    q, k, v, *mask = args
    n_head = int(weights["n_head"])
    if name != "the output":
        raise ValueError(name)
    with notes() as found:
        paper.multi_head_attention(q, k, v, weights, n_head, *mask)
    merged = {key: value for _, key, value in found}["merged_heads"][at[:-1]]
    row, bias = weights["linear.weight"][at[-1]], weights["linear.bias"][at[-1]]
    return f"merged heads times linear: {_products(merged, row, digits)} + {_signed(bias, digits)}"


def layer_norm(
    weights: paper.Weights, args: Sequence[Any], name: str, at: Place, digits: int
) -> str:
    return _normalised(weights, args[0], at, digits)


def _normalised(weights: paper.Weights, x: Any, at: Place, digits: int) -> str:
    row, n = x[at[:-1]], at[-1]
    mean, variance = _n(row.mean(), digits), _n(row.var(), digits)
    gamma, beta = _n(weights["gamma"][n], digits), _signed(weights["beta"][n], digits)
    difference = f"({_n(row[n], digits)} - {_signed(row.mean(), digits)})"
    return (
        f"the vector has mean {mean} and variance {variance}: "
        f"{gamma}·{difference} / √({variance} + eps) + {beta}"
    )


def add_norm(weights: paper.Weights, args: Sequence[Any], name: str, at: Place, digits: int) -> str:
    x, sublayer_output = (np.round(arg, digits) for arg in args)  # The sum is then exact.
    own = paper.part(weights, "layer_norm")
    total = x + sublayer_output
    added = (
        f"{_n(x[at], digits)} + {_signed(sublayer_output[at], digits)} = {_n(total[at], digits)}"
    )
    return f"{added}; {_normalised(own, total, at, digits)}"


def feed_forward(
    weights: paper.Weights, args: Sequence[Any], name: str, at: Place, digits: int
) -> str:
    with notes() as found:
        paper.feed_forward(args[0], weights)
    hidden = {key: value for _, key, value in found}["relu"][at[:-1]]
    row, bias = weights["linear2.weight"][at[-1]], weights["linear2.bias"][at[-1]]
    return f"after relu, times linear2: {_products(hidden, row, digits)} + {_signed(bias, digits)}"


Writer = Callable[[paper.Weights, Sequence[Any], str, Place, int], str]
WRITERS: dict[str, Writer] = {
    "TokenEmbedding": token_embedding,
    "PositionalEmbedding": positional_embedding,
    "TransformerEmbedding": transformer_embedding,
    "calculate_attention": attention,
    "MultiHeadAttention": multi_head_attention,
    "LayerNorm": layer_norm,
    "AddNorm": add_norm,
    "FeedForward": feed_forward,
}
