"""What a learner reads about a mistake: its name if it is proven, else what is certain."""

from __future__ import annotations

import ast
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run, Said, solve, typed

from checks.contents import SOLUTIONS, STEPS
from checks.engine.asking.compare import expect
from checks.engine.asking.learner import Files
from checks.engine.asking.received import Received
from checks.engine.course.source import solution
from checks.engine.known import Mistake, mistakes
from checks.engine.language import checks_of
from checks.engine.naming import replays as remembered
from checks.engine.naming.history import KEPT
from checks.engine.naming.probes import properties
from checks.engine.naming.properties import PROPERTIES
from checks.engine.naming.telling_lines import cut_off, dropped
from checks.engine.verdicts import CheckResult, Fail, Named
from checks.engine.worker.wire import Array

ATTENTION = "s2_attention/calculate_attention.py"


def by_id(id: str) -> Any:
    return next(step for step in STEPS if step.id == id)


def edited(path: str, *edits: tuple[str, str]) -> str:
    text = (SOLUTIONS / path).read_text("utf-8")
    for find, replacement in edits:
        assert text.count(find) == 1, find
        text = text.replace(find, replacement)
    return text


def cause(run: Run, submission: Any, id: str, *edits: tuple[str, str]) -> Any:
    path = by_id(id).path
    return run(submission({path: edited(path, *edits)}), id, alone=True)[0].cause


def test_submissions_side_by_side_forget_replays_without_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`grade` judges several submissions at once, and all of them share the replays of before."""
    step = by_id("1.1")
    no_host: Any = None  # Nothing is played.
    monkeypatch.setattr(remembered, "KEPT", 1)
    monkeypatch.setattr(remembered, "_ANSWERS", {})
    monkeypatch.setattr(remembered.Replays, "play", lambda self, sources, requests: [[1]])

    def judge(submission: int) -> list[list[list[int]]]:
        file = (step.path, step.path, f"# {submission}".encode())
        files = Files(".", {step.module: file, "another": file}, step.path)
        with remembered.Replays(no_host, step, files) as replays:
            return [replays.replay([None], []) for _ in range(20)]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as submissions:
            assert list(submissions.map(judge, range(400))) == [[[[1]]] * 20] * 400
    finally:
        sys.setswitchinterval(before)


# Known mistakes


def test_a_mistake_in_other_words_is_named(run: Run, submission: Any) -> None:
    """Other names, other operations, another fill: the same numbers, the same mistake."""
    own = """
import torch


def calculate_attention(a, b, c, hide=None, drop=None):
    s = torch.einsum("bhqd,bhkd->bhqk", a, b) / a.shape[-1]
    if hide is not None:
        s = torch.where(hide.bool(), s, torch.full_like(s, -1e20))
    w = torch.exp(s - s.amax(-1, True))
    w = w / w.sum(-1, True)
    return (w if drop is None else drop(w)) @ c, w
