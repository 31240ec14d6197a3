"""The equations of pre-norm stacks, in the form of `paper.py`.

They are not in the paper, but soon after in its authors' own code. The norm comes before the
sublayer, inside the shortcut. The sums are only normalised by the norm that closes a stack.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from checks.engine.notes import note, noting
from checks.truth.models import stack, stack_shapes
from checks.truth.paper import (
    Array,
    Shapes,
    Weights,
    feed_forward,
    feed_forward_shapes,
    layer_norm,
    layer_norm_shapes,
    linear,
    linear_shapes,
    multi_head_attention,
    multi_head_attention_shapes,
    part,
    whole,
)


@noting
def encoder_layer(
    x: Array, weights: Weights, n_head: int, src_mask: ArrayLike | None = None
) -> Array:
    """x + Sublayer(LayerNorm(x)), twice."""
    y = layer_norm(x, part(weights, "norm1"))
    attended = multi_head_attention(y, y, y, part(weights, "self_attention"), n_head, src_mask)
    x = x + attended
    z = layer_norm(x, part(weights, "norm2"))
    widened = feed_forward(z, part(weights, "feed_forward"))
    note(norm1=y, self_attention=attended, sum=x, norm2=z, feed_forward=widened)
    return x + widened


def encoder_layer_shapes(dim_vector: int, dim_hidden: int) -> Shapes:
    return whole(
        self_attention=multi_head_attention_shapes(dim_vector),
        norm1=layer_norm_shapes(dim_vector),
        feed_forward=feed_forward_shapes(dim_vector, dim_hidden),
        norm2=layer_norm_shapes(dim_vector),
    )


@noting
def encoder(
    src: ArrayLike, weights: Weights, n_head: int, num_layer: int, src_mask: ArrayLike | None = None
) -> Array:
    """The embedding, num_layer layers, and one closing norm."""
    x = stack(src, weights, num_layer, lambda x, own: encoder_layer(x, own, n_head, src_mask))
    return layer_norm(x, part(weights, "norm"))


def encoder_shapes(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> Shapes:
    layer = encoder_layer_shapes(dim_vector, dim_hidden)
    return {
        **stack_shapes(vocab_size, dim_vector, num_layer, layer),
        **whole(norm=layer_norm_shapes(dim_vector)),
    }


@noting
def decoder_layer(
    x: Array,
    encoder_output: Array,
    weights: Weights,
    n_head: int,
    trg_mask: ArrayLike | None = None,
    src_mask: ArrayLike | None = None,
) -> Array:
    """x + Sublayer(LayerNorm(x)), three times; the encoder's stack has normalised the source."""
    y = layer_norm(x, part(weights, "norm1"))
    attended = multi_head_attention(y, y, y, part(weights, "self_attention"), n_head, trg_mask)
    x = x + attended
    note(norm1=y, self_attention=attended, sum1=x)
    y, source = layer_norm(x, part(weights, "norm2")), encoder_output
    asked = multi_head_attention(
        y, source, source, part(weights, "cross_attention"), n_head, src_mask
    )
    x = x + asked
    note(norm2=y, cross_attention=asked, sum2=x)
    y = layer_norm(x, part(weights, "norm3"))
    widened = feed_forward(y, part(weights, "feed_forward"))
    note(norm3=y, feed_forward=widened)
    return x + widened


def decoder_layer_shapes(dim_vector: int, dim_hidden: int) -> Shapes:
    attention, norm = multi_head_attention_shapes(dim_vector), layer_norm_shapes(dim_vector)
    return whole(
        self_attention=attention,
        norm1=norm,
        cross_attention=attention,
        norm2=norm,
        feed_forward=feed_forward_shapes(dim_vector, dim_hidden),
        norm3=norm,
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
    """The embedding, num_layer layers, one closing norm, and one score for each word."""

    def layer(x: Array, own: Weights) -> Array:
        return decoder_layer(x, encoder_output, own, n_head, trg_mask, src_mask)

    x = layer_norm(stack(trg, weights, num_layer, layer), part(weights, "norm"))
    note(norm=x)
    return linear(x, part(weights, "linear"))


def decoder_shapes(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> Shapes:
    layer = decoder_layer_shapes(dim_vector, dim_hidden)
    return {
        **stack_shapes(vocab_size, dim_vector, num_layer, layer),
        **whole(norm=layer_norm_shapes(dim_vector), linear=linear_shapes(dim_vector, vocab_size)),
    }
