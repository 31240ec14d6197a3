"""Right in another dress: s2_attention/calculate_attention.py."""

from checks.engine.known import Right
from checks.s2_attention.calculate_attention.mistakes import HIDE

EINSUM = Right(
    "Both products are written as sums over named axes.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    score = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.size(-1))
""",
        "    return attention @ v, attention\n": """\
    return torch.einsum("bhqk,bhkd->bhqd", attention, v), attention
""",
    },
)
BMM = Right(
    "The heads are folded into the batch, so that three axes suffice.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"""\
    # Make `score`, how well each key answers each query, divided by sqrt(dim_split).
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    # Give masked keys a score that leaves them no weight.
    if mask is not None:
        {HIDE}
    # Turn the scores into weights that sum to 1 over the keys of each query.
    attention = score.softmax(dim=-1)
    # Apply the dropout to the weights, if one is given.
    if dropout is not None:
        attention = dropout(attention)
    # Return the mixed values and the weights.
    return attention @ v, attention
""": """\
    batch_size, n_head, q_len, dim_split = q.shape
    k_len = k.size(2)
    q, k, v = (x.reshape(-1, x.size(2), dim_split) for x in (q, k, v))
    score = torch.bmm(q, k.transpose(1, 2)) / dim_split**0.5
    if mask is not None:
        mask = mask.expand(batch_size, n_head, q_len, k_len).reshape(-1, q_len, k_len)
        score = score.masked_fill(mask == 0, float("-inf"))
    attention = torch.softmax(score, dim=2)
    if dropout is not None:
        attention = dropout(attention)
    out = torch.bmm(attention, v)
    shape = batch_size, n_head, q_len, -1
    return out.view(shape), attention.view(shape)
""",
    },
)
BADDBMM = Right(
    "Scaling, product and the mask, as an additive bias, happen in one call.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"""\
    # Make `score`, how well each key answers each query, divided by sqrt(dim_split).
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    # Give masked keys a score that leaves them no weight.
    if mask is not None:
        {HIDE}
    # Turn the scores into weights that sum to 1 over the keys of each query.
    attention = score.softmax(dim=-1)
    # Apply the dropout to the weights, if one is given.
    if dropout is not None:
        attention = dropout(attention)
    # Return the mixed values and the weights.
    return attention @ v, attention
""": """\
    (batch_size, n_head, q_len, dim_split), k_len = q.shape, k.size(-2)
    bias = q.new_zeros(batch_size, n_head, q_len, k_len)
    if mask is not None:
        bias = bias.masked_fill(mask == 0, -1e9)
    score = torch.baddbmm(
        bias.flatten(0, 1),
        q.flatten(0, 1),
        k.flatten(0, 1).transpose(-2, -1),
        alpha=1 / math.sqrt(dim_split),
    )
    attention = score.softmax(-1).unflatten(0, (batch_size, n_head))
    if dropout is not None:
        attention = dropout(attention)
    return attention.matmul(v), attention
""",
    },
)
SOFTMAX_BY_HAND = Right(
    "The softmax is written out: subtract the largest score, take exp, divide by the sum.",
    {
        "    attention = score.softmax(dim=-1)\n": """\
    power = (score - score.amax(dim=-1, keepdim=True)).exp()
    attention = power / power.sum(dim=-1, keepdim=True)
"""
    },
)
LOGSUMEXP = Right(
    "Each score minus the logarithm of the sum of all exps, then exp: the softmax again.",
    {
        "    attention = score.softmax(dim=-1)\n": """\
    attention = (score - score.logsumexp(dim=-1, keepdim=True)).exp()
"""
    },
)
EXPONENTIAL_OF_LOG_SOFTMAX = Right(
    "The exponential of the logarithmic softmax.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        "    attention = score.softmax(dim=-1)\n": """\
    attention = F.log_softmax(score, dim=-1).exp()
""",
    },
)
POWERS_OF_TWO = Right(
    "The softmax is made of powers of two; the factor log2(e) makes up for the base.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        "    attention = score.softmax(dim=-1)\n": """\
    score = (score - score.max(dim=-1, keepdim=True).values) * math.log2(math.e)
    attention = torch.exp2(score)
    attention = attention / attention.sum(-1, keepdim=True)
""",
    },
)
SOFTMAX_MODULE = Right(
    "The softmax is a module made on the spot.",
    {
        "    attention = score.softmax(dim=-1)\n": """\
    attention = nn.Softmax(dim=-1)(score)
"""
    },
)
SOFTMAX_AT_LEAST_FLOAT32 = Right(
    "The softmax is computed in float32 at least and cast back, for the sake of half precision.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        "    attention = score.softmax(dim=-1)\n": """\
    wide = torch.promote_types(score.dtype, torch.float32)
    attention = F.softmax(score, dim=-1, dtype=wide).to(v.dtype)
""",
    },
)
SCALE_ON_QUERIES = Right(
    "The queries are divided by the square root before the product.",
    {
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    score = (q * q.size(-1) ** -0.5) @ k.transpose(-2, -1)
"""
    },
)
SCALE_ON_BOTH = Right(
    "Queries and keys get half of the scale each: the fourth root.",
    {
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    scale = q.shape[-1] ** -0.25
    score = (q * scale) @ (k * scale).mT
"""
    },
)
SCALE_AS_TENSOR = Right(
    "The square root is taken of a tensor with one number.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    dim_split = torch.tensor(q.size(-1))
    score = torch.matmul(q, k.permute(0, 1, 3, 2)) / torch.sqrt(dim_split)
""",
    },
)
SCALE_RSQRT = Right(
    "One over the square root comes from rsqrt, on the device and in the dtype of the queries.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    scale = torch.rsqrt(torch.tensor(float(q.size(3)), dtype=q.dtype, device=q.device))
    score = torch.matmul(q, k.swapaxes(2, 3)).mul(scale)
""",
    },
)
MASK_BEFORE_SCALING = Right(
    "The hidden scores are filled first and everything is scaled afterwards: the fill stays "
    "far below.",
    {
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    score = torch.matmul(q, k.transpose(2, 3))
""",
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"        {HIDE}\n": """\
        score = score.masked_fill(mask == 0, -1e9)
""",
        "    attention = score.softmax(dim=-1)\n": """\
    score = score / math.sqrt(k.size(-1))
    attention = torch.softmax(score, -1)
""",
    },
)
FILL_MINUS_1E9 = Right(
    "Hidden keys get the score -1e9: so low that no weight is left.",
    {
        f"        {HIDE}\n": """\
        score = score.masked_fill(mask == 0, -1e9)
"""
    },
    mixes=True,
)
FILL_MINUS_10000 = Right(
    "Hidden keys get the score -10000: so low that no weight is left.",
    {
        f"        {HIDE}\n": """\
        score = score.masked_fill(mask == 0, -10000)
"""
    },
)
FILL_MINUS_1E20 = Right(
    "Hidden keys get the score -1e20: so low that no weight is left.",
    {
        f"        {HIDE}\n": """\
        score = score.masked_fill(mask == 0, -1e20)
"""
    },
)
FILL_MINUS_MATH_INF = Right(
    "Hidden keys get the score -math.inf: so low that no weight is left.",
    {
        f"        {HIDE}\n": """\
        score = score.masked_fill(mask == 0, -math.inf)
"""
    },
)
FILL_FINFO_MIN = Right(
    "Hidden keys get the lowest number of the dtype.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"        {HIDE}\n": """\
        score = score.masked_fill(mask.logical_not(), torch.finfo(score.dtype).min)
""",
    },
)
WHERE = Right(
    "torch.where chooses between the score and a very low number.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"        {HIDE}\n": """\
        score = torch.where(mask.bool(), score, torch.tensor(-1e9))
""",
    },
)
WHERE_FULL_LIKE = Right(
    "torch.where takes the low numbers from a tensor of the same shape.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"        {HIDE}\n": """\
        score = torch.where(mask != 0, score, torch.full_like(score, -torch.inf))
""",
    },
)
ADDITIVE_MINUS_INF = Right(
    "A tensor of zeros and minus infinities is added to the scores.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"        {HIDE}\n": """\
        bias = torch.zeros(mask.shape, dtype=score.dtype, device=score.device)
        bias.masked_fill_(mask == 0, float("-inf"))
        score = score + bias
""",
    },
)
ADDITIVE_NEW_ZEROS = Right(
    "Zeros in the shape of the mask, filled with minus infinity, are added to the scores.",
    {
        HIDE: """\
score = score + score.new_zeros(mask.shape).masked_fill(mask == 0, float("-inf"))"""
    },
)
ADDITIVE_ONE_MINUS_MASK = Right(
    "One minus the mask, times minus a thousand million, is added to the scores.",
    {
        f"        {HIDE}\n": """\
        score = score + (1.0 - mask.to(score.dtype)) * -1e9
"""
    },
)
TIMES_MASK_MINUS = Right(
    "Hidden scores are multiplied by zero and then lowered.",
    {
        f"        {HIDE}\n": """\
        shown = mask.type_as(score)
        score = score * shown - 1e9 * (1 - shown)
"""
    },
)
LOG_OF_MASK = Right(
    "The logarithm of the mask is 0 where it is 1 and minus infinity where it is 0, so it can "
    "be added.",
    {
        f"        {HIDE}\n": """\
        score = score + mask.to(score.dtype).log()
"""
    },
)
NOT_MASK = Right(
    "The mask is made bool and turned round.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"        {HIDE}\n": """\
        score = score.masked_fill(~mask.to(torch.bool), -float("inf"))
""",
    },
)
RENORMALISED = Right(
    "Weights of hidden keys are multiplied by zero and the others divided by their sum; the "
    "largest shown score is subtracted first.",
    {
        f"""\
    if mask is not None:
        {HIDE}
    # Turn the scores into weights that sum to 1 over the keys of each query.
    attention = score.softmax(dim=-1)
""": """\
    if mask is None:
        attention = score.softmax(dim=-1)
    else:
        shown = mask != 0
        top = score.detach().masked_fill(~shown, float("-inf")).amax(-1, keepdim=True)
        power = (score - top).clamp(max=0.0).exp() * shown
        attention = power / power.sum(-1, keepdim=True)
"""
    },
)
LOOP_OVER_HEADS = Right(
    "Sentences and heads are computed one after the other and stacked.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"""\
    # Make `score`, how well each key answers each query, divided by sqrt(dim_split).
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    # Give masked keys a score that leaves them no weight.
    if mask is not None:
        {HIDE}
    # Turn the scores into weights that sum to 1 over the keys of each query.
    attention = score.softmax(dim=-1)
    # Apply the dropout to the weights, if one is given.
    if dropout is not None:
        attention = dropout(attention)
    # Return the mixed values and the weights.
    return attention @ v, attention
""": """\
    batch_size, n_head, q_len, dim_split = q.shape
    if mask is not None:
        mask = mask.expand(batch_size, n_head, q_len, k.size(2))
    weights = []
    for b in range(batch_size):
        for h in range(n_head):
            score = q[b, h] @ k[b, h].T / math.sqrt(dim_split)
            if mask is not None:
                score = score.masked_fill(mask[b, h] == 0, -math.inf)
            weights.append(torch.softmax(score, dim=1))
    attention = torch.stack(weights).view(batch_size, n_head, q_len, -1)
    if dropout is not None:
        attention = dropout(attention)
    return torch.matmul(attention, v), attention
""",
    },
)
LOOP_OVER_QUERIES = Right(
    "Each query position is computed by itself.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    score = torch.stack([(q[:, :, i : i + 1] * k).sum(-1) for i in range(q.size(2))], dim=2)
    score = score / math.sqrt(q.size(-1))
""",
    },
)
HIDDEN_KEYS_REMOVED = Right(
    "For each query only the keys that it may see are kept; the others get a weight of zero at "
    "the end.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn
""",
        f"""\
    # Make `score`, how well each key answers each query, divided by sqrt(dim_split).
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    # Give masked keys a score that leaves them no weight.
    if mask is not None:
        {HIDE}
    # Turn the scores into weights that sum to 1 over the keys of each query.
    attention = score.softmax(dim=-1)
    # Apply the dropout to the weights, if one is given.
    if dropout is not None:
        attention = dropout(attention)
    # Return the mixed values and the weights.
    return attention @ v, attention
""": """\
    score = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is None:
        attention = score.softmax(-1)
    else:
        rows = []
        shown = (mask != 0).expand(score.shape).reshape(-1, score.size(-1))
        for line, keys in zip(score.reshape(shown.shape), shown):
            seen = keys.nonzero().squeeze(1)
            row = line.new_zeros(line.shape)
            rows.append(row.index_add(0, seen, line[seen].softmax(0)))
        attention = torch.stack(rows).view(score.shape)
    if dropout is not None:
        attention = dropout(attention)
    return attention @ v, attention
""",
    },
)
WEIGHTS_BEFORE_DROPOUT = Right(
    "The weights are returned as they were before the dropout.",
    {
        """\
    if dropout is not None:
        attention = dropout(attention)
""": "    kept = attention if dropout is None else dropout(attention)\n",
        "    return attention @ v, attention\n": "    return kept @ v, attention\n",
    },
)
BROADCAST_PRODUCTS = Right(
    "The products are made by broadcasting and summed, without a matrix product.",
    {
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    score = (q[..., :, None, :] * k[..., None, :, :]).sum(dim=-1) / q.shape[-1] ** 0.5
""",
        "    return attention @ v, attention\n": """\
    out = (attention.unsqueeze(-1) * v.unsqueeze(-3)).sum(dim=-2)
    return out, attention
""",
    },
)
IN_PLACE = Right(
    "The fresh scores are divided and filled in place; nobody else holds them.",
    {
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    score = q @ k.transpose(-2, -1)
    score /= math.sqrt(q.size(-1))
""",
        f"        {HIDE}\n": """\
        score.masked_fill_(mask == 0, float("-inf"))
""",
    },
)
NAMED_TUPLE = Right(
    "The pair comes back as a tuple whose two members also have names.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math
from typing import NamedTuple

from torch import Tensor, nn


class Attended(NamedTuple):
    out: Tensor
    attention: Tensor
""",
        "    return attention @ v, attention\n": """\
    return Attended(attention @ v, attention)
""",
    },
)
VMAP = Right(
    "A function for one head is mapped over heads and sentences.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn


def weights_of_one_head(q: Tensor, k: Tensor, hidden: Tensor) -> Tensor:
    score = (q @ k.T) * q.size(-1) ** -0.5
    return score.masked_fill(hidden, -1e30).softmax(-1)
""",
        f"""\
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    # Give masked keys a score that leaves them no weight.
    if mask is not None:
        {HIDE}
    # Turn the scores into weights that sum to 1 over the keys of each query.
    attention = score.softmax(dim=-1)
""": """\
    hidden = q.new_zeros(*q.shape[:3], k.size(2), dtype=torch.bool)
    if mask is not None:
        hidden = hidden | (mask == 0)
    attention = torch.vmap(torch.vmap(weights_of_one_head))(q, k, hidden)
""",
    },
)
CHECKED_AND_HELPED = Right(
    "A helper hides the keys, and the sizes are asserted first.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

from torch import Tensor, nn


def hide(score: Tensor, mask: Tensor | None) -> Tensor:
    if mask is None:
        return score
    return score.masked_fill(mask.eq(0), -float("inf"))
""",
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    assert q.dim() == k.dim() == v.dim() == 4, "expected (batch_size, n_head, length, dim_split)"
    assert q.size(-1) == k.size(-1), "queries and keys differ in width"
    dim_split: int = q.size(-1)
    score = hide(q.matmul(k.mT).div(math.sqrt(dim_split)), mask)
""",
        f"""\
    # Give masked keys a score that leaves them no weight.
    if mask is not None:
        {HIDE}
""": "\n",
        """\
    if dropout is not None:
        attention = dropout(attention)
""": "    attention = attention if dropout is None else dropout(attention)\n",
    },
)
VALUES_TRANSPOSED = Right(
    "The mixture is computed the other way round: values first, then turned back.",
    {
        "    return attention @ v, attention\n": """\
    return (v.mT @ attention.mT).mT, attention
"""
    },
)
TENSORDOT_STYLE = Right(
    "The keys are turned once with movedim, and the mixture ends contiguous in memory.",
    {
        "    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))\n": """\
    keys = k.movedim(-1, -2).contiguous()
    score = q.contiguous().matmul(keys).mul(1.0 / math.sqrt(k.shape[-1]))
""",
        "    return attention @ v, attention\n": """\
    out = attention.matmul(v).contiguous()
    return (out, attention)
""",
    },
)
DEFAULT_ARGUMENTS_BY_NAME = Right(
    "A helper with keyword-only arguments does the work; the function of the step only calls it.",
    {
        """\
import math

from torch import Tensor, nn
""": """\
import math

import torch
from torch import Tensor, nn


def weights_of(*, queries: Tensor, keys: Tensor, mask: Tensor | None = None) -> Tensor:
    score = torch.einsum("...qd,...kd->...qk", queries, keys) / keys.size(-1) ** 0.5
    if mask is None:
        return score.softmax(-1)
    return score.masked_fill(mask == 0, float("-inf")).softmax(-1)
""",
        f"""\
    # Make `score`, how well each key answers each query, divided by sqrt(dim_split).
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    # Give masked keys a score that leaves them no weight.
    if mask is not None:
        {HIDE}
    # Turn the scores into weights that sum to 1 over the keys of each query.
    attention = score.softmax(dim=-1)
    # Apply the dropout to the weights, if one is given.
    if dropout is not None:
        attention = dropout(attention)
    # Return the mixed values and the weights.
    return attention @ v, attention
""": """\
    attention = weights_of(queries=q, keys=k, mask=mask)
    attention = dropout(attention) if dropout is not None else attention
    return torch.einsum("...qk,...kd->...qd", attention, v), attention
""",
    },
)
TEN_THOUSAND_LESS = Right(
    "Hidden keys get 10000 less, as in BERT. No model has scores that are so far apart.",
    {HIDE: "score = score - 10000.0 * (mask == 0)"},
)
