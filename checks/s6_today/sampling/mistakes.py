"""What people get wrong in s6_today/sampling.py.

Not here, on purpose:
- The global generator is used as well as the one that is given: nothing that comes back shows it.
- Equal logits of which all stay, or only as many as top_k allows: both are right.
"""

from checks.engine.known import Mistake

BY_TEMPERATURE = "logits = logits / temperature"
LEAST_OF_K = "least = logits.topk(top_k).values[..., -1:]"
CUT_BY_K = 'logits = logits.masked_fill(logits < least, float("-inf"))'
BY_P = 'logits = logits.masked_fill(cut.gather(-1, order.argsort(dim=-1)), float("-inf"))'
LAST = 'return logits.masked_fill(share < least, float("-inf"))'
DRAWN = "return torch.multinomial(logits.softmax(dim=-1), 1, generator=generator)[:, 0]"
TOP_K = f"""\
    if 0 < top_k < logits.size(-1):
        {LEAST_OF_K}
        {CUT_BY_K}
"""
TOP_P = f"""\
    if top_p < 1:
        ordered, order = logits.sort(dim=-1, descending=True)
        share = ordered.softmax(dim=-1)
        before = share.cumsum(dim=-1) - share
        cut = before >= top_p
        cut[..., 0] = False
        {BY_P}
"""
MIN_P = f"""\
    share = logits.softmax(dim=-1)
    least = min_p * share.max(dim=-1, keepdim=True).values
    {LAST}
"""

# Temperature

TEMPERATURE_INVERTED = Mistake(
    "The logits are multiplied by the temperature. A low temperature then makes the draws wilder "
    "instead of calmer.",
    {BY_TEMPERATURE: "logits = logits * temperature"},
    seen="EricLBuehler/mistral.rs#1316",
)
TEMPERATURE_IGNORED = Mistake(
    "The temperature is only compared with 0. All other temperatures give the same probabilities.",
    {f"    {BY_TEMPERATURE}\n": ""},
)
TEMPERATURE_LAST = Mistake(
    "The temperature comes after the filters. top_p and min_p then measure probabilities from "
    "which nothing is drawn.",
    {f"    {BY_TEMPERATURE}\n": "", LAST: LAST + " / temperature"},
    seen="sgl-project/sglang-jax#1563",
)
TEMPERATURE_OF_PROBABILITIES = Mistake(
    "You divide the probabilities by the temperature instead of the logits. Divide before the "
    "softmax.",
    {BY_TEMPERATURE: "logits = logits.softmax(dim=-1) / temperature"},
)
TEMPERATURE_AS_POWER = Mistake(
    "The logits themselves are raised to a power. The power belongs to the probabilities, and "
    "dividing the logits does just that.",
    {BY_TEMPERATURE: "logits = logits.sign() * logits.abs() ** (1 / temperature)"},
)
TEMPERATURE_SQUARE_ROOT = Mistake(
    "The logits are divided by the square root of the temperature. Divide by the temperature itself.",
    {BY_TEMPERATURE: "logits = logits / temperature**0.5"},
)
ZERO_DIVIDES = Mistake(
    "At temperature 0 you divide by 0. Infinite logits come out, and a draw from them stops with "
    "an error.",
    {"temperature == 0": "temperature < 0"},
)
ZERO_IS_TINY = Mistake(
    "At temperature 0 you divide by a tiny number instead. No token is cut, so the others can "
    "still be drawn when logits are close.",
    {
        "temperature == 0": "temperature < 0",
        BY_TEMPERATURE: "logits = logits / max(temperature, 1e-5)",
    },
)
ZERO_CUTS_NOTHING = Mistake(
    "Temperature 0 leaves the logits as they are. It should keep the best token alone.",
    {
        "temperature == 0": "temperature < 0",
        f"    {BY_TEMPERATURE}\n": f"    if temperature > 0:\n        {BY_TEMPERATURE}\n",
    },
)
ZERO_KEEPS_EQUALS = Mistake(
    "At temperature 0 all best tokens stay if several are equal. Then a draw decides, though "
    "temperature 0 promises the same text each time.",
    {
        "        best = logits.argmax(dim=-1, keepdim=True)\n": "",
        'return torch.full_like(logits, float("-inf")).scatter(-1, best, logits.gather(-1, best))': """\
best = logits.amax(dim=-1, keepdim=True)
        return logits.masked_fill(logits < best, float("-inf"))""",
    },
)
ZERO_KEEPS_THE_LAST = Mistake(
    "If several tokens are best at temperature 0, you keep the last of them. The first one stays.",
    {
        "best = logits.argmax(dim=-1, keepdim=True)": """\
best = logits.size(-1) - 1 - logits.flip(-1).argmax(dim=-1, keepdim=True)"""
    },
)
ZERO_FOR_THE_OTHERS = Mistake(
    "At temperature 0 the other logits become 0. A logit of 0 is not cut: it can be the largest.",
    {'torch.full_like(logits, float("-inf"))': "torch.zeros_like(logits)"},
)
ZERO_OF_THE_BATCH = Mistake(
    "At temperature 0 one best token is searched in the whole batch. Each row has its own.",
    {
        "best = logits.argmax(dim=-1, keepdim=True)": """\
best = (logits.argmax() % logits.size(-1)).expand(logits.size(0), 1)"""
    },
)
ZERO_KEEPS_THE_WORST = Mistake(
    "Temperature 0 keeps the least likely token. It should keep the best one.",
    {"best = logits.argmax(": "best = logits.argmin("},
)

