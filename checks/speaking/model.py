"""The learner's LanguageModel with the weights of a file in it."""

from __future__ import annotations

import importlib
import math
import os
import platform
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from checks.engine.commands.words import Usage
from checks.speaking.fetch import folder
from checks.speaking.gguf import Gguf
from checks.speaking.vocabulary import Vocabulary
from checks.training.folder import Folder
from checks.training.model import learner_code
from checks.training.settings import code_root
from checks.training.use import loaded
from checks.training.writing import BytePairs

LONGEST = 2048  # Positions: more than a chat needs, and the table stays small.
FAMILY = "llama"  # How files call the shape of step 6.5.
PIECES = "smollm"  # How files call the pieces of step 6.7.
STAGE = "s6_today"
FIRST_VALUES = ("normal_", "uniform_", "trunc_normal_", "kaiming_uniform_", "xavier_uniform_")


class Loaded(NamedTuple):
    """The model, its tokens, and the learner's module of step 6.8."""

    model: nn.Module
    vocabulary: Vocabulary | BytePairs
    speak: Any
    max_len: int


class NoFirstValues(TorchFunctionMode):
    """Parameters that are made here get no first values.

    The file's weights replace them. Until something is written, they take no memory.
    """

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if getattr(function, "__name__", "") in FIRST_VALUES:
            return args[0] if args else kwargs["tensor"]
        return function(*args, **kwargs)


