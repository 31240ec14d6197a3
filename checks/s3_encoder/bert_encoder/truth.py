"""The equations of bert_encoder in NumPy float64: what its checks compare with.

Devlin et al. 2019 (arXiv 1810.04805, section 3) take the encoder of the paper. Three learned tables
are added and normalised. The GELU is that of Hendrycks and Gimpel (arXiv 1606.08415).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from checks.engine.notes import note, noting
from checks.truth.models import encoder_layer_shapes
from checks.truth.paper import (
    Array,
    Shapes,
    Weights,
    layer_norm,
    layer_norm_shapes,
    linear,
    multi_head_attention,
    part,
    whole,
)

BERT_EPS = 1e-12


def gelu(x: ArrayLike) -> Array:
    """x times the probability that a standard normal number is below x."""
    x = np.asarray(x, dtype=float)
    return x * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2))) / 2


@noting
def bert_layer(x: Array, weights: Weights, n_head: int, eps: float, mask: Array | None) -> Array:
    """The layer of step 3.1, with a GELU and with another eps. mask: (batch_size, length)."""
    hidden = None if mask is None else np.asarray(mask)[:, None, None]
    attended = multi_head_attention(x, x, x, part(weights, "self_attention"), n_head, hidden)
    x = layer_norm(x + attended, part(weights, "add_norm1.layer_norm"), eps)
    widened = linear(x, part(weights, "feed_forward.linear1"))
    out = linear(gelu(widened), part(weights, "feed_forward.linear2"))
    note(self_attention=attended, add_norm1=x, gelu=gelu(widened), feed_forward=out)
    return layer_norm(x + out, part(weights, "add_norm2.layer_norm"), eps)


@noting
def bert_encoder(
    tokens: Array,
    weights: Weights,
    n_head: int,
    num_layer: int,
    segments: Array | None = None,
    mask: Array | None = None,
    eps: float = BERT_EPS,
) -> Array:
    """The norm of three rows' sum, then the layers."""
    words = weights["token_embedding.weight"][tokens]
    places = weights["position_embedding.weight"][: tokens.shape[1]]
    parts = weights["segment_embedding.weight"][tokens * 0 if segments is None else segments]
    note(token_embedding=words, position_embedding=places, segment_embedding=parts)
    x = layer_norm(words + places + parts, part(weights, "norm"), eps)
    note(sum=words + places + parts, norm=x)
    for n in range(num_layer):
        x = bert_layer(x, part(weights, f"layers.{n}"), n_head, eps, mask)
        note(**{f"layers.{n}": x})
    return x


def bert_encoder_shapes(
    vocab_size: int,
    dim_vector: int,
    dim_hidden: int,
    num_layer: int,
    max_len: int,
    num_segment: int = 2,
) -> Shapes:
    layer = encoder_layer_shapes(dim_vector, dim_hidden)
    return whole(
        token_embedding={"weight": (vocab_size, dim_vector)},
        position_embedding={"weight": (max_len, dim_vector)},
        segment_embedding={"weight": (num_segment, dim_vector)},
        norm=layer_norm_shapes(dim_vector),
        **{f"layers__{n}": layer for n in range(num_layer)},
    )


@noting
def sentence_vectors(out: Array, mask: Array) -> Array:
    """The direction of the mean over real tokens (Reimers and Gurevych, arXiv 1908.10084)."""
    total = (out * mask[..., None]).sum(1)
    mean = total / mask.sum(1)[:, None]
    note(total=total, mean=mean)
    return mean / np.sqrt((mean**2).sum(-1, keepdims=True))