# top_k

ONE_MORE_THAN_K = Mistake(
    "One token more than top_k stays.",
    {LEAST_OF_K: "least = logits.topk(top_k + 1).values[..., -1:]"},
    seen="kingoflolz/mesh-transformer-jax#164",
)
ONE_LESS_THAN_K = Mistake(
    "The worst of the best top_k tokens is cut, too: a logit that is equal to the limit should "
    "stay.",
    {"logits < least, float": "logits <= least, float"},
)
K_IS_TOO_LARGE = Mistake(
    "A top_k above the vocabulary stops with an error. There is just nothing to cut then.",
    {"if 0 < top_k < logits.size(-1):": "if top_k > 0:"},
    seen="karpathy/nanochat@2e17723",
)
K_OF_0 = Mistake(
    "A top_k of 0 stops with an error. It means that nothing is cut.",
    {"if 0 < top_k < logits.size(-1):": "if top_k < logits.size(-1):"},
)
K_OF_0_IS_1 = Mistake(
    "A top_k of 0 keeps one token. It means that nothing is cut.",
    {TOP_K: TOP_K.replace("0 < top_k <", "top_k <").replace("top_k)", "max(top_k, 1))")},
)
K_WORST = Mistake(
    "The top_k worst tokens stay, instead of the best.",
    {
        LEAST_OF_K: "least = logits.topk(top_k, largest=False).values[..., -1:]",
        "logits < least": "logits > least",
    },
)
K_FIRST = Mistake(
    "The first top_k tokens of the vocabulary stay, not those with the highest logits.",
    {
        TOP_K: """\
    if 0 < top_k < logits.size(-1):
        late = torch.arange(logits.size(-1), device=logits.device) >= top_k
        logits = logits.masked_fill(late, float("-inf"))
"""
    },
)
K_OF_THE_BATCH = Mistake(
    "The best top_k are searched in the whole batch. Each row keeps its own best tokens.",
    {LEAST_OF_K: "least = logits.flatten().topk(top_k).values[-1]"},
)
K_OF_THE_FIRST_ROW = Mistake(
    "The limit of the first row cuts all rows. Each row has its own limit.",
    {LEAST_OF_K: "least = logits.topk(top_k).values[0, -1]"},
)
K_IS_50 = Mistake(
    "top_k is 50 unless it is given. The default here is 0, which cuts nothing.",
    {"top_k: int = 0": "top_k: int = 50"},
)
K_LEAVES_ZEROS = Mistake(
    "top_k sets logits to 0 where a token is cut. A logit of 0 can still be drawn: use minus "
    "infinity.",
    {CUT_BY_K: "logits = logits.masked_fill(logits < least, 0.0)"},
)
K_IN_PLACE = Mistake(
    "top_k overwrites the caller's logits. Without a temperature before it, they are the same "
    "tensor.",
    {
        BY_TEMPERATURE: "if temperature != 1:\n        logits = logits / temperature",
        CUT_BY_K: 'logits[logits < least] = float("-inf")',
    },
)
DIVIDED_IN_PLACE = Mistake(
    "The division by the temperature overwrites the caller's logits. Code that uses them later gets "
    "wrong values.",
    {BY_TEMPERATURE: "logits /= temperature"},
)
K_LEAVES_FINITE = Mistake(
    "What top_k cuts has a very low logit instead of minus infinity. Code that looks for what is "
    "cut does not find it.",
    {CUT_BY_K: "logits = logits.masked_fill(logits < least, -1e4)"},
)

