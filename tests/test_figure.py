"""Figure 1 below `list`: its boxes are steps, its parameters those of the paper's base model."""

from __future__ import annotations

from pathlib import Path

from conftest import Said, solve

from checks.contents import STEPS
from checks.figure import BOXES, PARAMETERS, PICTURE, VOCAB, WIDTH, figure, held_by
from checks.lessons.shared import count
from checks.truth import models

NAMES = {step.name for step in STEPS}


def test_the_parameters_are_those_of_the_base_model() -> None:
    shapes = models.transformer_shapes(VOCAB, VOCAB, WIDTH, 2048, 6)
    assert held_by(NAMES) == count(shapes) == sum(held_by({name}) for name in PARAMETERS)
    for step, roles in (("layer_norm", ("gamma", "beta")), ("feed_forward", ("feed_forward",))):
        of_it = {r: s for r, s in shapes.items() if any(part in r for part in roles)}
        assert held_by({step}) == count(of_it)


def test_a_box_has_a_cross_when_all_its_steps_pass() -> None:
    assert all(PICTURE.count(box) >= 1 and steps <= NAMES for box, steps in BOXES.items())
    assert max(map(len, PICTURE.splitlines())) <= 80
    crosses = ["".join(figure(passed)).count("[x]") for passed in (set(), {"add_norm"}, NAMES)]
    assert crosses == [0, 0, sum(map(PICTURE.count, BOXES))]
    assert "[x] add & norm" in "".join(figure({"add_norm", "layer_norm"}))


def test_list_shows_it_with_what_has_passed(said: Said, course: Path) -> None:
    assert "your steps have 0.0 of 101.0 million" in said(course, "list").stdout
    solve(course, "1.1", "1.2", "1.3")
    said(course, "1")
    shown = said(course, "list").stdout
    assert "[x] words + positions" in shown and "have 37.9 of 101.0 million" in shown
    assert "[x]" not in said(course, "list", "2").stdout
