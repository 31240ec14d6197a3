"""similar: the files it reads, and the archive that it fetches."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from a_bert import CONFIG, an_archive, copy, course, lines, model, similar, write_safetensors
from warm import python

from checks.contents import COURSE, SOLUTIONS
from checks.engine.commands.words import Usage
from checks.speaking import bert, safetensors
from checks.speaking.meaning import Text, lines_of, sentences_of

__all__ = ["copy", "lines", "model"]

pytestmark = pytest.mark.room


# The texts of a file


def test_lines_and_sentences() -> None:
    lines = ["One. Two", "goes on! 'Three?'", "", "", "Four", "", "e.g. this … ends."]
    assert lines_of(["a", "", "b"]) == [Text(1, "a"), Text(3, "b")]
    assert sentences_of(lines) == [
        Text(1, "One."),
        Text(1, "Two goes on!"),
        Text(2, "'Three?'"),
        Text(5, "Four"),
        Text(7, "e.g."),
        Text(7, "this …"),
        Text(7, "ends."),
    ]


# Reading files


def test_a_safetensors_file(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    tensors = {"x": np.arange(6.0).reshape(2, 3), "y": np.ones(1), "none": np.zeros((0, 2))}
    write_safetensors(path, tensors)
    read = safetensors.read(path)
    assert read.keys() == tensors.keys()
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(read[name], tensor)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: data[:-1], "are promised"),
        (lambda data: data[:100], "is cut, or is no safetensors file"),
        (lambda data: b"", "cannot be read"),
        (lambda data: b"no such file", "is no safetensors file"),
        (lambda data: data.replace(b'"shape": [12]', b'"shape": [13]'), "do not fit the shape"),
        (lambda data: data.replace(b"F32", b"X32"), "is cut, or is no safetensors file"),
    ],
)
def test_a_damaged_file_is_refused(copy: Path, damage: Any, says: str) -> None:
    path = copy / bert.WEIGHTS
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(Usage, match=says):
        safetensors.read(path)


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        (bert.CONFIG, {"model_type": "gpt2"}, "of the kind 'gpt2'"),
        (bert.CONFIG, {"hidden_act": "gelu_new"}, "activation 'gelu_new'"),
        (bert.CONFIG, {"vocab_size": None}, "word_embeddings.weight with the shape"),
        (bert.CONFIG, {"hidden_size": 6}, "with the shape"),
        (bert.CONFIG, {"num_hidden_layers": 3}, "has no encoder.layer.2"),
        (bert.CONFIG, "{", "is no JSON"),
        (bert.CONFIG, "[]", "holds no facts"),
        (bert.CONFIG, '{"model_type": "bert", "hidden_act": "gelu"}', "does not say 'vocab_size'"),
        (bert.TOKENS, "{}", "tokenizer.json cannot be read"),
        (bert.TOKENS, None, "tokenizer.json cannot be read"),
        (bert.WEIGHTS, None, "model.safetensors cannot be read"),
        (bert.CONFIG, None, "config.json cannot be read"),
    ],
)
def test_a_model_that_does_not_fit_is_refused(
    copy: Path, lines: Path, tmp_path: Path, file: str, change: Any, says: str
) -> None:
    if change is None:
        (copy / file).unlink()
    else:
        text = change if isinstance(change, str) else json.dumps({**CONFIG, **change})
        (copy / file).write_text(text, "utf-8")
    done = similar(copy, tmp_path, str(lines), "a cat")
    assert done.returncode == 2 and says in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and not done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere.txt", "a"), "nowhere.txt cannot be read: No such file"),
        ((".", "a"), ". cannot be read: Is a directory"),
        ((), "In which file?"),
        (("lines.txt", "a", "--most", "0"), "--most 0: it is at least 1"),
        (("latin.txt", "a"), "latin.txt, line 2: is not UTF-8"),
        (("empty.txt", "a"), "empty.txt has no line"),
        (("lines.txt", "a", "--weights", "nowhere"), "--weights nowhere is no folder"),
    ],
)
def test_what_cannot_be_searched(
    model: Path, lines: Path, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    (tmp_path / "latin.txt").write_bytes("a\ncafé".encode("latin-1"))
    (tmp_path / "empty.txt").write_text("\n\n", "utf-8")
    given = words if "--weights" in words else (*words, "--weights", str(model))
    command = (str(COURSE / "run_step.py"), "similar", *given)
    done = python(*command, "--submission", str(SOLUTIONS), cwd=tmp_path)
    assert done.returncode == 2 and says in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


# The archive of the real model


def test_the_archive_is_unpacked_once(model: Path, tmp_path: Path, monkeypatch: Any) -> None:
    archive = an_archive(model, tmp_path, monkeypatch)
    folder = bert.unpacked(archive)
    assert sorted(path.name for path in folder.iterdir()) == sorted(bert.PINNED)
    (folder / bert.TOKENS).write_text("damaged", "utf-8")
    assert bert.unpacked(archive) == folder  # And repaired.
    assert (folder / bert.TOKENS).read_bytes() == (model / bert.TOKENS).read_bytes()
    archive.write_bytes(b"no more needed")
    assert bert.unpacked(archive) == folder


@pytest.mark.parametrize("damage", ["other", "cut", "folder"])
def test_a_damaged_archive_is_refused(
    model: Path, tmp_path: Path, monkeypatch: Any, damage: str
) -> None:
    archive = an_archive(model, tmp_path, monkeypatch)
    if damage == "other":
        monkeypatch.setitem(bert.PINNED, bert.TOKENS, "0" * 64)
    elif damage == "cut":
        archive.write_bytes(archive.read_bytes()[:-100])
    else:
        archive.unlink()
        archive.mkdir()
    with pytest.raises(Usage):
        bert.unpacked(archive)
    assert not list(tmp_path.glob("a/*.half"))


def test_a_full_disk_is_named(model: Path, tmp_path: Path, monkeypatch: Any) -> None:
    archive = an_archive(model, tmp_path, monkeypatch)

    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(Usage, match="No space left on device"):
        bert.unpacked(archive)


def test_it_says_how_to_fetch_the_model(lines: Path, tmp_path: Path) -> None:
    done = course(str(lines), "a", "--submission", "solutions", COURSE_MODELS=str(tmp_path / "no"))
    assert done.returncode == 2 and "similar --get" in done.stderr
