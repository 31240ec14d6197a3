"""The file of a language model: read as it was written, and refused where it is damaged."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import a_model
import numpy as np
import pytest
from speaking import file, folder, refused, solution

from checks.engine.commands.words import Usage
from checks.speaking import held, model, reference
from checks.speaking.fetch import SMOLLM2
from checks.speaking.gguf import Gguf
from checks.speaking.vocabulary import Vocabulary

__all__ = ["file", "folder"]

pytestmark = pytest.mark.room


def test_a_file_is_read_as_it_was_written(file: Path) -> None:
    read, written = Gguf(file), a_model.weights()

    assert read.facts["tokenizer.ggml.merges"] == a_model.facts()["tokenizer.ggml.merges"]
    for name, array in written.items():
        step = (
            np.ptp(array)
            / {a_model.F32: 1e6, a_model.Q8_0: 200, a_model.Q4_1: 14}[a_model.kind_of(name)]
        )
        assert np.abs(read.tensor(name) - array).max() < step


def test_the_gguf_package_reads_the_same(file: Path) -> None:
    gguf = pytest.importorskip("gguf", reason="pip install gguf")

    read = Gguf(file)
    for tensor in gguf.GGUFReader(file).tensors:
        theirs = gguf.dequantize(tensor.data, tensor.tensor_type)
        assert np.array_equal(read.tensor(tensor.name), theirs)


def test_numpy_and_the_solution_have_the_same_loss(file: Path) -> None:
    read, loaded = solution(file)
    ids = loaded.vocabulary.encode(a_model.TEXT * 2)

    right = reference.loss(read, model.sizes_of(read), ids)
    found = held.losses(loaded, ids)

    assert abs(found.at_once - right) < 1e-4 and abs(found.in_pieces - right) < 1e-4


def test_the_tokens_are_a_text_and_a_chat(file: Path) -> None:
    _, loaded = solution(file)
    vocabulary: Vocabulary = loaded.vocabulary
    text = "the meadow, 19 é 你"

    assert vocabulary.decode(vocabulary.encode(text)) == text
    start, end = 1, 2
    ids = vocabulary.chat([("user", "the hill")])
    assert [id for id in ids if id < 3] == [start, end, start, end, start]
    assert vocabulary.decode(ids).endswith("user\nthe hill\nassistant\n")


BAD = {
    "general.architecture": ("gpt2", "kind 'gpt2'"),
    "tokenizer.ggml.model": ("llama", "kind 'llama'"),
    "tokenizer.ggml.pre": ("llama-bpe", "kind 'llama-bpe'"),
    "llama.attention.head_count": (5, "5 heads"),
    "llama.attention.head_count_kv": (3, "3 of keys"),
    "llama.feed_forward_length": (128, "ffn_down.weight is (64, 96)"),
    "llama.block_count": (3, "blk.2.attn_k.weight is missing"),
    "llama.rope.dimension_count": (8, "in another way"),
    "llama.rope.scaling.type": ("linear", "in another way"),
}


@pytest.mark.parametrize("name", BAD)
def test_another_model_is_refused_before_anything_is_computed(tmp_path: Path, name: str) -> None:
    value, told = BAD[name]
    path = a_model.write(tmp_path / "bad", {**a_model.facts(), name: value}, a_model.weights())

    with pytest.raises(Usage, match="bad") as error:
        model.sizes_of(Gguf(path))
    assert told in str(error.value)


@pytest.mark.parametrize("name", ["llama.embedding_length", "tokenizer.ggml.merges"])
def test_a_file_that_does_not_say_enough(tmp_path: Path, name: str) -> None:
    facts = a_model.facts()
    del facts[name]

    with pytest.raises(Usage, match=name):
        model.sizes_of(Gguf(a_model.write(tmp_path / "bad", facts, a_model.weights())))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tokenizer.ggml.merges", ["the x"]),
        ("tokenizer.ggml.merges", ["a"]),
        ("tokenizer.ggml.tokens", 7),
        ("llama.attention.head_count_kv", ["2", "2"]),
        ("llama.attention.head_count", 0),
        ("general.alignment", 0),
        ("general.alignment", "wide"),
    ],
)
def test_facts_that_cannot_be_read(tmp_path: Path, name: str, value: Any) -> None:
    path = a_model.write(tmp_path / "bad", {**a_model.facts(), name: value}, a_model.weights())

    with pytest.raises(Usage, match="bad"):
        model.sizes_of(Gguf(path))


def test_bytes_that_are_no_text_are_read_all_the_same(file: Path) -> None:
    _, loaded = solution(file)

    assert loaded.vocabulary.decode(loaded.vocabulary.encode("the \udce4")) == "the �"


def test_tensors_of_another_kind_or_place(tmp_path: Path) -> None:
    weights = a_model.weights()
    table = {"output.weight": weights["token_embd.weight"]}
    path = a_model.write(tmp_path / "bad", a_model.facts(), {**weights, **table})
    with pytest.raises(Usage, match="another table"):
        model.sizes_of(Gguf(path))

    name = "blk.0.attn_q.weight"
    path = a_model.write(path, a_model.facts(), weights, **{name: a_model.Q4_0})
    with pytest.raises(Usage, match=r"attn_q.weight is of kind 2"):
        Gguf(path)


def test_a_cut_file_is_refused_wherever_it_is_cut(file: Path) -> None:
    whole = file.read_bytes()

    for size in [0, 3, 4, 20, 24, 100, 3000, len(whole) // 2, len(whole) - 40]:
        file.write_bytes(whole[:size])
        with pytest.raises(Usage, match=r"tiny\.gguf"):
            Gguf(file)


def test_a_folder_and_nothing_are_no_files(tmp_path: Path) -> None:
    assert "is a folder" in refused("speak", "a", "--weights", str(tmp_path))
    assert "cannot be read" in refused("speak", "a", "--weights", str(tmp_path / "none"))


def test_a_changed_file_is_not_taken_for_the_fetched_one(file: Path, folder: Path) -> None:
    folder.mkdir()
    shutil.copy(file, folder / SMOLLM2.place)

    assert "not the file that was fetched" in refused("speak", "a", "--submission", "solutions")