"""
    found = run(submission({ATTENTION: own}), "2.1", alone=True)[0].cause
    assert found.mistake.name == "scale-without-root"


def test_a_mistake_under_other_attribute_names_is_named(run: Run, submission: Any) -> None:
    """Parameters that cannot be told apart by name: the numbers tell, of right and wrong alike."""
    path = "s2_attention/multi_head_attention.py"
    edit = (
        "calculate_attention(q, k, v, mask, self",
        "calculate_attention(q / 3**0.5, k, v, mask, self",
    )
    text = edited(path, edit)
    for name, other in (("w_q", "a"), ("w_k", "b"), ("w_v", "c"), ("self.linear", "self.d")):
        text = text.replace(name, other)
    found = run(submission({path: text}), "2.2", alone=True)[0].cause
    assert found.mistake.name == "scale-of-whole-width" and found.kind == "values"


@pytest.mark.parametrize(
    ("id", "name", "edits"),
    [
        (
            "2.1",
            "argument-changed",
            [("return attention @ v", "out = attention @ v\n    k.data.mul_(2)\n    return out")],
        ),
        ("2.5", "nothing-returned", [("return self.linear2", "y = self.linear2")]),
        (
            "2.2",
            "plain-list",
            [
                ("self.w_q = nn.Linear(dim_vector, dim_vector)", "pass"),
                (
                    "self.w_k = nn.Linear(dim_vector, dim_vector)",
                    "self.inner = [nn.Linear(dim_vector, dim_vector) for _ in range(2)]",
                ),
                ("self.w_q(q)", "self.inner[0](q)"),
                ("self.w_k(k)", "self.inner[1](k)"),
            ],
        ),
    ],
)
def test_a_mistake_of_structure_is_named(
    run: Run, submission: Any, id: str, name: str, edits: list[tuple[str, str]]
) -> None:
    found = cause(run, submission, id, *edits)
    assert found.mistake is not None
    known = mistakes(by_id(id)).get(found.mistake.name)
    assert found.mistake.name == name or isinstance(known, Mistake)
    says = PROPERTIES.get(found.mistake.name) or known.says
    assert found.mistake.says == says


@pytest.mark.parametrize(
    ("step", "edit", "name"),
    [
        ("2.1", ("q @ k.transpose(-2, -1)", "(q.mT).matmul(k)"), "queries-transposed"),
        ("2.1", ("q @ k.transpose(-2, -1)", "(2 * q).mT @ k"), None),
        ("2.5", ("self.linear1(x)", "x @ self.linear1.weight"), "weight-untransposed"),
        ("2.5", ("self.linear1(x)", "x @ (2 * self.linear1.weight)"), None),
    ],
)
def test_the_same_words_of_an_error_are_no_proof(
    run: Run, submission: Any, step: str, edit: tuple[str, str], name: str | None
) -> None:
    """Other wrong shapes may end in the same sentence of PyTorch's: the numbers must agree, too."""
    found = cause(run, submission, step, edit)
    assert found.verdict == "error" and (found.mistake and found.mistake.name) == name


def test_what_is_not_known_is_not_named(run: Run, submission: Any) -> None:
    """A mistake that nobody listed: no name, but how far it was right, and what can be said."""
    found = cause(
        run, submission, "2.1", ("attention = score.softmax(dim=-1)", "attention = score.cos()")
    )
    assert found.mistake is None
    assert "Correct so far: scores" in found.message and "`" not in found.message
    assert "negative" in found.message and "= 0." in found.message


@pytest.mark.parametrize(("fill", "right"), [('float("-inf")', True), ("-1000", False)])
def test_masked_scores_are_right_only_if_they_leave_no_weight(
    run: Run, submission: Any, fill: str, right: bool
) -> None:
    """Where all scores are very low, a fill of -1000 is too high, minus infinity is not."""
    wrong = ("score.softmax(dim=-1)", "score.softmax(dim=-1).pow(2 if score.max() < -900 else 1)")
    found = cause(run, submission, "2.1", wrong, ('float("-inf")', fill))
    assert found.mistake is None
    assert ("Correct so far: masked_scores." in found.message) == right


def test_a_right_layer_is_not_blamed_for_what_goes_in(run: Run, submission: Any) -> None:
    edit = ("self.relu(self.linear1(x))", "self.relu(self.linear1(x)).cos()")
    found = cause(run, submission, "2.5", edit)
    assert "What comes out of your dropout, of shape (2, 4, 11), equals no value" in found.message
    assert "What goes in may be wrong already" in found.message


def test_what_goes_wrong_first_is_said(run: Run, submission: Any) -> None:
    found = cause(
        run,
        submission,
        "3.1",
        (
            "self.self_attention(x, x, x, src_mask)",
            "self.self_attention(x, x, x.roll(1, 1), src_mask)",
        ),
    )
    assert found.mistake is None
    assert "The first wrong value is self_attention. Look at its line" in found.message


def test_one_of_two_mistakes_is_named_and_no_third(run: Run, submission: Any) -> None:
    found = cause(run, submission, "2.1", (" / math.sqrt(q.size(-1))", ""), ("== 0", "!= 0"))
    assert found.mistake.name == "no-scale"


