"""`look`: pictures of the learner's own numbers."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import AT_MOST, Said, solve, typed

from checks.contents import STEPS, Step
from checks.engine.drawing.characters import drawn
from checks.engine.drawing.example import Picture, pictures_of
from checks.engine.drawing.sketch import Sketch
from checks.engine.tracing.saved import add
from checks.truth import models, paper

pytestmark = pytest.mark.room


WITH_PICTURES = [step for step in STEPS if pictures_of(step)]


@pytest.mark.parametrize("step", WITH_PICTURES, ids=lambda step: step.name)
def test_pictures_of_the_solution(said: Said, course: Path, step: Step) -> None:
    done = said(course, "look", step.id, "--solution")
    assert done.returncode == 0, done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    for picture in pictures_of(step):
        assert picture.title.format(0) in done.stdout


@pytest.mark.parametrize(
    ("columns", "environment"),
    [
        (80, {}),
        (120, {}),
        (80, {"NO_COLOR": "1"}),
        (80, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}),
    ],
)
def test_pictures_fit_every_terminal(
    course: Path, columns: int, environment: dict[str, str]
) -> None:
    """Heads stand side by side as far as they fit; without colour and Unicode the digits stay."""
    solve(course, *(step.id for step in STEPS))
    shown = on_a_terminal(course, columns, environment, "look", "5.2")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    lines = [line.rstrip() for line in plain.splitlines()]
    assert columns - 42 <= max(map(len, lines)) <= columns
    assert max(line.count("head ") for line in lines) == 3
    assert "if we do we go  -  -" in plain
    assert ("\x1b[" in shown) == ("NO_COLOR" not in environment)
    if "LC_ALL" in environment:
        assert plain.isascii()


def on_a_terminal(course: Path, columns: int, environment: dict[str, str], *words: str) -> str:
    """What the command prints on a terminal of so many columns."""
    pty, termios, fcntl = map(pytest.importorskip, ("pty", "termios", "fcntl"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, str(course / "run_step.py"), *words],
        **dict.fromkeys(("stdin", "stdout", "stderr"), theirs),
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    seen = b""
    with suppress(OSError):  # The terminal is closed when the command ends.
        while more := os.read(ours, 65536):
            seen += more
    os.close(ours)
    assert process.wait(AT_MOST) == 0
    return seen.decode(errors="replace")


def test_a_picture_has_the_learners_own_numbers(said: Said, course: Path) -> None:
    """A triangle that hides the past is seen at once."""
    solve(course, *(step.id for step in STEPS))
    file = course / "s5_transformer/masks.py"
    right = said(course, "look", "5.1").stdout
    assert "q0  #  .  .  .  .        q0  #  .  .  .  .\nq1  #  #  .  .  ." in right
    file.write_text(file.read_text("utf-8").replace(".tril()", ".triu()"), "utf-8")
    wrong = said(course, "look", "5.1").stdout
    assert "q0  #  #  #  #  #        q0  #  #  #  #  .\nq1  .  #  #  #  #" in wrong
    leak = said(course, "look", "5.2").stdout.partition("when the target (column) changes")[2]
    assert leak.splitlines()[2:4] == ["o0  #  #  #  #  #", "o1  .  #  #  #  #"]
    file.write_text(file.read_text("utf-8").replace("    return real", "    1 / 0"), "utf-8")
    stopped = said(course, "look", "5.1")
    assert stopped.returncode == 1 and "Here it stops. ZeroDivisionError" in stopped.stdout


def test_the_legend_has_the_names_and_the_dots_of_its_picture(said: Said, course: Path) -> None:
    """A dot in a cell is a weight of 0. Only a picture with the name "." says that it ends."""
    shown = {
        step: " ".join(said(course, "look", step, "--solution").stdout.split())
        for step in ("2.1", "4.1")
    }
    assert all("In a cell, . is a weight of 0." in told for told in shown.values())
    assert "ends it" in shown["4.1"] and "ends it" not in shown["2.1"]


def test_a_failure_is_looked_at(said: Said, course: Path) -> None:
    """The same numbers as the message: it failed with this seed. After a pass there are none."""
    solve(course, *(step.id for step in STEPS))
    file = course / "s2_attention/calculate_attention.py"
    right = file.read_text("utf-8")
    file.write_text(right.replace("mask == 0", "mask != 0"), "utf-8")
    told = said(course, "2.1").stdout
    assert "see pictures  python run_step.py look 2.1" in told
    shown = said(course, "look", "2.1")
    assert shown.returncode == 1 and max(map(len, shown.stdout.splitlines())) <= 80
    parts = shown.stdout.partition("The check that fails (seed ")[2]
    assert "expected" in parts and "yours - expected" in parts
    before, _, _ = parts.partition("\n\nexpected")
    assert before.endswith(", in %") == ("attention" in before.splitlines()[-1])
    file_of_all = course / "failure.svg"
    said(course, "look", "2.1", "--save", str(file_of_all))
    saved = file_of_all.read_text("utf-8")
    assert ", expected</text>" in saved and ", yours - expected</text>" in saved
    yours = parts.partition("yours (* is wrong)")[2].partition("yours - expected")[0]
    assert saved.count('class="w"') == yours.count("*") > 0
    square = [line for line in told.splitlines() if "#*" in line]
    assert square and all(line.strip() in parts for line in square)
    file.write_text(right, "utf-8")
    said(course, "2.1")
    assert "The check that fails" not in said(course, "look", "2.1").stdout
    assert "The check that fails" not in said(course, "look", "2.1", "--seed", "3").stdout


def test_a_failure_without_a_table_is_told(said: Said, course: Path) -> None:
    """A single number, an error: the message stands there. Numbers of rows are those of the value,
    and what is wrong is marked.
    """
    solve(course, *(step.id for step in STEPS))
    file = course / "s5_transformer/training.py"
    right = file.read_text("utf-8")
    for find, other, says in (
        ("return dim_vector**-0.5", "return 2 * dim_vector**-0.5", "expected"),
        ("return dim_vector**-0.5", "return lost * dim_vector**-0.5", "NameError"),
        (
            "return dim_vector**-0.5",
            f"return lost * ({' + '.join(['dim_vector'] * 6)}) * dim_vector**-0.5",
            "\n      return lost * (dim_vector + dim_vector + dim_vector + dim_vector +\n"
            "        dim_vector + dim_vector)",  # The indent goes on.
        ),
    ):
        assert find in right
        file.write_text(right.replace(find, other), "utf-8")
        said(course, "5.3")
        drawn = said(course, "look", "5.3").stdout
        assert max(map(len, drawn.splitlines())) <= 80
        shown = drawn.partition("The check that fails")[2]
        assert says in shown, shown
    translate = course / "s5_transformer/translate.py"
    translate.write_text(translate.read_text("utf-8").replace("[0, 1:]", "[0, 2:]"), "utf-8")
    said(course, "5.5")
    assert "The check that fails" in said(course, "look", "5.5").stdout
    mask = course / "s5_transformer/masks.py"
    mask.write_text(mask.read_text("utf-8").replace(".tril()", ".triu()"), "utf-8")
    said(course, "5.1")
    shown = said(course, "look", "5.1").stdout.partition("The check that fails")[2]
    assert "yours (* is wrong)" in shown and "#*" in shown and "yours - expected" not in shown


def test_look_is_offered_where_it_draws_something(said: Said, course: Path) -> None:
    """6.7 has no picture, and its ids are no table."""
    solve(course, *(step.id for step in STEPS))
    for id, find, other, offered in (
        ("6.7", "256 + rank[first]", "257 + rank[first]", False),
        ("6.2", "2 * pair / dim_split", "pair / dim_split", True),
    ):
        file = course / next(step.path for step in STEPS if step.id == id)
        file.write_text(file.read_text("utf-8").replace(find, other), "utf-8")
        told = said(course, id).stdout
        assert "is not right yet" in told and (f"run_step.py look {id}" in told) == offered


def test_pictures_are_saved(said: Said, course: Path, tmp_path: Path) -> None:
    """As files of three kinds, with the learner's numbers; no file is overwritten."""
    solve(course, *(step.id for step in STEPS))
    for kind in ("svg", "html", *(["png"] if find_spec("matplotlib") else [])):
        file = tmp_path / f"masks.{kind}"
        done = said(course, "look", "5.1", "--save", str(file))
        assert done.returncode == 0 and f"Saved as {file}." in done.stdout.replace("\n", "")
        content = file.read_bytes()
        if kind == "png":
            assert content.startswith(b"\x89PNG")
            continue
        text = content.decode()
        assert text.count(">#</text>") == len(re.findall(r" #(?! is)", done.stdout)) > 20
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        again = said(course, "look", "5.1", "--save", str(file))
        assert again.returncode == 2 and "there is such a file already" in again.stderr
        assert file.read_bytes() == content
    for name, says in (("x.gif", "must end in"), (f"{tmp_path}/no/x.svg", "there is no folder")):
        wrong = said(course, "look", "5.1", "--save", name)
        assert wrong.returncode == 2 and says in wrong.stderr


