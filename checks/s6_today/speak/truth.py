"""How a file names the tensors of a language model, and the loss of a text in NumPy float64."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from checks.truth.paper import Array, Weights

# In a file of this family, and as roles in checks/s6_today/language_model/truth.py.
OF_THE_MODEL = {"token_embd": "embedding.weight", "output_norm": "norm.gamma"}
OF_A_LAYER = {
    "attn_norm": "norm1.gamma",
    "attn_q": "attention.w_q.weight",
    "attn_k": "attention.w_k.weight",
    "attn_v": "attention.w_v.weight",
    "attn_output": "attention.linear.weight",
    "ffn_norm": "norm2.gamma",
    "ffn_gate": "feed_forward.gate.weight",
    "ffn_up": "feed_forward.up.weight",
    "ffn_down": "feed_forward.down.weight",
}


def in_the_file(weights: Weights, num_layer: int) -> dict[str, Array]:
    """The weights, given by role, under their names in a file."""
    named = {f"{name}.weight": weights[role] for name, role in OF_THE_MODEL.items()}
    for n in range(num_layer):
        for name, role in OF_A_LAYER.items():
            named[f"blk.{n}.{name}.weight"] = weights[f"layers.{n}.{role}"]
    return named


def text_loss(logits: Array, tokens: ArrayLike) -> Array:
    """The mean of -ln p over all tokens but the first of each row (a cross-entropy)."""
    scores, wanted = logits[:, :-1], np.asarray(tokens, dtype=np.int64)[:, 1:]
    highest = scores.max(-1, keepdims=True)
    total = highest[..., 0] + np.log(np.exp(scores - highest).sum(-1))
    right = np.take_along_axis(scores, wanted[..., None], -1)[..., 0]
    return np.asarray((total - right).mean())
