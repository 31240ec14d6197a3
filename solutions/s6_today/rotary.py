"""Rotary embedding: a token's place turns its queries and keys (Su et al. 2021, section 3.2).

Lesson: README.md, "6.2 ★ Rotary"        Check: python run_step.py 6.2
"""

import torch
from torch import Tensor


def rotary_table(dim_split: int, max_len: int, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    """The cosine and the sine of every angle -> two (max_len, dim_split // 2), float32.

        angle[position, i] = position / base^(2i / dim_split)

    Raises ValueError if dim_split is odd: the features are turned in pairs.
    """
    # Refuse an odd dim_split. Name it in the error.
    if dim_split % 2 != 0:
        raise ValueError(f"dim_split {dim_split} is odd: its features do not form pairs")
    # Make the angle of each position (rows) and each pair of features (columns).
    position = torch.arange(max_len, dtype=torch.float32)[:, None]
    pair = torch.arange(dim_split // 2, dtype=torch.float32)
    angle = position / base ** (2 * pair / dim_split)
    # Return the cosine and the sine.
    return angle.cos(), angle.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor, start: int = 0) -> Tensor:
    """x (batch_size, n_head, length, dim_split) -> the same shape and dtype.

    Token n of x stands at position start + n of the text. Pair i are the neighbours, the features
    2i and 2i + 1. Each pair is a point in the plane, and is turned by its angle:

        (a, b) -> (a cos - b sin, a sin + b cos)

    Raises ValueError if the table has fewer than start + length rows.
    """
    end = start + x.size(2)
    # Refuse a table that is too short. Name start, the length of x and the rows in the error.
    if end > cos.size(0):
        raise ValueError(
            f"start {start} and {x.size(2)} tokens do not fit a table of {cos.size(0)} rows"
        )
    # Take the rows of these positions.
    cos, sin = cos[start:end], sin[start:end]
    # Turn the first and the second feature of each pair, and put the pairs together again.
    a, b = x[..., 0::2], x[..., 1::2]
    pairs = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return pairs.flatten(-2).to(x.dtype)
