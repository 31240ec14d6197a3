"""A file like that of the real model, but tiny: drawn weights, and a package that holds it."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.speaking.model import shapes
from checks.speaking.vocabulary import alphabet

TEXT = "the river and the meadow, the river and the hill"
SIZES = {
    **{"vocab_size": 0, "dim_vector": 64, "n_head": 4, "n_kv_head": 2, "dim_hidden": 96},
    **{"num_layer": 2, "max_len": 1024, "base": 500.0, "eps": 1e-5},
}
F32, Q4_0, Q4_1, Q8_0 = 0, 2, 3, 8
Facts = dict[str, Any]


def tokens_and_merges() -> tuple[list[str], list[str]]:
    """A vocabulary that step 6.7 learns from TEXT, with three special tokens before it."""
    from solutions.s6_today.byte_pairs import learn

    sign = {byte: sign for sign, byte in alphabet().items()}
    signs, merges = [sign[byte] for byte in range(256)], []
    for left, right in learn(TEXT, 30):
        merges.append(f"{signs[left]} {signs[right]}")
        signs.append(signs[left] + signs[right])
    return ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *signs], merges


def facts() -> Facts:
    tokens, merges = tokens_and_merges()
    return {
        "general.architecture": "llama",
        "llama.block_count": SIZES["num_layer"],
        "llama.context_length": SIZES["max_len"],
        "llama.embedding_length": SIZES["dim_vector"],
        "llama.feed_forward_length": SIZES["dim_hidden"],
        "llama.attention.head_count": SIZES["n_head"],
        "llama.attention.head_count_kv": SIZES["n_kv_head"],
        "llama.attention.layer_norm_rms_epsilon": SIZES["eps"],
        "llama.rope.freq_base": SIZES["base"],
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.eos_token_id": 2,
    }


def weights() -> dict[str, NDArray[Any]]:
    draw = np.random.default_rng(3)
    sizes = {**SIZES, "vocab_size": len(tokens_and_merges()[0])}
    return {
        name: (draw.normal(1, 0.1, shape) if len(shape) == 1 else draw.normal(0, 0.3, shape))
        for name, shape in shapes(sizes).items()
    }


def packed(array: NDArray[Any], kind: int) -> bytes:
    """The entries as bytes: whole numbers in blocks of 32, with a scale."""
    if kind == F32:
        return array.astype("<f4").tobytes()
    blocks = array.reshape(-1, 32)
    if kind == Q8_0:
        scale = np.abs(blocks).max(axis=1, keepdims=True).astype("<f2") / np.float16(127)
        numbers = np.rint(blocks / scale).astype(np.int8)
        rows = [scale.tobytes() + row.tobytes() for scale, row in zip(scale, numbers)]
        return b"".join(rows)
    least = blocks.min(axis=1, keepdims=True).astype("<f2")
    scale = ((blocks.max(axis=1, keepdims=True) - least) / 15).astype("<f2")
    numbers = np.clip(np.rint((blocks - least) / scale), 0, 15).astype(np.uint8)
    halves = numbers[:, :16] | numbers[:, 16:] << 4
    heads = zip(scale, least, halves)
    return b"".join(s.tobytes() + m.tobytes() + row.tobytes() for s, m, row in heads)


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def fact(value: Any) -> bytes:
    """The kind of a fact, and the fact."""
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    if isinstance(value, list):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    return struct.pack("<II", 4, value)


def kind_of(name: str) -> int:
    return F32 if "norm" in name else Q8_0 if "embd" in name else Q4_1


def write(path: Path, facts: Facts, weights: dict[str, NDArray[Any]], **kinds: int) -> Path:
    """Write a file. `kinds`: how a tensor is packed, if it is not as usual."""
    head, data = [struct.pack("<4sIQQ", b"GGUF", 3, len(weights), len(facts))], b""
    head += [text(name) + fact(value) for name, value in facts.items()]
    for name, array in weights.items():
        kind = kinds.get(name, kind_of(name))
        axes = array.shape[::-1]
        form = f"<I{len(axes)}QIQ"
        head.append(text(name) + struct.pack(form, len(axes), *axes, kind, len(data)))
        data += packed(array, kind if kind != Q4_0 else Q4_1)
        data += bytes(-len(data) % 32)
    whole = b"".join(head)
    path.write_bytes(whole + bytes(-len(whole) % 32) + data)
    return path


def a_file(path: Path) -> Path:
    return write(path, facts(), weights())


def a_package(folder: Path, file: Path, name: str = "a-model") -> Path:
    """A package for pip, with this file in it."""
    plain = name.replace("-", "_")
    path, info = folder / f"{plain}-0.1-py3-none-any.whl", f"{plain}-0.1.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.write(file, f"{plain}/{file.name}")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
        tag = "Wheel-Version: 1.0\nGenerator: a\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr(f"{info}/WHEEL", tag)
        wheel.writestr(f"{info}/RECORD", "")
    return path