def sizes_of(file: Gguf) -> dict[str, Any]:
    """The arguments of LanguageModel, from the facts of a file. Raises Usage if the file holds
    another model than step 6.5 makes.
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
            "max_len": min(LONGEST, int(facts[of + "context_length"])),
            "base": facts.get(of + "rope.freq_base", 10000.0),
            "eps": facts[of + "attention.layer_norm_rms_epsilon"],
        }
        for name in ("merges", "eos_token_id"):
            facts[f"tokenizer.ggml.{name}"]
    except KeyError as error:
        raise Usage(f"{file.path} does not say {error}.") from None
    except (TypeError, ValueError):
        raise _unreadable(file) from None
    for name, here in (("model", "gpt2"), ("pre", PIECES)):
        kind = facts.get(f"tokenizer.ggml.{name}")
        if kind != here:
            raise Usage(f"{file.path} has tokens of the kind {kind!r}; step 6.7 makes {here!r}.")
    try:
        Vocabulary(facts, lambda *_: [], lambda *_: "")
        _refuse_another_shape(file, sizes)
    except (AttributeError, LookupError, TypeError, ValueError):
        raise _unreadable(file) from None
    return sizes


def _unreadable(file: Gguf) -> Usage:
    return Usage(f"{file.path} has facts that cannot be read. Fetch it again.")


def _refuse_another_shape(file: Gguf, sizes: dict[str, Any]) -> None:
    """Raises Usage if a tensor is missing, left over, or of another shape."""
    dim, heads, groups = sizes["dim_vector"], sizes["n_head"], sizes["n_kv_head"]
    if min(dim, heads, groups) < 1 or dim % heads or heads % groups:
        told = f"{heads} heads and {groups} of keys do not share {dim} features evenly"
        raise Usage(f"{file.path}: {told}.")
    if "output.weight" in file.tensors:
        raise Usage(f"{file.path} has another table for the output; step 6.5 has one for both.")
    turned = file.facts.get(f"{FAMILY}.rope.dimension_count", dim // heads)
    scaled = [name for name in file.facts if name.startswith(f"{FAMILY}.rope.scaling")]
    if turned != dim // heads or scaled:
        raise Usage(f"{file.path} turns queries and keys in another way than step 6.2.")
    wanted = shapes(sizes)
    for name in sorted(wanted.keys() | file.tensors.keys()):
        found = file.tensors[name].shape if name in file.tensors else "missing"
        if found != wanted.get(name):
            told = f"{name} is {found}; step 6.5 has {wanted.get(name, 'no such tensor')}"
            raise Usage(f"{file.path}: {told}.")


def shapes(sizes: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """The tensors that a file must have for these sizes."""
    dim, hidden = sizes["dim_vector"], sizes["dim_hidden"]
    keys = dim // sizes["n_head"] * sizes["n_kv_head"]
    layer = {
        **{"attn_norm": (dim,), "attn_q": (dim, dim), "attn_output": (dim, dim)},
        **{"attn_k": (keys, dim), "attn_v": (keys, dim), "ffn_norm": (dim,)},
        **{"ffn_gate": (hidden, dim), "ffn_up": (hidden, dim), "ffn_down": (dim, hidden)},
    }
    found = {"token_embd.weight": (sizes["vocab_size"], dim), "output_norm.weight": (dim,)}
    for n in range(sizes["num_layer"]):
        found |= {f"blk.{n}.{name}.weight": shape for name, shape in layer.items()}
    return found


def load(file: Gguf, exact: bool = False, digest: str = "") -> Loaded:
    """The learner's model with the weights of the file.

    They are mapped from a kept file, so they are read when they are used. `exact`: they are read
    now, in float32. `digest`: the hash of the file, which names the kept one.
    """
    sizes = sizes_of(file)
    weights = in_float32(file) if exact else mapped(file, sizes, digest)
    language_model, speak, pairs = map(_step, ("language_model", "speak", "byte_pairs"))
    with NoFirstValues():
        model = language_model.LanguageModel(**sizes)
    speak.load_weights(model, weights)
    model.eval()
    return Loaded(
        model, Vocabulary(file.facts, pairs.encode, pairs.decode), speak, sizes["max_len"]
    )


def trained(path: str) -> Loaded:
    """The model that `train --text` has made in this folder, and the code that it is made of."""
    kept = Folder(path)
    learner_code(code_root(kept.settings("write")))
    settings, (pairs,), model = loaded(kept)
    return Loaded(model.cpu(), pairs, _step("speak"), settings["max_len"])


def _step(name: str) -> Any:
    try:
        return importlib.import_module(f"{STAGE}.{name}")
    except ImportError as error:
        raise Usage(f"{STAGE}/{name}.py cannot be used: {error}.") from None


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
    return {name: torch.from_numpy(file.tensor(name)) for name in file.tensors}


def mapped(file: Gguf, sizes: dict[str, Any], digest: str) -> dict[str, Tensor]:
    """All tensors of the file. The first time they are written to the folder of models, in this
    dtype. From then on what was written is mapped, so only what is used is read.
    """
    name = f"{file.path.stem}-{digest[:12]}.{str(dtype()).removeprefix('torch.')}.pt"
    kept = folder() / name
    if not kept.exists():
        _keep(file, sizes, kept)
    try:
        found: dict[str, Tensor] = torch.load(kept, mmap=True, weights_only=True)
        if {name: tuple(tensor.shape) for name, tensor in found.items()} != shapes(sizes):
            raise ValueError("It holds other weights.")
    except Exception as error:  # A damaged file raises any error.
        why = type(error).__name__
        raise Usage(f"{kept} is damaged ({why}). Remove it: it is made again.") from None
    return found


def _keep(file: Gguf, sizes: dict[str, Any], kept: Path) -> None:
    """Write all tensors to this path: the whole file or nothing."""
    needed = sum(map(math.prod, shapes(sizes).values())) * dtype().itemsize
    half = kept.with_suffix(f".{os.getpid()}.half")
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        for left in kept.parent.glob("*.half"):  # Of a process that was killed.
            left.unlink()
        free = shutil.disk_usage(kept.parent).free
        if free < needed:
            told = f"{kept.parent} has {free / 1e6:.0f} MB left, and {needed / 1e6:.0f} are needed"
            raise Usage(f"{told} to keep the weights.")
        torch.save(
            {name: torch.from_numpy(file.tensor(name)).to(dtype()) for name in file.tensors}, half
        )
        os.replace(half, kept)
    except (OSError, RuntimeError) as error:  # PyTorch has an error of its own for a full disk.
        why = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise Usage(f"{kept} cannot be written: {why}.") from None
    finally:
        half.unlink(missing_ok=True)
