"""The number tables of stage 6."""

from itertools import pairwise

import numpy as np

from checks.lessons.layout import drawn, grid, names, table
from checks.s6_today.byte_pairs import truth as pairs
from checks.s6_today.gated_feed_forward.truth import gated_feed_forward, silu
from checks.s6_today.grouped_attention.truth import grouped_attention, grouped_attention_shapes
from checks.s6_today.language_model.truth import (
    Sizes,
    language_model,
    language_model_shapes,
)
from checks.s6_today.rms_norm.truth import rms_norm as rms_norm_of
from checks.s6_today.rotary.truth import rotary_table, rotate
from checks.s6_today.sampling.truth import filtered
from checks.truth.paper import Array, softmax

# 6.1 RMS norm


@table
def rms_norm() -> str:
    rows = {
        "1 … 6": np.arange(1.0, 7),
        "101 … 106": np.arange(101.0, 107),
        "10 … 60": np.arange(10.0, 70, 10),
        "all 4": np.full(6, 4.0),
        "0.001 … 0.006": np.arange(1.0, 7) / 1000,
    }
    out = rms_norm_of(np.stack(list(rows.values())), {"gamma": np.ones(6)})
    return grid(out, list(rows), names("out", 6))


@table
def squares_in_half_precision() -> str:
    """The same vector, its squares in float16 and in float32, and what the norm makes of it."""
    x = np.array([100.0, 200, 300, 400])
    rows = {"x": x}
    for dtype in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            squares = x.astype(dtype) ** 2
        rows[f"squares in {dtype.__name__}"] = squares.astype(float)
        rows[f"out, from {dtype.__name__}"] = x / np.sqrt(squares.mean() + 1e-5)
    return grid(list(rows.values()), list(rows), names("entry", 4), decimals=2)


# 6.2 rotary


@table
def rotary() -> str:
    """A vector of two pairs, turned to the positions 0 to 3."""
    cos, sin = rotary_table(4, 4, base=100.0)
    x = np.broadcast_to(np.array([1.0, 0, 2, 0]), (1, 1, 4, 4))
    out = rotate(x, cos, sin)[0, 0]
    angles = np.arange(4)[:, None] * [1, 0.1]
    norms = np.linalg.norm(out, axis=-1, keepdims=True)
    columns = [*names("angle", 2), *names("out", 4), "norm"]
    return grid(np.hstack([angles, out, norms]), names("position", 4), columns)


def as_halves(x: Array) -> Array:
    """The features in the order in which halves, turned as neighbours, are the pairs of halves."""
    return x.reshape(*x.shape[:-1], 2, -1).swapaxes(-2, -1).reshape(x.shape)


@table
def rotary_scores() -> str:
    """The dot product of one query and one key, by distance and by the place of the key."""
    cos, sin = rotary_table(4, 104, base=100.0)
    q, k = np.array([1.0, 2, 3, 1]), np.array([2.0, 1, 1, 3])
    rows = {}
    for pairing in ("neighbours", "halves"):
        query, key = (q, k) if pairing == "neighbours" else (as_halves(q), as_halves(k))
        queries = np.broadcast_to(query, (1, 1, 4, 4))
        for place in (0, 100):
            turned = rotate(key[None, None, None], cos, sin, place)[0, 0, 0]
            rows[f"{pairing}, key at {place}"] = rotate(queries, cos, sin, place)[0, 0] @ turned
    return grid(np.stack(list(rows.values())), list(rows), names("distance", 4))


# 6.3 Gated feed-forward network


@table
def gates() -> str:
    """What three activations make of the same numbers."""
    z = np.array([-6.0, -4, -2, -1, 0, 1, 2, 4, 6])
    rows = {"ReLU": np.maximum(0, z), "sigmoid": 1 / (1 + np.exp(-z)), "SiLU": silu(z)}
    return grid(list(rows.values()), list(rows), [f"{n:g}" for n in z], 3, "z")


