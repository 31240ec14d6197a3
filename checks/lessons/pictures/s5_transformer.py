"""The pictures of stage 5."""

from __future__ import annotations

import numpy as np

from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import GAP, Sketch
from checks.lessons.pictures import picture
from checks.lessons.s5_transformer import BOS, EOS, WORDS, toy_log_p
from checks.truth import learning

SEES = Picture("", "", "query ", "key ", "mask")


@picture
def two_masks_make_one() -> Sketch:
    """The target 5 2 5 0; 0 is padding. The triangle hides the future from each query. The padding
    mask hides key 3 from all. A key is visible if both show it.
    """
    past, real = np.tri(4, dtype=bool), np.broadcast_to(np.array([5, 2, 5, 0]) != 0, (4, 4))
    sketch, x = Sketch(), 8.0
    tables = (
        ("no future", "and", past),
        ("no padding", "=", real),
        ("target mask", "", past & real),
    )
    for title, sign, mask in tables:
        x, bottom = sketch.table(x, 0, SEES if x == 8 else SEES._replace(rows=""), title, mask)
        sketch.text(x + GAP, bottom / 2 + 22, sign, "middle")
        x += 2 * GAP
    return sketch


@picture
def wrong_masks() -> Sketch:
    """The right causal mask, and three wrong ones with their wrong cells framed. They are the upper
    triangle, one diagonal too high, and one too low. Rows are queries, columns are keys.
    """
    right = np.tri(4, dtype=bool)
    wrong = {
        "right": right,
        "upper": right.T,
        "one too high": np.tri(4, k=1, dtype=bool),
        "one too low": np.tri(4, k=-1, dtype=bool),
    }
    sketch, squares = Sketch(), Picture("", "", "q", "k", "mask")
    for number, (title, mask) in enumerate(wrong.items()):
        sketch.table(8 + 190 * number, 0, squares, title, mask, mask != right)
    return sketch


@picture
def the_whole_model() -> Sketch:
    """The whole Transformer. Left: src goes through the encoder's embedding and num_layer encoder
    layers. Right: trg goes through the decoder's embedding and num_layer decoder layers, which
    also read the encoder's output, and through linear, which gives the logits. src_mask goes to
    both sides, trg_mask to the decoder.
    """
    sketch = Sketch()
    sketch.text(115, 278, "src", "middle")
    sketch.text(425, 278, "trg", "middle")
    for x, layers in ((40, "encoder layers"), (350, "decoder layers")):
        sketch.line((x + 75, 264), (x + 75, 238), arrow=True)
        sketch.box(x, 196, 150, 40, "embedding")
        sketch.line((x + 75, 196), (x + 75, 172), arrow=True)
        sketch.box(x, 110, 150, 60, layers, "num_layer times")
    sketch.line((425, 110), (425, 86), arrow=True)
    sketch.box(350, 44, 150, 40, "linear")
    sketch.line((425, 44), (425, 22), arrow=True)
    sketch.text(425, 16, "logits", "middle")
    sketch.line((115, 110), (115, 64), (270, 64), (270, 126), (348, 126), arrow=True)
    sketch.text(120, 56, "encoder_output")
    sketch.text(270, 160, "src_mask", "middle")
    sketch.line((236, 156), (192, 156), arrow=True)
    sketch.line((304, 156), (348, 156), arrow=True)
    sketch.text(540, 144, "trg_mask")
    sketch.line((536, 140), (502, 140), arrow=True)
    return sketch


@picture
def shifted_by_one() -> Sketch:
    """The target 1 5 8 2 0: 1 begins, 2 ends, 0 is padding. The decoder reads 1 5 8 2 and must
    predict 5 8 2 0: each place predicts the next word. Padding does not count in the loss.
    """
    sketch, step = Sketch(), 74
    rows = (
        ("target", (1, 5, 8, 2, 0)),
        ("read", (1, 5, 8, 2)),
        ("wanted", (5, 8, 2, 0)),
        ("counts", (1, 1, 1, 0)),
    )
    for line, (name, words) in enumerate(rows):
        y = 8 + 62 * line
        sketch.text(8, y + 23, name)
        for n, word in enumerate(words):
            sketch.box(80 + step * n, y, 60, 36, str(word))
    for n in range(4):
        sketch.line((110 + step * n, 106), (110 + step * n, 130), arrow=True)
    return sketch


@picture
def rate_over_steps() -> Sketch:
    """The learning rate of the paper's base model over 40,000 steps. It rises in a straight line to
    0.0007 at step 4,000. Then it falls: at four times the steps it is half as large.
    """
    sketch = Sketch()
    steps = [*range(200, 4001, 200), *range(4400, 40001, 400)]
    rates = {step: learning.noam_learning_rate(step, 512, 4000) for step in steps}
    sketch.line((60, 20), (60, 200), (560, 200))
    sketch.line(*((60 + step / 80, 200 - 240_000 * rate) for step, rate in rates.items()))
    for step in (4_000, 20_000, 40_000):
        sketch.text(60 + step / 80, 218, f"{step:,}", "middle", faint=True)
    sketch.text(60, 234, "step", faint=True)
    sketch.line((60, 200 - 240_000 * rates[4000]), (110, 200 - 240_000 * rates[4000]), dashed=True)
    sketch.text(54, 204 - 240_000 * rates[4000], f"{rates[4000]:.4f}", "end", faint=True)
    return sketch


@picture
def beam_as_a_tree() -> Sketch:
    """The beam search of the toy with a beam of 3. Step 1 keeps a, the and one. Step 2 keeps a cat,
    the dog, and a eos, which is finished. Step 3 finishes the dog eos and a cat eos. Each node has
    its log P.
    """
    sketch, live, finished = Sketch(), [[BOS]], 0
    sketch.box(8, 80, 60, 34, "bos")
    exits: dict[tuple[int, ...], tuple[float, float]] = {(BOS,): (68.0, 97.0)}
    for step in (1, 2, 3):
        longer = [[*tokens, word] for tokens in live for word in range(len(WORDS))]
        kept = sorted(longer, key=toy_log_p, reverse=True)[: 3 - finished]
        for n, tokens in enumerate(kept):
            x, y = 8.0 + 180 * step, 8.0 + 62 * n
            ends = " (ends)" if tokens[-1] == EOS else ""
            sketch.box(x, y, 120, 44, WORDS[tokens[-1]] + ends, f"{toy_log_p(tokens):.4f}")
            sketch.line(exits[tuple(tokens[:-1])], (x - 3, y + 22), arrow=True)
            exits[tuple(tokens)] = (x + 120, y + 22)
        finished += sum(tokens[-1] == EOS for tokens in kept)
        live = [tokens for tokens in kept if tokens[-1] != EOS]
        sketch.text(68.0 + 180 * step, 214, f"step {step}", "middle", faint=True)
    return sketch
