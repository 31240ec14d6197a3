"""Masks: which tokens are visible (paper, section 3.2.3).

Lesson: README.md, "5.1 Masks"        Check: python run_step.py 5.1
"""

import torch
from torch import Tensor


def get_src_mask(src: Tensor, src_pad_idx: int) -> Tensor:
    """(batch_size, src_len) token ids -> bool (batch_size, 1, 1, src_len), on the device of src.

    True: a real token, visible. False: padding, masked (hidden).
    The two axes of size 1 stand for the heads and the queries.
    """
    # Mark every key that is not padding, with the shape above.
    return (src != src_pad_idx)[:, None, None, :]


def get_trg_mask(trg: Tensor, trg_pad_idx: int) -> Tensor:
    """(batch_size, trg_len) token ids -> bool (batch_size, 1, trg_len, trg_len), on trg's device.

    Query i (row) may attend to key j (column) if j is not padding and not later than i.
    The paper masks only the future. Padding must be masked too, because sentences of different
    lengths share a batch.
    """
    # Mark every key that is not padding, as in the source mask.
    real = (trg != trg_pad_idx)[:, None, None, :]
    # Mark every key that is not later than the query, on the device of trg.
    trg_len = trg.size(1)
    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()
    # Return True where both are true.
    return real & past
