"""What a failing step says is plain: the sentences of known mistakes, and what a check expects.

Short sentences, at most two for a mistake, and no words that make a reader stop.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator

import pytest

from checks.contents import STEPS, Step
from checks.engine.judging.results import sentence_of
from checks.engine.known import mistakes
from checks.engine.language import checks_of

STAGES = tuple(dict.fromkeys(step.stage for step in STEPS))

LONGEST = 25  # Words in a sentence.
AT_MOST = 2  # Sentences for a known mistake.

# What these sentences do not say, and what they say instead.
AVOIDED = {
    r"mend(s|ed|ing)?": "fix",
    r"(is|are|was|were) asked|asks?|asked for": "attends to, makes the queries; given, wanted",
    r"asked twice": "two calls",
    r"(tell|tells|told|telling) (\w+ ){0,3}apart": "see the difference between",
    r"(is|are|was) told": "is frozen, learns, receives",
    r"numbers? (of|in) (a|the) vector": "entries, features",
    r"(?:an?|the|this|no|given|another|small|whose|as) share": "dropout, the probability",
    r"look(s|ed)? at|look to|looks? back": "attends to",
    r"ours|our solution": "the solution",
    r"has its say|have their say": "counts",
    r"whatever|whoever|whence": "a plain noun; even if, for every",
    r"(?<!square )roots?(?! mean square)": "square root",
    r"(is|are) none": "there is no …",
    r"hand(s|ed)? (back|out|on|over|down|its|no|the)|is handed|are handed": "returns, passes",
    r"thrown away": "removed, not used",
    r"brings?|brought": "adds, its output",
    r"by heart": "overfits",
    r"learnt": "learned",
    r"(behind|in front of) the": "after, before",
    r"shortcuts?": "residual connection",
    r"attention on the source": "cross-attention",
    r"changed? places": "are swapped",
    r"(single|double|half) precision": "float32, float64, float16",
    r"scale and shift": "gamma and beta",
    r"(falls?|fell) on": "is applied to",
    r"fit as well|any device will do": "work too; it works on any device",
    r"anew": "again",
}

_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


def rooms() -> list[Step]:
    return [step for step in STEPS if step.stage in STAGES]


def said(step: Step) -> Iterator[tuple[str, str]]:
    """All that a learner of this step may read of it: names, and what is said under them."""
    for name, mistake in mistakes(step).items():
        yield name, mistake.says
    for check in checks_of(importlib.import_module(f"{step.room}.checks")):
        yield check.__name__, sentence_of(check)


def avoided(text: str) -> list[str]:
    return [
        f"{found[0]!r}: say {better!r}"
        for words, better in AVOIDED.items()
        for found in re.finditer(rf"\b(?:{words})\b", text, re.IGNORECASE)
    ]


@pytest.mark.parametrize("step", rooms(), ids=lambda step: step.name)
def test_sentences_are_short(step: Step) -> None:
    for name, text in said(step):
        for sentence in _SENTENCE_END.split(text):
            assert len(sentence.split()) <= LONGEST, (name, sentence)


@pytest.mark.parametrize("step", rooms(), ids=lambda step: step.name)
def test_two_sentences_say_what_is_wrong_and_why(step: Step) -> None:
    for name, mistake in mistakes(step).items():
        assert len(_SENTENCE_END.split(mistake.says)) <= AT_MOST, (name, mistake.says)


@pytest.mark.parametrize("step", rooms(), ids=lambda step: step.name)
def test_words_are_those_of_the_field(step: Step) -> None:
    for name, text in said(step):
        assert not avoided(text), (name, avoided(text), text)


def test_the_list_finds_what_it_avoids() -> None:
    wrong = "The source is asked for a share of the root, behind the norm, whatever it brings."
    assert [line.split("'")[1] for line in avoided(wrong)] == [
        *("is asked", "a share", "whatever", "root", "brings", "behind the"),
    ]
    assert not avoided("The square root of dim_vector: layers share weights, padding is masked.")
