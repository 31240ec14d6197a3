"""Scaled dot-product attention (paper, section 3.2.1, equation 1).

Lesson: README.md, "2.1 Attention"        Check: python run_step.py 2.1
"""

import math

from torch import Tensor, nn


def calculate_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    dropout: nn.Module | None = None,
) -> tuple[Tensor, Tensor]:
    """Mix the values for each query. A key that fits better gives its value more weight.

        attention = softmax(q kᵀ / sqrt(dim_split)),    out = attention v

    q: (batch_size, n_head, q_len, dim_split); k, v: (batch_size, n_head, k_len, dim_split).
    mask: broadcasts to (batch_size, n_head, q_len, k_len). Where it is 0 or False, the key is
    masked (hidden): it gets weight 0, even with the highest score.
    dropout: a module that is applied to the weights.

    Returns out, (batch_size, n_head, q_len, dim_split), and attention, the weights,
    (batch_size, n_head, q_len, k_len). Built from plain operations:
    `F.scaled_dot_product_attention` is not allowed here.
    """
    # TODO: Make `score`, how well each key answers each query, divided by sqrt(dim_split).
    # TODO: Give masked keys a score that leaves them no weight.
    # TODO: Turn the scores into weights that sum to 1 over the keys of each query.
    # TODO: Apply the dropout to the weights, if one is given.
    # TODO: Return the mixed values and the weights.
    raise NotImplementedError("calculate_attention")
