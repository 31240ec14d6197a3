"""The stacks and the models of the paper, made of the parts in `paper.py` (section 3.1, figure 1).

What a role, a mask and the functions named `…_shapes` are, stands there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from checks.engine.notes import note, noting
from checks.truth.paper import (
    Array,
    Shapes,
    Weights,
    add_norm,
    add_norm_shapes,
    feed_forward,
    feed_forward_shapes,
    linear,
    linear_shapes,
    multi_head_attention,
    multi_head_attention_shapes,
    part,
    transformer_embedding,
    transformer_embedding_shapes,
    whole,
)

# Section 3.1: encoder and decoder stacks


def stack(
    tokens: ArrayLike, weights: Weights, num_layer: int, layer: Callable[[Array, Weights], Array]
) -> Array:
    """The embedding, then num_layer layers one after the other, each with its own weights."""
    x = transformer_embedding(tokens, part(weights, "embedding"))
    note(embedding=x)
    for n in range(num_layer):
        x = layer(x, part(weights, f"layers.{n}"))
        note(**{f"layers.{n}": x})
    return x


def stack_shapes(vocab_size: int, dim_vector: int, num_layer: int, layer: Shapes) -> Shapes:
    return whole(
        embedding=transformer_embedding_shapes(vocab_size, dim_vector),
        **{f"layers__{n}": layer for n in range(num_layer)},
    )


@noting
def encoder_layer(
    x: Array, weights: Weights, n_head: int, src_mask: ArrayLike | None = None
) -> Array:
    """Two sublayers, each followed by its add and norm."""
    attended = multi_head_attention(x, x, x, part(weights, "self_attention"), n_head, src_mask)
    x = add_norm(x, attended, part(weights, "add_norm1"))
    widened = feed_forward(x, part(weights, "feed_forward"))
    note(self_attention=attended, add_norm1=x, feed_forward=widened)
    return add_norm(x, widened, part(weights, "add_norm2"))


def encoder_layer_shapes(dim_vector: int, dim_hidden: int) -> Shapes:
    return whole(
        self_attention=multi_head_attention_shapes(dim_vector),
        add_norm1=add_norm_shapes(dim_vector),
        feed_forward=feed_forward_shapes(dim_vector, dim_hidden),
        add_norm2=add_norm_shapes(dim_vector),
    )


@noting
def encoder(
    src: ArrayLike, weights: Weights, n_head: int, num_layer: int, src_mask: ArrayLike | None = None
) -> Array:
    """The embedding, then num_layer layers one after the other."""
    return stack(src, weights, num_layer, lambda x, own: encoder_layer(x, own, n_head, src_mask))


def encoder_shapes(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> Shapes:
    return stack_shapes(
        vocab_size, dim_vector, num_layer, encoder_layer_shapes(dim_vector, dim_hidden)
    )


@noting
def decoder_layer(
    x: Array,
    encoder_output: Array,
    weights: Weights,
    n_head: int,
    trg_mask: ArrayLike | None = None,
    src_mask: ArrayLike | None = None,
) -> Array:
    """Three sublayers; the queries of the second come from the target, its keys from the source."""
    attended = multi_head_attention(x, x, x, part(weights, "self_attention"), n_head, trg_mask)
    x = add_norm(x, attended, part(weights, "add_norm1"))
    note(self_attention=attended, add_norm1=x)
    source = encoder_output
    asked = multi_head_attention(
        x, source, source, part(weights, "cross_attention"), n_head, src_mask
    )
    x = add_norm(x, asked, part(weights, "add_norm2"))
    widened = feed_forward(x, part(weights, "feed_forward"))
    note(cross_attention=asked, add_norm2=x, feed_forward=widened)
    return add_norm(x, widened, part(weights, "add_norm3"))


def decoder_layer_shapes(dim_vector: int, dim_hidden: int) -> Shapes:
    attention, norm = multi_head_attention_shapes(dim_vector), add_norm_shapes(dim_vector)
    return whole(
        self_attention=attention,
        add_norm1=norm,
        cross_attention=attention,
        add_norm2=norm,
        feed_forward=feed_forward_shapes(dim_vector, dim_hidden),
        add_norm3=norm,
    )


@noting
def decoder(
    trg: ArrayLike,
    encoder_output: Array,
    weights: Weights,
    n_head: int,
    num_layer: int,
    trg_mask: ArrayLike | None = None,
    src_mask: ArrayLike | None = None,
) -> Array:
    """The embedding, num_layer layers, and one score for each word (section 3.4, no softmax)."""

    def layer(x: Array, own: Weights) -> Array:
        return decoder_layer(x, encoder_output, own, n_head, trg_mask, src_mask)

    return linear(stack(trg, weights, num_layer, layer), part(weights, "linear"))


def decoder_shapes(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> Shapes:
    layer = decoder_layer_shapes(dim_vector, dim_hidden)
    return {
        **stack_shapes(vocab_size, dim_vector, num_layer, layer),
        **whole(linear=linear_shapes(dim_vector, vocab_size)),
    }


# Section 3.2.3: masks. Padding is not in the paper: it comes with batches of unequal sentences.


def src_mask(src: ArrayLike, src_pad_idx: int) -> NDArray[np.bool_]:
    """Key j is visible if it is not padding: (batch_size, 1, 1, src_len)."""
    return (np.asarray(src) != src_pad_idx)[:, None, None, :]


@noting
def trg_mask(trg: ArrayLike, trg_pad_idx: int) -> NDArray[np.bool_]:
    """Key j is visible to query i if it is not padding and j <= i: (batch_size, 1, len, len)."""
    length = np.asarray(trg).shape[1]
    query, key = np.indices((length, length))
    real, past = src_mask(trg, trg_pad_idx), key <= query
    note(no_padding=real, no_future=past)
    return real & past


# Figure 1: the whole model


@noting
def transformer(
    src: ArrayLike,
    trg: ArrayLike,
    weights: Weights,
    n_head: int,
    num_layer: int,
    src_pad_idx: int,
    trg_pad_idx: int,
) -> Array:
    """The logits of every next target token, (batch_size, trg_len, decoder_vocab_size)."""
    seen = src_mask(src, src_pad_idx)
    encoder_output = encoder(src, part(weights, "encoder"), n_head, num_layer, seen)
    causal = trg_mask(trg, trg_pad_idx)
    note(src_mask=seen, encoder=encoder_output, trg_mask=causal)
    own = part(weights, "decoder")
    return decoder(trg, encoder_output, own, n_head, num_layer, causal, seen)


def transformer_shapes(
    encoder_vocab_size: int,
    decoder_vocab_size: int,
    dim_vector: int,
    dim_hidden: int,
    num_layer: int,
) -> Shapes:
    return whole(
        encoder=encoder_shapes(encoder_vocab_size, dim_vector, dim_hidden, num_layer),
        decoder=decoder_shapes(decoder_vocab_size, dim_vector, dim_hidden, num_layer),
    )


# An extension: the encoder alone


@noting
def classifier(
    tokens: ArrayLike, weights: Weights, n_head: int, num_layer: int, pad_idx: int
) -> Array:
    """Scores of the mean of all real tokens: (batch_size, num_class)."""
    x = encoder(tokens, part(weights, "encoder"), n_head, num_layer, src_mask(tokens, pad_idx))
    real = (np.asarray(tokens) != pad_idx)[..., None]
    mean = np.where(real, x, 0).sum(1) / real.sum(1)
    note(mean=mean)
    return linear(mean, part(weights, "linear"))


def classifier_shapes(
    vocab_size: int, num_class: int, dim_vector: int, dim_hidden: int, num_layer: int
) -> Shapes:
    return whole(
        encoder=encoder_shapes(vocab_size, dim_vector, dim_hidden, num_layer),
        linear=linear_shapes(dim_vector, num_class),
    )
