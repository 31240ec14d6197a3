"""The learner's LanguageModel with the weights of a file in it."""

from __future__ import annotations

import importlib
import os
import platform
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from checks.engine.commands.words import Usage
from checks.speaking.gguf import Gguf
from checks.speaking.vocabulary import Vocabulary

LONGEST = 2048  # Positions: more than a chat needs, and the table stays small.
FAMILY = "llama"  # How files call the shape of step 6.5.
STAGE = "s6_today"


class Loaded(NamedTuple):
    """The model, its tokens, and the learner's module of step 6.8."""

    model: nn.Module
    vocabulary: Vocabulary
    speak: Any
    max_len: int


def sizes_of(file: Gguf) -> dict[str, Any]:
    """The arguments of LanguageModel, from the facts of a file. Raises Usage if it has another
    shape.
    """
    facts, of = file.facts, f"{FAMILY}."
    if facts.get("general.architecture") != FAMILY:
        kind = facts.get("general.architecture")
        raise Usage(f"{file.path} holds a model of the kind {kind!r}; here only {FAMILY!r} fits.")
    try:
        sizes = {
            "vocab_size": len(facts["tokenizer.ggml.tokens"]),
            "dim_vector": facts[of + "embedding_length"],
            "n_head": facts[of + "attention.head_count"],
            "n_kv_head": facts[of + "attention.head_count_kv"],
            "dim_hidden": facts[of + "feed_forward_length"],
            "num_layer": facts[of + "block_count"],
            "max_len": min(LONGEST, facts[of + "context_length"]),
            "base": facts.get(of + "rope.freq_base", 10000.0),
            "eps": facts[of + "attention.layer_norm_rms_epsilon"],
        }
    except KeyError as error:
        raise Usage(f"{file.path} does not say {error}.") from None
    if facts.get("tokenizer.ggml.model") != "gpt2":
        kind = facts.get("tokenizer.ggml.model")
        raise Usage(f"{file.path} has tokens of the kind {kind!r}; step 6.7 makes 'gpt2'.")
    if "output.weight" in file.tensors:
        raise Usage(f"{file.path} has another table for the output; step 6.5 has one for both.")
    return sizes


def load(file: Gguf, exact: bool = False) -> Loaded:
    """The learner's model with the weights of the file.

    They are mapped from a kept file, so they are read when they are used. `exact`: they are read
    now, in float32.
    """
    sizes = sizes_of(file)
    weights = in_float32(file) if exact else mapped(file)
    language_model, speak, pairs = map(_step, ("language_model", "speak", "byte_pairs"))
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32 if exact else dtype())  # For first values, soon gone.
    try:
        model = language_model.LanguageModel(**sizes)
    finally:
        torch.set_default_dtype(before)
    speak.load_weights(model, weights)
    model.eval()
    return Loaded(
        model, Vocabulary(file.facts, pairs.encode, pairs.decode), speak, sizes["max_len"]
    )


def _step(name: str) -> Any:
    return importlib.import_module(f"{STAGE}.{name}")


def dtype() -> torch.dtype:
    """bfloat16 if this processor multiplies it, else float32."""
    return torch.bfloat16 if _has_bfloat16() else torch.float32


def _has_bfloat16() -> bool:
    if os.environ.get("COURSE_DTYPE"):
        return os.environ["COURSE_DTYPE"] == "bfloat16"
    if platform.machine() in ("arm64", "aarch64"):
        return False
    try:
        return "avx512_bf16" in Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return False


def in_float32(file: Gguf) -> dict[str, Tensor]:
    """All tensors of the file."""
    return {name: torch.tensor(file.tensor(name)) for name in file.tensors}


def mapped(file: Gguf) -> dict[str, Tensor]:
    """All tensors of the file. The first time they are written beside it, in this dtype; from then
    on that file is mapped, so only what is used is read.
    """
    kept = file.path.with_name(f"{file.path.stem}.{str(dtype()).removeprefix('torch.')}.pt")
    if not kept.exists() or kept.stat().st_mtime < file.path.stat().st_mtime:
        weights = {name: torch.tensor(file.tensor(name), dtype=dtype()) for name in file.tensors}
        half = kept.with_suffix(f".{os.getpid()}.half")
        try:
            torch.save(weights, half)
            os.replace(half, kept)
        except OSError as error:
            raise Usage(f"{kept} cannot be written: {error.strerror}.") from None
        finally:
            half.unlink(missing_ok=True)
        del weights
    found: dict[str, Tensor] = torch.load(kept, mmap=True, weights_only=True)
    return found
