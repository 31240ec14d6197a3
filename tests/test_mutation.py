"""Whatever small thing is changed in a solution, a check notices; or survivors.txt says why not."""

from __future__ import annotations

import pytest
from kept import keep, to_try
from mutation import SURVIVORS, alive, argued, mutants

from checks.contents import STEPS, Step
from checks.engine.hosting.host import Host
from checks.s2_attention.calculate_attention.mistakes import HIDE


def test_every_argued_survivor_has_a_reason() -> None:
    lines, reasons = SURVIVORS.read_text("utf-8").splitlines(), argued()
    assert len(lines) == len(reasons), "a line stands there twice"
    assert [key for key, why in reasons.items() if len(why.split()) < 3] == []


@pytest.mark.ci
def test_every_argued_survivor_is_a_mutant() -> None:
    keys = [mutant.key for step in STEPS for mutant in mutants(step)]
    assert [key for key in argued() if keys.count(key) != 1] == []


def test_the_ways_to_change_a_line_are_all_tried() -> None:
    """A sample, by hand, of what should be among the mutants."""
    step = next(step for step in STEPS if step.name == "calculate_attention")
    found = {mutant.key.partition("  ->  ")[2] for mutant in mutants(step)}
    root = "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"
    scores = [
        ("/", "*"),
        ("(-2, -1)", "(-2)"),
        ("(-2, -1)", "(-1, -2)"),
        ("-2", "1"),
        ("q @", "v @"),
    ]
    hides = [("==", "!="), ("0", "1"), ('float("-inf")', '"-inf"'), ("mask ==", "score ==")]
    assert {root.replace(*pair) for pair in scores} <= found
    assert {HIDE.replace(*pair) for pair in hides} <= found
    assert {"pass", "if True:", "if not (mask is not None):", "return attention @ v"} <= found


@pytest.mark.ci
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_the_survivors_are_those_that_are_argued(versions_host: Host, step: Step) -> None:
    """One more: write a check that fails it. One less: its reason is wrong, take the line out."""
    found = to_try("mutation", step, mutants(step))
    expected = {mutant.key for mutant in found} & argued().keys()
    assert {mutant.key for mutant in alive(versions_host, found)} == expected
    keep("mutation", step)
