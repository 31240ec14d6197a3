"""The equations of "Attention Is All You Need" in NumPy float64: the truth for all checks.

Here are the parts of a layer; `models.py` puts them together.

Section numbers are those of the paper (Vaswani et al. 2017, arXiv 1706.03762). No torch here.

`weights` is a dictionary from a role to its numbers. A role is the dotted name that the course
gives a parameter ("self_attention.w_q.weight"); the functions named `…_shapes` list the roles.
Matrices are stored as PyTorch stores them: (out, in). Masks: 0 or False masks a key.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from checks.engine.notes import note, noting

Array = NDArray[np.float64]
Weights = Mapping[str, Array]
Shapes = dict[str, tuple[int, ...]]

EPS = 1e-5  # For layer normalisation: PyTorch's value, as the paper gives none.


def part(weights: Weights, name: str) -> dict[str, Array]:
    """The weights of the part `name`: {"linear1.bias": b} -> {"bias": b} for "linear1"."""
    prefix = name + "."
    return {role[len(prefix) :]: w for role, w in weights.items() if role.startswith(prefix)}


def whole(**parts: Shapes) -> Shapes:
    """The reverse of `part`, for shapes; double underscores in a name stand for a dot."""
    return {
        f"{name.replace('__', '.')}.{role}": shape
        for name, shapes in parts.items()
        for role, shape in shapes.items()
    }


# Section 3.4: embeddings


def token_embedding(tokens: ArrayLike, weights: Weights) -> Array:
    """Row `token` of the table for each token. Without the factor sqrt(dim_vector)."""
    return weights["embedding.weight"][np.asarray(tokens)]


def token_embedding_shapes(vocab_size: int, dim_vector: int) -> Shapes:
    return {"embedding.weight": (vocab_size, dim_vector)}


# Section 3.5: positional encoding


def positional_embedding(max_len: int, dim_vector: int) -> Array:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos(pos / 10000^(2i/d))."""
    table = np.empty((max_len, dim_vector))
    for position in range(max_len):
        for column in range(dim_vector):
            two_i = column - column % 2
            angle = position / 10000 ** (two_i / dim_vector)
            table[position, column] = np.sin(angle) if column % 2 == 0 else np.cos(angle)
    return table


@noting
def transformer_embedding(tokens: ArrayLike, weights: Weights) -> Array:
    """The sum of the two embeddings (sections 3.4 and 3.5)."""
    words = token_embedding(tokens, part(weights, "token_embedding"))
    places = positional_embedding(*words.shape[-2:])
    note(token_embedding=words, positional_embedding=places)
    return words + places


@noting
def scaled_embedding(tokens: ArrayLike, weights: Weights) -> Array:
    """The same with the factor of section 3.4: the word vectors times sqrt(dim_vector)."""
    words = token_embedding(tokens, part(weights, "token_embedding"))
    scaled = words * np.sqrt(words.shape[-1])
    places = positional_embedding(*words.shape[-2:])
    note(token_embedding=words, scaled=scaled, positional_embedding=places)
    return scaled + places


def transformer_embedding_shapes(vocab_size: int, dim_vector: int) -> Shapes:
    return whole(token_embedding=token_embedding_shapes(vocab_size, dim_vector))


# Section 3.2: attention


