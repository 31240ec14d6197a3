"""The loss of a text with the weights of a file, in NumPy float64: the equations, and no PyTorch.

It shares nothing with the solutions. `speak` compares the learner's loss with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.speaking.gguf import Gguf

Array = NDArray[Any]


def loss(file: Gguf, sizes: dict[str, Any], tokens: list[int]) -> float:
    """The mean of -ln p over all tokens but the first."""
    table = file.tensor("token_embd.weight")
    x = table[tokens].astype(float)
    for n in range(sizes["num_layer"]):
        weights = {name: file.tensor(f"blk.{n}.{name}.weight").astype(float) for name in NAMES}
        x = layer(x, weights, sizes)
    x = norm(x, file.tensor("output_norm.weight").astype(float), sizes["eps"])[:-1]
    scores = x @ table.T.astype(float)
    highest = scores.max(axis=1)
    total = highest + np.log(np.exp(scores - highest[:, None]).sum(axis=1))
    return float(np.mean(total - scores[np.arange(len(x)), tokens[1:]]))


NAMES = (
    *("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"),
    *("ffn_norm", "ffn_gate", "ffn_up", "ffn_down"),
)


def layer(x: Array, weights: dict[str, Array], sizes: dict[str, Any]) -> Array:
    """x (length, dim_vector) -> the same shape."""
    read = norm(x, weights["attn_norm"], sizes["eps"])
    heads, groups = sizes["n_head"], sizes["n_kv_head"]
    q, k, v = (read @ weights[f"attn_{name}"].T for name in "qkv")
    dim = q.shape[1] // heads
    q, k = (
        turned(q.reshape(len(x), heads, dim), sizes),
        turned(k.reshape(len(x), groups, dim), sizes),
    )
    v = v.reshape(len(x), groups, dim)
    future = np.triu(np.ones((len(x), len(x)), bool), 1)
    found = []
    for head in range(heads):
        group = head * groups // heads
        scores = q[:, head] @ k[:, group].T / np.sqrt(dim)
        weight = np.exp(np.where(future, -np.inf, scores - scores.max(axis=1, keepdims=True)))
        found.append(weight / weight.sum(axis=1, keepdims=True) @ v[:, group])
    x = x + np.concatenate(found, axis=1) @ weights["attn_output"].T
    read = norm(x, weights["ffn_norm"], sizes["eps"])
    gate, up = read @ weights["ffn_gate"].T, read @ weights["ffn_up"].T
    return x + (gate / (1 + np.exp(-gate)) * up) @ weights["ffn_down"].T


def norm(x: Array, gamma: Array, eps: float) -> Array:
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps) * gamma


def turned(x: Array, sizes: dict[str, Any]) -> Array:
    """x (length, heads, dim): each pair of neighbours is a complex number, and is turned."""
    dim = x.shape[2]
    speed = float(sizes["base"]) ** (-np.arange(0, dim, 2) / dim)
    turn = np.exp(1j * np.outer(np.arange(len(x)), speed))[:, None]
    pairs = (x[..., 0::2] + 1j * x[..., 1::2]) * turn
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)
