"""Right in another dress: s5_transformer/masks.py."""

from checks.engine.known import Right

UNSQUEEZE = Right(
    "The axes of size 1 are put in with unsqueeze, and ne compares.",
    {
        "    return (src != src_pad_idx)[:, None, None, :]\n": """\
    return src.ne(src_pad_idx).unsqueeze(1).unsqueeze(2)
""",
        "    real = (trg != trg_pad_idx)[:, None, None, :]\n": """\
    real = trg.ne(trg_pad_idx).unsqueeze(1).unsqueeze(1)
""",
    },
)
VIEW = Right(
    "The mask is viewed with four axes.",
    {
        "    return (src != src_pad_idx)[:, None, None, :]\n": """\
    batch_size, src_len = src.shape
    return (src != src_pad_idx).view(batch_size, 1, 1, src_len)
""",
        "    real = (trg != trg_pad_idx)[:, None, None, :]\n": """\
    real = torch.ne(trg, trg_pad_idx).reshape(-1, 1, 1, trg.shape[-1])
""",
    },
)
USES_THE_SOURCE_MASK = Right(
    "The padding of the target is found by the function for the source.",
    {
        "    real = (trg != trg_pad_idx)[:, None, None, :]\n": """\
    real = get_src_mask(trg, trg_pad_idx)
"""
    },
)
NOT_TRIU = Right(
    "What is not above the diagonal is visible.",
    {
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    future = torch.triu(torch.ones(trg_len, trg_len, device=trg.device), diagonal=1)
    past = ~future.bool()
"""
    },
)
TRIU_EQUALS_ZERO = Right(
    "The upper triangle is compared with zero.",
    {
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    past = torch.ones((trg_len, trg_len), device=trg.device).triu(1) == 0
"""
    },
)
ARANGE = Right(
    "Positions are compared: key not later than query.",
    {
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    position = torch.arange(trg_len, device=trg.device)
    past = position[None, :] <= position[:, None]
"""
    },
)
CUMSUM = Right(
    "A running sum down the unit matrix gives the lower triangle.",
    {
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    past = torch.eye(trg_len, device=trg.device).cumsum(dim=0) > 0
"""
    },
)
TRIU_TURNED = Right(
    "The upper triangle turned over is the lower one.",
    {
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    past = torch.triu(trg.new_ones(trg_len, trg_len)).t().bool()
"""
    },
)
MASK_OF_TORCH = Right(
    "torch's causal mask holds 0 where looking is allowed.",
    {
        ("import torch\nfrom torch import Tensor\n"): """\
import torch
from torch import Tensor, nn
""",
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    past = nn.Transformer.generate_square_subsequent_mask(trg_len, device=trg.device) == 0
""",
    },
)
MADE_ON_CPU_THEN_MOVED = Right(
    "The triangle is made where tensors are made by default, and then moved to the device of "
    "the target.",
    {
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    past = torch.tril(torch.ones(trg_len, trg_len)).bool().to(trg.device)
"""
    },
)
LIST_OF_LISTS = Right(
    "The triangle is written as a list of lists.",
    {
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    rows = [[key <= query for key in range(trg_len)] for query in range(trg_len)]
    past = torch.tensor(rows, dtype=torch.bool, device=trg.device)
"""
    },
)
NUMPY_TRIANGLE = Right(
    "NumPy makes the triangle.",
    {
        ("import torch\nfrom torch import Tensor\n"): """\
import numpy as np
import torch
from torch import Tensor
""",
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    past = torch.from_numpy(np.tri(trg_len, dtype=bool)).to(device=trg.device)
""",
    },
)
CACHED_TRIANGLE = Right(
    "A helper makes the triangle and remembers it for each length and device.",
    {
        ("import torch\nfrom torch import Tensor\n"): """\
from functools import lru_cache

import torch
from torch import Tensor


@lru_cache(maxsize=32)
def triangle(length: int, device: torch.device) -> Tensor:
    position = torch.arange(length, device=device)
    return position.unsqueeze(0) <= position.unsqueeze(1)
""",
        "    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()\n": """\
    past = triangle(trg_len, trg.device)
""",
    },
)
PRODUCT = Right(
    "Two masks of zeros and ones are multiplied, and the product made bool.",
    {"    return real & past\n": "    return (real.int() * past.int()).bool()\n"},
)
LOGICAL_AND = Right(
    "torch.logical_and joins the two.",
    {"    return real & past\n": "    return torch.logical_and(past, real)\n"},
)
MINIMUM = Right(
    "The smaller of two zeros and ones is one only where both are.",
    {
        "    return real & past\n": """\
    return torch.minimum(real.to(torch.uint8), past.to(torch.uint8)).to(torch.bool)
"""
    },
)
MASKED_FILL = Right(
    "From the triangle, expanded to the batch, padding keys are taken out.",
    {
        """\
    # Mark every key that is not padding, as in the source mask.
    real = (trg != trg_pad_idx)[:, None, None, :]
    # Mark every key that is not later than the query, on the device of trg.
    trg_len = trg.size(1)
    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()
    # Return True where both are true.
    return real & past
""": """\
    batch_size, trg_len = trg.shape
    past = torch.ones(batch_size, 1, trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()
    is_padding = (trg == trg_pad_idx).view(batch_size, 1, 1, trg_len)
    return past.masked_fill(is_padding, False)
"""
    },
)
IN_PLACE_AND = Right(
    "The padding mask is repeated for every query and joined in place.",
    {
        "    return real & past\n": """\
    mask = real.repeat(1, 1, trg_len, 1)
    mask &= past
    return mask
"""
    },
)
TRIL_OF_THE_EXPANDED = Right(
    "The padding mask is expanded to a square, and its upper triangle cut off.",
    {
        """\
    # Mark every key that is not padding, as in the source mask.
    real = (trg != trg_pad_idx)[:, None, None, :]
    # Mark every key that is not later than the query, on the device of trg.
    trg_len = trg.size(1)
    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()
    # Return True where both are true.
    return real & past
""": """\
    real = get_src_mask(trg, trg_pad_idx)
    return real.expand(-1, -1, trg.size(1), -1).tril()
"""
    },
)
ROW_BY_ROW = Right(
    "Query by query: the keys up to it that are no padding.",
    {
        """\
    # Mark every key that is not padding, as in the source mask.
    real = (trg != trg_pad_idx)[:, None, None, :]
    # Mark every key that is not later than the query, on the device of trg.
    trg_len = trg.size(1)
    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()
    # Return True where both are true.
    return real & past
""": """\
    batch_size, trg_len = trg.size()
    mask = torch.zeros((batch_size, 1, trg_len, trg_len), dtype=torch.bool, device=trg.device)
    for query in range(trg_len):
        mask[:, 0, query, : query + 1] = trg[:, : query + 1] != trg_pad_idx
    return mask
"""
    },
)
EINSUM_OF_KEYS = Right(
    "Each sentence's padding mask is laid over the triangle with an outer product.",
    {
        """\
    # Mark every key that is not padding, as in the source mask.
    real = (trg != trg_pad_idx)[:, None, None, :]
    # Mark every key that is not later than the query, on the device of trg.
    trg_len = trg.size(1)
    past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()
    # Return True where both are true.
    return real & past
""": """\
    real = (trg != trg_pad_idx).float()
    past = torch.ones(trg.size(1), trg.size(1), device=trg.device).tril()
    return torch.einsum("bk,qk->bqk", real, past).unsqueeze(1) > 0.5
"""
    },
)
CHECKS_ITS_INPUT = Right(
    "An assert looks at the number of axes first.",
    {
        "    return (src != src_pad_idx)[:, None, None, :]\n": """\
    assert src.ndim == 2, f"expected (batch_size, src_len), got {tuple(src.shape)}"
    mask = ~(src == src_pad_idx)
    return mask[:, None, None]
"""
    },
)
ALIAS = Right(
    "A general function does the work, and the name of the step is bound to it.",
    {
        (
            "def get_src_mask(src: Tensor, src_pad_idx: int) -> Tensor:\n"
            '    """(batch_size, src_len) token ids -> bool (batch_size, 1, 1, src_len), on '
            "the device of src.\n"
            "\n"
            "    True: a real token, visible. False: padding, masked (hidden).\n"
            "    The two axes of size 1 stand for the heads and the queries.\n"
            '    """\n'
            "    # Mark every key that is not padding, with the shape above.\n"
            "    return (src != src_pad_idx)[:, None, None, :]\n"
        ): """\
def padding_mask(tokens: Tensor, pad_idx: int) -> Tensor:
    return tokens.not_equal(pad_idx)[:, None, None]


get_src_mask = padding_mask
""",
        "    real = (trg != trg_pad_idx)[:, None, None, :]\n": """\
    real = padding_mask(trg, trg_pad_idx)
""",
    },
)
