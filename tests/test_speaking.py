"""The room of real weights (checks/speaking/). Everything here runs without a download."""

from __future__ import annotations

import math

import pytest

from checks.contents import STEPS
from checks.speaking.held import Losses, verdict
from checks.speaking.table import as_text, known

RIGHT, *WRONG = known()


# What a loss says


@pytest.mark.parametrize("row", known(), ids=lambda row: row["says"])
def test_each_loss_is_named(row: dict[str, object]) -> None:
    right, told = verdict(Losses(float(str(row["loss"])), float(str(row["in_pieces"]))))

    if (row["loss"], row["in_pieces"]) == (RIGHT["loss"], RIGHT["in_pieces"]):
        assert right and len(told) == 1
        return
    step = next(one for one in STEPS if one.name == row["step"])
    assert not right
    assert told[-1] == f"A known mistake gives exactly this loss: “{row['says']}” ({step.id})."


def test_a_loss_of_no_known_mistake() -> None:
    for loss in (9.99, 0.0, math.nan, math.inf):
        right, told = verdict(Losses(loss, loss))
        assert not right and "No known mistake" in told[-1]
    right, told = verdict(Losses(RIGHT["loss"], 9.99))
    assert not right and "6.4" in told[-1] and "6.5" in told[-1]
    for change in (-0.0019, 0.0019):
        assert verdict(Losses(RIGHT["loss"] + change, RIGHT["loss"] - change))[0]


def test_the_table_fits_the_screen() -> None:
    lines = as_text().splitlines()

    assert len(lines) == 1 + len(known()) and max(map(len, lines)) <= 80
    assert RIGHT["says"] == "right" and "Paris" in lines[1]
    assert sum("Paris" in one["answer"] for one in WRONG) > len(WRONG) // 2  # So it proves nothing.
