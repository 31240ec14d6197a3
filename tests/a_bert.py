"""A small model that reads sentences: its files, and `similar` with it."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from warm import python

from checks.contents import COURSE
from checks.s3_encoder.bert_encoder import truth
from checks.speaking import bert, meaning
from checks.speaking.meaning import padded
from checks.speaking.similar import TRIED
from checks.training.model import learner_code

tokenizers = pytest.importorskip("tokenizers", reason="pip install -r requirements-train.txt")

LINES = ["a red cat", "", "the blue dog and the cat", "red", "a dog"]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"a and blue cat dog red the where ? .".split()]
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "vocab_size": len(WORDS),
    "hidden_size": 12,
    "num_attention_heads": 3,
    "intermediate_size": 20,
    "num_hidden_layers": 2,
    "max_position_embeddings": 9,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
}


def write_safetensors(path: Path, tensors: dict[str, Any]) -> None:
    header, raw = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        data = tensor.astype(np.float32).tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensor.shape),
            "data_offsets": [len(raw), len(raw) + len(data)],
        }  # type: ignore[assignment]
        raw += data
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + raw)


def write_tokenizer(path: Path) -> None:
    made = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    made.post_processor = tokenizers.processors.TemplateProcessing("[CLS] $A [SEP]", None, ends)
    made.save(str(path))


def tensors_of(config: dict[str, Any]) -> dict[str, Any]:
    """Drawn weights, under the names of such files."""
    rng = np.random.default_rng(0)
    shapes = truth.bert_encoder_shapes(len(WORDS), 12, 20, 2, config["max_position_embeddings"])
    drawn = {
        bert._in_the_file(role): rng.normal(size=shape, scale=0.5) for role, shape in shapes.items()
    }
    return {**drawn, "pooler.dense.bias": np.zeros(12)}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small model."""
    folder = tmp_path_factory.mktemp("model")
    (folder / bert.CONFIG).write_text(json.dumps(CONFIG), "utf-8")
    write_tokenizer(folder / bert.TOKENS)
    write_safetensors(folder / bert.WEIGHTS, tensors_of(CONFIG))
    return folder


@pytest.fixture
def copy(model: Path, tmp_path: Path) -> Path:
    """The same, to be damaged."""
    return Path(shutil.copytree(model, tmp_path / "model"))


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(LINES), "utf-8")
    return path


@pytest.fixture
def code() -> Iterator[Any]:
    """A function that takes the step's solution, or another version of it, as the learner's."""
    path, modules = sys.path[:], dict(sys.modules)
    yield learner_code
    sys.path[:] = path
    for name in sys.modules.keys() - modules.keys():
        if re.match(r"s\d_", name):
            del sys.modules[name]


def course(*words: str, input: str | None = None, **environment: str) -> Any:
    command = (str(COURSE / "run_step.py"), "similar")
    return python(*command, *words, cwd=COURSE, input=input, **environment)


def similar(model: Path, at: Path, *words: str, input: str | None = None) -> Any:
    options = ("--weights", str(model), "--submission", "solutions")
    return course(*words, *options, input=input, COURSE_MODELS=str(at / "kept"))


def loaded(model: Path) -> tuple[bert.Loaded, meaning.Reader, bert.Weights]:
    sizes, longest = bert.sizes_of(model)
    weights, reader = bert.weights_of(model, sizes), meaning.Reader(model, longest)
    return bert.load(weights, sizes, *padded(reader.ids(TRIED))), reader, weights


def by_the_formula(
    reader: meaning.Reader, weights: bert.Weights, texts: list[str], heads: int, layers: int
) -> Any:
    """The vectors of texts, each alone, in NumPy float64."""
    found = []
    for ids in reader.ids(texts):
        tokens, mask = padded([ids])
        out = truth.bert_encoder(tokens, weights, heads, layers, None, mask)
        found.append(truth.sentence_vectors(out, mask)[0])
    return np.array(found)


def an_archive(model: Path, at: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    archive = at / "a.zip"
    files = (bert.WEIGHTS, bert.TOKENS, bert.CONFIG)
    with zipfile.ZipFile(archive, "w") as opened:
        for name in files:
            opened.write(model / name, name)
    hashes = {name: hashlib.sha256((model / name).read_bytes()).hexdigest() for name in files}
    monkeypatch.setattr(bert, "PINNED", hashes)
    return archive
