"""Right versions of s6_today/sampling.py that look different."""

from checks.engine.known import Right
from checks.s6_today.sampling.mistakes import (
    BY_P,
    BY_TEMPERATURE,
    CUT_BY_K,
    DRAWN,
    LAST,
    LEAST_OF_K,
    MIN_P,
    TOP_K,
    TOP_P,
)

SCATTERED_MARKS = Right(
    "The marks of top_p are moved one place to the right, and scattered back.",
    {
        "        before = share.cumsum(dim=-1) - share\n": "",
        "        cut = before >= top_p\n": """\
        cut = share.cumsum(dim=-1) >= top_p
        cut[..., 1:] = cut[..., :-1].clone()
""",
        BY_P: """\
cut = torch.zeros_like(cut).scatter(-1, order, cut)
        logits = logits.masked_fill(cut, float("-inf"))""",
    },
)
SCATTERED_LOGITS = Right(
    "The sorted logits are cut, and scattered to their places.",
    {
        BY_P: """\
ordered = ordered.masked_fill(cut, float("-inf"))
        logits = torch.empty_like(logits).scatter(-1, order, ordered)"""
    },
)
SORTED_BACK = Right(
    "The sorted logits are cut, and indexed with the inverse order.",
    {BY_P: 'logits = ordered.masked_fill(cut, float("-inf")).gather(-1, order.argsort(dim=-1))'},
)
LEAST_OF_P = Right(
    "The last logit that top_p keeps is a limit for all.",
    {
        BY_P: """\
count = (~cut).sum(dim=-1, keepdim=True)
        least = ordered.gather(-1, count - 1)
        logits = torch.where(logits >= least, logits, float("-inf"))"""
    },
)
EXACTLY_K = Right(
    "The best top_k logits are put into a row in which all is cut.",
    {
        LEAST_OF_K: "values, places = logits.topk(top_k)",
        CUT_BY_K: """\
logits = torch.full_like(logits, float("-inf")).scatter(-1, places, values)""",
    },
)
K_BEFORE_THE_TEMPERATURE = Right(
    "top_k comes before the temperature, which does not change who is best.",
    {
        f"    {BY_TEMPERATURE}\n": "",
        TOP_K: TOP_K + f"    {BY_TEMPERATURE}\n",
    },
)
LOG_OF_MIN_P = Right(
    "min_p is compared among the logits: its logarithm is a difference.",
    {
        MIN_P: """\
    if min_p == 0:
        return logits
    distance = logits.amax(dim=-1, keepdim=True) - logits
    return logits.masked_fill(distance > -torch.log(torch.tensor(min_p)), float("-inf"))
"""
    },
)
LOG_PROBABILITIES = Right(
    "The logarithms of the probabilities are returned: their softmax is the same.",
    {LAST: 'return logits.masked_fill(share < least, float("-inf")).log_softmax(dim=-1)'},
)
ROW_BY_ROW = Right(
    "A loop over rows draws a limit by hand.",
    {
        TOP_P: """\
    rows = []
    for row in logits:
        stays = torch.zeros_like(row, dtype=torch.bool)
        share, total = row.softmax(dim=-1), 0.0
        for place in row.argsort(descending=True):
            if total >= top_p < 1 and stays.any():
                break
            stays[place] = True
            total += share[place]
        rows.append(row.masked_fill(~stays, float("-inf")))
    logits = torch.stack(rows)
"""
    },
)
ON_A_COPY = Right(
    "The filters write into a copy of the logits.",
    {
        BY_TEMPERATURE: "logits = logits.clone() / temperature",
        CUT_BY_K: 'logits[logits < least] = float("-inf")',
        LAST: 'logits[share < least] = float("-inf")\n    return logits',
    },
)
ZERO_BY_PLACES = Right(
    "Temperature 0 compares places with that of the best token, which gets the logit 0.",
    {
        'return torch.full_like(logits, float("-inf")).scatter(-1, best, logits.gather(-1, best))': """\
place = torch.arange(logits.size(-1), device=logits.device)
        return torch.where(place == best, 0.0, float("-inf")).to(logits.dtype)"""
    },
)
IN_DOUBLE = Right(
    "The sum for top_p is made in double precision.",
    {"share = ordered.softmax(dim=-1)": "share = ordered.double().softmax(dim=-1)"},
)
GUMBEL = Right(
    "The best of the logits plus Gumbel noise is drawn with the softmax's probabilities.",
    {
        DRAWN: """\
noise = torch.empty_like(logits).exponential_(generator=generator)
    return (logits - noise.log()).argmax(dim=-1)"""
    },
)
EXPONENTIAL_RACE = Right(
    "Probabilities are divided by exponential noise; the largest ratio wins.",
    {
        DRAWN: """\
share = logits.softmax(dim=-1)
    return (share / torch.empty_like(share).exponential_(1, generator=generator)).argmax(dim=-1)"""
    },
)
SUMS_SEARCHED = Right(
    "A random number for each row is searched among the sums of the probabilities.",
    {
        DRAWN: """\
sums = logits.softmax(dim=-1).cumsum(dim=-1)
    u = torch.rand(len(logits), 1, generator=generator, device=logits.device) * sums[:, -1:]
    last = (logits > float("-inf")).int().cumsum(dim=-1).argmax(dim=-1)
    found = torch.searchsorted(sums, u.to(sums.dtype), right=True)[:, 0]
    return torch.minimum(found, last)"""
    },
)
SQUEEZED = Right(
    "The column of draws loses its last axis.",
    {"1, generator=generator)[:, 0]": "num_samples=1, generator=generator).squeeze(-1)"},
)
