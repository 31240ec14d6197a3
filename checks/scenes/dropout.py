"""The possible outputs in train mode: every outcome of dropout, for simple enough models.

Dropout is random. So a check silences all sublayers but one and lists every possible vector. Each
entry is dropped with probability p, or divided by 1 - p (paper, section 5.4). Whether a layer drops
attention weights is open: both ways are listed.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from checks.truth import paper

Array = NDArray[np.float64]
Weights = dict[str, Array]
NORMS = ("add_norm1", "add_norm2", "add_norm3")
LAST = r"(_attention\.linear|feed_forward\.linear2)\.(weight|bias)$"  # Ends of sublayers.
BIG, SMALL = 1000.0, 0.01  # The entries of a word in `big_words`, and of a sum in `small_sums`.
SPOKEN = 3  # Entries that `few_words` adds.
AWAKE, LIFT = 4, 9.0  # Hidden features of `wide_awake`, and the bias that lifts them above 0.


def all_drops(size: int, p: float) -> Array:
    """Every outcome of dropping `size` entries: (2^size, size) factors."""
    bits = np.arange(2**size)[:, None] >> np.arange(size) & 1
    return bits / (1 - p)


def every_product(vectors: Array, drops: Array) -> Array:
    """(…, n, d) vectors times (m, d) factors -> (…, n * m, d)."""
    products = vectors[..., :, None, :] * drops
    return products.reshape(*vectors.shape[:-2], -1, vectors.shape[-1])


def added(x: Array, drops: Array, brought: Array) -> Array:
    """x (…, d) times each of m factors, plus each of (…, n, d) -> (…, m * n, d)."""
    sums = (x[..., None, :] * drops)[..., None, :] + distinct(brought)[..., None, :, :]
    return sums.reshape(*x.shape[:-1], -1, x.shape[-1])


def distinct(outcomes: Array) -> Array:
    """Each vector of (…, n, d) once."""
    blocks = outcomes.reshape(-1, *outcomes.shape[-2:])
    once = np.stack([np.unique(block, axis=0) for block in blocks])
    return once.reshape(*outcomes.shape[:-2], -1, outcomes.shape[-1])


# Weights that make a model simple: to be assigned instead of the drawn ones


def silent(weights: Weights, but: str = "") -> Weights:
    """The last weights and biases of all sublayers as zeros, so that each adds nothing.

    Roles that begin with `but` keep their weights.
    """
    last = {role: w for role, w in weights.items() if re.search(LAST, role)}
    return {r: w if but and r.startswith(but) else np.zeros_like(w) for r, w in last.items()}


def only_bias(weights: Weights, name: str) -> Weights:
    """Every sublayer silent but the one that ends in `name`, which adds its bias."""
    return {**silent(weights), f"{name}.bias": weights[f"{name}.bias"]}


def few_words(weights: Weights) -> Weights:
    """Every sublayer silent but the first self-attention, which adds only three entries."""
    role = "layers.0.self_attention.linear.bias"
    bias = np.where(np.arange(len(weights[role])) < SPOKEN, weights[role], 0)
    return {**silent(weights), role: bias}


def reserved(weights: Weights, name: str) -> Weights:
    """The matrix that ends in `name`, and its bias, so that it gives only three entries."""
    little = {role: weights[role].copy() for role in (f"{name}.weight", f"{name}.bias")}
    for numbers in little.values():
        numbers[SPOKEN:] = 0
    return little


def flat(weights: Weights, name: str) -> Weights:
    """The norm of an AddNorm that ignores its input: its output is its beta."""
    role = f"{name}.layer_norm.gamma"
    return {role: np.zeros_like(weights[role])}


def big_words(weights: Weights) -> Weights:
    """A pre-norm stack of silent layers; all words are one large number.

    A dropped entry is below the average, and the closing norm makes it 0. A kept one is above it.
    """
    table, norm = "embedding.token_embedding.embedding.weight", ("norm.gamma", "norm.beta")
    big = {table: np.full_like(weights[table], BIG)}
    return {
        **silent(weights),
        **big,
        norm[0]: np.ones_like(weights[norm[0]]),
        norm[1]: np.zeros_like(weights[norm[1]]),
    }


def small_sums(weights: Weights, max_len: int) -> Weights:
    """A pre-norm stack of silent layers. Word n takes position n away, so little is left of both:
    the eps of the closing norm counts.
    """
    table = weights["embedding.token_embedding.embedding.weight"]
    words = SMALL * table
    words[:max_len] -= paper.positional_embedding(max_len, table.shape[1])
    return {**silent(weights), "embedding.token_embedding.embedding.weight": words}


def wide_awake(weights: Weights) -> Weights:
    """A feed-forward network whose hidden features are the input's first, lifted above 0."""
    weight = np.zeros_like(weights["feed_forward.linear1.weight"])
    bias = np.full(len(weight), -1.0)
    weight[:AWAKE, :AWAKE], bias[:AWAKE] = np.eye(AWAKE), LIFT
    return {**weights, "feed_forward.linear1.weight": weight, "feed_forward.linear1.bias": bias}


# Possible outputs of such models: (…, many, dim_vector), one vector for every outcome