# top_p

CROSSING_DROPPED = Mistake(
    "The token that reaches top_p is cut. It should stay, so that the rest has at least top_p.",
    {"cut = before >= top_p": "cut = before + share > top_p"},
    seen="Biohub/esm#360, C2C#21, fishaudio/fish-speech#1171",
)
ONE_AFTER_P = Mistake(
    "One more token stays after the one that reaches top_p.",
    {"cut = before >= top_p": "cut = before - share.roll(1, dims=-1) >= top_p"},
)
NOT_BROUGHT_BACK = Mistake(
    "What top_p cuts is marked in sorted order and never put back into the order of the "
    "vocabulary. So other tokens are cut.",
    {"cut.gather(-1, order.argsort(dim=-1))": "cut"},
    seen="lucidrains/PaLM-rlhf-pytorch#60",
)
ORDER_FOR_ITS_INVERSE = Mistake(
    "You put the marks of top_p back with the order of the sort itself. You need its inverse: "
    "where each token went.",
    {"order.argsort(dim=-1)": "order"},
)
SORTED_LOGITS = Mistake(
    "The logits come back sorted when top_p is used. Then their places are no token ids any more.",
    {BY_P: 'logits = ordered.masked_fill(cut, float("-inf"))'},
)
ASCENDING = Mistake(
    "top_p sums from the worst token on. Sort with the best first.",
    {", descending=True": ""},
)
EACH_AGAINST_P = Mistake(
    "Each probability is compared with top_p by itself. top_p is about the sum of the best ones.",
    {"cut = before >= top_p": "cut = share < top_p"},
)
LOGITS_SUMMED = Mistake(
    "The logits are summed instead of the probabilities. A softmax comes first.",
    {"share = ordered.softmax(dim=-1)": "share = ordered"},
)
SOFTMAX_OVER_ROWS = Mistake(
    "The softmax for top_p runs over the rows of the batch. It belongs to the tokens of one row.",
    {"share = ordered.softmax(dim=-1)": "share = ordered.softmax(dim=0)"},
)
SUMMED_OVER_ROWS = Mistake(
    "The probabilities are summed over the rows of the batch. Sum over the tokens of one row.",
    {"share.cumsum(dim=-1)": "share.cumsum(dim=0)"},
)
ORDER_OF_THE_FIRST_ROW = Mistake(
    "The order of the first row is used for all rows. Each row has its own.",
    {"cut.gather(-1, order.argsort(dim=-1))": "cut[:, order[0].argsort(dim=-1)]"},
)
COUNT_OF_THE_FIRST_ROW = Mistake(
    "top_p keeps as many tokens in each row as in the first. Each row has its own number.",
    {"cut = before >= top_p": "cut = (before >= top_p)[:1].repeat(logits.size(0), 1)"},
)
P_OF_1_CUTS = Mistake(
    "With a top_p of 1, tokens of tiny probability are cut: in floating point the sum reaches 1 "
    "too early.",
    {"if top_p < 1:": "if top_p <= 1:"},
)
SUM_NEVER_REACHES = Mistake(
    "You search the place where the sum reaches top_p. Rounding can keep it just below 1, and then "
    "the place found is the first.",
    {
        "if top_p < 1:": "if top_p <= 1:",
        "        cut = before >= top_p\n": """\
        reached = (share.cumsum(dim=-1) >= top_p).int().argmax(dim=-1, keepdim=True)
        cut = torch.arange(logits.size(-1), device=logits.device) > reached
""",
    },
    seen="NVIDIA/TensorRT-LLM#19496",
)
NOTHING_STAYS = Mistake(
    "With a top_p of 0 all tokens are cut, and the probabilities become NaN. At least the best "
    "token stays.",
    {"        cut[..., 0] = False\n": ""},
)
FIRST_OF_THE_VOCABULARY_STAYS = Mistake(
    "Token 0 of the vocabulary always stays. It should be the best token, which is the first in "
    "sorted order.",
    {
        "        cut[..., 0] = False\n": "",
        BY_P: """\
cut = cut.gather(-1, order.argsort(dim=-1))
        cut[..., 0] = False
        logits = logits.masked_fill(cut, float("-inf"))""",
    },
)
P_IGNORED = Mistake("top_p has no effect.", {TOP_P: ""})
P_IS_THE_REST = Mistake(
    "top_p is used as the probability that is cut. It is the probability that stays.",
    {"cut = before >= top_p": "cut = before >= 1 - top_p"},
)
P_LEAVES_ZEROS = Mistake(
    "top_p sets logits to 0 where a token is cut. A logit of 0 can still be drawn: use minus "
    "infinity.",
    {BY_P: "logits = logits.masked_fill(cut.gather(-1, order.argsort(dim=-1)), 0.0)"},
)
P_IS_09 = Mistake(
    "top_p is 0.9 unless it is given. The default here is 1, which cuts nothing.",
    {"top_p: float = 1.0": "top_p: float = 0.9"},
)
P_BEFORE_K = Mistake(
    "top_p comes before top_k. It should measure what top_k left: there the probabilities are "
    "larger.",
    {
        TOP_K
        + "    # Cut a token if the better ones together reach top_p already.\n"
        + TOP_P: TOP_P + TOP_K
    },
)
P_OF_ALL_TOKENS = Mistake(
    "top_p measures the probabilities before top_k has cut. What top_k left should sum to 1 again.",
    {
        TOP_K: "    whole = logits.softmax(dim=-1)\n" + TOP_K,
        "share = ordered.softmax(dim=-1)": "share = whole.gather(-1, order)",
    },
)
P_WITHOUT_TEMPERATURE = Mistake(
    "top_p measures the probabilities without the temperature. Each filter sees what the one "
    "before it left.",
    {
        "share = ordered.softmax(dim=-1)": "share = (ordered * temperature).softmax(dim=-1)",
    },
)