@table
def gated_network() -> str:
    pairs = np.repeat(np.eye(3), 2, axis=1)
    weights = {
        "gate.weight": pairs * [1, -1, 1, -1, 1, -1],
        "up.weight": pairs,
        "down.weight": pairs.T,
    }
    x = np.array([5.0, 2, 1, 4, 3, 3])
    gate, up = weights["gate.weight"] @ x, weights["up.weight"] @ x
    hidden = grid(
        [gate, silu(gate), up, silu(gate) * up],
        ["gate(x)", "silu(gate(x))", "up(x)", "product"],
        names("hidden", 3),
    )
    out = grid([gated_feed_forward(x, weights)], ["down(product)"], names("out", 6))
    return f"{hidden}\n\n{out}"


@table
def sizes_of_networks() -> str:
    """How many numbers the networks of step 2.5 and of this step have at several widths."""
    rows = {
        "step 2.5, without biases": (512, 2048, 2),
        "gated, as wide": (512, 2048, 3),
        "gated, two thirds as wide": (512, 1365, 3),
        "gated, the model of step 6.8": (576, 1536, 3),
    }
    cells = [
        [f"{n:,}" for n in (width, hidden, matrices, width * hidden * matrices)]
        for width, hidden, matrices in rows.values()
    ]
    heads = ["dim_vector", "dim_hidden", "matrices", "numbers"]
    lines = ["  ".join(f"{cell:>10}" for cell in line) for line in (heads, *cells)]
    return "\n".join(f"{name:<28}  {line}" for name, line in zip(["", *rows], lines))


# 6.4 grouped attention


@table
def shared_heads() -> str:
    """Which of two heads of values six query heads read: each repeated in its place, or both as a
    whole.
    """
    shapes = grouped_attention_shapes(24, 6, 2)
    weights = {role: np.zeros(shape) for role, shape in shapes.items()}
    weights["w_v.weight"][4:] = 1 / 24
    weights["linear.weight"] = np.eye(24)
    out, (_, values) = grouped_attention(np.ones((1, 1, 24)), weights, (6, 2), *rotary_table(4, 1))
    rows = [out.reshape(6, 4).mean(axis=-1), np.tile(values[0, :, 0, 0], 3)]
    return grid(rows, ["repeat_interleave", "repeat (wrong)"], names("head", 6), decimals=0)


@table
def sizes_of_the_cache() -> str:
    """Keys and values of all layers: numbers per token, and megabytes for the longest text."""
    num_layer, dim_split, max_len, bytes_each = 30, 64, 8192, 2
    rows = {"9, one for each": 9, "3, as it is": 3, "1 for all": 1}
    numbers = np.array([2 * num_layer * n_kv_head * dim_split for n_kv_head in rows.values()])
    megabytes = numbers * max_len * bytes_each / 1e6
    columns = ["numbers per token", "MB for 8192 tokens"]
    return grid(
        np.stack([numbers, megabytes], axis=1), list(rows), columns, 0, corner="heads of keys"
    )


# 6.5 language model

WORDS = ["we", "go", "home", "."]


@table
def table_in_and_out() -> str:
    """The scores of a model without layers: the normalised rows of its table times all rows."""
    rows = np.array([[2.0, 0, 0, 0], [0, 2, 0, 0], [0, 2, 2, 0], [1, 1, 1, 1]])
    weights = {"embedding.weight": rows, "norm.gamma": np.ones(4)}
    logits, _ = language_model(np.arange(4)[None], weights, Sizes(1, 1, 0))
    return grid(logits[0], WORDS, WORDS, corner="token")


@table
def mask_behind_a_cache() -> str:
    """Two new tokens behind three cached ones: a row for each, a column for each token so far."""
    ones = np.ones((2, 5))
    return drawn({"tril(diagonal=3)": np.tril(ones, 3), "tril() (wrong)": np.tril(ones)})


