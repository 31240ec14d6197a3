"""The command, as a learner types it, in a copy of the course.

What is `typed` starts a process; what is `said` is the same in this one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Said, solve, typed
from pages import page

from checks.contents import BONUS, CORE, SOLUTIONS, STEPS
from checks.engine.commands.around import of_code
from checks.engine.commands.command import main
from checks.engine.files.source import solution
from checks.engine.naming.properties import PROPERTIES


def test_the_first_steps_of_a_learner(course: Path) -> None:
    first = typed(course)
    assert first.returncode == 1
    assert "Welcome" in first.stdout and "s1_embedding/token_embedding.py" in first.stdout
    assert len(first.stdout.partition("Checking")[0].strip().splitlines()) <= 10
    assert max(map(len, first.stdout.splitlines())) <= 80

    again = typed(course)
    assert "Welcome" not in again.stdout

    file = course / STEPS[0].path
    right = (SOLUTIONS / STEPS[0].path).read_text("utf-8")
    file.write_text(right.replace("return self.embedding(x)", "self.embedding(x)"), "utf-8")
    wrong = typed(course)
    assert wrong.returncode == 1
    assert "Is a return missing?" in wrong.stdout and "hint 1.1" in wrong.stdout

    file.write_text(right, "utf-8")
    passed = typed(course)
    assert passed.returncode == 0
    assert "1.1 token_embedding passes" in passed.stdout
    assert "1.2 positional_embedding" in passed.stdout  # What is next.

    assert "-> 1.2" in typed(course, "list").stdout
    file.write_text(right + "\nbroken(", "utf-8")  # A passed step whose file changed.
    broken = typed(course)
    assert broken.returncode == 1 and "SyntaxError" in broken.stdout
    assert re.search(r"token_embedding.py:\d+", broken.stdout)


def test_a_deleted_progress_file_loses_nothing(said: Said, course: Path) -> None:
    solve(course, "1.1", "1.2", "1.3")
    assert said(course, "1").returncode == 0
    before = json.loads((course / ".progress.json").read_text("utf-8"))
    (course / ".progress.json").unlink()
    assert said(course).returncode == 0
    after = json.loads((course / ".progress.json").read_text("utf-8"))
    assert before["passed"] == after["passed"] and len(after["passed"]) == 3
    (course / ".progress.json").write_text('{"passed": [', "utf-8")
    assert said(course, "list").returncode == 0


@pytest.mark.ci  # With both graduations.
def test_everything_solved(course: Path) -> None:
    solve(course, *(step.id for step in STEPS))
    done = typed(course)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("passes") == len(CORE)
    assert "whole Transformer" in done.stdout
    assert "list bonus" in typed(course).stdout


def test_a_bonus_step_is_met_by_its_name_only(said: Said, course: Path) -> None:
    solve(course, "1.1", "1.2", "1.3", "1.4")
    going_on = said(course).stdout
    assert "1.3 transformer_embedding passes" in going_on and "Stage 1 is done" in going_on
    assert "scaled_embedding" not in going_on and "next:  2.1" in going_on
    named = said(course, "1.4")
    assert named.returncode == 0 and "Stage 1" not in named.stdout and "next:  2.1" in named.stdout

    map, _, bonus = said(course, "list").stdout.partition("bonus steps, not needed")
    assert "scaled_embedding" not in map and "1.4 scaled_embedding      passed" in bonus
    assert f"3 of {len(CORE)} steps passed" in bonus
    listed = json.loads(said(course, "list", "--json").stdout)["steps"]
    assert [step["step"] for step in listed if step["bonus"]] == [step.id for step in BONUS]
    assert [step["step"] for step in listed if step["current"]] == ["2.1"]
    assert "Your transformer_embedding is" in said(course, "compare").stdout


def test_hints_come_one_by_one(said: Said, course: Path) -> None:
    import importlib

    hints = importlib.import_module("checks.s1_embedding.token_embedding.shown").HINTS
    for number, hint in enumerate(hints, 1):
        done = said(course, "hint")
        assert f"hint {number} of {len(hints)}" in done.stdout
        assert hint.split()[0] in done.stdout
    assert "compare 1.1 --anyway" in done.stdout
    assert f"hint 1 of {len(hints)}" in said(course, "hint").stdout  # From the first again.
    assert "hint 1 of" in said(course, "hint", "2.1").stdout


def test_compare_leaves_comments_out(said: Said, course: Path) -> None:
    """Moved or dropped comments would hide the line that differs."""
    step = STEPS[0]
    file, right = course / step.path, solution(step)
    without = "".join(f"{line}\n" for line in of_code(right.splitlines()))
    assert "Make `embedding`" in right and '"""' in right and '"""' not in without
    file.write_text(without, "utf-8")
    assert (
        "is the same as the solution. Only comments differ."
        in said(course, "compare", "1.1").stdout
    )
    file.write_text(without.replace("return self.", "# Mine.\n        return 1 * self."), "utf-8")
    shown = said(course, "compare", "1.1").stdout
    changed = [line for line in shown.splitlines() if line[:1] in "+-" and line[1:2] == " "]
    assert len(changed) == 2 and all("return" in line for line in changed)
    assert shown.splitlines()[-1] == "A line with - is yours, a line with + is the solution's."


def test_a_stage_that_passes_says_what_comes_next(said: Said, course: Path) -> None:
    solve(course, "1.1", "1.2", "1.3")
    *_, count, later, write, _, _ = said(course, "1").stdout.splitlines()
    assert count == "3 of 3 steps pass." and later.split()[:2] == ["next:", "2.1"]
    assert write.split() == ["write", "s2_attention/calculate_attention.py"]


def test_a_long_error_is_wrapped_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At words: a pipe gets the line as it is."""
    assert main(["why", "1.2", "no-such-mistake-as-this-one-here"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert len(line) > 80
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["why", "1.2", "no-such-mistake-as-this-one-here"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert max(map(len, lines)) <= 80 and " ".join(map(str.strip, lines)) == line


def test_compare_waits_for_a_pass(said: Said, course: Path) -> None:
    refused = said(course, "compare", "1.1")
    assert refused.returncode == 1 and "+" not in refused.stdout.replace("--anyway", "")
    shown = said(course, "compare", "1.1", "--anyway")
    assert shown.returncode == 0
    assert "+        return self.embedding(x)" in shown.stdout
    solve(course, "1.1")
    assert "letter by letter" in said(course, "compare", "1.1").stdout
    file = course / "s1_embedding" / "token_embedding.py"
    todo = re.sub(r"^( *)# (?=Make|Return)", r"\1# TODO: ", file.read_text("utf-8"), flags=re.M)
    assert todo.count("# TODO: ") == 2
    file.write_text(todo, "utf-8")  # The answers stand under the TODOs, as in most files.
    assert "letter by letter" in said(course, "compare", "1.1", "--anyway").stdout


def test_reset_keeps_and_undo_brings_back(said: Said, course: Path) -> None:
    """Without git, whatever the learner has committed or written."""
    file = course / "s2_attention" / "layer_norm.py"
    skeleton = file.read_bytes()
    mine = b"# mine\n" + (SOLUTIONS / "s2_attention" / "layer_norm.py").read_bytes()
    file.write_bytes(mine)

    reset = said(course, "reset", "2.3")
    assert reset.returncode == 0 and file.read_bytes() == skeleton
    kept = course / re.findall(r"(\.kept\S+)", reset.stdout)[0].replace("\\", "/")
    assert kept.read_bytes() == mine
    assert "skeleton already" in said(course, "reset", "2.3").stdout

    assert said(course, "undo", "2.3").returncode == 0
    assert file.read_bytes() == mine
    assert said(course, "undo", "2.3").returncode == 0
    assert file.read_bytes() == skeleton
    assert said(course, "undo", "2.3").returncode == 0

    file.write_bytes(b"# another\n")
    said(course, "reset", "2.3")
    contents = [path.read_bytes() for path in (course / ".kept").rglob("*.py")]
    assert b"# another\n" in contents and file.read_bytes() == skeleton
    file.unlink()
    assert said(course, "reset", "2.3").returncode == 0 and file.read_bytes() == skeleton
    assert said(course, "undo", "1.1").returncode == 1


def test_a_submission_is_only_read(said: Said, course: Path, tmp_path: Path) -> None:
    before = snapshot(course)
    done = said(course, "1", "--submission", str(SOLUTIONS), "--seed", "3")
    assert done.returncode == 0, done.stdout
    assert "3 of 3 steps pass" in done.stdout
    for words in (["list"], ["hint", "2.1"], ["compare", "2.1", "--anyway"]):
        assert said(course, *words, "--submission", str(SOLUTIONS)).returncode == 0
    assert snapshot(course) == before


def snapshot(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_borrow_lifts_a_block(said: Said, course: Path) -> None:
    solve(course, "2.2")
    blocked = said(course, "2.2")
    assert blocked.returncode == 1 and "builds on 2.1" in blocked.stdout
    assert said(course, "2.2", "--borrow").returncode == 0
    progress = json.loads((course / ".progress.json").read_text("utf-8"))
    assert progress["passed"] == {}


def test_what_is_not_written_yet_is_no_failure_of_the_rest(said: Said, course: Path) -> None:
    """Of three functions the first is written: wrongly, then rightly."""
    step = next(step for step in STEPS if step.name == "training")
    file, own = course / step.path, 'raise NotImplementedError("noam_learning_rate")'
    skeleton = file.read_text("utf-8")
    assert skeleton.count(own) == 1
    told = []
    for power in ("1.4", "1.5"):
        rate = f"dim_vector**-0.5 * min(step**-0.5, step * warmup_steps**-{power})"
        lines = f"if step < 1:\n        raise ValueError(step)\n    return {rate}"
        file.write_text(skeleton.replace(own, lines), "utf-8")
        told.append(" ".join(said(course, step.id, "--borrow").stdout.split()))
    wrong, right = told
    assert "sequence_loss is not written yet. train_step is not written yet." in wrong
    assert "same reason" not in wrong + right and "Next: fix" in wrong
    assert right.count("sequence_loss is not written yet.") == 1
    assert f"train_step is not written yet. Next: write {step.path}:" in right


def but_for_seconds(text: str) -> str:
    return re.sub(r"\d+\.\d s\)", "s)", text.strip())


def test_the_screens_of_the_readme_are_real(said: Said, course: Path) -> None:
    """A doubled exponent in step 1.2, and the fix: what the README shows is what comes."""
    screens = re.findall(
        r"```text\n\$ (python run_step.py.*?)\n(.*?)```", page("README.md"), re.DOTALL
    )
    assert [command for command, _ in screens] == ["python run_step.py", "python run_step.py 1.2"]
    solve(course, "1.1", "1.2")
    said(course, "1.1")
    right = (course / "s1_embedding/positional_embedding.py").read_text("utf-8")
    doubled = right.replace("torch.arange(0, dim_vector, 2)", "2 * torch.arange(0, dim_vector, 2)")
    assert doubled != right
    (course / "s1_embedding/positional_embedding.py").write_text(doubled, "utf-8")
    wrong = said(course, "--seed", "7").stdout
    assert screens[0][1].strip() == wrong.strip(), f"README.md: show this:\n{wrong}"
    (course / "s1_embedding/positional_embedding.py").write_text(right, "utf-8")
    done = said(course, "1.2").stdout
    shown, real = but_for_seconds(screens[1][1]), but_for_seconds(done)
    assert shown == real, f"README.md: show this:\n{done}"


def test_the_map_says_which_step_another_waits_for(said: Said, course: Path) -> None:
    """Written, and right before: they are not 'begun', they wait for the one that broke."""
    solve(course, *(step.id for step in CORE if step.id < "3.2"))
    said(course, "1", "2", "3.1", "--json")
    norm = course / "s2_attention/add_norm.py"
    norm.write_text(norm.read_text("utf-8").replace("x + self", "x - self"), "utf-8")

    shown = {line[3:6]: line for line in said(course, "list").stdout.splitlines()}

    assert "begun" in shown["2.4"] and "blocked by 2.4" in shown["3.1"]
    assert "passed" in shown["2.3"] and "untouched" in shown["3.2"]
    assert max(map(len, shown.values())) <= 80


def test_a_half_written_step_is_told_what_is_right_so_far(said: Said, course: Path) -> None:
    """Its parts in the order of writing: first what is wrong, then what is still to be written."""
    name = "s5_transformer/cached_decoding.py"
    path, right = course / name, (SOLUTIONS / name).read_text("utf-8")
    skeleton = path.read_text("utf-8")
    rest = skeleton[skeleton.index("def attend(") :]
    first = right[: right.index("def attend(")] + rest
    path.write_text(first, "utf-8")
    answer = said(course, "5.7", "--borrow").stdout
    assert "What you have written is right so far: 1 check passes." in answer
    assert "attend is not written yet." in answer and "Expected" not in answer
    path.write_text(first.replace("attention.w_v(x)", "attention.w_k(x)"), "utf-8")
    answer = said(course, "5.7", "--borrow").stdout
    assert "Keys and values are both projected with w_k." in " ".join(answer.split())


@pytest.mark.parametrize("name", ["nothing-returned", "no-self"])
def test_a_mistake_of_structure_is_the_first_hint(said: Said, course: Path, name: str) -> None:
    """Unless its sentence has a gap: what stood there was true of one answer only."""
    said(course, "2.5")
    file = course / ".progress.json"
    progress = json.loads(file.read_text("utf-8"))
    progress["mistakes"]["feed_forward"] = name
    file.write_text(json.dumps(progress), "utf-8")
    shown = " ".join(said(course, "hint", "2.5").stdout.split())
    assert (PROPERTIES[name] in shown) == ("{0}" not in PROPERTIES[name])
    assert "{0}" not in shown
