"""speak and chat, with a tiny model made here; and with the real one, where it is."""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest
import torch
from conftest import posix
from speaking import file, folder, refused, solution, typed

from checks.contents import COURSE, SOLUTIONS, STEPS
from checks.course import AFTER_PROOF
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import Usage, function_of
from checks.engine.known import mistakes
from checks.speaking import command, held, model, reference, talk, versions
from checks.speaking.fetch import SMOLLM2
from checks.speaking.table import as_text, measured

__all__ = ["file", "folder"]

pytestmark = pytest.mark.room
REAL = Path(os.environ.get("COURSE_MODELS", "")) / SMOLLM2.place
with_real = pytest.mark.skipif(
    not (os.environ.get("COURSE_MODELS") and REAL.is_file()),
    reason="COURSE_MODELS=FOLDER, after COURSE_MODELS=FOLDER python run_step.py speak --get",
)


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


@posix
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