def test_a_curve_and_many_tables_fit_a_page() -> None:
    sketch = Sketch()
    add(
        sketch, Picture("a", "", "query", "key", "entry"), np.arange(5 * 2 * 12.0).reshape(5, 2, 12)
    )
    high = sketch.height
    assert sketch.width <= 900 < 5 * 12 * 34 and high > 2 * 2 * 24
    add(sketch, Picture("b", "", "", "", "curve"), np.array([1.0, np.nan, 0.5]))
    assert sketch.height > high + 140 and "nan" not in sketch.svg("b")


def test_a_trained_model_shows_where_its_words_look(said: Said, course: Path) -> None:
    """Only a model that has learned has something to show; here it has learned nothing yet."""
    solve(course, *(step.id for step in STEPS))
    without = said(course, "look", "5.5")
    assert without.returncode == 2 and "when your model has learned" in without.stderr
    sizes = {"src_pad_idx": 0, "trg_pad_idx": 0, "encoder_vocab_size": 6, "decoder_vocab_size": 6}
    sizes |= {"dim_vector": 4, "n_head": 2, "max_len": 9, "dim_hidden": 5, "num_layer": 1}
    tokens = ["<pad>", "<bos>", "<eos>", "a", "b", "c"]
    about = {"model": "transformer.Transformer", "sizes": sizes, "max_len": 9}
    about |= {"source": [tokens, "", False], "target": [tokens, " ", True]}
    shapes = models.transformer_shapes(6, 6, 4, 5, 1)
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=shape).astype("f4") for name, shape in shapes.items()}
    for side in ("encoder", "decoder"):
        arrays[f"{side}.embedding.positional_embedding.pe"] = paper.positional_embedding(9, 4)
    place = course / "models/graduation/translate.npz"
    place.parent.mkdir(parents=True)
    np.savez(place, about=np.array(json.dumps(about)), **arrays)
    done = typed(course, "look", "5.5", "--text", "abcab")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("abcab -> ")
    assert re.search(r"head 1   a  b  c  a  b  \|", done.stdout) and "untrained" in done.stdout
    unknown = typed(course, "look", "5.5", "--text", "x")
    assert unknown.returncode == 2 and "'x' was in no text" in unknown.stderr


