"""The number tables of the lessons, computed from the paper's equations.

In a lesson a table stands between two comments:

    <!-- table: positional_embedding -->
    (here comes what the function `positional_embedding` below returns)
    <!-- end -->

To add a table, write its function here, put the two comments into the lesson, and run

    python -m checks.lessons

which rewrites the tables of all lessons in place. No torch here.

A code block under the comment <!-- prints: NAME --> promises to print numbers of that table;
tests/test_lessons.py runs it and looks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from checks import paper
from checks.contents import COURSE

TABLES: dict[str, Callable[[], str]] = {}

_BLOCK = re.compile(r"<!-- table: (?P<name>\S+) -->\n(?P<old>.*?)<!-- end -->", re.DOTALL)


def table(function: Callable[[], str]) -> Callable[[], str]:
    """Make the function's text available to the lessons under the function's name."""
    TABLES[function.__name__] = function
    return function


def grid(
    values: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str] = (),
    decimals: int = 4,
    corner: str = "",
) -> str:
    """A matrix as aligned text: one name for each row, and, if given, one for each column."""
    numbers = np.round(np.asarray(values, dtype=float), decimals) + 0.0  # No "-0.0000".
    cells = [[f"{number:.{decimals}f}" for number in row] for row in numbers]
    if columns:
        cells.insert(0, list(columns))
        rows = [corner, *rows]
    margin = max(map(len, rows))
    width = max(len(cell) for row in cells for cell in row)
    lines = [
        name.ljust(margin) + "".join("  " + cell.rjust(width) for cell in row)
        for name, row in zip(rows, cells, strict=True)
    ]
    return "\n".join(line.rstrip() for line in lines)


def names(word: str, count: int) -> list[str]:
    """["token 0", "token 1", …]."""
    return [f"{word} {n}" for n in range(count)]


# The lessons


def render(markdown: str) -> str:
    """The lesson with every table as it should be. An unknown or open table: ValueError."""

    def fill(block: re.Match[str]) -> str:
        name = block["name"]
        if name not in TABLES:
            raise ValueError(f"no table is called {name!r}; there are: {', '.join(sorted(TABLES))}")
        if "<!-- table:" in block["old"]:
            raise ValueError(f"the table {name!r} has no <!-- end --> of its own")
        return f"<!-- table: {name} -->\n```text\n{TABLES[name]()}\n```\n<!-- end -->"

    filled, found = _BLOCK.subn(fill, markdown)
    if found != markdown.count("<!-- table:"):
        raise ValueError("a table's comment is not written <!-- table: NAME --> … <!-- end -->")
    return filled


def lessons() -> Iterator[Path]:
    """The README.md of every stage, in order."""
    yield from sorted(COURSE.glob("s[0-9]_*/README.md"))


def main() -> None:
    """Rewrite the tables of all lessons and say which lessons changed."""
    for path in lessons():
        old = path.read_text(encoding="utf-8")
        new = render(old)
        if new != old:
            path.write_text(new, encoding="utf-8", newline="\n")
        name = path.relative_to(COURSE).as_posix()
        print(f"{name}: {'rewritten' if new != old else 'unchanged'}")


# Stage 1: embedding

SENTENCE = [1, 1, 4, 0]  # The first source sentence of the tiny example; 0 is padding.


def coded_table() -> paper.Array:
    """Row t, column c holds t + c / 10, so that a number tells its place; row 0 is padding."""
    rows = np.arange(10)[:, None] + np.arange(6) / 10
    rows[0] = 0
    return rows


@table
def token_embedding() -> str:
    out = paper.token_embedding(SENTENCE, {"embedding.weight": coded_table()})
    return grid(out, [f"token {token}" for token in SENTENCE], decimals=1)


@table
def wavelength() -> str:
    two_i = np.arange(0, 6, 2)
    unit = 10000 ** (two_i / 6)
    rows = ["2i", "10000^(2i / dim_vector)", "tokens for a full turn"]
    columns = [f"columns {even}, {even + 1}" for even in two_i]
    return grid([two_i, unit, 2 * np.pi * unit], rows, columns, decimals=2)


@table
def positional_embedding() -> str:
    columns = ["sin", "cos"] * 3
    return grid(paper.positional_embedding(4, 6), names("position", 4), columns)


@table
def positional_similarity() -> str:
    pe = paper.positional_embedding(5, 6)
    return grid(pe @ pe.T, names("position", 5), names("with", 5))


@table
def transformer_embedding() -> str:
    weights = {"token_embedding.embedding.weight": coded_table()}
    out = paper.transformer_embedding(SENTENCE, weights)
    rows = [f"token {token} at {position}" for position, token in enumerate(SENTENCE)]
    return grid(out, rows)


# Stage 2: attention

Q = np.array([[2.0, 0, 0, 0], [0, 2, 2, 0]])
K = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [2, 1, 1, 0]])
V = np.array([[10.0, 0, 0, 1], [0, 10, 0, 1], [0, 0, 10, 1]])


@table
def attention() -> str:
    """The weights and the mixed values side by side, without a mask and with one."""
    free = np.hstack(paper.calculate_attention(Q, K, V)[::-1])
    masked = np.hstack(paper.calculate_attention(Q[:1], K, V, mask=[1, 1, 0])[::-1])
    rows = ["query 0", "query 1", "query 0, key 2 hidden"]
    return grid(np.vstack([free, masked]), rows, [*names("key", 3), *names("out", 4)])


@table
def why_the_root() -> str:
    raw = np.array([8.0, 0, -8])
    scores = np.stack([raw, raw / np.sqrt(64)])
    weights = paper.softmax(scores)
    slope = weights[:, :1] * (1 - weights[:, :1])  # Of weight 0, as score 0 grows.
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
        "nothing": np.zeros(6),
        "the opposite": -x,
        "the mirror image": 7 - 2 * x,
        "one strong feature": np.array([0.0, 0, 0, 0, 0, 9]),
    }
    out = [paper.add_norm(x, output, weights) for output in outputs.values()]
    return grid(out, list(outputs), names("out", 6), corner="the sublayer says")


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


# Stages 3 to 5: the stacks and the whole model

SRC, TRG = [[1, 1, 4, 0], [4, 3, 2, 9]], [[5, 2, 5, 0], [6, 7, 9, 8]]  # The tiny example.
THREE_TOKENS = np.array([[[1.0, 1, 1, -1, -1, -1], [1, -1, 1, -1, 1, -1], [9, 0, 0, 0, 0, 0]]])
SOURCE = np.array([[[2.0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -2], [0, 0, 9, 0, 0, 0], [0] * 6]])


def straight(shapes: paper.Shapes, silent: str = "none") -> dict[str, paper.Array]:
    """Weights for computing by hand: every matrix passes its numbers straight on, or gives zeros
    if `silent` is part of its role; biases and betas are 0, gammas are 1."""

    def weight(role: str, shape: tuple[int, ...]) -> paper.Array:
        if len(shape) == 2:
            return np.zeros(shape) if silent in role else np.eye(*shape)
        return np.ones(shape) if role.endswith("gamma") else np.zeros(shape)

    return {role: weight(role, shape) for role, shape in shapes.items()}


def normed(x: paper.Array) -> paper.Array:
    """A layer normalisation that has not learned yet."""
    return paper.layer_norm(x, {"gamma": np.ones(6), "beta": np.zeros(6)})


def sublayers(shapes: paper.Shapes) -> tuple[Callable[..., paper.Array], ...]:
    """Even self-attention, even cross-attention and the feed-forward network, with no shortcut."""
    weights = straight(shapes, silent="w_q")
    attention = paper.part(weights, "self_attention")

    def attend(x: paper.Array, mask: ArrayLike | None) -> paper.Array:
        return paper.multi_head_attention(x, x, x, attention, 2, mask)

    def ask(x: paper.Array, source: paper.Array, mask: ArrayLike | None) -> paper.Array:
        return paper.multi_head_attention(x, source, source, attention, 2, mask)

    def widen(x: paper.Array) -> paper.Array:
        return paper.feed_forward(x, paper.part(weights, "feed_forward"))

    return attend, ask, widen


def walk(steps: dict[str, paper.Array]) -> str:
    """What each step makes of the first two tokens."""
    margin = max(map(len, steps))
    rows = [f"{name:{margin}}  token {n}" for step in steps for n, name in enumerate([step, ""])]
    return grid([x[0, token] for x in steps.values() for token in (0, 1)], rows)


def second_token(versions: dict[str, paper.Array]) -> str:
    return grid([x[0, 1] for x in versions.values()], list(versions))


@table
def encoder_layer() -> str:
    attend, _, widen = sublayers(paper.encoder_layer_shapes(6, 3))
    x, seen = THREE_TOKENS, [1, 1, 0]
    first = normed(x + attend(x, seen))
    return walk(
        {
            "x": x,
            "self_attention": attend(x, seen),
            "add_norm1": first,
            "feed_forward": widen(first),
            "add_norm2": normed(first + widen(first)),
        }
    )


@table
def encoder_layer_mistakes() -> str:
    attend, _, widen = sublayers(paper.encoder_layer_shapes(6, 3))
    x, seen = THREE_TOKENS, [1, 1, 0]
    first, unmasked = normed(x + attend(x, seen)), normed(x + attend(x, None))
    pre = x + attend(normed(x), seen)
    return second_token(
        {
            "right": normed(first + widen(first)),
            "the mask is not used": normed(unmasked + widen(unmasked)),
            "second shortcut starts at x": normed(x + widen(first)),
            "no shortcuts": normed(widen(normed(attend(x, seen)))),
            "second norm missing": first + widen(first),
            "norm before each sublayer": pre + widen(normed(pre)),
        },
    )


@table
def encoder() -> str:
    weights, seen = straight(paper.encoder_shapes(10, 6, 3, 2)), paper.src_mask(SRC, 0)
    stacks = [paper.encoder(SRC, weights, 2, n, seen)[0, :3] for n in range(3)]
    return "\n\n".join(
        f"num_layer = {n}\n{grid(rows, names('position', 3))}" for n, rows in enumerate(stacks)
    )


@table
def decoder_layer() -> str:
    attend, ask, widen = sublayers(paper.decoder_layer_shapes(6, 3))
    x, past, seen = THREE_TOKENS, np.tri(3), [1, 1, 0, 0]
    first = normed(x + attend(x, past))
    second = normed(first + ask(first, SOURCE, seen))
    return walk(
        {
            "x": x,
            "self_attention": attend(x, past),
            "add_norm1": first,
            "cross_attention": ask(first, SOURCE, seen),
            "add_norm2": second,
            "feed_forward": widen(second),
            "add_norm3": normed(second + widen(second)),
        }
    )


@table
def decoder_layer_weights() -> str:
    weights = straight(paper.decoder_layer_shapes(6, 3), silent="w_q")
    roles = paper.part(weights, "self_attention")
    own = paper.multi_head_weights(THREE_TOKENS, THREE_TOKENS, roles, 2, np.tri(3))
    across = paper.multi_head_weights(THREE_TOKENS, SOURCE, roles, 2, [1, 1, 0, 0])
    return (
        "self_attention, keys: the target\n"
        + grid(own[0, 0], names("query", 3), names("key", 3))
        + "\n\ncross_attention, keys: the source\n"
        + grid(across[0, 0], names("query", 3), names("key", 4))
    )


@table
def decoder_layer_mistakes() -> str:
    attend, ask, widen = sublayers(paper.decoder_layer_shapes(6, 3))
    x, past, seen = THREE_TOKENS, np.tri(3), [1, 1, 0, 0]

    def layer(trg_mask: ArrayLike | None = past, src_mask: ArrayLike | None = seen) -> paper.Array:
        y = normed(x + attend(x, trg_mask))
        y = normed(y + ask(y, SOURCE, src_mask))
        return normed(y + widen(y))

    first = normed(x + attend(x, past))
    itself, stale = normed(first + attend(first, past)), normed(x + ask(first, SOURCE, seen))
    return second_token(
        {
            "right": layer(),
            "trg_mask is not used": layer(trg_mask=None),
            "src_mask is not used": layer(src_mask=None),
            "cross-attention reads the target": normed(itself + widen(itself)),
            "second shortcut starts at x": normed(stale + widen(stale)),
        },
    )


def moved(before: paper.Array, after: paper.Array) -> NDArray[np.bool_]:
    """For each position of the one sentence, whether its logits are others now."""
    return np.asarray(np.abs(before - after)[0].max(axis=-1) > 1e-9)


def random_weights(shapes: paper.Shapes) -> dict[str, paper.Array]:
    draw = np.random.default_rng(0)
    return {role: draw.normal(size=shape) for role, shape in shapes.items()}


@table
def decoder_moves() -> str:
    weights = random_weights(paper.decoder_shapes(10, 6, 3, 2))
    trg, source, past = np.array(TRG[1:]), SOURCE[:, :3], np.tri(4)
    before = paper.decoder(trg, source, weights, 2, 2, past)
    rows = []
    for position in range(4):
        other = trg.copy()
        other[0, position] = 1
        rows.append(moved(before, paper.decoder(other, source, weights, 2, 2, past)))
    return grid(rows, names("token", 4), names("logits", 4), 0, "changed")


@table
def softmax_twice() -> str:
    score = np.array([0, 2, 5, 20])
    logits = np.zeros((4, 10))
    logits[:, 0] = score
    once = paper.softmax(logits)
    losses = np.stack([-np.log(once[:, 0]), -np.log(paper.softmax(once)[:, 0])], axis=1)
    return grid(losses, [f"score {n}" for n in score], ["loss", "loss, softmax twice"])


def drawn(matrices: dict[str, ArrayLike]) -> str:
    """Matrices of zeros and ones, each under its title."""
    blocks = [
        [title, *(" ".join(map(str, row)) for row in np.asarray(matrix, dtype=int))]
        for title, matrix in matrices.items()
    ]
    widths = [max(map(len, block)) for block in blocks]
    lines = zip(*blocks, strict=True)
    return "\n".join(
        "   ".join(cell.ljust(n) for cell, n in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


@table
def src_mask() -> str:
    return grid(paper.src_mask(SRC, 0)[:, 0, 0], [str(tokens) for tokens in SRC], decimals=0)


@table
def trg_mask() -> str:
    both = paper.trg_mask(TRG, 0)[:, 0]
    return drawn({str(tokens): mask for tokens, mask in zip(TRG, both, strict=True)})


@table
def padding_mistakes() -> str:
    blocks = []
    for tokens in ([5, 2, 5, 0], [5, 0, 7, 9]):
        real, past = np.array(tokens) != 0, np.tri(4, dtype=bool)
        masks: dict[str, ArrayLike] = {
            "right": real & past,
            "causal only": past,
            "padding only": np.broadcast_to(real, (4, 4)),
            "padding on rows": real[:, None] & past,
            "or for and": real | past,
        }
        blocks.append(f"{tokens}\n{drawn(masks)}")
    return "\n\n".join(blocks)


@table
def future_mistakes() -> str:
    past = np.tri(4)
    high, low = np.tri(4, k=1), np.tri(4, k=-1)
    return drawn({"right": past, "upper": past.T, "one too high": high, "one too low": low})


@table
def transformer_moves() -> str:
    weights = random_weights(paper.transformer_shapes(10, 10, 6, 3, 2))
    src, trg = [1, 1, 4, 0], [5, 2, 5, 0]

    def logits(src: list[int], trg: list[int]) -> paper.Array:
        return paper.transformer([src], [trg], weights, 2, 2, 0, 0)

    others = {
        "source token 0": ([7, 1, 4, 0], trg),
        "one more padding in the source": ([1, 1, 4, 0, 0], trg),
        "target token 0": (src, [7, 2, 5, 0]),
        "target token 1": (src, [5, 7, 5, 0]),
        "target token 2": (src, [5, 2, 7, 0]),
    }
    rows = [moved(logits(src, trg), logits(*other)) for other in others.values()]
    return grid(rows, list(others), names("logits", 4), 0, "changed")


def count(shapes: paper.Shapes, part: str = "") -> int:
    """How many numbers the part holds."""
    return sum(math.prod(shape) for role, shape in shapes.items() if role.startswith(part))


Ledger = Callable[[int, int, int, int], dict[str, int]]  # vocab_size … num_layer -> counts


def ledger(rows: Ledger) -> str:
    """The counts of the tiny example and of the paper's base model, side by side."""
    tiny, base = rows(10, 6, 3, 9), rows(37000, 512, 2048, 6)
    margin = max(map(len, tiny))
    lines = [f"{'':{margin}}  {'tiny':>6}  {'base':>11}"]
    lines += [f"{name:{margin}}  {tiny[name]:6,}  {base[name]:11,}" for name in tiny]
    return "\n".join(lines)


