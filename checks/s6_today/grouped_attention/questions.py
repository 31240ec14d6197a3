"""Questions about s6_today/grouped_attention.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Case, Draw, among, count, question
from checks.s6_today.grouped_attention.truth import grouped_attention, grouped_attention_shapes
from checks.s6_today.rotary.truth import rotary_table

SPIES = """\
from s6_today.rotary import rotary_table
names, given = GroupedQueryAttention.forward.__globals__, []
attend = names["calculate_attention"]
names["calculate_attention"] = lambda q, k, v, mask: given.append((q, k, v)) or attend(q, k, v)
layer = load(GroupedQueryAttention(8, 2, 1), weights)
cos, sin = (table.double() for table in rotary_table(4, 20))
layer(x, cos, sin, 0), layer(x, cos, sin, start)
names["calculate_attention"] = attend
answer = torch.tensor([not torch.equal(*both) for both in zip(*given)])
"""


@question(
    "cos, sin = torch.ones(1, 1).double(), torch.zeros(1, 1).double()\n"
    "layer = load(GroupedQueryAttention(2 * n_head, n_head, n_kv_head), weights)\n"
    "answer = layer(torch.ones(1, 1, 2 * n_head).double(), cos, sin)[0].flatten()[::2]",
    lesson="Query head h uses head h // (n_head // n_kv_head) of the keys and the values.",
)
def which_head_is_read(draw: Draw) -> Case:
    """Query heads of one group are neighbours, and each group has one head of keys and values."""
    n_head, n_kv_head = draw.one((6, 2), (6, 3), (8, 2), (12, 4))
    dim_vector, group = 2 * n_head, n_head // n_kv_head
    weights = {
        role: np.zeros(shape)
        for role, shape in grouped_attention_shapes(dim_vector, n_head, n_kv_head).items()
    }
    heads = np.arange(float(n_kv_head))
    weights["w_v.weight"] += np.repeat(heads, 2)[:, None] / dim_vector
    weights["linear.weight"] = np.eye(dim_vector)
    cos, sin = rotary_table(2, 1)
    x = np.ones((1, 1, dim_vector))
    right, _ = grouped_attention(x, weights, (n_head, n_kv_head), cos, sin)
    return Case(
        f"There are {n_head} heads of queries and {n_kv_head} heads of keys and values, counted "
        f"from 0. Which head of values do the query heads 0 to {n_head - 1} read?",
        {"n_head": n_head, "n_kv_head": n_kv_head, "weights": weights},
        right.flatten()[::2],
        {
            "tile-for-repeat": np.tile(heads, group),
            "reversed": np.repeat(heads[::-1], group),
            "first-head-for-all": np.zeros(n_head),
            "last-head-for-the-rest": np.minimum(np.arange(n_head), n_kv_head - 1.0),
        },
    )


@question(
    "from s6_today.rotary import rotary_table\n"
    "layer, (cos, sin) = GroupedQueryAttention(24, 6, 2), rotary_table(4, 50)\n"
    "_, cache = layer(torch.ones(1, old, 24), cos, sin)\n"
    "_, cache = layer(torch.ones(1, new, 24), cos, sin, old, None, cache)\n"
    "answer = tuple(cache[0].shape)",
    lesson="The longer cache has n_kv_head heads, and the keys of all tokens, old and new.",
)
def shape_of_the_cache(draw: Draw) -> Case:
    """Heads are repeated for the attention alone, and the new tokens are cached with the old."""
    old, new = draw.one(7, 9, 11), draw.one(2, 3)
    return Case(
        f"dim_vector is 24, n_head is 6, n_kv_head is 2. The keys of {old} tokens are cached, and "
        f"{new} new tokens come, of one sentence. Which shape do the keys of the new cache have?",
        {"old": old, "new": new},
        (1, 2, old + new, 4),
        {
            "cache-keeps-repeated-heads": (1, 6, old + new, 4),
            "newest-not-cached": (1, 2, old, 4),
            "only-new-tokens-cached": (1, 2, new, 4),
        },
    )


@question(
    "answer = numel(GroupedQueryAttention(dim_vector, n_head, n_kv_head))",
    lesson="w_q and linear are square, w_k and w_v have only n_kv_head * dim_split rows.",
)
def how_many_parameters(draw: Draw) -> Case:
    """Two matrices are square, two are narrow, and there are no biases."""
    dim_vector, n_head, n_kv_head = draw.one((24, 6, 2), (40, 10, 2), (12, 6, 2), (60, 6, 3))
    square, narrow = dim_vector**2, dim_vector * n_kv_head * dim_vector // n_head
    right = count(grouped_attention_shapes(dim_vector, n_head, n_kv_head))
    small = 2 * n_kv_head * dim_vector // n_head
    return Case(
        f"dim_vector is {dim_vector}, n_head is {n_head}, n_kv_head is {n_kv_head}. How many "
        "numbers do the four linear layers have together?",
        {"dim_vector": dim_vector, "n_head": n_head, "n_kv_head": n_kv_head},
        right,
        {
            "keys-and-values-wide": 4 * square,
            "values-wide": 3 * square + narrow,
            "biases": right + 2 * dim_vector + small,
            "biases-but-at-the-end": right + dim_vector + small,
            "one-layer-for-both": right - narrow,
        },
    )


@question(SPIES, lesson="Queries and keys are turned, values are not.")
def what_is_turned(draw: Draw) -> Case:
    """The place decides where to read, so it is in queries and keys and not in values."""
    start = draw.one(3, 5, 8)
    x = draw.normal(1, 3, 8)
    return Case(
        f"The same three tokens come twice, first with start 0, then with start {start}. Which of "
        "the tensors that calculate_attention gets are different the second time?",
        {
            "x": x,
            "start": start,
            "weights": draw.weights(grouped_attention_shapes(8, 2, 1)),
        },
        np.array([True, True, False]),
        {
            "values-turned-too": np.array([True, True, True]),
            "queries-turned-alone": np.array([True, False, False]),
            "keys-turned-alone": np.array([False, True, False]),
            "values-turned-for-keys": np.array([True, False, True]),
            "nothing-turned": np.array([False, False, False]),
        },
        among("queries", "keys", "values"),
    )