# min_p

MIN_P_ALONE = Mistake(
    "min_p is compared with the probability itself. It should be min_p times the best probability "
    "of the row.",
    {"least = min_p * share.max(dim=-1, keepdim=True).values": "least = min_p"},
)
MIN_P_OF_THE_BATCH = Mistake(
    "min_p is measured by the best token of the whole batch. Each row has its own best one.",
    {"share.max(dim=-1, keepdim=True).values": "share.max()"},
)
MIN_P_OF_LOGITS = Mistake(
    "min_p is applied to logits. Twice as probable does not mean twice the logit: a softmax comes "
    "first.",
    {MIN_P: MIN_P.replace("logits.softmax(dim=-1)", "logits")},
)
MIN_P_CUTS_THE_BEST = Mistake(
    "With a min_p of 1 the best token is cut, too. A token that is exactly min_p times as probable "
    "should stay.",
    {"masked_fill(share < least": "masked_fill(share <= least"},
)
MIN_P_IGNORED = Mistake("min_p has no effect.", {MIN_P: "    return logits\n"})
MIN_P_BEFORE_P = Mistake(
    "min_p comes before top_p. Then top_p measures what min_p left, and keeps fewer tokens.",
    {
        TOP_P
        + "    # Cut a token if it is less probable than min_p times the best.\n"
        + MIN_P: MIN_P.replace("return", "logits =") + TOP_P + "    return logits\n",
    },
)
MIN_P_WITHOUT_TEMPERATURE = Mistake(
    "min_p measures the probabilities without the temperature. Each filter sees what the one "
    "before it left.",
    {MIN_P: MIN_P.replace("logits.softmax", "(logits * temperature).softmax")},
)
MIN_P_LEAVES_ZEROS = Mistake(
    "min_p sets logits to 0 where a token is cut. A logit of 0 can still be drawn: use minus "
    "infinity.",
    {LAST: "return logits.masked_fill(share < least, 0.0)"},
)
PROBABILITIES_RETURNED = Mistake(
    "filtered returns probabilities. It should return logits, or the softmax of sample is applied "
    "a second time.",
    {LAST: 'return share.masked_fill(share < least, float("-inf"))'},
)

# sample

