"""`trace` and `look`: a step's code on a tiny example, line by line and in pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Said, solve
from kept import part

from checks.contents import SOLUTIONS, STEPS, Step
from checks.engine.asking.forms import fits
from checks.engine.drawing.example import example_of
from checks.engine.files.source import solution
from checks.engine.tracing.story import NOTED

pytestmark = pytest.mark.room
ATTENTION = "s2_attention/multi_head_attention.py"


@pytest.mark.parametrize("step", part(STEPS, 3), ids=lambda step: step.name)
def test_every_step_has_an_example_that_runs(said: Said, course: Path, step: Step) -> None:
    """It fits the screen, its axes have names, and no error ends it."""
    example = example_of(step)
    assert example is not None and len(set(example.sizes.values())) == len(example.sizes)
    done = said(course, "trace", step.id, "--solution", "--anyway")
    assert done.returncode == 0, done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert all(line.strip() in done.stdout for line in example.code.splitlines())
    functions = re.findall(r"^ {0,4}def (\w+)", solution(step), re.MULTILINE)
    assert any(re.search(rf"^\S*{name}  s\d_", done.stdout, re.MULTILINE) for name in functions)


def test_each_line_has_its_shapes_by_name(said: Said, course: Path) -> None:
    shown = said(course, "trace", "2.1", "--solution", "--anyway").stdout
    score = "        score  (batch_size 2, n_head 3, q_len 4, k_len 7)  "
    assert len(re.findall(re.escape(score), shown)) == 2
    assert "48 x -inf" in shown  # Two keys of seven are masked.
    assert re.search(r"mask +\(batch_size 2, 1, 1, k_len 7\) bool  10 of 14 are True", shown)
    assert "return[1]  (batch_size 2, n_head 3, q_len 4, k_len 7)  0 to " in shown


def test_lists_of_numbers_and_of_pairs_are_shown(said: Said, course: Path) -> None:
    """Short ones whole, long ones cut. Other lists say nothing."""
    solve(course, "6.7")
    file = course / "s6_today/byte_pairs.py"
    more = "    nine = list(range(9))\n    mixed = [1, 'a']\n    token = [bytes"
    file.write_text(file.read_text("utf-8").replace("    token = [bytes", more), "utf-8")
    shown = said(course, "trace", "6.7").stdout
    assert "-> merged gives [32, 256, 99]\n" in shown
    assert "        return  [(97, 98), (32, 256), (257, 99)]\n" in shown
    assert "        tokens  [256, 99, 257]\n" in shown
    assert "        nine  [0, 1, 2, 3, 4, 5, 6, 7, …]\n" in shown
    assert "        mixed" not in shown and "        pieces" not in shown


def test_values_and_depth(said: Said, course: Path) -> None:
    shown = said(course, "trace", "5.1", "--solution", "--anyway", "--values").stdout
    assert "          1 1 1 1 1 0 0\n          1 1 1 1 1 1 1\n" in shown  # The source mask.
    flat = said(course, "trace", "3.1", "--solution", "--anyway").stdout
    deep = said(course, "trace", "3.1", "--solution", "--anyway", "--depth", "3").stdout
    assert "-> MultiHeadAttention gives (batch_size 2, src_len 7, dim_vector 12)" in flat
    assert "calculate_attention  s2_" in deep and "calculate_attention  s2_" not in flat
    refused = said(course, "trace", "3.1", "--depth", "0")
    assert refused.returncode == 2 and "from 1 to 9" in refused.stderr


def test_it_follows_the_learners_code_to_the_line_that_fails(said: Said, course: Path) -> None:
    solve(course, *(step.id for step in STEPS))
    file, good = course / ATTENTION, solution(STEPS[4])
    file.write_text(good.replace("x.transpose(1, 2).flatten(2)", "x.flatten(2)"), "utf-8")
    done = said(course, "trace", "2.2")
    assert done.returncode == 1
    assert (
        "-> merge gives (batch_size 5, n_head 3, 8)\n\nHere it stops. RuntimeError" in done.stdout
    )
    assert "out: (5, 3, 4, 2) float32" in done.stdout
    for text, says in (
        ("def f(:\n", "SyntaxError"),
        (
            good.replace("        q, k, v", "        while True:\n            pass\n        q"),
            "5 s",
        ),
        (good.partition("    def merge")[0], "has no attribute 'merge'"),
    ):
        file.write_text(text, "utf-8")
        done = said(course, "trace", "2.2")
        assert done.returncode == 1 and says in done.stdout, done.stdout


def test_what_is_not_written_yet_is_said(said: Said, course: Path) -> None:
    done = said(course, "trace", "1.1")
    assert done.returncode == 1 and "TokenEmbedding.__init__ is not written yet." in done.stdout


def test_a_loop_is_shown_three_times(said: Said, course: Path) -> None:
    shown = said(course, "trace", "5.4", "--solution", "--anyway").stdout
    greedy = shown.partition("\nbeam_search")[0]
    assert greedy.count("  logits = model.decode(") == 3
    assert greedy.count("… and so on in the next rounds") == 1


def test_a_failing_shape_points_to_trace(said: Said, course: Path) -> None:
    solve(course, "1.1")
    (course / STEPS[0].path).write_text(
        (SOLUTIONS / STEPS[0].path).read_text("utf-8").replace("(x)", "(x).flatten()"), "utf-8"
    )
    assert "see shapes    python run_step.py trace 1.1" in said(course, "1.1").stdout


@pytest.mark.parametrize(
    "forged",
    [
        None,
        {"found": [{"do": "line", "depth": 0}] * 500, "error": None},
        {"found": [], "nothing": 1},
        {"found": [{"do": "call", "depth": "0", "line": 1}], "error": None},
        {
            "found": [
                {"do": "call", "depth": 0, "line": 1, "file": "", "name": "f", "gives": []}
                | {"values": [["x", {"shape": [2], "dtype": "float32", "low": "a"}]]}
            ],
            "error": None,
        },
    ],
)
def test_a_forged_answer_is_none(forged: Any) -> None:
    assert not fits(forged, NOTED)


def test_what_is_not_kept_and_what_is_printed_are_shown(said: Said, course: Path) -> None:
    """The mask is filled into a tensor that nobody keeps: the line says so."""
    solve(course, *(step.id for step in STEPS))
    file = course / "s2_attention/calculate_attention.py"
    lost = file.read_text("utf-8").replace("score = score.masked_fill", "score.masked_fill")
    file.write_text(lost.replace("    # Turn", "    print('so far')\n    # Turn"), "utf-8")
    shown = said(course, "trace", "2.1").stdout
    assert "score  as before: nothing keeps what this line gives" in shown
    assert "Your code printed:\nso far" in shown
    assert shown.endswith("It runs to its end here. The checks use other sizes, too.\n")
