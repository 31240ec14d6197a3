"""What is seen of a graduation, on a screen and without one."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest

from checks.engine.commands.screen import WIDTH, Screen
from checks.graduation.live import Live, Plain, curve
from checks.graduation.task import Sample
from checks.graduation.texts import spelled
from checks.graduation.translation import Translation

pytestmark = pytest.mark.room


def a_story(view: Plain) -> None:
    view.begin(Translation(np.random.default_rng(1), steps=100, asked=10))
    view.looked(0, [Sample("dreihundertfünfundvierzig", "nine " * 16, "three hundred forty five")])
    for step in (10, 20, 100):
        view.trained(step, [3.0 / (n + 1) for n in range(step)])
    view.looked(100, [Sample("elf", "eleven", "eleven"), Sample("zwölf", "", "twelve")])
    view.end([Sample("elf", "eleven", "eleven"), Sample("zwölf", "ten", "twelve")])


def test_plain_lines_fit_and_say_it_all(capsys: pytest.CaptureFixture[str]) -> None:
    a_story(Plain(Screen()))

    out = capsys.readouterr().out
    assert all(len(line) <= WIDTH for line in out.splitlines())
    assert "\x1b" not in out and "loss 0.030" in out and "elf -> eleven" in out
    assert "on numbers never seen: 1 of 2 right: 50.0 %" in out


def test_of_a_long_answer_the_end_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """It is learned last: a line that only shows the beginning would soon look the same."""
    question, *wanted = (spelled(number, "en") for number in range(4344, 4348))
    for last in ("forty six", "forty seven"):
        answer = " , ".join(wanted)[: -len("forty seven")] + last
        Plain(Screen()).looked(100, [Sample(f"… {question} ,", answer, "")])
        line = capsys.readouterr().out.splitlines()[1]
        assert line.startswith(f"    … {question} , -> … ") and line.endswith(f" {last}")
        assert len(line) <= WIDTH
    Plain(Screen()).looked(0, [Sample("…", "x" * 99, "")])
    assert "-> … xxx" in capsys.readouterr().out


def test_the_live_picture_fits_a_terminal() -> None:
    from rich.console import Console

    out, screen = io.StringIO(), Screen()
    screen.console = Console(file=out, force_terminal=True, width=WIDTH, height=24)
    a_story(Live(screen))

    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", out.getvalue())
    assert all(len(line.rstrip()) <= WIDTH for line in text.splitlines())
    assert "[==============================]  loss 0.030" in text
    assert "-> eleven  (right)" in text and "-> (nothing)  (not yet)" in text


def test_the_curve_falls_with_the_loss() -> None:
    assert curve([4.0, 2.0, 1.0, 0.0]) == "█▅▃▁"
    assert curve([0.0]) == "▁" and len(curve([1.0] * 399)) <= 20