THE_BEST_IS_TAKEN = Mistake(
    "sample takes the best token instead of drawing. Then the text is the same each time, and often "
    "repeats itself.",
    {DRAWN: "return logits.argmax(dim=-1)"},
)
ALL_EQUALLY_LIKELY = Mistake(
    "All tokens are drawn with the same probability. The softmax of the logits should decide.",
    {
        DRAWN: """\
return torch.randint(logits.size(-1), logits.shape[:1], generator=generator, device=logits.device)"""
    },
)
EQUAL_IF_NOT_CUT = Mistake(
    "All tokens that are not cut are drawn with the same probability. The softmax of the logits "
    "should decide.",
    {
        "torch.multinomial(logits.softmax(dim=-1), 1,": "torch.multinomial(logits.isfinite().to(logits.dtype), 1,"
    },
)
ONE_DRAW_FOR_ALL = Mistake(
    "One token is drawn from the first row and given to all rows. Every row draws for itself.",
    {
        DRAWN: """\
one = torch.multinomial(logits[:1].softmax(dim=-1), 1, generator=generator)[:, 0]
    return one.expand(logits.size(0))"""
    },
    seen="karpathy/nanochat@8f979a8",
)
ONE_RANDOM_NUMBER = Mistake(
    "One random number decides for all rows. Rows that are alike then always draw the same token.",
    {
        DRAWN: """\
u = torch.rand(1, generator=generator, device=logits.device)
    sums = logits.softmax(dim=-1).cumsum(dim=-1)
    return (sums <= u).sum(dim=-1).clamp(max=logits.size(-1) - 1)"""
    },
)
COLUMN_KEPT = Mistake(
    "sample returns a column, (batch_size, 1). It should be one token per row, (batch_size,).",
    {"generator=generator)[:, 0]": "generator=generator)"},
)
ROW_LOST = Mistake(
    "For a single row the batch axis is lost: squeeze removes every axis of size 1.",
    {"generator=generator)[:, 0]": "generator=generator).squeeze()"},
)
GENERATOR_IGNORED = Mistake(
    "The generator is not used. The same seed then no longer gives the same text.",
    {", generator=generator)": ")"},
)
GENERATOR_BEGINS_AGAIN = Mistake(
    "The generator does not go on: each call sets it back, or draws from a copy. Every token is then "
    "drawn with the same random numbers.",
    {
        DRAWN: f"""\
if generator is not None:
        generator.manual_seed(generator.initial_seed())
    {DRAWN}"""
    },
)
FIXED_SEED = Mistake(
    "A fixed seed is set in each call. Without a generator every call should draw again.",
    {DRAWN: f"torch.manual_seed(0)\n    {DRAWN}"},
)
SOFTMAX_TWICE = Mistake(
    "The softmax is applied twice. The probabilities become almost equal, and even cut tokens are "
    "drawn.",
    {
        "multinomial(logits.softmax(dim=-1), 1": "multinomial(logits.softmax(dim=-1).softmax(dim=-1), 1"
    },
)
DRAWN_OVER_ROWS = Mistake(
    "The softmax in sample runs over the rows of the batch. It belongs to the tokens of one row.",
    {"multinomial(logits.softmax(dim=-1)": "multinomial(logits.softmax(dim=0)"},
)
LOGITS_AS_PROBABILITIES = Mistake(
    "The logits are used as probabilities. They can be negative, and their differences count, not "
    "their ratios.",
    {"multinomial(logits.softmax(dim=-1), 1": "multinomial(logits.clamp(min=0) + 1e-9, 1"},
)
EXP_OVERFLOWS = Mistake(
    "You take the exponential of the logits themselves. For large logits it is infinite, and for "
    "very low ones 0.",
    {"multinomial(logits.softmax(dim=-1), 1": "multinomial(logits.exp(), 1"},
)
DRAWN_AMONG_FEW = Mistake(
    "sample draws from the best three tokens only. What may be drawn was decided before, by "
    "filtered.",
    {
        DRAWN: """\
best = logits.topk(min(3, logits.size(-1)))
    at = torch.multinomial(best.values.softmax(dim=-1), 1, generator=generator)
    return best.indices.gather(-1, at)[:, 0]"""
    },
)
PLACE_AMONG_THE_SORTED = Mistake(
    "You draw from sorted logits and return the place in that order. It must be translated back to "
    "the token's id.",
    {
        "multinomial(logits.softmax": "multinomial(logits.sort(dim=-1, descending=True).values.softmax"
    },
)
SMALL_TOKENS = Mistake(
    "The tokens come back as int32. Ids are int64 everywhere in this course.",
    {"generator=generator)[:, 0]": "generator=generator)[:, 0].int()"},
)
SMALL_TEMPERATURE_IS_0 = Mistake(
    "A small temperature counts as 0. Only 0 itself keeps the best token alone.",
    {"if temperature == 0:": "if temperature < 0.1:"},
)
CUT_AT_0 = Mistake(
    "min_p cuts a token whose probability equals the limit. With min_p 0, the limit is 0, and what "
    "is nearly impossible is lost.",
    {LAST: LAST.replace("share < least", "(share <= least) & (share < share.amax(-1, True))")},
)
PLUS_INFINITY = Mistake(
    "Tokens that are cut get plus infinity: the minus sign is missing. softmax then gives NaN.",
    {
        'logits.masked_fill(share < least, float("-inf"))': 'logits.masked_fill(share < least, float("inf"))'
    },
)
PLUS_INFINITY_FOR_TOP_K = Mistake(
    PLUS_INFINITY.says,
    {
        'logits.masked_fill(logits < least, float("-inf"))': 'logits.masked_fill(logits < least, float("inf"))'
    },
)
PLUS_INFINITY_FOR_TOP_P = Mistake(
    PLUS_INFINITY.says,
    {'order.argsort(dim=-1)), float("-inf"))': 'order.argsort(dim=-1)), float("inf"))'},
)
PLUS_INFINITY_FOR_THE_BEST = Mistake(
    PLUS_INFINITY.says,
    {'torch.full_like(logits, float("-inf"))': 'torch.full_like(logits, float("inf"))'},
)
A_LITTLE_FOR_ALL = Mistake(
    "Every token gets a small probability, so tokens that are cut are drawn, too. In a vocabulary of "
    "50,000 they are many.",
    {DRAWN: DRAWN.replace("logits.softmax(dim=-1)", "logits.softmax(dim=-1) + 1e-6")},
)
ONE_MORE_THAN_TOP_P = Mistake(
    "If the best tokens sum to top_p exactly, one more token stays. It should be cut as soon as the "
    "better ones reach top_p.",
    {"cut = before >= top_p": "cut = before > top_p"},
)
SOFTMAX_IN_HALF = Mistake(
    "The softmax is taken in float16, which ends at 65504. Larger scores are infinite there.",
    {DRAWN: DRAWN.replace("logits.softmax(dim=-1)", "logits.half().softmax(dim=-1).float()")},
)