# What is certain of wrong numbers


def received(numbers: Any, truth: Any, name: str = "the output", args: tuple[Any, ...] = ()) -> Any:
    numbers = np.asarray(numbers, np.float64)
    report = {
        "kind": "tensor",
        "dtype": "float64",
        "device": "cpu",
        "layout": "strided",
        "shape": numbers.shape,
        "array": Array("float64", numbers.shape, numbers.tobytes()),
    }
    got = Received(report, name, "something", "float64")
    got.args, got.truth = args, np.asarray(truth)
    return got


NUMBERS = np.random.default_rng(0).normal(size=(2, 3, 4))
WEIGHTS = np.abs(NUMBERS) / np.abs(NUMBERS).sum(-1, keepdims=True)


@pytest.mark.parametrize(
    ("numbers", "truth", "name", "sentence"),
    [
        (NUMBERS * 6**0.5, NUMBERS, "", "Every number is 2.449 (= √6) times the right one."),
        (NUMBERS / 4, NUMBERS, "", "Every number is 0.250 (= 1/4) times the right one."),
        (NUMBERS + 0.5, NUMBERS, "", "Every number is +0.5 away from the right one."),
        (NUMBERS[:, [2, 0, 1]], NUMBERS, "", "Along axis 1 the right numbers stand in another"),
        (NUMBERS[..., ::-1], NUMBERS, "", "another order: 3 2 1 0."),
        (
            NUMBERS.swapaxes(1, 2).reshape(2, 3, 4),
            NUMBERS,
            "",
            "the right numbers with axes 1 and 2 swapped",
        ),
        (WEIGHTS * 0.5 + 0.01 * NUMBERS**2, WEIGHTS, "attention", "The rows do not sum to 1"),
        (
            WEIGHTS / WEIGHTS.sum(1, keepdims=True),
            WEIGHTS,
            "attention",
            "They sum to 1 along axis 1",
        ),
        (
            np.where(np.arange(4) == 2, 9, NUMBERS),
            NUMBERS,
            "",
            "Only feature 2 is wrong (of features 0 to 3).",
        ),
        (
            np.where(np.arange(3)[:, None] == 1, 9, NUMBERS),
            NUMBERS,
            "",
            "Only place 1 is wrong",
        ),
    ],
)
def test_properties_of_numbers(numbers: Any, truth: Any, name: str, sentence: str) -> None:
    assert sentence in " ".join(properties(received(numbers, truth, name)))


def test_a_difference_that_is_an_input_is_recognised() -> None:
    x = np.random.default_rng(1).normal(size=NUMBERS.shape)
    found = properties(received(NUMBERS + x, NUMBERS, args=(x,)))
    assert found == [
        "The difference from the right numbers is exactly argument 1: it is added once too often."
    ]


def test_right_numbers_have_nothing_to_be_said_of_them() -> None:
    expect(received(NUMBERS, NUMBERS), NUMBERS)
    with pytest.raises(Fail):
        expect(received(NUMBERS * 2, NUMBERS), NUMBERS)


def test_what_was_asked_stands_above_the_table_under_its_names() -> None:
    src, trg, trg_mask = np.array([[1, 2], [3, 4]]), np.array([[5], [6]]), np.ones((2, 1, 1, 1))
    truth = np.zeros((2, 1, 9))
    got = received(truth + [[[0]], [[1]]], truth, args=(src, trg, trg_mask.astype(bool)))
    got.names = ["src", "trg", "trg_mask"]
    with pytest.raises(Fail) as fail:
        expect(got, truth)
    assert fail.value.message.splitlines()[1:5] == [
        "src[1]: 3 4",
        "trg[1]: 6",
        "trg_mask[1] (1 visible, 0 hidden; the same for all queries): 1",
        "9 of 18 numbers differ (marked *). The output[1], row 0, columns 0 to 6:",
    ]


