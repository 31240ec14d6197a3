"""No right version fails, an unwritten step is untouched, and every size is an argument."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from checks.contents import SOLUTIONS, STEPS, Step
from checks.machine.course.source import pristine, solution, solutions
from checks.machine.hosting.host import Host
from checks.machine.judging.judge import Judge

HERE = Path(__file__).parent
RIGHT = sorted(path for path in (HERE / "right").iterdir() if path.is_dir())


def failures(results: list[Any]) -> list[str]:
    return [
        f"{result.id} {check.name}: {check.verdict} {check.message}"
        for result in results
        for check in result.checks
        if check.verdict != "pass"
    ]


@pytest.mark.parametrize("seed", range(2))
def test_every_solution_passes_every_check(run: Run, seed: int) -> None:
    assert failures(run(SOLUTIONS, seed=seed)) == []


@pytest.mark.parametrize("root", RIGHT, ids=lambda root: root.name)
def test_right_versions_pass_as_they_are(run: Run, root: Path) -> None:
    """Written from the contracts alone: other names, other arrangements, other operations."""
    assert failures(run(root)) == []


def test_every_skeleton_is_untouched(run: Run, skeletons: Path) -> None:
    results = run(skeletons, alone=True)
    assert {result.verdict for result in results} == {"untouched"}


def test_a_step_waits_for_the_ones_it_builds_on(run: Run, submission: Any) -> None:
    root = submission({step.path: pristine(step) for step in STEPS if step.id == "2.1"})
    by_id = {result.id: result for result in run(root)}
    assert by_id["2.1"].verdict == "untouched"
    assert {i for i, r in by_id.items() if r.verdict == "blocked"} == {
        "2.2",
        "3.1",
        "3.2",
        "4.1",
        "4.2",
        "5.2",
        "5.3",
        "5.4",
        "5.5",
        "5.6",
        "3.3",
        "4.3",
        "5.7",
    }
    assert "2.1 calculate_attention" in by_id["2.2"].checks[0].message


SEVERAL_GAPS = [step for step in STEPS if pristine(step).count("raise NotImplementedError(") > 1]


@pytest.mark.parametrize("step", SEVERAL_GAPS, ids=lambda step: step.name)
def test_a_half_written_step_is_untouched_or_wrong_never_right(
    run: Run, submission: Any, step: Step
) -> None:
    """All but one gap filled: the checks that need it say which one is not written yet."""
    filled, gaps = solution(step), pristine(step)
    last = gaps.rstrip().rpartition("raise NotImplementedError(")[2].strip('")')
    function = f"def {last.split('.')[-1]}("
    half = filled[: filled.rindex(function)] + gaps[gaps.rindex(function) :]
    result = run(submission({step.path: half}), step.id, alone=True)[0]
    assert result.verdict == "untouched"
    waiting = {check.message for check in result.checks if check.verdict == "untouched"}
    assert waiting == {f"{last} is not written yet."}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_size_written_into_the_class_is_noticed(versions_host: Host, step: Step) -> None:
    """Whatever number stands in the place of an argument, the step does not pass."""
    text = solution(step)
    places = []
    for made in re.finditer(r"    def __init__\(([^)]*)\)[^:]*:\n", text):
        names = [name.partition(":")[0].strip() for name in made[1].split(",") if name.strip()]
        open_to_all = ("self", "dropout", "eps", "padding_idx")
        places += [(made.end(), name) for name in names if name not in open_to_all]
    if not places:
        pytest.skip("a function has no sizes")
    passed = frozenset(other.id for other in STEPS if other is not step)

    def accepted(item: tuple[int, str, int]) -> bool:
        at, name, number = item
        written = f"{text[:at]}        {name} = {number}\n{text[at:]}"
        source = solutions().with_text(step, written)
        return Judge(versions_host, source, 7, 1.0, passed).first_failure(step) is None

    sizes = (2, 3, 4, 5, 6, 9, 10, 11, 13) if os.environ.get("CI") else (3, 6, 10)
    numbers = [(*place, number) for place in places for number in sizes]
    with ThreadPoolExecutor(max_workers=2) as pool:
        assert [item for item, bad in zip(numbers, pool.map(accepted, numbers)) if bad] == []
