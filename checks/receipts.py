"""One number written out as arithmetic that can be done again by hand: steps 1.1 to 2.5.

Each function below gets the weights (by role), the arguments of the call and the place of a
number in the output, and returns the arithmetic whose result is the right number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from checks import paper
from checks.notes import notes

Place = tuple[int, ...]
TERMS = 12  # More products than that are no arithmetic for a person.


def receipt(made: str, name: str, weights: paper.Weights, args: Sequence[Any], at: Place) -> str:
    """The arithmetic of number `at` of the output `name` of what is called `made`; or ""."""
    write = WRITERS.get(made)
    try:
        return write(weights, args, name, at) if write is not None else ""
    except (IndexError, KeyError, TypeError, ValueError):  # Another call than the usual one.
        return ""


def _n(value: Any) -> str:
    return f"{float(value):.3f}"


def _signed(value: Any) -> str:
    return f"({_n(value)})" if value < 0 else _n(value)


def _products(one: Any, two: Any) -> str:
    """The terms of a dot product, without those that are 0."""
    terms = [f"{_signed(a)}·{_signed(b)}" for a, b in zip(one, two) if a != 0 and b != 0]
    if len(terms) > TERMS:
        raise ValueError(f"{len(terms)} products")
    return " + ".join(terms) or "0"


def token_embedding(weights: paper.Weights, args: Sequence[Any], name: str, at: Place) -> str:
    token = args[0][at[:-1]]
    return f"token {token}: row {token} of the table, column {at[-1]}"


def positional_embedding(weights: paper.Weights, args: Sequence[Any], name: str, at: Place) -> str:
    position, column = at
    wave, two_i = ("cos", column - 1) if column % 2 else ("sin", column)
    return f"{wave}({position} / 10000^({two_i} / dim_vector))"


def transformer_embedding(weights: paper.Weights, args: Sequence[Any], name: str, at: Place) -> str:
    words = paper.token_embedding(args[0], paper.part(weights, "token_embedding"))
    places = paper.positional_embedding(*words.shape[-2:])
    return f"{_n(words[at])} of the token + {_n(places[at[1:]])} of the position"


def attention(weights: paper.Weights, args: Sequence[Any], name: str, at: Place) -> str:
    q, k, v, *rest = args
    with notes() as found:
        paper.calculate_attention(q, k, v, rest[0] if rest else None)
    return _attention({key: value for _, key, value in found}, v, name, at)


def _attention(notes: dict[str, Any], v: Any, name: str, at: Place) -> str:
    scores = notes.get("masked_scores", notes["scores"])[at[:-1]]
    if name in ("attention", "attention_weights"):
        if np.isneginf(scores[at[-1]]):
            return "this key is hidden"
        powers = " + ".join(f"e^{_signed(s)}" for s in scores if not np.isneginf(s))
        return f"e^{_signed(scores[at[-1]])} / ({powers})"
    return _products(notes["weights"][at[:-1]], v[at[:-2]][:, at[-1]])


def multi_head_attention(weights: paper.Weights, args: Sequence[Any], name: str, at: Place) -> str:
    q, k, v, *mask = args
    n_head = int(weights["n_head"])
    if name != "the output":
        raise ValueError(name)
    with notes() as found:
        paper.multi_head_attention(q, k, v, weights, n_head, *mask)
    merged = {key: value for _, key, value in found}["merged_heads"][at[:-1]]
    row, bias = weights["linear.weight"][at[-1]], weights["linear.bias"][at[-1]]
    return f"merged heads times linear: {_products(merged, row)} + {_signed(bias)}"


def layer_norm(weights: paper.Weights, args: Sequence[Any], name: str, at: Place) -> str:
    return _normalised(weights, args[0], at)


def _normalised(weights: paper.Weights, x: Any, at: Place) -> str:
    row, n = x[at[:-1]], at[-1]
    mean, variance = row.mean(), row.var()
    gamma, beta = weights["gamma"][n], weights["beta"][n]
    return (
        f"the vector has mean {_n(mean)} and variance {variance:.5f}: "
        f"{_n(gamma)}·({_n(row[n])} - {_signed(mean)}) / √({variance:.5f} + eps) + {_signed(beta)}"
    )


def add_norm(weights: paper.Weights, args: Sequence[Any], name: str, at: Place) -> str:
    x, sublayer_output = args
    own = paper.part(weights, "layer_norm")
    added = f"{_n(x[at])} + {_signed(sublayer_output[at])} = {_n(x[at] + sublayer_output[at])}"
    return f"{added}; {_normalised(own, x + sublayer_output, at)}"


def feed_forward(weights: paper.Weights, args: Sequence[Any], name: str, at: Place) -> str:
    with notes() as found:
        paper.feed_forward(args[0], weights)
    hidden = {key: value for _, key, value in found}["relu"][at[:-1]]
    row, bias = weights["linear2.weight"][at[-1]], weights["linear2.bias"][at[-1]]
    return f"after relu, times linear2: {_products(hidden, row)} + {_signed(bias)}"


Writer = Callable[[paper.Weights, Sequence[Any], str, Place], str]
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
