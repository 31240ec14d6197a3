"""python -m checks.speaking.versions: what right and wrong versions of stage 6 do to a real model.

Each row is a known mistake. It is put into the solution, which then holds the weights that
`speak --get` has fetched. The losses and answers are written to versions.json, and beside them the
tokens of the held text and the loss that NumPy computes for them.
"""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from pathlib import Path
from typing import Any

import torch

from checks.contents import SOLUTIONS, STEPS
from checks.engine.commands.words import Usage
from checks.engine.files.progress import write_whole
from checks.engine.known import mistakes
from checks.speaking import reference
from checks.speaking.fetch import SMOLLM2, fetched, sha256
from checks.speaking.gguf import Gguf
from checks.speaking.held import QUESTION, TEXT, losses
from checks.speaking.model import load, sizes_of
from checks.speaking.table import VERSIONS
from checks.training.model import learner_code

MOST = 12  # Tokens of an answer.
# The step, the mistake, and the row of the table.
ROWS = [
    ("rotary", "positions-from-one", "all positions + 1"),
    ("rms_norm", "no-eps", "no eps"),
    ("rms_norm", "layer-norm", "LayerNorm for RMSNorm"),
    ("language_model", "base-not-passed", "base 10,000 for 100,000"),
    ("gated_feed_forward", "gelu", "GELU for SiLU"),
    ("grouped_attention", "values-turned-too", "values turned, too"),
    ("rotary", "exponent-without-two", "exponent without the 2"),
    ("rotary", "halves", "halves for neighbours"),
    ("rotary", "turned-back", "turned backwards"),
    ("grouped_attention", "nothing-turned", "nothing turned"),
    ("grouped_attention", "scale-of-dim-vector", "scores divided by √dim_vector"),
    ("grouped_attention", "no-scale", "scores not divided"),
    ("grouped_attention", "queries-turned-alone", "queries turned alone"),
    ("grouped_attention", "tile-for-repeat", "tile for repeat_interleave"),
    ("gated_feed_forward", "gate-and-up-exchanged", "gate and up exchanged"),
    ("language_model", "no-closing-norm", "no closing norm"),
    ("language_model", "position-stays", "position 0 for each new token"),
]


def measured(file: Gguf, step: str, mistake: str) -> dict[str, Any]:
    """The losses and the answer of the solution with this mistake, or without one."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "solutions"
        shutil.copytree(SOLUTIONS, root, ignore=shutil.ignore_patterns("__pycache__"))
        if mistake:
            its = next(one for one in STEPS if one.name == step)
            (root / its.path).write_text(mistakes(its)[mistake].source(its), "utf-8")
        learner_code(root)
        loaded = load(file, exact=True)
        found = losses(loaded, loaded.vocabulary.encode(TEXT))
        ids = loaded.vocabulary.encode(QUESTION)
        end = loaded.vocabulary.end
        answer = list(loaded.speak.write(loaded.model, ids, MOST, end, temperature=0.0))
    return {
        "loss": round(found.at_once, 4),
        "in_pieces": round(found.in_pieces, 4),
        "perplexity": _rounded(math.exp(min(found.at_once, 700))),
        "answer": loaded.vocabulary.decode(answer),
    }


def _rounded(number: float) -> float:
    return float(f"{number:.3g}")


def main() -> None:
    path = fetched(SMOLLM2)
    if path is None:
        raise SystemExit("First fetch the model: python run_step.py speak --get")
    file, rows = Gguf(path), []
    for step, mistake, says in [("", "", "right"), *ROWS]:
        rows.append({"says": says, "step": step, "mistake": mistake})
        rows[-1] |= measured(file, step, mistake)
        print(rows[-1], flush=True)
    learner_code(SOLUTIONS)
    tokens = load(file).vocabulary.encode(TEXT)
    whole = {
        "sha256": sha256(path),
        "text": TEXT,
        "tokens": tokens,
        "reference": round(reference.loss(file, sizes_of(file), tokens), 4),
        "torch": torch.__version__,
        "versions": rows,
    }
    write_whole(VERSIONS, (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    try:
        main()
    except Usage as error:
        raise SystemExit(str(error)) from None
