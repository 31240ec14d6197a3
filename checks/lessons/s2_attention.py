"""The number tables of stage 2."""

import numpy as np

from checks.lessons.layout import grid, names, table
from checks.truth import paper

Q = np.array([[2.0, 0, 0, 0], [0, 2, 2, 0]])
K = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [2, 1, 1, 0]])
V = np.array([[10.0, 0, 0, 1], [0, 10, 0, 1], [0, 0, 10, 1]])


@table
def attention() -> str:
    """The weights and the mixed values side by side, without a mask and with one."""
    free = np.hstack(paper.calculate_attention(Q, K, V)[::-1])
    masked = np.hstack(paper.calculate_attention(Q[:1], K, V, mask=[1, 1, 0])[::-1])
    rows = ["query 0", "query 1", "query 0, key 2 masked"]
    return grid(np.vstack([free, masked]), rows, [*names("key", 3), *names("out", 4)])


@table
def why_the_root() -> str:
    raw = np.array([8.0, 0, -8])
    scores = np.stack([raw, raw / np.sqrt(64)])
    weights = paper.softmax(scores)
    slope = weights[:, :1] * (1 - weights[:, :1])  # The slope of weight 0 as score 0 grows.
    columns = [*names("score", 3), *names("weight", 3), "slope 0"]
    return grid(np.hstack([scores, weights, slope]), ["raw", "divided by 8"], columns)


@table
def split_into_heads() -> str:
    """Four tokens of six features for two heads; 21 is token 2, feature 1."""
    x = 10 * np.arange(4)[:, None] + np.arange(6)
    by_features, by_memory = np.split(x, 2, axis=-1), x.reshape(2, 4, 3)
    lines = [" " * 11 + "by features            by memory", " " * 11 + 2 * "head 0     head 1     "]
    for token in range(4):
        heads = [head[token] for way in (by_features, by_memory) for head in way]
        cells = ["".join(f"{number:3d}" for number in head) for head in heads]
        lines.append(f"token {token}  " + "  ".join(cells))
    return "\n".join(line.rstrip() for line in lines)


@table
def multi_head_attention() -> str:
    x = np.array([[[3.0, 0, 0, 0, 0, 1], [0, 3, 0, 0, 0, 1], [0, 0, 3, 2, 0, 0]]])
    square = {"weight": np.eye(6), "bias": np.zeros(6)}
    weights = {
        f"{layer}.{role}": w
        for layer in ("w_q", "w_k", "w_v", "linear")
        for role, w in square.items()
    }
    heads = paper.multi_head_weights(x, x, weights, n_head=2)[0]
    out = paper.multi_head_attention(x, x, x, weights, n_head=2)[0]
    queries = names("query", 3)
    weights_of_heads = grid(np.hstack(list(heads)), queries, 2 * names("key", 3))
    title = "         head 0                    head 1"
    return "\n".join([title, weights_of_heads, "", grid(out, queries, names("out", 6))])


@table
def layer_norm() -> str:
    rows = {
        "1 … 6": np.arange(1.0, 7),
        "101 … 106": np.arange(101.0, 107),
        "10 … 60": np.arange(10.0, 70, 10),
        "all 4": np.full(6, 4.0),
        "0.001 … 0.006": np.arange(1.0, 7) / 1000,
    }
    weights = {"gamma": np.ones(6), "beta": np.zeros(6)}
    out = paper.layer_norm(np.stack(list(rows.values())), weights)
    return grid(out, list(rows), names("out", 6))


@table
def add_norm() -> str:
    x = np.array([1.0, 2, 3, 4, 5, 6])
    weights = {"layer_norm.gamma": np.ones(6), "layer_norm.beta": np.zeros(6)}
    outputs = {
        "all zeros": np.zeros(6),
        "the opposite": -x,
        "the mirror image": 7 - 2 * x,
        "one strong feature": np.array([0.0, 0, 0, 0, 0, 9]),
    }
    out = [paper.add_norm(x, output, weights) for output in outputs.values()]
    return grid(out, list(outputs), names("out", 6), corner="sublayer output")


@table
def feed_forward() -> str:
    pairs = np.repeat(np.eye(3), 2, axis=1) * [1, -1, 1, -1, 1, -1]
    weights = {
        "linear1.weight": pairs,
        "linear1.bias": np.zeros(3),
        "linear2.weight": pairs.T,
        "linear2.bias": np.zeros(6),
    }
    x = np.array([[5.0, 2, 1, 4, 3, 3], [-5, -2, -1, -4, -3, -3]])
    hidden = x @ pairs.T
    columns = [*names("hidden", 3), *names("out", 6)]
    out = paper.feed_forward(x, weights)
    return grid(np.hstack([np.maximum(0, hidden), out]), ["x", "-x"], columns, decimals=0)
