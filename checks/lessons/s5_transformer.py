"""The number tables of stage 5."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from checks import paper
from checks.decoding import beam, greedy
from checks.lessons.layout import drawn, grid, names, table
from checks.lessons.shared import SRC, TRG, count, ledger, moved, random_weights


@table
def src_mask() -> str:
    return grid(paper.src_mask(SRC, 0)[:, 0, 0], [str(tokens) for tokens in SRC], decimals=0)


@table
def trg_mask() -> str:
    both = paper.trg_mask(TRG, 0)[:, 0]
    return drawn({str(tokens): mask for tokens, mask in zip(TRG, both, strict=True)})


@table
def padding_mistakes() -> str:
    blocks = []
    for tokens in ([5, 2, 5, 0], [5, 0, 7, 9]):
        real, past = np.array(tokens) != 0, np.tri(4, dtype=bool)
        masks: dict[str, ArrayLike] = {
            "right": real & past,
            "causal only": past,
            "padding only": np.broadcast_to(real, (4, 4)),
            "padding on rows": real[:, None] & past,
            "or for and": real | past,
        }
        blocks.append(f"{tokens}\n{drawn(masks)}")
    return "\n\n".join(blocks)


@table
def future_mistakes() -> str:
    past = np.tri(4)
    high, low = np.tri(4, k=1), np.tri(4, k=-1)
    return drawn({"right": past, "upper": past.T, "one too high": high, "one too low": low})


@table
def transformer_moves() -> str:
    weights = random_weights(paper.transformer_shapes(10, 10, 6, 3, 2))
    src, trg = [1, 1, 4, 0], [5, 2, 5, 0]

    def logits(src: list[int], trg: list[int]) -> paper.Array:
        return paper.transformer([src], [trg], weights, 2, 2, 0, 0)

    others = {
        "source token 0": ([7, 1, 4, 0], trg),
        "one more padding in the source": ([1, 1, 4, 0, 0], trg),
        "target token 0": (src, [7, 2, 5, 0]),
        "target token 1": (src, [5, 7, 5, 0]),
        "target token 2": (src, [5, 2, 7, 0]),
    }
    rows = [moved(logits(src, trg), logits(*other)) for other in others.values()]
    return grid(rows, list(others), names("logits", 4), 0, "changed")


@table
def transformer_count() -> str:
    def rows(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> dict[str, int]:
        sizes = (dim_vector, dim_hidden, num_layer)
        model = paper.transformer_shapes(vocab_size, vocab_size, *sizes)
        layers = count(model, "encoder.layers.") + count(model, "decoder.layers.")
        return {
            "encoder.embedding": count(model, "encoder.embedding."),
            "encoder.layers": count(model, "encoder.layers."),
            "decoder.embedding": count(model, "decoder.embedding."),
            "decoder.layers": count(model, "decoder.layers."),
            "decoder.linear": count(model, "decoder.linear."),
            "the Transformer": count(model),
            "if one matrix were shared": layers + count(model, "encoder.embedding."),
        }

    return ledger(rows)


@table
def transformer_growth() -> str:
    sizes = {
        "the base model": (37000, 512, 2048, 6),
        "dim_vector 1024": (37000, 1024, 2048, 6),
        "dim_hidden 4096": (37000, 512, 4096, 6),
        "num_layer 12": (37000, 512, 2048, 12),
        "vocabularies of 74000": (74000, 512, 2048, 6),
    }
    totals = [count(paper.transformer_shapes(size[0], *size)) for size in sizes.values()]
    rows = [(total / 1e6, total / totals[0]) for total in totals]
    return grid(rows, list(sizes), ["million", "times"], 2)


# What may come next in the toy of 5.4, by the last token; the rest has next to no probability.
NEXT = {
    "bos": {"a": 0.50, "the": 0.38, "one": 0.10, "eos": 0.02},
    "a": {"cat": 0.36, "dog": 0.30, "eos": 0.34},
    "the": {"cat": 0.40, "dog": 0.47, "eos": 0.13},
    "one": {"cat": 0.30, "dog": 0.50, "eos": 0.20},
    "cat": {"cat": 0.20, "dog": 0.20, "eos": 0.60},
    "dog": {"cat": 0.03, "dog": 0.03, "eos": 0.94},
}
WORDS = ["pad", "bos", "eos", "a", "the", "one", "cat", "dog"]
BOS, EOS = WORDS.index("bos"), WORDS.index("eos")


def toy_scores(tokens: list[int]) -> paper.Array:
    after = NEXT[WORDS[tokens[-1]]]
    return np.log([after.get(word, 1e-9) for word in WORDS])


def toy_log_p(tokens: list[int]) -> float:
    return float(sum(toy_scores(tokens[:n])[tokens[n]] for n in range(1, len(tokens))))


@table
def decoding_toy() -> str:
    following = WORDS[2:]
    rows = [[after.get(word, 0.0) for word in following] for after in NEXT.values()]
    return grid(rows, [f"after {word}" for word in NEXT], following, 2)


@table
def decoding_beam() -> str:
    """What a beam of 3 keeps at every step, found by beams that are cut off there."""
    lines = []
    live, finished = [[BOS]], 0
    for step in (1, 2, 3):
        longer = [[*tokens, word] for tokens in live for word in range(len(WORDS))]
        kept = sorted(longer, key=toy_log_p, reverse=True)[: 3 - finished]
        for n, tokens in enumerate(kept):
            words = " ".join(WORDS[token] for token in tokens[1:])
            ends = "   finished" if tokens[-1] == EOS else ""
            lines.append(
                f"{f'step {step}' if n == 0 else '':8}{words:12}{toy_log_p(tokens):9.4f}{ends}"
            )
        finished += sum(tokens[-1] == EOS for tokens in kept)
        live = [tokens for tokens in kept if tokens[-1] != EOS]
    return "\n".join([f"{'':8}{'kept':12}{'log P':>9}", *lines])


@table
def decoding_found() -> str:
    found = {
        "greedy": greedy(toy_scores, BOS, EOS, 5)[0],
        "beam of 3, no penalty": beam(toy_scores, BOS, EOS, 5, 3, 0.0)[0],
        "beam of 3, penalty 0.6": beam(toy_scores, BOS, EOS, 5, 3, 0.6)[0],
    }
    lines = [f"{'':24}{'found':12}{'n':>3}{'log P':>10}{'score at 0.6':>15}"]
    for how, tokens in found.items():
        words, n, log_p = " ".join(WORDS[t] for t in tokens[1:]), len(tokens) - 1, toy_log_p(tokens)
        lines.append(f"{how:24}{words:12}{n:3}{log_p:10.4f}{log_p / ((5 + n) / 6) ** 0.6:15.4f}")
    return "\n".join(lines)
