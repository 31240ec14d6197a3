"""The number tables of stage 5."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from checks.lessons.layout import drawn, grid, names, table
from checks.lessons.shared import SRC, TRG, count, ledger, moved, random_weights
from checks.truth import learning, models, paper
from checks.truth.decoding import beam, greedy


@table
def src_mask() -> str:
    return grid(models.src_mask(SRC, 0)[:, 0, 0], [str(tokens) for tokens in SRC], decimals=0)


@table
def trg_mask() -> str:
    both = models.trg_mask(TRG, 0)[:, 0]
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
            "or instead of and": real | past,
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
    weights = random_weights(models.transformer_shapes(10, 10, 6, 3, 2))
    src, trg = [1, 1, 4, 0], [5, 2, 5, 0]

    def logits(src: list[int], trg: list[int]) -> paper.Array:
        return models.transformer([src], [trg], weights, 2, 2, 0, 0)

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
        model = models.transformer_shapes(vocab_size, vocab_size, *sizes)
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
    totals = [count(models.transformer_shapes(size[0], *size)) for size in sizes.values()]
    rows = [(total / 1e6, total / totals[0]) for total in totals]
    return grid(rows, list(sizes), ["million", "times"], 2)


@table
def shifted_targets() -> str:
    targets = np.array([[1, 5, 8, 2, 0], [1, 6, 7, 9, 2]])
    rows = {
        "target": targets,
        "read": targets[:, :-1],
        "wanted": targets[:, 1:],
        "counts": (targets[:, 1:] != 0).astype(int),
    }
    return "\n".join(
        name.ljust(8) + "".join(" ".join(map(str, row)).ljust(14) for row in both).rstrip()
        for name, both in rows.items()
    )


@table
def learning_rate() -> str:
    def rates(dim_vector: int, warmup_steps: int) -> list[float]:
        steps = (1, 2, warmup_steps, 4 * warmup_steps)
        return [learning.noam_learning_rate(step, dim_vector, warmup_steps) for step in steps]

    rows = zip(rates(6, 4), (1e6 * rate for rate in rates(512, 4000)), strict=True)
    steps = ["step 1", "step 2", "step warmup_steps", "step 4 * warmup_steps"]
    return grid(list(rows), steps, ["tiny", "base / 1e-6"])


@table
def sequence_loss() -> str:
    """The loss of 10 tokens: the target has the score log(s), all others 0."""
    wanted, scores = np.array([[5, 8, 2, 0]]), (9, 3, 1, 81)
    logits = np.zeros((1, 4, 10))
    logits[0, np.arange(4), wanted[0]] = np.log(scores)
    losses = {
        f"wanted {token}": learning.sequence_loss(logits[:, [n]], wanted[:, [n]], -1)
        for n, token in enumerate(wanted[0].tolist())
    }
    losses["mean of the words"] = learning.sequence_loss(logits, wanted, 0)
    losses["mean with padding"] = learning.sequence_loss(logits, wanted, -1)
    rows = [(np.exp(-loss), loss) for loss in losses.values()]
    return grid(rows, list(losses), ["P", "-log P"])


@table
def smoothed_loss() -> str:
    def losses(right: float) -> list[float]:
        p = np.full((1, 1, 10), (1 - right) / 9)
        p[..., 5] = right
        return [float(learning.sequence_loss(np.log(p), [[5]], 0, share)) for share in (0, 0.1)]

    sure = (0.5, 0.91, 0.99, 0.9999)
    return grid([losses(p) for p in sure], [f"P = {p}" for p in sure], ["plain", "smoothed"])


@table
def cached_decoding() -> str:
    rows = [[n, sum(range(1, n + 1)), n, (n + 1) / 2] for n in (1, 4, 16, 64, 256)]
    columns = ["n", "without", "with a cache", "times"]
    return grid([row[1:] for row in rows], [f"n = {row[0]}" for row in rows], columns[1:], 1)


GERMAN = ["<pad>", "<bos>", "<eos>", "dank", "vielen"]
ENGLISH = ["<bos>", "<eos>", "<pad>", "thank", "you"]


@table
def vocabularies() -> str:
    lines = [f"id       {''.join(f'{number:<8}' for number in range(len(GERMAN)))}"]
    for name, words in (("source", GERMAN), ("target", ENGLISH)):
        lines.append(f"{name:9}{''.join(f'{word:8}' for word in words)}")
    return "\n".join(line.rstrip() for line in lines)


@table
def translated() -> str:
    text, bos, eos = "vielen dank", ENGLISH.index("<bos>"), ENGLISH.index("<eos>")
    src = [GERMAN.index(word) for word in text.split()]
    says = [ENGLISH.index(word) for word in ("thank", "you", "<eos>")]

    def next_scores(tokens: list[int]) -> paper.Array:
        return np.eye(len(ENGLISH))[says[len(tokens) - 1]]

    trg, _ = greedy(next_scores, bos, eos, 10)
    ids = trg[1 : trg.index(eos)]
    steps = {
        "text": text,
        "source_vocab.encode": src,
        f"src (1, {len(src)})": [src],
        f"trg (1, {len(trg)})": [trg],
        "between bos and eos": ids,
        "target_vocab.decode": " ".join(ENGLISH[number] for number in ids),
    }
    return "\n".join(f"{step:22}{value}" for step, value in steps.items())


@table
def pooled() -> str:
    x = np.array(
        [[2.0, 0, 1, -1, 0, 4], [0, 2, 3, -1, 2, 0], [8, 8, 0, 0, -8, 0], [8, 0, 0, 8, 0, 8]]
    )
    real = np.array([True, True, False, False])
    rows = {f"token {n}": row for n, row in enumerate(x[real])}
    rows |= {f"padding {n}": row for n, row in enumerate(x[~real])}
    rows |= {
        "mean of the real ones": x[real].mean(0),
        "mean of all": x.mean(0),
        "zeros, but counted": np.where(real[:, None], x, 0).mean(0),
    }
    return grid(list(rows.values()), list(rows), decimals=1)


@table
def classifier_moves() -> str:
    weights = random_weights(models.classifier_shapes(10, 3, 6, 3, 9))
    text, other = [1, 1, 4, 0], [4, 3, 2, 9]

    def scores(*texts: list[int]) -> paper.Array:
        return models.classifier(texts, weights, 2, 9, 0)[:1]

    others = {
        "another word": ([1, 1, 7, 0], other),
        "two words exchanged": ([1, 4, 1, 0], other),
        "padding in front": ([0, 1, 1, 4], other),
        "more padding behind": ([*text, 0, 0], [*other, 8, 7]),
        "another second text": (text, [5, 6, 0, 0]),
        "alone, without padding": ([1, 1, 4],),
    }
    rows = [(abs(scores(*texts) - scores(text, other))[0] > 1e-9) for texts in others.values()]
    return grid(np.array(rows, float), list(others), names("score", 3), 0, "changed")


# The next tokens in the toy of 5.4, by the last token; the others have almost no probability.
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
    """The beginnings that a beam of 3 keeps at every step, found by searches that stop there."""
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
