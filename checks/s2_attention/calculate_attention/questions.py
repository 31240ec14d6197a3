"""Questions about s2_attention/calculate_attention.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.questions.kinds import Array, Case, Draw, moved, question, which
from checks.truth.paper import calculate_attention, softmax

WEIGHTS = "out, attention = calculate_attention(q, k, v, mask)\nanswer = attention[0, 0, {}]"
FOUR = "There are 4 tokens, and each may attend to itself and to the tokens before it."


@question(
    "out, attention = calculate_attention(q, k, v, mask)\nanswer = tuple(attention.shape)",
    lesson="attention  (batch_size, n_head, q_len, k_len)",
    typed=True,
)
def shape_of_the_weights(draw: Draw) -> Case:
    """The weights have a row for each query and a column for each key, in every head."""
    q_len, k_len, n_head, dim_split = draw.sizes(4)
    q, k, v = (draw.normal(2, n_head, n, dim_split) for n in (q_len, k_len, k_len))
    mask = np.ones((2, 1, 1, k_len), bool)
    out, weights = calculate_attention(q, k, v, mask)
    return Case(
        f"2 sentences, {n_head} heads of {dim_split} features, {q_len} queries, {k_len} keys. The "
        f"mask has shape {mask.shape}. Which shape do the attention weights have?",
        {"q": q, "k": k, "v": v, "mask": mask},
        weights.shape,
        {
            "order-of-results": out.shape,
            "weights-averaged-over-heads": weights.mean(1).shape,
            "mask-one-axis-too-many": np.broadcast_shapes(weights.shape, mask[:, None].shape),
        },
    )


@question(
    "out, attention = calculate_attention(q, k, v)\nanswer = tuple(out.shape)",
    lesson="q     (batch_size, n_head, q_len, dim_split)       out        like q",
)
def shape_of_the_output(draw: Draw) -> Case:
    """Each query gets a mixture of the values, so the output has the shape of q."""
    q_len, k_len, n_head, dim_split = draw.sizes(4)
    q, k, v = (draw.normal(1, n_head, n, dim_split) for n in (q_len, k_len, k_len))
    out, weights = calculate_attention(q, k, v)
    return Case(
        f"q has shape {q.shape}. k and v have shape {k.shape}. Which shape does the output have?",
        {"q": q, "k": k, "v": v},
        out.shape,
        {
            "order-of-results": weights.shape,
            "heads-merged-already": (1, q_len, n_head * dim_split),
            "squeezed": out.squeeze().shape,
        },
    )


def _one_query(draw: Draw, dim_split: int) -> tuple[dict[str, Array], Array]:
    """A query and three keys with different dot products, and these products."""
    products = 2 * draw.random.permutation(np.arange(-1, 5))[:3].astype(float)
    q, k = np.zeros((1, 1, 1, dim_split)), np.zeros((1, 1, 3, dim_split))
    q[..., 0], k[..., 0] = 2, products / 2
    return {"q": q, "k": k, "v": draw.whole(1, 1, 3, dim_split)}, products


def _list(numbers: Any) -> str:
    *first, last = (f"{n:g}" for n in numbers)
    return f"{', '.join(first)} and {last}"


@question(
    WEIGHTS.format(0).replace(", mask", ""),
    lesson="score     = q · k / sqrt(dim_split)",
)
def weights_of_a_query(draw: Draw) -> Case:
    """The dot products are divided by √dim_split, then the softmax makes weights of them."""
    dim_split = draw.one(4, 9, 16)
    given, products = _one_query(draw, dim_split)
    score = products / dim_split**0.5
    return Case(
        f"dim_split is {dim_split}. The dot products of a query with three keys are "
        f"{_list(products)}. Which weights do the keys get?",
        given,
        calculate_attention(**given)[1][0, 0, 0],
        {
            "no-scale": softmax(products),
            "scale-without-root": softmax(products / dim_split),
            "scale-multiplied": softmax(products * dim_split**0.5),
            "scale-after-softmax": softmax(products) / dim_split**0.5,
            "softmin": softmax(-score),
            "sigmoid": 1 / (1 + np.exp(-score)),
            "no-softmax": score,
        },
    )


@question(WEIGHTS.format(0), lesson="Then the weights of the other two keys sum to 1.")
def weights_with_a_masked_key(draw: Draw) -> Case:
    """A masked key gets weight 0, and the other keys share the whole 1."""
    given, products = _one_query(draw, 4)
    key, score = draw.one(0, 1, 2), products / 2
    seen = np.arange(3) != key
    given["mask"] = seen[None, None, None]
    plain = softmax(score)
    return Case(
        f"The scores of a query for three keys are {_list(score)}, after the division by "
        f"√dim_split. The mask hides key {key}. Which weights do the keys get?",
        given,
        calculate_attention(**given)[1][0, 0, 0],
        {
            "mask-ignored": plain,
            "mask-inverted": softmax(np.where(seen, -np.inf, score)),
            "fill-zero": softmax(np.where(seen, score, 0)),
            "mask-after-softmax": plain * seen,
            "mask-added": softmax(score + seen),
        },
    )


def _sentence(draw: Draw, length: int = 4) -> dict[str, Array]:
    q, k, v = (draw.normal(1, 1, length, 2) for _ in "qkv")
    return {"q": q, "k": k, "v": v, "mask": np.tri(length, dtype=bool)[None, None]}


@question(
    "def of(k):\n    return calculate_attention(q, k, v, mask)[0]\n"
    "answer = moved(of, k, (0, 0, token)).any(-1)[0, 0]",
    lesson="**The mask** says which keys a query may attend to.",
)
def outputs_that_a_key_moves(draw: Draw) -> Case:
    """Only queries that may attend to a key notice when it changes."""
    given, token = _sentence(draw), draw.one(1, 2)
    q, k, v, mask = given.values()

    def with_mask(mask: Array) -> Array:
        def of(k: Array) -> Array:
            return calculate_attention(q, k, v, mask)[0]

        return moved(of, k, (0, 0, token)).any(-1)[0, 0]

    return Case(
        f"{FOUR} The key of token {token} changes a little. Which outputs change?",
        {**given, "token": token},
        with_mask(mask),
        {
            "mask-ignored": with_mask(mask | True),
            "mask-of-first-query": with_mask(mask[..., :1, :]),
            "mask-transposed": with_mask(mask.swapaxes(-2, -1)),
        },
        which("output"),
    )


@question(
    "def of(v):\n    return calculate_attention(q, k, v, mask)[0][0, 0, query]\n"
    "answer = ~reached(of, v)[0].any(-1)[0, 0]",
    lesson="**The mask** says which keys a query may attend to.",
)
def values_without_a_gradient(draw: Draw) -> Case:
    """A masked key has weight 0, so its value is not in the output and gets no gradient."""
    given, query = _sentence(draw), draw.one(1, 2)
    q, k, v, mask = given.values()

    def with_mask(mask: Array) -> Array:
        def of(v: Array) -> Array:
            return calculate_attention(q, k, v, mask)[0][0, 0, query]

        return np.array([not moved(of, v, (0, 0, token)).any() for token in range(4)])

    return Case(
        f"{FOUR} The loss reads only the output of token {query}. "
        "The values of which tokens get no gradient?",
        {**given, "query": query},
        with_mask(mask),
        {
            "mask-ignored": with_mask(mask | True),
            "mask-transposed": with_mask(mask.swapaxes(-2, -1)),
            "mask-of-first-query": with_mask(mask[..., :1, :]),
            "values-detached": np.ones(4, bool),
        },
        which("token"),
    )