def test_other_names_of_attributes_are_said(said: Said, course: Path) -> None:
    solve(course, *(step.id for step in STEPS))
    file = course / "s3_encoder/encoder_layer.py"
    file.write_text(file.read_text("utf-8").replace("self.self_attention", "self.attend"), "utf-8")
    done = said(course, "look", "3.1")
    assert done.returncode == 1 and "by the names that the TODOs give them" in done.stdout
    assert said(course, "look", "5.7", "--solution").returncode == 2  # It has no picture.


def test_numbers_become_characters() -> None:
    def plain(kind: Any, numbers: Any, width: int = 80) -> list[str]:
        picture = Picture("t{0}", "", "query", "key", kind)
        rows = drawn(picture, np.asarray(numbers), width)
        return ["".join(cell.text for cell in row).rstrip() for row in rows]

    assert plain("share", [[0.0, 1.0], [0.25, 0.75]]) == [
        "t0",
        "    k0  k1",
        "q0   . 100",
        "q1  25  75",
    ]
    assert plain("mask", [[True, False]]) == ["t0", "   k0 k1", "q0  #  ."]
    assert plain("entry", [[1, -2]]) == ["t0", "   k0 k1", "q0  1 -2"]
    assert plain("entry", [[np.nan, -np.inf], [0.5, 1]])[2:] == ["q0  nan -inf", "q1  0.5  1.0"]
    two = np.zeros((2, 1, 1))
    assert plain("entry", two) == ["t0      t1", "   k0      k0", "q0  0   q0  0"]
    assert plain("entry", two, 10) == ["t0", "   k0", "q0  0", "", "t1", "   k0", "q0  0"]
    assert plain("tokens", [[1, -1]])[2] == "q0  1  -"
    assert plain("curve", [1234.0, 0.0])[1] == f"1 {'#' * 50} 1,234"
    assert plain("curve", [0.0, 2.0, 1.0])[1:] == ["1  0", f"2 {'#' * 50} 2", f"3 {'#' * 25} 1"]


def test_the_darker_the_larger() -> None:
    rows = drawn(Picture("", "", "q", "k", "share"), np.array([[0.0, 0.5, 1.0]]), 80)
    assert [cell.shade for cell in rows[2][1:] if cell.shade is not None] == [0.0, 0.5, 1.0]


def test_the_solution_is_not_shown_by_accident(said: Said, course: Path) -> None:
    done = said(course, "trace", "2.1", "--solution")
    assert done.returncode == 2 and "trace 2.1 --solution --anyway" in done.stderr
    assert "softmax" not in done.stdout


def test_a_value_that_is_no_table_is_said(said: Said, course: Path) -> None:
    solve(course, *(step.id for step in STEPS))
    file = course / "s2_attention/multi_head_attention.py"
    deeper = file.read_text("utf-8").replace("attention.detach()", "attention.detach()[:, None]")
    file.write_text(deeper, "utf-8")
    assert said(course, "look", "2.2").returncode == 0
    file.write_text(deeper.replace("[:, None]", "[:, None, None]"), "utf-8")
    shown = said(course, "look", "2.2").stdout
    assert "attention.attention_weights[0] has shape (1, 1, 3, 4, 7)" in " ".join(shown.split())