K_OF_THE_WORST_ROW = Mistake(
    "The limit of top_k is the lowest of all rows. Each row has its own.",
    {"logits.topk(top_k).values[..., -1:]": "logits.topk(top_k).values[..., -1:].min()"},
)

TWO_STAY_AT_LEAST = Mistake(
    "top_p always leaves two tokens. If the best one reaches top_p alone, only that one stays.",
    {"cut[..., 0] = False": "cut[..., :2] = False"},
)
MIN_P_ALONE_BUT_THE_BEST = Mistake(
    MIN_P_ALONE.says,
    {
        "least = min_p * share.max(dim=-1, keepdim=True).values": """\
least = share.max(dim=-1, keepdim=True).values.clamp(max=min_p)"""
    },
)
MIN_P_ALONE_BUT_THE_BEST_OF_ALL = Mistake(
    MIN_P_ALONE.says,
    {
        "least = min_p * share.max(dim=-1, keepdim=True).values": """\
least = min(min_p, float(share.max()))"""
    },
)
ONE_RANDOM_NUMBER_LESS = Mistake(
    ONE_RANDOM_NUMBER.says,
    {
        DRAWN: """\
u = torch.rand((), generator=generator, device=logits.device)
    sums = logits.softmax(dim=-1).cumsum(dim=-1)
    return (sums < u).sum(dim=-1).clamp(max=logits.size(-1) - 1)"""
    },
)
BEST_WITHOUT_A_GENERATOR = Mistake(
    "Without a generator the best token is taken. It should be drawn, too, with PyTorch's own "
    "generator.",
    {
        DRAWN: f"""\
if generator is None:
        return logits.argmax(dim=-1)
    {DRAWN}"""
    },
)
