"""Questions about s5_transformer/translate.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question

TOY = """\
class Model(nn.Module):
    trg_pad_idx, src_pad_idx = 9, 9
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1))
    def encode(self, src):
        self.src = src
        return torch.zeros(len(src), 1, 1), torch.ones(len(src), 1, 1, 1)
    def decode(self, trg, source, mask):
        self.first = trg[0, 0]
        logits = torch.zeros(1, trg.size(1), 10)
        logits[0, -1, written[min(trg.size(1), len(written)) - 1]] = 1
        return logits
class Words:
    def __init__(self, pad, bos, eos):
        self.pad_idx, self.bos_idx, self.eos_idx = pad, bos, eos
    def __len__(self):
        return 10
    def encode(self, text):
        return ids
    def decode(self, ids):
        self.ids = ids
        return ""
model, source, target = Model(), Words(*source), Words(*target)
"""


def _ids(ids: Array) -> str:
    return "[" + ", ".join(str(int(n)) for n in np.asarray(ids).flatten()) + "]"


def _specials(draw: Draw) -> tuple[list[int], list[int]]:
    """pad, bos and eos of the source, and those of the target: none of them the same."""
    numbers = draw.random.permutation(9).tolist()
    return numbers[:3], [9, *numbers[3:5]]


@question(
    TOY + "translate(model, '', source, target, max_len=max_len)\n"
    "answer = torch.tensor(target.ids)",
    lesson="The translation is between them.",
)
def what_is_decoded(draw: Draw) -> Case:
    """Only the words between bos and eos are the translation."""
    source, target = _specials(draw)
    words = [n for n in range(9) if n not in (*source, *target)][:3]
    ids, length = np.array([*words, target[2]]), len(words) + 3
    return Case(
        f"In the target's vocabulary bos is {target[1]}, eos is {target[2]}. The model has written "
        f"{target[1]}, {', '.join(map(str, ids))}. Which ids go to target_vocab.decode?",
        dict(source=source, target=target, ids=[1], written=ids.tolist(), max_len=length),
        ids[:-1],
        {
            "eos-kept": ids,
            "first-word-lost": ids[1:-1],
            "last-word-lost": ids[:-2],
            "bos-kept": np.array([target[1], *ids[:-1]]),
            "bos-and-eos-kept": np.array([target[1], *ids]),
            "words-reversed": ids[:-1][::-1],
        },
        _ids,
    )


@question(
    TOY + "translate(model, '', source, target, max_len=max_len)\n"
    "answer = torch.tensor(target.ids)",
    lesson="If `max_len` came first, there is no eos.",
)
def no_end_was_found(draw: Draw) -> Case:
    """Without an eos, every word that was written belongs to the translation."""
    source, target = _specials(draw)
    words = np.array([n for n in range(9) if n not in (*source, *target)][:3])
    return Case(
        f"In the target's vocabulary bos is {target[1]}, eos is {target[2]}. max_len is 4, and the "
        f"model has written {target[1]}, {', '.join(map(str, words))}. Which ids go to "
        "target_vocab.decode?",
        dict(source=source, target=target, ids=[1], written=words.tolist(), max_len=4),
        words,
        {
            "last-token-cut": words[:-1],
            "nothing-without-end": words[:0],
            "bos-kept": np.array([target[1], *words]),
            "first-word-lost": words[1:],
        },
        _ids,
    )


@question(
    TOY + "translate(model, '', source, target, max_len=3)\nanswer = model.first",
    lesson="The first token of the result is bos, which you gave.",
)
def the_first_token(draw: Draw) -> Case:
    """Decoding begins with bos of the target, because the decoder writes the target."""
    source, target = _specials(draw)
    names = ("padding", "bos", "eos")
    own, other = (
        ", ".join(f"{name} {n}" for name, n in zip(names, ids)) for ids in (source, target)
    )
    return Case(
        f"The source's vocabulary has {own}. The target's vocabulary has {other}. With which token "
        "does the decoder begin?",
        dict(source=source, target=target, ids=[1], written=[target[2]]),
        target[1],
        {
            "source-bos": source[1],
            "begins-with-padding": target[0],
            "begins-with-eos": target[2],
            "fixed-bos-and-eos": 1,
        },
    )


@question(
    TOY + "translate(model, '', source, target, max_len=3)\nanswer = model.src[0]",
    lesson="So take its ids as they are.",
)
def what_the_model_reads(draw: Draw) -> Case:
    """The vocabulary knows what the model wants to read, so its ids stay as they are."""
    source, target = _specials(draw)
    ids = [n for n in range(9) if n not in (*source, *target)][:3]
    return Case(
        f"source_vocab.encode gives {ids}. In the source's vocabulary bos is {source[1]}, eos is "
        f"{source[2]}. Which ids does the model read?",
        dict(source=source, target=target, ids=ids, written=[target[2]]),
        np.array(ids),
        {
            "wrapped-again": np.array([source[1], *ids, source[2]]),
            "bos-added": np.array([source[1], *ids]),
            "eos-added": np.array([*ids, source[2]]),
            "ends-taken-off": np.array(ids[1:-1]),
            "source-reversed": np.array(ids[::-1]),
            "first-taken-off": np.array(ids[1:]),
        },
        _ids,
    )