def beta_of(weights: Weights, name: str, *leading: int) -> Array:
    """The output of a flat norm, for every token: (*leading, dim_vector)."""
    beta = weights[f"{name}.layer_norm.beta"]
    return np.zeros((*leading, len(beta))) + beta


def through_norms(x: Array, weights: Weights, names: tuple[str, ...] = NORMS) -> Array:
    """The output of silent sublayers for x: the norms after them, one after the other."""
    for name in names:
        own = paper.part(weights, name)
        x = paper.add_norm(x, np.zeros_like(x), own) if own else x
    return x


def through_layers(x: Array, weights: Weights, layers: range) -> Array:
    """The output of silent layers of a stack for x."""
    for n in layers:
        x = through_norms(x, paper.part(weights, f"layers.{n}"))
    return x


def attention(source: Array, weights: paper.Weights, n_head: int, p: float) -> Array:
    """The possible outputs of an attention and its dropout with only one key, `source`.

    The one weight of each head is 1, dropped like all weights, or not dropped.
    """
    values = paper.linear(source, paper.part(weights, "w_v"))
    factors = np.concatenate([np.ones((1, n_head)), all_drops(n_head, p)])
    by_feature = factors.repeat(values.shape[-1] // n_head, axis=-1)
    attended = paper.linear(values[..., None, :] * by_feature, paper.part(weights, "linear"))
    return every_product(attended, all_drops(values.shape[-1], p))


def feed_forward(x: Array, weights: paper.Weights, p: float) -> Array:
    """The possible outputs of a `wide_awake` network and both its dropouts."""
    hidden = np.zeros((*x.shape[:-1], 2**AWAKE, len(weights["feed_forward.linear1.bias"])))
    hidden[..., :AWAKE] = (x[..., None, :AWAKE] + LIFT) * all_drops(AWAKE, p)
    widened = paper.linear(hidden, paper.part(weights, "feed_forward.linear2"))
    return every_product(widened, all_drops(x.shape[-1], p))


def embedding(tokens: Array, weights: Weights, p: float) -> Array:
    """The possible outputs of a stack of two layers whose first attention has `few_words`.

    They show the scale of the embedding, which a norm alone would hide.
    """
    embedded = paper.transformer_embedding(tokens, paper.part(weights, "embedding"))
    drops = all_drops(embedded.shape[-1], p)
    bias = weights["layers.0.self_attention.linear.bias"]
    brought = np.zeros((2**SPOKEN, len(bias)))
    brought[:, :SPOKEN] = bias[:SPOKEN] * all_drops(SPOKEN, p)
    sums = embedded[..., None, None, :] * drops[:, None] + brought
    sums = sums.reshape(*embedded.shape[:-1], -1, embedded.shape[-1])
    return through_layers(sums, weights, range(2))


def layer(tokens: Array, weights: Weights, n: int, norms: tuple[str, str], p: float) -> Array:
    """The possible outputs of a stack of two layers in which only one sublayer speaks.

    It is the feed-forward bias of layer n, on the first of these norms, which is flat.
    """
    own = paper.part(weights, f"layers.{n}")
    start = beta_of(own, norms[0], *np.shape(tokens), 1)
    brought = own["feed_forward.linear2.bias"] * all_drops(start.shape[-1], p)
    x = paper.add_norm(start, brought, paper.part(own, norms[1]))
    return through_layers(x, weights, range(n + 1, 2))


def last_network(weights: Weights) -> Weights:
    """A pre-norm stack of two layers in which only the last network speaks.

    It is `wide_awake` but `reserved`, and reads only the beta of the norm before it.
    """
    awake = wide_awake(paper.part(weights, "layers.1"))
    own = {f"layers.1.{role}": w for role, w in awake.items()}
    quiet = silent(weights, but="layers.1.feed_forward.")
    norm = next(role for role in ("norm3", "norm2") if f"layers.1.{role}.gamma" in weights)
    gamma = f"layers.1.{norm}.gamma"
    little = reserved(weights, "layers.1.feed_forward.linear2")
    return {**weights, **own, **quiet, **little, gamma: np.zeros_like(weights[gamma])}


def unclosed(tokens: Array, weights: Weights, p: float) -> Array:
    """The possible inputs of the closing norm of such a stack.

    The network's second bias goes through dropout once, its features twice. So the probability
    shows; a norm would hide it if all went through once.
    """
    own = paper.part(weights, "layers.1")
    beta = own["norm3.beta"] if "norm3.beta" in own else own["norm2.beta"]
    brought = feed_forward(beta, own, p)
    embedded = paper.transformer_embedding(tokens, paper.part(weights, "embedding"))
    return added(embedded, all_drops(len(beta), p), brought)


def one_source(tokens: Array, source: Array, weights: Weights, n_head: int, p: float) -> Array:
    """The possible outputs of a decoder of two layers with a source of one token.

    Only its first cross-attention speaks, on a flat norm.
    """
    own = paper.part(weights, "layers.0")
    start = beta_of(own, "add_norm1", *np.shape(tokens), 1)
    brought = attention(source, paper.part(own, "cross_attention"), n_head, p)
    x = through_norms(
        paper.add_norm(start, brought, paper.part(own, "add_norm2")), own, ("add_norm3",)
    )
    return through_layers(x, weights, range(1, 2))