@table
def first_losses() -> str:
    """The first loss on random tokens, for three standard deviations of the table."""
    rng, vocab_size, sizes = np.random.default_rng(5), 300, Sizes(6, 2, 2)
    shapes = language_model_shapes(vocab_size, 24, 6, 2, 64, 2)
    weights = {
        role: np.ones(shape) if len(shape) == 1 else rng.normal(size=shape) / shape[-1] ** 0.5
        for role, shape in shapes.items()
    }
    tokens, rows = rng.integers(vocab_size, size=(8, 64)), {}
    for std in (1.0, 0.2, 0.02):
        own = weights | {"embedding.weight": std * rng.normal(size=(vocab_size, 24))}
        shares = softmax(language_model(tokens, own, sizes)[0][:, :-1])
        right = np.take_along_axis(shares, tokens[:, 1:, None], -1)
        rows[f"{std:g}"] = [-np.log(right).mean(), np.log(vocab_size)]
    return grid(list(rows.values()), list(rows), ["first loss", "ln(300)"], 2, "std")


@table
def numbers_to_learn() -> str:
    """The numbers of the model of step 6.8, in millions, with one table and with two."""
    sizes = (49_152, 576, 9, 3, 1536, 30)
    table_alone = sizes[0] * sizes[1]
    whole = sum(int(np.prod(shape)) for shape in language_model_shapes(*sizes).values())
    rows = {
        "table": table_alone,
        "30 layers and the closing norm": whole - table_alone,
        "whole, one table": whole,
        "whole, two tables": whole + table_alone,
    }
    return grid(np.array([*rows.values()])[:, None] / 1e6, list(rows), ["millions"], 1)


# 6.6 sampling

NEXT = dict(zip(("mat", "sofa", "roof", "moon", "of"), (0.40, 0.25, 0.15, 0.12, 0.08)))


def left(**how: float) -> Array:
    """The probabilities of the five words after these filters."""
    logits = np.log(list(NEXT.values()))[None]
    return softmax(filtered(logits, **how)[0])  # type: ignore[arg-type]


@table
def temperatures() -> str:
    rows = {f"temperature {t:g}": left(temperature=t) for t in (1, 0.5, 2, 0)}
    return grid(list(rows.values()), list(rows), list(NEXT))


@table
def filters() -> str:
    """What each filter leaves. In the last row top_p comes first."""
    by_p = np.where(left(top_p=0.75) > 0, np.log(list(NEXT.values())), -np.inf)
    rows = {
        "no filter": left(),
        "top_k 3": left(top_k=3),
        "top_k 3, top_p 0.75": left(top_k=3, top_p=0.75),
        "min_p 0.5": left(min_p=0.5),
        "top_p 0.75, top_k 3": softmax(by_p),
    }
    return grid(list(rows.values()), list(rows), list(NEXT))


# 6.7 byte pairs

CATS = "the cat and the hat sat there, the cat that sat"


def written(id: int, merges: list[pairs.Pair]) -> str:
    """A token as text, with a sign for each blank."""
    return pairs.bytes_of(id, merges).decode().replace(" ", "_")


@table
def merges() -> str:
    """The first eight merges of a text, and how often each pair stood there."""
    found = pairs.learn(CATS, 8)
    row = [id for piece in pairs.PIECE.findall(CATS) for id in (*piece.encode(), pairs.GAP)]
    lines = ["id   left   right  token  times"]
    for new, pair in enumerate(found, 256):
        times = sum(other == pair for other in pairwise(row))
        names = (f"{written(id, found):<7}" for id in (*pair, new))
        lines.append(f"{new}  {''.join(names)}{times}")
        row = pairs.merged(row, pair, new)
    return "\n".join(lines)


@table
def tokens() -> str:
    found = pairs.learn(CATS, 8)
    ids = pairs.encode("that hat", found)
    names = [written(id, found) for id in ids]
    lines = (" ".join(f"{one:<4}" for one in several).rstrip() for several in (names, ids))
    return "\n".join(f"{name}  {line}" for name, line in zip(("token", "id   "), lines))
