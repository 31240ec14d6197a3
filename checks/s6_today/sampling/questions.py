"""Questions about s6_today/sampling.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question, which
from checks.s6_today.sampling.truth import filtered
from checks.truth.paper import softmax

STAYS = "answer = filtered(p.log()[None], *how)[0].isfinite()"
WHICH = which("token")


def _percents(draw: Draw, *shares: int) -> Array:
    """Probabilities of tokens in any order, as whole percents."""
    return draw.random.permutation(shares) / 100


def _listed(p: Array) -> str:
    return ", ".join(f"{one:.2f}" for one in p)


def _stay(p: Array, *how: float) -> Array:
    """Whether each token stays."""
    return np.isfinite(filtered(np.log(p)[None], *how)[0])  # type: ignore[arg-type]


def _best(p: Array, count: int) -> Array:
    """Whether each token is one of the best."""
    return np.argsort(np.argsort(-p)) < count


@question(STAYS, lesson="The token that reaches `top_p` stays, too.")
def what_top_p_keeps(draw: Draw) -> Case:
    """The best tokens stay until their sum reaches top_p, with the one that reaches it."""
    p = _percents(draw, *draw.one((41, 26, 18, 11, 4), (37, 28, 19, 10, 6), (52, 23, 12, 8, 5)))
    top_p = draw.one(0.6, 0.7, 0.8)
    stays = _stay(p, 1.0, 0, top_p)
    count, order = int(stays.sum()), np.argsort(-p)
    return Case(
        f"The probabilities of tokens 0 to 4 are {_listed(p)}. top_p is {top_p}, and nothing else "
        "is cut. Which tokens stay?",
        {"p": p, "how": (1.0, 0, top_p)},
        stays,
        {
            "crossing-dropped": _best(p, max(count - 1, 1)),
            "one-after-p": _best(p, count + 1),
            "each-against-p": p >= min(top_p, p.max()),
            "not-brought-back": np.arange(5) < count,
            "order-for-its-inverse": np.argsort(-p) < count,
            "ascending": np.isin(np.arange(5), order[::-1][: _needed(p[order[::-1]], top_p)]),
        },
        WHICH,
    )


def _needed(p: Array, limit: float) -> int:
    """How many of these, from the first on, are needed to reach the limit."""
    return int((p.cumsum() - p < limit).sum())


@question(
    STAYS,
    lesson="Each filter sees only what the one before it left, with probabilities that sum to 1 "
    "again.",
)
def after_top_k(draw: Draw) -> Case:
    """top_p measures what top_k left, and these probabilities sum to 1 again."""
    p = _percents(draw, *draw.one((40, 25, 15, 12, 8), (38, 24, 17, 13, 8)))
    top_k, top_p = 3, draw.one(0.7, 0.74)
    return Case(
        f"The probabilities of tokens 0 to 4 are {_listed(p)}. top_k is {top_k}, top_p is {top_p}. "
        "Which tokens stay?",
        {"p": p, "how": (1.0, top_k, top_p)},
        _stay(p, 1.0, top_k, top_p),
        {
            "p-before-k": _stay(p, 1.0, 0, top_p) & _best(p, top_k),
            "crossing-dropped": _best(p, 1),
            "k-worst": _best(-p, top_k) & _stay(np.where(_best(-p, top_k), p, 1e-9), 1.0, 0, top_p),
        },
        WHICH,
    )


@question(
    "answer = filtered(p.log()[None], temperature)[0].softmax(-1)[0]",
    lesson="A temperature of 0.5 squares the probabilities, before they are scaled to sum to 1.",
)
def a_temperature(draw: Draw) -> Case:
    """Half the temperature doubles the logits, so the probabilities are squared and scaled."""
    p = np.array(draw.one((0.8, 0.2), (0.75, 0.25), (0.6, 0.4), (0.7, 0.3)))
    log_p = np.log(p)
    return Case(
        f"Two tokens have the probabilities {_listed(p)}. The temperature is 0.5. Which "
        "probability does token 0 have then?",
        {"p": p, "temperature": 0.5},
        softmax(log_p / 0.5)[0],
        {
            "temperature-inverted": softmax(log_p * 0.5)[0],
            "temperature-ignored": p[0],
            "temperature-square-root": softmax(log_p / 0.5**0.5)[0],
            "temperature-of-probabilities": softmax(p / 0.5)[0],
            "temperature-as-power": softmax(np.sign(log_p) * np.abs(log_p) ** 2)[0],
        },
    )


@question(STAYS, lesson="A token needs at least `min_p` times the probability of the best one.")
def what_min_p_keeps(draw: Draw) -> Case:
    """A token stays if it is at least min_p times as probable as the best one."""
    p = _percents(draw, *draw.one((50, 21, 14, 9, 6), (60, 20, 11, 6, 3), (40, 27, 17, 11, 5)))
    min_p = draw.one(0.12, 0.19, 0.25)
    return Case(
        f"The probabilities of tokens 0 to 4 are {_listed(p)}. min_p is {min_p}, and nothing else "
        "is cut. Which tokens stay?",
        {"p": p, "how": (1.0, 0, 1.0, min_p)},
        _stay(p, 1.0, 0, 1.0, min_p),
        {
            "min-p-alone": p >= min_p,
            "min-p-ignored": p > 0,
            "min-p-of-logits": np.log(p) >= min_p * np.log(p).max(),
        },
        WHICH,
    )
