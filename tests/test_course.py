"""The course's promises about its own files."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from checks.contents import CORE, COURSE, SOLUTIONS, STAGES, STEPS, Step
from checks.engine.commands.around import line_of
from checks.engine.commands.report import show_stage_end
from checks.engine.commands.screen import Screen
from checks.engine.files.skeleton import skeleton
from checks.engine.files.source import builds_on, pristine, solution
from checks.engine.step import numbered

each_step = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)


def stage_files(root: Path) -> set[str]:
    return {
        f"{path.parent.name}/{path.name}"
        for stage in STAGES
        for path in (root / stage).glob("*.py")
        if path.name != "__init__.py"
    }


def test_contents_are_the_disk() -> None:
    paths = {step.path for step in STEPS}
    assert stage_files(SOLUTIONS) == paths
    rooms = {path.removesuffix(".py") for path in paths}
    for stage in STAGES:
        found = {path.name for path in (COURSE / "checks" / stage).iterdir()} - {"__pycache__"}
        assert found == {room.split("/")[1] for room in rooms if room.startswith(f"{stage}/")}
    on_disk = [path.name for path in sorted(SOLUTIONS.glob("s[0-9]_*"))]
    assert on_disk == STAGES


def test_ids_follow_from_the_order() -> None:
    assert [step.id for step in STEPS][:5] == ["1.1", "1.2", "1.3", "2.1", "2.2"]
    assert len({step.name for step in STEPS}) == len(STEPS)


@each_step
def test_the_map_fits_80_columns(step: Step) -> None:
    """The line of every step, in every state."""
    states = ["passed", "begun", "missing", "untouched", "unreadable"]
    states += [f"blocked by {first.id}" for first in builds_on(step)]
    assert all(len(line_of(step, state, True)) <= 80 for state in states)


def test_the_end_of_the_course_names_the_stage_that_comes_next(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_stage_end(Screen(), CORE[-1], lambda step: True)
    said = capsys.readouterr().out
    assert "The course is done" in said
    assert f"as a bonus:  python run_step.py {STAGES[-1][1]}.1\n" in said


def test_bonus_steps_move_no_id() -> None:
    lines = [("s1_a/one.py", "1"), ("s2_b/two.py", "2"), ("s2_b/three.py", "3")]
    steps = numbered(lines, [("s1_a/four.py", "4"), ("s2_b/five.py", "5")])
    assert [step.id for step in steps] == ["1.1", "2.1", "2.2", "1.2", "2.3"]
    assert [step.bonus for step in steps] == [False, False, False, True, True]
    assert [step.id for step in numbered(lines, [])] == [step.id for step in steps[:3]]


@each_step
def test_solution_is_the_skeleton_plus_lines(step: Step) -> None:
    """Without what marks its gaps, the skeleton's lines all stand in the solution, in order."""
    gaps = [line for line in pristine(step).splitlines() if "raise NotImplementedError(" in line]
    assert gaps, "a skeleton without a gap is no exercise"
    kept = [
        line.replace("# TODO: ", "# ").replace("#       ", "# ")
        for line in pristine(step).splitlines()
        if line not in gaps
    ]
    answer = iter(solution(step).splitlines())
    missing = [line for line in kept if not any(line == other for other in answer)]
    assert not missing, f"These lines of the skeleton do not stand in the solution: {missing}"


@each_step
def test_skeleton_fits_a_screen_and_names_its_gaps(step: Step) -> None:
    lines = pristine(step).splitlines()
    most = 60 if step.name != "decoding" else 75  # Two ways to decode, one file.
    assert len(lines) <= most, f"The skeleton has {len(lines)} lines, at most {most}."
    assert max(map(len, lines)) <= 100, f"The longest line has {max(map(len, lines))} characters."
    names = re.findall(r'raise NotImplementedError\("([\w.]+)"\)', pristine(step))
    assert len(names) == len(set(names)), f"Two gaps have one name: {names}"
    for name in names:
        assert name.split(".")[-1] in pristine(step)
    ast.parse(pristine(step))


def test_a_skeleton_without_comments_gives_nothing_away() -> None:
    text = skeleton(
        'def f(x):\n    """Doc."""\n    y = x\n    # Add one.\n    #  or two\n    return y\n'
    )
    assert text == (
        'def f(x):\n    """Doc."""\n    y = x\n    # TODO: Add one.\n    #       or two\n'
        '    raise NotImplementedError("f")\n'
    )


@each_step
def test_imports_point_backwards(step: Step) -> None:
    """A step imports torch, Python and earlier steps; its checks import no torch and no stage."""
    others = STEPS if step.bonus else CORE
    earlier = {other.module for other in others if place(other) < place(step)}
    for name in imports(solution(step)):
        top = name.split(".")[0]
        says = f"The solution imports {name}: only torch, Python and earlier steps are allowed."
        assert top == "torch" or top in sys.stdlib_module_names or name in earlier, says
    for file in (COURSE / "checks" / step.stage / step.name).glob("*.py"):
        for name in imports(file.read_text("utf-8")):
            top = name.split(".")[0]
            says = f"{file.name} imports {name}: only checks, numpy and Python are allowed."
            assert top in ("checks", "numpy") or top in sys.stdlib_module_names, says
            if re.match(r"checks\.s\d_", name) and file.name == "checks.py":
                assert ".".join(name.split(".")[1:3]) in {*earlier, step.module}, name


def place(step: Step) -> list[int]:
    return [int(number) for number in step.id.split(".")]


def imports(source: str) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module or "")
    return found


def test_a_step_builds_on_what_its_solution_imports() -> None:
    by_id = {step.id: step for step in STEPS}
    assert [s.id for s in builds_on(by_id["1.1"])] == []
    assert [s.id for s in builds_on(by_id["3.1"])] == ["2.2", "2.4", "2.5"]
    assert [s.id for s in builds_on(by_id["5.2"])] == ["3.2", "4.2", "5.1"]


def test_the_tiny_example_runs_on_the_solutions() -> None:
    """The model of the course, built by position, in a process that holds nothing of ours."""
    code = (
        "import torch; from s5_transformer.transformer import Transformer\n"
        "model = Transformer(0, 0, 10, 10, 6, 2, 10, 3, 9, 0.1)\n"
        "src = torch.tensor([[1, 1, 4, 0], [4, 3, 2, 9]])\n"
        "trg = torch.tensor([[5, 2, 5, 0], [6, 7, 9, 8]])\n"
        "print(tuple(model(src, trg).shape), sum(p.numel() for p in model.parameters()))"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=SOLUTIONS,
        env={**os.environ, "PYTHONPATH": str(SOLUTIONS)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "(2, 4, 10) 6076", done.stderr


@pytest.mark.skipif(not os.environ.get("PRISTINE"), reason="the learner may have written here")
@each_step
def test_stage_folders_hold_the_skeletons(step: Step) -> None:
    assert (COURSE / step.path).read_text("utf-8") == pristine(step)
