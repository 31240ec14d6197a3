"""python -m checks.speaking.alike: what right and wrong versions of 3.4 make of a real model.

Each row is a known mistake. It is put into the solution, which then holds the weights that
`similar --get` has fetched. The cosines of sentences are written to alike.json.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from checks.contents import SOLUTIONS, STEPS
from checks.engine.files.progress import write_whole
from checks.engine.known import mistakes
from checks.speaking import bert
from checks.speaking.fetch import fetched
from checks.speaking.meaning import Reader, padded
from checks.training.model import learner_code

COSINES = Path(__file__).parent / "alike.json"
SENTENCES = [
    "A man is eating food.",
    "Someone has a meal.",
    "The cat sleeps on the sofa.",
    "A kitten naps on the couch.",
    "The stock market fell sharply today.",
]
LIKE = [(0, 1), (2, 3)]  # Sentences that mean the same.
ROWS = {  # The mistake, and the row of the table.
    "": "right",
    "tanh-gelu": "GELU with a tanh",
    "positions-from-1": "positions from 1",
    "silu": "SiLU for GELU",
    "segments-not-added": "segments not added",
    "relu-left": "ReLU for GELU",
    "first-token": "first token for the mean",
    "heads-split-by-view": "heads split by view",
    "no-norm": "no norm after the sum",
    "pre-norm": "pre-norm",
}


def measured(model: Path, mistake: str) -> dict[str, Any]:
    """The cosines of sentences that mean the same, and the largest one of others."""
    step = next(one for one in STEPS if one.name == "bert_encoder")
    sizes, longest = bert.sizes_of(model)
    reader = Reader(model, longest)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "solutions"
        shutil.copytree(SOLUTIONS, root, ignore=shutil.ignore_patterns("__pycache__"))
        if mistake:
            (root / step.path).write_text(mistakes(step)[mistake].source(step), "utf-8")
        learner_code(root)
        loaded = bert.load(bert.weights_of(model, sizes), sizes, *padded(reader.ids(SENTENCES)))
        vectors = reader.vectors(loaded, SENTENCES)
    cosines = vectors @ vectors.T
    like = [round(float(cosines[pair]), 2) for pair in LIKE]
    others = [cosines[pair] for pair in zip(*np.triu_indices(5, 1)) if pair not in LIKE]
    return {"like": like, "others": round(float(max(others)), 2)}


def main() -> None:
    archive = fetched(bert.MINILM)
    if archive is None:
        raise SystemExit("First fetch the model: python run_step.py similar --get")
    model = bert.unpacked(archive)
    rows = [{"says": says, **measured(model, mistake)} for mistake, says in ROWS.items()]
    for row in rows:
        print(row)
    found = {"sentences": SENTENCES, "versions": rows}
    write_whole(COSINES, (json.dumps(found, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
