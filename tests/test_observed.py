"""What is said beside the numbers: the faulty line, an earlier call, an earlier step."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from causes import ATTENTION, FAULTY, cause, edited, last_step
from conftest import STEP, Run

from checks.contents import STEPS
from checks.engine.files.source import solution
from checks.engine.naming.telling_lines import cut_off, dropped, never_read


def test_a_fault_of_an_earlier_step_is_said_to_be_its(run: Run, submission: Any) -> None:
    """It passed there; our own solution of the later step fails on it alike."""
    found = last_step(run, submission({ATTENTION: edited(ATTENTION, FAULTY)}), "5.4")
    assert found.mistake is None
    assert f"It passes with the solution of {ATTENTION}: look there." in found.observed[0]
    assert found.where is not None and found.where.file == ATTENTION


@pytest.mark.room
def test_an_earlier_step_in_another_style_is_not_blamed(run: Run, submission: Any) -> None:
    """Our solution of 5.7 stops there for want of an attribute: that is nobody's fault."""
    root = Path(__file__).parent / "right" / "fused"
    there = [step.path for step in STEPS if (root / step.path).exists()]
    files = {path: (root / path).read_text("utf-8") for path in there}
    path = STEP["5.7"].path
    assert "best.eq(eos_idx)" in files[path]
    files[path] = files[path].replace("best.eq(eos_idx)", "best.ne(eos_idx)")
    found = last_step(run, submission(files), "5.7")
    assert not any("The solution of" in says for says in found.observed)


@pytest.mark.parametrize(
    ("id", "edit", "seen"),
    [
        ("2.5", ("self.dropout(self.relu", "nn.Dropout(0.2)(self.relu"), True),
        ("2.3", ("/ torch.sqrt(variance + self.eps)", "/ (variance - variance)"), False),
    ],
)
def test_what_is_random_is_said_first_and_nan_is_not_random(
    run: Run, submission: Any, id: str, edit: tuple[str, str], seen: bool
) -> None:
    found = cause(run, submission, id, edit)
    assert any("equal calls give different numbers" in says for says in found.observed) == seen


def test_an_error_that_is_returned_is_to_be_raised(run: Run, submission: Any) -> None:
    found = cause(run, submission, "1.2", ("raise ValueError(", "return ValueError("))
    assert "A ValueError was returned: raise it instead." in found.message


@pytest.mark.parametrize(
    ("id", "line", "calls"),
    [
        ("2.4", "self.dropout(sublayer_output)", "self.dropout"),
        ("2.1", "attention.transpose(-2, -1)", "attention.transpose"),
        ("2.1", "torch.special.log_softmax(score, dim=-1)", "torch.special.log_softmax"),
        ("2.1", "score.sigmoid", ""),
        ("2.4", "x + sublayer_output", ""),
    ],
)
def test_a_result_that_no_line_uses_is_said(
    run: Run, submission: Any, id: str, line: str, calls: str
) -> None:
    """Beside the proven mistake: there is a dropout, so "never applied" alone is not believed."""
    step = next(step for step in STEPS if step.id == id)
    end = {
        "2.4": ("x + self.dropout(sublayer_output)", "x + sublayer_output"),
        "2.1": ("attention @ v", "attention @ v * 2"),
    }[id]
    text = solution(step).replace(*end)
    at = text.rindex("        return" if id == "2.4" else "    return")
    indent = " " * (8 if id == "2.4" else 4)
    text = f"import torch\n{text[:at]}{indent}{line}\n{text[at:]}"
    result = run(submission({step.path: text}), id, alone=True)[0]
    found = result.cause
    number = next(n for n, one in enumerate(text.splitlines(), 1) if one.strip() == line)
    does = f"calls {calls}, but no line uses its result"
    if not calls:
        names = f"names {line}, but does not call it"
        does = "computes something that no line uses" if "+" in line else names
    said = f"Line {number} {does}."
    assert found is not None and said in found.observed and said in found.message


def test_a_layer_of_a_loop_is_called_in_vain() -> None:
    tree = ast.parse("for layer in layers:\n    layer(x)\n    names.append(x)\n")
    assert list(dropped(tree)) == [(2, "calls layer, but no line uses its result")]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["y = g(x)", "return x"], ["sets y, but no line reads it"]),
        (["_ = g(x)", "return x"], []),
        (["z = x", "return lambda: z"], []),
        (["n = 0", "n += 1"], []),
        (["global n", "n = x"], []),
        (["y = x", "raise NotImplementedError('f')"], []),
    ],
)
def test_a_name_that_no_line_reads_is_said(lines: list[str], said: list[str]) -> None:
    tree = ast.parse("\n    ".join(["def f(x):", *lines]))
    assert [does for _, does in never_read(tree)] == said