def softmax(scores: Array) -> Array:
    """exp(s) over its sum along the last axis; shifted by the maximum, which changes nothing."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@noting
def calculate_attention(
    q: Array, k: Array, v: Array, mask: ArrayLike | None = None
) -> tuple[Array, Array]:
    """Equation 1: softmax(q kᵀ / sqrt(d_k)) v, and the softmax itself.

    Section 3.2.3: masked scores are set to minus infinity before the softmax.
    """
    products = np.einsum("...qd,...kd->...qk", q, k)
    scores = products / np.sqrt(q.shape[-1])
    note(products=products, scores=scores)
    if mask is not None:
        scores = np.where(np.asarray(mask) == 0, -np.inf, scores)
        note(masked_scores=scores)
    attention = softmax(scores)
    note(weights=attention)
    return np.einsum("...qk,...kd->...qd", attention, v), attention


def linear(x: Array, weights: Weights) -> Array:
    """x Wᵀ + b."""
    return x @ weights["weight"].T + weights["bias"]


def linear_shapes(n_in: int, n_out: int) -> Shapes:
    return {"weight": (n_out, n_in), "bias": (n_out,)}


def multi_head_weights(
    q: Array, k: Array, weights: Weights, n_head: int, mask: ArrayLike | None = None
) -> Array:
    """The attention weights of every head, (batch_size, n_head, q_len, k_len)."""
    queries = linear(q, part(weights, "w_q"))
    keys = linear(k, part(weights, "w_k"))
    note(w_q=queries, w_k=keys)
    heads = np.split(np.arange(q.shape[-1]), n_head)
    hidden = None if mask is None else np.broadcast_to(mask, (len(q), n_head, *_last_two(q, k)))
    return np.stack(
        [
            calculate_attention(
                queries[..., columns],
                keys[..., columns],
                keys[..., columns],
                None if hidden is None else hidden[:, h],
            )[1]
            for h, columns in enumerate(heads)
        ],
        axis=1,
    )


def _last_two(q: Array, k: Array) -> tuple[int, int]:
    return q.shape[-2], k.shape[-2]


@noting
def multi_head_attention(
    q: Array, k: Array, v: Array, weights: Weights, n_head: int, mask: ArrayLike | None = None
) -> Array:
    """Section 3.2.2: Concat(head_1 ... head_h) W^O; each head has its own columns."""
    values = linear(v, part(weights, "w_v"))
    attention = multi_head_weights(q, k, weights, n_head, mask)
    heads = [
        attention[:, h] @ values[..., columns]
        for h, columns in enumerate(np.split(np.arange(v.shape[-1]), n_head))
    ]
    merged = np.concatenate(heads, axis=-1)
    note(w_v=values, attention_weights=attention, merged_heads=merged)
    return linear(merged, part(weights, "linear"))


def multi_head_attention_shapes(dim_vector: int) -> Shapes:
    square = linear_shapes(dim_vector, dim_vector)
    return whole(w_q=square, w_k=square, w_v=square, linear=square)


# Section 3.1: residual connection and layer normalisation


@noting
def layer_norm(x: Array, weights: Weights, eps: float = EPS) -> Array:
    """Ba et al. 2016, equation 3: over the features of one vector, variance divided by n."""
    average = np.full((x.shape[-1], 1), 1 / x.shape[-1])  # A product: numpy is slow on short axes.
    mean = x @ average
    centred = x - mean
    variance = centred**2 @ average
    deviation = np.sqrt(variance + eps)
    normalised = centred / deviation
    note(mean=mean, centred=centred, variance=variance, deviation=deviation)
    note(normalised=normalised)
    return weights["gamma"] * normalised + weights["beta"]


def layer_norm_shapes(dim_vector: int) -> Shapes:
    return {"gamma": (dim_vector,), "beta": (dim_vector,)}


@noting
def add_norm(x: Array, sublayer_output: Array, weights: Weights) -> Array:
    """LayerNorm(x + Sublayer(x))."""
    note(sum=x + sublayer_output)
    return layer_norm(x + sublayer_output, part(weights, "layer_norm"))


def add_norm_shapes(dim_vector: int) -> Shapes:
    return whole(layer_norm=layer_norm_shapes(dim_vector))


# Section 3.3: position-wise feed-forward network


@noting
def feed_forward(x: Array, weights: Weights) -> Array:
    """Equation 2: max(0, x W1 + b1) W2 + b2."""
    widened = linear(x, part(weights, "linear1"))
    hidden = np.maximum(0, widened)
    note(linear1=widened, relu=hidden)
    return linear(hidden, part(weights, "linear2"))


def feed_forward_shapes(dim_vector: int, dim_hidden: int) -> Shapes:
    return whole(
        linear1=linear_shapes(dim_vector, dim_hidden),
        linear2=linear_shapes(dim_hidden, dim_vector),
    )