@table
def encoder_count() -> str:
    def rows(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> dict[str, int]:
        layer = paper.encoder_layer_shapes(dim_vector, dim_hidden)
        stack = paper.encoder_shapes(vocab_size, dim_vector, dim_hidden, num_layer)
        return {
            "self_attention": count(layer, "self_attention."),
            "feed_forward": count(layer, "feed_forward."),
            "each of the 2 AddNorms": count(layer, "add_norm1."),
            "one EncoderLayer": count(layer),
            "all layers": count(stack, "layers."),
            "embedding": count(stack, "embedding."),
            "the Encoder": count(stack),
        }

    return ledger(rows)


@table
def decoder_count() -> str:
    def rows(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> dict[str, int]:
        layer = paper.decoder_layer_shapes(dim_vector, dim_hidden)
        stack = paper.decoder_shapes(vocab_size, dim_vector, dim_hidden, num_layer)
        return {
            "self_attention": count(layer, "self_attention."),
            "cross_attention": count(layer, "cross_attention."),
            "feed_forward": count(layer, "feed_forward."),
            "each of the 3 AddNorms": count(layer, "add_norm1."),
            "one DecoderLayer": count(layer),
            "all layers": count(stack, "layers."),
            "embedding": count(stack, "embedding."),
            "linear": count(stack, "linear."),
            "the Decoder": count(stack),
        }

    return ledger(rows)


@table
def transformer_count() -> str:
    def rows(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> dict[str, int]:
        sizes = (dim_vector, dim_hidden, num_layer)
        model = paper.transformer_shapes(vocab_size, vocab_size, *sizes)
        layers = count(model, "encoder.layers.") + count(model, "decoder.layers.")
        return {
            "encoder.embedding": count(model, "encoder.embedding."),
            "encoder.layers": count(model, "encoder.layers."),
            "decoder.embedding": count(model, "decoder.embedding."),
            "decoder.layers": count(model, "decoder.layers."),
            "decoder.linear": count(model, "decoder.linear."),
            "the Transformer": count(model),
            "if one matrix were shared": layers + count(model, "encoder.embedding."),
        }

    return ledger(rows)


@table
def transformer_growth() -> str:
    sizes = {
        "the base model": (37000, 512, 2048, 6),
        "dim_vector 1024": (37000, 1024, 2048, 6),
        "dim_hidden 4096": (37000, 512, 4096, 6),
        "num_layer 12": (37000, 512, 2048, 12),
        "vocabularies of 74000": (74000, 512, 2048, 6),
    }
    totals = [count(paper.transformer_shapes(size[0], *size)) for size in sizes.values()]
    rows = [(total / 1e6, total / totals[0]) for total in totals]
    return grid(rows, list(sizes), ["million", "times"], 2)


if __name__ == "__main__":
    main()