@pytest.mark.parametrize(
    ("id", "edit", "at", "says"),
    [
        (
            "3.1",
            ("self.feed_forward(x))", "self.feed_forward(x.detach()))"),
            "x.detach()",
            "has x.detach: no gradient goes through it.",
        ),
        pytest.param(
            "5.4",
            ("            trg = torch.cat([trg, token", "            new = torch.cat([trg, token"),
            "while trg.size(1)",
            "goes on while trg.size(1) < max_len and not ended.all(). This stayed true.",
            marks=pytest.mark.room,
        ),
        pytest.param(
            "5.4",
            ("            trg = torch.cat([trg, token", "            torch.cat([trg, token"),
            "torch.cat([trg, token",
            "calls torch.cat, but no line uses its result.",
            marks=pytest.mark.room,
        ),
        (
            "4.1",
            ("self.add_norm1 = AddNorm", "self.add_norm1: AddNorm"),
            "self.add_norm1: AddNorm",
            "sets nothing: there is : after self.add_norm1, not =.",
        ),
        pytest.param(
            "6.7",
            ("            ids = merged(ids, first", "            merged(ids, first"),
            "            merged(ids, first",
            "calls merged, but no line uses its result.",
            marks=pytest.mark.room,
        ),
    ],
)
def test_a_line_that_explains_the_failure_is_said(
    run: Run, submission: Any, id: str, edit: tuple[str, str], at: str, says: str
) -> None:
    step = next(step for step in STEPS if step.id == id)
    text = solution(step).replace(*edit)
    number = next(n for n, line in enumerate(text.splitlines(), 1) if at in line)
    found = run(submission({step.path: text}), id, alone=True)[0].cause
    assert found is not None and f"Line {number} {says}" in found.message


def test_what_is_kept_without_gradient_is_not_said() -> None:
    source = "self.attention_weights = attention.detach()\nwith torch.no_grad():\n    y = x.data\n"
    assert [line for line, _ in cut_off(ast.parse(source))] == [2, 3]


def test_a_changed_argument_explains_other_failures(run: Run, submission: Any) -> None:
    """The same tensor may be queries and keys: changed once, it is wrong in both."""
    edit = (
        "    score = q @",
        "    q /= math.sqrt(q.size(-1))\n    score = math.sqrt(q.size(-1)) * q @",
    )
    found = cause(run, submission, "2.1", edit)
    assert found.mistake is not None and found.mistake.name == "argument-changed"
    assert "The call changed q in place." in found.message


def test_what_changes_something_is_not_said() -> None:
    """Methods that work in place, a class's own methods, and modules that are moved."""
    source = """
class Step(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)
        self.register_buffer("table", torch.zeros(2))
        self.reset()

    def reset(self):
        self.layer.weight.data.fill_(1)
        self.layer.to("cpu")
        self.count += 1
        nn.init.ones_(self.layer.weight)
        print(self.layer)
"""
    assert not list(dropped(ast.parse(source)))


def test_numbers_that_the_backward_pass_needs(run: Run, submission: Any) -> None:
    edit = ("nn.Dropout(dropout)", "nn.Dropout(dropout, inplace=True)")
    assert "make new tensors" in cause(run, submission, "2.5", edit).message


@pytest.mark.room
def test_the_mode_of_a_call_is_said(run: Run, submission: Any) -> None:
    edit = (
        "return self.pe[:seq_length]",
        "start = int(torch.randint(0, max_len - seq_length + 1, ())) if self.training else 0\n"
        "        return self.pe[start : start + seq_length]",
    )
    found = cause(run, submission, "1.2", edit)
    assert "in train mode with x" in found.message
    assert "If this is the first call" not in found.message


@pytest.mark.room
def test_what_a_training_step_reports_may_be_detached(run: Run, submission: Any) -> None:
    """No gradient goes through it, and none is needed."""
    found = cause(
        run,
        submission,
        "5.3",
        (
            "nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
            "for half in model.children():\n"
            "        nn.utils.clip_grad_norm_(half.parameters(), max_norm)",
        ),
        ("return loss.item()", "return loss.detach().item()"),
    )
    assert "no gradient goes through it" not in found.message
