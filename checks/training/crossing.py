"""`look 5.5`: where the words of a translation look, in the learner's own trained model."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.engine.asking.values import Array
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import PASSED, Usage
from checks.engine.commands.work import Work
from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import Sketch
from checks.engine.tracing.saved import add
from checks.graduation import kept
from checks.graduation.losses import show
from checks.graduation.texts import BOS, EOS, SPECIAL
from checks.training.graduated import load
from checks.training.settings import set_environment

TEXT = "siebenundzwanzig"
NAME = "cross_attention"  # Of the parts whose weights are drawn, by the TODO of step 4.1.
LEAST = 0.05  # Weights below it are a dot.


def crossing(screen: Screen, work: Work, text: str | None, sketch: Sketch) -> int:
    """Translate a number, and draw the attention of each word on each letter, for each head."""
    if not work.own or not kept.place("translate").exists():
        raise Usage("5.5 has a picture when your model has learned: run_step.py 5.5")
    if show(screen, "translate", sketch):
        screen.say()
    set_environment()
    import torch

    from checks.training.model import learner

    about, (source, target), model = load("translate")
    src = torch.tensor(source.encode_all([text or TEXT]))
    decode = learner("decoding.greedy_decode")
    with torch.no_grad():
        trg = decode(model, src, BOS, EOS, about["max_len"])
        torch.manual_seed(0)
        untrained = learner(about["model"])(**about["sizes"]).eval()
        after, before = (_heads(one, src, trg[:, :-1]) for one in (model, untrained))
    letters, words = (_names(v, ids) for v, ids in ((source, src[0]), (target, trg[0, 1:])))
    screen.say(f"{text or TEXT} -> {target.decode(trg[0, 1:].tolist()[: len(words) - 1])}", "bold")
    screen.say()
    heads = {f"head {number}": head for number, head in enumerate(after)}
    for title, head in {**heads, "untrained": before[0]}.items():
        _show(screen, title, head, words, letters)
        names = " ".join(words), " ".join(letters)
        add(sketch, Picture(f"{title}, weights in %", "", "word", "letter", "share", *names), head)
    screen.sentence(
        "Each row is a word that your model writes; | is the end. Each number says how many tenths "
        "of its attention go to the letter above. German says the units before the tens, English "
        "after them. Is there a head in which the attention crosses?"
    )
    return PASSED


def _heads(model: Any, src: Any, trg: Any) -> Array:
    """The weights of the last cross-attention: (n_head, words, letters)."""
    model(src, trg)
    parts = [part for name, part in model.named_modules() if name.endswith(NAME)]
    weights = getattr(parts[-1], "attention_weights", None) if parts else None
    if weights is None or weights.dim() != 4:
        raise Usage(f"The picture finds the weights by the names of the TODOs: {NAME}.")
    return np.asarray(weights[0].cpu().double())


def _names(vocabulary: Any, ids: Any) -> list[str]:
    tokens = vocabulary.vocabulary.tokens
    return ["|" if tokens[i] in SPECIAL else tokens[i] for i in ids.tolist()]


def _show(screen: Screen, title: str, head: Array, words: list[str], letters: list[str]) -> None:
    side = max(map(len, [title, *words]))
    screen.say(f"{title:>{side}} " + "".join(f"{letter:>3}" for letter in letters))
    for word, row in zip(words, head):
        cells = (f"{10 * weight:.0f}" if weight >= LEAST else "." for weight in row)
        screen.say(f"{word:>{side}} " + "".join(f"{cell:>3}" for cell in cells))
    screen.say()
