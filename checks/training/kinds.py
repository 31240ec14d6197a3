"""The kinds of training, and what is known of each without torch. tasks.py has their code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Settings = dict[str, Any]  # All that a training is made with, by name.
# Usual settings. Sizes and schedule are measured in benchmarks/README.md.
TRANSLATE = {
    "dim_vector": 128,
    "n_head": 4,
    "num_layer": 3,
    "dim_hidden": 256,
    "dropout": 0.2,
    "max_len": 128,
    "vocab_size": 4000,
    "batch_tokens": 2400,
    "accumulate": 1,
    "warmup": 400,
    "factor": 0.8,
    "label_smoothing": 0.1,
    "max_norm": 1.0,
    "epochs": 40,
    "patience": 5,
    "average": 8,
    "seed": 1,
    "save_every": 200,
    "score_sentences": 100,
    "test_share": 0,
}
CLASSIFY = {
    **TRANSLATE,
    "num_layer": 1,
    "dropout": 0.5,
    "max_len": 256,
    "vocab_size": 8000,
    "batch_tokens": 2000,
    "warmup": 200,
    "factor": 0.6,
    "epochs": 30,
    "average": 5,
    "score_sentences": 1_000_000,
}
WRITE = {
    **TRANSLATE,
    "n_kv_head": 2,
    "dim_hidden": 384,
    "dropout": 0.0,
    "vocab_size": 1000,
    "batch_tokens": 4096,
    "label_smoothing": 0.0,
    "warmup": 200,
    "score_sentences": 1,
}

PACKAGES = ("tokenizers", "sacrebleu")


@dataclass(frozen=True)
class Kind:
    """usual: its settings, unless others are typed. without: options it has no use for.

    packages: those of requirements-train.txt that it needs. steps: those that must pass before a
    model can learn; `cannot` is said if one does not. try_it: the first command for what was made.
    """

    usual: dict[str, Any]
    without: tuple[str, ...]
    packages: tuple[str, ...]
    steps: tuple[str, ...]
    cannot: str
    try_it: str


KINDS = {
    "translate": Kind(
        TRANSLATE,
        ("n_kv_head",),
        PACKAGES,
        ("transformer", "training", "decoding"),
        "this model cannot learn to translate",
        "translate FILE",
    ),
    "classify": Kind(
        CLASSIFY,
        ("n_kv_head", "separate", "tie"),
        PACKAGES,
        ("training", "classifier"),
        "this model cannot learn to classify texts",
        "classify FILE",
    ),
    "write": Kind(
        WRITE,
        ("dropout", "lower_case", "separate", "tie"),
        (),  # Its tokens are those of step 6.7.
        ("training", "byte_pairs", "speak"),
        "this model cannot learn to write",
        'speak "Once upon"',
    ),
}