@pytest.mark.parametrize(
    ("id", "edit", "arithmetic"),
    [
        ("1.1", ("self.embedding(x)", "self.embedding(x) + 0.2"), "of the table, column 0 ="),
        (
            "1.2",
            ("torch.sin(angle)", "torch.sin(angle) + 0.2"),
            "sin(0 / 10000^(0 / dim_vector)) =",
        ),
        (
            "1.3",
            ("self.token_embedding(x) +", "0.3 + self.token_embedding(x) +"),
            "of the position =",
        ),
        ("2.1", ("return attention @ v,", "return 0.2 + attention @ v,"), "·"),
        ("2.2", ("return self.linear(", "return 0.2 + self.linear("), "merged heads times linear"),
        ("2.3", ("+ self.beta", "+ self.beta + 0.2"), "the vector has mean"),
        (
            "2.4",
            ("return self.layer_norm(", "return 0.2 + self.layer_norm("),
            "the vector has mean",
        ),
        (
            "2.5",
            ("return self.linear2(", "return 0.2 + self.linear2("),
            "after relu, times linear2",
        ),
    ],
)
def test_the_first_wrong_number_is_written_out(
    run: Run, submission: Any, id: str, edit: tuple[str, str], arithmetic: str
) -> None:
    """The arithmetic gives the expected number, if it is done again."""
    message = cause(run, submission, id, edit).message
    line = next(line for line in message.splitlines() if ", yours " in line)
    assert arithmetic in line and " = " in line
    if id in ("1.2", "2.1", "2.2", "2.5"):
        left, _, right = line.partition(": ")[2].rpartition(", yours ")[0].rpartition(" = ")
        left = left.rpartition(": ")[2].replace("·", "*").replace("^", "**")
        names = {"sin": np.sin, "cos": np.cos, "dim_vector": 6}
        assert abs(eval(left, names) - float(right)) < 0.01, line


# On the screen


def test_the_screen_and_the_hints_begin_with_the_mistake(said: Said, course: Path) -> None:
    solve(course, "2.1")
    (course / ATTENTION).write_text(edited(ATTENTION, (" / math.sqrt(q.size(-1))", "")), "utf-8")
    says = mistakes(by_id("2.1"))["no-scale"].says
    shown = said(course, "2.1").stdout
    assert says in " ".join(shown.split()) and "Proof: " in shown
    data = json.loads(said(course, "2.1", "--json").stdout)
    named = [check["mistake"] for check in data["steps"][0]["checks"] if check["mistake"]]
    assert named == [{"name": "no-scale", "says": says}]

    first, second = (" ".join(said(course, "hint", "2.1").stdout.split()) for _ in range(2))
    assert says in first and "Make `score`" in first and "hint 1 of" in first
    assert says not in second and "hint 2 of" in second
    assert said(course, "hint", "2.1", "--all").returncode == 2

    solve(course, "2.1")
    assert said(course, "2.1").returncode == 0
    everything = said(course, "hint", "2.1", "--all").stdout
    assert everything.count("hint ") >= 3 and says not in " ".join(everything.split())


def test_proof_is_judged_while_you_watch(course: Path) -> None:
    page = typed(course, "proof", "2.4")
    assert page.returncode == 0, page.stdout
    count = len(mistakes(by_id("2.4")))
    assert f"rejects {count} of {count} wrong versions" in page.stdout

    file = course / "checks/engine/asking/compare.py"  # A blind checker cannot hide.
    text = file.read_text("utf-8")
    file.write_text(text.replace("return ~(np.abs", "return False & ~(np.abs"), "utf-8")
    blind = typed(course, "proof", "2.4", "--json")
    data = json.loads(blind.stdout)
    assert blind.returncode == 1
    assert data["wrong_rejected"] + data["right_accepted"] < data["wrong"] + data["right"]
    assert {"name", "kind", "says", "seen", "verdict", "check"} == data["steps"][0]["versions"][
        0
    ].keys()


