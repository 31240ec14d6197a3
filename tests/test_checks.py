"""No right version fails, an unwritten step is untouched, and every size is an argument."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from kept import keep, of_the_engine, of_the_step, to_try, with_what_it_builds_on

from checks.contents import SOLUTIONS, STEPS, Step
from checks.engine.files.source import pristine, solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge

HERE = Path(__file__).parent
RIGHT = sorted(path for path in (HERE / "right").iterdir() if path.is_dir())


def failures(results: list[Any]) -> list[str]:
    return [
        f"{result.id} {check.name}: {check.verdict} {check.message}"
        for result in results
        for check in result.checks
        if check.verdict != "pass"
    ]


def test_every_solution_passes_every_check(run: Run) -> None:
    assert failures(run(SOLUTIONS, seed=0)) == []


@pytest.mark.parametrize("root", RIGHT, ids=lambda root: root.name)
def test_right_versions_pass_as_they_are(run: Run, root: Path) -> None:
    """Written from the contracts alone: other names, other arrangements, other operations. A
    later step need not be there. Each has every sixth step judged, every other one in CI, and all
    with ALL.
    """
    written = [step.id for step in STEPS if (root / step.path).exists()]
    assert len(written) >= 22
    every = 2 if os.environ.get("CI") else 6
    some = written[RIGHT.index(root) % every :: every]
    found = run(root, *written) if os.environ.get("ALL") else run(root, *some, alone=True)
    assert failures(found) == []


def test_every_skeleton_is_untouched(run: Run, skeletons: Path) -> None:
    results = run(skeletons, alone=True)
    assert {result.verdict for result in results} == {"untouched"}


def test_a_step_waits_for_the_ones_it_builds_on(run: Run, submission: Any) -> None:
    root = submission({step.path: pristine(step) for step in STEPS if step.id == "2.1"})
    by_id = {result.id: result for result in run(root)}
    assert by_id["2.1"].verdict == "untouched"
    waiting = {step.id for step in STEPS if "2.1" in [s.id for s in with_what_it_builds_on(step)]}
    assert {i for i, r in by_id.items() if r.verdict == "blocked"} == waiting - {"2.1"}
    assert {"2.2", "3.1", "5.2"} <= waiting
    assert "2.1 calculate_attention" in by_id["2.2"].checks[0].message


SEVERAL_GAPS = [step for step in STEPS if pristine(step).count("raise NotImplementedError(") > 1]


@pytest.mark.parametrize("step", SEVERAL_GAPS, ids=lambda step: step.name)
def test_a_half_written_step_is_untouched_or_wrong_never_right(
    run: Run, submission: Any, step: Step
) -> None:
    """All but one gap filled: the checks that need it say which one is not written yet."""
    filled, gaps = solution(step), pristine(step)
    last = gaps.rstrip().rpartition("raise NotImplementedError(")[2]
    last = last.splitlines()[0].strip('")')  # After it, a function may be given whole.
    function = f"def {last.split('.')[-1]}("
    half = filled[: filled.rindex(function)] + gaps[gaps.rindex(function) :]
    result = run(submission({step.path: half}), step.id, alone=True)[0]
    assert result.verdict == "untouched"
    waiting = {check.message for check in result.checks if check.verdict == "untouched"}
    assert waiting == {f"{last} is not written yet."}


@pytest.mark.parametrize("above", [True, False])
def test_code_that_left_the_raise_is_told_to_delete_it(
    run: Run, submission: Any, above: bool
) -> None:
    """The code stands there, above or below the line: it is not "not written yet"."""
    path = "s2_attention/layer_norm.py"
    lacking = 'raise NotImplementedError("LayerNorm.__init__")'
    code = "        self.eps = eps\n"
    line = f"        {lacking}\n"
    text = (SOLUTIONS / path).read_text("utf-8")
    assert text.count(code) == 1
    text = text.replace(code, line + code if above else code + line)
    number = next(n for n, one in enumerate(text.splitlines(), 1) if lacking in one)
    result = run(submission({path: text}), "2.3", alone=True)[0]
    assert result.verdict == "untouched"
    waiting = {check.message for check in result.checks if check.verdict == "untouched"}
    assert waiting == {
        "Your code in LayerNorm.__init__ still reaches `raise NotImplementedError` in line "
        f"{number}. Delete that line."
    }


def test_what_an_earlier_step_lacks_is_to_be_written_there(run: Run, submission: Any) -> None:
    """2.2 may pass without its method `split`, and 5.7 calls it."""
    path = "s2_attention/multi_head_attention.py"
    text = (SOLUTIONS / path).read_text("utf-8")
    body = text[text.index("        # Cut the features") : text.index("    def merge(")]
    lacking = text.replace(body, '        raise NotImplementedError("split")\n\n')
    result = run(submission({path: lacking}), "5.7", alone=True)[0]
    assert result.verdict == "untouched"
    assert {check.where.file for check in result.checks if check.where is not None} == {path}


@pytest.mark.ci
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_the_solution_passes_whatever_is_drawn(versions_host: Host, step: Step) -> None:
    """Numbers that are rounded in another order make no right code wrong, with any seed.

    After every change other seeds are tried, so in time many are.
    """
    passed = frozenset(other.id for other in STEPS if other is not step)
    new = int(of_the_step("mutation", step) + of_the_engine(), 16) % 1_000_000
    once_rejected = {"cached_decoding": (172, 690)}.get(step.name, ())
    for seed in (*once_rejected, new):
        judge = Judge(versions_host, solutions(), seed, passed=passed)
        assert failures(judge.run([step])) == [], f"seed {seed}"


@pytest.mark.room
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

    every = [(*place, number) for place in places for number in (3, 10, 2, 4, 5, 6, 9, 11, 13)]
    numbers = to_try("sizes", step, every)
    with ThreadPoolExecutor(max_workers=2) as pool:
        assert [item for item, bad in zip(numbers, pool.map(accepted, numbers)) if bad] == []
    keep("sizes", step)
