"""Questions about s2_attention/multi_head_attention.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, moved, question, which
from checks.truth.paper import (
    calculate_attention,
    linear_shapes,
    multi_head_attention,
    multi_head_attention_shapes,
    multi_head_weights,
)

LAYER = "layer = load(MultiHeadAttention(x.size(-1), n_head), weights)\n"


def _plain(dim_vector: int) -> dict[str, Array]:
    """Weights with which the four linear layers pass on their input."""
    parts = ("w_q", "w_k", "w_v", "linear")
    eye, zeros = np.eye(dim_vector), np.zeros(dim_vector)
    return {f"{p}.{w}": eye if w == "weight" else zeros for p in parts for w in ("weight", "bias")}


@question(
    "layer = MultiHeadAttention(q.size(-1), n_head)\nlayer(q, k, k)\n"
    "answer = tuple(layer.attention_weights.shape)",
    lesson="The weights of all heads are kept, `(batch_size, n_head, q_len, k_len)`, so that you "
    "can draw them.",
)
def shape_of_the_kept_weights(draw: Draw) -> Case:
    """Every head keeps its own weights: a row for each query, a column for each key."""
    batch_size, q_len, k_len, n_head = draw.sizes(4)
    dim_vector = n_head * draw.one(2, 4, 5)
    q, k = draw.normal(batch_size, q_len, dim_vector), draw.normal(batch_size, k_len, dim_vector)
    weights = multi_head_weights(q, k, _plain(dim_vector), n_head)
    return Case(
        f"dim_vector is {dim_vector}, and there are {n_head} heads. q has shape {q.shape}, "
        f"k and v have shape {k.shape}. Which shape has attention_weights?",
        {"q": q, "k": k, "n_head": n_head},
        weights.shape,
        {
            "heads-ignored": weights[:, :1].shape,
            "weights-averaged": weights.mean(1).shape,
            "weights-of-first-sentence": weights[0].shape,
            "weights-transposed": weights.swapaxes(-2, -1).shape,
            "output-kept-for-weights": (batch_size, n_head, q_len, dim_vector // n_head),
        },
    )


@question(
    "layer = MultiHeadAttention(x.size(-1), n_head)\nanswer = layer.split(x)[0, head]",
    lesson="Head 0 needs the features 0 to 2 of *every* token.",
)
def what_a_head_sees(draw: Draw) -> Case:
    """The last axis is cut into heads, so each head has some features of every token."""
    n_head, length = draw.one((2, 3), (3, 3), (3, 2))
    head, width = draw.one(*range(1, n_head)), 2
    token, feature = np.indices((length, n_head * width))
    x = 10 * token + feature
    return Case(
        f"{length} tokens of {n_head * width} features are split into {n_head} heads. In the "
        f"input, 11 is token 1, feature 1. What does head {head} see of the tokens "
        f"0 to {length - 1}?",
        {"x": x[None], "n_head": n_head, "head": head},
        x[:, head * width : (head + 1) * width],
        {
            "split-without-transpose": x.reshape(n_head, length, width)[head],
            "heads-take-every-nth-feature": x[:, head::n_head],
            "all-heads-read-the-first": x[:, :width],
        },
    )


@question(
    "answer = sum(p.numel() for p in MultiHeadAttention(dim_vector, n_head).parameters())",
    lesson="The number of parameters is the same: 4 · (dim_vector² + dim_vector), here 168.",
)
def how_many_parameters(draw: Draw) -> Case:
    """There are four linear layers with biases, and their size does not depend on n_head."""
    n_head, dim_vector = draw.one((2, 6), (3, 6), (2, 8), (4, 8), (5, 10))
    shapes = multi_head_attention_shapes(dim_vector)
    size, width = count(shapes), dim_vector // n_head
    small = count(linear_shapes(width, width))
    return Case(
        f"dim_vector is {dim_vector}, n_head is {n_head}. How many numbers does the layer learn?",
        {"dim_vector": dim_vector, "n_head": n_head},
        size,
        {
            "no-biases": size - 4 * dim_vector,
            "output-projection-missing": size * 3 // 4,
            "unused-layer": size * 5 // 4,
            "small-matrix-for-all-heads": size // 4 + 3 * small,
            "one-projection-for-three": size // 2,
        },
    )


@question(
    LAYER + "def of(k):\n    layer(x, k, x)\n    return layer.attention_weights\n"
    "answer = moved(of, x, (0, 1, feature)).any((-2, -1))[0]",
    lesson="Head 0 needs the features 0 to 2 of *every* token.",
)
def heads_that_a_feature_moves(draw: Draw) -> Case:
    """A head computes its scores from its own features only."""
    n_head, width = 3, draw.one(2, 3)
    feature, weights = draw.one(*range(n_head * width)), _plain(n_head * width)
    x = draw.normal(1, 4, n_head * width)

    def of_features(*heads: list[int]) -> Array:
        def of(k: Array) -> Array:
            return np.stack([calculate_attention(x[..., f], k[..., f], x)[1] for f in heads], 1)

        return moved(of, x, (0, 1, feature)).any((-2, -1))[0]

    def of(k: Array) -> Array:
        return multi_head_weights(x, k, weights, n_head)

    features = list(range(n_head * width))
    by_memory = x.shape[1] * width  # Head h has these many numbers of the whole sentence.
    place = (n_head * width + feature) // by_memory
    return Case(
        f"{n_head} heads share {n_head * width} features. w_q and w_k pass their input on "
        f"unchanged. Feature {feature} of key 1 changes. In which heads do the attention weights "
        "change?",
        {"x": x, "weights": weights, "n_head": n_head, "feature": feature},
        moved(of, x, (0, 1, feature)).any((-2, -1))[0],
        {
            "heads-take-every-nth-feature": of_features(*(features[h::n_head] for h in range(3))),
            "heads-ignored-weights-repeated": of_features(features, features, features),
            "all-heads-read-the-first": of_features(*[features[:width]] * 3),
            "split-without-transpose": np.arange(n_head) == place,
        },
        which("head"),
    )


@question(
    LAYER + "answer = layer(x, x, x, mask)[0, 0]",
    lesson="The mask goes on to attention without a change.",
)
def one_visible_key(draw: Draw) -> Case:
    """With one visible key, the whole weight goes to it in every head."""
    dim_vector, weights = 4, _plain(4)
    x, key = draw.whole(1, 3, dim_vector, low=0, high=2), draw.one(1, 2)
    mask = (np.arange(3) == key)[None, None, None]
    first, second = x[..., :2], x[..., 2:]

    def one(mask: Array) -> Array:
        return multi_head_attention(x, x, x, weights, 2, mask)[0, 0]

    rows = "\n".join(
        f"  token {n}: " + " ".join(f"{v:g}" for v in row) for n, row in enumerate(x[0])
    )
    return Case(
        "Three tokens of 4 features, 2 heads. The four linear layers pass on their input "
        f"unchanged:\n{rows}\n"
        f"The mask shows only key {key}. What is the output of token 0?",
        {"x": x, "weights": weights, "n_head": 2, "mask": mask},
        one(mask),
        {
            "mask-not-handed-on": one(mask | True),
            "mask-inverted": one(~mask),
            "merge-heads-reversed": np.concatenate([second, first], -1)[0, key],
            "heads-averaged": np.tile((first + second)[0, key] / 2, 2),
            "residual-inside": x[0, 0] + x[0, key],
            "all-heads-read-the-first": np.tile(first[0, key], 2),
        },
    )