def test_every_property_is_shown_by_some_check() -> None:
    """A name that nothing raises would be a promise that nobody keeps."""
    machine = Path(checks_of.__code__.co_filename).parent
    raised = "".join(p.read_text("utf-8") for p in machine.parent.rglob("*.py"))
    for name in PROPERTIES:
        assert raised.count(f'"{name}"') >= 2, name
    assert Named("a", "b")._asdict() == {"name": "a", "says": "b"}


def test_what_is_called_right_has_the_formulas_own_arrangement(run: Run, submission: Any) -> None:
    """The heads are right before they are merged and wrong after it: they are not called right."""
    edit = (
        "return x.transpose(1, 2).flatten(2)",
        "return x.transpose(2, 3).contiguous().view(x.size(0), x.size(2), -1)",
    )
    found = cause(run, submission, "2.2", edit)
    assert found.mistake is not None or "merge() returns, of shape (2, 4, 6)" in found.message
    assert "merged_heads ok" not in found.message


@pytest.mark.parametrize("fill", ("-10000", "-1e9", 'float("-inf")'))
def test_a_name_does_not_hang_on_a_choice_made_earlier(
    run: Run, submission: Any, fill: str
) -> None:
    files = {
        ATTENTION: edited(ATTENTION, ('float("-inf")', fill)),
        by_id("5.2").path: edited(
            by_id("5.2").path,
            ("get_trg_mask(trg, self.trg_pad_idx)", "get_trg_mask(trg, self.src_pad_idx)"),
        ),
    }
    found = run(submission(files), "5.2", alone=True)[0].cause
    assert found.mistake is not None and "src_pad_idx instead of trg_pad_idx" in found.mistake.says


def test_of_two_that_nobody_can_tell_apart_both_are_named(run: Run, submission: Any) -> None:
    edit = (
        "            x = layer(x, src_mask)\n        return x",
        "            out = layer(x, src_mask)\n        return out",
    )
    found = cause(run, submission, "3.2", edit)
    assert found.mistake.name == "layers-not-chained or only-last-layer"
    for name in ("layers-not-chained", "only-last-layer"):
        assert mistakes(by_id("3.2"))[name].says in found.mistake.says


FAULTY = (  # Wrong for heads of 12 numbers, which no check of step 2.1 has.
    "return attention @ v, attention",
    "return attention @ v * (1.5 if q.size(-1) == 12 else 1), attention",
)


def last_step(run: Run, root: Path, id: str) -> CheckResult:
    found = run(root, id, alone=True)[0].first_failure
    assert found is not None
    return found


def test_a_fault_of_an_earlier_step_is_said_to_be_its(run: Run, submission: Any) -> None:
    """It passed there; our own solution of the later step fails on it alike."""
    found = last_step(run, submission({ATTENTION: edited(ATTENTION, FAULTY)}), "5.4")
    assert found.mistake is None
    assert f"It passes with the solution of {ATTENTION}: look there." in found.observed[0]
    assert found.where is not None and found.where.file == ATTENTION


def test_an_earlier_step_in_another_style_is_not_blamed(run: Run, submission: Any) -> None:
    """Our solution of 5.7 stops there for want of an attribute: that is nobody's fault."""
    root = Path(__file__).parent / "right" / "fused"
    there = [step.path for step in STEPS if (root / step.path).exists()]
    files = {path: (root / path).read_text("utf-8") for path in there}
    path = by_id("5.7").path
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
    ("id", "edit", "at", "says"),
    [
        (
            "3.1",
            ("self.feed_forward(x))", "self.feed_forward(x.detach()))"),
            "x.detach()",
            "has x.detach: no gradient goes through it.",
        ),
        (
            "5.4",
            ("            trg = torch.cat([trg, token", "            new = torch.cat([trg, token"),
            "while trg.size(1)",
            "goes on while trg.size(1) < max_len and not ended.all(). This stayed true.",
        ),
        (
            "5.4",
            ("            trg = torch.cat([trg, token", "            torch.cat([trg, token"),
            "torch.cat([trg, token",
            "calls torch.cat, but no line uses its result.",
        ),
        (
            "6.7",
            ("            ids = merged(ids, first", "            merged(ids, first"),
            "            merged(ids, first",
            "calls merged, but no line uses its result.",
        ),
        (
            "6.7",
            ("num_merge: int) ->", "num_merge: int, found=[]) ->"),
            "num_merge: int, found=[])",
            "gives found one default for all calls: a later call finds it changed.",
        ),
    ],
)
def test_a_line_that_explains_the_failure_is_said(
    run: Run, submission: Any, id: str, edit: tuple[str, str], at: str, says: str
) -> None:
    step = next(step for step in STEPS if step.id == id)
    text = solution(step).replace(*edit)
    text = text.replace("merges: list[Pair] = []", "merges = found") if "found=[]" in at else text
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


