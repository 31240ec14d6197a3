"""Questions about s5_transformer/decoding.py."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question
from checks.truth import decoding

TOY = (
    "class Toy(nn.Module):\n    trg_pad_idx, src_pad_idx = 0, 9\n"
    "    def encode(self, src):\n"
    "        return torch.zeros(len(src), 1, 1), torch.ones(len(src), 1, 1, 1)\n"
    "    def decode(self, trg, encoder_output, src_mask):\n        return table[trg]\n"
    "src = torch.zeros(1, 1, dtype=torch.int64)\n"
)
GREEDY = TOY + "answer = greedy_decode(Toy(), src, 1, 2, max_len)[0]"
BEAM = TOY + "answer = beam_search(Toy(), src, 1, 2, 5, 3, length_penalty)[0]"
NAMES = ["pad", "bos", "eos", "a", "b", "c"]


def _words(ids: Array) -> str:
    return " ".join(NAMES[n] for n in ids) or "nothing"


def _greedy(table: Array, max_len: int, ends: bool = True, best: int = -1) -> Array:
    """Greedy decoding with one thing changed: it may go on after eos, or take another token."""
    ids = [1]
    while len(ids) < max_len and (not ends or len(ids) == 1 or ids[-1] != 2):
        ids.append(int(np.argsort(table[ids[-1]])[best]))
    return np.array(ids)


def _table(draw: Draw) -> tuple[Array, list[int]]:
    """Scores of the next token after each token, and the three words in the order of writing."""
    order = draw.random.permutation([3, 4, 5]).tolist()
    table = np.zeros((6, 6)) + np.arange(6) / 100
    chain = [1, *order, 2]
    for place, (now, then) in enumerate(pairwise(chain)):
        table[now, then] = 9
        table[now, order[(place + 1) % 3]] += 4  # The second best.
    table[2, order[0]] = 9
    return table, order


def _told(table: Array) -> str:
    """Which token has the highest score after each one."""
    rows = [(n, int(table[n].argmax())) for n in (1, 3, 4, 5, 2)]
    return ", ".join(f"{NAMES[now]} -> {NAMES[best]}" for now, best in rows)


def _greedily(table: Array, max_len: int) -> Array:
    """What greedy decoding writes with these scores, from bos (1) to eos (2)."""
    return np.array(decoding.greedy(lambda ids: table[ids[-1]], 1, 2, max_len)[0])


def _what_is_returned(table: Array, max_len: int, wrong: dict[str, Array]) -> Case:
    return Case(
        f"The best next token depends on the last one: {_told(table)}. max_len is {max_len}. What "
        "does greedy_decode return?",
        {"table": table, "max_len": max_len},
        _greedily(table, max_len),
        wrong,
        _words,
    )


@question(GREEDY, lesson="**Greedy decoding** always appends the token with the highest score.")
def greedy_to_the_end(draw: Draw) -> Case:
    """It begins with bos, takes the best token each time, and ends with eos."""
    table, order = _table(draw)
    max_len = draw.one(7, 8)
    right = _greedily(table, max_len)
    return _what_is_returned(
        table,
        max_len,
        {
            "bos-cut-off": right[1:],
            "never-ends": _greedy(table, max_len, ends=False),
            "second-best": _greedy(table, max_len, best=-2),
            "always-to-max-len": np.array([*right, *[0] * (max_len - len(right))]),
            "begins-with-eos": np.array([2, order[0], *order[1:], 2]),
            "eos-not-written": np.array([*right[:-1], 0]),
            "only-bos-is-read": np.array([1, *[order[0]] * (max_len - 1)]),
        },
    )


@question(GREEDY, lesson="until eos comes, or there are max_len tokens")
def greedy_to_max_len(draw: Draw) -> Case:
    """max_len counts bos as well, and no eos is added that the model did not write."""
    table, _ = _table(draw)
    max_len = draw.one(3, 4)
    right = _greedily(table, max_len)
    return _what_is_returned(
        table,
        max_len,
        {
            "one-too-many": _greedy(table, max_len + 1),
            "one-too-few": right[:-1],
            "eos-forced": np.array([*right[:-1], 2]),
            "bos-cut-off": right[1:],
            "as-long-as-the-source": right[:1],
        },
    )


@question(
    "class Toy(nn.Module):\n    trg_pad_idx, src_pad_idx = 0, 5\n"
    "    def encode(self, src):\n"
    "        return src[..., None].double(), torch.ones(len(src), 1, 1, 1)\n"
    "    def decode(self, trg, source, src_mask):\n        return tables[source[:, 0, 0].long()]"
    "[torch.arange(len(trg))[:, None], trg]\n"
    "answer = greedy_decode(Toy(), torch.tensor([[0], [1]]), 1, 2, 6)[0]",
    lesson="A row that has ended gets padding while the others go on.",
)
def a_row_that_has_ended(draw: Draw) -> Case:
    """After eos there is only padding, up to the end of the longest row."""
    long, order = _table(draw)
    short, only = np.zeros((6, 6)) + np.arange(6) / 100, order[0]
    short[1, only] = short[only, 2] = short[2, order[1]] = 9
    rows = [[1, only, 2], decoding.greedy(lambda ids: long[ids[-1]], 1, 2, 6)[0]]
    together = decoding.together(rows, 0)
    row, rest = together[0], len(rows[1]) - 3
    goes_on = [order[1], *([5] * 9)][:rest]
    for n in range(1, rest):
        goes_on[n] = int(short[goes_on[n - 1]].argmax())
    return Case(
        f"Two sentences are decoded as one batch. The first becomes {_words(np.array(rows[0]))}. "
        f"If it went on, its best next token would be {NAMES[order[1]]}. The second becomes "
        f"{_words(np.array(rows[1]))}. What is the first row of the result?",
        {"tables": np.stack([short, long])},
        row,
        {
            "eos-repeated": np.where(row == 0, 2, row),
            "text-after-eos": np.array([1, only, 2, *goes_on]),
            "padding-of-the-source": np.where(row == 0, 5, row),
            "stops-with-the-first": row[:3],
        },
        _words,
    )


@question(BEAM, lesson='Which one is the answer? By log P alone it is "a", the shortest.')
def which_hypothesis_wins(draw: Draw) -> Case:
    """Each log P is divided by ((5 + n) / 6)^length_penalty, and the largest quotient wins."""
    p, penalty = draw.one(0.75, 0.8), draw.one(2.0, 3.0)
    table = np.full((6, 6), -40.0)
    first, second, third = (int(n) for n in draw.random.permutation([3, 4, 5]))
    table[1, [first, second]] = np.log([0.6, 0.4])
    table[first, [2, third]] = np.log([p, 1 - p])
    table[second, third] = table[third, 2] = 0.0

    def beam(length_penalty: float) -> Array:
        found, _ = decoding.beam(lambda ids: table[ids[-1]], 1, 2, 5, 3, length_penalty)
        return np.array(found)

    right = beam(penalty)
    a, b, c = NAMES[first], NAMES[second], NAMES[third]
    return Case(
        f"After bos, the probability of {a} is 0.6 and that of {b} is 0.4. After {a}, eos has "
        f"{p:g} and {c} {1 - p:.2g}. After {b} comes {c}, and after {c} eos. What does beam_search "
        f"return with a beam of 3 and length_penalty {penalty:g}?",
        {"table": table, "length_penalty": penalty},
        right,
        {
            "no-length-penalty": beam(0.0),
            "beam-bos-cut-off": right[1:],
            "beam-eos-cut-off": right[:-1],
        },
        _words,
    )