def test_exchanged_names_are_not_called_correct(run: Run, submission: Any) -> None:
    mean = "mean = x.mean(dim=-1, keepdim=True)"
    variance = "variance = x.var(dim=-1, unbiased=False, keepdim=True)"
    edit = (
        f"{mean}\n        {variance}",
        f"{variance.replace('variance', 'mean', 1)}\n        {mean.replace('mean', 'variance', 1)}",
    )
    message = cause(run, submission, "2.3", edit).message
    assert (
        "Your mean holds what should be in variance" in message and "Correct so far" not in message
    )


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


@pytest.mark.parametrize(
    ("id", "before", "line"),
    [
        (
            "2.2",
            "        # Project each of the three",
            "        mask = self.kept = getattr(self, 'kept', None) if mask is None else mask\n",
        ),
        (
            "1.2",
            "        # Refuse a sentence",
            "        self.pe = self.pe[: x.size(1)]\n",
        ),
    ],
)
def test_what_an_earlier_call_leaves_behind_is_said(
    run: Run, submission: Any, id: str, before: str, line: str
) -> None:
    """Wrong numbers, and an error; both are gone if the call is the first."""
    found = cause(run, submission, id, (before, line + before))
    assert found.mistake is None and found.observed == [KEPT]


def test_what_moves_is_drawn_beside_what_should(run: Run, submission: Any) -> None:
    """The words that come later move the earlier ones, and that alone is marked."""
    unmasked = ("self.self_attention(x, x, x, trg_mask)", "self.self_attention(x, x, x)")
    legend, head, *rows = cause(run, submission, "4.1", unmasked).picture
    assert (
        "Row: an output. Column: x." in legend
        and len(legend) <= 78
        and head.startswith("yours")
        and "expected" in head
    )
    left, right = zip(*(re.split(r"\s{4,}(?=\d)", row.strip()) for row in rows))
    length = len(rows)
    for token in range(length):
        mine, due = left[token].split()[1:], right[token].split()[1:]
        assert {cell.rstrip("*") for cell in mine} == {"#"}
        assert due[token + 1 :] == ["."] * (length - token - 1)
        assert [cell.endswith("*") for cell in mine] == [cell == "." for cell in due]


def test_nothing_is_drawn_where_all_moves_as_it_should(run: Run, submission: Any) -> None:
    scaled = ("/ math.sqrt(q.size(-1))", "/ q.size(-1)")
    found = cause(run, submission, "2.1", scaled)
    assert found.mistake is not None and found.picture == []


def test_where_any_value_is_right_nothing_is_marked(run: Run, submission: Any) -> None:
    """The values at padding are open. And of masks no map is drawn: they would look like one."""
    forgotten = ("x = layer(x, src_mask)", "x, src_mask = layer(x, src_mask), None")
    found = cause(run, submission, "3.2", forgotten)
    rows = [re.split(r"\s{4,}(?=\d)", row.strip()) for row in found.picture[2:]]
    hidden = [mine.split()[0] for mine, due in rows if mine.split()[1:] == ["any"]]
    assert hidden and all("any" in due for mine, due in rows if "any" in mine)
    assert any("*" in mine for mine, _ in rows if "any" not in mine)


def test_no_map_is_drawn_of_a_mask(run: Run, submission: Any) -> None:
    upper = cause(run, submission, "5.1", (".tril()", ".triu()"))
    assert upper.kind == "values" and upper.picture == []
